import { Alert, Button, Stack, Text, Textarea, TextInput, Title } from "@mantine/core";
import { useForm, type UseFormReturnType } from "@mantine/form";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { toast } from "../../toast.ts";
import type { Profile } from "../../../contract/accounts.ts";
import { brand } from "../../../contract/brand.ts";
import { ContactRequest } from "../../../contract/leads.ts";
import { limits } from "../../../contract/limits.ts";
import { messages } from "../../../contract/messages.ts";
import { currentNotice } from "../../../contract/privacy-notice.ts";
import { ApiError, call } from "../../api.ts";
import { ConsentNote } from "../../forms/consent-note.tsx";
import { fieldErrors, showServerErrors, submitting } from "../../forms/form-errors.ts";
import { useSentId } from "../../forms/use-sent-id.ts";
import { useTypedBefore, waitsForScript } from "../../forms/use-typed-before.ts";
import { useSession } from "../../session.ts";
import classes from "../contact.module.css";
import { heldWhileSent } from "../../forms/held-while-sent.ts";

const empty = { userName: "", userEmail: "", phone: "", organization: "", organizationSize: "", message: "" };
type Values = typeof empty;

/** The contact form; what is typed stays until it has arrived. */
export function ContactForm() {
  const form = useForm({ initialValues: empty, validate: fieldErrors(ContactRequest) });
  const typedBefore = useTypedBefore(form.setValues);
  const profile = useProfile();
  const filled = useRef(false);
  useEffect(() => {
    if (!profile || filled.current) return;
    filled.current = true;
    if (!form.isDirty()) form.setValues(fromProfile(profile));
  }, [profile, form]);
  const request = useSentId();
  const send = useMutation({
    mutationFn: (values: Values) =>
      call("contact", { ...values, noticeVersion: currentNotice, requestKey: request.idOf(values) }),
    onSuccess: () => {
      toast.success(messages.contactSent);
      request.forget();
      form.reset();
    },
    onError: (error) => {
      if (error instanceof ApiError) showServerErrors(form, error);
      toast.error(messages.contactFailed);
    },
  });
  return (
    <form
      {...waitsForScript}
      {...heldWhileSent(send.isPending)}
      ref={typedBefore}
      className={classes.form ?? ""}
      aria-labelledby="contact-form"
      onSubmit={submitting(form, (values) => {
        if (!send.isPending) send.mutate(values);
      })}
    >
      <Stack gap="md">
        <div>
          <Title order={2} id="contact-form" fz="xl">
            Write to us
          </Title>
          <Text c="var(--site-muted)" fz="sm">
            All fields are required.
          </Text>
        </div>
        {send.error && (
          <Alert color="red" role="alert">
            {send.error.message} What you typed is still here; you can also write to {brand.emails.sales}.
          </Alert>
        )}
        <ContactFields form={form} />
        <noscript>
          <p>
            This form needs JavaScript. Without it, please write to{" "}
            <a href={`mailto:${brand.emails.sales}`}>{brand.emails.sales}</a>.
          </p>
        </noscript>
        <ConsentNote doing="sending this" purpose="answer you" />
        <div>
          <Button type="submit" size="md" loading={send.isPending}>
            Send message
          </Button>
        </div>
        <output>{send.isSuccess && "We have your message, and answer to the address you gave."}</output>
      </Stack>
    </form>
  );
}

function ContactFields({ form }: { form: UseFormReturnType<Values> }) {
  const field = (name: keyof Values) => ({ ...form.getInputProps(name), required: true, "data-field": name });
  return (
    <>
      <div className={classes.fields}>
        <TextInput label="Name" autoComplete="name" maxLength={limits.fullNameLengthMax} {...field("userName")} />
        <TextInput
          label="Email"
          type="email"
          autoComplete="email"
          maxLength={limits.emailLengthMax}
          {...field("userEmail")}
        />
        <TextInput
          label="Phone"
          inputMode="numeric"
          autoComplete="tel-national"
          description="Ten digits, without +91"
          inputWrapperOrder={["label", "input", "description", "error"]}
          {...field("phone")}
        />
        <TextInput
          label="Organization"
          autoComplete="organization"
          maxLength={limits.organizationLengthMax}
          {...field("organization")}
        />
      </div>
      <TextInput
        label="Organization size"
        description="How many people work there"
        inputWrapperOrder={["label", "input", "description", "error"]}
        inputMode="numeric"
        {...field("organizationSize")}
      />
      <Textarea
        label="Message"
        autosize
        minRows={4}
        maxRows={12}
        maxLength={limits.messageLengthMax}
        {...field("message")}
      />
    </>
  );
}

/** The signed-in user's profile, which fills in the form unless typing has begun. */
function useProfile() {
  const { isAuthenticated, email } = useSession();
  const { data } = useQuery({
    queryKey: ["user/me", email],
    queryFn: ({ signal }) => call("user/me", {}, signal),
    enabled: isAuthenticated,
  });
  return data?.user;
}

function fromProfile({ firstName, lastName, email, phoneNo, organizationName }: Profile): Partial<Values> {
  return {
    userName: `${firstName} ${lastName}`,
    userEmail: email,
    phone: /^\+91\d{10}$/.test(phoneNo) ? phoneNo.slice(3) : "",
    organization: organizationName,
  };
}
