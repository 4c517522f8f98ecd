import { Button, Group, Stack, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Organization } from "../../../contract/staff-people.ts";
import { ApiError, call } from "../../api.ts";
import { CheckBox } from "../../components/check-box.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Refusal } from "../../components/refusal.tsx";
import { toast } from "../../toast.ts";
import { OrganizationSelect } from "./organization-select.tsx";
import { refreshPeople } from "./refresh-people.ts";

/** Moves a customer to another partner, or to none. */
export default function MoveDialog({
  organization,
  onClose,
}: {
  organization: Organization | null;
  onClose: () => void;
}) {
  return (
    <Dialog opened={organization !== null} onClose={onClose} title="Move to another partner" size="lg">
      {organization && <MoveForm organization={organization} onClose={onClose} />}
    </Dialog>
  );
}

function MoveForm({ organization, onClose }: { organization: Organization; onClose: () => void }) {
  const queries = useQueryClient();
  const [email, setEmail] = useState<string | null>(null);
  const [toNone, setToNone] = useState(false);
  // The version when the dialog opened, so that somebody else's move meanwhile is not overwritten unseen.
  const [{ id, version, name, partner }] = useState(organization);
  const move = useMutation({
    mutationFn: () => call("admin/people/move-customer", { id, version, partner_email: toNone ? null : email }),
    onSuccess: ({ message }) => {
      toast.success(message);
      onClose();
    },
    onSettled: () => refreshPeople(queries),
  });
  const ofField = move.error instanceof ApiError ? move.error.fields["partner_email"] : undefined;
  return (
    <Stack gap="md">
      {move.error && !ofField && <Refusal>{move.error.message}</Refusal>}
      <Text style={{ overflowWrap: "anywhere" }}>
        <bdi>{name}</bdi> is with {partner ? <bdi>{partner.name}</bdi> : "no partner"}. The new partner sees its people
        and orders from then on{partner && ", and the one before no longer does"}.
      </Text>
      <OrganizationSelect
        kind="partner"
        label="New partner"
        value={toNone ? null : email}
        error={ofField}
        disabled={toNone}
        onChange={setEmail}
      />
      {partner && <CheckBox label="No partner: we look after them ourselves" checked={toNone} onChange={setToNone} />}
      <Group justify="flex-end">
        <Button variant="default" size="md" onClick={onClose} disabled={move.isPending}>
          Cancel
        </Button>
        <Button size="md" loading={move.isPending} disabled={email === null && !toNone} onClick={() => move.mutate()}>
          Move
        </Button>
      </Group>
    </Stack>
  );
}
