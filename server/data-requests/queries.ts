import { and, eq, isNull, or, type SQL, sql } from "drizzle-orm";
import { type DataRequest, dataRequestList, type DataRequestQuery } from "../../contract/data-requests.ts";
import type { Scope } from "../access/scope.ts";
import type { Transaction } from "../database/database.ts";
import { isOneOf } from "../database/is-one-of.ts";
import { listFrom, type RowOf } from "../database/list.ts";
import { listPage } from "../database/list-page.ts";
import { dataRequests } from "../database/schema/index.ts";
import type { Services } from "../services.ts";

export type DataRequestRow = typeof dataRequests.$inferSelect;

const requests = listFrom(dataRequestList, {
  table: dataRequests,
  fields: {
    id: dataRequests.id,
    kind: dataRequests.kind,
    email: dataRequests.email,
    state: dataRequests.state,
    askedAt: dataRequests.askedAt,
    doneAt: dataRequests.doneAt,
    refusal: dataRequests.refusal,
    fileUntil: dataRequests.fileUntil,
    asker: sql<
      string | null
    >`(select first_name || ' ' || last_name from people where people.id = data_requests.asked_by)`,
  },
  id: dataRequests.id,
  newest: "asked_at",
  searched: dataRequests.searched,
  sorts: { asked_at: dataRequests.askedAt },
});

/** Requests and their outcomes, newest first. */
export async function listDataRequests(services: Services, _scope: Scope<"any">, query: DataRequestQuery) {
  const { rows, ...page } = await listPage(services.database, requests, null, query);
  return { requests: rows.map((row) => present(row, services.now())), ...page };
}

const present = (row: RowOf<(typeof requests)["fields"]>, now: Date): DataRequest => ({
  id: row.id,
  kind: row.kind,
  email: row.email,
  state: row.state,
  asked_by: row.asker,
  asked_at: row.askedAt.toISOString(),
  done_at: row.doneAt?.toISOString() ?? null,
  refusal: row.refusal,
  file_until: row.fileUntil && row.fileUntil > now ? row.fileUntil.toISOString() : null,
});

/**
 * Condition: requests about the people with these ids, or about this address of nobody with an account. One by account
 * keeps the address that it was asked for under, which may be another's by now.
 */
export const areRequestsOf = (email: string, ids: readonly string[]): SQL | undefined =>
  or(isOneOf(dataRequests.personId, ids), and(eq(dataRequests.email, email), isNull(dataRequests.personId)));

/** Locks a request until the transaction ends. */
export async function lockDataRequest(transaction: Transaction, id: string): Promise<DataRequestRow | undefined> {
  const [request] = await transaction.select().from(dataRequests).where(eq(dataRequests.id, id)).for("update");
  return request;
}

/** The name of an export's ZIP in the file store; making the export twice overwrites it. */
export const fileOfExport = (id: string) => `data-${id}.zip`;

/** The subject in audit entries: the account, because an e-mail does not belong in a log that is never erased. */
export const subjectOf = ({ id, personId }: Pick<DataRequestRow, "id" | "personId">): string =>
  personId ? `person:${personId}` : `data request:${id}`;
