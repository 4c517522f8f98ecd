import { Alert, Button, Group, Stack, Text, Textarea, TextInput, Title } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { toast } from "../toast.ts";
import type { Profile } from "../../contract/accounts.ts";
import { limits } from "../../contract/limits.ts";
import { messages } from "../../contract/messages.ts";
import { currentNotice } from "../../contract/privacy-notice.ts";
import { ApiError, call } from "../api.ts";
import { ConsentNote } from "../forms/consent-note.tsx";
import { PhoneInput } from "../forms/phone-input.tsx";
import { useTypedBefore, waitsForScript } from "../forms/use-typed-before.ts";
import classes from "./estimator.module.css";
import type { QuoteFormValues, Selection } from "./selection.ts";
import type { Sent } from "./sent-estimate.tsx";
import { useFaults } from "./use-faults.ts";

const heading = (
  <div>
    <Title order={2} fz="lg">
      Get your proposal
    </Title>
    <Text c="var(--site-muted)" fz="sm">
      A priced PDF comes by e-mail within seconds.
    </Text>
  </div>
);

/** Who asks; a signed-in customer's profile fills its part and is read-only. The button follows what is right. */
export function QuoteForm({
  selection,
  values,
  onChange,
  profile,
  onSent,
}: {
  selection: Selection;
  values: QuoteFormValues;
  onChange: (values: Partial<QuoteFormValues>) => void;
  profile: Profile | null;
  onSent: (sent: Sent) => void;
}) {
  const fixed: Partial<QuoteFormValues> = profile ? fromProfile(profile) : {};
  const filled: QuoteFormValues = { ...values, ...fixed };
  const checked = useFaults(filled, selection, Object.keys(fixed));
  const send = useSendEstimate(filled, selection, checked.refuse, onSent);
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
      ref={form}
      className={classes.panel ?? ""}
      onSubmit={(event) => {
        event.preventDefault();
        if (checked.isRight && !send.isPending) send.mutate();
      }}
    >
      <Stack gap="md">
        {heading}
        {send.error && (
          <Alert color="red" role="alert">
            {messages.quoteFailed} {send.error.message}
          </Alert>
        )}
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
        <Textarea
          label="Message"
          autosize
          minRows={3}
          maxRows={8}
          maxLength={limits.messageLengthMax}
          {...field("message")}
        />
        <ConsentNote doing="sending this" purpose="prepare your proposal and to talk to you about it" />
        <SendButton isRight={checked.isRight} isSending={send.isPending} />
      </Stack>
    </form>
  );
}

function useSendEstimate(
  form: QuoteFormValues,
  selection: Selection,
  refuse: (fields: Record<string, string>) => void,
  onSent: (sent: Sent) => void,
) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => call("estimator", { ...form, selectedDevices: [...selection], noticeVersion: currentNotice }),
    onSuccess: ({ quoteNumber, proposalToken }) => {
      toast.success(messages.quoteSent);
      onSent({ number: quoteNumber, proposalToken, form, selection });
      void queries.invalidateQueries({ queryKey: ["user/get-estimation"] });
    },
    onError: (error) => {
      if (error instanceof ApiError) refuse(error.fields);
      toast.error(messages.quoteFailed);
    },
  });
}

function SendButton({ isRight, isSending }: { isRight: boolean; isSending: boolean }) {
  return (
    <Group align="center">
      <Button
        type="submit"
        size="md"
        loading={isSending}
        disabled={!isRight}
        aria-describedby={isRight ? undefined : "fill-to-enable"}
      >
        Send my estimate
      </Button>
      {!isRight && (
        <Text id="fill-to-enable" fz="sm" c="var(--site-muted)">
          {messages.fillToEnable}
        </Text>
      )}
    </Group>
  );
}

function fromProfile(profile: Profile) {
  return {
    userName: `${profile.firstName} ${profile.lastName}`,
    userEmail: profile.email,
    organizationName: profile.organizationName,
    phoneNumber: profile.phoneNo,
  };
}
