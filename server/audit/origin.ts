import { AsyncLocalStorage } from "node:async_hooks";

/** Where work comes from: known at the door, and noted with each audit entry that the work writes. */
interface Origin {
  address: string;
  /** How many entries this work has written. */
  entries: number;
}

const origins = new AsyncLocalStorage<Origin>();

/** Does work that somebody at this network address asked for: the audit entries it writes say so (decision 37). */
export const workFrom = <Result>(address: string, work: () => Result): Result =>
  origins.run({ address, entries: 0 }, work);

/** Where the work under way comes from; null for what the software does by itself. */
export const origin = (): Origin | null => origins.getStore() ?? null;
