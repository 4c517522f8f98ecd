import { Button, Group, Text } from "@mantine/core";
import { incidentVerdicts, severityNames } from "../../contract/incident-states.ts";
import type { TimelineFact } from "../../contract/incidents.ts";
import { showTime } from "../components/display.ts";
import { StateBadge } from "../components/state-badge.tsx";
import { newsWords, type Reader, waitsWords } from "./incident-words.tsx";
import classes from "./incidents.module.css";

const sides = { us: "our team", customer: "the customer", partner: "the partner", engine: "the engine" } as const;

/** What happened, newest first. Corrected entries stay, marked as such. */
export function Timeline({
  facts,
  reader,
  onCorrect,
}: {
  facts: readonly TimelineFact[];
  reader: Reader;
  /** Null if the reader may not correct anything. */
  onCorrect: ((fact: TimelineFact) => void) | null;
}) {
  return (
    <ol className={classes.timeline} aria-label="What happened">
      {facts.map((fact) => (
        <li key={fact.id} data-stands={fact.stands}>
          <Group justify="space-between" gap="xs" wrap="nowrap" align="start">
            <div style={{ minWidth: 0 }}>
              <Text fw={650} fz="inherit" component="span">
                {newsWords(fact.news, reader)}
              </Text>{" "}
              {fact.internal && <StateBadge tone="neutral">Only our team reads this</StateBadge>}{" "}
              {!fact.stands && <StateBadge tone="warning">{fact.withdrawn ? "Taken back" : "Corrected"}</StateBadge>}{" "}
              {fact.stands && fact.corrects && <StateBadge tone="info">Correction</StateBadge>}
              <div className={`${classes.muted} tabular`}>
                {showTime(fact.occurred_at)}, {fact.person ? <bdi>{fact.person}</bdi> : sides[fact.by]}
                {fact.person && fact.by !== "customer" ? ` (${sides[fact.by]})` : ""}
                {isLate(fact) && `, told on ${showTime(fact.recorded_at)}`}
              </div>
            </div>
            {onCorrect && fact.stands && !fact.withdrawn && fact.by === "us" && corrigible.has(fact.news) && (
              <Button
                variant="subtle"
                size="compact-sm"
                style={{ flexShrink: 0 }}
                aria-label={`Correct: ${newsWords(fact.news, reader)}, ${showTime(fact.occurred_at)}, ${fact.id.slice(-4)}`}
                onClick={() => onCorrect(fact)}
              >
                Correct
              </Button>
            )}
          </Group>
          <div className={classes.words}>{wordsOf(fact, reader).join("\n")}</div>
        </li>
      ))}
    </ol>
  );
}

/** Entries that can be corrected. Joining findings and going on elsewhere follow from actions and are not listed. */
const corrigible = new Set<TimelineFact["news"]>([
  "seen",
  "owner",
  "severity",
  "investigating",
  "action",
  "asked",
  "waiting",
  "resumed",
  "contained",
  "resolved",
  "closed",
  "reopened",
  "commented",
]);

const isLate = ({ occurred_at, recorded_at }: TimelineFact) =>
  Date.parse(recorded_at) - Date.parse(occurred_at) > 120_000;

function wordsOf({ severity, owner, verdict, waits_for, reason, text }: TimelineFact, reader: Reader): string[] {
  return [
    severity ? `Severity: ${severityNames[severity]}` : "",
    owner ? `Owner: ${owner}` : "",
    verdict ? `Verdict: ${incidentVerdicts[verdict]}` : "",
    waits_for ? `${waitsWords(waits_for, reader)}${reason ? `: ${reason}` : ""}` : reason,
    text,
  ].filter(Boolean);
}
