import { and, asc, eq, gt, gte, isNotNull, isNull } from "drizzle-orm";
import { earlier } from "../../contract/durations.ts";
import { incidentNumber } from "../../contract/numbers.ts";
import type { Transaction } from "../database/database.ts";
import { incidents, obligationWarnings, people } from "../database/schema/index.ts";
import { doEach, pageOfJob } from "../jobs/do-each.ts";
import { queueMail } from "../mail/outbox.ts";
import type { IncidentRow } from "../incidents/find-incident.ts";
import { notify } from "../notices/notify.ts";
import type { Services } from "../services.ts";
import type { CountedClock } from "./count-clocks.ts";
import { type HeldObligation, readObligations } from "./held-obligations.ts";
import { isCounted, readStates } from "./incident-state.ts";

/** No clock is longer: what was opened before has none that runs. */
const longest = { days: 120 };

type Clock = CountedClock<HeldObligation>;
type Ending = Clock & { dueAt: Date };

/**
 * Tells the people of a customer, once for each clock, that it is about to end: by the bell, and by mail where it applies for
 * all that is known. Clocks of an incident that end together are told together.
 */
export async function warnOfClocks(services: Services): Promise<void> {
  const now = services.now();
  const obligations = await readObligations(services.database);
  await doEach<{ incident: Counted; clocksOf: (incident: Counted) => Clock[] }>(
    services,
    "nobody was warned of an incident's clocks",
    async (after) => {
      const page = await services.database
        .select(counted)
        .from(incidents)
        .where(
          and(isCounted, gte(incidents.openedAt, earlier(now, longest)), after && gt(incidents.id, after.incident.id)),
        )
        .orderBy(asc(incidents.id))
        .limit(pageOfJob);
      const stateOf = await readStates(services.database, page, now, obligations);
      return page.map((incident) => ({ incident, clocksOf: (each) => stateOf(each).clocks }));
    },
    async ({ incident, clocksOf }) => {
      const ending = clocksOf(incident).filter((clock): clock is Ending => endsSoon(clock, now));
      if (ending.length === 0) return;
      await services.database.transaction((transaction) => warn(services, transaction, incident, ending));
    },
  );
}

const counted = {
  id: incidents.id,
  serial: incidents.serial,
  organisationId: incidents.organisationId,
  openedAt: incidents.openedAt,
};
type Counted = Pick<IncidentRow, keyof typeof counted>;

/** Two hours before the end of a short clock, a day before that of a long one. What is over already was told, or came too late. */
function endsSoon({ obligation: { deadline }, state, dueAt }: CountedClock, now: Date): boolean {
  if (deadline.kind !== "relative" || dueAt === null || (state !== "running" && state !== "may apply")) return false;
  const ahead = deadline.minutes >= 48 * 60 ? { hours: 24 } : { hours: 2 };
  return earlier(dueAt, ahead) <= now && now <= dueAt;
}

async function warn(services: Services, transaction: Transaction, incident: Counted, ending: Ending[]): Promise<void> {
  const { id: incidentId, organisationId } = incident;
  const written = await transaction
    .insert(obligationWarnings)
    .values(
      ending.map(({ obligation, dueAt }) => ({ organisationId, incidentId, obligationKey: obligation.key, dueAt })),
    )
    .onConflictDoNothing()
    .returning({ key: obligationWarnings.obligationKey });
  const keys = new Set(written.map(({ key }) => key));
  const told = ending.filter(({ obligation }) => keys.has(obligation.key));
  const [first] = told.toSorted((one, other) => one.dueAt.getTime() - other.dueAt.getTime());
  if (!first) return;
  const eventKey = `${incidentId}:${first.obligation.key}`;
  const about = { incidentId, incidentNumber: incidentNumber(incident.serial), endsAt: first.dueAt.toISOString() };
  const titles = told.map(({ obligation }) => obligation.title);
  await notify(transaction, "clock ends", eventKey, { ...about, titles }, { organisationId });
  const running = told.filter(({ state }) => state === "running");
  if (running.length === 0) return;
  for (const person of await peopleToMail(transaction, organisationId))
    // oxlint-disable-next-line no-await-in-loop -- an organisation has few people
    await queueMail(services, transaction, {
      eventKey: `clock-ends:${eventKey}:${person.id}`,
      to: person.email,
      content: {
        template: "clockEnds",
        name: person.firstName,
        incidentNumber: about.incidentNumber,
        clocks: running.map(({ obligation, dueAt }) => ({ title: obligation.title, dueAt: dueAt.toISOString() })),
        link: `${services.publicUrl}/user/incidents/${incidentId}/regulators`,
      },
      uselessAfter: running.map(({ dueAt }) => dueAt).reduce((one, other) => (one > other ? one : other)),
    });
}

const peopleToMail = (transaction: Transaction, organisationId: string) =>
  transaction
    .select({ id: people.id, email: people.email, firstName: people.firstName })
    .from(people)
    .where(
      and(
        eq(people.organisationId, organisationId),
        isNotNull(people.joinedAt),
        isNull(people.suspendedAt),
        isNull(people.erasedAt),
      ),
    );
