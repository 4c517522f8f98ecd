import type { Logger } from "pino";
import { and, eq, isNotNull } from "drizzle-orm";
import { audit } from "../audit/audit.ts";
import { workFrom } from "../audit/origin.ts";
import type { Database } from "../database/database.ts";
import { underNoRequestId } from "../failures/request-id.ts";
import { people } from "../database/schema/index.ts";
import { networkOf } from "./limiter.ts";

/** A refused action. The events are listed in docs/security.md. */
export interface Denial {
  event:
    | "refuse role"
    | "refuse record"
    | "refuse token"
    | "refuse rate"
    | "refuse file address"
    | "forged payment message";
  operation: string;
  address: string;
  actor: { personId: string } | null;
  /** The requested id, file name or e-mail address. */
  sought?: string;
}

/** Records denials: in the log, and as audit entries when the person is known. */
export interface Denials {
  note(denial: Denial): void;
  /** Writes everything counted so far, and waits until it is written. */
  flush(): Promise<void>;
}

const windowSeconds = 60;
const windowsMax = 1000;
const namedMax = 10;

/** Denials of one kind for one person or network. */
interface Entry extends Denial {
  times: number;
  operations: Set<string>;
  soughtAll: Set<string>;
}

/**
 * Writes the first denial of a kind for a person or network at once, and further ones within a minute as one entry with
 * their number, so that refused requests can't fill the log or the database.
 */
export function openDenials(database: Database, log: Logger): Denials {
  const counting = new Map<string, Entry>();
  const writing = new Set<Promise<void>>();

  const write = (entry: Entry) => {
    const written = writeEntry(database, log, entry)
      .catch((error: unknown) => log.error({ err: error, event: entry.event }, "denial could not be kept"))
      .finally(() => writing.delete(written));
    writing.add(written);
  };
  const close = (key: string) => {
    const entry = counting.get(key);
    counting.delete(key);
    if (entry && entry.times > 0) write(entry);
  };

  return {
    note(denial) {
      const isCounted = counting.has(keyOf(denial)) || counting.size < windowsMax;
      const counted: Denial = isCounted ? denial : { ...denial, operation: "several", address: "several", actor: null };
      const entry = counting.get(keyOf(counted));
      if (entry) {
        count(entry, counted);
        return;
      }
      counting.set(keyOf(counted), emptyEntry(counted));
      underNoRequestId(() => setTimeout(close, windowSeconds * 1000, keyOf(counted)).unref());
      write(count(emptyEntry(counted), counted));
    },
    async flush() {
      for (const key of counting.keys()) close(key);
      await Promise.all(writing);
    },
  };
}

/** A stranger is identified only by network. */
const keyOf = ({ event, address, actor }: Denial) => `${event} ${actor ? actor.personId : networkOf(address)}`;

const emptyEntry = (denial: Denial): Entry => ({ ...denial, times: 0, operations: new Set(), soughtAll: new Set() });

function count(entry: Entry, { operation, sought }: Denial): Entry {
  entry.times++;
  if (entry.operations.size < namedMax) entry.operations.add(operation);
  if (sought && entry.soughtAll.size < namedMax) entry.soughtAll.add(sought);
  return entry;
}

async function writeEntry(database: Database, log: Logger, entry: Entry): Promise<void> {
  const { event, address, actor, times } = entry;
  const [operation = "", ...others] = entry.operations;
  const sought = await Promise.all(Array.from(entry.soughtAll, (each) => withoutEmail(database, each)));
  const detail = {
    times,
    ...(others.length > 0 && { alsoAt: others }),
    ...(sought.length > 0 && { sought }),
  };
  log.warn({ event, operation, personId: actor?.personId, address, ...detail });
  if (actor && event !== "forged payment message")
    await workFrom(address, () => audit(database, actor.personId, event, `operation:${operation}`, detail));
}

/** Replaces an e-mail address by its owner's id: the address itself does not belong in a log. */
async function withoutEmail(database: Database, sought: string): Promise<string> {
  if (!sought.includes("@")) return sought.slice(0, 100);
  try {
    const [person] = await database
      .select({ id: people.id })
      .from(people)
      .where(and(eq(people.email, sought), isNotNull(people.joinedAt)));
    return person ? `person:${person.id}` : "nobody known";
  } catch {
    return "could not be looked up";
  }
}
