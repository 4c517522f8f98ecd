import { eq, inArray, sql } from "drizzle-orm";
import { actionQueues } from "../../contract/action-queues.ts";
import type { AuditEntry } from "../../contract/audit-log.ts";
import { contractNumber, incidentNumber, leadNumber, orderNumber, quoteNumber } from "../../contract/numbers.ts";
import type { OperationName } from "../../contract/operations.ts";
import type { RegisterFormat } from "../../contract/registers.ts";
import type { SiteSection } from "../../contract/shown-texts.ts";
import { siteSectionNames } from "../../contract/site-section-names.ts";
import type { Database } from "../database/database.ts";
import { isUuid } from "../database/is-uuid.ts";
import { readObligations } from "../obligations/held-obligations.ts";
import { listNames } from "./list-names.ts";
import {
  actionItems,
  articles,
  announcements,
  contracts,
  incidents,
  invoices,
  leads,
  logSources,
  orders,
  organisations,
  people,
  proofs,
  quotes,
  rateCards,
  tiles,
  transfers,
} from "../database/schema/index.ts";

/** The name and kind of what an entry is about, for people. */
export interface Subject {
  name: string;
  kind: AuditEntry["subject_kind"];
}

const registerNames: Record<RegisterFormat, string> = {
  csv: "the register as CSV",
  advances: "the register of advances",
  gstr1: "GSTR-1",
  tally: "the register for Tally",
};

type Found = [id: string, subject: Subject];
/** Finds the subjects of one kind that still exist. */
type Finder = (database: Database, ids: string[]) => Promise<Found[]> | Found[];

/** Issued documents always exist, so their numbers need no look-up. */
const named =
  (what: string): Finder =>
  (_database, numbers) =>
    numbers.map((number) => [number, { name: `${what} ${number}`, kind: null }]);

const finders: Record<string, Finder> = {
  async organisation(database, ids) {
    const found = await database
      .select({ id: organisations.id, name: organisations.name, kind: organisations.kind })
      .from(organisations)
      .where(inArray(organisations.id, ids));
    return found.map(({ id, ...subject }) => [id, subject]);
  },
  async person(database, ids) {
    const found = await database
      .select({
        id: people.id,
        name: sql<string>`${people.firstName} || ' ' || ${people.lastName}`,
        kind: organisations.kind,
      })
      .from(people)
      .innerJoin(organisations, eq(organisations.id, people.organisationId))
      .where(inArray(people.id, ids));
    return found.map(({ id, ...subject }) => [id, subject]);
  },
  async quote(database, ids) {
    const found = await database
      .select({ id: quotes.id, serial: quotes.serial })
      .from(quotes)
      .where(inArray(quotes.id, ids));
    return found.map(({ id, serial }) => [id, { name: quoteNumber(serial), kind: null }]);
  },
  async lead(database, ids) {
    const found = await database
      .select({ id: leads.id, serial: leads.serial })
      .from(leads)
      .where(inArray(leads.id, ids));
    return found.map(({ id, serial }) => [id, { name: leadNumber(serial), kind: null }]);
  },
  async order(database, ids) {
    const found = await database
      .select({ id: orders.id, serial: orders.serial })
      .from(orders)
      .where(inArray(orders.id, ids));
    return found.map(({ id, serial }) => [id, { name: orderNumber(serial), kind: null }]);
  },
  async contract(database, ids) {
    const found = await database
      .select({ id: contracts.id, serial: contracts.serial })
      .from(contracts)
      .where(inArray(contracts.id, ids));
    return found.map(({ id, serial }) => [id, { name: contractNumber(serial), kind: null }]);
  },
  async invoice(database, numbers) {
    const found = await database
      .select({ number: invoices.number })
      .from(invoices)
      .where(inArray(invoices.number, numbers));
    return found.map(({ number }) => [number, { name: `invoice ${number}`, kind: null }]);
  },
  proforma: named("proforma invoice"),
  receipt: named("receipt"),
  "credit note": named("credit note"),
  "refund voucher": named("refund voucher"),
  async transfer(database, ids) {
    const found = await database
      .select({ id: transfers.id, utr: transfers.utr })
      .from(transfers)
      .where(inArray(transfers.id, ids));
    return found.map(({ id, utr }) => [id, { name: `transfer ${utr}`, kind: null }]);
  },
  async incident(database, ids) {
    const found = await database
      .select({ id: incidents.id, serial: incidents.serial })
      .from(incidents)
      .where(inArray(incidents.id, ids));
    return found.map(({ id, serial }) => [id, { name: incidentNumber(serial), kind: null }]);
  },
  async "rate card"(database, ids) {
    const found = await database
      .select({ id: rateCards.id, serial: rateCards.serial })
      .from(rateCards)
      .where(inArray(rateCards.id, ids));
    return found.map(({ id, serial }) => [id, { name: `card ${serial}`, kind: null }]);
  },
  async action(database, ids) {
    const found = await database
      .select({ id: actionItems.id, queue: actionItems.queue, about: actionItems.about })
      .from(actionItems)
      .where(inArray(actionItems.id, ids));
    return found.map(({ id, queue, about }) => [id, { name: `${about} (${actionQueues[queue].label})`, kind: null }]);
  },
  async proof(database, ids) {
    const found = await database
      .select({ id: proofs.id, name: proofs.name })
      .from(proofs)
      .where(inArray(proofs.id, ids));
    return found.map(({ id, name }) => [id, { name, kind: null }]);
  },
  async "log source"(database, ids) {
    const found = await database
      .select({ id: logSources.id, name: logSources.label })
      .from(logSources)
      .where(inArray(logSources.id, ids));
    return found.map(({ id, name }) => [id, { name, kind: null }]);
  },
  async tile(database, ids) {
    const found = await database.select({ id: tiles.id, name: tiles.title }).from(tiles).where(inArray(tiles.id, ids));
    return found.map(({ id, name }) => [id, { name, kind: null }]);
  },
  "site text": (_database, sections) =>
    sections.map((section) => [
      section,
      { name: `“${siteSectionNames[section as SiteSection] ?? section}”`, kind: null },
    ]),
  async article(database, ids) {
    const found = await database
      .select({ id: articles.id, title: articles.title })
      .from(articles)
      .where(inArray(articles.id, ids));
    return found.map(({ id, title }) => [id, { name: `“${title}”`, kind: null }]);
  },
  async announcement(database, ids) {
    const found = await database
      .select({ id: announcements.id, title: announcements.title })
      .from(announcements)
      .where(inArray(announcements.id, ids));
    return found.map(({ id, title }) => [id, { name: `the announcement “${title}”`, kind: null }]);
  },
  async obligation(database, keys) {
    const found = await readObligations(database);
    return found
      .filter(({ key }) => keys.includes(key))
      .map(({ key, title }) => [key, { name: `the obligation “${title}”`, kind: null }]);
  },
  register: (_database, formats) =>
    formats.map((format) => [format, { name: registerNames[format as RegisterFormat] ?? format, kind: null }]),
  operation: (_database, operations) =>
    operations.map((operation) => [
      operation,
      { name: listNames[operation as OperationName] ?? operation, kind: null },
    ]),
};
/** Their subjects are not UUIDs; any other kind is looked up by UUID, and other text would fail the query. */
const byNumber = new Set([
  "invoice",
  "proforma",
  "receipt",
  "credit note",
  "refund voucher",
  "operation",
  "register",
  "site text",
  "obligation",
]);

/** The subjects that still exist, by what entries call them; one query per kind. */
export async function findSubjects(database: Database, written: string[]): Promise<Map<string, Subject>> {
  const ids = new Map<string, string[]>();
  for (const subject of new Set(written)) {
    const [, kind = "", id = ""] = /^([a-z ]+):(.+)$/.exec(subject) ?? [];
    if (byNumber.has(kind) || isUuid(id)) ids.set(kind, [...(ids.get(kind) ?? []), id]);
  }
  const found = await Promise.all(
    Array.from(ids, async ([kind, each]) => {
      const subjects = (await finders[kind]?.(database, each)) ?? [];
      return subjects.map(([id, subject]) => [`${kind}:${id}`, subject] as const);
    }),
  );
  return new Map(found.flat());
}
