import type { SettlementSums } from "../../../contract/reconcile.ts";
import { showRupees } from "../../components/display.ts";

const signed = (rupees: string) => (rupees.startsWith("-") ? `−${showRupees(rupees.slice(1))}` : showRupees(rupees));

/** The sums of a settlement, each with its label. */
export const showSums = (sums: SettlementSums): (readonly [string, string])[] => [
  [`Payments (${sums.payments})`, signed(sums.paid)],
  [`Refunds (${sums.refunds})`, signed(sums.refunded)],
  ...(Number(sums.other) === 0 ? [] : [["Other", signed(sums.other)] as const]),
  ["Fees", signed(sums.fees)],
  ["Tax on fees", signed(sums.taxes)],
  ["Settled", signed(sums.net)],
];
