import { Group, Stack, Switch, Text, Title } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { MailKind } from "../../contract/mail-choices.ts";
import type { MailChoice } from "../../contract/mail-kinds.ts";
import { call } from "../api.ts";
import { ListFailed, ListLoading } from "../lists/list-state.tsx";
import { StateBadge } from "../components/state-badge.tsx";
import { toast } from "../toast.ts";
import classes from "./sessions.module.css";

const choicesKey = ["notices/choices"];

/** Which e-mails the user gets: a switch for each kind, and why some kinds are always sent. */
export default function Mails() {
  const list = useQuery({
    queryKey: choicesKey,
    queryFn: async ({ signal }) => (await call("notices/choices", {}, signal)).choices,
  });
  return (
    <Stack gap="md">
      <div>
        <Title order={2} fz="lg">
          Mails you get
        </Title>
        <Text c="var(--site-muted)" fz="sm" mt={4}>
          Changes apply from the next mail on. The bell shows everything in any case.
        </Text>
      </div>
      {list.isPending && <ListLoading rows={3} />}
      {list.isError && <ListFailed message="Your choices could not be loaded." onRetry={() => void list.refetch()} />}
      <ul className={classes.list} aria-label="Kinds of mail">
        {list.data?.map((choice) => (
          <li key={choice.kind}>
            <Choice choice={choice} />
          </li>
        ))}
      </ul>
    </Stack>
  );
}

function Choice({ choice: { kind, name, about, can_be_turned_off, wanted } }: { choice: MailKind }) {
  const queries = useQueryClient();
  const choose = useMutation({
    mutationFn: (next: boolean) => call("notices/choose", { kind: kind as MailChoice, wanted: next }),
    onSuccess: ({ message }) => toast.success(message),
    onError: (error) => toast.error("Your choice could not be saved.", { description: error.message }),
    onSettled: () => queries.invalidateQueries({ queryKey: choicesKey }),
  });
  if (!can_be_turned_off)
    return (
      <div>
        <Group gap={8}>
          <Text fw={600}>{name}</Text>
          <StateBadge tone="neutral">Can’t be turned off</StateBadge>
        </Group>
        <Text fz="sm" c="var(--site-muted)">
          {about}
        </Text>
      </div>
    );
  return (
    <Switch
      label={name}
      description={about}
      checked={choose.isPending ? choose.variables : wanted}
      size="md"
      onChange={(event) => choose.mutate(event.currentTarget.checked)}
    />
  );
}
