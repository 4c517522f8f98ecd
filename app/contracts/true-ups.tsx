import { Button, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { ContractDetails, TrueUp } from "../../contract/contracts.ts";
import { showMonth, showWrittenDay } from "../components/display.ts";
import { openedLater } from "../components/later.tsx";
import { PanelSection } from "../components/panel-section.tsx";
import { StateBadge } from "../components/state-badge.tsx";
import { useMayCall } from "../portal/use-may-call.ts";
import type { ContractReader } from "./contract-readers.ts";
import type { TrueUpDialogProps } from "./true-up-dialog.tsx";

const TrueUpDialog = openedLater<TrueUpDialogProps>(() => import("./true-up-dialog.tsx"), { trueUp: null });

const states = {
  announced: ["info", "Announced"],
  disputed: ["warning", "Disputed"],
  dropped: ["neutral", "Not billed"],
  billed: ["good", "Quoted"],
} as const;

/** Devices connected beyond the contract; the customer disputes a true-up here, an administrator decides. */
export function TrueUps({
  contract: { true_ups, number },
  reader,
  level,
}: {
  contract: ContractDetails;
  reader: ContractReader;
  level: 2 | 3;
}) {
  const mayCall = useMayCall();
  const [chosen, setChosen] = useState<TrueUp | null>(null);
  if (true_ups.length === 0) return null;
  const label = ({ state, answer }: TrueUp) => {
    if (reader === "user" && state === "announced" && answer === "" && mayCall("user/contracts/dispute"))
      return "Dispute";
    return reader === "admin" && state === "disputed" && mayCall("admin/contracts/decide-true-up") ? "Decide" : null;
  };
  return (
    <PanelSection
      title="True-ups"
      level={level}
      hint="Months in which more devices were connected than the contract and the tolerance on it allow. The second-highest day counts, or the highest where fewer than twenty days were counted."
    >
      <Stack gap="md">
        {true_ups.map((trueUp) => (
          <Group key={trueUp.id} justify="space-between" align="flex-start" gap="xs">
            <div style={{ overflowWrap: "anywhere", minWidth: 0 }}>
              <Text fw={600}>
                {showMonth(trueUp.month.slice(0, 7))}: {trueUp.extra} × {trueUp.device_type}
              </Text>
              <Text fz="sm" c="var(--site-muted)">
                {trueUp.connected} connected, {trueUp.contracted} contracted
                {trueUp.state === "announced" && `; quoted from ${showWrittenDay(trueUp.bill_on)} on`}
                {trueUp.quote_number && `; ${trueUp.quote_number}`}
              </Text>
              {trueUp.dispute && <Text fz="sm">Disputed: {trueUp.dispute}</Text>}
              {trueUp.answer && <Text fz="sm">Answer: {trueUp.answer}</Text>}
            </div>
            <Group gap="sm">
              <StateBadge tone={states[trueUp.state][0]}>{states[trueUp.state][1]}</StateBadge>
              {label(trueUp) && (
                <Button
                  variant="default"
                  aria-label={`${label(trueUp)} the true-up of ${trueUp.device_type} in ${number}`}
                  onClick={() => setChosen(trueUp)}
                >
                  {label(trueUp)}
                </Button>
              )}
            </Group>
          </Group>
        ))}
      </Stack>
      <TrueUpDialog trueUp={chosen} onClose={() => setChosen(null)} />
    </PanelSection>
  );
}
