import { and, eq, inArray, isNull } from "drizzle-orm";
import type { FindingKind } from "../../contract/finding-kinds.ts";
import { orderNumber } from "../../contract/numbers.ts";
import type { Database, Transaction } from "../database/database.ts";
import { findings, type orders } from "../database/schema/index.ts";

/** A difference, and what it concerns at the gateway. */
export interface NewFinding {
  kind: FindingKind;
  key: string;
  says: string;
  /** If an order of ours is known. */
  order?: Pick<typeof orders.$inferSelect, "id" | "serial" | "organisationName">;
}

/** Notes differences, each once however often it is found; a finding that somebody resolved stays resolved. */
export async function noteFindings(database: Database | Transaction, found: readonly NewFinding[]): Promise<void> {
  const batch = 500;
  for (let from = 0; from < found.length; from += batch)
    // oxlint-disable-next-line no-await-in-loop -- within one transaction
    await database
      .insert(findings)
      .values(
        found.slice(from, from + batch).map(({ kind, key, says, order }) => ({
          kind,
          key,
          says,
          orderId: order?.id ?? null,
          about: order ? orderNumber(order.serial) : key,
          who: order?.organisationName ?? "",
        })),
      )
      .onConflictDoNothing({ target: [findings.kind, findings.key] });
}

/** Closes findings that have resolved themselves. */
export async function settleFindings(
  transaction: Transaction,
  kinds: FindingKind[],
  keys: string[],
  resolution: string,
  now: Date,
): Promise<void> {
  if (keys.length === 0) return;
  await transaction
    .update(findings)
    .set({ resolvedAt: now, resolution })
    .where(and(inArray(findings.kind, kinds), inArray(findings.key, keys), isNull(findings.resolvedAt)));
}

/** Opens findings again that `settleFindings` closed with this resolution. */
export async function reopenFindings(
  transaction: Transaction,
  kinds: FindingKind[],
  keys: string[],
  resolution: string,
): Promise<void> {
  await transaction
    .update(findings)
    .set({ resolvedAt: null, resolution: "" })
    .where(
      and(
        inArray(findings.kind, kinds),
        inArray(findings.key, keys),
        isNull(findings.resolvedBy),
        eq(findings.resolution, resolution),
      ),
    );
}
