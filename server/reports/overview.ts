import { limits } from "../../contract/limits.ts";
import { rupees } from "../../contract/money.ts";
import type { FailedMail, Overview } from "../../contract/reports.ts";
import type { Scope } from "../access/scope.ts";
import { listOrdersToReview } from "../orders/queries.ts";
import { listCustomersWithoutDashboards } from "../people/queries.ts";
import { listAllQuotes, listQuotesToConfirm } from "../quotes/queries.ts";
import type { Services } from "../services.ts";
import { readFigures } from "./figures.ts";
import { lastMonths } from "./months.ts";

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
  const { total, totalIsCapped } = waiting;
  const quotesToConfirm = { quotes: waiting.estimation, total, totalIsCapped };
  return { ...business, latestLeads, quotesToConfirm, customersWithoutDashboards, failedMails, paymentsToReview };
}

async function findBusiness(services: Services, scope: Scope<"any">): Promise<Pick<Overview, "months" | "totals">> {
  const months = lastMonths(services.now());
  const { total, byMonth } = await readFigures(services, months, scope);
  return {
    totals: {
      customers: total.customers,
      partners: total.partners,
      orders: total.orders,
      revenue: rupees(total.paise),
      leads: total.leads,
      converted: total.converted,
    },
    months: byMonth.map(({ month, paise, orders, leads, converted }) => ({
      month,
      revenue: rupees(paise),
      orders,
      leads,
      converted,
    })),
  };
}

type MailRow = Omit<FailedMail, "kind" | "lastError" | "created_at"> & {
  event_key: string;
  last_error: string;
  created_at: Date;
  total: number;
};

const hasFailed = "sent_at is null and tries > 0 and last_error is not null";

async function findFailedMails({ database }: Services, _scope: Scope<"any">): Promise<Overview["failedMails"]> {
  const { rows } = await database.$client.query<MailRow>({
    name: "failed_mails",
    text: `select recipient, event_key, tries, last_error, created_at,
        (select count(*)::int from (select from mails where ${hasFailed} limit ${limits.countedMax + 1}) as failed) as total
      from mails where ${hasFailed} order by created_at desc, id desc limit $1`,
    values: [shownMax],
  });
  const mails = rows.map(({ recipient, event_key, tries, last_error, created_at }) => ({
    recipient,
    kind: event_key.split(":")[0] ?? "",
    tries,
    lastError: last_error,
    created_at: created_at.toISOString(),
  }));
  const total = rows[0]?.total ?? 0;
  return { mails, total: Math.min(total, limits.countedMax), totalIsCapped: total > limits.countedMax };
}
