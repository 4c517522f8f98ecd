import { brand } from "../../contract/brand.ts";
import { messages } from "../../contract/messages.ts";
import { currentNotice } from "../../contract/privacy-notice.ts";
import { call } from "../api.ts";
import { ConsentNote } from "../components/consent-note.tsx";
import { NewPasswordForm } from "./new-password-form.tsx";
import { SignInPanel } from "./sign-in-panel.tsx";

export const meta = () => [{ title: `Invitation – ${brand.name}` }, { name: "robots", content: "noindex" }];

export default function AcceptInvite() {
  return (
    <SignInPanel title="Choose your password" hint="Then sign in with it and the code we send you.">
      <NewPasswordForm
        label="Password"
        differMessage={messages.passwordsDiffer}
        submit={(token, password) =>
          call("auth/accept-invite", { token, password, confirmPassword: password, noticeVersion: currentNotice })
        }
      >
        <ConsentNote
          doing="saving the password"
          purpose="run the account you were invited to, with the name, e-mail address and phone number it was made with"
        />
      </NewPasswordForm>
    </SignInPanel>
  );
}
