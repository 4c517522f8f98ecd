import { Button, Group, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { formatCount } from "../../contract/format-count.ts";
import { writtenDay } from "../../contract/india-time.ts";
import type { FindingSort, GlassBox as Figures, ShownFinding } from "../../contract/incident-findings.ts";
import { type FindingFate, findingFates } from "../../contract/incident-states.ts";
import type { Answer } from "../../contract/operations.ts";
import { call } from "../api.ts";
import { showTime } from "../components/display.ts";
import { EngineLink } from "../components/engine-link.tsx";
import { StateBadge, type Tone } from "../components/state-badge.tsx";
import { ChoiceButtons } from "../lists/choice-buttons.tsx";
import type { Column } from "../lists/column.ts";
import { ListPage } from "../lists/list-page.tsx";
import { useAddress } from "../lists/use-address.ts";
import { useChoiceOfAddress } from "../lists/use-choice-of-address.ts";
import type { Reader } from "./incident-words.tsx";
import classes from "./incidents.module.css";
import { alertsHint, alertsTitle } from "./pages-of-incidents.tsx";
import { useNow } from "./use-now.ts";

const tones: Record<FindingFate, Tone> = {
  suppressed: "neutral",
  benign: "neutral",
  attached: "info",
  open: "warning",
};

const severityThere = ({ severity }: ShownFinding) => severity.replace(/^./, (first) => first.toUpperCase());

const columns: readonly Column<ShownFinding, FindingSort>[] = [
  {
    label: "Finding",
    cell: ({ title, link }) => (
      <span style={{ overflowWrap: "anywhere" }}>
        <EngineLink to={link}>{title}</EngineLink>
      </span>
    ),
    text: ({ title }) => title,
    width: 220,
  },
  {
    label: "Severity there",
    cell: severityThere,
    text: severityThere,
    below: true,
  },
  {
    label: "Received",
    cell: ({ arrived_at }) => showTime(arrived_at),
    text: ({ arrived_at }) => arrived_at,
    sort: "arrived_at",
  },
  {
    label: "What became of it",
    cell: ({ fate, incident, dispute }) => (
      <>
        <StateBadge tone={tones[fate]}>{findingFates[fate]}</StateBadge> {incident?.number}{" "}
        {dispute && <StateBadge tone="bad">Disputed</StateBadge>}
      </>
    ),
    text: ({ fate, incident }) => `${findingFates[fate]} ${incident?.number ?? ""}`,
  },
  {
    label: "Why, and on whose word",
    cell: ({ reason, by, dispute }) => (
      <Text fz="inherit" style={{ overflowWrap: "anywhere" }}>
        {[reason, by].filter(Boolean).join(", ") || "–"}
        {dispute && ` The customer: ${dispute}`}
      </Text>
    ),
    text: ({ reason, by, dispute }) => [reason, by, dispute ?? ""].filter(Boolean).join(", "),
    below: true,
  },
];

const fates = [
  { value: "all", label: "All" },
  { value: "suppressed", label: "Suppressed" },
  { value: "benign", label: "Benign" },
  { value: "attached", label: "In incidents" },
  { value: "open", label: "Open" },
] as const;

/** Every finding of a day and what became of it; the counts add up to what was received. */
export function GlassBox({
  reader,
  email,
  above,
  actions,
  children,
}: {
  reader: Reader;
  email?: string;
  /** The choices above the list: which of the two pages, and whose. */
  above: ReactNode;
  actions: (finding: ShownFinding) => ReactNode;
  children?: (about: Answer<"admin/findings">["about"] | Answer<"user/findings">["about"]) => ReactNode;
}) {
  const today = writtenDay(useNow(60));
  const [address, change] = useAddress();
  const day = dayOf(address.get("day"), today);
  const [fate, setFate] = useChoiceOfAddress("fate", fates);
  // The address is updated later than the field, and would undo what is typed meanwhile.
  const [typed, setTyped] = useState<string | null>(null);
  const setDay = (next: string) => {
    setTyped(next);
    change({ day: next === today ? null : next }, { replace: true, preventScrollReset: true });
  };
  const name = `${reader}/findings` as const;
  const whose = { day, ...(email && { email }) } as { day: string; email: string };
  const counted = useQuery({
    queryKey: [name, "counts", whose],
    queryFn: async ({ signal }) => call(name, { ...whose, limit: 1 }, signal),
    refetchInterval: 60_000,
  });
  return (
    <ListPage
      name={name}
      input={{ ...whose, ...(fate !== "all" && { fate }) }}
      title={alertsTitle}
      hint={alertsHint}
      searchLabel="Search findings"
      columns={columns}
      fileName={`findings-${day}`}
      filters={
        <div>
          {above}
          <Group gap="lg" mb="md" align="end">
            <TextInput
              label="Day"
              type="date"
              value={typed ?? day}
              max={today}
              onChange={({ currentTarget: { value } }) => value && setDay(value)}
              onBlur={() => setTyped(null)}
            />
            <ChoiceButtons label="What became of it" choices={fates} value={fate} onChange={setFate} />
          </Group>
          {counted.data && <Sum figures={counted.data.glass_box} about={counted.data.about} />}
          {counted.data && children?.(counted.data.about)}
        </div>
      }
      empty="No findings"
      emptyHint={
        counted.data?.about.told_by.length === 0
          ? "No engine that reports findings is connected: nothing is known, which is not the same as nothing found."
          : "Nothing of this kind was received on this day."
      }
      failure="The findings could not be loaded."
      actions={actions}
    />
  );
}

const dayOf = (said: string | null, today: string) =>
  said !== null && /^\d{4}-\d{2}-\d{2}$/.test(said) ? said : today;

function Sum({ figures, about }: { figures: Figures; about: Pick<Answer<"user/findings">["about"], "told_by"> }) {
  const unknown = about.told_by.filter(({ unknown_since }) => unknown_since !== null);
  const parts = [
    { label: "Received", value: figures.received },
    { label: "Suppressed by a rule", value: figures.suppressed },
    { label: "Closed as benign", value: figures.benign },
    { label: "Part of incidents", value: figures.attached },
    { label: "Open", value: figures.open },
  ];
  return (
    <>
      <dl className={classes.cards}>
        {parts.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd className="tabular">{formatCount(value)}</dd>
          </div>
        ))}
      </dl>
      <Text className={classes.muted ?? ""} my="sm" role="status">
        {formatCount(figures.received)} received = {formatCount(figures.suppressed)} suppressed +{" "}
        {formatCount(figures.benign)} benign + {formatCount(figures.attached)} in incidents +{" "}
        {formatCount(figures.open)} open.
        {figures.disputed > 0 && ` ${formatCount(figures.disputed)} disputed.`}
        {figures.by_rule.map(({ rule, title, on_word_of, findings }) => (
          <span key={rule} style={{ display: "block" }}>
            {formatCount(findings)} × “{title}” suppressed on the word of {on_word_of}.
          </span>
        ))}
        {figures.by_person.map(({ name, findings }) => (
          <span key={name} style={{ display: "block" }}>
            {findings} closed as benign: {name}.
          </span>
        ))}
        {unknown.map(({ name, unknown_since }) => (
          <span key={name} style={{ display: "block" }}>
            {name} gives no answer: nothing of it is known since {showTime(unknown_since ?? "")}.
          </span>
        ))}
      </Text>
    </>
  );
}

export const FindingButton = ({
  label,
  finding,
  onClick,
}: {
  label: string;
  finding: ShownFinding;
  onClick: () => void;
}) => (
  <Button variant="default" aria-label={`${label}: ${finding.title}, ${finding.id.slice(-6)}`} onClick={onClick}>
    {label}
  </Button>
);
