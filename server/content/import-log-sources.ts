import { contentLimits } from "../../contract/content-limits.ts";
import { contentMessages } from "../../contract/content-messages.ts";
import { inArray, sql } from "drizzle-orm";
import {
  type ImportInput,
  type ImportPreview,
  logSourceColumns,
  type NewLogSource,
} from "../../contract/log-sources.ts";
import type { Scope } from "../access/scope.ts";
import { audit } from "../audit/audit.ts";
import type { Database, Transaction } from "../database/database.ts";
import { logSources } from "../database/schema/index.ts";
import { Failure } from "../failures/failure.ts";
import type { Services } from "../services.ts";
import { lockCatalogue, saidBy } from "./edit-log-sources.ts";
import { type FileRow, type ReadFile, readLogSourceFile } from "./log-source-file.ts";

type LogSourceRow = typeof logSources.$inferSelect;

/** What an import would change in the catalogue. */
interface Plan {
  /**
   * The sum of all rows' versions. No row is ever deleted and every change increments one, so the sum identifies a
   * state of the catalogue.
   */
  version: number;
  added: FileRow[];
  changed: { before: LogSourceRow; after: FileRow }[];
  retired: LogSourceRow[];
  unchanged: number;
}

/** What importing a file would do; changes nothing. @throws Failure invalid for a file that can't be read */
export async function previewImport(
  { database }: Services,
  _scope: Scope<"any">,
  { file, retireOthers }: ImportInput,
): Promise<ImportPreview> {
  const read = readLogSourceFile(Buffer.from(file, "base64"));
  const { version, added, changed, retired, unchanged } = await planImport(database, read, retireOthers);
  const some = <Row>(rows: readonly Row[]) => rows.slice(0, contentLimits.previewRows);
  return {
    version,
    note: read.note,
    counts: {
      rows: read.rows.length + read.errors.length,
      added: added.length,
      changed: changed.length,
      retired: retired.length,
      unchanged,
      errors: read.errors.length,
    },
    added: some(added).map(({ label, product }) => ({ label, product })),
    changed: some(changed).map(({ before, after }) => ({ label: after.label, changes: sentencesOf(before, after) })),
    retired: some(retired).map(({ label, product }) => ({ label, product })),
    errors: some(read.errors),
  };
}

/**
 * Imports a file exactly as the preview showed, or not at all. Returns a sentence on what was done.
 * @throws Failure conflict when the catalogue has changed since the preview; invalid for a file with errors
 */
export async function importLogSources(
  services: Services,
  { actor }: Scope<"any">,
  { file, retireOthers, version }: ImportInput & { version: number },
): Promise<string> {
  const read = readLogSourceFile(Buffer.from(file, "base64"));
  const [first] = read.errors;
  if (first)
    throw new Failure("invalid", `Nothing was imported. Line ${first.line}: ${first.error}`, {
      fields: { file: `Line ${first.line}: ${first.error}` },
    });
  return services.database.transaction(async (transaction) => {
    await lockCatalogue(transaction);
    const plan = await planImport(transaction, read, retireOthers);
    if (plan.version !== version) throw new Failure("conflict", contentMessages.logSourcesMeanwhile);
    await carryOut(services, transaction, plan);
    const counts = { added: plan.added.length, changed: plan.changed.length, retired: plan.retired.length };
    if (Object.values(counts).some((count) => count > 0))
      await audit(transaction, actor.personId, "import log sources", "log sources", {
        ...counts,
        before: Object.fromEntries(
          plan.changed.slice(0, contentLimits.previewRows).map(({ before }) => [before.label, written(before)]),
        ),
        after: Object.fromEntries(
          plan.changed.slice(0, contentLimits.previewRows).map(({ before, after }) => [before.label, written(after)]),
        ),
        labelsAdded: plan.added.slice(0, contentLimits.previewRows).map(({ label }) => label),
        labelsRetired: plan.retired.slice(0, contentLimits.previewRows).map(({ label }) => label),
      });
    return `Added ${counts.added}, changed ${counts.changed}, retired ${counts.retired}. The public page shows it now.`;
  });
}

const written = (source: NewLogSource) => Object.values(saidBy(source)).join(", ");

async function planImport(database: Database | Transaction, { rows }: ReadFile, retireOthers: boolean): Promise<Plan> {
  const known = await database.select().from(logSources);
  const byLabel = new Map(known.map((row) => [row.label, row]));
  const inFile = new Set(rows.map(({ label }) => label));
  const met = rows.flatMap((after) => {
    const before = byLabel.get(after.label);
    return before ? [{ before, after }] : [];
  });
  const changed = met.filter(({ before, after }) => sentencesOf(before, after).length > 0);
  return {
    version: known.reduce((sum, row) => sum + row.version, 0),
    added: rows.filter(({ label }) => !byLabel.has(label)),
    changed,
    retired: retireOthers ? known.filter(({ label, retired }) => !retired && !inFile.has(label)) : [],
    unchanged: met.length - changed.length,
  };
}

function sentencesOf(before: LogSourceRow, after: FileRow): string[] {
  const different = logSourceColumns.filter((name) => before[name] !== after[name]);
  return [
    ...(before.retired === after.retired ? [] : [after.retired ? "is retired" : "is offered again"]),
    ...different.map((name) => `${name}: ${before[name]} → ${after[name]}`),
  ];
}

/** Keeps a statement far below PostgreSQL's limit on parameters. */
const rowsAtOnce = 2000;

async function carryOut({ now }: Services, transaction: Transaction, { added, changed, retired }: Plan) {
  const updatedAt = now();
  const put = [...added, ...changed.map(({ after }) => after)];
  for (let from = 0; from < put.length; from += rowsAtOnce)
    // oxlint-disable-next-line no-await-in-loop -- within one transaction
    await transaction
      .insert(logSources)
      .values(put.slice(from, from + rowsAtOnce).map((source) => ({ ...source, updatedAt })))
      .onConflictDoUpdate({
        target: logSources.label,
        set: {
          product: sql`excluded.product`,
          category: sql`excluded.category`,
          format: sql`excluded.format`,
          retired: sql`excluded.retired`,
          version: sql`${logSources.version} + 1`,
          updatedAt,
        },
      });
  if (retired.length > 0)
    await transaction
      .update(logSources)
      .set({ retired: true, version: sql`${logSources.version} + 1`, updatedAt })
      .where(
        inArray(
          logSources.id,
          retired.map(({ id }) => id),
        ),
      );
}
