import { and, asc, count, eq, gt, isNotNull, isNull, sql } from "drizzle-orm";
import { earlier, later } from "../../contract/durations.ts";
import type { Database, Transaction } from "../database/database.ts";
import { auditChain, auditEntries } from "../database/schema/index.ts";
import { sealedText, sealOf } from "./chain.ts";
import { type Range, removalSubject } from "./removal.ts";

/** The first entry at which the chain breaks; `at` is null if that entry is missing. */
export interface ChainFault {
  number: number;
  at: Date | null;
  what: string;
}

export interface ChainReport {
  /** How many sealed entries were read. */
  entries: number;
  /** How many entries are not sealed yet. */
  waiting: number;
  /** The end of the chain, to be noted elsewhere. */
  last: { number: number; hash: string };
  fault: ChainFault | null;
}

/** The software never deletes an entry younger than this: the trigger refuses it. */
const shortestDays = 1094;
const pageSize = 2000;

interface Removal {
  range: Range;
  before: Date;
}
interface Sealed {
  number: number;
  at: Date;
  hash: string | null;
}
const start: Sealed = { number: 0, at: new Date(0), hash: "" };

/**
 * Walks the chain in one snapshot and finds the first entry that was changed, removed or inserted after it was sealed.
 * `noted` is an end of the chain noted elsewhere earlier: only that reveals a chain that was rewritten as a whole.
 */
export async function verifyChain(
  database: Database,
  noted: { number: number; hash: string } | null = null,
): Promise<ChainReport> {
  return database.transaction(
    async (transaction) => {
      const [end] = await transaction.select().from(auditChain);
      const last = { number: end?.lastNumber ?? 0, hash: end?.lastHash ?? "" };
      const [unsealed] = await transaction
        .select({ waiting: count() })
        .from(auditEntries)
        .where(isNull(auditEntries.number));
      const walked = await walk(transaction, last, noted);
      const fault = walked.fault ?? (await findFaultOfValues(transaction));
      return { ...walked, fault, waiting: unsealed?.waiting ?? 0, last };
    },
    { isolationLevel: "repeatable read", accessMode: "read only" },
  );
}

async function walk(transaction: Transaction, end: ChainReport["last"], noted: ChainReport["last"] | null) {
  const removals = await findRemovals(transaction);
  let entries = 0;
  let before = start;
  for (let page = await pageAfter(transaction, 0); page.length > 0;) {
    for (const { text, previousHash, ...entry } of page) {
      const fault =
        faultBetween(before, entry.number, removals) ?? faultOf({ ...entry, previousHash, text }, before, noted);
      if (fault) return { entries, fault };
      entries++;
      before = entry;
    }
    // oxlint-disable-next-line no-await-in-loop -- a page begins where the one before it ended
    page = await pageAfter(transaction, before.number);
  }
  return { entries, fault: faultAtEnd(before, end, removals) ?? faultOfNoted(end, noted) };
}

/**
 * Checks the values beside the chain against their hashes, which are sealed with the entries. Values may be missing
 * only if an entry records the erasure after that: later by time, which is when its transaction began, or by id, which
 * is made at writing.
 */
async function findFaultOfValues(transaction: Transaction): Promise<ChainFault | null> {
  const { rows } = await transaction.execute<{ number: string; at: Date; isThere: boolean }>(
    sql`select number, at, entry_id is not null as "isThere"
      from audit_entries as entry left join audit_values on entry_id = id
      where number is not null and detail ? 'valuesHash' and case when entry_id is null
        then not exists (select from audit_entries as erasure where erasure.subject = entry.subject
          and erasure.action in ('erase person', 'erase details') and (erasure.at >= entry.at or erasure.id > entry.id))
        else encode(sha256(convert_to(salt || values::text, 'UTF8')), 'hex') <> detail->>'valuesHash' end
      order by number limit 1`,
  );
  const [found] = rows;
  if (!found) return null;
  const what = found.isThere
    ? "has other values beside it than were written"
    : "has lost its values, and no entry tells of an erasure";
  return { number: Number(found.number), at: new Date(found.at), what };
}

async function pageAfter(transaction: Transaction, after: number) {
  const rows = await transaction
    .select({
      number: auditEntries.number,
      at: auditEntries.at,
      previousHash: auditEntries.previousHash,
      hash: auditEntries.hash,
      text: sealedText,
    })
    .from(auditEntries)
    .where(and(isNotNull(auditEntries.number), gt(auditEntries.number, after)))
    .orderBy(asc(auditEntries.number))
    .limit(pageSize);
  return rows.map((row) => ({ ...row, number: row.number ?? 0 }));
}

/** The ranges of numbers that entries record as deleted after their time, sorted by first number. */
async function findRemovals(transaction: Transaction): Promise<Removal[]> {
  const told = await transaction
    .select({ at: auditEntries.at, detail: auditEntries.detail })
    .from(auditEntries)
    .where(and(eq(auditEntries.subject, removalSubject), eq(auditEntries.action, "remove audit entries")));
  return told
    .flatMap(({ at, detail }) => {
      const before = new Date(String(detail["before"]));
      if (before > earlier(at, { days: shortestDays })) return [];
      return (detail["numbers"] as Range[]).map((range) => ({ range, before }));
    })
    .toSorted((one, other) => one.range[0] - other.range[0]);
}

function faultOf(
  { text, previousHash, ...entry }: Sealed & { text: string; previousHash: string | null },
  before: Sealed,
  noted: ChainReport["last"] | null,
): ChainFault | null {
  const { number, at } = entry;
  if (entry.hash !== sealOf(number, previousHash ?? "", text))
    return { number, at, what: "was changed after it was sealed" };
  if (number === before.number + 1 && previousHash !== before.hash)
    return { number, at, what: `does not follow entry ${before.number}: one of the two was put in or sealed anew` };
  if (noted?.number === number && noted.hash !== entry.hash)
    return { number, at, what: "has another seal than the one that was noted" };
  return null;
}

/** The first number missing between two entries that no entry records as deleted in time. */
function faultBetween(before: Sealed, number: number, removals: Removal[]): ChainFault | null {
  let missing = before.number + 1;
  for (const { range, before: bound } of removals) {
    if (missing >= number) break;
    // The entry before the gap must be older than the deletion's bound, with a day's tolerance for long transactions.
    if (range[0] <= missing && missing <= range[1] && before.at < later(bound, { days: 1 })) missing = range[1] + 1;
  }
  return missing < number ? { number: missing, at: null, what: "is missing" } : null;
}

function faultAtEnd(before: Sealed, end: ChainReport["last"], removals: Removal[]): ChainFault | null {
  if (before.number > end.number)
    return { number: before.number, at: before.at, what: `stands after the end of the chain, ${end.number}` };
  if (before.number === end.number && before.hash !== end.hash)
    return { number: before.number, at: before.at, what: "has another seal than the end of the chain" };
  return faultBetween(before, end.number + 1, removals);
}

const faultOfNoted = (end: ChainReport["last"], noted: ChainReport["last"] | null): ChainFault | null =>
  noted && noted.number > end.number ? { number: noted.number, at: null, what: "was noted and is missing" } : null;
