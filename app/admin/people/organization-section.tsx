import { Button, Group, Skeleton, Stack } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { messages } from "../../../contract/messages.ts";
import type { Organization } from "../../../contract/staff-people.ts";
import { call } from "../../api.ts";
import type { ConfirmDialogProps } from "../../components/confirm-dialog.tsx";
import { openedLater } from "../../components/later.tsx";
import { Facts, PanelSection } from "../../components/panel-section.tsx";
import { StateBadge } from "../../components/state-badge.tsx";
import { ListFailed } from "../../lists/list-state.tsx";
import { useMayCall } from "../../portal/use-may-call.ts";
import { toast } from "../../toast.ts";
import { refreshPeople } from "./refresh-people.ts";

interface AboutOrganization {
  organization: Organization | null;
  onClose: () => void;
}
const closed = { organization: null };
const OrganizationDialog = openedLater<AboutOrganization>(() => import("./organization-dialog.tsx"), closed);
const MoveDialog = openedLater<AboutOrganization>(() => import("./move-dialog.tsx"), closed);
const MergeDialog = openedLater<AboutOrganization & { email: string }>(() => import("./merge-dialog.tsx"), closed);
const ConfirmDialog = openedLater<ConfirmDialogProps>(() => import("../../components/confirm-dialog.tsx"), {
  opened: false,
});

type Opened = "edit" | "move" | "merge" | "suspend" | null;

/** The organisation of the person with this e-mail, and what can be done with it. */
export function OrganizationSection({ email }: { email: string }) {
  const [opened, setOpened] = useState<Opened>(null);
  const found = useQuery({
    queryKey: ["admin/people/organization", { email }],
    queryFn: async ({ signal }) => (await call("admin/people/organization", { email }, signal)).organization,
  });
  const close = () => setOpened(null);
  if (found.isLoadingError) return <ListFailed message={messages.fetchFailed} onRetry={() => void found.refetch()} />;
  const organization = found.data ?? null;
  return (
    <PanelSection title="Organization">
      {organization ? (
        <Shown organization={organization} email={email} onOpen={setOpened} />
      ) : (
        <Skeleton h={96} radius="md" />
      )}
      <OrganizationDialog organization={opened === "edit" ? organization : null} onClose={close} />
      <MoveDialog organization={opened === "move" ? organization : null} onClose={close} />
      <MergeDialog organization={opened === "merge" ? organization : null} email={email} onClose={close} />
      <Suspend email={email} name={organization?.name ?? ""} opened={opened === "suspend"} onClose={close} />
    </PanelSection>
  );
}

function Shown({
  organization,
  email,
  onOpen,
}: {
  organization: Organization;
  email: string;
  onOpen: (opened: Opened) => void;
}) {
  const mayChange = useMayCall()("admin/people/change-organization");
  const queries = useQueryClient();
  const restore = useMutation({
    mutationFn: () => call("admin/restore", { email, what: "organisation" }),
    onSuccess: ({ message }) => toast.success(message),
    onError: (error) => toast.error(error.message),
    onSettled: () => refreshPeople(queries),
  });
  const { kind, suspended } = organization;
  return (
    <Stack gap="lg">
      <Facts facts={factsOf(organization)} />
      {mayChange && (
        <Group gap="sm">
          <Button variant="default" size="md" onClick={() => onOpen("edit")}>
            Edit
          </Button>
          {kind === "customer" && (
            <>
              <Button variant="default" size="md" onClick={() => onOpen("move")}>
                Move to another partner
              </Button>
              <Button variant="default" size="md" onClick={() => onOpen("merge")}>
                Merge into another customer
              </Button>
            </>
          )}
          {kind !== "provider" &&
            (suspended ? (
              <Button variant="default" size="md" loading={restore.isPending} onClick={() => restore.mutate()}>
                Give access again
              </Button>
            ) : (
              <Button variant="default" size="md" onClick={() => onOpen("suspend")}>
                Suspend all
              </Button>
            ))}
        </Group>
      )}
    </Stack>
  );
}

function factsOf(organization: Organization) {
  const { kind, name, partner, suspended } = organization;
  return [
    ["Name", <bdi key="name">{name}</bdi>],
    ...(kind === "customer" ? [["Partner", <bdi key="partner">{partner?.name ?? "Default"}</bdi>] as const] : []),
    ...(suspended
      ? [
          [
            "Access",
            <StateBadge key="access" tone="bad">
              Suspended
            </StateBadge>,
          ] as const,
        ]
      : []),
  ] as const;
}

function Suspend({
  email,
  name,
  opened,
  onClose,
}: {
  email: string;
  name: string;
  opened: boolean;
  onClose: () => void;
}) {
  const queries = useQueryClient();
  const suspend = useMutation({
    mutationFn: () => call("admin/suspend", { email, what: "organisation" }),
    onSuccess: ({ message }) => toast.success(message),
    onError: (error) => toast.error(error.message),
    onSettled: () => {
      onClose();
      return refreshPeople(queries);
    },
  });
  return (
    <ConfirmDialog
      opened={opened}
      title="Suspend the organization"
      confirm="Suspend all"
      pending={suspend.isPending}
      onClose={onClose}
      onConfirm={() => suspend.mutate()}
    >
      Everybody of <bdi>{name}</bdi> is signed out at once and can’t sign in until you give access again. Payments under
      way are still settled.
    </ConfirmDialog>
  );
}
