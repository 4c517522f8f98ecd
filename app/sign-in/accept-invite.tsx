import "@mantine/core/styles/InlineInput.layer.css";
import "@mantine/core/styles/Checkbox.layer.css";
import { Alert, Button, Checkbox, Skeleton, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Invitation } from "../../contract/accounts.ts";
import { brand } from "../../contract/brand.ts";
import { messages } from "../../contract/messages.ts";
import { currentNotice } from "../../contract/privacy-notice.ts";
import { call, isRefusal } from "../api.ts";
import { ConsentNote } from "../forms/consent-note.tsx";
import { NewPasswordForm } from "./new-password-form.tsx";
import { unlistedMeta } from "../content/page-meta.ts";
import { SignInPanel } from "./sign-in-panel.tsx";
import { ToSignIn } from "./to-sign-in.tsx";
import { useLinkToken } from "./use-link-token.ts";

export const meta = () => unlistedMeta("/accept-invite", `Invitation – ${brand.name}`);

/** Shows who invites to what before anything is agreed to; nobody joins without choosing a password here. */
export default function AcceptInvite() {
  const token = useLinkToken();
  const asked = useQuery({
    queryKey: ["auth/invitation", token],
    queryFn: async ({ signal }) => (await call("auth/invitation", { token: token ?? "" }, signal)).invitation,
    enabled: typeof token === "string",
    // Accepting uses up the link: what was read stays on the page.
    staleTime: Infinity,
    retry: false,
  });
  if (token === null)
    return <NoInvitation sentence="This link is not complete. Please open it again from the e-mail." />;
  if (asked.error)
    return (
      <NoInvitation
        sentence={asked.error.message}
        // The link is out of the address by now: to reload the page would lose it.
        {...(!isRefusal(asked.error) && { onRetry: () => void asked.refetch() })}
      />
    );
  if (!token || !asked.data)
    return (
      <SignInPanel title="Your invitation">
        <Skeleton h={220} radius="md" />
      </SignInPanel>
    );
  return <Acceptance token={token} invitation={asked.data} />;
}

function Acceptance({ token, invitation }: { token: string; invitation: Invitation }) {
  const [bringing, setBringing] = useState(false);
  const { organizationName, firstName, lastName, email, estimates } = invitation;
  return (
    <SignInPanel title={`Join ${organizationName}`} hint={<InvitedBy invitation={invitation} />}>
      <NewPasswordForm
        label="Password"
        action="Accept and join"
        intro={
          <Text style={{ overflowWrap: "anywhere" }}>
            You will join as{" "}
            <bdi>
              {firstName} {lastName}
            </bdi>
            , {email}. Choose a password to accept; you then sign in with it and the code we send you. If you did not
            expect this, leave the page: nothing happens.
          </Text>
        }
        differMessage={messages.passwordsDiffer}
        whenRefused={<ToSignIn />}
        submit={(password) =>
          call("auth/accept-invite", {
            token,
            password,
            confirmPassword: password,
            claimQuotes: bringing,
            noticeVersion: currentNotice,
          })
        }
      >
        {estimates > 0 && (
          <Checkbox
            checked={bringing}
            onChange={(event) => setBringing(event.currentTarget.checked)}
            label={
              <>
                Also move {estimates === 1 ? "the estimate" : `the ${estimates} estimates`} I asked for with this e-mail
                address to <bdi>{organizationName}</bdi>
              </>
            }
            description="Everybody there will be able to read and buy what you move; what you do not move they never see."
          />
        )}
        <ConsentNote
          doing="accepting"
          purpose="run the account you were invited to, with the name, e-mail address and phone number it was made with"
        />
      </NewPasswordForm>
    </SignInPanel>
  );
}

function InvitedBy({ invitation: { invitedBy, organizationName } }: { invitation: Invitation }) {
  if (!invitedBy) return <>You have been invited.</>;
  const fromElsewhere = invitedBy.organizationName !== organizationName;
  return (
    <>
      <bdi>{invitedBy.name}</bdi>
      {fromElsewhere && (
        <>
          {" "}
          of <bdi>{invitedBy.organizationName}</bdi>
        </>
      )}{" "}
      has invited you.
    </>
  );
}

/** The answers for people who have an account, and should sign in instead. */
const hasAccount: readonly string[] = [messages.invitationAccepted, messages.invitationOvertaken];

function NoInvitation({ sentence, onRetry }: { sentence: string; onRetry?: () => void }) {
  return (
    <SignInPanel title="Your invitation">
      <Stack>
        <Alert color="red" role="alert">
          {sentence}
        </Alert>
        {!onRetry && !hasAccount.includes(sentence) && (
          <Text c="var(--site-muted)">Whoever invited you can send the invitation again.</Text>
        )}
        {onRetry ? (
          <Button size="md" onClick={onRetry}>
            Try again
          </Button>
        ) : (
          <ToSignIn />
        )}
      </Stack>
    </SignInPanel>
  );
}
