import { Anchor, Button, NativeSelect, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "react-router";
import { brand } from "../../contract/brand.ts";
import type { Notice, NoticeSort } from "../../contract/notices.ts";
import { call } from "../api.ts";
import { ReadyButton } from "../components/ready-button.tsx";
import { StateBadge } from "../components/state-badge.tsx";
import { DayAndTime } from "../components/unbroken.tsx";
import type { Column } from "../lists/column.ts";
import { ListPage } from "../lists/list-page.tsx";
import { useAddress } from "../lists/use-address.ts";
import { newsKey, useNews } from "../portal/use-news.ts";
import { toast } from "../toast.ts";

export const meta = () => [{ title: `Notices – ${brand.name}` }];

const columns: readonly Column<Notice, NoticeSort>[] = [
  {
    label: "What",
    cell: ({ title, link, read }) => (
      <>
        {link ? (
          <Anchor component={Link} to={link} fw={650} fz="inherit">
            <bdi>{title}</bdi>
          </Anchor>
        ) : (
          <Text component="span" fw={650} fz="inherit">
            <bdi>{title}</bdi>
          </Text>
        )}{" "}
        {!read && <StateBadge tone="info">New</StateBadge>}
      </>
    ),
    text: ({ title }) => title,
    width: 220,
  },
  {
    label: "Details",
    cell: ({ text }) => <bdi style={{ whiteSpace: "pre-line" }}>{text}</bdi>,
    text: ({ text }) => text,
    width: 220,
  },
  {
    label: "Time",
    cell: ({ created_at }) => <DayAndTime instant={created_at} />,
    text: ({ created_at }) => created_at,
    sort: "created_at",
  },
];

/** All of the bell's notices that are still kept. */
export default function Notices() {
  const [address, change] = useAddress();
  const onlyUnread = address.get("show") === "unread";
  const news = useNews().data;
  const newest = news?.latest[0];
  const { mark, markAll } = useMarks();
  return (
    <ListPage
      name="notices"
      input={onlyUnread ? { show: "unread" } : {}}
      title="Notices"
      hint="What happened that concerns you, in the last 90 days."
      searchLabel="Search notices"
      columns={columns}
      fileName="notices"
      filters={
        <NativeSelect
          label="Show"
          mb="md"
          maw={280}
          value={onlyUnread ? "unread" : ""}
          data={[
            { value: "", label: "All notices" },
            { value: "unread", label: "Unread only" },
          ]}
          onChange={(event) => change({ show: event.currentTarget.value })}
        />
      }
      empty="No notices"
      emptyHint={onlyUnread ? "You have read everything." : "News about your records will appear here."}
      failure="The notices could not be loaded."
      actions={(notice) => (
        <Button
          variant="default"
          aria-label={`${notice.read ? "Mark as unread" : "Mark as read"}: ${notice.title}`}
          onClick={() => mark.mutate({ id: notice.id, read: !notice.read })}
        >
          {notice.read ? "Mark as unread" : "Mark as read"}
        </Button>
      )}
    >
      <ReadyButton
        variant="default"
        size="md"
        isReady={newest !== undefined && news?.unread !== 0}
        loading={markAll.isPending}
        onClick={() => newest && markAll.mutate(newest.id)}
      >
        Mark all as read
      </ReadyButton>
    </ListPage>
  );
}

function useMarks() {
  const queries = useQueryClient();
  const settled = {
    onError: (error: Error) => toast.error("It could not be marked as read.", { description: error.message }),
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ["notices"] }),
        queries.invalidateQueries({ queryKey: newsKey }),
      ]),
  };
  const mark = useMutation({
    mutationFn: (sent: { id: string; read: boolean }) => call("notices/mark", sent),
    ...settled,
  });
  const markAll = useMutation({ mutationFn: (until: string) => call("notices/mark-all", { until }), ...settled });
  return { mark, markAll };
}
