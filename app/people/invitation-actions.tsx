import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { limits } from "../../contract/limits.ts";
import { messages } from "../../contract/messages.ts";
import type { Child } from "../../contract/people.ts";
import { call } from "../api.ts";
import { ConfirmedAction } from "../components/confirmed-action.tsx";
import { toast } from "../toast.ts";
import type { ListName } from "../lists/use-list.ts";

type Invited = Pick<Child, "id" | "first_name" | "last_name" | "email" | "status">;

/** Sends an invitation again or withdraws it; nothing for whoever has joined. Reloads `reloads`. */
export function InvitationActions({ person, reloads }: { person: Invited; reloads: ListName }) {
  const queries = useQueryClient();
  const resend = useMutation({
    mutationFn: () => call("people/resend-invitation", { id: person.id }),
    onSuccess: ({ message }) =>
      toast.success(message, { description: `The new link to ${person.email} works for ${limits.inviteHours} hours.` }),
    onError: (error) => toast.error(messages.invitationNotResent, { description: error.message }),
    onSettled: () => queries.invalidateQueries({ queryKey: [reloads] }),
  });
  if (person.status !== "invited" && person.status !== "expired") return null;
  const name = `${person.first_name} ${person.last_name}`;
  return (
    <>
      <Button
        variant="default"
        aria-label={`Resend the invitation of ${name}`}
        loading={resend.isPending}
        onClick={() => resend.mutate()}
      >
        Resend
      </Button>
      <ConfirmedAction
        label="Withdraw"
        about={`the invitation of ${name}`}
        title="Withdraw the invitation"
        failed={messages.invitationNotWithdrawn}
        act={async () => ({
          ...(await call("people/withdraw-invitation", { id: person.id })),
          description: `The link mailed to ${person.email} works no more.`,
        })}
        stale={[[reloads]]}
      >
        <bdi>{name}</bdi> ({person.email}) will be taken off the list, and the mailed link will not work any more. You
        can add them again later.
      </ConfirmedAction>
    </>
  );
}
