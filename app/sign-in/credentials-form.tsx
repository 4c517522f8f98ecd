import { Alert, Anchor, Button, Group, PasswordInput, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { Link } from "react-router";
import { messages } from "../../contract/messages.ts";
import { ApiError, call } from "../api.ts";
import { useTypedBefore, waitsForScript } from "../forms/use-typed-before.ts";

/** E-mail and password; the server answers by mailing a code. */
export function CredentialsForm({
  email,
  onAccepted,
}: {
  email: string;
  onAccepted: (credentials: { email: string; password: string }) => void;
}) {
  const form = useForm({ initialValues: { email, password: "" } });
  const login = useMutation({
    async mutationFn(credentials: typeof form.values) {
      const { loginErrors } = await import("./checks.ts");
      const wrong = loginErrors(credentials);
      form.setErrors(wrong);
      if (Object.keys(wrong).length > 0) return false;
      await call("auth/login", credentials);
      return true;
    },
    onSuccess: (accepted, credentials) => accepted && onAccepted(credentials),
  });
  const typedBefore = useTypedBefore((typed) => form.setValues(typed));
  return (
    <form {...waitsForScript} ref={typedBefore} onSubmit={form.onSubmit((values) => login.mutate(values))}>
      <Stack gap="md">
        {login.error && <Alert color="red">{loginFailure(login.error)}</Alert>}
        <TextInput
          label="Email"
          type="email"
          autoComplete="username"
          data-field="email"
          {...form.getInputProps("email")}
        />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          data-field="password"
          visibilityToggleButtonProps={{ "aria-label": "Show or hide the password" }}
          {...form.getInputProps("password")}
        />
        <Group justify="flex-end">
          <Anchor component={Link} to="/forgot-password" fz="sm">
            Forgot Password
          </Anchor>
        </Group>
        <Button type="submit" size="md" loading={login.isPending} fullWidth>
          Login
        </Button>
      </Stack>
    </form>
  );
}

/** The server's sentence, or that the credentials are wrong; what did not reach it, or broke it, is told as such. */
export function loginFailure(error: Error): string {
  if (!hasRefused(error)) return messages.loginError(error.message);
  return error.code === "unexplained" ? messages.invalidCredentials : error.message;
}

/** The server has looked at it and said no, with or without a reason. */
export function hasRefused(error: Error): error is ApiError {
  if (!(error instanceof ApiError) || error.status === 0) return false;
  return error.code !== "unexplained" || error.status < 500;
}
