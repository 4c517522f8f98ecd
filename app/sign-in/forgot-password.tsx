import { Alert, Anchor, Button, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { Link } from "react-router";
import { z } from "zod";
import { brand } from "../../contract/brand.ts";
import { Email } from "../../contract/fields.ts";
import { limits } from "../../contract/limits.ts";
import { call } from "../api.ts";
import { fieldErrors, submitting } from "../forms/form-errors.ts";
import { useTypedBefore, waitsForScript } from "../forms/use-typed-before.ts";
import { unlistedMeta } from "../content/page-meta.ts";
import { SignInPanel } from "./sign-in-panel.tsx";

export const meta = () => unlistedMeta("/forgot-password", `Forgot password – ${brand.name}`);

/** Asks for a link to set a new password; the answer does not reveal whether the account exists. */
export default function ForgotPassword() {
  const form = useForm({ initialValues: { email: "" }, validate: fieldErrors(z.object({ email: Email })) });
  const typedBefore = useTypedBefore(form.setValues);
  const ask = useMutation({ mutationFn: (values: typeof form.values) => call("auth/forgot-password", values) });
  return (
    <SignInPanel title="Forgot your password?" hint="We will mail you a link to set a new one.">
      {ask.data ? (
        <Alert color="green" role="status">
          {ask.data.message} The link works for {limits.resetMinutes} minutes. If you have asked more than once, any of
          the last links will do.
        </Alert>
      ) : (
        <form {...waitsForScript} ref={typedBefore} onSubmit={submitting(form, (values) => ask.mutate(values))}>
          <Stack gap="md">
            {ask.error && <Alert color="red">{ask.error.message}</Alert>}
            <TextInput
              label="Email"
              type="email"
              autoComplete="email"
              data-field="email"
              {...form.getInputProps("email")}
            />
            <Button type="submit" size="md" loading={ask.isPending}>
              Send the link
            </Button>
          </Stack>
        </form>
      )}
      <Anchor component={Link} to="/login" ta="center">
        Back to sign in
      </Anchor>
    </SignInPanel>
  );
}
