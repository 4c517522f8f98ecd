import { Alert, Anchor, Button, PasswordInput, Stack, Text } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { Link } from "react-router";
import { Password } from "../../contract/fields.ts";
import { limits } from "../../contract/limits.ts";
import { ApiError } from "../api.ts";

/** Two passwords for whoever holds a mailed link; used by the reset and by the invitation. */
export function NewPasswordForm({
  submit,
  label,
  differMessage,
  children,
}: {
  submit: (token: string, password: string) => Promise<{ message: string }>;
  label: string;
  differMessage: string;
  /** Stands above the button. */
  children?: ReactNode;
}) {
  const token = useLinkToken();
  const form = useForm({
    initialValues: { password: "", confirm: "" },
    validate: {
      password: (password) => Password.safeParse(password).error?.issues[0]?.message ?? null,
      confirm: (confirm, { password }) => (confirm === password ? null : differMessage),
    },
  });
  const set = useMutation({
    mutationFn: (password: string) => submit(token ?? "", password),
    onError: (error) => {
      const refused = error instanceof ApiError ? (error.fields["password"] ?? error.fields["newPassword"]) : undefined;
      if (refused) form.setFieldError("password", refused);
    },
  });
  if (set.data)
    return (
      <Stack>
        <Alert color="green" role="status">
          {set.data.message}
        </Alert>
        <Button component={Link} to="/login" size="md">
          Sign in
        </Button>
      </Stack>
    );
  if (token === null)
    return (
      <Stack>
        <Alert color="red">
          This link is not complete. Please open it again from the e-mail, or ask for a new one.
        </Alert>
        <Anchor component={Link} to="/forgot-password">
          Ask for a new link
        </Anchor>
      </Stack>
    );
  return (
    <form noValidate onSubmit={form.onSubmit(({ password }) => set.mutate(password))}>
      <Stack gap="md">
        {set.error && (
          <Alert color="red">
            <Text>{set.error.message}</Text>
          </Alert>
        )}
        <PasswordInput
          label={label}
          description={`At least ${limits.passwordLengthMin} characters; a few unrelated words are easy to remember.`}
          autoComplete="new-password"
          visibilityToggleButtonProps={{ "aria-label": "Show or hide the password" }}
          {...form.getInputProps("password")}
        />
        <PasswordInput
          label="Confirm password"
          autoComplete="new-password"
          visibilityToggleButtonProps={{ "aria-label": "Show or hide the repeated password" }}
          {...form.getInputProps("confirm")}
        />
        {children}
        <Button type="submit" size="md" loading={set.isPending}>
          Save the password
        </Button>
      </Stack>
    </form>
  );
}

/** The secret from the fragment, taken out of the address bar at once; undefined until the browser has looked. */
function useLinkToken(): string | null | undefined {
  const [token, setToken] = useState<string | null>();
  useEffect(() => {
    const found = new URLSearchParams(location.hash.slice(1)).get("token");
    setToken((known) => known ?? found);
    if (found) history.replaceState(history.state, "", location.pathname);
  }, []);
  return token;
}
