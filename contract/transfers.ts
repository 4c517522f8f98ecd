import { z } from "zod";
import { CsvFile, csvBodyBytesMax } from "./csv-file.ts";
import { Day, line, Message, Rupees } from "./fields.ts";
import { limits } from "./limits.ts";
import { listPage } from "./lists.ts";
import { operation } from "./operation.ts";
import { PaymentRequest } from "./orders.ts";
import { BankShown, Certificate, certificateList, Transfer, transferList, TransferQuery } from "./receivables.ts";

/** A bank's reference for a transfer, normalised to capital letters without spaces. */
export const BankReference = z
  .string("Please enter the bank's reference")
  .transform((typed) => typed.replace(/\s/g, "").toUpperCase())
  .pipe(z.string().regex(/^[A-Z0-9/-]{6,40}$/, "A bank's reference has 6 to 40 letters and digits"));

/** Why no single transfer can bring this amount; null if it can. */
export const faultOfTransfer = (rupees: number): string | null =>
  rupees <= limits.transferRupeesMax ? null : "No transfer brings more than ₹1,00,00,00,000; please check the amount";

const Amount = Rupees.refine((amount) => Number(amount) > 0, "Please enter an amount above zero").refine(
  (amount) => faultOfTransfer(Number(amount)) === null,
  { error: ({ input }) => faultOfTransfer(Number(input)) ?? "" },
);

const Percent = z
  .number("Please enter the percentage as a number, such as 10 or 0.1")
  .max(40, "Please enter at most 40")
  .multipleOf(0.01, "Please use at most two decimals");

/** A deduction by the buyer, at the rate that the buyer and its accountant state. */
export const Deducts = z.object({
  section: line(limits.documentNumberLengthMax, "Please name the section"),
  percent: Percent.min(0.01, "Please enter more than zero"),
});
export type Deducts = z.infer<typeof Deducts>;

/** How a quote can be paid other than online. */
export const WaysToPay = z.object({
  transfer: z.boolean(),
  /** Days of credit after the invoice; null where that is not offered. */
  credit_days: z.number().int().nullable(),
  deductions: z.array(Deducts),
});
export type WaysToPay = z.infer<typeof WaysToPay>;

export const TransferRequest = PaymentRequest.extend({
  way: z.enum(["transfer", "invoice"]),
  deducts: Deducts.optional(),
});
export type TransferRequest = z.infer<typeof TransferRequest>;

/** How to pay: by the proforma, or by the invoice. */
export const TransferOrder = z.object({
  order_id: z.uuid(),
  order_number: z.string(),
  document: z.string(),
  reference: z.string(),
  /** Without the deducted tax. */
  pay: Rupees,
  due_on: Day,
  bank: BankShown,
});
export type TransferOrder = z.infer<typeof TransferOrder>;

const StatementPreview = z.object({
  note: z.string().nullable(),
  rows: z.number().int(),
  /** Rows for outgoing money or without an amount, which are ignored. */
  skipped: z.number().int(),
  /** Rows that brought money under no reference of a bank, which are ignored too, and the first of them. */
  leftOut: z.number().int(),
  without: z.array(z.object({ line: z.number().int(), says: z.string() })),
  /** Rows that were imported before. */
  known: z.number().int(),
  matched: z.number().int(),
  total: Rupees,
  /** The first `contentLimits.previewRows`. */
  found: z.array(z.object({ line: z.number().int(), says: z.string() })),
  errors: z.number().int(),
  wrong: z.array(z.object({ line: z.number().int(), error: z.string() })),
});
export type StatementPreview = z.infer<typeof StatementPreview>;

/** Confirms an unlikely sum or day, because the entry can't be undone. */
export const IsMeant = z.boolean().default(false);

const AsideReason = line(limits.actionReasonLengthMax, "Please say why in a line");

const base64Max = Math.ceil(limits.certificateBytesMax / 3) * 4;

/** The certificate that the caller saw, identified by its file: the customer may have uploaded another since. */
const seenCertificate = { id: z.uuid(), pdf_url: z.string() };

export const transferOperations = {
  "user/ways-to-pay": operation({
    method: "get",
    summary: "How a quote can be paid besides online, and the sections under which customers may deduct tax",
    input: z.object({}),
    answer: WaysToPay,
  }),
  "user/orders/transfer": operation({
    method: "post",
    summary:
      "Buy a quote by bank transfer (a proforma invoice is made and mailed) or, once it is accepted, against invoice. 409 payment_in_progress while somebody pays for it online, and where a proforma with other details asks for it; takeOver goes on all the same",
    input: TransferRequest,
    answer: TransferOrder,
  }),
  "user/transfers/announce": operation({
    method: "post",
    summary: "Say that a transfer for an order was sent, with the bank's reference",
    input: z.object({ order_id: z.uuid(), utr: BankReference, amount: Amount, sent_on: Day }),
    answer: Message,
  }),
  "user/transfers/withdraw": operation({
    method: "post",
    summary: "Take back that a transfer was sent, such as one with a mistyped reference; 409 once it is matched",
    input: z.object({ id: z.uuid() }),
    answer: Message,
  }),
  "user/transfers/deduct": operation({
    method: "post",
    summary:
      "Say which tax is deducted of an invoice that is not paid, where the purchase did not say it: what has come may be all but that. 409 for another deduction than was said, and for more than is open",
    input: Deducts.extend({ order_id: z.uuid() }),
    answer: Message,
  }),
  "user/certificates/upload": operation({
    method: "post",
    summary: "Upload the certificate of deducted tax (Form 16A) as a PDF",
    input: z.object({
      id: z.uuid(),
      number: line(limits.documentNumberLengthMax, "Please enter the number of the certificate"),
      quarter: z.string().regex(/^\d{4}-\d{2} Q[1-4]$/, "Please choose a quarter, such as 2026-27 Q3"),
      amount: Amount,
      file: z
        .base64("Please choose a PDF")
        .min(1, "Please choose a PDF")
        .max(base64Max, "Please choose a PDF of at most 2 MB"),
    }),
    answer: Message,
    bodyBytesMax: base64Max + 2048,
  }),
  "admin/transfers": operation({
    method: "get",
    summary: `All transfers, the newest first; with open=true those that are not matched. ${transferList.summary}`,
    input: TransferQuery,
    answer: z.object({ transfers: z.array(Transfer), ...listPage }),
  }),
  "admin/transfers/record": operation({
    method: "post",
    summary:
      "Record a transfer that came. It pays the order of the proforma or invoice that is named; without one it waits. 409 for a reference that was recorded before, and for more than twice what is open unless that is meant",
    input: z.object({
      utr: BankReference,
      amount: Amount,
      received_on: Day,
      payer: line(limits.organizationLengthMax, "Please say who paid"),
      /** A proforma's or an invoice's number, a proforma's reference or an order's number. */
      pays: line(limits.documentNumberLengthMax).nullable(),
      is_meant: IsMeant,
    }),
    answer: Message,
  }),
  "admin/transfers/match": operation({
    method: "post",
    summary:
      "Say what a transfer pays that nobody could match. 409 for more than twice what is open unless that is meant",
    input: z.object({ id: z.uuid(), pays: line(limits.documentNumberLengthMax), is_meant: IsMeant }),
    answer: Message,
  }),
  "admin/transfers/enter-again": operation({
    method: "post",
    summary:
      "Take money off an order that belongs to another one: instead of being paid out, an agreed refund of transferred money is done, and its sum waits for a match as a transfer that came today. The credit note and the mail follow. A repeated call changes nothing; 409 for a refund that no single transfer had brought",
    input: z.object({ refund: z.uuid() }),
    answer: Message,
  }),
  "admin/transfers/set-aside": operation({
    method: "post",
    summary:
      "Say with a reason that a transfer is no customer's money, such as interest: it leaves those without a match. A repeated call changes nothing; 409 for one that is matched, or announced and not here",
    input: z.object({ id: z.uuid(), reason: AsideReason }),
    answer: Message,
  }),
  "admin/transfers/put-back": operation({
    method: "post",
    summary: "Put a transfer that was set aside back among those without a match. A repeated call changes nothing",
    input: z.object({ id: z.uuid() }),
    answer: Message,
  }),
  "admin/transfers/preview": operation({
    method: "post",
    summary: "What a bank statement says, what it pays, and what is wrong in which of its lines",
    input: z.object({ file: CsvFile }),
    answer: StatementPreview,
    bodyBytesMax: csvBodyBytesMax,
  }),
  "admin/transfers/import": operation({
    method: "post",
    summary: "Import a bank statement as a whole. The same file again, and transfers that are there, change nothing",
    input: z.object({ file: CsvFile, name: line(limits.settlementNameLengthMax, "Please name the file") }),
    answer: Message,
    bodyBytesMax: csvBodyBytesMax,
  }),
  "admin/certificates": operation({
    method: "get",
    summary: `Certificates of deducted tax that are not matched: the uploaded ones first. ${certificateList.summary}`,
    input: certificateList.query,
    answer: z.object({ certificates: z.array(Certificate), ...listPage }),
  }),
  "admin/certificates/owe-again": operation({
    method: "post",
    summary:
      "Turn deducted tax that nobody certified back into a debt, with a reason that the customer reads. Not before its certificate is due; a certificate that is matched later settles it again",
    input: z.object({ id: z.uuid(), reason: line(limits.actionReasonLengthMax, "Please say why in a line") }),
    answer: Message,
  }),
  "admin/certificates/correct": operation({
    method: "post",
    summary:
      "Correct which tax a buyer has said that it deducts, with a reason that it reads; at a rate of 0 nothing is deducted. 409 for more than is open, and once it is certified or owed again",
    input: Deducts.extend({
      id: z.uuid(),
      percent: Percent.min(0, "Please enter 0 or more"),
      reason: line(limits.actionReasonLengthMax, "Please say why in a line"),
    }),
    answer: Message,
  }),
  "admin/certificates/decide": operation({
    method: "post",
    summary:
      "Match an uploaded certificate with its claim, or refuse it with a reason. 409 for another one than waits by now",
    input: z.discriminatedUnion("decision", [
      z.object({ ...seenCertificate, decision: z.literal("matched") }),
      z.object({
        ...seenCertificate,
        decision: z.literal("refused"),
        reason: line(limits.actionReasonLengthMax, "Please say why in a line"),
      }),
    ]),
    answer: Message,
  }),
};
