import { type ActionQueue, actionQueueNames } from "../../contract/action-queues.ts";
import { rupees } from "../../contract/money.ts";
import type { Overview } from "../../contract/reports.ts";
import type { Scope } from "../access/scope.ts";
import { listActions } from "../actions/queries.ts";
import { listCustomersWithoutDashboards } from "../people/queries.ts";
import { listQuotesOfLeads, listQuotesToConfirm } from "../quotes/queries.ts";
import type { Services } from "../services.ts";
import { readFigures } from "./figures.ts";
import { lastMonths } from "./months.ts";

const shownMax = 5;

/** The administrator's start page: how business goes, and what needs attention. */
export async function findOverview(services: Services, scope: Scope<"any">): Promise<Overview> {
  const [business, { estimation: latestLeads }, waiting, customersWithoutDashboards, actions] = await Promise.all([
    findBusiness(services, scope),
    listQuotesOfLeads(services, scope, { limit: shownMax, sort: "-created_at" }),
    listQuotesToConfirm(services, scope, { limit: shownMax }),
    listCustomersWithoutDashboards(services, scope, shownMax),
    Promise.all(actionQueueNames.map((queue) => findOpenActions(services, scope, queue))),
  ]);
  const { total, totalIsCapped } = waiting;
  const quotesToConfirm = { quotes: waiting.estimation, total, totalIsCapped };
  return { ...business, latestLeads, quotesToConfirm, customersWithoutDashboards, actions };
}

async function findOpenActions(services: Services, scope: Scope<"any">, queue: ActionQueue) {
  const query = { queue, state: "open", limit: shownMax } as const;
  const { items, total, totalIsCapped } = await listActions(services, scope, query);
  return { queue, items, total, totalIsCapped };
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
