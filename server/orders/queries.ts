import type { ListQuery } from "../../contract/fields.ts";
import { rupees } from "../../contract/money.ts";
import type { OrderState, Payment } from "../../contract/orders.ts";
import type { Actor } from "../call.ts";
import { type List, listPage } from "../database/list-page.ts";
import type { Services } from "../services.ts";

const orderList: List = {
  name: "list_orders",
  columns: `orders.id, orders.quote_id, orders.payment_id, orders.amount_paise, orders.created_at, orders.state, invoices.file,
    organisations.name as organization_name, people.email, people.first_name, people.last_name`,
  from: `orders join organisations on organisations.id = orders.organisation_id join people on people.id = orders.buyer_id
    left join invoices on invoices.order_id = orders.id`,
  where: "orders.organisation_id = $1",
  id: "orders.id",
  searched: [
    "orders.id::text",
    "orders.payment_id",
    "to_char(orders.amount_paise / 100.0, 'FM999999999990.00')",
    "invoices.number",
    "organisations.name",
    "people.email::text",
    "people.first_name",
    "people.last_name",
  ],
  sorts: {
    created_at: { column: "orders.created_at", type: "timestamptz" },
    amount: { column: "orders.amount_paise", type: "bigint" },
    status: { column: "orders.state", type: "text" },
  },
};

interface OrderRow {
  id: string;
  quote_id: string;
  payment_id: string | null;
  amount_paise: string;
  created_at: Date;
  state: OrderState;
  file: string | null;
  organization_name: string;
  email: string;
  first_name: string;
  last_name: string;
}

/** The organisation's orders, newest first. */
export async function listOrders(services: Services, actor: Actor, query: ListQuery) {
  const { rows, ...page } = await listPage<OrderRow>(services.database, orderList, actor.organisationId, query);
  return { paymentDetails: rows.map(presentOrder), ...page };
}

function presentOrder(row: OrderRow): Payment {
  return {
    id: row.id,
    order_id: row.id,
    quote_id: row.quote_id,
    payment_id: row.payment_id,
    amount: rupees(Number(row.amount_paise)),
    created_at: row.created_at.toISOString(),
    status: row.state,
    pdf_url: row.file,
    organization_name: row.organization_name,
    email: row.email,
    user_first_name: row.first_name,
    user_last_name: row.last_name,
  };
}
