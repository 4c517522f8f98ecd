import { Anchor, Text } from "@mantine/core";
import { Link } from "react-router";
import { clockNames, incidentStates } from "../../contract/incident-states.ts";
import type { Incident, IncidentSort } from "../../contract/incidents.ts";
import { dueIn, showTime } from "../components/display.ts";
import { StateBadge } from "../components/state-badge.tsx";
import type { Column } from "../lists/column.ts";
import { IncidentStateBadge, type Reader, SeverityBadge, waitsWords } from "./incident-words.tsx";
import { useNow } from "./use-now.ts";

/** The columns of a list of incidents; the customer's own list has no customer column. */
export const incidentColumns = (reader: Reader): readonly Column<Incident, IncidentSort>[] => [
  {
    label: "Incident",
    cell: ({ id, number, title }) => (
      <>
        <Anchor component={Link} to={`/${reader}/incidents/${id}`} fw={650} fz="inherit">
          {number}
        </Anchor>
        <Text fz="inherit" style={{ overflowWrap: "anywhere" }}>
          {title}
        </Text>
      </>
    ),
    text: ({ number, title }) => `${number} ${title}`,
    width: 150,
  },
  ...(reader === "user"
    ? []
    : [
        {
          label: "Customer",
          cell: ({ organization_name }: Incident) => <bdi>{organization_name}</bdi>,
          text: ({ organization_name }: Incident) => organization_name,
          sort: "organization_name" as const,
          below: true,
        },
      ]),
  {
    label: "Severity",
    cell: ({ severity }) => <SeverityBadge severity={severity} />,
    text: ({ severity }) => severity,
    sort: "worst",
  },
  {
    label: "State",
    cell: ({ state, waits_for }) => <IncidentStateBadge state={state} waits={waits_for} reader={reader} />,
    text: ({ state, waits_for }) => `${incidentStates[state]}${waits_for ? `, ${waitsWords(waits_for, reader)}` : ""}`,
    below: true,
  },
  {
    label: "Next promise",
    cell: (incident) => <NextPromise incident={incident} reader={reader} />,
    text: ({ next_clock, next_due_at }) =>
      next_clock && next_due_at ? [`${clockNames[next_clock]} by `, next_due_at] : "",
  },
  {
    label: "Opened",
    cell: ({ opened_at }) => showTime(opened_at),
    text: ({ opened_at }) => opened_at,
    sort: "opened_at",
  },
  {
    label: "Last news",
    cell: ({ changed_at }) => showTime(changed_at),
    text: ({ changed_at }) => changed_at,
    sort: "changed_at",
    below: true,
  },
];

function NextPromise({
  incident: { next_clock, next_due_at, broken, asks },
  reader,
}: {
  incident: Incident;
  reader: Reader;
}) {
  const now = useNow();
  return (
    <>
      {next_clock && next_due_at && (
        <Text fz="inherit">
          {clockNames[next_clock]} {dueIn(next_due_at, now)}
        </Text>
      )}
      {broken > 0 && (
        <StateBadge tone="bad">
          {broken} {broken === 1 ? "promise" : "promises"} broken
        </StateBadge>
      )}{" "}
      {asks > 0 && (
        <StateBadge tone="warning">{reader === "user" ? "Asked of you" : "Asked of the customer"}</StateBadge>
      )}
      {!next_clock && broken === 0 && asks === 0 && "–"}
    </>
  );
}
