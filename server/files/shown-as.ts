import { brand } from "../../contract/brand.ts";
import { quoteNumber } from "../../contract/numbers.ts";

/** Download names of documents. */
export const proposalShownAs = ({ serial, revision }: { serial: number; revision: number }) =>
  `${brand.name}-proposal-${quoteNumber(serial)}${revision > 1 ? `-revision-${revision}` : ""}.pdf`;

/** The download name of an accepted proposal with its evidence. */
export const acceptanceShownAs = (quote: { serial: number; revision: number }) =>
  proposalShownAs(quote).replace(/\.pdf$/, "-accepted.pdf");

export const supersededShownAs = (quote: { serial: number; revision: number }) =>
  proposalShownAs(quote).replace(/\.pdf$/, "-superseded.pdf");

/** The download name of an invoice, whose number's "/" is not allowed in file names. */
export const invoiceShownAs = (number: string) => `${brand.name}-invoice-${number.replaceAll("/", "-")}.pdf`;

export const proformaShownAs = (number: string) => `${brand.name}-proforma-${number.replaceAll("/", "-")}.pdf`;
export const receiptShownAs = (number: string) => `${brand.name}-receipt-${number.replaceAll("/", "-")}.pdf`;
export const refundVoucherShownAs = (number: string) =>
  `${brand.name}-refund-voucher-${number.replaceAll("/", "-")}.pdf`;
/** The download name of a certificate that a customer uploaded. */
export const certificateShownAs = (number: string | null) =>
  `tax-certificate-${(number ?? "").replace(/[^\w-]+/g, "-")}.pdf`;

/** Download names of a monthly report, and of its retention certificate. */
export const serviceReportShownAs = ({ month }: { month: string }) =>
  `${brand.name}-service-report-${month.slice(0, 7)}.pdf`;
export const certificateOfMonthShownAs = ({ month }: { month: string }) =>
  `${brand.name}-retention-certificate-${month.slice(0, 7)}.pdf`;

export const creditNoteShownAs = (number: string) => `${brand.name}-credit-note-${number.replaceAll("/", "-")}.pdf`;
