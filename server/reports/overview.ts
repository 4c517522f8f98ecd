import { eq } from "drizzle-orm";
import { rupees } from "../../contract/money.ts";
import type { FailedMail, Overview } from "../../contract/reports.ts";
import type { Scope } from "../access/scope.ts";
import { people } from "../database/schema/index.ts";
import { listOrdersToReview } from "../orders/queries.ts";
import { listCustomersWithoutDashboards } from "../people/queries.ts";
import { listAllQuotes, listQuotesToConfirm } from "../quotes/queries.ts";
import type { Services } from "../services.ts";
import { lastMonths, type Month } from "./months.ts";
import { countPaidOrders, startsOf } from "./paid-orders.ts";

const shownMax = 5;

/** What an administrator sees first: how business goes, and what needs a look. */
export async function findOverview(services: Services, scope: Scope<"any">): Promise<Overview> {
  const [business, { estimation: latestLeads }, waiting, customersWithoutDashboards, failedMails, paymentsToReview] =
    await Promise.all([
      findBusiness(services, scope),
      listAllQuotes(services, scope, { limit: shownMax, sort: "-created_at" }),
      listQuotesToConfirm(services, scope, { limit: shownMax }),
      listCustomersWithoutDashboards(services, scope, shownMax),
      findFailedMails(services, scope),
      listOrdersToReview(services, scope, shownMax),
    ]);
  const quotesToConfirm = { quotes: waiting.estimation, total: waiting.total };
  return { ...business, latestLeads, quotesToConfirm, customersWithoutDashboards, failedMails, paymentsToReview };
}

async function findBusiness(services: Services, scope: Scope<"any">): Promise<Pick<Overview, "months" | "totals">> {
  const months = lastMonths(services.now());
  const { database } = services;
  const [customers, partners, paid, leads] = await Promise.all([
    database.$count(people, eq(people.role, "user")),
    database.$count(people, eq(people.role, "partner")),
    countPaidOrders(services, months, scope),
    countLeads(services, scope, months),
  ]);
  return {
    totals: {
      customers,
      partners,
      orders: paid.total.orders,
      revenue: rupees(paid.total.paise),
      leads: leads.total,
      // Each order is one quote's.
      converted: paid.total.orders,
    },
    months: months.map(({ name }, index) => ({
      month: name,
      revenue: rupees(paid.byMonth[index]?.paise ?? 0),
      orders: paid.byMonth[index]?.orders ?? 0,
      leads: leads.byMonth[index]?.leads ?? 0,
      converted: leads.byMonth[index]?.converted ?? 0,
    })),
  };
}

/** Quotes by the month they were sent in, and how many of these are paid by now. */
async function countLeads({ database }: Services, _scope: Scope<"any">, months: Month[]) {
  const { rows } = await database.$client.query<{ month: number; leads: string; converted: string }>({
    name: "leads_by_month",
    text: `select width_bucket(quotes.created_at, $1::timestamptz[]) as month, count(*) as leads, count(orders.id) as converted
      from quotes left join orders on orders.quote_id = quotes.id and orders.state = 'success' group by 1`,
    values: [startsOf(months)],
  });
  const byMonth = months.map((_, index) => {
    const row = rows.find(({ month }) => month === index + 1);
    return { leads: Number(row?.leads ?? 0), converted: Number(row?.converted ?? 0) };
  });
  return { total: rows.reduce((total, { leads }) => total + Number(leads), 0), byMonth };
}

type MailRow = Omit<FailedMail, "kind" | "lastError" | "created_at"> & {
  event_key: string;
  last_error: string;
  created_at: Date;
  total: number;
};

async function findFailedMails({ database }: Services, _scope: Scope<"any">): Promise<Overview["failedMails"]> {
  const { rows } = await database.$client.query<MailRow>({
    name: "failed_mails",
    text: `select recipient, event_key, tries, last_error, created_at, count(*) over ()::int as total from mails
      where sent_at is null and tries > 0 and last_error is not null order by created_at desc, id desc limit $1`,
    values: [shownMax],
  });
  const mails = rows.map(({ recipient, event_key, tries, last_error, created_at }) => ({
    recipient,
    kind: event_key.split(":")[0] ?? "",
    tries,
    lastError: last_error,
    created_at: created_at.toISOString(),
  }));
  return { mails, total: rows[0]?.total ?? 0 };
}
