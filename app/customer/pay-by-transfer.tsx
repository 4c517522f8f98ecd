import { Button, Checkbox, Group, Stack, Text } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "react-router";
import { formatRupees, paiseFrom } from "../../contract/money.ts";
import type { TaxShown } from "../../contract/billing.ts";
import type { Quote } from "../../contract/quotes.ts";
import type { Profile } from "../../contract/accounts.ts";
import type { TransferOrder, WaysToPay } from "../../contract/transfers.ts";
import { ApiError, call } from "../api.ts";
import { showErrors, showServerErrors } from "../forms/form-errors.ts";
import { saidBesides } from "../forms/said-besides.ts";
import type { DeductionTyped, OrderForm } from "./order-fields.tsx";
import { bankFacts, ToCopy } from "../billing/bank-facts.tsx";
import { showDay, showRupees } from "../components/display.ts";
import { deductionTyped, SectionAndRate, WhatIsLeft } from "./section-and-rate.tsx";
import { Refusal } from "../components/refusal.tsx";
import { Facts } from "../components/panel-section.tsx";

export interface PayByTransferProps {
  quote: Pick<Quote, "id" | "revision" | "order_status" | "tax">;
  amount: string;
  user: Profile | undefined;
  way: "transfer" | "invoice";
  ways: WaysToPay;
  order: OrderForm;
  /** Owned by the parent, so that it survives a look at another way to pay. */
  form: UseFormReturnType<DeductionTyped>;
  /** Called when the order is made: what was typed for it is no longer needed. */
  onBought: () => void;
  onClose: () => void;
}

/** Orders against a proforma or an invoice, then shows where to send the money. */
export default function PayByTransfer({
  quote,
  amount,
  user,
  way,
  ways,
  order,
  form,
  onBought,
  onClose,
}: PayByTransferProps) {
  const queries = useQueryClient();
  const nodeOf = (field: string) => form.getInputNode(field) ?? order.getInputNode(field);
  const buying = useMutation({
    mutationFn: ({ takeOver }: { takeOver: boolean }) =>
      call("user/orders/transfer", {
        way,
        email: user?.email ?? "",
        quote_id: quote.id,
        revision: quote.revision,
        amount,
        name: user ? `${user.firstName} ${user.lastName}` : "",
        phone: user?.phoneNo ?? "",
        ...(order.values.purchaseOrder.trim() && { purchaseOrder: order.values.purchaseOrder }),
        ...(order.values.serviceStart && { serviceStart: order.values.serviceStart }),
        ...(form.values.deducts && { deducts: deductionTyped(form.values, ways.deductions) }),
        ...(takeOver && { takeOver }),
      }),
    onSuccess: () => {
      onBought();
      return Promise.all(
        ["user/get-estimation", "user/payments-due", "user/get-payment-by-email"].map((name) =>
          queries.invalidateQueries({ queryKey: [name] }),
        ),
      );
    },
    onError: (error) => {
      if (!(error instanceof ApiError)) return;
      showErrors(form, fieldsOf(error));
      // Last, as its fields stand above: the focus goes to the topmost error.
      showServerErrors(order, error);
    },
  });
  if (buying.data) return <Bought order={buying.data} amount={amount} way={way} onClose={onClose} />;
  const error = saidBesides(buying.error, (field) => nodeOf(field.replace("deducts.", "")) !== null);
  const othersPay = buying.error instanceof ApiError && buying.error.code === "payment_in_progress";
  return (
    <Stack gap="md">
      <Deducts form={form} ways={ways} tax={quote.tax} />
      {error && (
        <Refusal color={othersPay ? "orange" : "red"}>
          <Text>{error.message}</Text>
          {othersPay && (
            <Button variant="default" mt="xs" onClick={() => buying.mutate({ takeOver: true })}>
              {quote.order_status === "awaiting_transfer" ? "Replace the proforma" : "Pay by transfer instead"}
            </Button>
          )}
        </Refusal>
      )}
      <Group justify="space-between" align="center">
        <Text fz="sm" c="var(--site-muted)" maw={300}>
          {way === "transfer"
            ? "You get a proforma invoice with our bank account and a reference. The tax invoice follows when the money has come."
            : `You get the tax invoice now, and pay it within ${ways.credit_days ?? 0} days.`}
        </Text>
        {/* Enter in a field presses this button: the form around it is shared by all ways to pay. */}
        <Button
          type="submit"
          size="md"
          loading={buying.isPending}
          disabled={!user}
          onClick={() => buying.mutate({ takeOver: false })}
        >
          {way === "transfer" ? "Get the proforma invoice" : "Buy against invoice"}
        </Button>
      </Group>
    </Stack>
  );
}

/** The answer's deducts.section is the field `section` here. */
const fieldsOf = ({ fields }: ApiError) =>
  Object.fromEntries(Object.entries(fields).map(([name, fault]) => [name.replace("deducts.", ""), fault]));

/** The sum without GST, in rupees: the base of the deduction. */
const withoutGst = ({ taxes, roundOff, total }: TaxShown) =>
  (Number(total) - Number(roundOff ?? 0) - taxes.reduce((sum, { amount }) => sum + Number(amount), 0)).toFixed(2);

function Deducts({
  form,
  ways,
  tax,
}: { form: UseFormReturnType<DeductionTyped>; ways: WaysToPay } & Pick<Quote, "tax">) {
  const { deducts } = form.values;
  return (
    <>
      <Checkbox
        label="We deduct tax at source from this payment"
        description="You pay the sum without it, and upload Form 16A later"
        {...form.getInputProps("deducts", { type: "checkbox" })}
      />
      {deducts && <SectionAndRate form={form} deductions={ways.deductions} />}
      {deducts && tax && (
        <WhatIsLeft
          of={withoutGst(tax)}
          open={tax.total}
          percent={deductionTyped(form.values, ways.deductions).percent}
        />
      )}
    </>
  );
}

const focusIt = (part: HTMLElement | null) => part?.focus();

function Bought({
  order,
  amount,
  way,
  onClose,
}: Pick<PayByTransferProps, "amount" | "way" | "onClose"> & { order: TransferOrder }) {
  const { document, reference, pay, due_on, bank } = order;
  const isPaid = Number(pay) === 0;
  const deductedPaise = paiseFrom(amount) - paiseFrom(pay);
  return (
    <Stack gap="md">
      <Text fw={650} role="status" tabIndex={-1} ref={focusIt}>
        {isPaid
          ? "All but the deducted tax has come: your order is paid, and its invoice is on its way to your mailbox."
          : `${way === "transfer" ? "Proforma invoice" : "Invoice"} ${document} is made, and is on its way to your mailbox.`}
      </Text>
      {!isPaid && (
        <Facts
          facts={[
            ["Please transfer", showRupees(pay)],
            ...(deductedPaise > 0 ? [["Tax that you deduct", formatRupees(deductedPaise)] as const] : []),
            ["Reference", <ToCopy key="reference" name="reference" text={reference} />],
            ["By", showDay(due_on)],
            ...bankFacts(bank),
          ]}
        />
      )}
      <Group justify="flex-end">
        <Button component={Link} to="/user/payments-due" variant="default" size="md">
          See Payments Due
        </Button>
        <Button size="md" onClick={onClose}>
          Close
        </Button>
      </Group>
    </Stack>
  );
}
