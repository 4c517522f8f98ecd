import { Alert, Button, PasswordInput, Stack, Text } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Password } from "../../contract/fields.ts";
import { limits } from "../../contract/limits.ts";
import { ApiError } from "../api.ts";
import { showErrors, submitting } from "../forms/form-errors.ts";
import { useTypedBefore, waitsForScript } from "../forms/use-typed-before.ts";
import { ToSignIn } from "./to-sign-in.tsx";

/** Two password fields for the holder of a mailed link: reset or invitation. `intro` stands above, `children` below. */
export function NewPasswordForm({
  submit,
  label,
  action = "Save the password",
  differMessage,
  whenRefused,
  intro,
  children,
}: {
  submit: (password: string) => Promise<{ message: string }>;
  label: string;
  /** The label of the button. */
  action?: string;
  differMessage: string;
  /** A link to follow if the mailed link is no longer valid. */
  whenRefused?: ReactNode;
  intro?: ReactNode;
  /** Shown above the button. */
  children?: ReactNode;
}) {
  const form = useForm({
    initialValues: { password: "", confirm: "" },
    validate: {
      password: (password) => Password.safeParse(password).error?.issues[0]?.message ?? null,
      confirm: (confirm, { password }) => (confirm === password ? null : differMessage),
    },
  });
  const typedBefore = useTypedBefore(form.setValues);
  const set = useMutation({
    mutationFn: submit,
    onError: (error) => {
      const refused = error instanceof ApiError ? (error.fields["password"] ?? error.fields["newPassword"]) : undefined;
      if (refused) showErrors(form, { password: refused });
    },
  });
  if (set.data)
    return (
      <Stack>
        <Alert color="green" role="status">
          {set.data.message}
        </Alert>
        <ToSignIn />
      </Stack>
    );
  return (
    <form {...waitsForScript} ref={typedBefore} onSubmit={submitting(form, ({ password }) => set.mutate(password))}>
      <Stack gap="md">
        {intro}
        {set.error && (
          <Alert color="red">
            <Text>{set.error.message}</Text>
            {set.error instanceof ApiError && set.error.fields["token"] && whenRefused}
          </Alert>
        )}
        <PasswordInput
          label={label}
          description={`At least ${limits.passwordLengthMin} characters; a few unrelated words are easy to remember.`}
          autoComplete="new-password"
          data-field="password"
          visibilityToggleButtonProps={{ "aria-label": "Show or hide the password" }}
          {...form.getInputProps("password")}
        />
        <PasswordInput
          label="Confirm password"
          autoComplete="new-password"
          data-field="confirm"
          visibilityToggleButtonProps={{ "aria-label": "Show or hide the repeated password" }}
          {...form.getInputProps("confirm")}
        />
        {children}
        <Button type="submit" size="md" loading={set.isPending}>
          {action}
        </Button>
      </Stack>
    </form>
  );
}
