import { Stack, Text, Textarea } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { limits } from "../../contract/limits.ts";
import type { RefundablePayment } from "../../contract/refunds.ts";
import { call } from "../api.ts";
import { Dialog } from "../components/dialog.tsx";
import { showRupees } from "../components/display.ts";
import { PriceInput } from "../components/price-input.tsx";
import { DialogEnd } from "../forms/dialog-end.tsx";
import { useAfterFailure } from "../forms/form-dialog.tsx";
import { useKeptForm } from "../forms/use-kept-form.ts";
import { toast } from "../toast.ts";
import { refreshOrders } from "./refresh-orders.ts";
import { heldWhileSent } from "../forms/held-while-sent.ts";

export interface RefundDialogProps {
  payment: RefundablePayment | null;
  /** An order's refunds above this sum need another main administrator; rupees. */
  limit: string;
  onClose: () => void;
}

/** Asks how much to give back, and why. */
export default function RefundDialog({ payment, limit, onClose }: RefundDialogProps) {
  return (
    <Dialog opened={payment !== null} onClose={onClose} title="Give money back">
      {payment && <RefundForm payment={payment} limit={limit} onClose={onClose} />}
    </Dialog>
  );
}

function RefundForm({ payment, limit, onClose }: RefundDialogProps & { payment: RefundablePayment }) {
  const queries = useQueryClient();
  // One id, so that a repeated click is the same refund.
  const first = { id: crypto.randomUUID(), amount: Number(payment.refundable) as number | string, reason: "" };
  const { form, leave } = useKeptForm(`refund ${payment.id}`, first, onClose);
  const { id, amount, reason } = form.values;
  const rupees = Number(amount);
  const ask = useMutation({
    mutationFn: () => call("admin/refunds/ask", { id, payment: payment.id, amount: rupees.toFixed(2), reason }),
    onSuccess: async ({ message }) => {
      toast.success(message);
      await refreshOrders(queries);
      leave();
    },
    // Refetches what is left; the lists with the order follow once the dialog is closed.
    onError: () => queries.invalidateQueries({ queryKey: ["order"] }),
  });
  useAfterFailure(ask.isError, () => refreshOrders(queries));
  const isOver = rupees > Number(payment.refundable);
  const isReady = rupees > 0 && !isOver && reason.trim() !== "";
  return (
    <form
      {...heldWhileSent(ask.isPending)}
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady && !ask.isPending) ask.mutate();
      }}
    >
      <Stack gap="md">
        <PriceInput
          label="Amount"
          description={`At most ${showRupees(payment.refundable)}, ${payment.by === "transfer" ? "which you transfer back at your bank" : "to the card or account that paid"}`}
          data-autofocus
          value={amount}
          onChange={(typed) => form.setFieldValue("amount", typed)}
          error={isOver && `Please enter at most ${showRupees(payment.refundable)}`}
        />
        <Textarea
          label="Reason"
          description="It stays with the refund and in the audit log; customers do not see it."
          autosize
          minRows={2}
          maxLength={limits.actionReasonLengthMax}
          value={reason}
          onChange={(event) => form.setFieldValue("reason", event.currentTarget.value.replaceAll("\n", " "))}
        />
        <Text fz="sm" c="var(--site-muted)">
          Refunds of one order that come to more than {showRupees(limit)} wait until another main administrator has
          agreed.
        </Text>
        {payment.by === "transfer" && (
          <Text fz="sm" c="var(--site-muted)">
            Money that belongs to another order is asked for in the same way. Once agreed to, the History offers to
            enter it for that order instead of transferring it back.
          </Text>
        )}
        <DialogEnd sending={ask} submit="Give back" isReady={isReady} onClose={leave} />
      </Stack>
    </form>
  );
}
