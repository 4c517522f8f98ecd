import { sql } from "drizzle-orm";
import { indiaCalendar } from "../../contract/india-time.ts";
import { limits } from "../../contract/limits.ts";
import type { CustomerState } from "../../contract/people.ts";
import { people } from "../database/schema/index.ts";

/** So many paid orders of a customer are looked at, the newest: they cover its contracts many times over. */
const ordersMax = 24;

/**
 * What a customer's state is told from, for a list of people: a few rows by an index for each one that is shown. No clock
 * stands in it, as what a list is written with never changes.
 */
export const stateFields = {
  hasDashboards: people.hasDashboards,
  quoteUntil: sql<Date | null>`(select valid_until from quotes where quotes.organisation_id = people.organisation_id
    and not exists (select from orders where orders.quote_id = quotes.id
      and orders.state in ('success', 'invoiced', 'refund_pending', 'refunded', 'partially_refunded'))
    order by valid_until desc limit 1)`,
  isPaying: sql<boolean>`exists (select from orders where orders.organisation_id = people.organisation_id
    and orders.state in ('pending', 'review', 'awaiting_transfer'))`,
  paidAt: sql<
    Date[]
  >`array(select coalesce(paid_at, updated_at) from orders where orders.organisation_id = people.organisation_id
    and orders.state in ('success', 'invoiced', 'refund_pending', 'partially_refunded')
    and (paid_at is not null or orders.state = 'invoiced')
    order by dated_at desc limit ${sql.raw(String(ordersMax))})`,
};

interface StateRow {
  hasDashboards: boolean;
  quoteUntil: Date | null;
  isPaying: boolean;
  paidAt: Date[];
}

/** How far the customer is now. What it bought comes before what it might buy. */
export function customerStateOf({ hasDashboards, quoteUntil, isPaying, paidAt }: StateRow, now: Date): CustomerState {
  const renewsOn = nextRenewal(paidAt, now);
  const isOpen = quoteUntil !== null && quoteUntil >= now;
  return {
    stage: stageOf(),
    quote_open_until: isOpen ? quoteUntil.toISOString() : null,
    payment_under_way: isPaying,
    renews_on: renewsOn,
  };

  function stageOf(): CustomerState["stage"] {
    if (renewsOn !== null && renewsOn > dayInIndia(now)) return hasDashboards ? "active" : "paid";
    if (isPaying) return "payment_under_way";
    if (isOpen) return "quote_open";
    if (renewsOn !== null) return "ended";
    return quoteUntil === null ? "no_quote" : "quote_expired";
  }
}

/** The first day in India still to come on which a contract renews; where all have ended, the last one's; null for none. */
export function nextRenewal(paidAt: readonly Date[], now: Date): string | null {
  const days = paidAt.map(renewalOf).toSorted();
  return days.find((day) => day > dayInIndia(now)) ?? days.at(-1) ?? null;
}

/** The same day of the month when the contract's months are over; the month's last where it has no such day. */
function renewalOf(paidAt: Date): string {
  const paid = indiaCalendar(paidAt);
  const [year, month] = [paid.getUTCFullYear(), paid.getUTCMonth() + limits.contractMonthsMin];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return isoDay(new Date(Date.UTC(year, month, Math.min(paid.getUTCDate(), lastDay))));
}

export const dayInIndia = (instant: Date) => isoDay(indiaCalendar(instant));
const isoDay = (calendar: Date) => calendar.toISOString().slice(0, 10);
