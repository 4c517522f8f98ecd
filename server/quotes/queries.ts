import { and, eq } from "drizzle-orm";
import type { ListQuery } from "../../contract/fields.ts";
import { rupees } from "../../contract/money.ts";
import type { Quote } from "../../contract/quotes.ts";
import type { Actor } from "../call.ts";
import type { Transaction } from "../database/database.ts";
import { type List, listPage } from "../database/list-page.ts";
import { quotes } from "../database/schema/index.ts";
import type { Services } from "../services.ts";

const allQuotes: List = {
  name: "all_quotes",
  columns: `quotes.id, organization_name, user_name, user_email, phone_number, number_of_users, message, total_paise,
    proposal_file, quotes.created_at, valid_until, orders.state as order_state`,
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

interface QuoteRow {
  id: string;
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
  order_state: string | null;
}

export const listQuotes = (services: Services, actor: Actor, query: ListQuery) =>
  listEstimation(services, quoteList, actor.organisationId, query);

/** Everybody's quotes, those of visitors too. For administrators. */
export const listAllQuotes = (services: Services, query: ListQuery) => listEstimation(services, allQuotes, null, query);

async function listEstimation(services: Services, list: List, owner: string | null, query: ListQuery) {
  const { rows, ...page } = await listPage<QuoteRow>(services.database, list, owner, query);
  const now = services.now();
  return { estimation: rows.map((row) => presentQuote(row, now)), ...page };
}

/** The quote, locked until the transaction ends, if it is the actor's organisation's; otherwise undefined. */
export async function findQuoteToBuy(transaction: Transaction, actor: Actor, quoteId: string) {
  const [quote] = await transaction
    .select()
    .from(quotes)
    .where(and(eq(quotes.id, quoteId), eq(quotes.organisationId, actor.organisationId)))
    .for("update");
  return quote;
}

const bought = new Set(["success", "refund_pending", "refunded", "partially_refunded"]);

function presentQuote({ total_paise, proposal_file, order_state, ...row }: QuoteRow, now: Date): Quote {
  const state = bought.has(order_state ?? "")
    ? "bought"
    : row.valid_until < now
      ? "expired"
      : proposal_file === null
        ? "preparing"
        : "open";
  return {
    id: row.id,
    organization_name: row.organization_name,
    user_name: row.user_name,
    user_email: row.user_email,
    phone_number: row.phone_number,
    number_of_users: row.number_of_users,
    message: row.message,
    total_cost: rupees(Number(total_paise)),
    pdf_url: proposal_file,
    state,
    created_at: row.created_at.toISOString(),
    valid_until: row.valid_until.toISOString(),
  };
}
