import { and, asc, eq, gte, inArray, isNotNull, lte, min, notExists, or, type SQL, sql } from "drizzle-orm";
import { earlier } from "../../contract/durations.ts";
import { startOfWrittenDay } from "../../contract/india-time.ts";
import type { FindingKind } from "../../contract/finding-kinds.ts";
import { formatRupees } from "../../contract/money.ts";
import type { Database, Transaction } from "../database/database.ts";
import { attempts, findings, orders, refunds, settlementFiles, settlementLines } from "../database/schema/index.ts";
import type { NewFinding } from "../orders/findings.ts";
import { paperDay } from "../outside/documents/paper.ts";
import type { SettledRow } from "./settlement-file.ts";

/** A row and what it matches in our records. */
export interface Matched {
  row: SettledRow;
  attempt: typeof attempts.$inferSelect | null;
  refund: typeof refunds.$inferSelect | null;
  order: typeof orders.$inferSelect | undefined;
  /** The difference; null if everything agrees. */
  finding: NewFinding | null;
}

/** The gateway settles a payment or refund within this time. */
const settleDays = 7;

/** The rows that an earlier file contained, with the sums that they had there. */
export async function knownRows(database: Database | Transaction, gateway: string, rows: readonly SettledRow[]) {
  const ids = rows.map(({ gatewayId }) => gatewayId);
  const { kind, gatewayId, amountPaise, netPaise } = settlementLines;
  const known = await database
    .select({ kind, gatewayId, amountPaise, netPaise })
    .from(settlementLines)
    .where(and(eq(settlementLines.gateway, gateway), inArray(settlementLines.gatewayId, ids)));
  return new Map(known.map((line) => [keyOf(line), line]));
}
type KnownRows = Awaited<ReturnType<typeof knownRows>>;

export const keyOf = ({ kind, gatewayId }: Pick<SettledRow, "kind" | "gatewayId">) => `${kind} ${gatewayId}`;

/** Finds each row in our records and says where they differ. */
export async function matchRows(
  database: Database | Transaction,
  gateway: string,
  rows: readonly SettledRow[],
): Promise<Matched[]> {
  const paymentIds = rows.map(({ gatewayPaymentId }) => gatewayPaymentId).filter(Boolean);
  const references = rows.map(({ reference }) => reference).filter(Boolean);
  const found = await database
    .select({ attempt: attempts, order: orders })
    .from(attempts)
    .innerJoin(orders, eq(orders.id, attempts.orderId))
    .where(
      and(
        eq(attempts.gateway, gateway),
        or(inArray(attempts.gatewayPaymentId, paymentIds), inArray(attempts.reference, references)),
      ),
    );
  const byPayment = new Map(found.map((each) => [each.attempt.gatewayPaymentId, each]));
  const byReference = new Map(found.map((each) => [each.attempt.reference, each]));
  const ofAttempts = await database
    .select()
    .from(refunds)
    .where(
      inArray(
        refunds.attemptId,
        found.map(({ attempt }) => attempt.id),
      ),
    );
  return rows.map((row): Matched => {
    const ours = byPayment.get(row.gatewayPaymentId) ?? byReference.get(row.reference);
    const attempt = ours?.attempt ?? null;
    const order = ours?.order;
    if (row.kind === "other") return { row, attempt, refund: null, order, finding: findingOfOther(row, order) };
    if (row.kind === "payment") return { row, attempt, refund: null, order, finding: findingOfPayment(row, ours) };
    const refund = ofAttempts.find((each) => each.gatewayRefundId === row.gatewayId) ?? null;
    return { row, attempt, refund, order, finding: findingOfRefund(row, refund, order) };
  });
}

type Ours = { attempt: typeof attempts.$inferSelect; order: typeof orders.$inferSelect };

/** What a row that an earlier file had says differently now: the gateway corrected it, or somebody edited a file. */
export function findingOfChange({ row, order }: Matched, known: KnownRows): NewFinding | null {
  const before = known.get(keyOf(row));
  const { kind, gatewayId, amountPaise, netPaise } = row;
  if (!before || kind === "other" || (before.amountPaise === amountPaise && before.netPaise === netPaise)) return null;
  const sums = (line: Pick<SettledRow, "amountPaise" | "netPaise">) =>
    `${formatRupees(line.amountPaise)} (${formatRupees(Math.abs(line.netPaise))} net)`;
  return {
    kind: kind === "payment" ? "amount differs" : "refund differs",
    key: `${gatewayId}:${netPaise}`,
    says: `For ${kind} ${gatewayId} this file has ${sums(row)}, and an earlier one had ${sums(before)}, which is kept.`,
    ...(order && { order }),
  };
}

function findingOfPayment(row: SettledRow, ours: Ours | undefined): NewFinding | null {
  const { gatewayPaymentId: key, amountPaise } = row;
  const settled = `The gateway settled ${formatRupees(amountPaise)} for payment ${key}`;
  if (!ours) return { kind: "unknown payment", key, says: `${settled}, which is in none of our orders.` };
  const { attempt, order } = ours;
  const about = { key, order };
  if (attempt.capturedPaise === null)
    return {
      ...about,
      kind: "not in our books",
      says: `${settled}; here that try is not paid. The gateway is asked about it again.`,
    };
  if (attempt.gatewayPaymentId !== key)
    return {
      ...about,
      kind: "unknown payment",
      says: `${settled}; our order names payment ${attempt.gatewayPaymentId}.`,
    };
  if (attempt.capturedPaise !== amountPaise)
    return {
      ...about,
      kind: "amount differs",
      says: `${settled}; here ${formatRupees(attempt.capturedPaise)} are booked.`,
    };
  return null;
}

function findingOfRefund(
  row: SettledRow,
  refund: typeof refunds.$inferSelect | null,
  order: typeof orders.$inferSelect | undefined,
): NewFinding | null {
  const { gatewayId: key, gatewayPaymentId, amountPaise } = row;
  const settled = `The gateway deducted ${formatRupees(amountPaise)} for refund ${key} of payment ${gatewayPaymentId}`;
  const about = { key, ...(order && { order }) };
  if (!refund) return { ...about, kind: "unknown refund", says: `${settled}, which nobody asked for here.` };
  if (refund.amountPaise !== amountPaise)
    return {
      ...about,
      kind: "refund differs",
      says: `${settled}; here ${formatRupees(refund.amountPaise)} were asked for.`,
    };
  if (refund.state === "failed")
    return { ...about, kind: "refund differs", says: `${settled}; here that refund has failed.` };
  return null;
}

/** A chargeback, its reversal or a monthly fee: a person decides what it means. */
function findingOfOther(row: SettledRow, order: Ours["order"] | undefined): NewFinding {
  const { gatewayId: key, action, gatewayPaymentId, netPaise } = row;
  const sum = `${netPaise < 0 ? "−" : ""}${formatRupees(Math.abs(netPaise))}`;
  const says = `The gateway settled ${sum} as “${action}”${gatewayPaymentId ? ` of payment ${gatewayPaymentId}` : ""}: it is booked nowhere here.`;
  return { kind: "other settled", key, says, ...(order && { order }) };
}

/** Found at once of each kind: a first file may bring up years of them. */
const foundAtOnce = 500;

/**
 * Payments and refunds in our records that should have been settled by the file's last day, but are in no file and not
 * noted yet. Starts at the first day of any file, since nothing is known about settlements before it. Returns at most
 * one page of each kind, oldest first.
 */
export async function findUnsettled(
  database: Database | Transaction,
  gateway: string,
  { firstDay, lastDay }: { firstDay: string; lastDay: string },
): Promise<NewFinding[]> {
  const [earliest] = await database.select({ day: min(settlementFiles.firstDay) }).from(settlementFiles);
  const from = startOfWrittenDay(earliest?.day && earliest.day < firstDay ? earliest.day : firstDay);
  const until = earlier(startOfWrittenDay(lastDay), { days: settleDays });
  const order = { id: orders.id, serial: orders.serial, organisationName: orders.organisationName };
  const paymentKey = sql<string>`coalesce(${attempts.gatewayPaymentId}, ${attempts.reference})`;
  const unsettled = await database
    .select({ key: paymentKey, paise: attempts.capturedPaise, order })
    .from(attempts)
    .innerJoin(orders, eq(orders.id, attempts.orderId))
    .where(
      and(
        eq(attempts.gateway, gateway),
        isNotNull(attempts.capturedPaise),
        gte(attempts.endedAt, from),
        lte(attempts.endedAt, until),
        notSettled(
          database,
          sql`${settlementLines.attemptId} = ${attempts.id} and ${settlementLines.kind} = 'payment'`,
        ),
        notNoted(database, "not settled", paymentKey),
      ),
    )
    .orderBy(asc(attempts.endedAt))
    .limit(foundAtOnce);
  const refundKey = sql<string>`coalesce(${refunds.gatewayRefundId}, ${refunds.token})`;
  const undeducted = await database
    .select({ key: refundKey, paise: refunds.amountPaise, order })
    .from(refunds)
    .innerJoin(attempts, and(eq(attempts.id, refunds.attemptId), eq(attempts.gateway, gateway)))
    .innerJoin(orders, eq(orders.id, refunds.orderId))
    .where(
      and(
        eq(refunds.state, "done"),
        gte(refunds.endedAt, from),
        lte(refunds.endedAt, until),
        notSettled(database, sql`${settlementLines.refundId} = ${refunds.id}`),
        // A file contained it before it was known here.
        notSettled(
          database,
          sql`${settlementLines.gateway} = ${gateway} and ${settlementLines.kind} = 'refund'
            and ${settlementLines.gatewayId} = ${refunds.gatewayRefundId}`,
        ),
        notNoted(database, "refund not settled", refundKey),
      ),
    )
    .orderBy(asc(refunds.endedAt))
    .limit(foundAtOnce);
  return [
    ...unsettled.map(({ key, paise, order: of }): NewFinding => {
      const says = `${formatRupees(paise ?? 0)} of payment ${key} are booked here and in no settlement up to ${paperDay(lastDay)}.`;
      return { kind: "not settled", key, says, order: of };
    }),
    ...undeducted.map(({ key, paise, order: of }): NewFinding => {
      const says = `${formatRupees(paise)} were given back and are in no settlement up to ${paperDay(lastDay)}.`;
      return { kind: "refund not settled", key, says, order: of };
    }),
  ];
}

const notNoted = (database: Database | Transaction, kind: FindingKind, key: SQL) =>
  notExists(
    database
      .select({ one: sql`1` })
      .from(findings)
      .where(and(eq(findings.kind, kind), eq(findings.key, key))),
  );

const notSettled = (database: Database | Transaction, condition: ReturnType<typeof sql>) =>
  notExists(
    database
      .select({ one: sql`1` })
      .from(settlementLines)
      .where(condition),
  );
