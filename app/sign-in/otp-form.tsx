import { Alert, Anchor, Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { Otp } from "../../contract/accounts.ts";
import { limits } from "../../contract/limits.ts";
import { messages } from "../../contract/messages.ts";
import { ApiError, call } from "../api.ts";
import { fieldErrors, submitting } from "../forms/form-errors.ts";
import { storeSession } from "../session.ts";
import { AppProviders } from "../components/app-providers.tsx";
import type { Credentials } from "./credentials-form.tsx";
import { hasRefused, loginFailure } from "./send-credentials.ts";

export interface OtpFormProps {
  credentials: Credentials;
  onBack: () => void;
}

/** The field for the mailed code; a new code can be requested when the countdown is over. */
export default function OtpForm(props: OtpFormProps) {
  return (
    <AppProviders>
      <CodeForm {...props} />
    </AppProviders>
  );
}

function CodeForm({ credentials, onBack }: OtpFormProps) {
  const form = useForm({ initialValues: { email: credentials.email, otp: "" }, validate: fieldErrors(Otp) });
  const code = useRef<HTMLInputElement>(null);
  const [secondsLeft, restart] = useCountdown(limits.otpResendSeconds);
  const verify = useMutation({
    mutationFn: (attempt: typeof form.values) => call("auth/verify-otp", attempt),
    // The page navigates on as soon as there is a session.
    onSuccess: ({ token }) => void storeSession(token, credentials.email),
    // Clears only a code that the server refused: after a lost connection, or with a busy server, it is still valid.
    onError: (error) => {
      if (!(error instanceof ApiError && error.code === "wrong_password")) return;
      form.setFieldValue("otp", "");
      code.current?.focus();
    },
  });
  const resend = useMutation({
    mutationFn: () => call("auth/login", credentials),
    // The old code and its error do not apply to the new code.
    onMutate: () => {
      verify.reset();
      form.reset();
    },
    onSuccess: () => {
      restart();
      // The pressed button is replaced by the countdown.
      code.current?.focus();
    },
  });
  const failure = verify.error ? otpFailure(verify.error) : resend.error ? loginFailure(resend.error) : null;
  return (
    <form
      noValidate
      onSubmit={submitting(form, (values) => {
        resend.reset();
        verify.mutate(values);
      })}
    >
      <Stack gap="md">
        {failure && <Alert color="red">{failure}</Alert>}
        <TextInput
          ref={code}
          label="6-digit code"
          inputMode="numeric"
          autoComplete="one-time-code"
          autoFocus
          maxLength={limits.otpDigits}
          styles={{ input: { fontSize: 24, letterSpacing: 10, fontWeight: 650, height: 56 } }}
          {...form.getInputProps("otp")}
          onChange={(event) => form.setFieldValue("otp", event.currentTarget.value.replace(/\D/g, ""))}
        />
        <Button type="submit" size="md" loading={verify.isPending} fullWidth>
          Verify OTP
        </Button>
        <div>
          <Group justify="space-between">
            <Anchor component="button" type="button" fz="sm" onClick={onBack}>
              Use another email
            </Anchor>
            {secondsLeft > 0 ? (
              <Text fz="sm" c="var(--site-muted)" className="tabular">
                Resend OTP in {secondsLeft} s
              </Text>
            ) : (
              <Anchor
                component="button"
                type="button"
                fz="sm"
                disabled={resend.isPending}
                onClick={() => resend.mutate()}
              >
                Resend OTP
              </Anchor>
            )}
          </Group>
          <div role="status">{resend.isSuccess && <Text fz="sm">A new code is on its way.</Text>}</div>
        </div>
      </Stack>
    </form>
  );
}

function otpFailure(error: Error): string {
  if (!hasRefused(error)) return messages.otpError(error.message);
  return error.code === "unexplained" ? messages.invalidOtp : error.message;
}

/** Seconds left, by the clock instead of counted ticks, so that a sleeping tab does not delay it. */
function useCountdown(seconds: number): [left: number, restart: () => void] {
  const [until, setUntil] = useState(() => Date.now() + seconds * 1000);
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, []);
  return [
    Math.max(0, Math.ceil((until - now) / 1000)),
    () => {
      setNow(Date.now());
      setUntil(Date.now() + seconds * 1000);
    },
  ];
}
