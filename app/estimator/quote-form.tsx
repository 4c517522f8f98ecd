import { Alert, Button, Group, InputBase, Stack, Text, TextInput, Title } from "@mantine/core";
import { limits } from "../../contract/limits.ts";
import { messages } from "../../contract/messages.ts";
import type { ListedPerson } from "../../contract/people.ts";
import { ConsentNote } from "../forms/consent-note.tsx";
import { PhoneInput } from "../forms/phone-input.tsx";
import { useTypedBefore, waitsForScript } from "../forms/use-typed-before.ts";
import classes from "./estimator.module.css";
import type { QuoteFormValues, Selection } from "./selection.ts";
import type { Sent } from "./sent-estimate.tsx";
import { useSendEstimate } from "./use-send-estimate.ts";
import { useFaults } from "./use-faults.ts";
import { heldWhileSent } from "../forms/held-while-sent.ts";

const Heading = ({ customer }: { customer: ListedPerson | null }) => (
  <div>
    <Title order={2} fz="lg">
      {customer ? "Send the proposal" : "Get your proposal"}
    </Title>
    <Text c="var(--site-muted)" fz="sm">
      {customer
        ? `A priced PDF goes to ${customer.organization_name} by e-mail within seconds.`
        : "A priced PDF comes by e-mail within seconds."}
    </Text>
  </div>
);

/**
 * Who asks for the estimate; what is known of a signed-in customer, or of a partner's customer, is filled in and
 * read-only. The button is ready once the form is valid.
 */
export function QuoteForm({
  selection,
  values,
  onChange,
  known,
  customer,
  onSent,
}: {
  selection: Selection;
  values: QuoteFormValues;
  onChange: (values: Partial<QuoteFormValues>) => void;
  known: Partial<QuoteFormValues> | null;
  /** The customer that a partner makes it for. */
  customer: ListedPerson | null;
  onSent: (sent: Sent) => void;
}) {
  const fixed: Partial<QuoteFormValues> = known ?? {};
  const filled: QuoteFormValues = { ...values, ...fixed };
  const checked = useFaults(filled, selection, Object.keys(fixed));
  const send = useSendEstimate(filled, selection, customer, checked.refuse, onSent);
  const type = (name: keyof QuoteFormValues, value: string) => {
    checked.type(name);
    onChange({ [name]: value });
  };
  const field = (name: keyof QuoteFormValues) => ({
    value: filled[name],
    error: checked.shown[name],
    required: true,
    readOnly: name in fixed,
    onBlur: () => checked.leave(name),
    onChange: (event: { currentTarget: { value: string } }) => type(name, event.currentTarget.value),
    "data-field": name,
  });
  const form = useTypedBefore(onChange);
  return (
    <form
      {...waitsForScript}
      {...heldWhileSent(send.isPending)}
      ref={form}
      className={classes.panel ?? ""}
      onSubmit={(event) => {
        event.preventDefault();
        if (checked.isRight && !send.isPending) send.mutate();
      }}
    >
      <Stack gap="md">
        <Heading customer={customer} />
        <Refusal error={send.error} />
        <div className={classes.fields}>
          <TextInput label="Name" autoComplete="name" maxLength={limits.fullNameLengthMax} {...field("userName")} />
          <TextInput label="Email" type="email" autoComplete="email" {...field("userEmail")} />
          <TextInput
            label="Organization name"
            autoComplete="organization"
            maxLength={limits.organizationLengthMax}
            {...field("organizationName")}
          />
          <PhoneInput
            {...field("phoneNumber")}
            label="Phone number"
            onChange={(phoneNumber) => type("phoneNumber", phoneNumber)}
          />
          <TextInput label="Number of users" inputMode="numeric" {...field("numberOfUsers")} />
        </div>
        {/* CSS makes it grow: Mantine's Textarea would bring a script that measures it. */}
        <InputBase
          component="textarea"
          multiline
          size="md"
          label="Message"
          rows={3}
          classNames={{ input: classes.message ?? "" }}
          maxLength={limits.messageLengthMax}
          {...field("message")}
        />
        <Note customer={customer} />
        <SendButton customer={customer} isRight={checked.isRight} isSending={send.isPending} />
      </Stack>
    </form>
  );
}

function SendButton({
  customer,
  isRight,
  isSending,
}: {
  customer: ListedPerson | null;
  isRight: boolean;
  isSending: boolean;
}) {
  return (
    <Group align="center">
      <Button
        type="submit"
        size="md"
        loading={isSending}
        disabled={!isRight}
        aria-describedby={isRight ? undefined : "fill-to-enable"}
      >
        {customer ? "Send the estimate" : "Send my estimate"}
      </Button>
      {!isRight && (
        <Text id="fill-to-enable" fz="sm" c="var(--site-muted)">
          {messages.fillToEnable}
        </Text>
      )}
    </Group>
  );
}

function Refusal({ error }: { error: Error | null }) {
  return (
    error && (
      <Alert color="red" role="alert">
        {messages.quoteFailed} {error.message}
      </Alert>
    )
  );
}

function Note({ customer }: { customer: ListedPerson | null }) {
  if (!customer)
    return <ConsentNote doing="sending this" purpose="prepare your proposal and to talk to you about it" />;
  return (
    <Text fz="sm" c="var(--site-muted)">
      The message stands on the proposal, with the name of your organization. The quote is the customer's, and shows who
      made it.
    </Text>
  );
}
