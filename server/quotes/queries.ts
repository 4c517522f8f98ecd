import { and, eq } from "drizzle-orm";
import type { ListQuery } from "../../contract/fields.ts";
import { rupees } from "../../contract/money.ts";
import type { OrderState } from "../../contract/orders.ts";
import type { Quote, QuoteState } from "../../contract/quotes.ts";
import { organisationOf, type Scope } from "../access/scope.ts";
import type { Transaction } from "../database/database.ts";
import { type List, listPage } from "../database/list-page.ts";
import { quotes } from "../database/schema/index.ts";
import type { Services } from "../services.ts";
import { quoteNumber } from "../../contract/numbers.ts";

const allQuotes: List = {
  name: "all_quotes",
  columns: `quotes.id, quotes.serial, organization_name, user_name, user_email, phone_number, number_of_users, message, total_paise,
    proposal_file, quotes.created_at, valid_until, rates_to_confirm, orders.id as order_id, orders.state as order_state`,
  table: "quotes",
  joins: "left join orders on orders.quote_id = quotes.id",
  id: "quotes.id",
  searched: "quotes.searched",
  sorts: {
    organization_name: { column: "lower(organization_name)", type: "text" },
    user_name: { column: "lower(user_name)", type: "text" },
    user_email: { column: "(user_email::text)", type: "text" },
    phone_number: { column: "phone_number", type: "text" },
    number_of_users: { column: "number_of_users", type: "integer" },
    total_cost: { column: "total_paise", type: "bigint" },
    created_at: { column: "quotes.created_at", type: "timestamptz" },
    valid_until: { column: "valid_until", type: "timestamptz" },
  },
};

/** The organisation's quotes; exported for the benchmark, which asks the same of a bare server. */
export const quoteList: List = { ...allQuotes, name: "list_quotes", where: "quotes.organisation_id = $1" };

const quotesToConfirm: List = {
  ...allQuotes,
  name: "quotes_to_confirm",
  where: "quotes.rates_to_confirm and quotes.valid_until >= $1",
};

interface QuoteRow {
  id: string;
  serial: string;
  organization_name: string;
  user_name: string;
  user_email: string;
  phone_number: string;
  number_of_users: number;
  message: string;
  total_paise: string;
  proposal_file: string | null;
  created_at: Date;
  valid_until: Date;
  rates_to_confirm: boolean;
  order_id: string | null;
  order_state: OrderState | null;
}

export const listQuotes = (services: Services, scope: Scope<"organisation">, query: ListQuery) =>
  listEstimation(services, quoteList, organisationOf(scope), query);

/** Everybody's quotes, those of visitors too. */
export const listAllQuotes = (services: Services, _scope: Scope<"any">, query: ListQuery) =>
  listEstimation(services, allQuotes, null, query);

/** Everybody's quotes whose rates an administrator has to confirm. */
export const listQuotesToConfirm = (services: Services, _scope: Scope<"any">, query: ListQuery) =>
  listEstimation(services, quotesToConfirm, services.now().toISOString(), query);

async function listEstimation(services: Services, list: List, first: string | null, query: ListQuery) {
  const { rows, ...page } = await listPage<QuoteRow>(services.database, list, first, query);
  const now = services.now();
  return { estimation: rows.map((row) => presentQuote(row, now)), ...page };
}

/** The quote, locked until the transaction ends, if it is within the scope; otherwise undefined. */
export async function findQuoteToBuy(transaction: Transaction, scope: Scope<"organisation">, quoteId: string) {
  const [quote] = await transaction
    .select()
    .from(quotes)
    .where(and(eq(quotes.id, quoteId), eq(quotes.organisationId, organisationOf(scope))))
    .for("update");
  return quote;
}

const bought = new Set<OrderState | null>(["success", "refund_pending", "refunded", "partially_refunded"]);
const underWay = new Set<OrderState | null>(["pending", "review"]);

function stateOf(row: QuoteRow, now: Date): QuoteState {
  if (bought.has(row.order_state)) return "bought";
  if (underWay.has(row.order_state)) return "open";
  if (row.valid_until < now) return "expired";
  if (row.rates_to_confirm) return "rates_to_confirm";
  return row.proposal_file === null ? "preparing" : "open";
}

function presentQuote(row: QuoteRow, now: Date): Quote {
  return {
    id: row.id,
    number: quoteNumber(Number(row.serial)),
    organization_name: row.organization_name,
    user_name: row.user_name,
    user_email: row.user_email,
    phone_number: row.phone_number,
    number_of_users: row.number_of_users,
    message: row.message,
    total_cost: rupees(Number(row.total_paise)),
    pdf_url: row.proposal_file,
    state: stateOf(row, now),
    order_id: row.order_id,
    order_status: row.order_state,
    created_at: row.created_at.toISOString(),
    valid_until: row.valid_until.toISOString(),
  };
}
