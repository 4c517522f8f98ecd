import { eq } from "drizzle-orm";
import { formatRupees, paiseFrom } from "../../contract/money.ts";
import type { Input } from "../../contract/operations.ts";
import { writtenDay } from "../../contract/india-time.ts";
import type { Scope } from "../access/scope.ts";
import { audit } from "../audit/audit.ts";
import type { Database, Transaction } from "../database/database.ts";
import { isOneOf } from "../database/is-one-of.ts";
import { transfers } from "../database/schema/index.ts";
import { Failure, notFound } from "../failures/failure.ts";
import { findPaidOut, lockReferences } from "../ledger/bank-references.ts";
import { type NewFinding, noteFindings } from "../orders/findings.ts";
import { paperDay } from "../outside/documents/paper.ts";
import type { Services } from "../services.ts";
import { findNamed, matchTransfer, refuseSetAside, type TransferRow } from "./match-transfer.ts";
import { spellingsOf, unfilled } from "./reference-in.ts";
import { transferTransitions } from "./transitions.ts";

/** Money that has arrived, according to a statement or an administrator. */
interface SeenTransfer {
  utr: string;
  amountPaise: number;
  receivedOn: string;
  payer: string;
  narration: string;
  statementId?: string;
  recordedBy?: string;
}

/** The known transfers with these bank references, by reference, in whatever spelling they are kept. */
export async function findByUtr(
  database: Database | Transaction,
  utrs: readonly string[],
): Promise<Map<string, TransferRow>> {
  const spelt = utrs.flatMap(spellingsOf);
  const found = await database.select().from(transfers).where(isOneOf(transfers.utr, spelt));
  // One that is kept as it is asked for comes first: what is kept may be older than this comparison.
  const kept = new Map(found.map((transfer) => [unfilled(transfer.utr), transfer]));
  for (const transfer of found) kept.set(transfer.utr, transfer);
  return new Map(
    utrs.flatMap((utr) => {
      const transfer = kept.get(utr) ?? kept.get(unfilled(utr));
      return transfer ? [[utr, transfer] as const] : [];
    }),
  );
}

/** Locks bank references, all at once and before any order. Returns the known transfers, by reference. */
export async function lockUtrs(transaction: Transaction, utrs: readonly string[]): Promise<Map<string, TransferRow>> {
  await lockReferences(transaction, [...new Set([...utrs, ...utrs.map(unfilled)])]);
  return findByUtr(transaction, utrs);
}

/** Likewise for one bank reference. */
export const lockUtr = async (transaction: Transaction, utr: string) => (await lockUtrs(transaction, [utr])).get(utr);

/**
 * Stores an arrived transfer. For one that a customer announced, the bank's sum and day replace the customer's, and it
 * keeps its order only if the sums agree. The caller has locked its reference.
 */
export async function keepSeen(
  { now }: Services,
  transaction: Transaction,
  known: TransferRow | undefined,
  seen: SeenTransfer,
): Promise<TransferRow> {
  const step = transferTransitions[known?.state ?? "announced"].seen;
  const orderId = known?.amountPaise === seen.amountPaise ? known.orderId : null;
  const values = { ...seen, state: step.state, orderId };
  const [kept] = known
    ? await transaction.update(transfers).set(values).where(eq(transfers.id, known.id)).returning()
    : await transaction
        .insert(transfers)
        .values({ ...values, createdAt: now() })
        .returning();
  if (!kept) throw new Error(`Transfer ${seen.utr} was not kept`);
  return kept;
}

/** As many rows as one statement stores: one after the other, a long bank statement takes minutes. */
const batch = 500;

/**
 * Stores arrived transfers that were not known and of which nothing says what they pay, and asks a person. The caller
 * has locked their references.
 */
export async function keepUnknown(
  { now }: Services,
  transaction: Transaction,
  seen: readonly SeenTransfer[],
  wentOut: ReadonlyMap<string, string>,
): Promise<void> {
  const { state } = transferTransitions.announced.seen;
  for (let from = 0; from < seen.length; from += batch) {
    const values = seen.slice(from, from + batch).map((each) => ({ ...each, state, createdAt: now() }));
    // oxlint-disable-next-line no-await-in-loop -- within one transaction
    const kept = await transaction.insert(transfers).values(values).returning();
    const calls = kept.map((transfer) => callAbout(transfer, wentOut.get(transfer.utr)));
    // oxlint-disable-next-line no-await-in-loop
    await noteFindings(transaction, calls);
  }
}

/**
 * Asks a person what a transfer pays. `wentOut` says in words what was paid out under the same reference and may have
 * come back.
 */
export const callForMatch = (transaction: Transaction, transfer: TransferRow, wentOut: string | undefined) =>
  noteFindings(transaction, [callAbout(transfer, wentOut)]);

const callAbout = (
  { utr, amountPaise, payer, receivedOn, orderId }: TransferRow,
  wentOut: string | undefined,
): NewFinding => ({
  kind: "unknown transfer",
  key: utr,
  says: `${formatRupees(amountPaise)} came on ${paperDay(receivedOn)}${payer && ` from ${payer}`}, and ${orderId ? "only a customer's word" : "nothing"} says what it pays. ${wentOut ? `By this bank reference ${wentOut}: please see at your bank whether that came back before you match it under Receivables.` : "Please match it under Receivables."}`,
});

/**
 * Records a transfer that an administrator saw at the bank, and matches it with the document they name.
 * @throws Failure conflict for a bank reference that is recorded already, or under which money went out unless that is
 * confirmed; not_found for an unknown document
 */
export async function recordTransfer(
  services: Services,
  { actor }: Scope<"any">,
  { utr, amount, received_on, payer, pays, is_meant }: Input<"admin/transfers/record">,
): Promise<string> {
  refuseFuture(services, "received_on", received_on);
  return services.database.transaction(async (transaction) => {
    const named = pays === null ? null : await findNamed(transaction, pays);
    if (pays !== null && named === null) throw unknownDocument(pays);
    const known = await lockUtr(transaction, utr);
    if (known && known.state !== "announced")
      throw new Failure("conflict", `A transfer with the bank reference ${utr} was recorded before.`, {
        fields: { utr: "This one was recorded before" },
      });
    const wentOut = (await findPaidOut(transaction, [utr])).get(utr);
    if (wentOut && !is_meant) throw askWhetherBack(utr, wentOut);
    const seen = { utr, amountPaise: paiseFrom(amount), receivedOn: received_on, payer, narration: "" };
    const kept = await keepSeen(services, transaction, known, { ...seen, recordedBy: actor.personId });
    await audit(transaction, actor.personId, "record transfer", `transfer:${kept.id}`, { utr, amount, payer });
    if (named) return matchTransfer(services, transaction, kept.id, named, actor.personId, is_meant ? null : pays);
    await callForMatch(transaction, kept, wentOut);
    return `${formatRupees(kept.amountPaise)} are recorded. They wait until somebody says what they pay.`;
  });
}

/** A bank may return a pay-out under the same reference; that counts as money that came. */
const askWhetherBack = (utr: string, wentOut: string) =>
  new Failure(
    "conflict",
    `By ${utr} ${wentOut}. If the bank sent it back, please confirm that; otherwise enter the reference of the transfer that came.`,
    { fields: { utr: "Money went out by this one", is_meant: "Please confirm that it came back" } },
  );

/** Matches by hand a transfer that could not be matched automatically. @throws Failure not_found, conflict */
export async function matchByHand(
  services: Services,
  { actor }: Scope<"any">,
  { id, pays, is_meant }: Input<"admin/transfers/match">,
): Promise<string> {
  return services.database.transaction(async (transaction) => {
    const [transfer] = await transaction.select().from(transfers).where(eq(transfers.id, id));
    if (!transfer) throw notFound("This transfer");
    refuseUnlessSeen(transfer);
    const orderId = await findNamed(transaction, pays);
    if (!orderId) throw unknownDocument(pays);
    return matchTransfer(services, transaction, id, orderId, actor.personId, is_meant ? null : pays);
  });
}

/** @throws Failure conflict for a transfer that has not come, is set aside, or whose purpose is known */
export function refuseUnlessSeen(transfer: TransferRow): void {
  const { state, utr } = transfer;
  refuseSetAside(transfer);
  if (state === "announced")
    throw new Failure(
      "conflict",
      "The customer has announced this transfer, and it has not come. Please record it first.",
    );
  if (state !== "seen") throw new Failure("conflict", `${utr} is matched already.`);
}

const unknownDocument = (pays: string) =>
  new Failure("not_found", `There is no proforma, invoice or order ${pays}.`, {
    fields: { pays: "Nothing has this number" },
  });

/** @throws Failure invalid for a day in the future */
export function refuseFuture({ now }: Services, field: string, day: string): void {
  if (day <= writtenDay(now())) return;
  throw new Failure("invalid", "This day is still to come.", { fields: { [field]: "This day is still to come" } });
}
