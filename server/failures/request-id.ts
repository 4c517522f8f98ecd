import { AsyncLocalStorage } from "node:async_hooks";

const answering = new AsyncLocalStorage<string | undefined>();

/** Handles a request under its id, which all log lines written meanwhile carry. */
export function underRequestId<Result>(id: string, answer: () => Result): Result {
  return answering.run(id, answer);
}

/** For work that a request starts but that is not part of it, such as a timer shared by several requests. */
export function underNoRequestId<Result>(act: () => Result): Result {
  return answering.run(undefined, act);
}

/** The id of the request that is being answered; undefined in jobs and at the start. */
export function currentRequestId(): string | undefined {
  return answering.getStore();
}
