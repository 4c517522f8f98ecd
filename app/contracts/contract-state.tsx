import { Text } from "@mantine/core";
import type { Contract } from "../../contract/contracts.ts";
import { StateBadge, type Tone } from "../components/state-badge.tsx";

/** A contract's state: whether it runs, and what happens at its end. */
export function ContractStateBadge({ contract: { state, renewal, renews_itself, devices } }: { contract: Contract }) {
  const [tone, words] = state === "running" ? running[renewal] : state === "coming" ? coming : ended[renewal];
  return (
    <>
      <StateBadge tone={tone} long>
        {words}
      </StateBadge>
      {renews_itself && renewal !== "renewed" && devices > 0 && (
        <Text fz="xs" c="var(--site-muted)" mt={4}>
          Renews by choice
        </Text>
      )}
    </>
  );
}

type Shown = readonly [Tone, string];
const coming: Shown = ["info", "Not begun yet"];
const running: Record<Contract["renewal"], Shown> = {
  none: ["good", "Running"],
  quoted: ["info", "Running, renewal quoted"],
  accepted: ["info", "Running, renewal to be paid"],
  declined: ["warning", "Running, renewal declined"],
  expired: ["warning", "Running, renewal expired"],
  renewed: ["good", "Running, renewed"],
};
const ended: Record<Contract["renewal"], Shown> = {
  none: ["neutral", "Ended"],
  quoted: ["warning", "Ended, can still be renewed"],
  accepted: ["warning", "Ended, renewal to be paid"],
  declined: ["neutral", "Ended"],
  expired: ["neutral", "Ended"],
  renewed: ["good", "Ended, renewed"],
};

/** The state as text, for files. */
export const contractStateInWords = ({ state, renewal }: Contract): string =>
  (state === "running" ? running[renewal] : state === "coming" ? coming : ended[renewal])[1];
