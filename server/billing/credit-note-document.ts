import type { creditNotes } from "../database/schema/index.ts";
import { paperDate, paperDay } from "../outside/documents/paper.ts";
import type { PrintedEInvoice } from "../e-invoices/of-invoice.ts";
import { partiesOf, placeName, registrationOf, sumsOf } from "./invoice-document.ts";

/** The data for the credit note's template: the fields of rule 53 of the CGST Rules, formatted for paper. */
export function creditNoteData(
  { number, issuedAt, content }: typeof creditNotes.$inferSelect,
  eInvoice: PrintedEInvoice | null = null,
) {
  return {
    ...partiesOf(content),
    number,
    facts: [
      ["Credit note number", number],
      ["Date", paperDate(issuedAt)],
      ["Place of supply", placeName(content.placeOfSupply, content.billTo)],
      ["For invoice", `${content.invoiceNumber} of ${paperDay(content.invoiceDay)}`],
    ],
    sac: content.sac,
    description: content.description,
    reason: content.reason,
    ...sumsOf(content),
    ...registrationOf(eInvoice),
  };
}
