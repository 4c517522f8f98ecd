import { desc, eq, inArray, sql } from "drizzle-orm";
import type { LeadEvent, LeadMail } from "../../contract/lead-details.ts";
import { leadNumber, orderNumber, quoteNumber } from "../../contract/numbers.ts";
import { factsOf, withValues } from "../audit-log/facts.ts";
import type { Database } from "../database/database.ts";
import {
  auditEntries,
  auditValues,
  leadNotes,
  mails,
  people,
  proformas,
  quoteDecisions,
} from "../database/schema/index.ts";
import type { Member } from "./find-lead.ts";

const eventsMax = 100;

/** Notes, and audit entries about the leads, their quotes and orders; newest first. */
export async function findEvents(database: Database, members: Member[]): Promise<LeadEvent[]> {
  const ids = members.map(({ lead }) => lead.id);
  const names = new Map<string, string>(
    members.flatMap(({ lead, quote, order }) => [
      [`lead:${lead.id}`, leadNumber(lead.serial)] as const,
      ...(quote ? [[`quote:${quote.id}`, quoteNumber(quote.serial)] as const] : []),
      ...(order ? [[`order:${order.id}`, orderNumber(order.serial)] as const] : []),
    ]),
  );
  const [notes, entries] = await Promise.all([
    database
      .select({ note: leadNotes, who })
      .from(leadNotes)
      .leftJoin(people, eq(people.id, leadNotes.authorId))
      .where(inArray(leadNotes.leadId, ids))
      .orderBy(desc(leadNotes.createdAt))
      .limit(eventsMax),
    database
      .select({ entry: auditEntries, values: auditValues.values, who })
      .from(auditEntries)
      .leftJoin(auditValues, eq(auditValues.entryId, auditEntries.id))
      .leftJoin(people, eq(people.id, auditEntries.actorId))
      .where(inArray(auditEntries.subject, [...names.keys()]))
      .orderBy(desc(auditEntries.at), desc(auditEntries.id))
      .limit(eventsMax),
  ]);
  const noted = notes.map(({ note, who }) => ({
    id: note.id,
    at: note.createdAt.toISOString(),
    who,
    by: "person" as const,
    action: "note lead",
    about: null,
    note: note.text,
    facts: [],
  }));
  const done = entries
    // The note itself is already in the list.
    .filter(({ entry }) => entry.action !== "note lead")
    .map(({ entry, values, who }) => ({
      id: entry.id,
      at: entry.at.toISOString(),
      who,
      by: entry.actorId ? ("person" as const) : entry.address ? ("visitor" as const) : ("software" as const),
      action: entry.action,
      about: names.get(entry.subject) ?? null,
      note: null,
      // Entries about joining also record fields that did not change; those are dropped.
      facts: factsOf(withoutVersion(withValues(entry.detail, values))).filter((fact) => fact.before !== fact.value),
    }));
  return [...noted, ...done].toSorted((one, other) => (one.at < other.at ? 1 : -1)).slice(0, eventsMax);
}

const who = sql<string | null>`${people.firstName} || ' ' || ${people.lastName}`;

const withoutVersion = ({ version: _version, ...rest }: Record<string, unknown>) => rest;

const kinds: Record<string, LeadMail["kind"]> = {
  proposal: "proposal",
  acceptance: "acceptance",
  proforma: "proforma",
  "invoice-due": "invoice",
  receipt: "receipt",
  lead: "contact request",
  "lead-reminder": "reminder",
};

/** The mails of these leads. Each event has one key, so they are found without searching all mail. */
export async function findMails(database: Database, members: Member[]): Promise<LeadMail[]> {
  const quoteIds = members.flatMap(({ quote }) => quote?.id ?? []);
  const orderIds = members.flatMap(({ order }) => order?.id ?? []);
  const [accepted, billed] = await Promise.all([
    database.select({ id: quoteDecisions.id }).from(quoteDecisions).where(inArray(quoteDecisions.quoteId, quoteIds)),
    database.select({ id: proformas.id }).from(proformas).where(inArray(proformas.orderId, orderIds)),
  ]);
  const keysOfLeads = members.flatMap(({ lead, quote, order }) => [
    `lead:${lead.id}`,
    ...(lead.remindedFor ? [reminderKey(lead.id, lead.remindedFor)] : []),
    ...(quote ? [`proposal:${quote.id}`, ...laterProposals(quote)] : []),
    ...(order ? [`receipt:${order.id}`, `invoice-due:${order.id}`] : []),
  ]);
  const keys = [
    ...keysOfLeads,
    ...accepted.map(({ id }) => `acceptance:${id}`),
    ...billed.map(({ id }) => `proforma:${id}`),
  ];
  const found = await database.select().from(mails).where(inArray(mails.eventKey, keys)).orderBy(desc(mails.createdAt));
  return found.map(({ id, eventKey, recipient, createdAt, sentAt, lastError }) => ({
    id,
    kind: kinds[eventKey.split(":")[0] ?? ""] ?? "proposal",
    to: recipient,
    created_at: createdAt.toISOString(),
    sent_at: sentAt?.toISOString() ?? null,
    failure: sentAt ? null : lastError,
  }));
}

/** The event key of a reminder's only mail. */
export const reminderKey = (leadId: string, day: string) => `lead-reminder:${leadId}:${day}`;

const laterProposals = ({ id, revision }: NonNullable<Member["quote"]>) =>
  Array.from({ length: revision - 1 }, (_, index) => `proposal:${id}:${index + 2}`);
