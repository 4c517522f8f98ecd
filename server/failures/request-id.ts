import { AsyncLocalStorage } from "node:async_hooks";

const answering = new AsyncLocalStorage<string | undefined>();

/** Answers a request under its id: whatever is logged meanwhile carries it. */
export function underRequestId<Result>(id: string, answer: () => Result): Result {
  return answering.run(id, answer);
}

/** For what a request sets off and is no part of it, such as a timer whose work is about several requests. */
export function underNoRequestId<Result>(act: () => Result): Result {
  return answering.run(undefined, act);
}

/** The id of the request that is being answered; undefined in jobs and at the start. */
export function currentRequestId(): string | undefined {
  return answering.getStore();
}
