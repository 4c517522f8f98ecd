import { and, desc, eq, inArray, isNotNull, isNull, or, type SQL, sql } from "drizzle-orm";
import { dayAfter, startOfWrittenDay, writtenDay } from "../../contract/india-time.ts";
import { rupees, signedRupees } from "../../contract/money.ts";
import { orderNumber } from "../../contract/numbers.ts";
import type { Certificate, OpenDocument, PaymentsDue, Transfer } from "../../contract/receivables.ts";
import { certificateDueOn } from "../../contract/tax-certificates.ts";
import { organisationOf, type Scope } from "../access/scope.ts";
import type { Database } from "../database/database.ts";
import {
  invoices,
  orders,
  organisations,
  proformas,
  receipts,
  taxDeductions,
  transfers,
} from "../database/schema/index.ts";
import type { Services } from "../services.ts";
import { readSeller } from "../site-texts/site-texts.ts";

/** How many days after its due day a document is; 0 while it is not due. */
export function daysOverdue(dueOn: string, now: Date): number {
  const today = startOfWrittenDay(writtenDay(now)).getTime();
  return Math.max(0, Math.round((today - startOfWrittenDay(dueOn).getTime()) / 86_400_000));
}

/** So many of each are shown; no organisation has as many open at once. */
const shownMax = 200;

/** What an organisation owes, and what it has paid by transfer; for null as of one that has nothing. */
export async function findPaymentsDue(
  { database, now }: Services,
  scope: Scope<"organisation"> | null,
): Promise<PaymentsDue> {
  const ofOwn = eq(orders.organisationId, organisationOf(scope));
  const [sums] = await database
    .select({
      balance: sql<string>`coalesce(sum(owed_paise), 0)`,
      certificates: sql<string>`coalesce(sum(tax_open_paise), 0)`,
    })
    .from(orders)
    .where(and(ofOwn, eq(orders.isUnsettled, true)));
  const [organisation] = await database
    .select({ name: sql<string>`coalesce(${organisations.legalName}, ${organisations.name})` })
    .from(organisations)
    .where(eq(organisations.id, organisationOf(scope)));
  const documents = await findOpenDocuments(database, ofOwn, now());
  const { bank } = await readSeller(database);
  return {
    organization_name: organisation?.name ?? "",
    balance: signedRupees(Number(sums?.balance ?? 0)),
    to_pay: rupees(documents.reduce((sum, { open }) => sum + Math.max(0, Math.round(Number(open) * 100)), 0)),
    certificates_open: rupees(Number(sums?.certificates ?? 0)),
    documents,
    certificates: await findCertificates(database, ofOwn),
    transfers: (await findTransfers(database, ofOwn)).map(asAnnounced),
    bank: bank && { ...bank },
  };
}

async function findOpenDocuments(database: Database, ofOwn: SQL | undefined, now: Date): Promise<OpenDocument[]> {
  const rows = await database
    .select({ order: orders, invoice: invoices, proforma: proformas, owedAgain: taxDeductions.debtSince })
    .from(orders)
    .leftJoin(taxDeductions, eq(taxDeductions.orderId, orders.id))
    .leftJoin(invoices, eq(invoices.orderId, orders.id))
    .leftJoin(proformas, and(eq(proformas.orderId, orders.id), eq(proformas.state, "open")))
    .where(and(ofOwn, eq(orders.isUnsettled, true), sql`owed_paise + expected_paise <> 0`))
    .orderBy(orders.dueOn, orders.id)
    .limit(shownMax);
  return rows.flatMap(({ order, invoice, proforma, owedAgain }): OpenDocument[] => {
    const about = {
      order_id: order.id,
      order_number: orderNumber(order.serial),
      open: signedRupees(order.owedPaise + order.expectedPaise),
    };
    if (proforma) return [{ ...about, ...ofProforma(proforma), ...dueOf(proforma.dueOn, now) }];
    if (invoice)
      return [
        {
          ...about,
          ...ofInvoice(invoice, owedAgain !== null),
          ...dueOf(order.dueOn ?? writtenDay(invoice.issuedAt), now),
        },
      ];
    return [];
  });
}

const dueOf = (dueOn: string, now: Date) => ({ due_on: dueOn, days_overdue: daysOverdue(dueOn, now) });

const ofProforma = ({ number, reference, file, payPaise }: typeof proformas.$inferSelect) => ({
  kind: "proforma" as const,
  number,
  reference,
  pdf_url: file,
  amount: rupees(payPaise),
});

/** Tax that was deducted is none of it, unless it is owed again. */
const ofInvoice = ({ number, file, content }: typeof invoices.$inferSelect, isTaxOwed: boolean) => ({
  kind: "invoice" as const,
  number,
  reference: number,
  pdf_url: file,
  amount: rupees(content.totalPaise - (isTaxOwed ? 0 : (content.taxDeducted?.amountPaise ?? 0))),
});

/** Those of some orders, the newest first. */
async function findCertificates(database: Database, some: SQL | undefined): Promise<Certificate[]> {
  const rows = await database
    .select({ claim: taxDeductions, order: orders })
    .from(taxDeductions)
    .innerJoin(orders, eq(orders.id, taxDeductions.orderId))
    .where(some)
    .orderBy(
      sql`case ${taxDeductions.state} when 'uploaded' then 0 when 'matched' then 2 else 1 end`,
      desc(taxDeductions.claimedAt),
    )
    .limit(shownMax);
  return rows.map(({ claim, order }) => ({
    id: claim.id,
    order_number: orderNumber(order.serial),
    invoice_number: order.invoiceNumber,
    organization_name: order.organisationName,
    section: claim.section,
    percent: claim.basisPoints / 100,
    amount: rupees(claim.amountPaise),
    state: claim.state,
    number: claim.certificateNumber,
    quarter: claim.quarter,
    certified: claim.certificatePaise === null ? null : rupees(claim.certificatePaise),
    refusal: claim.refusal,
    pdf_url: claim.file,
    owed_again_from: dayAfter(certificateDueOn(writtenDay(claim.claimedAt))),
    ...debtOf(claim),
  }));
}

/** A claim ended with its invoice: nobody has turned it into a debt, and no certificate is awaited. */
export const isOfCancelledInvoice = ({
  debtSince,
  debtBy,
}: Pick<typeof taxDeductions.$inferSelect, "debtSince" | "debtBy">): boolean => debtSince !== null && debtBy === null;

function debtOf(claim: typeof taxDeductions.$inferSelect) {
  if (isOfCancelledInvoice(claim)) return { is_cancelled: true, owed_again_since: null, owed_again_because: "" };
  return {
    is_cancelled: false,
    owed_again_since: claim.debtSince?.toISOString() ?? null,
    owed_again_because: claim.debtReason,
  };
}

/** The certificates of everybody that are not matched: the uploaded ones first. */
export const listCertificates = ({ database }: Services, _scope: Scope<"any">): Promise<Certificate[]> =>
  findCertificates(
    database,
    or(
      eq(taxDeductions.state, "uploaded"),
      and(
        inArray(taxDeductions.state, ["awaited", "refused"]),
        or(isNull(taxDeductions.debtSince), isNotNull(taxDeductions.debtBy)),
      ),
    ),
  );

/** Transfers for some orders, the newest first. */
async function findTransfers(database: Database, some: SQL | undefined): Promise<Transfer[]> {
  const rows = await database
    .select({
      transfer: transfers,
      order: orders,
      receipt: receipts,
      vouchers: vouchersOfReceipt,
      suggestion: suggestionFor,
    })
    .from(transfers)
    .leftJoin(orders, eq(orders.id, transfers.orderId))
    .leftJoin(receipts, eq(receipts.transferId, transfers.id))
    .where(some)
    .orderBy(desc(transfers.createdAt), desc(transfers.id))
    .limit(shownMax);
  return rows.map(({ transfer, order, receipt, vouchers, suggestion }) => ({
    id: transfer.id,
    utr: transfer.utr,
    state: transfer.state,
    amount: rupees(transfer.amountPaise),
    excess: rupees(transfer.excessPaise),
    received_on: transfer.receivedOn,
    payer: transfer.payer,
    narration: transfer.narration,
    order_id: order?.id ?? null,
    order_number: order && orderNumber(order.serial),
    organization_name: order?.organisationName ?? null,
    suggestion,
    receipt_number: receipt?.number ?? null,
    receipt_url: receipt?.file ?? null,
    refund_vouchers: vouchers.map(({ number, paise, file }) => ({ number, amount: rupees(paise), pdf_url: file })),
  }));
}

/** The refund vouchers of a receipt as JSON, asked for the rows that are shown only. */
const vouchersOfReceipt = sql<{ number: string; paise: number; file: string | null }[]>`(
  select coalesce(json_agg(json_build_object('number', back.number, 'paise', (back.content->>'totalPaise')::bigint,
    'file', back.file) order by back.id), '[]') from refund_vouchers back where back.receipt_id = ${receipts.id})`;

/** Until a person has matched it, a customer reads of a transfer what it has typed, and nothing of what the bank says. */
const asAnnounced = (transfer: Transfer): Transfer =>
  transfer.state === "seen"
    ? { ...transfer, state: "announced", payer: "", narration: "", suggestion: null }
    : transfer;

/** The newest transfers of everybody, or those that are not matched. */
export const listTransfers = ({ database }: Services, _scope: Scope<"any">, open: boolean): Promise<Transfer[]> =>
  findTransfers(database, open ? or(eq(transfers.state, "announced"), eq(transfers.state, "seen")) : undefined);

/** Of open documents the only one that asks for just this sum: for a person to look at, nothing is matched by it. */
const suggestionFor = sql<string | null>`case when ${transfers.state} = 'seen' then (
  select min(coalesce(nullif(owing.invoice_number, ''), asked.number))
  from orders owing left join proformas asked on asked.order_id = owing.id and asked.state = 'open'
  where owing.is_unsettled and owing.owed_paise + owing.expected_paise = ${transfers.amountPaise}
  having count(*) = 1) end`;
