import { and, eq, or, sql } from "drizzle-orm";
import { type IncidentNews, type IncidentSeverity, isOpen } from "../../contract/incident-states.ts";
import type { MailChoice } from "../../contract/mail-kinds.ts";
import { incidentNumber } from "../../contract/numbers.ts";
import { areaOf } from "../../contract/roles.ts";
import { isThere } from "../accounts/queries.ts";
import type { Transaction } from "../database/database.ts";
import { organisations, people } from "../database/schema/index.ts";
import { wantsMails } from "../mail/choices.ts";
import { queueMails } from "../mail/outbox.ts";
import type { NoticeFacts } from "../notices/kinds.ts";
import { notify } from "../notices/notify.ts";
import type { Services } from "../services.ts";
import type { FactRow } from "./facts.ts";
import type { IncidentRow } from "./find-incident.ts";
import type { Replayed } from "./replay.ts";

/** The mail preference that covers a severity; an unknown one is as urgent as the worst. */
const mailChoiceOf: Record<IncidentSeverity, MailChoice> = {
  P1: "incidentsP1",
  unknown: "incidentsP1",
  P2: "incidentsP2",
  P3: "incidentsP3",
  P4: "incidentsP4",
};

export type MailedNews = "opened" | "reported" | "asked" | "contained" | "spreads" | "resolved" | "closed" | "reopened";
/** The fact's own news, or "spreads" where the incident is no longer contained. */
type ToldNews = IncidentNews | "spreads";

/** The news that people are told about, with the notice and the mail for each. */
const tellings: Partial<
  Record<ToldNews, { notice: keyof NoticeFacts & `incident ${string}`; mail: MailedNews | null }>
> = {
  asked: { notice: "incident asks", mail: "asked" },
  waiting: { notice: "incident asks", mail: "asked" },
  answered: { notice: "incident answered", mail: null },
  contained: { notice: "incident moved", mail: "contained" },
  spreads: { notice: "incident moved", mail: "spreads" },
  resolved: { notice: "incident moved", mail: "resolved" },
  closed: { notice: "incident moved", mail: "closed" },
  reopened: { notice: "incident moved", mail: "reopened" },
};

const factsOf = (incident: IncidentRow, severity: IncidentSeverity) => ({
  incidentId: incident.id,
  incidentNumber: incidentNumber(incident.serial),
  organizationName: incident.organisationName,
  title: incident.title,
  severity,
});

/** Notifies everybody concerned that an incident was opened, and mails those who want it. */
export async function tellOpened(
  services: Services,
  transaction: Transaction,
  incident: IncidentRow,
  severity: IncidentSeverity,
): Promise<void> {
  const concerned = { organisationId: incident.organisationId, except: incident.openedBy };
  const kind = incident.source === "under_attack" ? "attack reported" : "incident opened";
  await notify(transaction, kind, incident.id, factsOf(incident, severity), concerned);
  await mailPeople(services, transaction, incident, severity, "opened", "opened");
}

/** Notifies everybody that an open attack was reported again; mails only if that made it a P1 again. */
export async function tellReported(
  services: Services,
  transaction: Transaction,
  incident: IncidentRow,
  severity: IncidentSeverity,
  fact: FactRow,
): Promise<void> {
  const concerned = { organisationId: incident.organisationId, except: fact.personId };
  await notify(transaction, "attack goes on", fact.id, factsOf(incident, severity), concerned);
  // If it was a P1 all along, mails went out minutes ago: people in a hurry press the button often.
  if (severity !== incident.severity) await mailPeople(services, transaction, incident, severity, "reported", fact.id);
}

/**
 * The news as which a fact is announced, or null. A correction is announced as the state it leads to, if that has
 * changed.
 */
function toldAs(before: IncidentRow, { state, waitsFor }: Replayed, fact: FactRow): ToldNews | null {
  const { news, payload, corrects } = fact;
  if (news === "waiting" || news === "resumed") {
    const isNews = corrects === null ? payload.waits === "customer" : before.waitsFor !== "customer";
    const mayWait = news === "waiting" || corrects !== null;
    return mayWait && isNews && waitsFor === "customer" ? "waiting" : null;
  }
  if (corrects === null) return news;
  if (isOpen(state) && !isOpen(before.state)) return "reopened";
  if (isOpen(state)) return before.state === "contained" && state !== "contained" ? "spreads" : null;
  return state !== before.state && (state === "resolved" || state === "closed") ? state : null;
}

/** Notifies everybody concerned of a fact; most facts notify nobody. `incident` is the row from before the fact. */
export async function tellFact(
  services: Services,
  transaction: Transaction,
  incident: IncidentRow,
  replayed: Replayed,
  fact: FactRow,
): Promise<void> {
  const { severity } = replayed;
  const news = toldAs(incident, replayed, fact);
  const telling = news && tellings[news];
  const concerned = { organisationId: incident.organisationId, except: fact.personId };
  const facts = factsOf(incident, severity);
  if (fact.news === "commented" && !fact.payload.internal && !fact.withdrawn) {
    const kind = fact.by === "us" ? "incident comment" : "incident answered";
    await notify(transaction, kind, fact.id, facts, concerned);
  }
  if (!telling) return;
  const moved = { ...facts, news };
  await notify(transaction, telling.notice as "incident moved", fact.id, moved, concerned);
  if (telling.mail) await mailPeople(services, transaction, incident, severity, telling.mail, fact.id);
}

/** Mails the customer's people who want mails of this severity; for an opening or a report our team too. */
async function mailPeople(
  services: Services,
  transaction: Transaction,
  incident: IncidentRow,
  severity: IncidentSeverity,
  about: MailedNews,
  event: string,
): Promise<void> {
  const choice = mailChoiceOf[severity];
  const ours = about === "opened" || about === "reported" ? sql`${people.role} in ('admin', 'adminChild')` : undefined;
  const receivers = await transaction
    .select({ id: people.id, email: people.email, firstName: people.firstName, role: people.role })
    .from(people)
    .innerJoin(organisations, eq(organisations.id, people.organisationId))
    .where(and(or(eq(people.organisationId, incident.organisationId), ours), isThere, wantsMails(choice)))
    .limit(mailedMax);
  await queueMails(
    services,
    transaction,
    receivers.map(({ id, email, firstName, role }) => ({
      eventKey: `incident:${incident.id}:${event}:${id}`,
      to: email,
      personId: id,
      content: {
        template: "incident" as const,
        about,
        name: firstName,
        severity,
        incidentNumber: incidentNumber(incident.serial),
        organizationName: incident.organisationName,
        title: incident.title,
        openedAt: incident.openedAt.toISOString(),
        link: `${services.publicUrl}/${areaOf(role)}/incidents/${incident.id}`,
      },
    })),
  );
}

const mailedMax = 500;
