import { brand } from "../../contract/brand.ts";
import { quoteNumber } from "../../contract/numbers.ts";

/** What people get a proposal's PDF as. */
export const proposalShownAs = ({ serial, revision }: { serial: number; revision: number }) =>
  `${brand.name}-proposal-${quoteNumber(serial)}${revision > 1 ? `-revision-${revision}` : ""}.pdf`;

/** What people get an accepted proposal with its evidence as. */
export const acceptanceShownAs = (quote: { serial: number; revision: number }) =>
  proposalShownAs(quote).replace(/\.pdf$/, "-accepted.pdf");

/** The same of a revision that another one has superseded. */
export const supersededShownAs = (quote: { serial: number; revision: number }) =>
  proposalShownAs(quote).replace(/\.pdf$/, "-superseded.pdf");

/** What people get an invoice's PDF as; a file's name may hold no "/". */
export const invoiceShownAs = (number: string) => `${brand.name}-invoice-${number.replaceAll("/", "-")}.pdf`;

/** The same of a proforma invoice, and of a receipt for an advance. */
export const proformaShownAs = (number: string) => `${brand.name}-proforma-${number.replaceAll("/", "-")}.pdf`;
export const receiptShownAs = (number: string) => `${brand.name}-receipt-${number.replaceAll("/", "-")}.pdf`;
/** The same of the refund voucher of an advance that went back. */
export const refundVoucherShownAs = (number: string) =>
  `${brand.name}-refund-voucher-${number.replaceAll("/", "-")}.pdf`;
/** A certificate that a customer uploaded. */
export const certificateShownAs = (number: string | null) =>
  `tax-certificate-${(number ?? "").replace(/[^\w-]+/g, "-")}.pdf`;

/** The report of a month, and its retention certificate. */
export const serviceReportShownAs = ({ month }: { month: string }) =>
  `${brand.name}-service-report-${month.slice(0, 7)}.pdf`;
export const certificateOfMonthShownAs = ({ month }: { month: string }) =>
  `${brand.name}-retention-certificate-${month.slice(0, 7)}.pdf`;

/** The same of a credit note. */
export const creditNoteShownAs = (number: string) => `${brand.name}-credit-note-${number.replaceAll("/", "-")}.pdf`;
