import { sql } from "drizzle-orm";
import { recordUsage } from "../contracts/usage.ts";
import type { Transaction } from "../database/database.ts";
import { coverageDays, coverageFigures, organisations } from "../database/schema/index.ts";
import { endOfRun } from "../jobs/do-each.ts";
import type { Services } from "../services.ts";
import type { Counted } from "./count.ts";
import { recount } from "./recount.ts";
import { dayIn, minuteOfDayIn } from "../accounts/time-zones.ts";

/**
 * How long after midnight a count still stands for the beginning of the day. Later nobody can know the state then, and
 * the day gets no row.
 */
const lateMinutesMax = 60;
/** Until then, a count with unknown states is left to a later run: the engine may answer in a minute. */
const unknownMinutesMin = 50;
const batch = 500;

/**
 * Counts and stores the coverage of every customer whose day has begun, once per day and customer even with several
 * copies, and reports the usage to the contracts. A missed day is left out and never made up.
 */
export async function takeSnapshots(services: Services): Promise<void> {
  const isOver = endOfRun(services);
  const zones = await services.database.selectDistinct({ timeZone: organisations.timeZone }).from(organisations);
  for (const { timeZone } of zones) {
    if (minuteOfDayIn(timeZone, services.now()) >= lateMinutesMax) continue;
    const day = dayIn(timeZone, services.now());
    let missing: string[] = [];
    do {
      // oxlint-disable-next-line no-await-in-loop -- one after the other, so that a run does not take the pool
      missing = await findMissing(services, timeZone, day, missing.at(-1));
      for (const organisationId of missing) {
        if (isOver()) return;
        // oxlint-disable-next-line no-await-in-loop
        await takeOrNote(services, { organisationId, day, timeZone });
      }
    } while (missing.length === batch);
  }
}

/** Customers of a time zone with something to count and no row for this day. The next run retries those that failed. */
async function findMissing(
  { database }: Services,
  timeZone: string,
  day: string,
  after: string | undefined,
): Promise<string[]> {
  const { rows } = await database.execute<{ id: string }>(sql`
    select organisation_id as id from ${coverageFigures} join ${organisations} on ${organisations.id} = organisation_id
    where ${organisations.timeZone} = ${timeZone}
      and not exists (select from ${coverageDays} where ${coverageDays.organisationId} = ${coverageFigures.organisationId}
        and ${coverageDays.day} = ${day}::date)
      and (${after ?? null}::uuid is null or organisation_id > ${after ?? null}::uuid)
    order by organisation_id limit ${batch}`);
  return rows.map(({ id }) => id);
}

interface Snapshot {
  organisationId: string;
  day: string;
  timeZone: string;
}

async function takeOrNote(services: Services, snapshot: Snapshot): Promise<void> {
  try {
    await services.database.transaction((transaction) => take(services, transaction, snapshot));
  } catch (error) {
    const { organisationId: organisation, day } = snapshot;
    services.log.error({ err: error, organisation, day }, "the coverage of a day could not be kept");
  }
}

async function take(services: Services, transaction: Transaction, snapshot: Snapshot): Promise<void> {
  const counted = await recount(services, transaction, snapshot.organisationId);
  const { lines, notContracted, unmatched, unknownSince } = counted;
  if (unknownSince && minuteOfDayIn(snapshot.timeZone, services.now()) < unknownMinutesMin) return;
  const [kept] = await transaction
    .insert(coverageDays)
    .values({ ...snapshot, takenAt: services.now(), lines, notContracted, unmatched, unknownSince })
    .onConflictDoNothing()
    .returning({ id: coverageDays.id });
  if (kept) await tellUse(transaction, snapshot, counted);
}

/** Reports no usage of a type with unknown devices, which would record too few. */
const tellUse = (transaction: Transaction, { organisationId, day }: Snapshot, { uses }: Counted) =>
  recordUsage(
    transaction,
    uses
      .filter(({ unknown, used, contracted }) => unknown === 0 && used + contracted > 0)
      .map(({ service, deviceType, contracted, used, silent }) => {
        return { organisationId, day, service, deviceType, contracted, connected: used, silent };
      }),
  );
