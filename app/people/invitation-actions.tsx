import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { limits } from "../../contract/limits.ts";
import { messages } from "../../contract/messages.ts";
import type { Child } from "../../contract/people.ts";
import { call } from "../api.ts";
import { openedLater } from "../components/later.tsx";
import { toast } from "../toast.ts";
import type { ListName } from "../lists/use-list.ts";
import type { ConfirmDialogProps } from "../components/confirm-dialog.tsx";

type Invited = Pick<Child, "id" | "first_name" | "last_name" | "email" | "status">;

const ConfirmDialog = openedLater<ConfirmDialogProps>(() => import("../components/confirm-dialog.tsx"), {
  opened: false,
});

/** Resends or withdraws an invitation; nothing once the person has joined. It reloads `reloads`. */
export function InvitationActions({ person, reloads }: { person: Invited; reloads: ListName }) {
  const [asking, confirmation] = useDisclosure(false);
  const queries = useQueryClient();
  const reload = () => void queries.invalidateQueries({ queryKey: [reloads] });
  const resend = useMutation({
    mutationFn: () => call("people/resend-invitation", { id: person.id }),
    onSuccess: ({ message }) =>
      toast.success(message, { description: `The new link to ${person.email} works for ${limits.inviteHours} hours.` }),
    onError: (error) => toast.error(messages.invitationNotResent, { description: error.message }),
    onSettled: reload,
  });
  const withdraw = useMutation({
    mutationFn: () => call("people/withdraw-invitation", { id: person.id }),
    onSuccess: ({ message }) => {
      confirmation.close();
      toast.success(message, { description: `The link mailed to ${person.email} works no more.` });
    },
    onError: (error) => toast.error(messages.invitationNotWithdrawn, { description: error.message }),
    onSettled: reload,
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
      <Button variant="default" aria-label={`Withdraw the invitation of ${name}`} onClick={confirmation.open}>
        Withdraw
      </Button>
      <ConfirmDialog
        opened={asking}
        title="Withdraw the invitation"
        confirm="Withdraw"
        pending={withdraw.isPending}
        onClose={confirmation.close}
        onConfirm={() => withdraw.mutate()}
      >
        <bdi>{name}</bdi> ({person.email}) will be taken off the list, and the mailed link will not work any more. You
        can add them again later.
      </ConfirmDialog>
    </>
  );
}
