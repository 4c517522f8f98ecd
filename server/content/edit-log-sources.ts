import { contentMessages } from "../../contract/content-messages.ts";
import { eq, sql } from "drizzle-orm";
import {
  logSourceList,
  type LogSourceQuery,
  type NewLogSource,
  type OperatorLogSource,
} from "../../contract/log-sources.ts";
import type { Scope } from "../access/scope.ts";
import { audit } from "../audit/audit.ts";
import type { Transaction } from "../database/database.ts";
import { listFrom } from "../database/list.ts";
import { listPage } from "../database/list-page.ts";
import { logSources } from "../database/schema/index.ts";
import { Failure, notFound } from "../failures/failure.ts";
import type { Services } from "../services.ts";

type LogSourceRow = typeof logSources.$inferSelect;

const allLogSources = listFrom(logSourceList, {
  table: logSources,
  fields: {
    id: logSources.id,
    product: logSources.product,
    category: logSources.category,
    label: logSources.label,
    format: logSources.format,
    retired: logSources.retired,
    version: logSources.version,
  },
  id: logSources.id,
  searched: logSources.searched,
  sorts: {
    product: sql`lower(${logSources.product})`,
    category: sql`lower(${logSources.category})`,
    label: logSources.label,
    format: sql`lower(${logSources.format})`,
  },
});

/** The whole catalogue, including retired log sources. */
export async function listAllLogSources(services: Services, _scope: Scope<"any">, { state, ...query }: LogSourceQuery) {
  const narrowed = state
    ? [{ column: logSources.retired, compared: "=" as const, value: String(state === "retired") }]
    : [];
  const { rows, ...page } = await listPage(services.database, allLogSources, null, query, narrowed);
  return { logSources: rows satisfies OperatorLogSource[], ...page };
}

/**
 * Adds a log source, which appears on the public page at once, and returns its id.
 * @throws Failure conflict when its label is taken
 */
export async function addLogSource(services: Services, { actor }: Scope<"any">, source: NewLogSource): Promise<string> {
  return services.database.transaction(async (transaction) => {
    await lockCatalogue(transaction);
    const [made] = await transaction
      .insert(logSources)
      .values({ ...source, updatedAt: services.now() })
      .onConflictDoNothing()
      .returning({ id: logSources.id });
    if (!made) throw labelTaken(source.label);
    await audit(transaction, actor.personId, "add log source", `log source:${made.id}`, { after: source });
    return made.id;
  });
}

/** @throws Failure not_found; conflict when it was changed since the version given, or its label is taken */
export async function changeLogSource(
  services: Services,
  { actor }: Scope<"any">,
  { id, version, ...after }: NewLogSource & Seen,
): Promise<void> {
  await services.database.transaction(async (transaction) => {
    const before = await findSeen(transaction, { id, version });
    const [taken] = await transaction.select().from(logSources).where(eq(logSources.label, after.label));
    if (taken && taken.id !== id) throw labelTaken(after.label);
    await transaction
      .update(logSources)
      .set({ ...after, version: version + 1, updatedAt: services.now() })
      .where(eq(logSources.id, id));
    const detail = { before: saidBy(before), after };
    await audit(transaction, actor.personId, "change log source", `log source:${id}`, detail);
  });
}

/** Takes a log source off the public page, or puts it back. @throws Failure not_found, conflict */
export async function retireLogSource(
  services: Services,
  { actor }: Scope<"any">,
  { retired, ...seen }: Seen & { retired: boolean },
): Promise<void> {
  await services.database.transaction(async (transaction) => {
    const before = await findSeen(transaction, seen);
    await transaction
      .update(logSources)
      .set({ retired, version: before.version + 1, updatedAt: services.now() })
      .where(eq(logSources.id, seen.id));
    const action = retired ? "retire log source" : "restore log source";
    await audit(transaction, actor.personId, action, `log source:${seen.id}`, {
      before: { retired: before.retired },
      after: { retired },
    });
  });
}

/** A log source's version as the administrator read it. */
interface Seen {
  id: string;
  version: number;
}

async function findSeen(transaction: Transaction, { id, version }: Seen): Promise<LogSourceRow> {
  await lockCatalogue(transaction);
  const [known] = await transaction.select().from(logSources).where(eq(logSources.id, id));
  if (!known) throw notFound("This log source");
  if (known.version !== version) throw new Failure("conflict", contentMessages.logSourceMeanwhile);
  return known;
}

/** Locks the catalogue, so that changes to it take turns. */
export async function lockCatalogue(transaction: Transaction): Promise<void> {
  await transaction.execute(sql`select pg_advisory_xact_lock(72177248)`);
}

export const saidBy = ({ product, category, label, format }: NewLogSource): NewLogSource => ({
  product,
  category,
  label,
  format,
});

function labelTaken(label: string): Failure {
  const sentence = `The label ${label} is taken, maybe by a log source that is retired.`;
  return new Failure("conflict", sentence, { fields: { label: sentence } });
}
