import type { ListQuery } from "../../contract/fields.ts";
import { rupees } from "../../contract/money.ts";
import type { OrderState, Payment } from "../../contract/orders.ts";
import { organisationOf, partnerOf, type Scope } from "../access/scope.ts";
import { type List, listPage } from "../database/list-page.ts";
import { orderNumber, quoteNumber } from "../../contract/numbers.ts";
import type { Services } from "../services.ts";
import { presentTry, triesOfOrder, type TryRow } from "./tries.ts";

const allOrders: List = {
  name: "all_orders",
  columns: `orders.id, orders.serial, quote_id, quotes.serial as quote_serial, payment_id, amount_paise, orders.dated_at,
    state, invoices.number as invoice_number, invoices.file,
    orders.organisation_name, people.email, people.first_name, people.last_name, ${triesOfOrder} as tries`,
  table: "orders",
  joins: `left join people on people.id = orders.buyer_id left join invoices on invoices.order_id = orders.id
    left join quotes on quotes.id = orders.quote_id`,
  id: "orders.id",
  newest: "created_at",
  searched: "orders.searched",
  sorts: {
    organization_name: { column: "lower(orders.organisation_name)", type: "text" },
    name: { column: "lower(orders.buyer_name)", type: "text" },
    email: { column: "orders.buyer_email", type: "text" },
    order_id: { column: "orders.id", type: "uuid" },
    payment_id: { column: "coalesce(orders.payment_id, '')", type: "text" },
    amount: { column: "orders.amount_paise", type: "bigint" },
    created_at: { column: "orders.dated_at", type: "timestamptz" },
    status: { column: "orders.state", type: "text" },
  },
};

const ordersOfOrganisation: List = {
  ...allOrders,
  name: "orders_of_organisation",
  where: "orders.organisation_id = $1",
};
const ordersOfPartner: List = { ...allOrders, name: "orders_of_partner", where: "orders.partner_id = $1" };
const ordersInState: List = { ...allOrders, name: "orders_in_state", where: "orders.state = $1" };
const ordersToReview: List = {
  ...allOrders,
  name: "orders_to_review",
  columns: `${allOrders.columns}, orders.review_reason`,
  where: "orders.review_reason is not null",
};

interface OrderRow {
  id: string;
  serial: string;
  quote_id: string;
  quote_serial: string;
  payment_id: string | null;
  amount_paise: string;
  dated_at: Date;
  state: OrderState;
  invoice_number: string | null;
  file: string | null;
  organisation_name: string;
  email: string;
  first_name: string;
  last_name: string;
  tries: TryRow[];
}

/** The orders of an organisation, newest first; an empty page for null. */
export const listOrders = (services: Services, scope: Scope<"organisation"> | null, query: ListQuery) =>
  listPayments(services, ordersOfOrganisation, organisationOf(scope), query);

/** The orders of all customers of a partner organisation; an empty page for null. */
export const listOrdersOfPartner = (services: Services, scope: Scope<"customers"> | null, query: ListQuery) =>
  listPayments(services, ordersOfPartner, partnerOf(scope), query);

/** All orders in a state, whosever they are. */
export const listOrdersInState = (services: Services, _scope: Scope<"any">, state: OrderState, query: ListQuery) =>
  listPayments(services, ordersInState, state, query);

/** Orders that a person has to look at, whosever they are, newest first, and why. */
export async function listOrdersToReview(services: Services, _scope: Scope<"any">, limit: number) {
  const { rows, total } = await listPage<OrderRow & { review_reason: string }>(
    services.database,
    ordersToReview,
    null,
    { limit },
  );
  return { payments: rows.map((row) => ({ ...presentOrder(row), reason: row.review_reason })), total };
}

async function listPayments(services: Services, list: List, owner: string, query: ListQuery) {
  const { rows, ...page } = await listPage<OrderRow>(services.database, list, owner, query);
  return { payments: rows.map(presentOrder), ...page };
}

function presentOrder(row: OrderRow): Payment {
  return {
    id: row.id,
    number: orderNumber(Number(row.serial)),
    order_id: row.id,
    quote_id: row.quote_id,
    quote_number: quoteNumber(Number(row.quote_serial)),
    invoice_number: row.invoice_number,
    payment_id: row.payment_id,
    amount: rupees(Number(row.amount_paise)),
    created_at: row.dated_at.toISOString(),
    status: row.state,
    pdf_url: row.file,
    organization_name: row.organisation_name,
    email: row.email,
    user_first_name: row.first_name,
    user_last_name: row.last_name,
    tries: row.tries.map(presentTry),
  };
}
