import { Box, Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { formatCount } from "../../contract/format-count.ts";
import { severityNames } from "../../contract/incident-states.ts";
import { call } from "../api.ts";
import { ChoiceButtons } from "../lists/choice-buttons.tsx";
import { ListPage } from "../lists/list-page.tsx";
import { useChoiceOfAddress } from "../lists/use-choice-of-address.ts";
import { incidentColumns } from "./incident-columns.tsx";
import type { Reader } from "./incident-words.tsx";
import classes from "./incidents.module.css";

const shows = [
  { value: "open", label: "Open" },
  { value: "ended", label: "Ended" },
  { value: "all", label: "All" },
] as const;
const severities = [
  { value: "all", label: "Any severity" },
  { value: "P1", label: "P1" },
  { value: "P2", label: "P2" },
  { value: "P3", label: "P3" },
  { value: "P4", label: "P4" },
  { value: "unknown", label: "Not known" },
] as const;

const hints: Record<Reader, string> = {
  user: "What happened, what is being done about it, and what we need from you.",
  partner: "What happens at your customers, the worst first.",
  admin: "What happens at all customers, the worst first.",
};
const emptyHints = {
  open: "Nothing is open. When something happens, it appears here at once, with its clocks.",
  ended: "What was resolved or closed stays readable here.",
  all: "Incidents that an engine, an analyst or “We are under attack” opens appear here, with their clocks.",
};

/** The incidents that the user may read, the worst first, with counts above them. */
export function IncidentsPage({
  reader,
  email,
  above,
  children,
}: {
  reader: Reader;
  email?: string;
  /** The choices above the list: which of the two pages, and whose. */
  above: ReactNode;
  children?: ReactNode;
}) {
  const [show, setShow] = useChoiceOfAddress("state", shows);
  const [severity, setSeverity] = useChoiceOfAddress("severity", severities);
  const name = `${reader}/incidents` as const;
  const input = {
    ...(show !== "all" && { show }),
    ...(severity !== "all" && { severity }),
    ...(email && { email }),
  };
  return (
    <ListPage
      name={name}
      input={input}
      ownOrder="worst"
      refetchInterval={() => 30_000}
      title="Incidents"
      hint={hints[reader]}
      searchLabel="Search incidents"
      columns={incidentColumns(reader)}
      fileName="incidents"
      filters={
        <Box mb="md">
          {above}
          <Cards name={name} {...(email && { email })} />
          <Group gap="lg" mt="md">
            <ChoiceButtons label="Show" choices={shows} value={show} onChange={setShow} />
            <ChoiceButtons label="Severity" choices={severities} value={severity} onChange={setSeverity} />
          </Group>
        </Box>
      }
      empty={show === "open" ? "No open incidents" : "No incidents"}
      emptyHint={emptyHints[show]}
      failure="The incidents could not be loaded."
    >
      {children}
    </ListPage>
  );
}

function Cards({ name, email }: { name: `${Reader}/incidents`; email?: string }) {
  const counted = useQuery({
    queryKey: [name, "counts", { email }],
    queryFn: async ({ signal }) => (await call(name, { limit: 1, ...(email && { email }) }, signal)).counts,
    refetchInterval: 30_000,
  });
  const counts = counted.data;
  const worst = counts?.by_severity.filter(({ open }) => open > 0) ?? [];
  const cards = [
    {
      label: "Open",
      value: counts?.open,
      note:
        worst.map(({ severity, open }) => `${open} × ${severityNames[severity]}`).join("; ") || (counts ? "None" : "…"),
    },
    { label: "With a broken promise", value: counts?.broken, note: "Of those that are open" },
    {
      label: name === "user/incidents" ? "Asked of you" : "Asked of customers",
      value: counts?.asks,
      note: "Not answered or done yet",
    },
    // Only for a single customer.
    ...(email || name === "user/incidents"
      ? [{ label: "Ended", value: counts?.closed_last_30_days, note: "In the last 30 days" }]
      : []),
  ];
  return (
    <dl className={classes.cards}>
      {cards.map(({ label, value, note }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd className="tabular">{typeof value === "number" ? formatCount(value) : "…"}</dd>
          <dd className={classes.note}>{!counts && counted.isError ? "Not known at present" : note}</dd>
        </div>
      ))}
    </dl>
  );
}
