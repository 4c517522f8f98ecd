import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { IconDeviceLaptop, IconLogout } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { toast } from "../toast.ts";
import type { Session } from "../../contract/accounts.ts";
import { limits } from "../../contract/limits.ts";
import { call } from "../api.ts";
import { showTime } from "../components/display.ts";
import { ListFailed, ListLoading } from "../lists/list-state.tsx";
import { StateBadge } from "../components/state-badge.tsx";
import { leaveSession } from "../session.ts";
import classes from "./sessions.module.css";

/** The user's open sessions: each can be ended, or all of them at once. */
export default function Sessions() {
  const list = useQuery({
    queryKey: ["user/sessions"],
    queryFn: ({ signal }) => call("user/sessions", {}, signal),
  });
  const queries = useQueryClient();
  const end = useMutation({
    mutationFn: ({ id }: Session) => call("auth/end-session", { id }),
    onSuccess: (_answer, { device }) => {
      toast.success(`${device} was signed out.`);
      return queries.invalidateQueries({ queryKey: ["user/sessions"] });
    },
    onError: (error) => toast.error(error.message),
  });
  const endAll = useMutation({
    mutationFn: () => call("auth/logout-everywhere"),
    // The guard leads on to /login.
    onSuccess: () => {
      leaveSession();
      toast.success("You are signed out everywhere.");
    },
    onError: (error) => toast.error(error.message),
  });
  return (
    <Stack gap="md">
      <Group justify="space-between" align="flex-start" gap="md">
        <div>
          <Title order={2} fz="lg">
            Where you are signed in
          </Title>
          <Text c="var(--site-muted)" fz="sm" mt={4}>
            A session ends by itself after {limits.sessionHours} hours.
          </Text>
        </div>
        <Button
          variant="default"
          size="md"
          leftSection={<IconLogout size={18} aria-hidden />}
          loading={endAll.isPending}
          onClick={() => endAll.mutate()}
        >
          Sign out everywhere
        </Button>
      </Group>
      {list.isPending && <ListLoading rows={2} />}
      {list.isError && (
        <ListFailed message="Failed to fetch your sessions. Please try again." onRetry={() => void list.refetch()} />
      )}
      <ul className={classes.list} aria-label="Sessions">
        {list.data?.sessions.map((session) => (
          <SessionEntry
            key={session.id}
            session={session}
            isEnding={end.isPending && end.variables.id === session.id}
            onEnd={() => end.mutate(session)}
          />
        ))}
      </ul>
    </Stack>
  );
}

function SessionEntry({ session, isEnding, onEnd }: { session: Session; isEnding: boolean; onEnd: () => void }) {
  return (
    <li>
      <IconDeviceLaptop size={26} stroke={1.5} aria-hidden className={classes.icon} />
      <div className={classes.what}>
        <Group gap={8}>
          <Text fw={600}>{session.device}</Text>
          {session.current && <StateBadge tone="good">This device</StateBadge>}
        </Group>
        <Text fz="sm" c="var(--site-muted)">
          Signed in {showTime(session.created_at)} from {session.address}
        </Text>
        <Text fz="sm" c="var(--site-muted)">
          Until {showTime(session.expires_at)}
        </Text>
      </div>
      {!session.current && (
        <Button
          variant="default"
          mih={44}
          aria-label={`Sign out ${session.device}, signed in ${showTime(session.created_at)}`}
          loading={isEnding}
          onClick={onEnd}
        >
          Sign out
        </Button>
      )}
    </li>
  );
}
