import type { Logger } from "pino";
import { findPersonByEmail } from "./accounts/queries.ts";
import { audit } from "./audit.ts";
import type { Actor } from "./call.ts";
import type { Database } from "./database/database.ts";
import { networkOf } from "./limiter.ts";

/** Something that somebody was not allowed. The events are listed in docs/security.md. */
export interface Denial {
  event: "refuse role" | "refuse record" | "refuse token" | "refuse rate" | "refuse file address";
  operation: string;
  address: string;
  actor: Actor | null;
  /** The id, file name or e-mail that was asked for. */
  sought?: string;
}

/** Leaves a trace of denials: in the log, and in the audit entries when the person is known. */
export interface Denials {
  note(denial: Denial): void;
  /** Writes what was counted so far, and waits until all of it is written. */
  flush(): Promise<void>;
}

const windowSeconds = 60;
const windowsMax = 1000;
const soughtMax = 10;

interface Window {
  denial: Denial;
  /** How many came after the first, and what for. */
  times: number;
  sought: Set<string>;
}

/**
 * The first denial of a kind to somebody is written at once, further ones within a minute as one entry with their
 * number: nobody fills the log or the database by being refused.
 */
export function openDenials(database: Database, log: Logger): Denials {
  const windows = new Map<string, Window>();
  const writing = new Set<Promise<void>>();

  const write = (denial: Denial, times: number, sought: Iterable<string>) => {
    const written = writeDenial(database, log, denial, times, [...sought])
      .catch((error: unknown) => log.error({ err: error, event: denial.event }, "denial could not be kept"))
      .finally(() => writing.delete(written));
    writing.add(written);
  };
  const close = (key: string) => {
    const window = windows.get(key);
    windows.delete(key);
    if (window && window.times > 0) write(window.denial, window.times, window.sought);
  };
  const open = (key: string, denial: Denial) => {
    windows.set(key, { denial, times: 0, sought: new Set() });
    setTimeout(close, windowSeconds * 1000, key).unref();
    write(denial, 1, denial.sought ? [denial.sought] : []);
  };

  return {
    note(denial) {
      const isKnown = windows.has(keyOf(denial)) || windows.size < windowsMax;
      const counted: Denial = isKnown ? denial : { ...denial, operation: "several", address: "several", actor: null };
      const window = windows.get(keyOf(counted));
      if (!window) return open(keyOf(counted), counted);
      window.times++;
      if (counted.sought && window.sought.size < soughtMax) window.sought.add(counted.sought);
    },
    async flush() {
      for (const key of windows.keys()) close(key);
      await Promise.all(writing);
    },
  };
}

/** A stranger is known by their network alone, so that trying one operation after the other makes one entry too. */
function keyOf({ event, operation, address, actor }: Denial): string {
  return actor ? `${event} ${actor.personId} ${operation}` : `${event} ${networkOf(address)}`;
}

async function writeDenial(
  database: Database,
  log: Logger,
  { event, operation, address, actor }: Denial,
  times: number,
  sought: string[],
): Promise<void> {
  const detail = {
    address,
    times,
    ...(sought.length > 0 && { sought: await Promise.all(sought.map((each) => withoutEmail(database, each))) }),
  };
  log.warn({ event, operation, personId: actor?.personId, ...detail });
  if (actor) await audit(database, actor.personId, event, `operation:${operation}`, detail);
}

/** Whose e-mail was asked for is kept by their id: the e-mail itself does not belong in a log. */
async function withoutEmail(database: Database, sought: string): Promise<string> {
  if (!sought.includes("@")) return sought.slice(0, 100);
  try {
    const person = await findPersonByEmail(database, sought);
    return person ? `person:${person.id}` : "nobody known";
  } catch {
    return "could not be looked up";
  }
}
