import { z } from "zod";
import { ActionItem, ActionQueueName } from "./actions.ts";
import { Email, Rupees } from "./fields.ts";
import { counted } from "./lists.ts";
import { operation } from "./operation.ts";
import { ListedPerson } from "./people.ts";
import { Quote } from "./quotes.ts";

/** A calendar month in India: "2026-01". */
const Month = z.string().regex(/^\d{4}-\d{2}$/);
const Count = z.number().int();

/** Orders count once paid, in the month of payment; months are India's. */
export const PartnerDashboard = z.object({
  totalUsers: Count,
  totalOrders: Count,
  totalOrderValue: Rupees,
  usersThisMonth: Count,
  ordersThisMonth: Count,
  orderValueThisMonth: Rupees,
  /** Beyond the specification: the last twelve months, oldest first, this one included. */
  months: z.array(z.object({ month: Month, orders: Count, value: Rupees })).length(12),
});
export type PartnerDashboard = z.infer<typeof PartnerDashboard>;

/** An administrator's start page. Lists hold the first five; `total` counts all, up to 10,000. */
export const Overview = z.object({
  /**
   * The last twelve months, oldest first, this one included. Revenue and orders are by month of payment, with GST and
   * before credit notes; leads (estimates sent) are by the month they came in, and `converted` counts those paid by
   * now.
   */
  months: z
    .array(z.object({ month: Month, revenue: Rupees, orders: Count, leads: Count, converted: Count }))
    .length(12),
  totals: z.object({
    customers: Count,
    partners: Count,
    orders: Count,
    revenue: Rupees,
    leads: Count,
    converted: Count,
  }),
  latestLeads: z.array(Quote),
  quotesToConfirm: z.object({ quotes: z.array(Quote), ...counted }),
  customersWithoutDashboards: z.object({ customers: z.array(ListedPerson), ...counted }),
  /** Open entries of each action queue. */
  actions: z.array(z.object({ queue: ActionQueueName, items: z.array(ActionItem), ...counted })),
});
export type Overview = z.infer<typeof Overview>;

export const reportOperations = {
  "partner/get-partner-dashboard": operation({
    method: "get",
    summary: "The partner's six figures, and orders and value by month",
    input: z.object({}),
    answer: PartnerDashboard,
  }),
  "admin/getPartnerDashboardByEmail": operation({
    method: "post",
    summary: "A partner's six figures, and orders and value by month",
    input: z.object({ email: Email }),
    answer: PartnerDashboard,
  }),
  "admin/overview": operation({
    method: "get",
    summary: "Revenue, orders, leads and conversion by month, and what needs a look",
    input: z.object({}),
    answer: Overview,
  }),
};
