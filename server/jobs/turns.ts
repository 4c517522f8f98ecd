/** Before or after others of its queue, however long these have waited. */
export type Turn = keyof typeof priorities;

export const priorities = { first: 1, "in order": 0, last: -1 };
