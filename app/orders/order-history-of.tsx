import { messages } from "../../contract/messages.ts";
import type { Payment } from "../../contract/orders.ts";
import { type Column, DataTable } from "../lists/data-table.tsx";
import { ListEmpty, ListFailed, ListLoading } from "../lists/list-state.tsx";
import { orderColumns, ViewOrderPdf } from "./order-columns.tsx";
import { unfoldTries } from "./order-tries.tsx";
import { PanelSection } from "../components/panel-section.tsx";
import type { ViewedPdf } from "../documents/pdf-viewer.tsx";
import { useList } from "../lists/use-list.ts";

const { customer, name, orderId, paymentId, amount, date, status } = orderColumns;
const columns: readonly Column<Payment>[] = [customer, name, orderId, paymentId, amount, date, status];

/** The orders of a customer, or of all the customers of a partner. */
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
  const list = useList(operation, { input: { email } });
  return (
    <PanelSection title="Order History" bare>
      {list.isPending && <ListLoading rows={2} />}
      {list.isError && <ListFailed message={messages.orderHistoryFailed} onRetry={() => void list.refetch()} />}
      {list.isSuccess && list.rows.length === 0 && <ListEmpty message={messages.noOrdersInPanel} />}
      {list.rows.length > 0 && (
        <DataTable
          caption="Order History"
          columns={columns}
          rows={list.rows}
          more={list.more}
          numbered
          wide
          unfold={unfoldTries}
          actionsLabel="View"
          actions={(order) => <ViewOrderPdf order={order} onView={onView} />}
        />
      )}
    </PanelSection>
  );
}
