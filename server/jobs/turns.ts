/**
 * A job's place in its queue: "first" and "last" come before and after all others, however long those have waited;
 * "urgent" before even the first, and where a queue keeps a worker for it, whatever the others are at.
 */
export type Turn = keyof typeof priorities;

export const priorities = { urgent: 2, first: 1, "in order": 0, last: -1 };
