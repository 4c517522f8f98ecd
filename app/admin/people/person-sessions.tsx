import { Button, Group, Stack, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { call } from "../../api.ts";
import { showTime } from "../../components/display.ts";
import { ListFailed, ListLoading } from "../../lists/list-state.tsx";
import { useMayCall } from "../../portal/use-may-call.ts";
import { toast } from "../../toast.ts";

/** A person's open sessions. */
export function PersonSessions({ id }: { id: string }) {
  const queries = useQueryClient();
  const mayEnd = useMayCall()("admin/people/end-sessions");
  const list = useQuery({
    queryKey: ["admin/people/sessions", id],
    queryFn: async ({ signal }) => (await call("admin/people/sessions", { id }, signal)).sessions,
  });
  const end = useMutation({
    mutationFn: (session_id: string | null) => call("admin/people/end-sessions", { id, session_id }),
    onSuccess: ({ message }) => toast.success(message),
    onError: (error) => toast.error(error.message),
    onSettled: () => queries.invalidateQueries({ queryKey: ["admin/people/sessions", id] }),
  });
  if (list.isPending) return <ListLoading rows={1} />;
  if (list.isLoadingError)
    return <ListFailed message="Failed to fetch the sign-ins." onRetry={() => void list.refetch()} />;
  if (list.data.length === 0) return <Text c="var(--site-muted)">Signed in nowhere.</Text>;
  return (
    <Stack gap="sm">
      <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: "none" }} aria-label="Sign-ins">
        {list.data.map((session) => (
          <Group component="li" key={session.id} justify="space-between" gap="sm">
            <div style={{ flex: "1 1 220px", minWidth: 0, overflowWrap: "anywhere" }}>
              <Text fw={600}>{session.device}</Text>
              <Text fz="sm" c="var(--site-muted)">
                Since {showTime(session.created_at)} from {session.address || "an unknown address"}
              </Text>
            </div>
            {mayEnd && (
              <Button
                variant="default"
                mih={44}
                aria-label={`Sign out ${session.device}, signed in ${showTime(session.created_at)}`}
                loading={end.isPending && end.variables === session.id}
                onClick={() => end.mutate(session.id)}
              >
                Sign out
              </Button>
            )}
          </Group>
        ))}
      </Stack>
      {mayEnd && list.data.length > 1 && (
        <Group justify="flex-end">
          <Button
            variant="default"
            size="md"
            loading={end.isPending && end.variables === null}
            onClick={() => end.mutate(null)}
          >
            Sign out everywhere
          </Button>
        </Group>
      )}
    </Stack>
  );
}
