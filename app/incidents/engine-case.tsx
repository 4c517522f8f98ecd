import { Alert, Text } from "@mantine/core";
import type { IncidentRoom } from "../../contract/incidents.ts";
import { showMinutes, showTime } from "../components/display.ts";
import { EngineLink } from "../components/engine-link.tsx";
import { Facts, PanelSection } from "../components/panel-section.tsx";
import classes from "./incidents.module.css";

const names: Record<string, string> = {
  timeToDetectSeconds: "Time to detect",
  timeToTriageSeconds: "Time to triage",
  timeToQualifySeconds: "Time to qualify",
  timeToAcknowledgeSeconds: "Time to acknowledge",
  timeToResolveSeconds: "Time to resolve",
  handlingDurationSeconds: "Time it was handled",
};

/** The case in the engine's own words, with the engine's figures beside ours. */
export function EngineCase({ engine }: { engine: NonNullable<IncidentRoom["engine"]> }) {
  return (
    <PanelSection
      level={2}
      title={`In ${engine.name}`}
      hint="The engine’s own words and figures. It may count differently from the service level."
    >
      {engine.remarks_failed && (
        <Alert color="orange" mb="md">
          Not everything could be written into the engine’s case: {engine.remarks_failed}
        </Alert>
      )}
      <Facts
        facts={[
          [
            "Case",
            <EngineLink key="case" to={engine.link}>
              {engine.external_id}
            </EngineLink>,
          ],
          ["State there", engine.state],
          ["Severity there", engine.severity],
          ...engine.figures.map(({ name, seconds }) => [names[name] ?? name, showMinutes(seconds / 60)] as const),
        ]}
      />
      {engine.timeline.length > 0 && (
        <ol className={classes.timeline} aria-label="The engine’s timeline" style={{ marginBlockStart: 16 }}>
          {engine.timeline.map(({ at, kind, text }) => (
            <li key={`${at} ${kind} ${text}`}>
              <span className={classes.muted}>
                {Number.isNaN(Date.parse(at)) ? at : showTime(new Date(at).toISOString())}
              </span>
              <Text fz="inherit">{[kind, text].filter(Boolean).join(": ")}</Text>
            </li>
          ))}
        </ol>
      )}
    </PanelSection>
  );
}
