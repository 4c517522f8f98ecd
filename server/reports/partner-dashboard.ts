import { rupees } from "../../contract/money.ts";
import type { PartnerDashboard } from "../../contract/reports.ts";
import type { Scope } from "../access/scope.ts";
import type { Services } from "../services.ts";
import { readFigures } from "./figures.ts";
import { lastMonths } from "./months.ts";

/** The figures of a partner organisation. An order counts from when it is paid, and only while it stays paid. */
export async function findPartnerDashboard(services: Services, scope: Scope<"customers">): Promise<PartnerDashboard> {
  const { total, byMonth } = await readFigures(services, lastMonths(services.now()), scope);
  const thisMonth = byMonth.at(-1) ?? total;
  return {
    totalUsers: total.customers,
    totalOrders: total.orders,
    totalOrderValue: rupees(total.paise),
    usersThisMonth: thisMonth.customers,
    ordersThisMonth: thisMonth.orders,
    orderValueThisMonth: rupees(thisMonth.paise),
    months: byMonth.map(({ month, orders, paise }) => ({ month, orders, value: rupees(paise) })),
  };
}
