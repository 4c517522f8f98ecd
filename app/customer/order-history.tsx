import { Button, Text } from "@mantine/core";
import { useState } from "react";
import { Link } from "react-router";
import { brand } from "../../contract/brand.ts";
import { messages } from "../../contract/messages.ts";
import type { Payment } from "../../contract/orders.ts";
import { type Column, DataTable } from "../lists/data-table.tsx";
import { showRupees, showTime } from "../components/display.ts";
import { ListEmpty, ListFailed, ListLoading } from "../lists/list-state.tsx";
import { PageTitle } from "../components/page-title.tsx";
import { PdfViewer, type ViewedPdf } from "../documents/pdf-viewer.tsx";
import { SearchBox } from "../lists/search-box.tsx";
import { useList } from "../lists/use-list.ts";
import { unfoldTries } from "../orders/order-tries.tsx";
import { OrderNumbers } from "../orders/order-columns.tsx";
import { OrderStateBadge } from "../orders/order-state.tsx";

export const meta = () => [{ title: `Order History – ${brand.name}` }];

const columns: readonly Column<Payment>[] = [
  { label: "Order ID", cell: (order) => <OrderNumbers order={order} />, sort: "order_id" },
  { label: "Payment ID", cell: (order) => order.payment_id ?? "–" },
  { label: "Amount", cell: (order) => showRupees(order.amount), numeric: true, sort: "amount" },
  { label: "Date", cell: (order) => showTime(order.created_at), sort: "created_at" },
  { label: "Status", cell: (order) => <OrderStateBadge state={order.status} />, sort: "status" },
];

/** The organisation's orders with their tax invoices. */
export default function OrderHistory() {
  const [search, setSearch] = useState("");
  const [sort, setSort] = useState<string>();
  const [viewed, setViewed] = useState<ViewedPdf | null>(null);
  const list = useList("user/get-payment-by-email", { search, sort });
  const orders = list.rows;
  return (
    <>
      <PageTitle title="Order History" hint="What you bought, each try to pay for it, and its tax invoice.">
        <SearchBox label="Search orders" onSearch={setSearch} />
      </PageTitle>
      {list.isPending && <ListLoading />}
      {list.isError && <ListFailed message={messages.orderHistoryFailed} onRetry={() => void list.refetch()} />}
      {list.isSuccess && orders.length === 0 && (
        <ListEmpty message={messages.noOrders}>
          <Text c="var(--site-muted)">
            {search ? "Try other words." : "What you buy will be listed here, with its invoice."}
          </Text>
          {!search && (
            <Button component={Link} to="/user/myquote" variant="default" mt="sm">
              See your quotes
            </Button>
          )}
        </ListEmpty>
      )}
      {orders.length > 0 && (
        <DataTable
          caption="Orders"
          columns={columns}
          rows={orders}
          unfold={unfoldTries}
          more={list.more}
          sorting={{ order: sort, onChange: setSort }}
          actions={(order) =>
            order.pdf_url ? (
              <Button
                variant="default"
                onClick={() =>
                  setViewed({
                    fileName: order.pdf_url,
                    title: `Invoice ${order.invoice_number ?? order.number}`,
                    failure: messages.pdfFailed,
                  })
                }
              >
                View
              </Button>
            ) : (
              <Text fz="sm" c="var(--site-muted)">
                {messages.noPdf}
              </Text>
            )
          }
        />
      )}
      <PdfViewer pdf={viewed} onClose={() => setViewed(null)} />
    </>
  );
}
