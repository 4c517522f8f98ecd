import { and, desc, eq } from "drizzle-orm";
import { writtenDay } from "../../contract/india-time.ts";
import { byEnd } from "../../contract/obligation-words.ts";
import { incidentNumber } from "../../contract/numbers.ts";
import {
  type CalendarDuty,
  clockStatesOfRegulators,
  type ObligationsOverview,
  type OpenObligation,
  type RegulatorClockState,
} from "../../contract/obligations.ts";
import { organisationOf, type Scope } from "../access/scope.ts";
import type { Database, Transaction } from "../database/database.ts";
import { incidents, obligationFilings } from "../database/schema/index.ts";
import type { IncidentRow } from "../incidents/find-incident.ts";
import { isToldIn } from "../incidents/told-in-span.ts";
import type { Services } from "../services.ts";
import { knownClasses, readClasses } from "./entity-classes.ts";
import { firstFilings } from "./filings.ts";
import { type HeldObligation, readObligations } from "./held-obligations.ts";
import { isCounted, readStates } from "./incident-state.ts";

/** Clocks that still need an answer. */
const open: readonly RegulatorClockState[] = ["overdue", "running", "at once", "waiting", "may apply"];

/** Incidents of an organisation that are searched, newest first; an older one still has a page of its own. */
const incidentsMax = 50;

/**
 * The unanswered regulators' clocks of an organisation's incidents: first those due without delay, then those overdue
 * or ending first. Covers the newest 50 incidents that are open, or about which a fact was attested or a report filed.
 */
export async function openObligationsOf(
  database: Database | Transaction,
  organisationId: string,
  now = new Date(),
): Promise<OpenObligation[]> {
  const obligations = await readObligations(database);
  const counted = await incidentsToCount(database, organisationId);
  const stateOf = await readStates(database, counted, now, obligations);
  const found = counted.flatMap((incident) =>
    stateOf(incident)
      .clocks.filter(({ state }) => open.includes(state))
      .map(({ obligation, state, dueAt, questions }): OpenObligation => ({
        incidentId: incident.id,
        incidentNumber: incidentNumber(incident.serial),
        incidentTitle: incident.title,
        key: obligation.key,
        title: obligation.title,
        state,
        dueAt: dueAt?.toISOString() ?? null,
        questions: questions.length,
      })),
  );
  return found.toSorted(byUrgency);
}

const byUrgency = (one: OpenObligation, other: OpenObligation) =>
  clockStatesOfRegulators.indexOf(one.state) - clockStatesOfRegulators.indexOf(other.state) || byEnd(one, other);

const incidentsToCount = (database: Database | Transaction, organisationId: string): Promise<IncidentRow[]> =>
  database
    .select()
    .from(incidents)
    .where(and(eq(incidents.organisationId, organisationId), isCounted))
    .orderBy(desc(incidents.openedAt), desc(incidents.id))
    .limit(incidentsMax);

/**
 * What an organisation filed with regulators in a span of time, excluding its end; a filing recorded too late for a
 * span counts in the next one. Only the first filing under an obligation can be late: later ones add to it.
 */
export async function obligationsMetIn(
  database: Database | Transaction,
  organisationId: string,
  from: Date,
  to: Date,
): Promise<{ title: string; incidentNumber: string; filedAt: string; reference: string; late: boolean }[]> {
  const filed = await database
    .select({ incident: incidents, key: obligationFilings.obligationKey, filing: obligationFilings })
    .from(obligationFilings)
    .innerJoin(incidents, eq(incidents.id, obligationFilings.incidentId))
    .where(
      and(
        eq(obligationFilings.organisationId, organisationId),
        isToldIn(obligationFilings.filedAt, obligationFilings.createdAt, from, to),
      ),
    )
    .orderBy(obligationFilings.filedAt, obligationFilings.id);
  const obligations = await readObligations(database);
  const stateOf = await readStates(
    database,
    filed.map(({ incident }) => incident),
    to,
    obligations,
  );
  return filed.map(({ incident, key, filing }) => {
    const { clocks, filings } = stateOf(incident);
    const clock = clocks.find(({ obligation }) => obligation.key === key);
    const isFirst = firstFilings(filings).get(key)?.id === filing.id;
    return {
      title: obligations.find((each) => each.key === key)?.title ?? key,
      incidentNumber: incidentNumber(incident.serial),
      filedAt: filing.filedAt.toISOString(),
      reference: filing.reference,
      late: isFirst && clock?.dueAt ? filing.filedAt > clock.dueAt : false,
    };
  });
}

/** The overview for the organisation itself. */
export async function readOverview(
  { database, now }: Services,
  scope: Scope<"organisation">,
): Promise<ObligationsOverview> {
  const organisationId = organisationOf(scope);
  const entity = await readClasses(database, organisationId);
  return {
    entity,
    open: await openObligationsOf(database, organisationId, now()),
    calendar: calendarDuties(await readObligations(database), knownClasses(entity), now()),
  };
}

/** The next calendar duty of each obligation. */
function calendarDuties(
  obligations: readonly HeldObligation[],
  classes: ReturnType<typeof knownClasses>,
  now: Date,
): CalendarDuty[] {
  const today = writtenDay(now);
  return obligations.flatMap((obligation) => {
    const { deadline, on, validFrom, validTo, exceptClasses } = obligation;
    if (!on || deadline.kind !== "calendar") return [];
    if ((validFrom && today < validFrom) || (validTo && today > validTo)) return [];
    const isBound =
      classes &&
      obligation.classes.some((each) => classes.includes(each)) &&
      !exceptClasses.some((each) => classes.includes(each));
    if (isBound === false) return [];
    const { key, title, instrument, paragraph, recipient } = obligation;
    return [
      { key, title, instrument, paragraph, recipient, dueOn: nextDay(deadline, today), applies: isBound === true },
    ];
  });
}

/** The first day, today or later, that is `days` after the end of one of the months; null if the days are not known. */
function nextDay({ afterMonths, days }: { afterMonths: number[]; days: number | null }, today: string): string | null {
  if (days === null) return null;
  const year = Number(today.slice(0, 4));
  const candidates = [year - 1, year, year + 1].flatMap((each) =>
    afterMonths.map((month) => new Date(Date.UTC(each, month, days)).toISOString().slice(0, 10)),
  );
  return candidates.toSorted().find((day) => day >= today) ?? null;
}
