import { and, asc, eq, gt, lt, or, type SQL, sql } from "drizzle-orm";
import { earlier } from "../../contract/durations.ts";
import { incidentNumber } from "../../contract/numbers.ts";
import { isThere } from "../accounts/queries.ts";
import type { Database, Transaction } from "../database/database.ts";
import { isOneOf } from "../database/is-one-of.ts";
import {
  incidents,
  incidentViews,
  obligationFilings,
  obligationWarnings,
  organisations,
  people,
  regulatorFacts,
} from "../database/schema/index.ts";
import { doEach, pageOfJob } from "../jobs/do-each.ts";
import { queueMail } from "../mail/outbox.ts";
import type { IncidentRow } from "../incidents/find-incident.ts";
import { rankEnded } from "../incidents/open-incidents.ts";
import { notify } from "../notices/notify.ts";
import type { Services } from "../services.ts";
import type { CountedClock } from "./count-clocks.ts";
import { type HeldObligation, readObligations } from "./held-obligations.ts";
import { isCounted, type readState, readStates } from "./incident-state.ts";

type State = Awaited<ReturnType<typeof readState>>;
type Ending = CountedClock<HeldObligation> & { dueAt: Date };

/**
 * Warns a customer's people that a clock is about to end: by the bell, and by mail if it applies by all that is known;
 * each way once for the same end. Clocks of an incident that end together share a warning.
 */
export async function warnOfClocks(services: Services): Promise<void> {
  const now = services.now();
  const obligations = await readObligations(services.database);
  const closed = await closedToldOf(services.database, earlier(now, longestOf(obligations)));
  await doEach<{ incident: Counted; stateOf: (incident: Counted) => State }>(
    services,
    "nobody was warned of an incident's clocks",
    async (after) => {
      const page = await services.database
        .select(counted)
        .from(incidents)
        .where(
          and(
            isCounted,
            // By their index: most incidents are closed. Open ones are included whatever their age, as somebody may
            // start their clocks today.
            or(lt(incidents.rank, 2 * rankEnded), isOneOf(incidents.id, closed)),
            after && gt(incidents.id, after.incident.id),
          ),
        )
        .orderBy(asc(incidents.id))
        .limit(pageOfJob);
      const stateOf = await readStates(services.database, page, now, obligations);
      return page.map((incident) => ({ incident, stateOf }));
    },
    async ({ incident, stateOf }) => {
      if (endingIn(stateOf(incident), now).length === 0) return;
      await services.database.transaction((transaction) => warn(services, transaction, incident, obligations));
    },
  );
}

const longestOf = (obligations: readonly HeldObligation[]) => ({
  minutes: Math.max(0, ...obligations.map(({ deadline }) => (deadline.kind === "relative" ? deadline.minutes : 0))),
});

/**
 * The closed incidents for which, or for incidents merged into them, something was entered since then; older entries
 * start no clock that still runs. Starts from people's entries, because there are few.
 */
async function closedToldOf(database: Database, since: Date): Promise<string[]> {
  const told = (at: SQL) => sql`${at} >= ${since.toISOString()}::timestamptz`;
  const { rows } = await database.execute<{ id: string }>(sql`
    with recursive entered as (
      select incident_id as id from ${regulatorFacts} union select incident_id from ${obligationFilings}
      union
      select merged.merged_into from entered
        join ${incidents} merged on merged.id = entered.id and merged.state = 'merged' and merged.merged_into is not null
    ), joined as (
      select closed.id as into_id, closed.id, closed.created_at
        from entered join ${incidents} closed on closed.id = entered.id and closed.state = 'closed'
      union
      select joined.into_id, merged.id, merged.created_at
        from joined join ${incidents} merged on merged.merged_into = joined.id and merged.state = 'merged'
    )
    select distinct into_id as id from joined where ${told(sql`joined.created_at`)}
      or exists (select from ${regulatorFacts} as fact where fact.incident_id = joined.id and ${told(sql`fact.created_at`)})
      or exists (select from ${obligationFilings} as filing
        where filing.incident_id = joined.id and ${told(sql`filing.created_at`)})
      or exists (select from ${incidentViews} as seen
        where seen.incident_id = joined.id and seen.side = 'customer' and ${told(sql`seen.first_at`)})`);
  return rows.map(({ id }) => id);
}

const counted = {
  id: incidents.id,
  serial: incidents.serial,
  organisationId: incidents.organisationId,
  openedAt: incidents.openedAt,
};
type Counted = Pick<IncidentRow, keyof typeof counted>;

const endingIn = ({ clocks }: State, now: Date) => clocks.filter((clock): clock is Ending => endsSoon(clock, now));

/** Two hours before the end of a short clock, a day before that of a long one. Afterwards it is too late to warn. */
function endsSoon({ obligation: { deadline }, state, dueAt }: CountedClock, now: Date): boolean {
  if (deadline.kind !== "relative" || dueAt === null || (state !== "running" && state !== "may apply")) return false;
  const ahead = deadline.minutes >= 48 * 60 ? { hours: 24 } : { hours: 2 };
  return earlier(dueAt, ahead) <= now && now <= dueAt;
}

/** Warnings about an incident that was later merged into this one count as sent. */
async function warn(
  services: Services,
  transaction: Transaction,
  { id: incidentId }: Counted,
  obligations: readonly HeldObligation[],
): Promise<void> {
  // Copies of this job take turns, so that each sees what the others have sent.
  const [incident] = await transaction
    .select(counted)
    .from(incidents)
    .where(and(eq(incidents.id, incidentId), isCounted))
    .for("update");
  if (!incident) return;
  const { organisationId } = incident;
  // Again: while this waited, the report may have been filed, or something else attested.
  const now = services.now();
  const state = (await readStates(transaction, [incident], now, obligations))(incident);
  const ending = endingIn(state, now);
  const toldOfIt = isOneOf(
    obligationWarnings.incidentId,
    state.joined.map(({ id }) => id),
  );
  const told = await transaction.select().from(obligationWarnings).where(toldOfIt);
  const untoldBy = (channel: Channel) => ending.filter((clock) => !told.some((each) => isOf(each, channel, clock)));
  const byBell = untoldBy("bell");
  const byMail = untoldBy("mail").filter(({ state }) => state === "running");
  const telling = [...withChannel("bell", byBell), ...withChannel("mail", byMail)];
  if (telling.length === 0) return;
  await transaction.insert(obligationWarnings).values(telling.map((each) => ({ organisationId, incidentId, ...each })));
  await tellByBell(transaction, incident, byBell);
  await tellByMail(services, transaction, incident, byMail);
}

type Told = typeof obligationWarnings.$inferSelect;
type Channel = Told["channel"];

/** If an end moves by a minute or less, the warning already sent still counts. */
const isOf = (told: Told, channel: Channel, { obligation, dueAt }: Ending): boolean =>
  told.channel === channel &&
  told.obligationKey === obligation.key &&
  Math.abs(told.dueAt.getTime() - dueAt.getTime()) <= 60_000;

const withChannel = (channel: Channel, clocks: Ending[]) =>
  clocks.map(({ obligation, dueAt }) => ({ channel, obligationKey: obligation.key, dueAt }));

async function tellByBell(transaction: Transaction, incident: Counted, clocks: Ending[]): Promise<void> {
  const first = endsFirst(clocks);
  if (!first) return;
  const { id: incidentId, organisationId } = incident;
  const about = { incidentId, incidentNumber: incidentNumber(incident.serial), endsAt: first.dueAt.toISOString() };
  const titles = clocks.map(({ obligation }) => obligation.title);
  await notify(transaction, "clock ends", eventKeyOf(incident, first), { ...about, titles }, { organisationId });
}

async function tellByMail(
  services: Services,
  transaction: Transaction,
  incident: Counted,
  clocks: Ending[],
): Promise<void> {
  const first = endsFirst(clocks);
  if (!first) return;
  for (const person of await peopleToMail(transaction, incident.organisationId))
    // oxlint-disable-next-line no-await-in-loop -- an organisation has few people
    await queueMail(services, transaction, {
      eventKey: `clock-ends:${eventKeyOf(incident, first)}:${person.id}`,
      to: person.email,
      content: {
        template: "clockEnds",
        name: person.firstName,
        incidentNumber: incidentNumber(incident.serial),
        clocks: clocks.map(({ obligation, dueAt }) => ({ title: obligation.title, dueAt: dueAt.toISOString() })),
        link: `${services.publicUrl}/user/incidents/${incident.id}/regulators`,
      },
      uselessAfter: clocks.map(({ dueAt }) => dueAt).reduce((one, other) => (one > other ? one : other)),
    });
}

const endsFirst = (clocks: Ending[]): Ending | undefined =>
  clocks.toSorted((one, other) => one.dueAt.getTime() - other.dueAt.getTime())[0];

/** Includes the end, so that a clock whose end has moved gets a new warning. */
const eventKeyOf = ({ id }: Counted, { obligation, dueAt }: Ending): string =>
  `${id}:${obligation.key}:${dueAt.toISOString()}`;

const peopleToMail = (transaction: Transaction, organisationId: string) =>
  transaction
    .select({ id: people.id, email: people.email, firstName: people.firstName })
    .from(people)
    .innerJoin(organisations, eq(organisations.id, people.organisationId))
    .where(and(eq(people.organisationId, organisationId), isThere));
