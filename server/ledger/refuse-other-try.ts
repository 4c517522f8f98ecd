import { formatRupees } from "../../contract/money.ts";
import type { ledgerEntries } from "../database/schema/index.ts";
import { Failure } from "../failures/failure.ts";

type Noted = Pick<typeof ledgerEntries.$inferSelect, "orderId" | "amountPaise" | "reason">;

/**
 * Refuses a call whose id an earlier one has used for something else.
 * @throws Failure conflict
 */
export function refuseOtherTry(known: Noted, wanted: Noted): void {
  const { orderId, amountPaise, reason } = known;
  if (orderId === wanted.orderId && amountPaise === wanted.amountPaise && reason === wanted.reason) return;
  throw new Failure(
    "conflict",
    `An earlier try of this form has entered ${formatRupees(amountPaise)} already, as “${reason}”. Please reload the page.`,
  );
}
