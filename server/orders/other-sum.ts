import { and, eq } from "drizzle-orm";
import { formatRupees } from "../../contract/money.ts";
import type { Transaction } from "../database/database.ts";
import { attempts, orders } from "../database/schema/index.ts";
import { owedBesideNothing } from "../ledger/free-credit.ts";
import type { Services } from "../services.ts";
import { noteFindings, settleFindings } from "./findings.ts";

/** An older form may take another sum than is owed: an invoice may have been issued since, or part paid by transfer. */
export async function noteOtherSum(
  transaction: Transaction,
  { reference, orderId }: typeof attempts.$inferSelect,
  capturedPaise: number | null | undefined,
): Promise<void> {
  const [order] = await transaction.select().from(orders).where(eq(orders.id, orderId));
  const owedPaise = order ? owedBesideNothing(order) : 0;
  if (!order || owedPaise === 0) return;
  const taken = `The gateway took ${formatRupees(capturedPaise ?? 0)}`;
  const says =
    owedPaise < 0
      ? `${taken}, ${formatRupees(-owedPaise)} more than was owed. It stands as a credit of ${order.organisationName}.`
      : `${taken}, ${formatRupees(owedPaise)} less than was owed. The rest is open under Receivables.`;
  await noteFindings(transaction, [{ kind: "amount differs", key: reference, says, order }]);
}

/** Settles the finding about an over- or underpayment through the gateway once no credit, or no debt, is left. */
export async function settleOtherSum(
  { now }: Pick<Services, "now">,
  transaction: Transaction,
  orderId: string,
  left: "credit" | "debt",
  resolution: string,
): Promise<void> {
  const [order] = await transaction.select().from(orders).where(eq(orders.id, orderId));
  const owedPaise = order ? owedBesideNothing(order) : 0;
  if (left === "credit" ? owedPaise < 0 : owedPaise > 0) return;
  const paying = await transaction
    .select({ reference: attempts.reference })
    .from(attempts)
    .where(and(eq(attempts.orderId, orderId), eq(attempts.state, "success")));
  const references = paying.map(({ reference }) => reference);
  await settleFindings(transaction, ["amount differs"], references, resolution, now());
}
