import { and, eq, sql } from "drizzle-orm";
import type { BuyerKind, TaxShown, Undertaking } from "../../contract/billing.ts";
import { rupees } from "../../contract/money.ts";
import { boughtStates, type OrderState } from "../../contract/orders.ts";
import { type Quote, quoteList, type QuoteQuery, type QuoteState } from "../../contract/quotes.ts";
import { organisationOf, partnerOf, type Scope } from "../access/scope.ts";
import { presentTax, sellerTermsColumn, shownTax, termsOfSeller } from "../billing/bill-to.ts";
import type { Transaction } from "../database/database.ts";
import { type Condition, joined, listFrom, type RowOf } from "../database/list.ts";
import { listPage } from "../database/list-page.ts";
import { orders, quotes } from "../database/schema/index.ts";
import type { Services } from "../services.ts";
import { quoteNumber } from "../../contract/numbers.ts";

const allQuotes = listFrom(quoteList, {
  table: quotes,
  fields: {
    id: quotes.id,
    serial: quotes.serial,
    organizationName: quotes.organizationName,
    userName: quotes.userName,
    userEmail: quotes.userEmail,
    phoneNumber: quotes.phoneNumber,
    numberOfUsers: quotes.numberOfUsers,
    message: quotes.message,
    subtotalPaise: quotes.subtotalPaise,
    discountPaise: quotes.discountPaise,
    gstBasisPoints: quotes.gstBasisPoints,
    totalPaise: quotes.totalPaise,
    orderTax: joined(orders.tax),
    orderOwedPaise: joined(orders.owedPaise),
    buyerKind: sql<BuyerKind | null>`buyer.billing_kind`,
    buyerState: sql<string | null>`buyer.billing_state`,
    buyerUndertaking: sql<Undertaking | null>`buyer.undertaking`,
    sellerTerms: sellerTermsColumn,
    proposalFile: quotes.proposalFile,
    createdAt: quotes.createdAt,
    validUntil: quotes.validUntil,
    ratesToConfirm: sql<boolean>`${quotes.ratesToConfirm}`,
    orderId: joined(orders.id),
    orderState: joined(orders.state),
    revision: quotes.revision,
    decision: quotes.decision,
    term: quotes.term,
    madeBy: sql<string | null>`people.first_name || ' ' || people.last_name || ', ' || organisations.name`,
  },
  joins: sql`left join orders on orders.quote_id = quotes.id
    left join organisations buyer on buyer.id = quotes.organisation_id
    left join people on people.id = quotes.made_by left join organisations on organisations.id = quotes.partner_id`,
  id: quotes.id,
  searched: quotes.searched,
  sorts: {
    organization_name: sql`lower(${quotes.organizationName})`,
    user_name: sql`lower(${quotes.userName})`,
    user_email: sql`${quotes.userEmail}::text`,
    phone_number: quotes.phoneNumber,
    number_of_users: quotes.numberOfUsers,
    total_cost: quotes.totalPaise,
    created_at: quotes.createdAt,
    valid_until: quotes.validUntil,
  },
});
type QuoteRow = RowOf<(typeof allQuotes)["fields"]>;

/** The organisation's quotes; exported for the benchmark, which runs the same query on a bare server. */
export const quotesOfOrganisation = {
  ...allQuotes,
  name: "quotes_of_organisation",
  where: sql`${quotes.organisationId} = $1`,
};

/** Quotes that follow from a contract are not leads. */
const quotesOfLeads = { ...allQuotes, where: sql`${quotes.contractId} is null` };

const quotesToConfirm = {
  ...allQuotes,
  where: sql`${quotes.ratesToConfirm} and ${quotes.validUntil} >= $1`,
};

export const listQuotes = (services: Services, scope: Scope<"organisation">, query: QuoteQuery) =>
  listEstimation(services, quotesOfOrganisation, organisationOf(scope), query, scope);

/** The quotes that a partner made for one of its customers; an empty page for null. */
export const listQuotesOfPartner = (
  services: Services,
  scope: Scope<"customers">,
  customer: Scope<"organisation"> | null,
  query: QuoteQuery,
) =>
  listEstimation(services, quotesOfOrganisation, organisationOf(customer), query, customer, [
    { column: quotes.partnerId, compared: "=", value: partnerOf(scope) },
  ]);

/** All quotes, including visitors'. */
export const listAllQuotes = (services: Services, _scope: Scope<"any">, query: QuoteQuery) =>
  listEstimation(services, allQuotes, null, query);

/** All quotes except those that extend or renew a contract. */
export const listQuotesOfLeads = (services: Services, _scope: Scope<"any">, query: QuoteQuery) =>
  listEstimation(services, quotesOfLeads, null, query);

/** All valid quotes whose rates an administrator has to confirm. */
export const listQuotesToConfirm = (services: Services, _scope: Scope<"any">, query: QuoteQuery) =>
  listEstimation(services, quotesToConfirm, services.now().toISOString(), query);

async function listEstimation(
  services: Services,
  list: typeof allQuotes,
  first: string | null,
  query: QuoteQuery,
  owner: Scope<"organisation"> | null = null,
  narrowed?: readonly Condition[],
) {
  const { rows, ...page } = await listPage(services.database, list, first, query, narrowed);
  const now = services.now();
  return { estimation: rows.map((row) => presentQuote(row, now, owner !== null)), ...page };
}

/**
 * Finds the quote within the scope and locks it until the transaction ends; otherwise undefined. The lock still lets an
 * order that refers to it be written: a transaction that settles a payment holds the order, whose foreign key checks
 * the quote.
 */
export async function findQuoteToBuy(transaction: Transaction, scope: Scope<"organisation">, quoteId: string) {
  const [quote] = await transaction
    .select()
    .from(quotes)
    .where(and(eq(quotes.id, quoteId), eq(quotes.organisationId, organisationOf(scope))))
    .for("no key update");
  return quote;
}

const bought = new Set<OrderState | null>(boughtStates);
const underWay = new Set<OrderState | null>(["pending", "review", "awaiting_transfer"]);

/** Whether a quote is bought, paid or not, given the state of its order; null means that it has no order. */
export const isBought = (state: OrderState | null): boolean => bought.has(state);

/** A quote's state, from its own row and its order's if it has one. */
export function quoteStateOf(
  row: Pick<QuoteRow, "orderState" | "validUntil" | "ratesToConfirm" | "proposalFile">,
  now: Date,
): QuoteState {
  if (isBought(row.orderState)) return "bought";
  if (underWay.has(row.orderState)) return "open";
  if (row.validUntil < now) return "expired";
  if (row.ratesToConfirm) return "rates_to_confirm";
  return row.proposalFile === null ? "preparing" : "open";
}

export const presentTerm = (term: QuoteRow["term"]): Quote["contract"] =>
  term && {
    kind: term.kind,
    number: term.contractNumber,
    from: term.from,
    to: term.to,
    days: term.days,
    days_of_year: term.daysOfYear,
  };

/** A quote that is bought or partly paid keeps the tax that its order froze; null for any other. */
export const boughtTax = ({
  orderState,
  orderTax,
  orderOwedPaise,
}: Pick<QuoteRow, "orderState" | "orderTax" | "orderOwedPaise">): TaxShown | null =>
  orderTax && (isBought(orderState) || (orderState === "awaiting_transfer" && (orderOwedPaise ?? 0) < 0))
    ? presentTax(orderTax)
    : null;

function presentQuote(row: QuoteRow, now: Date, isTaxed: boolean): Quote {
  const state = quoteStateOf(row, now);
  return {
    id: row.id,
    number: quoteNumber(row.serial),
    organization_name: row.organizationName,
    user_name: row.userName,
    user_email: row.userEmail,
    phone_number: row.phoneNumber,
    number_of_users: row.numberOfUsers,
    message: row.message,
    total_cost: rupees(row.totalPaise),
    tax: isTaxed ? taxOfQuote(row, now) : null,
    pdf_url: row.proposalFile,
    state,
    order_id: row.orderId,
    order_status: row.orderState,
    contract: presentTerm(row.term),
    revision: row.revision,
    decision: row.decision,
    made_by: row.madeBy,
    created_at: row.createdAt.toISOString(),
    valid_until: row.validUntil.toISOString(),
  };
}

function taxOfQuote(row: QuoteRow, now: Date): TaxShown {
  const bought = boughtTax(row);
  if (bought) return bought;
  const buyer = { kind: row.buyerKind, stateCode: row.buyerState, undertaking: row.buyerUndertaking };
  return shownTax(termsOfSeller(row.sellerTerms), buyer, row, now);
}
