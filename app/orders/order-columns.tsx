import { Button, Text } from "@mantine/core";
import { messages } from "../../contract/messages.ts";
import type { OrderSort, Payment } from "../../contract/orders.ts";
import { unbrokenTaxes } from "../billing/tax-lines.tsx";
import { showRupees } from "../components/display.ts";
import { OrderStateBadge } from "./order-state.tsx";
import type { Column } from "../lists/column.ts";
import { Amount, DayAndTime } from "../components/unbroken.tsx";
import type { ViewedPdf } from "../documents/pdf-viewer.tsx";
import { AddressText } from "../components/address-text.tsx";

const fullName = (order: Payment) => `${order.user_first_name} ${order.user_last_name}`;

/** Columns for the lists of orders that staff and partners read. */
export const orderColumns = {
  customer: {
    label: "Customer Name",
    cell: (order) => <bdi>{order.organization_name}</bdi>,
    text: (order) => order.organization_name,
    sort: "organization_name",
  },
  name: { label: "Name", cell: (order) => <bdi>{fullName(order)}</bdi>, text: fullName, sort: "name", below: true },
  email: {
    label: "Email",
    cell: (order) => <AddressText address={order.email} />,
    text: (order) => order.email,
    sort: "email",
    below: true,
  },
  orderId: {
    label: "Order ID",
    cell: (order) => <OrderNumbers order={order} />,
    text: (order) => order.number,
    sort: "order_id",
    width: 118,
  },
  paymentId: {
    label: "Payment ID",
    cell: (order) => order.payment_id ?? "–",
    text: (order) => order.payment_id ?? "",
    below: true,
  },
  amount: {
    label: "Amount",
    cell: (order) => (
      <>
        <Amount rupees={order.amount} />
        {order.taxes.length > 0 && (
          <Text fz="xs" c="var(--site-muted)">
            {unbrokenTaxes(order)}
          </Text>
        )}
      </>
    ),
    text: (order) => order.amount,
    sort: "amount",
    numeric: true,
  },
  date: {
    label: "Date",
    cell: (order) => <DayAndTime instant={order.created_at} />,
    text: (order) => order.created_at,
    sort: "created_at",
    below: true,
  },
  status: {
    label: "Status",
    cell: (order) => <OrderStateBadge state={order.status} />,
    text: (order) => order.status,
  },
} satisfies Record<string, Column<Payment, OrderSort>>;

const tax = (label: string, ...names: string[]): Column<Payment, OrderSort> => ({
  label,
  cell: () => null,
  text: ({ taxes }) => taxes.find(({ name }) => names.includes(name))?.amount ?? "",
  fileOnly: true,
});

/** The small print of a row, as columns of an exported file. */
export const orderFileColumns: readonly Column<Payment, OrderSort>[] = [
  { label: "Invoice", cell: () => null, text: (order) => order.invoice_number ?? "", fileOnly: true },
  { label: "Quote", cell: () => null, text: (order) => order.quote_number, fileOnly: true },
  tax("CGST", "CGST"),
  tax("SGST/UTGST", "SGST", "UTGST"),
  tax("IGST", "IGST"),
];

/** An order's number, with its invoice's below, or its quote's until there is one. */
function OrderNumbers({ order }: { order: Payment }) {
  return (
    <div style={{ whiteSpace: "nowrap" }}>
      <Text fw={650} fz="inherit" className="tabular">
        {order.number}
      </Text>
      <Text fz="xs" c="var(--site-muted)" className="tabular">
        {order.invoice_number ?? order.quote_number}
      </Text>
    </div>
  );
}

/** A View button if the order has its PDF, otherwise 'No PDF'; with its credit notes beside it. */
export function ViewOrderPdf({ order, onView }: { order: Payment; onView: (pdf: ViewedPdf) => void }) {
  if (!order.pdf_url)
    return (
      <Text fz="sm" c="var(--site-muted)">
        {messages.noPdf}
      </Text>
    );
  const view = (fileName: string | null, title: string) => onView({ fileName, title, failure: messages.pdfFailed });
  return (
    <>
      <Button
        variant="default"
        aria-label={`View invoice ${order.invoice_number ?? order.number}`}
        onClick={() => view(order.pdf_url, `Invoice ${order.invoice_number ?? order.number}`)}
      >
        View
      </Button>
      {order.credit_notes.map(({ number, amount, pdf_url }) => (
        <Button
          key={number}
          variant="default"
          disabled={pdf_url === null}
          aria-label={`View credit note ${number} of ${showRupees(amount)}`}
          onClick={() => view(pdf_url, `Credit note ${number}`)}
        >
          {number}
        </Button>
      ))}
    </>
  );
}
