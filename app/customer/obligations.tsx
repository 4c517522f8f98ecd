import { Alert, Anchor, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { brand } from "../../contract/brand.ts";
import { messages } from "../../contract/messages.ts";
import type { CalendarDuty, ClassesSaid, ObligationsOverview, OpenObligation } from "../../contract/obligations.ts";
import { call } from "../api.ts";
import { showTime, showWrittenDay } from "../components/display.ts";
import { openedLater } from "../components/later.tsx";
import { PageTitle } from "../components/page-title.tsx";
import { PanelSection } from "../components/panel-section.tsx";
import { StateBadge } from "../components/state-badge.tsx";
import type { Column } from "../lists/column.ts";
import { DataTable } from "../lists/data-table.tsx";
import { ListEmpty, ListFailed, ListLoading } from "../lists/list-state.tsx";
import type { ClassesDialogProps } from "../obligations/classes-dialog.tsx";
import { ClockState } from "../obligations/clock-words.tsx";
import { EntityClasses } from "../obligations/entity-classes-section.tsx";
import { ReportCell } from "../obligations/report-cell.tsx";
import { useMayCall } from "../portal/use-may-call.ts";

export const meta = () => [{ title: `Regulators – ${brand.name}` }];

const ClassesDialog = openedLater<ClassesDialogProps>(() => import("../obligations/classes-dialog.tsx"), {
  said: null,
});

/** The organisation's regulatory classes, the clocks of all its incidents, and the calendar's deadlines. */
export default function CustomerObligations() {
  const found = useQuery({
    queryKey: ["user/obligations"],
    queryFn: ({ signal }) => call("user/obligations", {}, signal),
    refetchInterval: 60_000,
  });
  return (
    <>
      <PageTitle
        title="Regulators"
        hint="Which clocks your incidents may have started, and what the calendar brings."
      />
      {found.isError && !found.data ? (
        <ListFailed message={messages.fetchFailed} onRetry={() => void found.refetch()} />
      ) : found.data ? (
        <Overview overview={found.data} />
      ) : (
        <ListLoading rows={5} />
      )}
    </>
  );
}

function Overview({ overview: { entity, open, calendar } }: { overview: ObligationsOverview }) {
  const [said, setSaid] = useState<ClassesSaid | null>(null);
  const maySay = useMayCall()("user/obligations/classes");
  return (
    <Stack gap="xl">
      <Alert color="blue" variant="light" title="The duty to report is yours" role="note">
        This page counts and drafts; it does not file.
      </Alert>
      <EntityClasses entity={entity} onSay={maySay ? () => setSaid(entity) : null} />
      <PanelSection title="Open clocks of your incidents" level={2} bare hint="All times in India.">
        {open.length === 0 ? (
          <ListEmpty message="No clock is open">
            <Text c="var(--site-muted)">
              After an incident, you see here which reports may be due, until when, and what has to be known first.
            </Text>
          </ListEmpty>
        ) : (
          <DataTable
            caption="Open clocks"
            columns={openColumns}
            rows={open.map((each) => ({ ...each, id: `${each.incidentId} ${each.key}` }))}
          />
        )}
      </PanelSection>
      {calendar.length > 0 && (
        <PanelSection title="By the calendar" level={2} bare hint="Due whatever happens.">
          <DataTable
            caption="What the calendar brings"
            columns={calendarColumns}
            rows={calendar.map((each) => ({ ...each, id: each.key }))}
          />
        </PanelSection>
      )}
      <ClassesDialog said={said} onClose={() => setSaid(null)} />
    </Stack>
  );
}

const openColumns: readonly Column<OpenObligation & { id: string }>[] = [
  {
    label: "Incident",
    cell: ({ incidentId, incidentNumber, incidentTitle }) => (
      <>
        <Anchor component={Link} to={`/user/incidents/${incidentId}/regulators`} fw={600}>
          {incidentNumber}
        </Anchor>
        <Text fz="xs" c="var(--site-muted)">
          {incidentTitle}
        </Text>
      </>
    ),
  },
  { label: "Report", cell: ({ title }) => title },
  { label: "State", cell: ({ state }) => <ClockState state={state} /> },
  { label: "Due", cell: ({ dueAt }) => (dueAt ? showTime(dueAt) : "Not known") },
  { label: "Questions", cell: ({ questions }) => questions, numeric: true },
];

const calendarColumns: readonly Column<CalendarDuty & { id: string }>[] = [
  { label: "Report", cell: ReportCell },
  { label: "To", cell: ({ recipient }) => recipient },
  { label: "Next", cell: ({ dueOn }) => (dueOn ? showWrittenDay(dueOn) : "Day not stated in our source") },
  {
    label: "State",
    cell: ({ applies }) =>
      applies ? <StateBadge tone="info">Applies</StateBadge> : <StateBadge tone="info">May apply</StateBadge>,
  },
];
