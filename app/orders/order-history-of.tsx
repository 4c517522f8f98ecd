import { messages } from "../../contract/messages.ts";
import type { ViewedPdf } from "../documents/pdf-viewer.tsx";
import { ListSection } from "../lists/list-section.tsx";
import { orderColumns, ViewOrderPdf } from "./order-columns.tsx";
import { unfoldOrder } from "./unfold-order.tsx";

const { customer, name, orderId, paymentId, amount, date, status } = orderColumns;
const columns = [customer, name, orderId, paymentId, amount, date, status];

const unfold = { partner: unfoldOrder("partner"), admin: unfoldOrder("admin") };

/** The orders of a customer, or of all of a partner's customers. */
export function OrderHistoryOf({
  operation,
  email,
  onView,
}: {
  operation:
    | "admin/getPaymentDetailsByEmailforAdmin"
    | "admin/getPaymentDetailsByPartnerId"
    | "partner/get-payment-details";
  email: string;
  onView: (pdf: ViewedPdf) => void;
}) {
  return (
    <ListSection
      name={operation}
      input={{ email }}
      title="Order History"
      columns={columns}
      empty={messages.noOrdersInPanel}
      failure={messages.orderHistoryFailed}
      numbered
      unfold={unfold[operation === "partner/get-payment-details" ? "partner" : "admin"]}
      actionsLabel="View"
      actions={(order) => <ViewOrderPdf order={order} onView={onView} />}
    />
  );
}
