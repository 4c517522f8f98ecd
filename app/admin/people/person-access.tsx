import { Button, Group, Stack, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { areaOf, childOf, isChild, type Role, roles } from "../../../contract/roles.ts";
import type { Member } from "../../../contract/staff-people.ts";
import { call } from "../../api.ts";
import { openedLater } from "../../components/later.tsx";
import type { ConfirmDialogProps } from "../../components/confirm-dialog.tsx";
import { fullName } from "../../people/person-name.tsx";
import { toast } from "../../toast.ts";
import { useOpenLeads } from "../leads/use-leads.ts";
import { refreshPeople } from "./refresh-people.ts";

const ConfirmDialog = openedLater<ConfirmDialogProps>(() => import("../../components/confirm-dialog.tsx"), {
  opened: false,
});

/** The confirmation that is open. */
export type Asked = "role" | "suspend" | null;

interface AccessProps {
  member: Member;
  asked: Asked;
  /** Called when a confirmation opens or closes over the dialog. */
  onAsk: (asked: Asked) => void;
}

/** The role of a person and whether they may sign in. */
export const PersonAccess = (props: AccessProps) => (
  <Stack gap="md">
    <RoleOf {...props} />
    <EntryOf {...props} />
  </Stack>
);

/** The outcome of a change: tells it, and refetches the people. */
function useOutcome(onAsk: AccessProps["onAsk"]) {
  const queries = useQueryClient();
  return {
    onSuccess: ({ message }: { message: string }) => toast.success(message),
    onError: (error: Error) => toast.error("Nothing was changed.", { description: error.message }),
    onSettled: () => {
      onAsk(null);
      return refreshPeople(queries);
    },
  };
}

function RoleOf({ member, asked, onAsk }: AccessProps) {
  const { id, version, role } = member;
  const next = nextRole(role);
  const change = useMutation({
    mutationFn: (to: Role) => call("admin/people/change-role", { id, version, role: to }),
    ...useOutcome(onAsk),
  });
  return (
    <Group justify="space-between" gap="sm">
      <Text style={{ flex: "1 1 260px" }}>
        {roleTexts[role]}. {next === null && "To change that, make another account of the organization the main one."}
      </Text>
      {next && (
        <Button variant="default" size="md" onClick={() => onAsk("role")}>
          {roleActions[next]}
        </Button>
      )}
      <ConfirmDialog
        opened={asked === "role" && next !== null}
        title="Change the role"
        confirm={next ? roleActions[next] : ""}
        destructive={next !== null && isChild(next)}
        pending={change.isPending}
        onClose={() => onAsk(null)}
        onConfirm={() => next && change.mutate(next)}
      >
        <bdi>{fullName(member)}</bdi> is signed out and has the other role from the next sign-in.{" "}
        {next && !isChild(next) && areaOf(next) !== "admin" && "The current main account becomes a child account."}
      </ConfirmDialog>
    </Group>
  );
}

function EntryOf({ member, asked, onAsk }: AccessProps) {
  const { email } = member;
  const outcome = useOutcome(onAsk);
  const suspend = useMutation({ mutationFn: () => call("admin/suspend", { email, what: "person" }), ...outcome });
  const restore = useMutation({ mutationFn: () => call("admin/restore", { email, what: "person" }), ...outcome });
  const isSuspended = member.self_suspended;
  const open = useOpenLeads(asked === "suspend" && areaOf(member.role) === "admin" ? member.id : null);
  const withOrganization = member.status === "suspended" && !isSuspended;
  return (
    <Group justify="space-between" gap="sm">
      <Text style={{ flex: "1 1 260px" }}>
        {isSuspended && "Suspended: nobody can sign in with this account."}
        {withOrganization && "Suspended with the organization."}
        {!isSuspended && !withOrganization && "May sign in."}
      </Text>
      {isSuspended ? (
        <Button variant="default" size="md" loading={restore.isPending} onClick={() => restore.mutate()}>
          Give access again
        </Button>
      ) : (
        <Button variant="default" size="md" onClick={() => onAsk("suspend")}>
          Suspend
        </Button>
      )}
      <ConfirmDialog
        opened={asked === "suspend"}
        title="Suspend this person"
        confirm="Suspend"
        pending={suspend.isPending}
        onClose={() => onAsk(null)}
        onConfirm={() => suspend.mutate()}
      >
        <bdi>{fullName(member)}</bdi> is signed out everywhere at once and can’t sign in until you give access again.
        Child accounts that nobody else answers for are out, too.
        {open && open.count > 0 && ` They own ${open.words}, to be handed over under Lead Management afterwards.`}
      </ConfirmDialog>
    </Group>
  );
}

/** The role that a person can be given here; null if it changes only when somebody else's role does. */
function nextRole(role: Role): Role | null {
  const area = areaOf(role);
  if (isChild(role)) return roles.find((each) => areaOf(each) === area && !isChild(each)) ?? null;
  return area === "admin" ? childOf.admin : null;
}

const roleTexts: Record<Role, string> = {
  user: "Main account of the customer",
  userChild: "Child account of the customer",
  partner: "Main account of the partner",
  partnerChild: "Child account of the partner",
  admin: "Administrator",
  adminChild:
    "Child administrator: sees what administrators see, works incidents, onboarding and their own leads, and changes no settings",
};
const roleActions: Record<Role, string> = {
  user: "Make this the main account",
  userChild: "Make a child account",
  partner: "Make this the main account",
  partnerChild: "Make a child account",
  admin: "Make an administrator",
  adminChild: "Make a child administrator",
};
