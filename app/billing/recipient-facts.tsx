import { Button, Group, Stack, Text } from "@mantine/core";
import type { Billing } from "../../contract/billing.ts";
import { countryName } from "../../contract/countries.ts";
import { states } from "../../contract/gstin.ts";

/** The recipient, as the invoice will name it. */
export function RecipientFacts({
  billing,
  onEdit,
}: {
  billing: Billing;
  onEdit?: (press: { currentTarget: HTMLElement }) => void;
}) {
  return (
    <Group justify="space-between" align="flex-start" wrap="nowrap" gap="md">
      <Stack gap={2} style={{ overflowWrap: "anywhere", minWidth: 0 }}>
        <Text fz="sm" c="var(--site-muted)">
          Billed to
        </Text>
        <Text fw={650}>
          <bdi>{billing.legalName}</bdi>
        </Text>
        {linesOf(billing).map((line) => (
          <Text key={line} fz="sm" dir="auto">
            {line}
          </Text>
        ))}
      </Stack>
      {onEdit && (
        <Button variant="default" onClick={onEdit} style={{ flexShrink: 0 }}>
          Change
        </Button>
      )}
    </Group>
  );
}

function linesOf({ address, pinCode, stateCode, gstin, kind, country }: Billing): string[] {
  return [
    [address, pinCode].filter(Boolean).join(", "),
    kind === "abroad" ? country && countryName(country) : stateCode && `${states[stateCode]} (${stateCode})`,
    gstin && `GSTIN ${gstin}`,
    kind === "unregistered" && "Not registered for GST",
    kind === "sez" && "In a special economic zone",
  ].filter((line): line is string => typeof line === "string" && line !== "");
}
