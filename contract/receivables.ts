import { z } from "zod";
import { Day, Email, Instant, line, Message, Rupees } from "./fields.ts";
import { limits } from "./limits.ts";
import { type ListQuery, listOf, listPage, type SortOf } from "./lists.ts";
import { operation } from "./operation.ts";

/**
 * Kinds of ledger entries. Positive amounts are owed to us: invoices, refunds, deducted tax that was never certified, a
 * reversed write-off. All others are negative.
 */
const ledgerKinds = [
  "invoice",
  "invoice cancelled",
  "credit note",
  "payment",
  "refund",
  "tax deducted",
  "tax not certified",
  "tax certified",
  "write-off",
] as const;
export type LedgerKind = (typeof ledgerKinds)[number];

/**
 * seen: on a statement or recorded by an administrator, and not matched to what it pays yet. set_aside: no customer's
 * money, such as interest of the bank.
 */
export const TransferState = z.enum(["announced", "seen", "matched", "partly_matched", "set_aside"]);
export type TransferState = z.infer<typeof TransferState>;

/** States of a certificate of deducted tax. */
export const CertificateState = z.enum(["awaited", "uploaded", "matched", "refused"]);
export type CertificateState = z.infer<typeof CertificateState>;

/** Rupees, negative for a credit and for money that goes out. */
export const SignedRupees = z.string().regex(/^-?\d{1,13}\.\d{2}$/);

export const OpenDocument = z.object({
  order_id: z.uuid(),
  order_number: z.string(),
  kind: z.enum(["proforma", "invoice"]),
  number: z.string(),
  /** The reference that the payer gives with a transfer. */
  reference: z.string(),
  pdf_url: z.string().nullable(),
  /** What it asks for, without deducted tax. */
  amount: Rupees,
  /** The amount still open; negative for a credit. */
  open: SignedRupees,
  due_on: Day,
  /** 0 until it is due. */
  days_overdue: z.number().int(),
  /**
   * The part of an invoice of which its buyer can still declare a tax deduction: its value without GST, less credits.
   * Null once a deduction was declared, or if none can be. Where the tax on it exceeds the open amount, the money
   * received before the credit shows how much was deducted.
   */
  deductible_of: Rupees.nullable(),
});
export type OpenDocument = z.infer<typeof OpenDocument>;

export const Certificate = z.object({
  id: z.uuid(),
  order_number: z.string(),
  invoice_number: z.string(),
  organization_name: z.string(),
  section: z.string(),
  /** 0 for a deduction corrected to nothing; `amount` is then the one declared before. */
  percent: z.number(),
  amount: Rupees,
  state: CertificateState,
  number: z.string().nullable(),
  quarter: z.string().nullable(),
  /** The deduction according to the certificate. */
  certified: Rupees.nullable(),
  refusal: z.string(),
  pdf_url: z.string().nullable(),
  /** The first day on which it can be owed again for want of a certificate. */
  owed_again_from: Day,
  /** Its invoice was cancelled: nothing is owed on it, and no certificate is awaited. */
  is_cancelled: z.boolean(),
  /** Since when it is owed again, and why; null where it is not. */
  owed_again_since: Instant.nullable(),
  owed_again_because: z.string(),
});
export type Certificate = z.infer<typeof Certificate>;

export const certificateList = listOf(Certificate, {
  sorts: ["amount", "organization_name"],
  /** In descending order, uploaded certificates come first, then the latest claims. */
  named: { waiting: ["state", "owed_again_from"] },
  searched: ["invoice_number", "order_number", "organization_name", "number", "quarter"],
});
export type CertificateQuery = ListQuery<SortOf<typeof certificateList>>;

const RefundVoucher = z.object({ number: z.string(), amount: Rupees, pdf_url: z.string().nullable() });

export const Transfer = z.object({
  id: z.uuid(),
  utr: z.string(),
  state: TransferState,
  amount: Rupees,
  /** The part beyond what was to be paid. */
  excess: Rupees,
  /** How much of `excess` is still here as a credit. */
  excess_here: Rupees,
  received_on: Day,
  payer: z.string(),
  narration: z.string(),
  order_id: z.uuid().nullable(),
  order_number: z.string().nullable(),
  organization_name: z.string().nullable(),
  /** For an unmatched transfer: the open document with exactly this amount. */
  suggestion: z.string().nullable(),
  receipt_number: z.string().nullable(),
  receipt_url: z.string().nullable(),
  /** For the parts of an advance that were refunded. */
  refund_vouchers: z.array(RefundVoucher),
  /** How much of it was taken off its order again, as it belongs to another one. */
  moved: Rupees,
  /** Why it is no customer's money; empty unless it is set aside. */
  aside_because: z.string(),
});
export type Transfer = z.infer<typeof Transfer>;

export const transferList = listOf(Transfer, {
  sorts: ["amount"],
  named: { day: ["received_on"] },
  searched: ["utr", "payer", "narration", "order_number"],
});
export const TransferQuery = transferList.query.extend({ open: z.enum(["true", "false"]).default("false") });
export type TransferQuery = ListQuery<SortOf<typeof transferList>> & Pick<z.output<typeof TransferQuery>, "open">;

export const BankShown = z.object({
  accountName: z.string(),
  accountNumber: z.string(),
  ifsc: z.string(),
  bankName: z.string(),
});

export const PaymentsDue = z.object({
  organization_name: z.string(),
  /** Sum of the ledger. */
  balance: SignedRupees,
  /** What open proformas and invoices ask for; credits are not subtracted. */
  to_pay: Rupees,
  /** Deducted tax without a matched certificate. */
  certificates_open: Rupees,
  documents: z.array(OpenDocument),
  certificates: z.array(Certificate),
  transfers: z.array(Transfer),
  bank: BankShown.nullable(),
});
export type PaymentsDue = z.infer<typeof PaymentsDue>;

export const StatementRequest = z
  .object({ from: Day, to: Day, format: z.enum(["csv", "pdf"]) })
  .refine(({ from, to }) => from <= to, { path: ["to"], message: "The last day can't come before the first" })
  .refine(({ from, to }) => !(Date.parse(to) - Date.parse(from) >= limits.statementDaysMax * 24 * 3_600_000), {
    path: ["to"],
    message: `Please choose at most ${limits.statementDaysMax} days`,
  });
export type StatementRequest = z.infer<typeof StatementRequest>;
/** `content` in base64. */
const Statement = z.object({ fileName: z.string(), type: z.string(), content: z.base64() });
export type Statement = z.infer<typeof Statement>;

export const Receivable = z.object({
  id: z.uuid(),
  order_id: z.uuid(),
  order_number: z.string(),
  organization_name: z.string(),
  email: z.string(),
  /** Number of the invoice, or of the open proforma; empty where there is neither. */
  document: z.string(),
  is_invoiced: z.boolean(),
  due_on: Day.nullable(),
  days_overdue: z.number().int(),
  /** The amount still to come; negative for a credit. */
  open: SignedRupees,
  /** Deducted tax without a matched certificate. */
  certificate_open: Rupees,
  /** Whether any of its money came by bank transfer, so that a credit is returned as a refund of the order. */
  by_transfer: z.boolean(),
  /** The total of refunds that were requested and are not done yet. */
  going_back: Rupees,
  /** What somebody wants to write off and another main administrator has to agree to. */
  write_off_asked: Rupees,
});
export type Receivable = z.infer<typeof Receivable>;

export const receivableList = listOf(Receivable, {
  sorts: ["due_on", "organization_name", "open"],
  named: {},
  searched: ["order_number", "organization_name", "email"],
});
export type ReceivableQuery = ListQuery<SortOf<typeof receivableList>>;

/** Invoiced sums that are owed, by days overdue. What proformas ask for is not a debt and is given separately. */
export const Ageing = z.object({
  not_due: Rupees,
  days_1_30: Rupees,
  days_31_60: Rupees,
  days_61_90: Rupees,
  over_90: Rupees,
  owed: Rupees,
  credits: Rupees,
  expected: Rupees,
  certificates_open: Rupees,
});
export type Ageing = z.infer<typeof Ageing>;

const ofCustomer = z.object({ email: Email });

export const receivableOperations = {
  "user/payments-due": operation({
    method: "get",
    summary: "What the organization owes: open proformas and invoices, certificates of deducted tax, and its transfers",
    input: z.object({}),
    answer: PaymentsDue,
  }),
  "user/statement": operation({
    method: "post",
    summary: "The organization's statement of account, as CSV or PDF in base64",
    input: StatementRequest,
    answer: Statement,
  }),
  "partner/payments-due": operation({
    method: "get",
    summary: "What a customer of the partner owes",
    input: ofCustomer,
    answer: PaymentsDue,
  }),
  "partner/statement": operation({
    method: "post",
    summary: "The statement of account of a customer of the partner",
    input: StatementRequest.safeExtend({ email: Email }),
    answer: Statement,
  }),
  "admin/payments-due": operation({
    method: "get",
    summary: "What a customer owes",
    input: ofCustomer,
    answer: PaymentsDue,
  }),
  "admin/statement": operation({
    method: "post",
    summary: "The statement of account of a customer",
    input: StatementRequest.safeExtend({ email: Email }),
    answer: Statement,
  }),
  "admin/receivables": operation({
    method: "get",
    summary: `Orders of which something is open: money, a credit, or a certificate of deducted tax. ${receivableList.summary}`,
    input: receivableList.query,
    answer: z.object({ receivables: z.array(Receivable), ...listPage }),
  }),
  "admin/receivables/ageing": operation({
    method: "get",
    summary: "What all customers owe, by how long it has been due",
    input: z.object({}),
    answer: Ageing,
  }),
  "admin/receivables/settle": operation({
    method: "post",
    summary:
      "Write off what is owed of an order, or the small rest of a proforma by which money has come, which makes its invoice; or note that a credit was given back by hand, with a reason. A write-off above the operator's limit waits for another main administrator. The id makes a repeated call harmless",
    input: z.object({
      id: z.uuid(),
      order_id: z.uuid(),
      kind: z.enum(["write-off", "given back"]),
      amount: Rupees.refine((amount) => Number(amount) > 0, "Please enter an amount above zero"),
      reason: line(limits.actionReasonLengthMax, "Please say why in a line"),
    }),
    answer: Message,
  }),
};
