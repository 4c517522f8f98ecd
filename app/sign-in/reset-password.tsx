import { brand } from "../../contract/brand.ts";
import { messages } from "../../contract/messages.ts";
import { call } from "../api.ts";
import { NewPasswordForm } from "./new-password-form.tsx";
import { SignInPanel } from "./sign-in-panel.tsx";

export const meta = () => [{ title: `New password – ${brand.name}` }, { name: "robots", content: "noindex" }];

export default function ResetPassword() {
  return (
    <SignInPanel title="Set a new password" hint="All devices will be signed out.">
      <NewPasswordForm
        label="New password"
        differMessage={messages.newPasswordsDiffer}
        submit={(token, newPassword) =>
          call("auth/reset-password", { token, newPassword, confirmPassword: newPassword })
        }
      />
    </SignInPanel>
  );
}
