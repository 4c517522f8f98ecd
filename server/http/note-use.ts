import { sql } from "drizzle-orm";
import type { OperationName } from "../../contract/operations.ts";
import type { Reach } from "../../contract/access.ts";
import { audit } from "../audit/audit.ts";
import { origin } from "../audit/origin.ts";
import { organisationsReached } from "../access/reach.ts";
import type { Actor, Scope } from "../access/scope.ts";
import type { Database, Transaction } from "../database/database.ts";
import type { Services } from "../services.ts";
import { fieldsOf } from "./trace-refusal.ts";

interface Used {
  operation: OperationName;
  scope: Scope<Reach> | null;
  input: unknown;
  answer: unknown;
}

/**
 * Writes audit entries for reads that matter: an exported list, and a customer or partner whose records somebody of
 * another organisation opened.
 */
export async function noteUse(services: Services, { operation, scope, input, answer }: Used): Promise<void> {
  if (!scope) return;
  // A change has already written its own entry, and an answer of only a sentence opened no record.
  const isTold = Boolean(origin()?.entries) || "message" in fieldsOf(answer);
  await noteExport(services, scope.actor, operation, fieldsOf(input), fieldsOf(answer));
  if (isTold) return;
  for (const organisationId of organisationsReached(scope))
    // oxlint-disable-next-line no-await-in-loop -- there is hardly ever more than one
    await noteView(services, scope.actor, operation, organisationId);
}

/** Filters are recorded by name only: an e-mail address does not belong in a log. */
async function noteExport(
  { database }: Services,
  { personId }: Actor,
  operation: OperationName,
  { export: format, cursor, limit: _limit, sort: _sort, ...narrowed }: Record<string, unknown>,
  { total, totalIsCapped }: Record<string, unknown>,
): Promise<void> {
  // Further pages belong to the same export.
  if (format === undefined || cursor !== undefined) return;
  const narrowedBy = Object.keys(narrowed).filter((name) => narrowed[name] !== undefined);
  const detail = {
    format,
    rows: totalIsCapped ? `more than ${String(total)}` : total,
    ...(narrowedBy.length > 0 && { narrowedBy }),
  };
  await audit(database, personId, "export list", `operation:${operation}`, detail);
}

/** One entry an hour: a screen sends several requests, and people look repeatedly. */
async function noteView(
  { database }: Services,
  { personId, organisationId: home }: Actor,
  operation: OperationName,
  organisationId: string,
): Promise<void> {
  if (organisationId === home) return;
  const subject = `organisation:${organisationId}`;
  const isNoted = async (connection: Database | Transaction) => {
    const { rows } = await connection.execute(sql`select from audit_entries
      where actor_id = ${personId} and action = 'view organisation' and subject = ${subject}
        and at > now() - interval '1 hour' limit 1`);
    return rows.length > 0;
  };
  // Nearly always noted already, so that no lock is needed.
  if (await isNoted(database)) return;
  await database.transaction(async (transaction) => {
    await transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`${personId} ${subject}`}, 0))`);
    if (!(await isNoted(transaction)))
      await audit(transaction, personId, "view organisation", subject, { by: operation });
  });
}
