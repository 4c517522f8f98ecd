/** A job's place in its queue: "first" and "last" come before and after all others, however long those have waited. */
export type Turn = keyof typeof priorities;

export const priorities = { first: 1, "in order": 0, last: -1 };
