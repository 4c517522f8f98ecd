import { Alert, Button, Group, Stack, Text, TextInput, Title } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Dialog } from "../../components/dialog.tsx";
import { Refusal } from "../../components/refusal.tsx";
import type { MergePreview, Organization } from "../../../contract/staff-people.ts";
import { call } from "../../api.ts";
import { ListLoading } from "../../lists/list-state.tsx";
import { toast } from "../../toast.ts";
import { OrganizationSelect } from "./organization-select.tsx";
import { refreshPeople } from "./refresh-people.ts";

/** Merges a customer into another, after showing what moves and what stays. */
export default function MergeDialog({
  organization,
  email,
  onClose,
}: {
  organization: Organization | null;
  email: string;
  onClose: () => void;
}) {
  return (
    <Dialog opened={organization !== null} onClose={onClose} title="Merge into another customer" size="lg">
      {organization && <MergeForm from={email} organization={organization} onClose={onClose} />}
    </Dialog>
  );
}

function MergeForm({
  from,
  organization: { id, name },
  onClose,
}: {
  from: string;
  organization: Organization;
  onClose: () => void;
}) {
  const [{ into, chosen }, setInto] = useState<{ into: string | null; chosen: string }>({ into: null, chosen: "" });
  const preview = useQuery({
    queryKey: ["admin/people/merge-preview", { from, into }],
    queryFn: async ({ signal }) => (await call("admin/people/merge-preview", { from, into: into ?? "" }, signal)).merge,
    enabled: into !== null,
    gcTime: 0,
  });
  // The server finds both by e-mail address, which another customer may share: checks that it found the intended two.
  const isMeant = (merge: MergePreview) => merge.from.id === id && merge.into.name === chosen;
  return (
    <Stack gap="md">
      <Text style={{ overflowWrap: "anywhere" }}>
        When <bdi>{name}</bdi> and another customer are one company, everything of <bdi>{name}</bdi> becomes that one’s.
      </Text>
      <OrganizationSelect
        kind="user"
        label="The customer that stays"
        value={into}
        without={from}
        onChange={(email, called) => setInto({ into: email, chosen: called })}
      />
      {into !== null && preview.isPending && <ListLoading rows={2} />}
      {preview.isError && <Refusal>{preview.error.message}</Refusal>}
      {preview.data && isMeant(preview.data) && <Weighed key={into} merge={preview.data} onClose={onClose} />}
      {preview.data && !isMeant(preview.data) && (
        <Refusal>
          More than one customer has the same e-mail address: these would be <bdi>{preview.data.from.name}</bdi> and{" "}
          <bdi>{preview.data.into.name}</bdi>. Please correct the address of one of them first.
        </Refusal>
      )}
    </Stack>
  );
}

function Weighed({ merge, onClose }: { merge: MergePreview; onClose: () => void }) {
  const queries = useQueryClient();
  const [typed, setTyped] = useState("");
  const { from, into, moves, stays, refusal } = merge;
  const run = useMutation({
    mutationFn: () =>
      call("admin/people/merge", {
        from: { id: from.id, version: from.version },
        into: { id: into.id, version: into.version },
      }),
    onSuccess: ({ message }) => {
      toast.success(message);
      onClose();
    },
    onSettled: () => refreshPeople(queries),
  });
  if (refusal)
    return (
      <Alert color="yellow" role="alert">
        {refusal}
      </Alert>
    );
  return (
    <Stack gap="md" style={{ overflowWrap: "anywhere" }}>
      <Sentences title="What moves" sentences={moves} />
      <Sentences title="What stays" sentences={stays} />
      {run.error && <Refusal>{run.error.message}</Refusal>}
      <TextInput
        label={`Type ${from.name} to go on`}
        description="This can't be undone"
        autoComplete="off"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <Group justify="flex-end">
        <Button variant="default" size="md" onClick={onClose} disabled={run.isPending}>
          Cancel
        </Button>
        <Button
          size="md"
          color="red.9"
          loading={run.isPending}
          disabled={typed.trim() !== from.name}
          onClick={() => run.mutate()}
        >
          Merge
        </Button>
      </Group>
    </Stack>
  );
}

function Sentences({ title, sentences }: { title: string; sentences: readonly string[] }) {
  return (
    <section>
      <Title order={3} fz={16} mb={4}>
        {title}
      </Title>
      <ul style={{ margin: 0 }}>
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </section>
  );
}
