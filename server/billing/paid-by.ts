import type { InvoiceContent, PayingTransfer } from "../database/schema/index.ts";
import { paperAmount, paperDay } from "../outside/documents/paper.ts";

/** The references of all payments made before the invoice was issued. */
export const paymentIdsOf = ({ paymentId, transfers = [] }: Pick<InvoiceContent, "paymentId" | "transfers">) =>
  transfers.length > 0 ? transfers.map(({ utr }) => utr) : [paymentId].filter(Boolean);

/** The sentence on how an invoice was paid, and on what did not arrive. */
export function paidSentence(content: InvoiceContent): string {
  const { transfers = [], taxDeducted, givenUpPaise = 0 } = content;
  const without = [
    ...(taxDeducted ? ["the tax that the recipient deducts"] : []),
    ...(givenUpPaise > 0 ? [`₹${paperAmount(givenUpPaise)} that did not arrive and are written off`] : []),
  ];
  const isPart = without.length > 0;
  const end = isPart ? `, without ${without.join(" and ")}.` : ".";
  if (transfers.length > 1) return `Paid ${isPart ? "" : "in full "}by the transfers ${listed(transfers)}${end}`;
  const [paymentId = ""] = paymentIdsOf(content);
  return isPart ? `Paid by transfer ${paymentId}${end}` : `Paid in full; payment id ${paymentId}.`;
}

const listed = (transfers: readonly PayingTransfer[]) =>
  `${transfers.slice(0, -1).map(written).join(", ")} and ${transfers.slice(-1).map(written).join("")}`;

/** A transfer as a bank statement shows it. */
const written = ({ utr, receivedOn, amountPaise, paysPaise }: PayingTransfer) =>
  `${utr} of ₹${paperAmount(amountPaise)} on ${paperDay(receivedOn)}${paysPaise < amountPaise ? ` (₹${paperAmount(paysPaise)} of it for this invoice)` : ""}`;
