import { and, eq, sql } from "drizzle-orm";
import { rupees } from "../../contract/money.ts";
import { orderList, type OrderQuery, type OrderState, type Payment } from "../../contract/orders.ts";
import { organisationOf, organisationsIn, partnerOf, type Scope } from "../access/scope.ts";
import { orderNumber, quoteNumber } from "../../contract/numbers.ts";
import { alwaysJoined, joined, listFrom, ofPartner, type RowOf } from "../database/list.ts";
import { listPage } from "../database/list-page.ts";
import { invoices, orders, organisations, people, quotes } from "../database/schema/index.ts";
import type { Services } from "../services.ts";
import { presentTax } from "../billing/bill-to.ts";
import { creditNotesOfOrder, presentCreditNote } from "../billing/listed-credit-notes.ts";
import { presentTry, triesOfOrder } from "./tries.ts";

const allOrders = listFrom(orderList, {
  table: orders,
  fields: {
    id: orders.id,
    serial: orders.serial,
    quoteId: orders.quoteId,
    quoteSerial: alwaysJoined(quotes.serial),
    invoiceNumber: joined(invoices.number),
    paymentId: orders.paymentId,
    amountPaise: orders.amountPaise,
    datedAt: orders.datedAt,
    state: orders.state,
    file: joined(invoices.file),
    organisationName: orders.organisationName,
    email: alwaysJoined(people.email),
    firstName: alwaysJoined(people.firstName),
    lastName: alwaysJoined(people.lastName),
    tax: orders.tax,
    creditNotes: creditNotesOfOrder,
    tries: triesOfOrder,
  },
  joins: sql`left join people on people.id = orders.buyer_id left join invoices on invoices.order_id = orders.id
    left join quotes on quotes.id = orders.quote_id`,
  id: orders.id,
  newest: "created_at",
  searched: orders.searched,
  sorts: {
    organization_name: sql`lower(${orders.organisationName})`,
    name: sql`lower(${orders.buyerName})`,
    email: orders.buyerEmail,
    order_id: orders.id,
    payment_id: sql`coalesce(${orders.paymentId}, '')`,
    amount: orders.amountPaise,
    created_at: orders.datedAt,
    status: orders.state,
  },
});
type OrderRow = RowOf<(typeof allOrders)["fields"]>;

const ordersOfOrganisation = {
  ...allOrders,
  name: "orders_of_organisation",
  where: sql`${orders.organisationId} = $1`,
};
const ordersOfPartner = { ...allOrders, ...ofPartner(orders) };
const ordersInState = {
  ...allOrders,
  where: sql`${orders.state} = $1`,
  // Every row has the same state.
  sorts: { ...allOrders.sorts, status: orders.id },
};
const orderById = { ...allOrders, name: "order_by_id", where: sql`${orders.id} = $1` };

/** The orders of an organisation, newest first; an empty page for null. */
export const listOrders = (services: Services, scope: Scope<"organisation"> | null, query: OrderQuery) =>
  listPayments(services, ordersOfOrganisation, organisationOf(scope), query);

/** The orders of all customers of a partner organisation; an empty page for null. */
export const listOrdersOfPartner = (services: Services, scope: Scope<"customers"> | null, query: OrderQuery) =>
  listPayments(services, ordersOfPartner, partnerOf(scope), query);

/** All orders in a state, of any organisation. */
export const listOrdersInState = (services: Services, _scope: Scope<"any">, state: OrderState, query: OrderQuery) =>
  listPayments(services, ordersInState, state, query);

/** One order, if the scope includes it. */
export async function findOrderWithin(
  services: Services,
  scope: Scope<"organisation" | "customers" | "any">,
  orderId: string,
): Promise<Payment | undefined> {
  const [reached] = await services.database
    .select({ id: orders.id })
    .from(orders)
    .innerJoin(organisations, eq(organisations.id, orders.organisationId))
    .where(and(eq(orders.id, orderId), organisationsIn(scope)));
  if (!reached) return undefined;
  const { payments } = await listPayments(services, orderById, orderId, { limit: 1 });
  return payments[0];
}

/** One order of any organisation. */
export async function findOrder(
  services: Services,
  _scope: Scope<"any">,
  orderId: string,
): Promise<Payment | undefined> {
  const { payments } = await listPayments(services, orderById, orderId, { limit: 1 });
  return payments[0];
}

async function listPayments(services: Services, list: typeof allOrders, owner: string, query: OrderQuery) {
  const { rows, ...page } = await listPage(services.database, list, owner, query);
  return { payments: rows.map(presentOrder), ...page };
}

function presentOrder(row: OrderRow): Payment {
  return {
    id: row.id,
    number: orderNumber(row.serial),
    order_id: row.id,
    quote_id: row.quoteId,
    quote_number: quoteNumber(row.quoteSerial),
    invoice_number: row.invoiceNumber,
    payment_id: row.paymentId,
    amount: rupees(row.amountPaise),
    created_at: row.datedAt.toISOString(),
    status: row.state,
    taxes: row.tax ? presentTax(row.tax).taxes : [],
    credit_notes: row.creditNotes.map(presentCreditNote),
    pdf_url: row.file,
    organization_name: row.organisationName,
    email: row.email,
    user_first_name: row.firstName,
    user_last_name: row.lastName,
    tries: row.tries.map(presentTry),
  };
}
