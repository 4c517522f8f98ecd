import { Text } from "@mantine/core";
import type { AuditEntry, AuditSort } from "../../contract/audit-log.ts";
import { DayAndTime } from "../components/unbroken.tsx";
import type { Column } from "../lists/column.ts";
import { ListPage } from "../lists/list-page.tsx";
import { factsAsText, unfoldFacts } from "./audit-facts.tsx";
import { AuditFilters, useAuditFilters } from "./audit-filters.tsx";
import { AuditSentence, whatWasDone, whoDid } from "./audit-sentence.tsx";

/** The address of the screen that shows an entry's subject; null if there is none. */
export type ScreenOf = (entry: AuditEntry) => string | null;

const columnsWith = (screenOf: ScreenOf): readonly Column<AuditEntry, AuditSort>[] => [
  { label: "Time", cell: ({ at }) => <DayAndTime instant={at} />, text: ({ at }) => at, sort: "at" },
  {
    label: "Who",
    cell: (entry) => (
      <Text fw={650} fz="inherit">
        <bdi>{whoDid(entry)}</bdi>
      </Text>
    ),
    text: whoDid,
  },
  {
    label: "Organization",
    cell: ({ actor_organization }) => <bdi>{actor_organization ?? "–"}</bdi>,
    text: ({ actor_organization }) => actor_organization ?? "",
    below: true,
  },
  {
    label: "What",
    cell: (entry) => <AuditSentence entry={entry} screen={screenOf(entry)} />,
    text: whatWasDone,
    width: 220,
  },
  { label: "About", cell: () => null, text: ({ subject }) => subject, fileOnly: true },
  { label: "Address", cell: ({ address }) => address || "–", text: ({ address }) => address },
  { label: "Details", cell: () => null, text: ({ facts }) => factsAsText(facts), fileOnly: true },
  { label: "Entry", cell: ({ number }) => number ?? "–", text: ({ number }) => number ?? "" },
];

/** The audit log: who did what to what, when and from where. */
export function AuditPage({
  name,
  hint,
  screenOf,
}: {
  name: "admin/audit" | "user/audit" | "partner/audit";
  hint: string;
  screenOf: ScreenOf;
}) {
  const narrowed = useAuditFilters();
  const isNarrowed = Object.keys(narrowed).length > 0;
  return (
    <ListPage
      name={name}
      input={narrowed}
      title="Audit log"
      hint={hint}
      searchLabel="Search actions"
      columns={columnsWith(screenOf)}
      unfold={unfoldFacts}
      fileName="audit-log"
      jsonLines
      filters={<AuditFilters ofAll={name === "admin/audit"} />}
      empty="No entries"
      emptyHint={isNarrowed ? "No entry matches these filters." : "New entries will appear here."}
      failure="The audit log could not be loaded."
    />
  );
}
