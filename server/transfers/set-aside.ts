import { eq } from "drizzle-orm";
import { formatRupees } from "../../contract/money.ts";
import type { Input } from "../../contract/operations.ts";
import type { Scope } from "../access/scope.ts";
import { audit } from "../audit/audit.ts";
import type { Transaction } from "../database/database.ts";
import { transfers } from "../database/schema/index.ts";
import { Failure, notFound } from "../failures/failure.ts";
import { reopenFindings, settleFindings } from "../orders/findings.ts";
import type { Services } from "../services.ts";
import type { TransferRow } from "./match-transfer.ts";
import { refuseUnlessSeen } from "./record-transfer.ts";
import { transferTransitions } from "./transitions.ts";

/**
 * Sets a transfer aside that is no customer's money, such as interest of the bank. What a customer said of it is
 * dropped, so that it counts nowhere as theirs and they don't read why. Returns a sentence for the page.
 * @throws Failure not_found; conflict for one that has not come, is matched, or is set aside for another reason
 */
export async function setAside(
  services: Services,
  { actor }: Scope<"any">,
  { id, reason }: Input<"admin/transfers/set-aside">,
): Promise<string> {
  return services.database.transaction(async (transaction) => {
    const transfer = await lockTransfer(transaction, id);
    const { utr, amountPaise, orderNumber: saidToPay } = transfer;
    const done = `${formatRupees(amountPaise)} by ${utr} are set aside as not from a customer.`;
    if (transfer.state === "set_aside" && transfer.asideBecause === reason) return done;
    refuseUnlessSeen(transfer);
    const { state } = transferTransitions[transfer.state]["set aside"];
    const news = { state, orderId: null, announcedBy: null, asideBecause: reason };
    await transaction.update(transfers).set(news).where(eq(transfers.id, id));
    await settleFindings(transaction, ["unknown transfer"], [utr], resolutionOf(reason), services.now());
    const detail = { utr, before: transfer.state, after: state, amountPaise, reason, ...(saidToPay && { saidToPay }) };
    await audit(transaction, actor.personId, "set transfer aside", `transfer:${id}`, detail);
    return done;
  });
}

/**
 * Puts a transfer back among those without a match. Returns a sentence for the page.
 * @throws Failure not_found; conflict for one that is matched or has not come
 */
export async function putBack(
  { database }: Services,
  { actor }: Scope<"any">,
  { id }: Input<"admin/transfers/put-back">,
): Promise<string> {
  return database.transaction(async (transaction) => {
    const transfer = await lockTransfer(transaction, id);
    const { utr, asideBecause } = transfer;
    const done = `${utr} waits again until somebody says what it pays.`;
    if (transfer.state === "seen") return done;
    if (transfer.state !== "set_aside") throw new Failure("conflict", `${utr} is not set aside.`);
    const { state } = transferTransitions[transfer.state]["put back"];
    await transaction.update(transfers).set({ state, asideBecause: "" }).where(eq(transfers.id, id));
    await reopenFindings(transaction, ["unknown transfer"], [utr], resolutionOf(asideBecause));
    const detail = { utr, before: transfer.state, after: state, reason: asideBecause };
    await audit(transaction, actor.personId, "put transfer back", `transfer:${id}`, detail);
    return done;
  });
}

/** @throws Failure not_found */
export async function lockTransfer(transaction: Transaction, id: string): Promise<TransferRow> {
  const [transfer] = await transaction.select().from(transfers).where(eq(transfers.id, id)).for("update");
  if (!transfer) throw notFound("This transfer");
  return transfer;
}

const resolutionOf = (reason: string) => `Not from a customer: ${reason}`;
