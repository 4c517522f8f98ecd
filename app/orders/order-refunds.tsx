import { Button, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { StaffOrderDetails } from "../../contract/order-details.ts";
import type { RefundablePayment, StaffRefund } from "../../contract/refunds.ts";
import { call } from "../api.ts";
import { showRupees } from "../components/display.ts";
import { openedLater } from "../components/later.tsx";
import { useDoing } from "../components/use-doing.ts";
import { useMayCall } from "../portal/use-may-call.ts";
import type { RefundDialogProps } from "./refund-dialog.tsx";
import { refreshOrders } from "./refresh-orders.ts";

const RefundDialog = openedLater<RefundDialogProps>(() => import("./refund-dialog.tsx"), { payment: null });

/** What of an order's payments can be given back, and what waits for a second person. */
export function OrderRefunds({ details }: { details: StaffOrderDetails }) {
  const mayCall = useMayCall();
  const [refunded, setRefunded] = useState<RefundablePayment | null>(null);
  const { payments, refunds, order } = details;
  const waiting = refunds.filter(({ state }) => state === "asked");
  const mayAsk = mayCall("admin/refunds/ask");
  const left = payments.filter(({ refundable }) => Number(refundable) > 0);
  if (!mayAsk || (left.length === 0 && waiting.length === 0)) return null;
  return (
    <Stack gap="sm">
      {waiting.map((refund) => (
        <Waiting key={refund.id} refund={refund} />
      ))}
      {left.map((payment) => (
        <Group key={payment.id} gap="sm">
          {!payment.pays_the_order && <RefundAtOnce payment={payment} orderNumber={order.number} />}
          <Button
            variant="default"
            aria-label={`Refund money of payment ${payment.payment_id}`}
            onClick={() => setRefunded(payment)}
          >
            {payment.pays_the_order ? "Refund …" : "Refund another amount …"}
          </Button>
          <Text fz="sm" c="var(--site-muted)">
            {showRupees(payment.refundable)} of {showRupees(payment.captured)} left of payment {payment.payment_id}
          </Text>
        </Group>
      ))}
      <RefundDialog payment={refunded} limit={details.second_person_above} onClose={() => setRefunded(null)} />
    </Stack>
  );
}

/** What did not pay the order is nobody's but the payer's: it goes back in full by one click. */
function RefundAtOnce({ payment, orderNumber }: { payment: RefundablePayment; orderNumber: string }) {
  const [id] = useState(() => crypto.randomUUID());
  const doing = useDoing(refreshOrders, () =>
    call("admin/refunds/ask", {
      id,
      payment: payment.id,
      amount: payment.refundable,
      reason: `This payment did not pay ${orderNumber}.`,
    }),
  );
  return (
    <Button loading={doing.isPending} disabled={doing.isSuccess} onClick={() => doing.mutate()}>
      Refund {showRupees(payment.refundable)} of this payment
    </Button>
  );
}

function Waiting({ refund }: { refund: StaffRefund }) {
  const { id, amount, reason, asked_by, may_approve } = refund;
  const approve = useDoing(refreshOrders, () => call("admin/refunds/approve", { id }));
  const decline = useDoing(refreshOrders, () =>
    call("admin/refunds/decline", {
      id,
      reason: may_approve ? "Not agreed to by a second person" : "No longer wanted",
    }),
  );
  return (
    <Stack gap={6}>
      <Text fz="sm" style={{ overflowWrap: "anywhere" }}>
        <bdi>{asked_by}</bdi> asks for {showRupees(amount)} to be given back: {reason}
      </Text>
      <Group gap="sm">
        {may_approve && (
          <Button loading={approve.isPending} onClick={() => approve.mutate()}>
            Agree to {showRupees(amount)}
          </Button>
        )}
        <Button variant="default" loading={decline.isPending} onClick={() => decline.mutate()}>
          {may_approve ? "Refuse" : "Withdraw"}
        </Button>
      </Group>
      {!may_approve && (
        <Text fz="sm" c="var(--site-muted)">
          Somebody else has to agree to it.
        </Text>
      )}
    </Stack>
  );
}
