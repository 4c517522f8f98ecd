import { Button, Group, Stack, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { areaOf, childOf, isChild, type Role, roles } from "../../../contract/roles.ts";
import type { Member } from "../../../contract/staff-people.ts";
import { call } from "../../api.ts";
import { openedLater } from "../../components/later.tsx";
import type { ConfirmDialogProps } from "../../components/confirm-dialog.tsx";
import { fullName } from "../../people/person-name.tsx";
import { toast } from "../../toast.ts";
import { refreshPeople } from "./refresh-people.ts";

const ConfirmDialog = openedLater<ConfirmDialogProps>(() => import("../../components/confirm-dialog.tsx"), {
  opened: false,
});

/** What is asked before it is done. */
export type Asked = "role" | "suspend" | null;

/** The role of a person and whether they may sign in. `onAsk` tells that a question lies on top. */
export function PersonAccess({
  member,
  asked,
  onAsk,
}: {
  member: Member;
  asked: Asked;
  onAsk: (asked: Asked) => void;
}) {
  const queries = useQueryClient();
  const { id, version, email, role } = member;
  const next = nextRole(role);
  const done = {
    onSuccess: ({ message }: { message: string }) => {
      toast.success(message);
      onAsk(null);
    },
    onError: (error: Error) => {
      toast.error("Nothing was changed.", { description: error.message });
      onAsk(null);
    },
    onSettled: () => refreshPeople(queries),
  };
  const change = useMutation({
    mutationFn: (to: Role) => call("admin/people/change-role", { id, version, role: to }),
    ...done,
  });
  const suspend = useMutation({ mutationFn: () => call("admin/suspend", { email, what: "person" }), ...done });
  const restore = useMutation({ mutationFn: () => call("admin/restore", { email, what: "person" }), ...done });
  const isSuspended = member.status === "suspended";
  const name = fullName(member);
  return (
    <Stack gap="md">
      <Group justify="space-between" gap="sm">
        <Text style={{ flex: "1 1 260px" }}>
          {roleTexts[role]}. {next === null && "Making somebody else of the organisation answer for it changes that."}
        </Text>
        {next && (
          <Button variant="default" size="md" onClick={() => onAsk("role")}>
            {roleActions[next]}
          </Button>
        )}
      </Group>
      <Group justify="space-between" gap="sm">
        <Text style={{ flex: "1 1 260px" }}>
          {isSuspended ? "Suspended: nobody signs in with this account." : "May sign in."}
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
      </Group>
      <ConfirmDialog
        opened={asked === "role" && next !== null}
        title="Change the role"
        confirm={next ? roleActions[next] : ""}
        pending={change.isPending}
        onClose={() => onAsk(null)}
        onConfirm={() => next && change.mutate(next)}
      >
        <bdi>{name}</bdi> is signed out and has the other role from the next sign-in.{" "}
        {next && !isChild(next) && areaOf(next) !== "admin" && "Whoever answered so far becomes a child account."}
      </ConfirmDialog>
      <ConfirmDialog
        opened={asked === "suspend"}
        title="Suspend this person"
        confirm="Suspend"
        pending={suspend.isPending}
        onClose={() => onAsk(null)}
        onConfirm={() => suspend.mutate()}
      >
        <bdi>{name}</bdi> is signed out everywhere at once and can’t sign in until you give access again. Child accounts
        that nobody else answers for are out, too.
      </ConfirmDialog>
    </Stack>
  );
}

/** What the role can become; null where only somebody else's change does it. */
function nextRole(role: Role): Role | null {
  const area = areaOf(role);
  if (isChild(role)) return roles.find((each) => areaOf(each) === area && !isChild(each)) ?? null;
  return area === "admin" ? childOf.admin : null;
}

const roleTexts: Record<Role, string> = {
  user: "Answers for the customer",
  userChild: "Child account of the customer",
  partner: "Answers for the partner",
  partnerChild: "Child account of the partner",
  admin: "Administrator",
  adminChild: "Child administrator: sees what administrators see, and changes nothing but their own leads",
};
const roleActions: Record<Role, string> = {
  user: "Make them answer for the customer",
  userChild: "Make a child account",
  partner: "Make them answer for the partner",
  partnerChild: "Make a child account",
  admin: "Make an administrator",
  adminChild: "Make a child administrator",
};
