import type { ReceiptContent, receipts, refundVouchers } from "../database/schema/index.ts";
import { paperDate, paperDay } from "../outside/documents/paper.ts";
import { partiesOf, placeName, sumsOf } from "./invoice-document.ts";

/** The data for a receipt voucher's template: the fields of rule 50 of the CGST Rules, formatted for paper. */
export const receiptData = ({ number, issuedAt, content }: typeof receipts.$inferSelect) => ({
  ...voucherOf(content),
  title: "Receipt voucher",
  heading: "Advance received",
  totalName: "Received",
  attachedAs: "receipt.json",
  number,
  facts: [
    ["Receipt number", number],
    ["Date", paperDate(issuedAt)],
    ["Received on", paperDay(content.receivedOn)],
    ["Bank reference", content.utr],
    ...placeAndOrder(content),
  ],
});

/** The same for a refund voucher: the fields of rule 51. */
export const refundVoucherData = ({ number, issuedAt, content }: typeof refundVouchers.$inferSelect) => ({
  ...voucherOf(content),
  title: "Refund voucher",
  heading: content.isMoved ? "Advance taken off" : "Advance given back",
  totalName: content.isMoved ? "Taken off" : "Given back",
  attachedAs: "refund-voucher.json",
  number,
  facts: [
    ["Refund voucher number", number],
    ["Date", paperDate(issuedAt)],
    ["For receipt voucher", `${content.receiptNumber} of ${paperDay(content.receiptDay)}`],
    [content.isMoved ? "Taken off on" : "Given back on", paperDay(content.paidOn)],
    ...(content.isMoved ? [["Why", "It belongs to another order"]] : [["Bank reference", content.bankReference]]),
    ...placeAndOrder(content),
  ],
});

type Voucher = Omit<ReceiptContent, "utr" | "receivedOn">;

const voucherOf = (content: Voucher) => ({
  ...partiesOf(content),
  sac: content.sac,
  description: content.description,
  ...sumsOf(content),
});

const placeAndOrder = ({ placeOfSupply, billTo, orderNumber }: Voucher) => [
  ["Place of supply", placeName(placeOfSupply, billTo)],
  ...(orderNumber ? [["Order", orderNumber]] : []),
];
