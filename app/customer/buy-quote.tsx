import { Alert, Button, Group, Skeleton, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { IconLock } from "@tabler/icons-react";
import { Activity, useState } from "react";
import type { Billing } from "../../contract/billing.ts";
import { messages } from "../../contract/messages.ts";
import type { Quote } from "../../contract/quotes.ts";
import { ApiError, call } from "../api.ts";
import BillingForm from "../billing/billing-form.tsx";
import { billingQuery } from "../billing/billing-of.ts";
import { RecipientFacts } from "../billing/recipient-facts.tsx";
import type { WaysToPay } from "../../contract/transfers.ts";
import { Refusal } from "../components/refusal.tsx";
import { shownLater } from "../components/later.tsx";
import { ChoiceButtons } from "../lists/choice-buttons.tsx";
import { noDeduction, noOrder, OrderFields, type OrderForm } from "./order-fields.tsx";
import type { PayByTransferProps } from "./pay-by-transfer.tsx";
import { startInFirstField } from "../forms/first-field.ts";
import { submitting } from "../forms/form-errors.ts";
import { useKeptForm } from "../forms/use-kept-form.ts";
import { Dialog } from "../components/dialog.tsx";
import { useWayBack } from "../components/use-way-back.ts";
import { waysToPayQuery } from "./ways-to-pay.ts";
import { usePayment } from "./use-payment.ts";
import { QuoteSum } from "./quote-sum.tsx";
import { showRupees } from "../components/display.ts";
import { ListFailed } from "../lists/list-state.tsx";
import { useMayCall } from "../portal/use-may-call.ts";
import { useProfile } from "../portal/user-menu.tsx";

/** What is bought and who is billed; the browser then goes to the payment gateway. */
export default function BuyQuote({ quote, onClose }: { quote: Quote | null; onClose: () => void }) {
  return (
    <Dialog opened={quote !== null} onClose={onClose} title="Buy this quote" size="lg">
      {quote && <Steps quote={quote} onClose={onClose} />}
    </Dialog>
  );
}

const PayByTransfer = shownLater<PayByTransferProps>(
  () => import("./pay-by-transfer.tsx"),
  () => <Skeleton h={120} radius="md" />,
);

const ofOwn = { reader: "user" } as const;

/** Asks for billing details first if none are given; what is typed about the order stays meanwhile. */
function Steps({ quote: opened, onClose }: { quote: Quote; onClose: () => void }) {
  const [edits, setEdits] = useState(false);
  const mayEdit = useMayCall()("user/billing/save");
  const billing = useQuery(billingQuery(ofOwn));
  const quote = useQuoteNow(opened);
  const { form, leave } = useKeptForm(`order of ${opened.id}`, noOrder, () => {});
  if (billing.isLoadingError)
    return <ListFailed message={messages.fetchFailed} onRetry={() => void billing.refetch()} />;
  if (!billing.data) return <Skeleton h={320} radius="md" />;
  if (!billing.data.given && !mayEdit)
    return (
      <Alert color="orange" role="alert">
        The invoice needs billing details, and nobody has entered them yet. Please ask the person who answers for your
        organization to fill them in under Billing details; then you can pay here.
      </Alert>
    );
  const isFirst = !billing.data.given;
  return (
    <>
      {(edits || isFirst) && (
        <Stack gap="md">
          <Text>
            {isFirst
              ? "Before the first payment we ask for what stands on the invoice and decides its tax. You come back to this quote at once."
              : "These details stand on the invoice, and decide its tax."}
          </Text>
          <BillingForm of={ofOwn} inDialog save="Save and go on" onSaved={() => setEdits(false)} />
        </Stack>
      )}
      {!isFirst && (
        <Activity mode={edits ? "hidden" : "visible"}>
          <Payment
            quote={quote}
            billing={billing.data}
            form={form}
            onBought={leave}
            onClose={onClose}
            {...(mayEdit && { onEdit: () => setEdits(true) })}
          />
        </Activity>
      )}
    </>
  );
}

/** The quote as it is taxed now, as billing details saved here change that. Its revision is the one that was opened. */
function useQuoteNow(opened: Quote): Quote {
  const { data } = useQuery({
    queryKey: ["user/get-estimation", "one", opened.id],
    queryFn: async ({ signal }) => {
      const { estimation } = await call("user/get-estimation", { search: opened.number }, signal);
      return estimation.find(({ id }) => id === opened.id) ?? opened;
    },
    initialData: opened,
  });
  const [revision] = useState(opened.revision);
  return { ...data, revision };
}

function Payment({
  quote,
  billing,
  form,
  onBought,
  onClose,
  onEdit,
}: {
  quote: Quote;
  billing: Billing;
  form: OrderForm;
  onBought: () => void;
  onClose: () => void;
  onEdit?: () => void;
}) {
  const [way, setWay] = useState<Way>("online");
  const [bought, setBought] = useState(false);
  const [edition, setEdition] = useState(0);
  const { form: deducted, leave } = useKeptForm(`tax deducted of ${quote.id}`, noDeduction, onBought);
  const { data: ways, isLoadingError: areWaysMissing, refetch: loadWays } = useQuery(waysToPayQuery);
  const { user, isError, refetch } = useProfile();
  const payable = quote.tax?.total ?? quote.total_cost;
  const pay = usePayment(quote, payable, user, form);
  // Once the browser is on its way to the gateway, the button stays busy: a second click must not start anything.
  const leaving = pay.isPending || pay.isSuccess;
  const edit = useWayBack(() => {
    // The error was about the previous sum, as is the refusal of a transfer.
    pay.reset();
    setEdition(edition + 1);
    onEdit?.();
  });
  return (
    <form
      noValidate
      aria-label="How it is paid"
      tabIndex={-1}
      data-autofocus
      ref={startInFirstField}
      onSubmit={submitting(form, (order) => {
        if (!leaving && way === "online") pay.mutate(order);
      })}
    >
      <Stack gap="md">
        <QuoteSum quote={quote} />
        {isError && !user && <ListFailed message={messages.profileFailed} onRetry={() => void refetch()} />}
        {areWaysMissing && (
          <ListFailed message="Other ways to pay could not be loaded." onRetry={() => void loadWays()} />
        )}
        {ways?.transfer && !bought && (
          <ChoiceButtons label="How to pay" choices={choicesOf(quote, ways)} value={way} onChange={setWay} />
        )}
        {way === "online" && (
          <NotPaid error={pay.error} onTakeOver={() => pay.mutate({ ...form.values, takeOver: true })} />
        )}
        {!bought && <RecipientFacts billing={billing} {...(onEdit && !leaving && { onEdit: edit })} />}
        {!bought && <OrderFields form={form} billing={billing} isOfContract={quote.contract !== null} />}
        {way === "online" && <PayOnline payable={payable} leaving={leaving} disabled={!user} />}
        {way !== "online" && ways && (
          <PayByTransfer
            key={`${way} ${edition}`}
            quote={quote}
            amount={payable}
            user={user}
            way={way}
            ways={ways}
            order={form}
            form={deducted}
            onBought={() => {
              setBought(true);
              leave();
            }}
            onClose={onClose}
          />
        )}
      </Stack>
    </form>
  );
}

/** Why no payment was started, and how to go on if another one is under way. */
function NotPaid({ error, onTakeOver }: { error: Error | null; onTakeOver: () => void }) {
  if (!error) return null;
  if (!(error instanceof ApiError && error.code === "payment_in_progress"))
    return (
      <Refusal>
        {messages.paymentFailed} {error.message}
      </Refusal>
    );
  return (
    <Refusal color="orange">
      <Text fw={650}>This quote is being paid already</Text>
      <Text my="xs">{error.message}</Text>
      <Button variant="default" onClick={onTakeOver}>
        Take over payment
      </Button>
    </Refusal>
  );
}

function PayOnline({ payable, leaving, disabled }: { payable: string; leaving: boolean; disabled: boolean }) {
  return (
    <Group justify="space-between" align="center">
      <Text fz="sm" c="var(--site-muted)" maw={260}>
        You pay on the gateway's page. Card details never reach us.
      </Text>
      <Button
        type="submit"
        size="md"
        loading={leaving}
        disabled={disabled}
        leftSection={<IconLock size={18} aria-hidden />}
      >
        Pay {showRupees(payable)}
      </Button>
    </Group>
  );
}

type Way = "online" | "transfer" | "invoice";

/** Payment against invoice needs an accepted proposal. */
const choicesOf = ({ decision }: Quote, { credit_days }: WaysToPay): { value: Way; label: string }[] => [
  { value: "online", label: "Online" },
  { value: "transfer", label: "Bank transfer" },
  ...(credit_days !== null && decision === "accepted"
    ? [{ value: "invoice" as const, label: `Against invoice, ${credit_days} days` }]
    : []),
];
