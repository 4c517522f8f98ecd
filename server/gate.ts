import { setTimeout as sleep } from "node:timers/promises";
import { Failure } from "./errors.ts";

/** Lets `atOnce` in; of the others `waiting` may wait their turn, for `waitMs` each. */
export interface GateLimits {
  atOnce: number;
  waiting: number;
  waitMs: number;
}

/** Does the work when it has its turn. @throws Failure overloaded without doing it */
export type Gate = <Result>(work: () => Promise<Result>) => Promise<Result>;

// Who is turned away at once asks again at once: thousands of them would leave no time for anybody else.
const refuseAfterMs = 1000;

/**
 * A gate before work that needs the database. Each kind of caller has a gate of its own, so that many of one kind
 * hold up only each other.
 */
export function openGate({ atOnce, waiting, waitMs }: GateLimits): Gate {
  const queue = new Set<() => void>();
  let inside = 0;

  const waitForTurn = async () => {
    if (queue.size >= waiting) {
      await sleep(refuseAfterMs);
      throw overloaded();
    }
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const takeTurn = () => resolve(true);
    queue.add(takeTurn);
    const timer = setTimeout(() => {
      // Out of the queue in the same step: a turn must not be given to someone who has left.
      queue.delete(takeTurn);
      resolve(false);
    }, waitMs);
    const hasTurn = await promise;
    clearTimeout(timer);
    if (!hasTurn) throw overloaded();
  };

  const giveTurn = () => {
    const [next] = queue;
    if (next) {
      queue.delete(next);
      next();
    } else inside--;
  };

  return async (work) => {
    if (inside < atOnce) inside++;
    else await waitForTurn();
    try {
      return await work();
    } finally {
      giveTurn();
    }
  };
}

const overloaded = () =>
  new Failure("overloaded", "Too many people are asking at once. Please try again in a few seconds.", {
    retryAfterSeconds: 2,
  });
