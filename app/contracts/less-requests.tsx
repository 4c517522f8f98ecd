import { Button, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { ContractDetails, LessRequest } from "../../contract/contracts.ts";
import { call } from "../api.ts";
import { showWrittenDay } from "../components/display.ts";
import { openedLater } from "../components/later.tsx";
import { PanelSection } from "../components/panel-section.tsx";
import { StateBadge } from "../components/state-badge.tsx";
import { useDoing } from "../components/use-doing.ts";
import { useMayCall } from "../portal/use-may-call.ts";
import { type ContractReader, refreshContracts } from "./contract-readers.ts";
import type { DecideLessProps } from "./decide-less.tsx";

const DecideLess = openedLater<DecideLessProps>(() => import("./decide-less.tsx"), { request: null });

const states = {
  asked: ["info", "Waits for an answer"],
  agreed: ["good", "Agreed"],
  refused: ["warning", "Refused"],
  withdrawn: ["neutral", "Taken back"],
} as const;

/** The requests for fewer devices and the decisions about them; administrators decide here. */
export function LessRequests({
  contract,
  reader,
  level,
}: {
  contract: ContractDetails;
  reader: ContractReader;
  level: 2 | 3;
}) {
  const mayCall = useMayCall();
  const [decided, setDecided] = useState<LessRequest | null>(null);
  const mayDecide = reader === "admin" && mayCall("admin/contracts/decide-less");
  if (contract.requests.length === 0) return null;
  return (
    <PanelSection title="Fewer devices" level={level}>
      <Stack gap="md">
        {contract.requests.map((request) => (
          <Group key={request.id} justify="space-between" align="flex-start" gap="xs">
            <div style={{ overflowWrap: "anywhere", minWidth: 0 }}>
              <Text fw={600}>
                {request.quantity} × {request.device_type} less
              </Text>
              <Text>{request.reason}</Text>
              <Text fz="sm" c="var(--site-muted)">
                Asked for from {showWrittenDay(request.wished_on)} on, by <bdi>{request.asked_by}</bdi>
                {request.effective_on && `; holds from ${showWrittenDay(request.effective_on)}`}
              </Text>
              {request.answer && <Text fz="sm">Answer: {request.answer}</Text>}
            </div>
            <Group gap="sm">
              <StateBadge tone={states[request.state][0]}>{states[request.state][1]}</StateBadge>
              {request.state === "asked" && mayDecide && (
                <Button aria-label={`Decide about ${request.device_type}`} onClick={() => setDecided(request)}>
                  Decide
                </Button>
              )}
              {request.state === "asked" &&
                reader === "user" &&
                !request.asked_by_us &&
                mayCall("user/contracts/withdraw-less") && <TakeBack request={request} />}
            </Group>
          </Group>
        ))}
      </Stack>
      <DecideLess contract={contract} request={decided} onClose={() => setDecided(null)} />
    </PanelSection>
  );
}

function TakeBack({ request: { id, device_type } }: { request: LessRequest }) {
  const taking = useDoing(refreshContracts, () => call("user/contracts/withdraw-less", { id }));
  return (
    <Button
      variant="default"
      aria-label={`Take back the request about ${device_type}`}
      loading={taking.isPending}
      onClick={() => taking.mutate()}
    >
      Take back
    </Button>
  );
}
