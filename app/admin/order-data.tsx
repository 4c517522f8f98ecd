import { Box } from "@mantine/core";
import { useState } from "react";
import { brand } from "../../contract/brand.ts";
import { messages } from "../../contract/messages.ts";
import { ChoiceButtons } from "../lists/choice-buttons.tsx";
import { ListPage } from "../lists/list-page.tsx";
import { useAddress } from "../lists/use-address.ts";
import { orderColumns, orderFileColumns, ViewOrderPdf } from "../orders/order-columns.tsx";
import { unfoldOrder } from "../orders/unfold-order.tsx";
import { PdfViewer, type ViewedPdf } from "../documents/pdf-viewer.tsx";

export const meta = () => [{ title: `Order Reports – ${brand.name}` }];

const { customer, name, email, orderId, paymentId, amount, date, status } = orderColumns;
const columns = [customer, name, email, orderId, paymentId, amount, date, status, ...orderFileColumns];

const states = [
  { value: "success", label: "Paid" },
  { value: "review", label: "Being checked" },
  { value: "refund_pending", label: "Refund under way" },
  { value: "partially_refunded", label: "Partly refunded" },
  { value: "refunded", label: "Refunded" },
  { value: "closed", label: "Closed" },
] as const;
type Shown = (typeof states)[number]["value"];
const isShown = (status: string | null): status is Shown => states.some(({ value }) => value === status);

/** The list's texts for orders that are not paid. */
const ofOthers = {
  hint: "Orders in the chosen state, with their documents.",
  fileName: "orders",
  emptyHint: "Orders are listed here while they are in this state.",
};
const ofPaid = {
  hint: "Paid orders and their tax invoices.",
  fileName: "paid-orders",
  emptyHint: "Paid orders are listed here as soon as the gateway confirms them.",
};

const unfold = unfoldOrder("admin");

/** Paid orders with their tax invoices, or the orders in another state that the address names. */
export default function OrderData() {
  const [viewed, setViewed] = useState<ViewedPdf | null>(null);
  const [address, change] = useAddress();
  const named = address.get("status");
  const status = isShown(named) ? named : "success";
  return (
    <>
      <ListPage
        name="admin/getPaymentDetailsByStatus"
        input={{ status }}
        filters={
          <Box mb="md">
            <ChoiceButtons
              label="Which orders"
              choices={states}
              value={status}
              onChange={(chosen) => change({ status: chosen })}
            />
          </Box>
        }
        title="Order Reports"
        {...(status === "success" ? ofPaid : ofOthers)}
        searchLabel="Search orders"
        columns={columns}
        empty={messages.noOrders}
        failure={messages.ordersFailed}
        unfold={unfold}
        actionsLabel="View"
        actions={(order) => <ViewOrderPdf order={order} onView={setViewed} />}
      />
      <PdfViewer pdf={viewed} onClose={() => setViewed(null)} />
    </>
  );
}
