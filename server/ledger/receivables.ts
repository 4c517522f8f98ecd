import { type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { startOfWrittenDay, writtenDay } from "../../contract/india-time.ts";
import { rupees } from "../../contract/money.ts";
import { orderNumber } from "../../contract/numbers.ts";
import { type Ageing, type Receivable, receivableList, type ReceivableQuery } from "../../contract/receivables.ts";
import type { Scope } from "../access/scope.ts";
import type { Database } from "../database/database.ts";
import { foldRows } from "../database/fold-rows.ts";
import { listFrom, type RowOf } from "../database/list.ts";
import { listPage } from "../database/list-page.ts";
import { orders, owedFigures } from "../database/schema/index.ts";
import type { Services } from "../services.ts";
import { daysOverdue } from "./payments-due.ts";
import { openRefundStates } from "./refund-sums.ts";

/** As literals, because the SQL of a list may have no parameters. */
const goingBack = sql.raw(openRefundStates.map((state) => `'${state}'`).join(", "));

const unsettledOrders = listFrom(receivableList, {
  table: orders,
  fields: {
    id: orders.id,
    serial: orders.serial,
    organisationName: orders.organisationName,
    buyerEmail: orders.buyerEmail,
    invoiceNumber: orders.invoiceNumber,
    dueOn: sql<string | null>`due_on::text`,
    openPaise: orders.openPaise,
    taxOpenPaise: orders.taxOpenPaise,
    byTransfer: sql<boolean>`(select count(*) > 0 from transfers where transfers.order_id = orders.id
      and transfers.state in ('matched', 'partly_matched'))`,
    goingBackPaise: sql<number>`(select coalesce(sum(amount_paise), 0)::bigint from refunds
      where refunds.order_id = orders.id and refunds.state in (${goingBack}))`,
    writeOffPaise: sql<number>`(select coalesce(sum(amount_paise), 0)::bigint from write_off_requests
      where write_off_requests.order_id = orders.id and write_off_requests.state = 'asked')`,
    proforma: sql<
      string | null
    >`(select number from proformas where proformas.order_id = orders.id and proformas.state = 'open')`,
  },
  where: sql`is_unsettled`,
  id: orders.id,
  searched: orders.searched,
  sorts: {
    due_on: orders.sortedDueOn,
    organization_name: sql`lower(${orders.organisationName})`,
    open: orders.openPaise,
  },
  countedBy: "orders_unsettled_by_id",
});

/** All orders with something open. */
export async function listReceivables({ database, now }: Services, _scope: Scope<"any">, query: ReceivableQuery) {
  const { rows, ...page } = await listPage(database, unsettledOrders, null, query);
  return { receivables: rows.map((row) => present(row, now())), ...page };
}

function present(row: RowOf<(typeof unsettledOrders)["fields"]>, now: Date): Receivable {
  return {
    id: row.id,
    order_id: row.id,
    order_number: orderNumber(row.serial),
    organization_name: row.organisationName,
    email: row.buyerEmail,
    document: row.invoiceNumber || (row.proforma ?? ""),
    is_invoiced: row.invoiceNumber !== "",
    due_on: row.dueOn,
    days_overdue: row.dueOn === null || row.openPaise <= 0 ? 0 : daysOverdue(row.dueOn, now),
    open: rupees(row.openPaise),
    certificate_open: rupees(row.taxOpenPaise),
    by_transfer: row.byTransfer,
    going_back: rupees(row.goingBackPaise),
    write_off_asked: rupees(row.writeOffPaise),
  };
}

/** What all customers owe, by how long it has been due. */
export async function findAgeing({ database, now }: Services, _scope: Scope<"any">): Promise<Ageing> {
  const today = startOfWrittenDay(writtenDay(now()));
  const before = (days: number) => writtenDay(new Date(today.getTime() - days * 86_400_000));
  const { owedPaise, creditPaise, expectedPaise, taxOpenPaise } = owedFigures;
  const sumOf = (column: PgColumn) => sql<string>`coalesce(sum(${column}), 0)`;
  const owedWhen = (condition: SQL) => sql<string>`coalesce(sum(${owedPaise}) filter (where ${condition}), 0)`;
  const [sums] = await database
    .select({
      notDue: owedWhen(sql`due_on >= ${before(0)}`),
      to30: owedWhen(sql`due_on < ${before(0)} and due_on >= ${before(30)}`),
      to60: owedWhen(sql`due_on < ${before(30)} and due_on >= ${before(60)}`),
      to90: owedWhen(sql`due_on < ${before(60)} and due_on >= ${before(90)}`),
      over90: owedWhen(sql`due_on < ${before(90)}`),
      owed: sumOf(owedPaise),
      credits: sumOf(creditPaise),
      expected: sumOf(expectedPaise),
      certificates: sumOf(taxOpenPaise),
    })
    .from(owedFigures);
  const shown = (sum: string | undefined) => rupees(Number(sum ?? 0));
  return {
    not_due: shown(sums?.notDue),
    days_1_30: shown(sums?.to30),
    days_31_60: shown(sums?.to60),
    days_61_90: shown(sums?.to90),
    over_90: shown(sums?.over90),
    owed: shown(sums?.owed),
    credits: shown(sums?.credits),
    expected: shown(sums?.expected),
    certificates_open: shown(sums?.certificates),
  };
}

/** Folds the changes of each due day into one row. */
export const foldOwedFigures = (database: Database): Promise<void> =>
  foldRows(database, "owed_figures", ["due_on"], ["owed_paise", "credit_paise", "expected_paise", "tax_open_paise"]);
