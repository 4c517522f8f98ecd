import { Alert, Button, Group, Stack, Text, Textarea, TextInput, Title } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { toast } from "../toast.ts";
import type { Profile } from "../../contract/accounts.ts";
import { limits } from "../../contract/limits.ts";
import { messages } from "../../contract/messages.ts";
import { currentNotice } from "../../contract/privacy-notice.ts";
import { ApiError, call } from "../api.ts";
import { ConsentNote } from "../forms/consent-note.tsx";
import { PhoneInput } from "../forms/phone-input.tsx";
import classes from "./estimator.module.css";
import type { QuoteFormValues, Selection } from "./selection.ts";

/** Who asks; a signed-in customer's profile fills its part and is read-only. */
export function QuoteForm({
  selection,
  values,
  onChange,
  profile,
  onSent,
}: {
  selection: Selection;
  values: QuoteFormValues;
  onChange: (values: QuoteFormValues) => void;
  profile: Profile | null;
  onSent: () => void;
}) {
  const [errors, setErrors] = useState<Record<string, string>>({});
  const queries = useQueryClient();
  const filled: QuoteFormValues = profile ? { ...values, ...fromProfile(profile) } : values;
  const complete = selection.length > 0 && Object.values(filled).every((value) => value.trim() !== "");
  const send = useMutation({
    async mutationFn() {
      const request = { ...filled, selectedDevices: [...selection] };
      const { quoteErrors } = await import("./checks.ts");
      const found = quoteErrors(request);
      if (Object.keys(found).length === 0) return call("estimator", { ...request, noticeVersion: currentNotice });
      setErrors(found);
      return null;
    },
    onSuccess: (sent) => {
      if (!sent) return;
      toast.success(messages.quoteSent);
      setErrors({});
      onSent();
      void queries.invalidateQueries({ queryKey: ["user/get-estimation"] });
    },
    onError: (error) => {
      if (error instanceof ApiError) setErrors(error.fields);
      toast.error(messages.quoteFailed);
    },
  });
  const field = (name: keyof QuoteFormValues) => ({
    value: filled[name],
    error: errors[name],
    required: true,
    readOnly: profile !== null && name in fromProfile(profile),
    onChange: (event: { currentTarget: { value: string } }) =>
      onChange({ ...values, [name]: event.currentTarget.value }),
  });
  return (
    <form
      noValidate
      className={classes.panel ?? ""}
      onSubmit={(event) => {
        event.preventDefault();
        if (complete && !send.isPending) send.mutate();
      }}
    >
      <Stack gap="md">
        <div>
          <Title order={2} fz="lg">
            Get your proposal
          </Title>
          <Text c="var(--site-muted)" fz="sm">
            A priced PDF comes by e-mail within seconds.
          </Text>
        </div>
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
            onChange={(phoneNumber) => onChange({ ...values, phoneNumber })}
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
        <Group align="center">
          <Button
            type="submit"
            size="md"
            loading={send.isPending}
            disabled={!complete}
            aria-describedby={complete ? undefined : "fill-to-enable"}
          >
            Send my estimate
          </Button>
          {!complete && (
            <Text id="fill-to-enable" fz="sm" c="var(--site-muted)">
              {messages.fillToEnable}
            </Text>
          )}
        </Group>
      </Stack>
    </form>
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
