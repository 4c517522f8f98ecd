import { desc, eq, type SQL, sql } from "drizzle-orm";
import { dayAfter, writtenDay } from "../../contract/india-time.ts";
import { rupees } from "../../contract/money.ts";
import { type Certificate, certificateList, type CertificateQuery } from "../../contract/receivables.ts";
import { certificateDueOn } from "../../contract/tax-certificates.ts";
import type { Scope } from "../access/scope.ts";
import type { Database } from "../database/database.ts";
import { listFrom, type RowOf } from "../database/list.ts";
import { listPage } from "../database/list-page.ts";
import { orders, taxDeductions } from "../database/schema/index.ts";
import type { Services } from "../services.ts";

const fields = {
  id: taxDeductions.id,
  orderNumber: taxDeductions.orderNumber,
  invoiceNumber: taxDeductions.invoiceNumber,
  organisationName: taxDeductions.organisationName,
  section: taxDeductions.section,
  basisPoints: taxDeductions.basisPoints,
  amountPaise: taxDeductions.amountPaise,
  state: taxDeductions.state,
  certificateNumber: taxDeductions.certificateNumber,
  quarter: taxDeductions.quarter,
  certificatePaise: taxDeductions.certificatePaise,
  refusal: taxDeductions.refusal,
  file: taxDeductions.file,
  claimedAt: taxDeductions.claimedAt,
  debtSince: taxDeductions.debtSince,
  debtBy: taxDeductions.debtBy,
  debtReason: taxDeductions.debtReason,
};
type Row = RowOf<typeof fields>;

const openCertificates = listFrom(certificateList, {
  table: taxDeductions,
  fields,
  where: sql`${taxDeductions.isOpen}`,
  id: taxDeductions.id,
  newest: "waiting",
  searched: taxDeductions.searched,
  sorts: {
    waiting: taxDeductions.rankedAt,
    amount: taxDeductions.amountPaise,
    organization_name: sql`lower(${taxDeductions.organisationName})`,
  },
});

/** All organisations' certificates that are not matched, uploaded ones first. */
export async function listCertificates({ database }: Services, _scope: Scope<"any">, query: CertificateQuery) {
  const { rows, ...page } = await listPage(database, openCertificates, null, query);
  return { certificates: rows.map(present), ...page };
}

/** The certificates of some orders: uploaded ones first, matched ones last, each group newest first. */
export async function findCertificates(
  database: Database,
  ofSomeOrders: SQL | undefined,
  limit: number,
): Promise<Certificate[]> {
  const rows = await database
    .select(fields)
    .from(taxDeductions)
    .innerJoin(orders, eq(orders.id, taxDeductions.orderId))
    .where(ofSomeOrders)
    .orderBy(
      sql`case ${taxDeductions.state} when 'uploaded' then 0 when 'matched' then 2 else 1 end`,
      desc(taxDeductions.claimedAt),
    )
    .limit(limit);
  return rows.map(present);
}

const present = (row: Row): Certificate => ({
  id: row.id,
  order_number: row.orderNumber,
  invoice_number: row.invoiceNumber,
  organization_name: row.organisationName,
  section: row.section,
  percent: row.basisPoints / 100,
  amount: rupees(row.amountPaise),
  state: row.state,
  number: row.certificateNumber,
  quarter: row.quarter,
  certified: row.certificatePaise === null ? null : rupees(row.certificatePaise),
  refusal: row.refusal,
  pdf_url: row.file,
  owed_again_from: dayAfter(certificateDueOn(writtenDay(row.claimedAt))),
  ...debtOf(row),
});

/** A claim that was corrected to nothing: its sum is what was declared before, and is owed. */
export const isOfNothing = ({ basisPoints }: Pick<Row, "basisPoints">): boolean => basisPoints === 0;

/** A claim that ended with its invoice: nobody turned it into a debt, and no certificate is awaited. */
export const isOfCancelledInvoice = ({ debtSince, debtBy }: Pick<Row, "debtSince" | "debtBy">): boolean =>
  debtSince !== null && debtBy === null;

function debtOf(row: Row) {
  if (isOfCancelledInvoice(row)) return { is_cancelled: true, owed_again_since: null, owed_again_because: "" };
  return {
    is_cancelled: false,
    owed_again_since: row.debtSince?.toISOString() ?? null,
    owed_again_because: row.debtReason,
  };
}
