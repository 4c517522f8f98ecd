import { Button, Text } from "@mantine/core";
import { incidentTypes } from "../../contract/incident-types.ts";
import type { AttestedFact, Filing, IncidentObligations } from "../../contract/obligations.ts";
import { factKinds } from "../../contract/regulator-fact-words.ts";
import { showTime } from "../components/display.ts";
import { PanelSection } from "../components/panel-section.tsx";
import { StateBadge } from "../components/state-badge.tsx";
import type { Column } from "../lists/column.ts";
import { DataTable } from "../lists/data-table.tsx";
import { ListEmpty } from "../lists/list-state.tsx";

/** All attested facts, including those that a later entry has replaced. */
export function AttestedFacts({ state, onAttest }: { state: IncidentObligations; onAttest: (() => void) | null }) {
  const rows = state.facts.map((fact, index) => ({ ...fact, id: String(index) })).toReversed();
  return (
    <PanelSection
      title="What is attested"
      level={2}
      bare
      hint="Nothing is overwritten. Of several the newest counts; of times that an engine or this portal wrote down, the earliest."
      aside={
        onAttest && (
          <Button variant="default" onClick={onAttest}>
            Add a fact
          </Button>
        )
      }
    >
      {rows.length === 0 ? (
        <ListEmpty message="Nothing is attested yet" />
      ) : (
        <DataTable caption="What is attested of this incident" columns={factColumns} rows={rows} />
      )}
    </PanelSection>
  );
}

const factColumns: readonly Column<AttestedFact & { id: string }>[] = [
  { label: "Fact", cell: ({ kind }) => factKinds[kind].label },
  {
    label: "What was said",
    cell: (fact) => (
      <Text fz="inherit" style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
        {said(fact)}
      </Text>
    ),
  },
  { label: "By", cell: ({ by }) => <bdi>{by}</bdi> },
  { label: "Entered", cell: ({ enteredAt }) => showTime(enteredAt) },
  {
    label: "Counts",
    cell: ({ holds }) =>
      holds ? <StateBadge tone="info">Counts</StateBadge> : <StateBadge tone="neutral">Superseded</StateBadge>,
  },
];

function said({ kind, value }: AttestedFact): string {
  if ("at" in value) return showTime(value.at);
  if ("yes" in value) return value.yes ? "Yes" : "No";
  if ("words" in value) return value.words;
  if ("types" in value)
    return value.types.map((each) => `${each} ${incidentTypes[each]}`).join("; ") || "None of the twenty kinds";
  const { of } = factKinds[kind];
  return (typeof of === "object" && (of as Record<string, string>)[value.choice]) || value.choice;
}

/** The filed reports, kept as evidence. */
export function Filings({ filings }: { filings: readonly Filing[] }) {
  if (filings.length === 0) return null;
  return (
    <PanelSection
      title="Filings"
      level={2}
      bare
      hint="Kept with the draft as it stood then. Nobody can change them, not even we."
    >
      <DataTable caption="What was filed about this incident" columns={filingColumns} rows={filings} />
    </PanelSection>
  );
}

const filingColumns: readonly Column<Filing>[] = [
  { label: "Report", cell: ({ title }) => title },
  { label: "Filed by", cell: ({ filedBy }) => <bdi>{filedBy}</bdi> },
  { label: "Filed", cell: ({ filedAt }) => showTime(filedAt) },
  { label: "Reference", cell: ({ reference }) => reference || "None" },
  {
    label: "Recorded",
    cell: ({ recorded, hash }) => (
      <>
        <bdi>{recorded.name}</bdi>, {showTime(recorded.at)}
        <Text fz="xs" c="var(--site-muted)">
          SHA-256 of the draft {hash.slice(0, 12)}…
        </Text>
      </>
    ),
  },
];
