import type { PgColumn } from "drizzle-orm/pg-core";
import { inArray, type SQL, sql } from "drizzle-orm";
import { later } from "../../contract/durations.ts";
import { limits } from "../../contract/limits.ts";
import type { Database, Transaction } from "../database/database.ts";
import { engineBindings, incidentFacts, incidents } from "../database/schema/index.ts";
import type { FactRow } from "./facts.ts";

/** The deadline for telling what happened before the end of a span: what is told later counts in the next span. */
export const toldBy = (end: Date): Date => later(end, { hours: limits.reportGraceHours });

/**
 * Condition: something counts in [from, to), by when it happened and when it was told. Of consecutive spans exactly one
 * has it.
 */
export function isToldIn(happenedAt: PgColumn, toldAt: PgColumn, from: Date, to: Date): SQL {
  const counted = sql`greatest(${happenedAt}, ${toldAt} - make_interval(hours => ${limits.reportGraceHours}))`;
  return sql`(${counted} >= ${from.toISOString()}::timestamptz and ${counted} < ${to.toISOString()}::timestamptz)`;
}

/** Condition on `incidents`: something was told too late for the span that ended at `end`. */
export const wasToldAfter = (end: Date): SQL =>
  sql`exists (select from ${incidentFacts} where ${incidentFacts.incidentId} = ${incidents.id}
    and ${incidentFacts.recordedAt} >= ${toldBy(end).toISOString()}::timestamptz)`;

/**
 * The facts told by an instant. What a newly bound engine tells about the time before its binding counts as told at
 * once: earlier years are not this month's news. `boundAt` is null where the incident has no engine.
 */
export function factsToldBy(told: Date, facts: readonly FactRow[], boundAt: Date | null): FactRow[] {
  const isBoundAnew = boundAt !== null && facts.some(({ recordedAt }) => recordedAt < boundAt);
  const isOld = ({ by, occurredAt }: FactRow) =>
    by === "engine" && !isBoundAnew && (boundAt === null || occurredAt < boundAt);
  return facts.filter((fact) => isOld(fact) || fact.recordedAt < told);
}

/** Since when each incident's engine is bound; null where it has none. */
export async function readBoundAt(
  database: Database | Transaction,
  rows: readonly { bindingId: string | null }[],
): Promise<(row: { bindingId: string | null }) => Date | null> {
  const ids = [...new Set(rows.flatMap(({ bindingId }) => bindingId ?? []))];
  const bound = await database
    .select({ id: engineBindings.id, at: engineBindings.connectedAt })
    .from(engineBindings)
    .where(inArray(engineBindings.id, ids));
  const atOf = new Map(bound.map(({ id, at }) => [id, at]));
  return ({ bindingId }) => atOf.get(bindingId ?? "") ?? null;
}
