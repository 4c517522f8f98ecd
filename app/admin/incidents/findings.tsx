import { Button, Group, Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { formatCount } from "../../../contract/format-count.ts";
import type { ShownFinding, SuppressionRule } from "../../../contract/incident-findings.ts";
import { call } from "../../api.ts";
import { ConfirmedAction } from "../../components/confirmed-action.tsx";
import { showTime } from "../../components/display.ts";
import { openedLater } from "../../components/later.tsx";
import { FindingButton, GlassBox } from "../../incidents/glass-box.tsx";
import classes from "../../incidents/incidents.module.css";
import type { DecideFindingProps } from "./decide-finding.tsx";
import type { OpenIncidentProps } from "./open-incident.tsx";

const DecideFinding = openedLater<DecideFindingProps>(() => import("./decide-finding.tsx"), { finding: null });
const OpenIncident = openedLater<OpenIncidentProps>(() => import("./open-incident.tsx"), { of: null });

/** A customer's findings, for our team to decide about, with the rules in force. */
export function Findings({ email, above }: { email: string; above: ReactNode }) {
  const [decided, setDecided] = useState<ShownFinding | null>(null);
  const [opening, setOpening] = useState<OpenIncidentProps["of"]>(null);
  return (
    <>
      <GlassBox
        reader="admin"
        email={email}
        above={above}
        actions={(finding) => (
          <>
            <FindingButton label="Decide" finding={finding} onClick={() => setDecided(finding)} />
            {finding.fate === "open" && (
              <FindingButton
                label="Open an incident"
                finding={finding}
                onClick={() => setOpening({ email, findings: [finding] })}
              />
            )}
          </>
        )}
      >
        {(about) => "rules" in about && about.rules.length > 0 && <Rules rules={about.rules} />}
      </GlassBox>
      <DecideFinding finding={decided} email={email} onClose={() => setDecided(null)} />
      <OpenIncident of={opening} onClose={() => setOpening(null)} />
    </>
  );
}

const Rules = ({ rules }: { rules: readonly SuppressionRule[] }) => (
  <section aria-label="Rules that suppress" style={{ marginBlockEnd: 16 }}>
    <Text fw={650}>Rules that suppress</Text>
    <ul className={classes.timeline}>
      {rules.map((rule) => (
        <li key={rule.id}>
          <Group justify="space-between" gap="xs">
            <div>
              “{rule.title}”{rule.device_id && ` on ${rule.device_id}`}: {rule.reason}
              <div className={classes.muted}>
                On the word of {rule.on_word_of}, made by {rule.made_by ?? "somebody"} on {showTime(rule.made_at)};{" "}
                {formatCount(rule.findings)} so far
                {rule.ended_at && `; ended on ${showTime(rule.ended_at)}`}
              </div>
            </div>
            {rule.ended_at ? (
              <Button variant="default" disabled aria-label={`Ended: ${rule.title}, ${rule.id.slice(-4)}`}>
                Ended
              </Button>
            ) : (
              <ConfirmedAction
                label="End"
                about={`the rule for ${rule.title}, ${rule.id.slice(-4)}`}
                title="End the rule"
                failed="It could not be ended."
                act={() => call("admin/findings/end-rule", { id: rule.id })}
                stale={[["admin/findings"]]}
              >
                Findings that it suppressed stay suppressed. New ones will be open again.
              </ConfirmedAction>
            )}
          </Group>
        </li>
      ))}
    </ul>
  </section>
);
