import { Alert, Anchor, Button, Stack } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { Link } from "react-router";
import { brand } from "../../contract/brand.ts";
import { call } from "../api.ts";
import { unlistedMeta } from "../content/page-meta.ts";
import { SignInPanel } from "./sign-in-panel.tsx";
import { useLinkToken } from "./use-link-token.ts";

export const meta = () => unlistedMeta("/confirm-email", `Confirm your e-mail address – ${brand.name}`);

/** Confirms a corrected address by a button: programs that open the links in e-mails change nothing. */
export default function ConfirmEmail() {
  const token = useLinkToken();
  const confirm = useMutation({ mutationFn: () => call("auth/confirm-email", { token: token ?? "" }) });
  const problem =
    token === null ? "This link is not complete. Please open it again from the e-mail." : confirm.error?.message;
  return (
    <SignInPanel
      title="Is this your e-mail address?"
      hint="Confirm it to sign in with it from now on. All devices will be signed out."
    >
      <Stack gap="md">
        {problem && (
          <Alert color="red" role="alert">
            {problem}
          </Alert>
        )}
        {confirm.data ? (
          <Alert color="green" role="status">
            {confirm.data.message}
          </Alert>
        ) : (
          <Button size="md" disabled={!token} loading={confirm.isPending} onClick={() => confirm.mutate()}>
            Confirm this address
          </Button>
        )}
        <Anchor component={Link} to="/login" ta="center">
          To sign in
        </Anchor>
      </Stack>
    </SignInPanel>
  );
}
