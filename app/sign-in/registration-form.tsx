import { Alert, Button, Group, PasswordInput, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import { useForm, type UseFormReturnType } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import { toast } from "../toast.ts";
import { Registration } from "../../contract/accounts.ts";
import { limits } from "../../contract/limits.ts";
import { messages } from "../../contract/messages.ts";
import { currentNotice } from "../../contract/privacy-notice.ts";
import { ApiError, call } from "../api.ts";
import { ConsentNote } from "../forms/consent-note.tsx";
import { fieldErrors, showErrors, showServerErrors } from "../forms/form-errors.ts";
import { PhoneInput } from "../forms/phone-input.tsx";
import { PhoneNumber } from "../components/address-text.tsx";
import { AppProviders } from "../components/app-providers.tsx";
import { readFacts, type RegistrationFacts } from "../estimator/registration-facts.ts";

const empty = {
  firstName: "",
  lastName: "",
  email: "",
  organizationName: "",
  phoneNo: "",
  password: "",
  confirmPassword: "",
};
type Values = typeof empty;

const steps: { title: string; fields: (keyof Values)[] }[] = [
  { title: "About you", fields: ["firstName", "lastName", "email"] },
  { title: "Your company", fields: ["organizationName", "phoneNo"] },
  { title: "Your password", fields: ["password", "confirmPassword"] },
];
const check = fieldErrors(Registration);

export interface RegistrationFormProps {
  left: unknown;
  /** Called at each change, with all fields except the passwords. */
  onTyped: (facts: RegistrationFacts) => void;
  onRegistered: (email: string) => void;
}

/**
 * Registration in three steps. After a refusal, what was typed stays, except the passwords. Facts that a page `left` in
 * the history state are filled in, and it starts at the first step that they leave open.
 */
export default function RegistrationForm({ left, onTyped, onRegistered }: RegistrationFormProps) {
  return (
    <AppProviders>
      <Steps facts={readFacts(left)} onTyped={onTyped} onRegistered={onRegistered} />
    </AppProviders>
  );
}

function Steps({
  facts,
  onTyped,
  onRegistered,
}: Omit<RegistrationFormProps, "left"> & { facts: RegistrationFacts | null }) {
  const [step, setStep] = useState(() => (facts ? firstOpenStep({ ...empty, ...facts }) : 0));
  const [problem, setProblem] = useState<string | null>(null);
  const form = useForm({
    initialValues: { ...empty, ...facts },
    onValuesChange: ({ password: _password, confirmPassword: _confirm, ...typed }: Values) => onTyped(typed),
  });
  const register = useMutation({
    mutationFn: (values: Values) => call("auth/register", { ...values, noticeVersion: currentNotice }),
    onSuccess: (_answer, { email }) => {
      toast.success(messages.registered);
      form.setValues(empty);
      onRegistered(email);
    },
    onError: (error) => {
      form.setValues({ password: "", confirmPassword: "" });
      if (error instanceof ApiError) {
        const wrong = steps.findIndex(({ fields }) => fields.some((field) => field in error.fields));
        if (wrong >= 0) setStep(wrong);
      }
      setProblem(registrationFailure(error));
    },
  });

  // Once the step is rendered, the focus goes to the refused field.
  const goToRefused = useEffectEvent((error: Error) => error instanceof ApiError && showServerErrors(form, error));
  useEffect(() => {
    if (register.error) goToRefused(register.error);
  }, [register.error]);

  const submitStep = () => {
    const fields = steps[step]?.fields ?? [];
    const errors = Object.fromEntries(
      Object.entries(check(form.values)).filter(([name]) => fields.includes(name as keyof Values)),
    );
    showErrors(form, errors);
    setProblem(problemOf(form.values, fields, errors));
    if (Object.keys(errors).length > 0) return;
    if (step === steps.length - 1) register.mutate(form.values);
    else setStep(step + 1);
  };

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submitStep();
      }}
    >
      <Stack gap="md">
        <Text fw={600} c="var(--site-accent)" aria-live="polite">
          Step {step + 1} of {steps.length}: {steps[step]?.title}
        </Text>
        {problem && <Alert color="red">{problem}</Alert>}
        <StepFields step={step} form={form} />
        {step === steps.length - 1 && <ConsentNote doing="registering" purpose="open and run your account" />}
        <Group grow>
          {step > 0 && (
            <Button variant="default" size="md" onClick={() => setStep(step - 1)} disabled={register.isPending}>
              Previous
            </Button>
          )}
          <Button type="submit" size="md" loading={register.isPending}>
            {step === steps.length - 1 ? "Register" : "Next"}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function StepFields({ step, form }: { step: number; form: UseFormReturnType<Values> }) {
  return (
    <>
      {step === 0 && (
        <>
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <TextInput label="First name" autoComplete="given-name" autoFocus {...form.getInputProps("firstName")} />
            <TextInput label="Last name" autoComplete="family-name" {...form.getInputProps("lastName")} />
          </SimpleGrid>
          <TextInput label="Email" type="email" autoComplete="email" {...form.getInputProps("email")} />
        </>
      )}
      {step === 1 && (
        <>
          <TextInput
            label="Company name"
            autoComplete="organization"
            autoFocus
            {...form.getInputProps("organizationName")}
          />
          <PhoneInput label="Phone" {...form.getInputProps("phoneNo")} />
        </>
      )}
      {step === 2 && (
        <>
          <Text c="var(--site-muted)" style={{ overflowWrap: "anywhere" }}>
            For{" "}
            <bdi>
              {form.values.firstName} {form.values.lastName}
            </bdi>{" "}
            of <bdi>{form.values.organizationName}</bdi>, {form.values.email},{" "}
            <PhoneNumber number={form.values.phoneNo} />.
          </Text>
          <PasswordInput
            label="Password"
            description={`At least ${limits.passwordLengthMin} characters; a few unrelated words are easy to remember.`}
            autoComplete="new-password"
            autoFocus
            visibilityToggleButtonProps={{ "aria-label": "Show or hide the password" }}
            {...form.getInputProps("password")}
          />
          <PasswordInput
            label="Confirm password"
            autoComplete="new-password"
            visibilityToggleButtonProps={{ "aria-label": "Show or hide the repeated password" }}
            {...form.getInputProps("confirmPassword")}
          />
        </>
      )}
    </>
  );
}

function firstOpenStep(values: Values): number {
  const wrong = Object.keys(check(values));
  return steps.findIndex(({ fields }) => fields.some((field) => wrong.includes(field)));
}

/** The step's error sentence: missing fields come first, then invalid ones. */
function problemOf(values: Values, fields: (keyof Values)[], errors: Record<string, string>): string | null {
  if (fields.some((field) => values[field].trim() === "")) return messages.requiredFields;
  return Object.values(errors)[0] ?? null;
}

function registrationFailure(error: Error): string {
  if (!(error instanceof ApiError) || error.status === 0) return messages.registrationError(error.message);
  return error.code === "unexplained" ? messages.registrationFailed : error.message;
}
