import { Alert, Anchor, Stack } from "@mantine/core";
import { Link } from "react-router";
import { brand } from "../../contract/brand.ts";
import { messages } from "../../contract/messages.ts";
import { call } from "../api.ts";
import { NewPasswordForm } from "./new-password-form.tsx";
import { unlistedMeta } from "../content/page-meta.ts";
import { SignInPanel } from "./sign-in-panel.tsx";
import { useLinkToken } from "./use-link-token.ts";

export const meta = () => unlistedMeta("/reset-password", `New password – ${brand.name}`);

const askAnew = (
  <Anchor component={Link} to="/forgot-password" underline="always">
    Ask for a new link
  </Anchor>
);

export default function ResetPassword() {
  const token = useLinkToken();
  return (
    <SignInPanel title="Set a new password" hint="All devices will be signed out.">
      {token === null ? (
        <Stack>
          <Alert color="red">
            This link is not complete. Please open it again from the e-mail, or ask for a new one.
          </Alert>
          {askAnew}
        </Stack>
      ) : (
        <NewPasswordForm
          label="New password"
          differMessage={messages.newPasswordsDiffer}
          whenRefused={askAnew}
          submit={(newPassword) =>
            call("auth/reset-password", { token: token ?? "", newPassword, confirmPassword: newPassword })
          }
        />
      )}
    </SignInPanel>
  );
}
