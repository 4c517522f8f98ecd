import type { proformas } from "../database/schema/index.ts";
import { paperAmount, paperDate, paperDay } from "../outside/documents/paper.ts";
import { bankRows, deductedOf, linesOf, partiesOf, placeName, subscriptionOf, sumsOf } from "./invoice-document.ts";

type Asked = Pick<typeof proformas.$inferSelect, "number" | "reference" | "issuedAt" | "dueOn" | "content">;

/** The data for the proforma's template, formatted for paper. */
export function proformaData({ number, reference, issuedAt, dueOn, content }: Asked) {
  const { billTo, period } = content;
  return {
    ...partiesOf(content),
    number,
    reference,
    facts: [
      ["Proforma number", number],
      ["Date", paperDate(issuedAt)],
      ["Please pay by", paperDay(dueOn)],
      ["Place of supply", placeName(content.placeOfSupply, billTo)],
      ...(period ? [["Service period", `${paperDay(period.from)} to ${paperDay(period.to)}`]] : []),
      ...(content.term ? [["Contract", content.term.contractNumber]] : []),
      ...(content.orderNumber ? [["Order", content.orderNumber]] : []),
      ...(content.quoteNumber ? [["Quote", content.quoteNumber]] : []),
      ...(billTo.purchaseOrder ? [["Your purchase order", billTo.purchaseOrder]] : []),
    ],
    subscription: subscriptionOf(content),
    lines: linesOf(content),
    subtotal: paperAmount(content.subtotalPaise),
    discount: content.discountPaise > 0 ? paperAmount(content.discountPaise) : null,
    ...sumsOf(content),
    deducted: deductedOf(content.taxDeducted),
    pay: paperAmount(content.payPaise),
    bank: bankRows(content.bank),
  };
}
