import { Button, Card, Container, Group, Loader, Stack, Text, ThemeIcon, Title } from "@mantine/core";
import { IconAlertTriangle, IconCheck, IconClock, IconX, type Icon } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useSearchParams } from "react-router";
import { brand } from "../../contract/brand.ts";
import { cancelledPayment } from "../../contract/cancelled-payment.ts";
import { messages } from "../../contract/messages.ts";
import type { OrderState, Payment } from "../../contract/orders.ts";
import { call } from "../api.ts";
import { showRupees } from "../components/display.ts";
import { ListFailed } from "../lists/list-state.tsx";
import { PdfViewer, type ViewedPdf } from "../documents/pdf-viewer.tsx";

export const meta = () => [{ title: `Payment – ${brand.name}` }];

interface Shown {
  icon: Icon;
  colour: string;
  title: string;
  text: string;
}

const waiting: Shown = {
  icon: IconClock,
  colour: "blue",
  title: "We are waiting for your bank",
  text: "Please do not pay again: your payment has not been confirmed yet. This page follows it; you may also leave, and we will mail you.",
};
const paid: Shown = {
  icon: IconCheck,
  colour: "green",
  title: "Payment received",
  text: "Thank you. The tax invoice is on its way to your mailbox, and our team gets in touch about each device that is still to be connected.",
};
const checked: Shown = {
  icon: IconAlertTriangle,
  colour: "orange",
  title: "We are checking this payment",
  text: "Something about it needs a person's look. We will write to you; please do not pay again.",
};
const awaited: Shown = {
  icon: IconClock,
  colour: "blue",
  title: "We are waiting for your transfer",
  text: "The proforma invoice says where to and with which reference. We mail you as soon as the money is here.",
};
const invoiced: Shown = {
  icon: IconClock,
  colour: "blue",
  title: "Bought against invoice",
  text: "The tax invoice says until when it is to be paid. You find it under Payments Due, too.",
};
const closed: Shown = {
  icon: IconCheck,
  colour: "gray",
  title: "Closed",
  text: "Nothing is to be paid for this order any more.",
};
const returned: Shown = { icon: IconCheck, colour: "gray", title: "Refunded", text: "This payment was given back." };
const partlyReturned: Shown = {
  ...returned,
  title: "Partly refunded",
  text: "A part of this payment was given back; the order goes on.",
};
const returning: Shown = {
  icon: IconClock,
  colour: "blue",
  title: "A refund is under way",
  text: "Money of this order is on its way back to the card or account that paid.",
};

const shownFor: Record<OrderState, Shown> = {
  initiated: waiting,
  pending: waiting,
  success: paid,
  failure: {
    icon: IconX,
    colour: "red",
    title: "The payment did not go through",
    text: "No money was taken for this order. Your quote is still there, and you can try again.",
  },
  expired: {
    icon: IconX,
    colour: "orange",
    title: "The payment was not finished",
    text: "Your quote is still there, and you can start again.",
  },
  review: checked,
  awaiting_transfer: awaited,
  invoiced,
  closed,
  refund_pending: returning,
  refunded: returned,
  partially_refunded: partlyReturned,
};

/** What the payer did on purpose has no red cross. */
const cancelled: Shown = {
  icon: IconX,
  colour: "gray",
  title: "The payment was cancelled",
  text: shownFor.failure.text,
};

/** The state of a payment, polled while it is open. */
export default function PaymentResult() {
  const [search] = useSearchParams();
  const orderId = search.get("order") ?? "";
  const order = useQuery({
    queryKey: ["payment", orderId],
    queryFn: async ({ signal }) => {
      const { paymentDetails } = await call("user/get-payment-by-email", { search: orderId, limit: 1 }, signal);
      return paymentDetails.find((payment) => payment.order_id === orderId) ?? null;
    },
    refetchInterval: ({ state }) => pauseUntilNextLook(state.data ?? null, state.dataUpdateCount),
  });
  return (
    <Container size="sm" px={0} py={{ base: "sm", sm: 48 }}>
      {order.isPending && (
        <Group justify="center" py={96}>
          <Loader aria-label="Looking up the payment" />
        </Group>
      )}
      {order.isError && (
        <>
          {order.data === undefined && (
            <Title order={1} fz={28} mb="md">
              Payment
            </Title>
          )}
          <ListFailed message={messages.orderHistoryFailed} onRetry={() => void order.refetch()} />
        </>
      )}
      {order.data && <Result payment={order.data} />}
      {order.data === null && <Unknown />}
    </Container>
  );
}

/** Every 2 seconds at first, every 10 after a minute; false once the payment is final and its invoice is there. */
function pauseUntilNextLook(payment: Payment | null, looks: number): number | false {
  const open =
    payment?.status === "initiated" ||
    payment?.status === "pending" ||
    (payment?.status === "success" && !payment.pdf_url);
  if (!open) return false;
  return looks < 30 ? 2000 : 10_000;
}

function Result({ payment }: { payment: Payment }) {
  const [viewed, setViewed] = useState<ViewedPdf | null>(null);
  const reason = payment.tries[0]?.reason;
  const isCancelled = payment.status === "failure" && reason === cancelledPayment;
  const { icon: StateIcon, colour, title, text } = isCancelled ? cancelled : shownFor[payment.status];
  const isOpen = payment.status === "initiated" || payment.status === "pending";
  const isUnpaid = payment.status === "failure" || payment.status === "expired";
  return (
    <Card withBorder radius="lg" padding="xl" bg="var(--site-surface)">
      <Stack align="center" ta="center" gap="md">
        <ThemeIcon size={64} radius="xl" color={colour} variant="light">
          <StateIcon size={34} aria-hidden />
        </ThemeIcon>
        <div role="status">
          <Title order={1} fz={28}>
            {title}
          </Title>
          <Text c="var(--site-muted)" mt={8} maw={460}>
            {text}
          </Text>
        </div>
        {reason && isUnpaid && <Text fw={600}>{reason}</Text>}
        {isOpen && <Loader size="sm" aria-label="Watching for news" />}
        <Facts payment={payment} />
        <Group justify="center">
          {payment.status === "success" && (
            <Button
              disabled={!payment.pdf_url}
              loading={!payment.pdf_url}
              onClick={() =>
                setViewed({
                  fileName: payment.pdf_url,
                  title: `Invoice ${payment.invoice_number ?? payment.number}`,
                  failure: messages.pdfFailed,
                })
              }
            >
              View the invoice
            </Button>
          )}
          {payment.status === "success" && (
            <Button component={Link} to="/user/onboarding" variant="default">
              What happens next
            </Button>
          )}
          {isUnpaid && (
            <Button component={Link} to="/user/myquote">
              Try again
            </Button>
          )}
          <Button component={Link} to="/user/orderhistory" variant="default">
            Order history
          </Button>
        </Group>
      </Stack>
      <PdfViewer pdf={viewed} onClose={() => setViewed(null)} />
    </Card>
  );
}

function Facts({ payment }: { payment: Payment }) {
  const facts = [
    ["Amount", showRupees(payment.amount)],
    ["Order", payment.number],
    ["Quote", payment.quote_number],
    ...(payment.invoice_number ? [["Invoice", payment.invoice_number]] : []),
    ...(payment.payment_id ? [["Payment", payment.payment_id]] : []),
  ];
  return (
    <Stack component="dl" gap={6} w="100%" maw={460} m={0} p="md" bg="var(--site-canvas)" style={{ borderRadius: 12 }}>
      {facts.map(([name, value]) => (
        <Group key={name} justify="space-between" wrap="nowrap" align="flex-start">
          <Text component="dt" c="var(--site-muted)">
            {name}
          </Text>
          <Text component="dd" m={0} fw={600} ta="end" className="tabular" style={{ overflowWrap: "anywhere" }}>
            {value}
          </Text>
        </Group>
      ))}
    </Stack>
  );
}

function Unknown() {
  return (
    <Stack align="center" ta="center" py={64}>
      <Title order={1} fz={26}>
        We don't know this payment
      </Title>
      <Text c="var(--site-muted)">
        If money left your account, it will show in your order history as soon as the gateway tells us.
      </Text>
      <Button component={Link} to="/user/orderhistory">
        Order history
      </Button>
    </Stack>
  );
}
