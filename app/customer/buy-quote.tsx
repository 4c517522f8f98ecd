import { Alert, Button, Group, Modal, Select, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useForm, type UseFormReturnType } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { IconLock } from "@tabler/icons-react";
import type { Profile } from "../../contract/accounts.ts";
import { Gstin } from "../../contract/fields.ts";
import { states } from "../../contract/gstin.ts";
import { messages } from "../../contract/messages.ts";
import type { PaymentForm } from "../../contract/orders.ts";
import type { Quote } from "../../contract/quotes.ts";
import { ApiError, call } from "../api.ts";
import { showRupees } from "../components/display.ts";
import { ListFailed } from "../lists/list-state.tsx";
import { useProfile } from "../portal/user-menu.tsx";

const stateOptions = Object.entries(states)
  .map(([value, label]) => ({ value, label }))
  .toSorted((one, other) => one.label.localeCompare(other.label));

/** What is bought and who is billed; then the browser goes to the payment gateway. */
export default function BuyQuote({ quote, onClose }: { quote: Quote | null; onClose: () => void }) {
  return (
    <Modal
      opened={quote !== null}
      onClose={onClose}
      title="Buy this quote"
      size="lg"
      closeButtonProps={{ "aria-label": "Close" }}
    >
      {quote && <BuyForm quote={quote} />}
    </Modal>
  );
}

const noBilling = { gstin: "", billingAddress: "", billingState: "" };
type BillingForm = UseFormReturnType<typeof noBilling>;

function BuyForm({ quote }: { quote: Quote }) {
  const { user, isError, refetch } = useProfile();
  const form = useForm({
    initialValues: noBilling,
    validate: {
      gstin: (gstin) => (gstin.trim() === "" ? null : (Gstin.safeParse(gstin).error?.issues[0]?.message ?? null)),
    },
  });
  const gstinState = form.values.gstin.trim().slice(0, 2);
  const knownState = Gstin.safeParse(form.values.gstin).success ? gstinState : null;
  const pay = usePayment(quote, user, knownState, form);
  const othersPay = pay.error instanceof ApiError && pay.error.code === "payment_in_progress";
  // Once the gateway's form is on its way the button stays busy: a second click must not start anything.
  const leaving = pay.isPending || pay.isSuccess;
  return (
    <form
      noValidate
      onSubmit={form.onSubmit((billing) => {
        if (!leaving) pay.mutate(billing);
      })}
    >
      <Stack gap="md">
        <Stack gap={4} p="md" bg="var(--site-canvas)" style={{ borderRadius: 12 }}>
          <Text c="var(--site-muted)">
            {quote.number}: security operations centre for {quote.organization_name}, 12 months
          </Text>
          <Text fz={30} fw={700} className="tabular">
            {showRupees(quote.total_cost)}
          </Text>
          <Text fz="sm" c="var(--site-muted)">
            GST included
          </Text>
        </Stack>
        {isError && !user && <ListFailed message={messages.profileFailed} onRetry={() => void refetch()} />}
        {pay.error && !othersPay && (
          <Alert color="red" role="alert">
            {messages.paymentFailed} {pay.error.message}
          </Alert>
        )}
        {othersPay && (
          <Alert color="orange" role="alert">
            <Text fw={650}>Somebody is paying already</Text>
            <Text my="xs">{pay.error?.message}</Text>
            <Button variant="default" onClick={() => pay.mutate({ ...form.values, takeOver: true })}>
              Take over payment
            </Button>
          </Alert>
        )}
        <BillingFields form={form} knownState={knownState} />
        <Group justify="space-between" align="center">
          <Text fz="sm" c="var(--site-muted)" maw={260}>
            You pay on the gateway's page. Card details never reach us.
          </Text>
          <Button
            type="submit"
            size="md"
            loading={leaving}
            disabled={!user}
            leftSection={<IconLock size={18} aria-hidden />}
          >
            Pay {showRupees(quote.total_cost)}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Starts the payment; the state is the GSTIN's where there is one. */
function usePayment(quote: Quote, user: Profile | undefined, stateOfGstin: string | null, form: BillingForm) {
  return useMutation({
    mutationFn: ({ takeOver = false, ...billing }: typeof noBilling & { takeOver?: boolean }) =>
      call("user/orders", {
        email: user?.email ?? "",
        quote_id: quote.id,
        amount: quote.total_cost,
        name: user ? `${user.firstName} ${user.lastName}` : "",
        phone: user?.phoneNo ?? "",
        ...(billing.gstin.trim() && { gstin: billing.gstin }),
        ...(billing.billingAddress.trim() && { billingAddress: billing.billingAddress.replace(/\s*\n\s*/g, ", ") }),
        ...(billing.billingState && !stateOfGstin && { billingState: billing.billingState }),
        ...(takeOver && { takeOver }),
      }),
    onSuccess: postToGateway,
    onError: (error) => error instanceof ApiError && form.setErrors(error.fields),
  });
}

function BillingFields({ form, knownState }: { form: BillingForm; knownState: string | null }) {
  return (
    <>
      <TextInput
        label="GSTIN"
        description="Optional: needed to claim input tax credit."
        maxLength={20}
        {...form.getInputProps("gstin")}
      />
      <Select
        label="State"
        description={knownState ? "Taken from the GSTIN." : "Optional: the place of supply on the tax invoice."}
        data={stateOptions}
        searchable
        clearable
        {...form.getInputProps("billingState")}
        value={knownState ?? (form.values.billingState || null)}
        readOnly={knownState !== null}
      />
      <Textarea
        label="Billing address"
        description="Optional."
        autosize
        minRows={2}
        maxRows={4}
        maxLength={250}
        {...form.getInputProps("billingAddress")}
      />
    </>
  );
}

/** Submits the gateway's fields as a hidden form: the browser leaves for the gateway's page. */
function postToGateway({ action, fields }: PaymentForm): void {
  const form = Object.assign(document.createElement("form"), { method: "post", action, hidden: true });
  for (const [name, value] of Object.entries(fields))
    form.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
  document.body.append(form);
  form.submit();
}
