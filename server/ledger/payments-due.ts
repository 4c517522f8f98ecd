import { and, eq, ne, type SQL, sql } from "drizzle-orm";
import { startOfWrittenDay, writtenDay } from "../../contract/india-time.ts";
import { rupees } from "../../contract/money.ts";
import { orderNumber } from "../../contract/numbers.ts";
import type { OpenDocument, PaymentsDue, Transfer } from "../../contract/receivables.ts";
import { organisationOf, type Scope } from "../access/scope.ts";
import type { Database } from "../database/database.ts";
import { invoices, orders, organisations, proformas, taxDeductions } from "../database/schema/index.ts";
import type { Services } from "../services.ts";
import { readSeller } from "../site-texts/site-texts.ts";
import { creditedPaise, deductibleOfPaise, isClosedByCredit } from "./deductible.ts";
import { findCertificates } from "./list-certificates.ts";
import { findTransfers } from "./list-transfers.ts";

/** Days since a document's due day; 0 if it is not overdue. */
export function daysOverdue(dueOn: string, now: Date): number {
  const today = startOfWrittenDay(writtenDay(now)).getTime();
  return Math.max(0, Math.round((today - startOfWrittenDay(dueOn).getTime()) / 86_400_000));
}

/** Shown of each kind; no organisation has this many open at once. */
const shownMax = 200;

/** What an organisation owes, and what it has paid by transfer; nothing for a null scope. */
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
    balance: rupees(Number(sums?.balance ?? 0)),
    to_pay: rupees(documents.reduce((sum, { open }) => sum + Math.max(0, Math.round(Number(open) * 100)), 0)),
    certificates_open: rupees(Number(sums?.certificates ?? 0)),
    documents,
    certificates: await findCertificates(database, ofOwn, shownMax),
    transfers: (await findTransfers(database, ofOwn, shownMax)).map(asAnnounced),
    bank: bank && { ...bank },
  };
}

async function findOpenDocuments(database: Database, ofOwn: SQL | undefined, now: Date): Promise<OpenDocument[]> {
  const rows = await database
    .select({
      order: orders,
      invoice: invoices,
      proforma: proformas,
      claim: taxDeductions,
      creditedPaise,
      isClosedByCredit,
    })
    .from(orders)
    .leftJoin(taxDeductions, eq(taxDeductions.orderId, orders.id))
    .leftJoin(invoices, eq(invoices.orderId, orders.id))
    .leftJoin(proformas, and(eq(proformas.orderId, orders.id), eq(proformas.state, "open")))
    .where(and(ofOwn, eq(orders.isUnsettled, true), ne(orders.openPaise, 0)))
    .orderBy(orders.dueOn, orders.id)
    .limit(shownMax);
  return rows.flatMap(({ order, invoice, proforma, claim, creditedPaise: credited, isClosedByCredit: closedBy }) => {
    const { openPaise } = order;
    const about = { order_id: order.id, order_number: orderNumber(order.serial), open: rupees(openPaise) };
    if (proforma)
      return { ...about, ...ofProforma(proforma), ...dueOf(proforma.dueOn, openPaise, now), deductible_of: null };
    if (!invoice) return [];
    const deductiblePaise = claim ? null : deductibleOfPaise(order, invoice, Number(credited), closedBy);
    return {
      ...about,
      ...ofInvoice(invoice, claim),
      ...dueOf(order.dueOn ?? writtenDay(invoice.issuedAt), openPaise, now),
      deductible_of: deductiblePaise === null ? null : rupees(deductiblePaise),
    };
  });
}

/** A credit is never overdue. */
const dueOf = (dueOn: string, openPaise: number, now: Date) => ({
  due_on: dueOn,
  days_overdue: openPaise > 0 ? daysOverdue(dueOn, now) : 0,
});

const ofProforma = ({ number, reference, file, payPaise }: typeof proformas.$inferSelect) => ({
  kind: "proforma" as const,
  number,
  reference,
  pdf_url: file,
  amount: rupees(payPaise),
});

/** Excludes deducted tax, unless it is owed again. */
const ofInvoice = (
  { number, file, content }: typeof invoices.$inferSelect,
  claim: typeof taxDeductions.$inferSelect | null,
) => ({
  kind: "invoice" as const,
  number,
  reference: number,
  pdf_url: file,
  amount: rupees(content.totalPaise - (claim?.debtSince === null ? claim.amountPaise : 0)),
});

/** Until a person matches a transfer, its customer sees only what they typed, and nothing that the bank says. */
const asAnnounced = (transfer: Transfer): Transfer => {
  const ofNobody = { ...transfer, payer: "", narration: "", suggestion: null };
  if (transfer.state === "seen") return { ...ofNobody, state: "announced" };
  return transfer.moved === transfer.amount ? ofNobody : transfer;
};
