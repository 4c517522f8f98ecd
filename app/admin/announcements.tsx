import { Button, Text } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import type { Announcement, AnnouncementSort, AnnouncementState } from "../../contract/announcements.ts";
import { brand } from "../../contract/brand.ts";
import { showSpan } from "../components/display.ts";
import { openedLater } from "../components/later.tsx";
import { StateBadge, type Tone } from "../components/state-badge.tsx";
import type { Column } from "../lists/column.ts";
import { ListPage } from "../lists/list-page.tsx";
import { useMayCall } from "../portal/use-may-call.ts";
import type { AnnouncementDialogProps } from "./announcements/announcement-dialog.tsx";
import { toldWhom } from "./announcements/told-whom.ts";
import { Withdrawal } from "./announcements/withdrawal.tsx";

export const meta = () => [{ title: `Announcements – ${brand.name}` }];

const AnnouncementDialog = openedLater<AnnouncementDialogProps>(
  () => import("./announcements/announcement-dialog.tsx"),
  { edited: null },
);

const states: Record<AnnouncementState, { label: string; tone: Tone }> = {
  planned: { label: "Planned", tone: "info" },
  shown: { label: "Shown now", tone: "good" },
  over: { label: "Over", tone: "neutral" },
  withdrawn: { label: "Withdrawn", tone: "warning" },
};

const columns: readonly Column<Announcement, AnnouncementSort>[] = [
  {
    label: "Announcement",
    cell: ({ title, text }) => (
      <>
        <Text fw={650} fz="inherit">
          <bdi>{title}</bdi>
        </Text>
        <Text fz="sm" c="var(--site-muted)" lineClamp={3} style={{ whiteSpace: "pre-line" }}>
          <bdi>{text}</bdi>
        </Text>
      </>
    ),
    text: ({ title }) => title,
    width: 240,
  },
  { label: "Text", cell: () => null, text: ({ text }) => text, fileOnly: true },
  { label: "For", cell: (row) => <bdi>{toldWhom(row)}</bdi>, text: toldWhom, below: true },
  {
    label: "Shown",
    cell: ({ shown_from, shown_until }) => showSpan(shown_from, shown_until),
    text: ({ shown_from, shown_until }) => [shown_from, " to ", shown_until],
    sort: "shown_from",
  },
  {
    label: "Mail",
    cell: ({ mailed }) => (mailed ? "Yes" : "No"),
    text: ({ mailed }) => (mailed ? "yes" : "no"),
    below: true,
  },
  {
    label: "State",
    cell: ({ state }) => <StateBadge tone={states[state].tone}>{states[state].label}</StateBadge>,
    text: ({ state }) => states[state].label,
  },
];

/** Announcements that administrators address to everybody or to some; child accounts may read this list. */
export default function Announcements() {
  const [edited, setEdited] = useState<Announcement | "new" | null>(null);
  const mayWrite = useMayCall()("admin/announcements/add");
  const isOpen = ({ state }: Announcement) => state === "planned" || state === "shown";
  return (
    <>
      <ListPage
        name="admin/announcements"
        title="Announcements"
        hint="Shown as a banner and in the bell, and sent by mail if you choose so."
        searchLabel="Search announcements"
        columns={columns}
        fileName="announcements"
        empty="No announcements yet"
        emptyHint="Tell everybody, or some people, about planned maintenance or news."
        failure="The announcements could not be loaded."
        {...(mayWrite && {
          actions: (row: Announcement) =>
            isOpen(row) && (
              <>
                <Button variant="default" aria-label={`Edit ${row.title}`} onClick={() => setEdited(row)}>
                  Edit
                </Button>
                <Withdrawal announcement={row} />
              </>
            ),
        })}
      >
        {mayWrite && (
          <Button
            size="md"
            leftSection={<IconPlus size={18} aria-hidden />}
            // With large letters the label takes two lines on a phone.
            h="auto"
            mih={42}
            py={6}
            maw="100%"
            styles={{ label: { whiteSpace: "normal", lineHeight: 1.25 } }}
            onClick={() => setEdited("new")}
          >
            Write an announcement
          </Button>
        )}
      </ListPage>
      <AnnouncementDialog edited={edited} onClose={() => setEdited(null)} />
    </>
  );
}
