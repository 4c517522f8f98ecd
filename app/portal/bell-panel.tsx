import { Alert, Anchor, Button, Drawer, Group, Skeleton, Stack, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "react-router";
import type { Notice } from "../../contract/notices.ts";
import { areaOf } from "../../contract/roles.ts";
import { call } from "../api.ts";
import { showTime } from "../components/display.ts";
import { StateBadge } from "../components/state-badge.tsx";
import { useEscape } from "../components/use-escape.ts";
import { useSession } from "../session.ts";
import { toast } from "../toast.ts";
import classes from "./bell-panel.module.css";
import { newsKey, noticesPath, useNews } from "./use-news.ts";

/** The latest notices; opening one leads to its subject and marks it as read. */
export default function BellPanel({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { role } = useSession();
  const news = useNews();
  const mark = useMarking();
  const latest = news.data?.latest ?? [];
  const newest = latest[0];
  useEscape(opened, onClose);
  return (
    <Drawer
      className={classes.panel ?? ""}
      closeOnEscape={false}
      opened={opened}
      onClose={onClose}
      title="Notices"
      position="right"
      size={420}
      closeButtonProps={{ "aria-label": "Close" }}
      styles={{ title: { fontSize: "1.125rem", fontWeight: 650 } }}
    >
      <Stack gap="md">
        {news.isPending && <Skeleton h={64} radius="md" role="status" aria-busy aria-label="Loading" />}
        {news.isError && !news.data && (
          <Alert color="red" role="alert">
            The notices could not be loaded.{" "}
            <Button variant="default" onClick={() => void news.refetch()}>
              Try again
            </Button>
          </Alert>
        )}
        {news.data && latest.length === 0 && (
          <Text c="var(--site-muted)">Nothing yet. News about your records will appear here.</Text>
        )}
        <ul className={classes.list} aria-label="Latest notices">
          {latest.map((notice) => (
            <li key={notice.id} data-unread={!notice.read || undefined}>
              <Told
                notice={notice}
                onFollow={() => {
                  if (!notice.read) mark.one(notice.id);
                  onClose();
                }}
              />
            </li>
          ))}
        </ul>
        <Group justify="space-between">
          {newest && news.data !== undefined && news.data.unread > 0 && (
            <Button variant="default" mih={44} loading={mark.isPending} onClick={() => mark.all(newest.id)}>
              Mark all as read
            </Button>
          )}
          <Anchor component={Link} to={noticesPath(areaOf(role ?? "user"))} onClick={onClose} className={classes.all}>
            See all notices
          </Anchor>
        </Group>
      </Stack>
    </Drawer>
  );
}

function Told({ notice, onFollow }: { notice: Notice; onFollow: () => void }) {
  const { title, text, link, read, created_at } = notice;
  return (
    <>
      <Group gap={8}>
        {link ? (
          <Anchor component={Link} to={link} onClick={onFollow} fw={600} className={classes.title}>
            <bdi>{title}</bdi>
          </Anchor>
        ) : (
          <Text fw={600} className={classes.title}>
            <bdi>{title}</bdi>
          </Text>
        )}
        {!read && <StateBadge tone="info">New</StateBadge>}
      </Group>
      <Text fz="sm" className={classes.text}>
        <bdi>{text}</bdi>
      </Text>
      <Text fz="xs" c="var(--site-muted)">
        {showTime(created_at)}
      </Text>
    </>
  );
}

function useMarking() {
  const queries = useQueryClient();
  const settled = {
    onError: (error: Error) => toast.error("It could not be marked as read.", { description: error.message }),
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: newsKey }),
        queries.invalidateQueries({ queryKey: ["notices"] }),
      ]),
  };
  const one = useMutation({ mutationFn: (id: string) => call("notices/mark", { id, read: true }), ...settled });
  const all = useMutation({ mutationFn: (until: string) => call("notices/mark-all", { until }), ...settled });
  return { one: one.mutate, all: all.mutate, isPending: all.isPending };
}
