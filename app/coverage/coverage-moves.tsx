import { Button, Group, Stack, Text } from "@mantine/core";
import { type CoverageReason, coverageReasonNames, coverageReasons } from "../../contract/coverage-words.ts";
import type { Coverage } from "../../contract/coverage.ts";
import { formatCount } from "../../contract/format-count.ts";
import { countOf } from "../components/count-of.ts";
import { PanelSection } from "../components/panel-section.tsx";
import { StateBadge } from "../components/state-badge.tsx";
import { type CoverageReader, moveOf } from "./coverage-readers.ts";
import type { DeviceChoice } from "./covered-devices.tsx";

interface Move {
  reason: CoverageReason;
  devices: number;
  /** The devices by type: "4 Firewall, 2 Workstation". */
  which: string;
}

/** What is wrong, who has to act, and the next step: one entry for each reason, the customer's first. */
export function CoverageMoves({
  coverage,
  reader,
  mayAdd,
  onShow,
}: {
  coverage: Coverage;
  reader: CoverageReader;
  /** Whether the reader may have devices added to the contract. */
  mayAdd: boolean;
  onShow: (choice: DeviceChoice) => void;
}) {
  const moves = movesOf(coverage);
  if (moves.length === 0) return null;
  return (
    <PanelSection title="What to do next" level={2}>
      <Stack component="ul" gap="lg" m={0} p={0} style={{ listStyle: "none" }}>
        {moves.map(({ reason, devices, which }) => {
          const { side, says, next } = coverageReasons[reason];
          const mine = reason === "beyond" && !mayAdd ? leftToMainUser : next;
          const name = which || countOf(devices, "device");
          const choice = choiceOf[reason];
          return (
            <Group key={reason} component="li" justify="space-between" gap="sm">
              <div style={{ flex: "1 1 240px" }}>
                <Group gap="sm" mb={4}>
                  <StateBadge tone={side === "customer" ? "warning" : "info"}>{moveOf[reader][side]}</StateBadge>
                  <Text fw={600} style={{ overflowWrap: "anywhere" }}>
                    {name}
                  </Text>
                </Group>
                <Text>{says}</Text>
                <Text c="var(--site-muted)">{reader === "user" ? mine : `The customer reads: “${next}”`}</Text>
              </div>
              {choice && (
                <Button
                  variant="default"
                  className="screen-only"
                  aria-label={`Show them: ${name}. ${says}`}
                  onClick={() => onShow(choice)}
                >
                  Show them
                </Button>
              )}
            </Group>
          );
        })}
      </Stack>
    </PanelSection>
  );
}

const leftToMainUser =
  "The main user of your organization can add them to its contract, or tell us that they are not to be watched.";

/** The list filter that shows the devices of each reason; missing devices are not known, so they have none. */
const choiceOf: Partial<Record<CoverageReason, DeviceChoice>> = {
  disconnected: "silent",
  no_events: "silent",
  nothing_arrives: "silent",
  never: "never",
  no_answer: "unknown",
  events_unknown: "unknown",
  not_told: "unknown",
  unmatched: "unmatched",
  beyond: "beyond",
};

function movesOf({ lines, additions, unmatched }: Coverage): Move[] {
  const moves = coverageReasonNames.map((reason): Move => {
    const of = lines.flatMap(({ name, reasons }) =>
      reasons.filter((each) => each.reason === reason).map(({ devices }) => ({ name, devices })),
    );
    if (reason === "beyond") of.push(...additions.map(({ name, devices }) => ({ name, devices })));
    if (reason === "unmatched") return { reason, devices: unmatched, which: "" };
    return {
      reason,
      devices: of.reduce((sum, { devices }) => sum + devices, 0),
      which: of.map(({ name, devices }) => `${formatCount(devices)} × ${name}`).join(", "),
    };
  });
  return moves
    .filter(({ devices }) => devices > 0)
    .toSorted((one, other) => sideOf(one) - sideOf(other) || other.devices - one.devices);
}

const sideOf = ({ reason }: Move) => (coverageReasons[reason].side === "customer" ? 0 : 1);
