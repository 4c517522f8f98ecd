import { useState } from "react";
import { brand } from "../../contract/brand.ts";
import { messages } from "../../contract/messages.ts";
import { ListPage } from "../lists/list-page.tsx";
import { orderColumns, ViewOrderPdf } from "../orders/order-columns.tsx";
import { unfoldTries } from "../orders/order-tries.tsx";
import { PdfViewer, type ViewedPdf } from "../documents/pdf-viewer.tsx";

export const meta = () => [{ title: `Order Reports – ${brand.name}` }];

const { customer, name, email, orderId, paymentId, amount, date, status } = orderColumns;
const columns = [customer, name, email, orderId, paymentId, amount, date, status];

/** Orders that were paid, with their tax invoices. */
export default function OrderData() {
  const [viewed, setViewed] = useState<ViewedPdf | null>(null);
  return (
    <>
      <ListPage
        name="admin/getPaymentDetailsByStatus"
        input={{ status: "success" }}
        title="Order Reports"
        hint="Paid orders and their tax invoices."
        searchLabel="Search orders"
        columns={columns}
        fileName="paid-orders"
        empty={messages.noOrders}
        emptyHint="Paid orders are listed here as soon as the gateway confirms them."
        failure={messages.ordersFailed}
        unfold={unfoldTries}
        actionsLabel="View"
        actions={(order) => <ViewOrderPdf order={order} onView={setViewed} />}
      />
      <PdfViewer pdf={viewed} onClose={() => setViewed(null)} />
    </>
  );
}
