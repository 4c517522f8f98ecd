import { and, eq, gte } from "drizzle-orm";
import { rupees } from "../../contract/money.ts";
import type { PartnerDashboard } from "../../contract/reports.ts";
import { organisationsIn, type Scope } from "../access/scope.ts";
import { organisations } from "../database/schema/index.ts";
import type { Services } from "../services.ts";
import { lastMonths } from "./months.ts";
import { countPaidOrders } from "./paid-orders.ts";

/** The figures of a partner organisation. Orders count when and while they are paid. */
export async function findPartnerDashboard(services: Services, scope: Scope<"customers">): Promise<PartnerDashboard> {
  const months = lastMonths(services.now());
  const thisMonth = months.at(-1)?.start ?? services.now();
  const customers = and(organisationsIn(scope), eq(organisations.kind, "customer"));
  const [totalUsers, usersThisMonth, { total, byMonth }] = await Promise.all([
    services.database.$count(organisations, customers),
    services.database.$count(organisations, and(customers, gte(organisations.createdAt, thisMonth))),
    countPaidOrders(services, months, scope),
  ]);
  return {
    totalUsers,
    totalOrders: total.orders,
    totalOrderValue: rupees(total.paise),
    usersThisMonth,
    ordersThisMonth: byMonth.at(-1)?.orders ?? 0,
    orderValueThisMonth: rupees(byMonth.at(-1)?.paise ?? 0),
    months: months.map(({ name }, index) => ({
      month: name,
      orders: byMonth[index]?.orders ?? 0,
      value: rupees(byMonth[index]?.paise ?? 0),
    })),
  };
}
