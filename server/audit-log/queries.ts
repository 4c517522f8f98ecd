import { and, eq, inArray, sql } from "drizzle-orm";
import { untoldActions } from "../../contract/audit.ts";
import { type AuditEntry, auditList, type AuditQuery } from "../../contract/audit-log.ts";
import { dayAfter, startOfWrittenDay } from "../../contract/india-time.ts";
import { organisationOf, type Scope } from "../access/scope.ts";
import type { Database } from "../database/database.ts";
import { type Condition, joined, listFrom, type RowOf } from "../database/list.ts";
import { listPage } from "../database/list-page.ts";
import { auditEntries, auditValues, people } from "../database/schema/index.ts";
import type { Services } from "../services.ts";
import { factsOf, withValues } from "./facts.ts";
import { findSubjects, type Subject } from "./subjects.ts";
import { withoutWithheld } from "./withheld.ts";

const allEntries = listFrom(auditList, {
  name: "audit_entries_all",
  table: auditEntries,
  fields: {
    id: auditEntries.id,
    number: auditEntries.number,
    hash: auditEntries.hash,
    at: auditEntries.at,
    action: auditEntries.action,
    subject: auditEntries.subject,
    detail: auditEntries.detail,
    address: auditEntries.address,
    actorId: auditEntries.actorId,
    firstName: joined(people.firstName),
    lastName: joined(people.lastName),
    organisationName: joined(people.organisationName),
    organisationId: joined(people.organisationId),
  },
  joins: sql`left join people on people.id = audit_entries.actor_id`,
  id: auditEntries.id,
  newest: "at",
  searched: auditEntries.searched,
  sorts: { at: auditEntries.at },
});
type EntryRow = RowOf<(typeof allEntries)["fields"]>;

const isTold = sql`${auditEntries.action} not in (${sql.raw(untoldActions.map((action) => `'${action}'`).join(", "))})`;
const entriesOfCustomer = {
  ...allEntries,
  name: "audit_entries_of_customer",
  where: sql`${auditEntries.customerId} = $1 and ${isTold}`,
};
const entriesOfPartner = {
  ...allEntries,
  name: "audit_entries_of_partner",
  where: sql`${auditEntries.partnerId} = $1 and ${isTold}`,
};

/** The whole audit log, for the provider. */
export const listEntries = (services: Services, _scope: Scope<"any">, query: AuditQuery) =>
  page(services, allEntries, null, query);

/** What was done to a customer, and what its people did, without the facts withheld from it. */
export const listEntriesOfCustomer = (services: Services, scope: Scope<"organisation">, query: AuditQuery) =>
  page(services, entriesOfCustomer, organisationOf(scope), query);

/** What a partner's people did, including to its customers, and what was done to the partner. */
export const listEntriesOfPartner = (services: Services, scope: Scope<"organisation">, query: AuditQuery) =>
  page(services, entriesOfPartner, organisationOf(scope), query);

async function page({ database }: Services, list: typeof allEntries, reader: string | null, query: AuditQuery) {
  const { rows, ...page } = await listPage(database, list, reader, query, await conditionsOf(database, reader, query));
  const subjects = await findSubjects(
    database,
    rows.map(({ subject }) => subject),
  );
  const values = await findValues(database, rows);
  const told = rows.map((row) => ({ ...row, detail: withValues(row.detail, values.get(row.id)) }));
  return { entries: told.map((row) => present(row, subjects.get(row.subject), reader)), ...page };
}

/** The values about people that are kept beside the entries, by entry id. */
async function findValues(database: Database, rows: EntryRow[]): Promise<Map<string, Record<string, unknown>>> {
  const ids = rows.filter(({ detail }) => "valuesHash" in detail).map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const found = await database
    .select({ entryId: auditValues.entryId, values: auditValues.values })
    .from(auditValues)
    .where(inArray(auditValues.entryId, ids));
  return new Map(found.map(({ entryId, values }) => [entryId, values]));
}

async function conditionsOf(
  database: Database,
  reader: string | null,
  { person, action, subject, from, to }: AuditQuery,
) {
  const conditions: Condition[] = [];
  if (person !== undefined)
    conditions.push({ column: auditEntries.actorId, compared: "= any", value: await idsOf(database, reader, person) });
  if (action !== undefined) conditions.push({ column: auditEntries.action, compared: "=", value: action });
  if (subject !== undefined) conditions.push({ column: auditEntries.subject, compared: "=", value: subject });
  if (from !== undefined) conditions.push({ column: auditEntries.at, compared: ">=", value: startOfWrittenDay(from) });
  if (to !== undefined)
    conditions.push({ column: auditEntries.at, compared: "<", value: startOfWrittenDay(dayAfter(to)) });
  return conditions;
}

/**
 * Several organisations may have invited one e-mail. A customer or partner only finds its own people: otherwise it
 * would learn whose an e-mail is.
 */
async function idsOf(database: Database, reader: string | null, email: string): Promise<string[]> {
  const isOwn = reader === null ? undefined : eq(people.organisationId, reader);
  const found = await database
    .select({ id: people.id })
    .from(people)
    .where(and(eq(people.email, email), isOwn));
  return found.map(({ id }) => id);
}

/** `reader` is the organisation that reads; null for the provider, which sees every address and all facts. */
function present(row: EntryRow, subject: Subject | undefined, reader: string | null): AuditEntry {
  const isOfAnother = row.actorId !== null && row.organisationId !== reader;
  return {
    id: row.id,
    number: row.number,
    hash: row.hash,
    at: row.at.toISOString(),
    actor_name: row.firstName === null ? null : `${row.firstName} ${row.lastName}`,
    actor_organization: row.organisationName,
    action: row.action,
    subject: row.subject,
    subject_name: subject?.name ?? null,
    subject_kind: subject?.kind ?? null,
    address: reader !== null && isOfAnother ? "" : row.address,
    facts: factsOf(reader === null ? row.detail : withoutWithheld(row.action, row.detail)),
  };
}
