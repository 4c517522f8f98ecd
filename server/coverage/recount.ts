import { eq, sql } from "drizzle-orm";
import { earlier, later } from "../../contract/durations.ts";
import { holdOrganisations } from "../accounts/queries.ts";
import type { Database, Transaction } from "../database/database.ts";
import { isDue } from "../database/is-due.ts";
import { contracts, coverageFigures, engineBindings, engineStreams } from "../database/schema/index.ts";
import { endOfRun } from "../jobs/do-each.ts";
import type { Services } from "../services.ts";
import { type Counted, countCoverage } from "./count.ts";
import { readFacts } from "./facts.ts";
import { storeDevices } from "./store-devices.ts";

export type FiguresRow = typeof coverageFigures.$inferSelect;

/** How long a count is valid if no engine has answered since. */
const holdsSeconds = 60;
/** Without an engine, time alone changes little. */
const holdsUnboundSeconds = 900;
/** No count is valid for longer, not even that of the largest fleet. */
const holdsSecondsAtMost = 3600;
/** The clock counts large fleets less often: one second between counts per this many devices. */
const devicesASecond = 1000;

/** Counts an organisation's coverage now, whatever was counted before, in the transaction of the change. */
export async function recount(services: Services, transaction: Transaction, organisationId: string): Promise<Counted> {
  await lockCount(transaction, organisationId);
  return count(services, transaction, organisationId, await findFigures(transaction, organisationId));
}

/**
 * Counts an organisation's coverage unless the last count is still valid: it is less than a minute old and no engine
 * has answered since. Of two concurrent calls the second waits and uses the first one's count.
 */
export async function countWhereDue(services: Services, organisationId: string): Promise<FiguresRow | null> {
  const known = await findFigures(services.database, organisationId);
  if (known && !(await isOver(services, services.database, known))) return known;
  await services.database.transaction(async (transaction) => {
    await lockCount(transaction, organisationId);
    const meanwhile = await findFigures(transaction, organisationId);
    if (!meanwhile || (await isOver(services, transaction, meanwhile)))
      await count(services, transaction, organisationId, meanwhile);
  });
  return findFigures(services.database, organisationId);
}

/** The last count; null if there is nothing to count. */
export async function findFigures(
  database: Database | Transaction,
  organisationId: string,
): Promise<FiguresRow | null> {
  const [row] = await database.select().from(coverageFigures).where(eq(coverageFigures.organisationId, organisationId));
  return row ?? null;
}

const lockCount = (transaction: Transaction, organisationId: string) =>
  transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`coverage ${organisationId}`}, 0))`);

async function isOver(
  services: Services,
  database: Database | Transaction,
  { organisationId, countedAt, nextCountAt }: FiguresRow,
): Promise<boolean> {
  const now = services.now();
  // One that was counted while our clock was fast would hold until that time.
  if (nextCountAt > later(now, { seconds: holdsSecondsAtMost })) return true;
  if (nextCountAt <= now || countedAt <= earlier(now, { seconds: holdsSeconds })) return true;
  const { rows } = await database.execute<{ answered: boolean }>(sql`
    select exists (select from ${engineStreams} join ${engineBindings} on ${engineBindings.id} = ${engineStreams.bindingId}
      where ${engineBindings.organisationId} = ${organisationId}::uuid and ${engineBindings.removedAt} is null
        and ${engineStreams.stream} in ('devices', 'events')
        and greatest(${engineStreams.lastAnswerAt}, ${engineStreams.failingSince}) > ${countedAt.toISOString()}::timestamptz)
      as answered`);
  return rows[0]?.answered ?? false;
}

async function count(
  services: Services,
  transaction: Transaction,
  organisationId: string,
  before: FiguresRow | null,
): Promise<Counted> {
  // The first figures copy the customer's partner, who sees them: a move meanwhile would not see those, and leave them
  // to the former. Later ones are updated by it.
  if (!before) await holdOrganisations(transaction, organisationId);
  const now = services.now();
  const facts = await readFacts(transaction, organisationId, now);
  const counted = countCoverage(facts);
  await storeDevices(transaction, organisationId, counted.devices);
  if (counted.lines.length === 0 && !facts.isBound && !(await isExpected(transaction, organisationId)))
    await transaction.delete(coverageFigures).where(eq(coverageFigures.organisationId, organisationId));
  else await storeFigures(transaction, organisationId, counted, now, facts.isBound);
  return counted;
}

/** Whether figures are kept although nothing is contracted today and no engine lists devices: with any bound engine. */
async function isExpected(transaction: Transaction, organisationId: string): Promise<boolean> {
  const bound = await transaction.$count(
    engineBindings,
    sql`${engineBindings.organisationId} = ${organisationId}::uuid and ${engineBindings.removedAt} is null`,
  );
  return bound > 0;
}

async function storeFigures(
  transaction: Transaction,
  organisationId: string,
  { devices, lines, additions, notContracted, unmatched, unknownSince }: Counted,
  now: Date,
  isBound: boolean,
): Promise<void> {
  const sum = (of: (line: Counted["lines"][number]) => number) => lines.reduce((all, line) => all + of(line), 0);
  const contracted = sum((line) => line.contracted);
  const connected = sum((line) => line.connected);
  const ofFleet = Math.max(holdsSeconds, devices.length / devicesASecond);
  const seconds = isBound ? Math.min(ofFleet, holdsSecondsAtMost) : holdsUnboundSeconds;
  const figures = {
    countedAt: now,
    nextCountAt: later(now, { seconds }),
    contracted,
    connected,
    silent: sum((line) => line.silent),
    neverConnected: sum((line) => line.neverConnected),
    unknown: sum((line) => line.unknown),
    missing: sum((line) => line.missing),
    notContracted,
    unmatched,
    unknownSince,
    share: contracted === 0 ? nothingContracted : Math.floor((connected * 10_000) / contracted),
    lines,
    additions,
  };
  await transaction
    .insert(coverageFigures)
    .values({ organisationId, ...figures })
    .onConflictDoUpdate({ target: coverageFigures.organisationId, set: figures });
}

/** As a value of `share`: sorts behind every customer with contracted devices. */
export const nothingContracted = 10_001;

const batch = 200;

/** Counts all organisations whose last count is no longer valid, oldest first. */
export async function countAllDue(services: Services): Promise<void> {
  const isOver = endOfRun(services);
  const tried = new Set<string>();
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other, so that a run does not take the pool
    const due = (await findDue(services)).filter((id) => !tried.has(id));
    if (due.length === 0) return;
    for (const organisationId of due) {
      if (isOver()) return;
      tried.add(organisationId);
      // oxlint-disable-next-line no-await-in-loop
      await countOrNote(services, organisationId);
    }
  }
}

/** A failed count does not hold up the others. */
async function countOrNote(services: Services, organisationId: string): Promise<void> {
  try {
    await countWhereDue(services, organisationId);
  } catch (error) {
    services.log.error({ err: error, organisation: organisationId }, "coverage could not be counted");
  }
}

/** Organisations whose count is due, and those that have a contract or an engine and were never counted. */
async function findDue({ database, now }: Services): Promise<string[]> {
  const at = sql`${now().toISOString()}::timestamptz`;
  const isOverdue = isDue(coverageFigures.nextCountAt, now(), { seconds: holdsSecondsAtMost });
  const { rows } = await database.execute<{ id: string }>(sql`
    select id from (
      (select organisation_id as id, next_count_at as due from ${coverageFigures} where ${isOverdue}
        order by next_count_at limit ${batch})
      union
      (select organisation_id, '-infinity' from ${contracts}
        where ends_on >= (${at} at time zone 'Asia/Kolkata')::date and starts_on <= (${at} at time zone 'Asia/Kolkata')::date
          and not exists (select from ${coverageFigures} where organisation_id = contracts.organisation_id) limit ${batch})
      union
      (select organisation_id, '-infinity' from ${engineBindings} where removed_at is null
          and not exists (select from ${coverageFigures} where organisation_id = engine_bindings.organisation_id) limit ${batch})
    ) as due order by due limit ${batch}`);
  return rows.map(({ id }) => id);
}
