import { sql } from "drizzle-orm";
import { writtenDay } from "../../contract/india-time.ts";
import { boughtStates } from "../../contract/orders.ts";
import type { CustomerState } from "../../contract/people.ts";
import { people } from "../database/schema/index.ts";

/** How many of a customer's contracts are read, newest first. */
const contractsMax = 24;

/** Literals in the SQL, so that the planner knows them. */
const bought = sql.raw(boughtStates.map((state) => `'${state}'`).join(", "));

/**
 * The columns from which lists of people derive a customer's state: a few index look-ups per listed row. They contain
 * no current time, as a list's SQL never changes.
 */
export const stateFields = {
  hasDashboards: people.hasDashboards,
  quoteUntil: sql<Date | null>`(select valid_until from quotes where quotes.organisation_id = people.organisation_id
    and quotes.decision is distinct from 'declined' and quotes.id <> all (array(select orders.quote_id from orders
      where orders.organisation_id = people.organisation_id and orders.state in (${bought})))
    order by valid_until desc limit 1)`,
  hasDeclined: sql<boolean>`(select true from quotes where quotes.organisation_id = people.organisation_id
    and quotes.decision = 'declined' limit 1) is not null`,
  // With a limit, the subquery runs per row; for a bare "exists" the planner would read everybody's open orders.
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
  /** The day after each contract's last one, such as 2027-11-22. */
  renewals: string[];
}

/** How far along the customer is. What it bought counts before what it might buy. */
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

/** The next day, in India, on which a contract renews; if all have ended, the last one's; null without contracts. */
export function nextRenewal(renewals: readonly string[], now: Date): string | null {
  const days = renewals.toSorted();
  return days.find((day) => day > writtenDay(now)) ?? days.at(-1) ?? null;
}
