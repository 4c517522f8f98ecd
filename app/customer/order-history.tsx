import { Button, Text } from "@mantine/core";
import { useState } from "react";
import { Link } from "react-router";
import { brand } from "../../contract/brand.ts";
import { messages } from "../../contract/messages.ts";
import type { OrderSort, Payment } from "../../contract/orders.ts";
import type { Column } from "../lists/column.ts";
import { ListPage } from "../lists/list-page.tsx";
import { PdfViewer, type ViewedPdf } from "../documents/pdf-viewer.tsx";
import { orderColumns, orderFileColumns, ViewOrderPdf } from "../orders/order-columns.tsx";
import { unfoldOrder } from "../orders/unfold-order.tsx";

export const meta = () => [{ title: `Order History – ${brand.name}` }];

const { orderId, paymentId, amount, date, status } = orderColumns;
const columns: readonly Column<Payment, OrderSort>[] = [
  orderId,
  paymentId,
  amount,
  { ...date, below: false },
  { ...status, sort: "status" },
  ...orderFileColumns,
];

const unfold = unfoldOrder("user");

/** The organisation's orders with their tax invoices. */
export default function OrderHistory() {
  const [viewed, setViewed] = useState<ViewedPdf | null>(null);
  return (
    <>
      <ListPage
        name="user/get-payment-by-email"
        title="Order History"
        hint="What you bought, each try to pay for it, and its tax invoice. All times in India."
        searchLabel="Search orders"
        columns={columns}
        fileName="orders"
        empty={messages.noOrders}
        emptyHint={<NothingBought />}
        failure={messages.orderHistoryFailed}
        unfold={unfold}
        actionsLabel="View"
        actions={(order) => <ViewOrderPdf order={order} onView={setViewed} />}
      />
      <PdfViewer pdf={viewed} onClose={() => setViewed(null)} />
    </>
  );
}

const NothingBought = () => (
  <>
    <Text c="var(--site-muted)">What you buy will be listed here, with its invoice.</Text>
    <Button component={Link} to="/user/myquote" variant="default" mt="sm">
      See your quotes
    </Button>
  </>
);
