import { Button, Group, Stack, Text } from "@mantine/core";
import { useEffect, useState } from "react";
import type { StaffOrderDetails } from "../../contract/order-details.ts";
import type { RefundablePayment, StaffRefund } from "../../contract/refunds.ts";
import { call } from "../api.ts";
import { ConfirmedAction } from "../components/confirmed-action.tsx";
import { showRupees } from "../components/display.ts";
import { openedLater } from "../components/later.tsx";
import { ReadyButton } from "../components/ready-button.tsx";
import { useDoing } from "../components/use-doing.ts";
import { useMayCall } from "../portal/use-may-call.ts";
import type { PaidOutDialogProps } from "./paid-out-dialog.tsx";
import type { RefundDialogProps } from "./refund-dialog.tsx";
import { refreshOrders, shownWithOrders } from "./refresh-orders.ts";

const RefundDialog = openedLater<RefundDialogProps>(() => import("./refund-dialog.tsx"), { payment: null });
const PaidOutDialog = openedLater<PaidOutDialogProps>(() => import("./paid-out-dialog.tsx"), { refund: null });

/** The refundable money of an order, what of it waits for a second person, and refunds to transfer by hand. */
export function OrderRefunds({
  details,
  onAsking,
}: {
  details: StaffOrderDetails;
  /** Called with whether one of its dialogs is open. */
  onAsking: (isAsking: boolean) => void;
}) {
  const mayCall = useMayCall();
  const [refunded, setRefunded] = useState<RefundablePayment | null>(null);
  const { payments, refunds, order, write_off } = details;
  const waiting = refunds.filter(({ state }) => state === "asked");
  const [paidOut, setPaidOut] = useState<StaffRefund | null>(null);
  const toPayOut = refunds.filter(({ by, state }) => by === "transfer" && state === "approved");
  const mayAsk = mayCall("admin/refunds/ask");
  const left = payments.filter(({ refundable }) => Number(refundable) > 0);
  // An open dialog stays even if somebody else has left it nothing to do: it says so.
  const isOpen = refunded !== null || paidOut !== null;
  useEffect(() => onAsking(isOpen), [isOpen, onAsking]);
  if (!mayAsk || (!isOpen && left.length + waiting.length + toPayOut.length === 0 && !write_off)) return null;
  const asItIs = payments.find(({ id }) => id === refunded?.id) ?? refunded;
  return (
    <Stack gap="sm">
      {waiting.map((refund) => (
        <Waiting
          key={refund.id}
          what={refund}
          done="given back"
          mayAgree={refund.may_approve}
          agree={() => call("admin/refunds/approve", { id: refund.id })}
          decline={() =>
            call("admin/refunds/decline", {
              id: refund.id,
              reason: refund.may_approve ? "Not agreed to by a second person" : "No longer wanted",
            })
          }
        />
      ))}
      {write_off && (
        <Waiting
          key={write_off.id}
          what={write_off}
          done="written off"
          mayAgree={write_off.may_agree}
          agree={() => call("admin/write-offs/agree", { id: write_off.id })}
          decline={() => call("admin/write-offs/decline", { id: write_off.id })}
        />
      )}
      {toPayOut.map((refund) => (
        <ToPayOut key={refund.id} refund={refund} onPaidOut={() => setPaidOut(refund)} />
      ))}
      {left.map((payment) => (
        <Group key={payment.id} gap="sm">
          {Number(payment.on_top) > 0 && (
            <RefundAtOnce key={payment.on_top} payment={payment} orderNumber={order.number} />
          )}
          <Button
            variant="default"
            aria-label={`${Number(payment.on_top) > 0 ? "Refund another amount" : "Refund money"} of ${payment.by === "transfer" ? "transfer" : "payment"} ${payment.payment_id}`}
            onClick={() => setRefunded(payment)}
          >
            {Number(payment.on_top) > 0 ? "Refund another amount …" : "Refund …"}
          </Button>
          <Text fz="sm" c="var(--site-muted)">
            {showRupees(payment.refundable)} of {showRupees(payment.captured)} left of{" "}
            {payment.by === "transfer" ? "what came by transfer," : "payment"} {payment.payment_id}
          </Text>
        </Group>
      ))}
      <PaidOutDialog refund={paidOut} onClose={() => setPaidOut(null)} />
      <RefundDialog payment={asItIs} limit={details.second_person_above} onClose={() => setRefunded(null)} />
    </Stack>
  );
}

/** Money that did not pay for the order belongs to the payer: one click gives it back in full. */
function RefundAtOnce({ payment, orderNumber }: { payment: RefundablePayment; orderNumber: string }) {
  const [id] = useState(() => crypto.randomUUID());
  const doing = useDoing(refreshOrders, () =>
    call("admin/refunds/ask", {
      id,
      payment: payment.id,
      amount: payment.on_top,
      reason: payment.pays_the_order
        ? `More came than ${orderNumber} costs.`
        : `This payment did not pay ${orderNumber}.`,
      is_on_top: true,
    }),
  );
  return (
    <ReadyButton loading={doing.isPending} isReady={!doing.isSuccess} onClick={doing.mutate}>
      Refund {showRupees(payment.on_top)} {payment.pays_the_order ? "that came on top" : "of this payment"}
    </ReadyButton>
  );
}

/** Money that came by transfer is paid back by hand: the software does nothing until somebody records the transfer. */
function ToPayOut({ refund: { id, amount, reason }, onPaidOut }: { refund: StaffRefund; onPaidOut: () => void }) {
  const callOff = useDoing(refreshOrders, () =>
    call("admin/refunds/decline", { id, reason: "It is not paid out after all" }),
  );
  return (
    <Stack gap={6}>
      <Text fz="sm" style={{ overflowWrap: "anywhere" }}>
        {showRupees(amount)} are to be transferred back at your bank: {reason}
      </Text>
      <Group gap="sm">
        <Button aria-label={`It was transferred: ${showRupees(amount)}`} onClick={onPaidOut}>
          It was transferred …
        </Button>
        <ConfirmedAction
          label="It belongs to another order …"
          about={showRupees(amount)}
          title="Enter it for another order"
          confirm="Take it off this order"
          destructive={false}
          failed="It could not be taken off."
          act={() => call("admin/transfers/enter-again", { refund: id })}
          stale={shownWithOrders.map((name) => [name])}
        >
          No money moves at your bank. {showRupees(amount)} are taken off this order as if given back, with a credit
          note for what was invoiced and a mail to its customer, and wait under Receivables until you say which order
          they pay.
        </ConfirmedAction>
        <Button
          variant="default"
          aria-label={`Call off the refund of ${showRupees(amount)}`}
          loading={callOff.isPending}
          onClick={() => callOff.mutate()}
        >
          Call off
        </Button>
      </Group>
    </Stack>
  );
}

/** What somebody has asked for and a second person decides. */
function Waiting({
  what: { amount, reason, asked_by },
  done,
  mayAgree,
  ...acts
}: {
  what: Pick<StaffRefund, "amount" | "reason" | "asked_by">;
  /** What is to be done with the amount. */
  done: string;
  mayAgree: boolean;
  agree: () => Promise<{ message: string }>;
  decline: () => Promise<{ message: string }>;
}) {
  const agree = useDoing(refreshOrders, acts.agree);
  const decline = useDoing(refreshOrders, acts.decline);
  return (
    <Stack gap={6}>
      <Text fz="sm" style={{ overflowWrap: "anywhere" }}>
        <bdi>{asked_by}</bdi> asks for {showRupees(amount)} to be {done}: {reason}
      </Text>
      <Group gap="sm">
        {mayAgree && (
          <Button loading={agree.isPending} onClick={() => agree.mutate()}>
            Agree to {showRupees(amount)}
          </Button>
        )}
        <Button variant="default" loading={decline.isPending} onClick={() => decline.mutate()}>
          {mayAgree ? "Refuse" : "Withdraw"}
        </Button>
      </Group>
      {!mayAgree && (
        <Text fz="sm" c="var(--site-muted)">
          Somebody else has to agree to it.
        </Text>
      )}
    </Stack>
  );
}
