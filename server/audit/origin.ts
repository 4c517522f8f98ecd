import { AsyncLocalStorage } from "node:async_hooks";

/** Where a request comes from: known when it arrives, and recorded with each audit entry written for it. */
interface Origin {
  address: string;
  /** How many entries were written for this request. */
  entries: number;
}

const origins = new AsyncLocalStorage<Origin>();

/** Runs work requested from this network address; its audit entries record the address (decision 37). */
export const workFrom = <Result>(address: string, work: () => Result): Result =>
  origins.run({ address, entries: 0 }, work);

/** Where the current work comes from; null for what the software does by itself. */
export const origin = (): Origin | null => origins.getStore() ?? null;
