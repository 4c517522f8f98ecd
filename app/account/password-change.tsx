import { Button, Divider, Group, PasswordInput, Stack, Title } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { toast } from "../toast.ts";
import { PasswordChange as PasswordChangeSchema } from "../../contract/accounts.ts";
import { limits } from "../../contract/limits.ts";
import { messages } from "../../contract/messages.ts";
import { ApiError, call } from "../api.ts";
import { fieldErrors, showServerErrors, submitting } from "../forms/form-errors.ts";
import { Refusal } from "../components/refusal.tsx";

const empty = { currentPassword: "", newPassword: "", confirmPassword: "" };

/** Changes the password. Loaded when the profile is edited, as its form pulls in the contract's schemas. */
export default function PasswordChange() {
  const form = useForm({ initialValues: empty, validate: fieldErrors(PasswordChangeSchema) });
  const change = useMutation({
    mutationFn: (values: typeof empty) => call("auth/change-password", values),
    onSuccess: ({ message }) => {
      toast.success(message);
      form.reset();
    },
    onError: (error) => error instanceof ApiError && showServerErrors(form, error),
  });
  const toggle = (what: string) => ({ "aria-label": `Show or hide the ${what} password` });
  return (
    <form noValidate onSubmit={submitting(form, (values) => change.mutate(values))}>
      <Stack gap="md">
        <Divider my="sm" />
        <Title order={2} fz="lg">
          Change password
        </Title>
        {change.error && <Refusal>{failure(change.error)}</Refusal>}
        <PasswordInput
          label="Current password"
          autoComplete="current-password"
          visibilityToggleButtonProps={toggle("current")}
          {...form.getInputProps("currentPassword")}
        />
        <PasswordInput
          label="New password"
          description={`At least ${limits.passwordLengthMin} characters. Your other sessions will be signed out.`}
          autoComplete="new-password"
          visibilityToggleButtonProps={toggle("new")}
          {...form.getInputProps("newPassword")}
        />
        <PasswordInput
          label="Confirm new password"
          autoComplete="new-password"
          visibilityToggleButtonProps={toggle("repeated")}
          {...form.getInputProps("confirmPassword")}
        />
        <Group>
          <Button type="submit" size="md" loading={change.isPending}>
            Change password
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The server's sentence for a wrong current password; after ours where the server names a field or a time to wait. */
function failure(error: Error): string {
  const status = error instanceof ApiError ? error.status : 0;
  if (status === 401) return error.message;
  return [422, 429].includes(status)
    ? `${messages.passwordChangeFailed} ${error.message}`
    : messages.passwordChangeFailed;
}
