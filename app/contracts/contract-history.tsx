import { Button, Stack, Text } from "@mantine/core";
import type { ContractChange, ContractDetails } from "../../contract/contracts.ts";
import type { RefundState } from "../../contract/refunds.ts";
import { call } from "../api.ts";
import { showWrittenDay } from "../components/display.ts";
import { PanelSection } from "../components/panel-section.tsx";
import { Amount } from "../components/unbroken.tsx";
import { useDoing } from "../components/use-doing.ts";
import { useMayCall } from "../portal/use-may-call.ts";
import { type ContractReader, refreshContracts } from "./contract-readers.ts";

const kinds: Record<ContractChange["kind"], string> = {
  start: "Begun",
  add: "Devices added",
  "true up": "True-up",
  remove: "Devices taken away",
};

const refunds: Record<RefundState, string> = {
  asked: "its money waits for another main administrator",
  approved: "its money goes back",
  sent: "its money is on its way back",
  done: "its money is back",
  failed: "its money could not be given back",
};

const saysOfRefund = (state: RefundState, mayGoAgain: boolean) =>
  state === "failed" && !mayGoAgain ? "its money was settled in another way: see its order" : refunds[state];

/** The history of a contract, newest first. */
export function ContractHistory({
  contract,
  reader,
  level,
}: {
  contract: ContractDetails;
  reader: ContractReader;
  level: 2 | 3;
}) {
  return (
    <PanelSection title="History" level={level}>
      <Stack component="ol" gap="md" style={{ listStyle: "none", padding: 0, margin: 0 }}>
        {contract.changes.map((change) => (
          <li key={change.id}>
            <Text fw={600}>
              {kinds[change.kind]} from {showWrittenDay(change.on)}
            </Text>
            <Text style={{ overflowWrap: "anywhere" }}>
              {change.devices.join(", ").replaceAll(" × ", "\u00A0×\u00A0")}
            </Text>
            <Text fz="sm" c="var(--site-muted)">
              {[change.order_number, change.invoice_number, change.credit_note_number].filter(Boolean).join(", ")}
              {Number(change.amount) > 0 && (
                <>
                  {" "}
                  over <Amount rupees={change.amount} />
                </>
              )}
              {change.refund && `; ${saysOfRefund(change.refund, change.may_refund_again)}`}
              {reader !== "user" && change.made_by && (
                <>
                  {" "}
                  by <bdi>{change.made_by}</bdi>
                </>
              )}
            </Text>
            {change.may_refund_again && <RefundAgain change={change} />}
          </li>
        ))}
      </Stack>
    </PanelSection>
  );
}

function RefundAgain({ change }: { change: ContractChange }) {
  const mayCall = useMayCall();
  const again = useDoing(refreshContracts, () => call("admin/contracts/refund-again", { change_id: change.id }));
  if (!mayCall("admin/contracts/refund-again")) return null;
  return (
    <Button variant="default" mt="xs" loading={again.isPending} onClick={() => again.mutate()}>
      Give it back once more
    </Button>
  );
}
