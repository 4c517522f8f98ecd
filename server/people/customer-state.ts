import { sql } from "drizzle-orm";
import { writtenDay } from "../../contract/india-time.ts";
import { boughtStates } from "../../contract/orders.ts";
import type { CustomerState } from "../../contract/people.ts";
import { people } from "../database/schema/index.ts";

/** So many contracts of a customer are looked at, the newest. */
const contractsMax = 24;

/** Written out: the planner knows them beforehand. */
const bought = sql.raw(boughtStates.map((state) => `'${state}'`).join(", "));

/**
 * What a customer's state is told from, for a list of people: a few rows by an index for each one that is shown. No clock
 * stands in it, as what a list is written with never changes.
 */
export const stateFields = {
  hasDashboards: people.hasDashboards,
  quoteUntil: sql<Date | null>`(select valid_until from quotes where quotes.organisation_id = people.organisation_id
    and quotes.decision is distinct from 'declined' and quotes.id <> all (array(select orders.quote_id from orders
      where orders.organisation_id = people.organisation_id and orders.state in (${bought})))
    order by valid_until desc limit 1)`,
  hasDeclined: sql<boolean>`(select true from quotes where quotes.organisation_id = people.organisation_id
    and quotes.decision = 'declined' limit 1) is not null`,
  // With a limit it is asked for each row: of a bare "exists" the planner reads the open orders of everybody.
  isPaying: sql<boolean>`(select true from orders where orders.organisation_id = people.organisation_id
    and orders.state in ('pending', 'review', 'awaiting_transfer') limit 1) is not null`,
  renewals: sql<string[]>`array(select (ends_on + 1)::text from contracts
    where contracts.organisation_id = people.organisation_id and contracts.order_id = any (array(select orders.id from orders
      where orders.organisation_id = people.organisation_id
        and orders.state in ('success', 'invoiced', 'closed', 'refund_pending', 'partially_refunded')))
    order by contracts.id desc limit ${sql.raw(String(contractsMax))})`,
};

interface StateRow {
  hasDashboards: boolean;
  quoteUntil: Date | null;
  hasDeclined: boolean;
  isPaying: boolean;
  /** The days after the last ones of its contracts, as 2027-11-22. */
  renewals: string[];
}

/** How far the customer is now. What it bought comes before what it might buy. */
export function customerStateOf(row: StateRow, now: Date): CustomerState {
  const { hasDashboards, quoteUntil, hasDeclined, isPaying, renewals } = row;
  const renewsOn = nextRenewal(renewals, now);
  const isOpen = quoteUntil !== null && quoteUntil >= now;
  return {
    stage: stageOf(),
    quote_open_until: isOpen ? quoteUntil.toISOString() : null,
    payment_under_way: isPaying,
    renews_on: renewsOn,
  };

  function stageOf(): CustomerState["stage"] {
    if (renewsOn !== null && renewsOn > writtenDay(now)) return hasDashboards ? "active" : "paid";
    if (isPaying) return "payment_under_way";
    if (isOpen) return "quote_open";
    if (renewsOn !== null) return "ended";
    if (quoteUntil !== null) return "quote_expired";
    return hasDeclined ? "quote_declined" : "no_quote";
  }
}

/** The first day in India still to come on which a contract renews; where all have ended, the last one's; null for none. */
export function nextRenewal(renewals: readonly string[], now: Date): string | null {
  const days = renewals.toSorted();
  return days.find((day) => day > writtenDay(now)) ?? days.at(-1) ?? null;
}
