import { setTimeout as sleep } from "node:timers/promises";
import { Failure } from "../failures/failure.ts";
import { openTurns } from "./turns.ts";

/** Lets `atOnce` in; of the others `waiting` may wait their turn, for `waitMs` each. */
export interface GateLimits {
  atOnce: number;
  waiting: number;
  waitMs: number;
}

/** Does the work when it has its turn. @throws Failure overloaded without doing it */
export type Gate = (<Result>(work: () => Promise<Result>) => Promise<Result>) & { use(): GateUse };

/** How many are inside and wait now, and how many were turned away since the start. */
export interface GateUse {
  inside: number;
  waiting: number;
  refused: number;
}

/** A gate that is told who asks, by each kind of share that it has, so that nobody fills it alone. */
export type SharedGate<Share extends string> = (<Result>(
  who: Record<Share, string>,
  work: () => Promise<Result>,
) => Promise<Result>) & { use(): GateUse };

/** Of whom a call of somebody signed in takes a place, and of whom an upload does. */
export type CallerShare = "person" | "organisation";
type UploadShare = CallerShare | "network";

/** Before what looks through the records of many: the palette, which answers while somebody types, and everything else. */
export type HeavyGate = "heavy" | "palette";

export interface Gates
  extends Record<"signIn" | "visitor", Gate>, Record<"signedIn" | HeavyGate, SharedGate<CallerShare>> {
  staff: SharedGate<"person">;
  upload: SharedGate<UploadShare>;
  staffUpload: SharedGate<"person">;
}

/**
 * Who is let in by which gate is said in api.ts. A sign-in fills a core with its hash and holds no connection meanwhile;
 * the next three together let in fewer than the pool has connections, so that sign-ins and payments find one: what asks
 * several things at once there has few rows to look through. Heavy reads have connections of their own, behind two gates
 * that hold up nobody but those who ask for such reads. The palette has one to itself, as whoever types into it would else
 * wait behind everybody's overviews and exports; those it meets at the connections alone, of which two whole lists leave it
 * half. In all of these one who is alone may do as much at once as all may: what is bounded is how many of one's calls wait,
 * which take turns with those of others. An upload is in memory whole until it is answered, some 25 MB for a file of 5: its
 * gate is passed before its body is read, and a body that never ends holds up whoever sends it. Many accounts of one
 * organisation, or in one network, leave places to others, and administrators have their own.
 */
export const openGates = (): Gates => ({
  signIn: openGate({ atOnce: 40, waiting: 200, waitMs: 5000 }),
  staff: openSharedGate(...waitingApart({ atOnce: 3, waiting: 300, waitMs: 5000 }, { person: 60 })),
  signedIn: openSharedGate(
    ...waitingApart({ atOnce: 10, waiting: 1000, waitMs: 5000 }, { person: 60, organisation: 300 }),
  ),
  visitor: openGate({ atOnce: 5, waiting: 2000, waitMs: 5000 }),
  heavy: openSharedGate(...waitingApart({ atOnce: 2, waiting: 300, waitMs: 10_000 }, { person: 40, organisation: 60 })),
  palette: openSharedGate(...waitingApart({ atOnce: 2, waiting: 300, waitMs: 5000 }, { person: 40, organisation: 60 })),
  staffUpload: openSharedGate(
    { atOnce: 3, waiting: 20, waitMs: 10_000 },
    { person: { atOnce: 2, waiting: 10, waitMs: 10_000 } },
  ),
  upload: openSharedGate(
    // Two organisations with all that one may have leave a place.
    { atOnce: 7, waiting: 200, waitMs: 10_000 },
    {
      person: { atOnce: 2, waiting: 10, waitMs: 10_000 },
      organisation: { atOnce: 3, waiting: 20, waitMs: 10_000 },
      network: { atOnce: 3, waiting: 40, waitMs: 10_000 },
    },
  ),
});

// Who is turned away at once asks again at once: thousands of them would leave no time for anybody else.
const refuseAfterMs = 1000;

/**
 * A gate before work that needs the database. Each kind of caller has a gate of its own, so that many of one kind
 * hold up only each other.
 */
export function openGate(limits: GateLimits): Gate {
  const shared = openSharedGate<never>(limits, {});
  return Object.assign(<Result>(work: () => Promise<Result>) => shared({}, work), { use: shared.use });
}

/** Shares of which each may have all places, but no more than so many who wait. */
function waitingApart<Share extends string>(limits: GateLimits, most: Record<Share, number>) {
  const shares = Object.entries<number>(most).map(([share, waiting]) => [share, { ...limits, waiting }]);
  return [limits, Object.fromEntries(shares) as Record<Share, GateLimits>] as const;
}

/** Places that some take together: all of a gate's, or the share of one who asks. */
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
 * Lets in as `limits` say, and of one who asks no more than each of the `shares` says, which stand there from the smallest.
 * Whoever waits for one of these holds no place in the others meanwhile; those who wait take turns by their shares.
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
      // Out of the queue in the same step: a turn must not be given to someone who has left.
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

/** The shares of those who are inside or wait. */
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
