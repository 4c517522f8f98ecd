import { z } from "zod";
import { Email, Instant, Rupees } from "./fields.ts";
import { counted } from "./lists.ts";
import { operation } from "./operation.ts";
import { Payment } from "./orders.ts";
import { ListedPerson } from "./people.ts";
import { Quote } from "./quotes.ts";

/** A calendar month in India: "2026-01". */
const Month = z.string().regex(/^\d{4}-\d{2}$/);
const Count = z.number().int();

/** Orders count once they are paid, in the month they were paid in; months are India's. */
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

/** A mail that was tried and has not gone out. */
export const FailedMail = z.object({
  recipient: z.string(),
  /** What it was about, for example invite, proposal, receipt. */
  kind: z.string(),
  tries: Count,
  lastError: z.string(),
  created_at: Instant,
});
export type FailedMail = z.infer<typeof FailedMail>;

/** What an administrator sees first. Lists hold the first five, `total` counts all, up to 10,000. */
export const Overview = z.object({
  /**
   * The last twelve months, oldest first, this one included. Revenue and orders by the month of payment;
   * leads (estimates sent) by the month they came in, `converted` says how many of these are paid by now.
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
  failedMails: z.object({ mails: z.array(FailedMail), ...counted }),
  paymentsToReview: z.object({ payments: z.array(Payment.extend({ reason: z.string() })), ...counted }),
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
    summary: "The dashboard of a partner, as the partner sees it",
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
