import { setTimeout as sleep } from "node:timers/promises";
import { Failure } from "../failures/failure.ts";
import { openTurns } from "./turns.ts";

/** `atOnce` may be inside; of the others, `waiting` may wait, for `waitMs` milliseconds each. */
export interface GateLimits {
  atOnce: number;
  waiting: number;
  waitMs: number;
}

/** How many calls are inside and waiting now, and how many were refused since the start. */
export interface GateUse {
  inside: number;
  waiting: number;
  refused: number;
}

/**
 * Runs the work when its turn comes. Knows the caller, by each kind of share, so that none can fill it alone.
 * @throws Failure overloaded without running it
 */
export type SharedGate<Share extends string> = (<Result>(
  who: Record<Share, string>,
  work: () => Promise<Result>,
) => Promise<Result>) & { use(): GateUse };

/** The kinds of share: of a signed-in call, and of an upload. */
export type CallerShare = "person" | "organisation";
type UploadShare = CallerShare | "network";

/**
 * The gates for reads of many organisations' records: the palette, which answers while somebody types, and everything
 * else.
 */
export type HeavyGate = "heavy" | "palette";

export interface Gates
  extends Record<"signIn" | "visitor", SharedGate<"network">>, Record<"signedIn" | HeavyGate, SharedGate<CallerShare>> {
  staff: SharedGate<"person">;
  upload: SharedGate<UploadShare>;
  staffUpload: SharedGate<"person">;
}

/**
 * Gates before work that needs the database: many calls of one kind delay only each other. Which call passes which gate
 * is decided in api.ts. A sign-in keeps a core busy with its hash, and holds no connection meanwhile. The next three
 * gates together admit fewer calls than the pool has connections, so that sign-ins and payments always find one; a call
 * there that runs several queries at once reads few rows. Heavy reads have their own connections and two gates, so they
 * delay only each other. The palette has a gate of its own, so that a person typing does not wait behind overviews and
 * exports; they meet only at the connections, of which two whole lists leave half to the palette. In all of these, a
 * lone caller may use every place: only the number of waiting calls per caller is limited, and callers take turns;
 * those who have not signed in are told apart by network. An upload stays in memory until it is answered, some 25 MB
 * for a file of 5 MB: its gate is passed before the body is read, and a body that never ends delays only its sender.
 * Many accounts of one organisation or network leave places to others, and administrators have their own.
 */
export const openGates = (): Gates => ({
  signIn: openSharedGate(...waitingApart({ atOnce: 40, waiting: 200, waitMs: 5000 }, { network: 150 })),
  staff: openSharedGate(...waitingApart({ atOnce: 3, waiting: 300, waitMs: 5000 }, { person: 60 })),
  signedIn: openSharedGate(
    ...waitingApart({ atOnce: 10, waiting: 1000, waitMs: 5000 }, { person: 60, organisation: 300 }),
  ),
  visitor: openSharedGate(...waitingApart({ atOnce: 5, waiting: 2000, waitMs: 5000 }, { network: 1500 })),
  heavy: openSharedGate(...waitingApart({ atOnce: 2, waiting: 300, waitMs: 10_000 }, { person: 40, organisation: 60 })),
  palette: openSharedGate(...waitingApart({ atOnce: 2, waiting: 300, waitMs: 5000 }, { person: 40, organisation: 60 })),
  staffUpload: openSharedGate(
    { atOnce: 3, waiting: 20, waitMs: 10_000 },
    { person: { atOnce: 2, waiting: 10, waitMs: 10_000 } },
  ),
  upload: openSharedGate(
    // Two organisations that use their full share still leave a place.
    { atOnce: 7, waiting: 200, waitMs: 10_000 },
    {
      person: { atOnce: 2, waiting: 10, waitMs: 10_000 },
      organisation: { atOnce: 3, waiting: 20, waitMs: 10_000 },
      network: { atOnce: 3, waiting: 40, waitMs: 10_000 },
    },
  ),
});

// A client refused at once would retry at once: thousands of them would leave no time for others.
const refuseAfterMs = 1000;

/** Shares that may each take all places, but are limited in how many calls may wait. */
function waitingApart<Share extends string>(limits: GateLimits, most: Record<Share, number>) {
  const shares = Object.entries<number>(most).map(([share, waiting]) => [share, { ...limits, waiting }]);
  return [limits, Object.fromEntries(shares) as Record<Share, GateLimits>] as const;
}

/** A set of places: all of a gate's, or one caller's share. */
interface Places extends GateLimits {
  name: string;
  inside: number;
  queued: number;
}

interface Waiter {
  wanted: Places[];
  takeTurn(): void;
}

/**
 * Admits calls within `limits`, and of each caller no more than each of the `shares` allows; `shares` are ordered from
 * the smallest. A call that waits for one of them holds no place in the others; waiting calls take turns by share.
 */
export function openSharedGate<Share extends string>(
  limits: GateLimits,
  shares: Record<Share, GateLimits>,
): SharedGate<Share> {
  const all: Places = { ...limits, name: "all", inside: 0, queued: 0 };
  const { placesOf, forget } = openParts(shares);
  const turns = openTurns<Waiter>();
  let refused = 0;

  const enter = (wanted: Places[]) => {
    for (const places of wanted) places.inside++;
  };

  const waitForTurn = async (wanted: Places[]) => {
    if (wanted.some(({ queued, waiting }) => queued >= waiting)) {
      refused++;
      await sleep(refuseAfterMs);
      throw overloaded();
    }
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const path = wanted
      .slice(1)
      .map(({ name }) => name)
      .toReversed();
    const leave = (hasTurn: boolean) => {
      for (const places of wanted) places.queued--;
      resolve(hasTurn);
    };
    const waiter: Waiter = { wanted, takeTurn: () => leave(true) };
    turns.add(path, waiter);
    for (const places of wanted) places.queued++;
    const giveUp = () => {
      // Leaves the queue in the same step, so that no turn is given to a call that has left.
      turns.remove(path, waiter);
      leave(false);
    };
    const timer = setTimeout(giveUp, Math.min(...wanted.map(({ waitMs }) => waitMs)));
    const hasTurn = await promise;
    clearTimeout(timer);
    if (hasTurn) return;
    refused++;
    throw overloaded();
  };

  const giveTurns = () => {
    while (hasRoom(all)) {
      const next = turns.take(({ wanted }) => wanted.every(hasRoom));
      if (!next) return;
      enter(next.wanted);
      next.takeTurn();
    }
  };

  const pass = async <Result>(who: Record<Share, string>, work: () => Promise<Result>) => {
    const wanted = [all, ...placesOf(who)];
    try {
      if (wanted.every(hasRoom)) enter(wanted);
      else await waitForTurn(wanted);
      try {
        return await work();
      } finally {
        for (const places of wanted) places.inside--;
        giveTurns();
      }
    } finally {
      forget(wanted);
    }
  };
  return Object.assign(pass, { use: () => ({ inside: all.inside, waiting: all.queued, refused }) });
}

/** The shares of calls that are inside or waiting. */
function openParts<Share extends string>(shares: Record<Share, GateLimits>) {
  const names = Object.keys(shares) as Share[];
  const parts = new Map<string, Places>();
  const placesOf = (who: Record<Share, string>): Places[] =>
    names.map((share) => {
      const name = `${share} ${who[share]}`;
      const part = parts.get(name) ?? { ...shares[share], name, inside: 0, queued: 0 };
      parts.set(name, part);
      return part;
    });
  const forget = (wanted: readonly Places[]) => {
    for (const places of wanted)
      if (places.inside + places.queued === 0 && parts.get(places.name) === places) parts.delete(places.name);
  };
  return { placesOf, forget };
}

const hasRoom = ({ inside, atOnce }: Places) => inside < atOnce;

const overloaded = () =>
  new Failure("overloaded", "Too many people are asking at once. Please try again in a few seconds.", {
    retryAfterSeconds: 2,
  });
