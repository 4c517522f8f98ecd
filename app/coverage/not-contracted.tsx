import { Button, Group, Stack, Text } from "@mantine/core";
import { Link } from "react-router";
import { keyOf } from "../../contract/devices.ts";
import type { CoverageAddition } from "../../contract/coverage.ts";
import { formatCount } from "../../contract/format-count.ts";
import { PanelSection } from "../components/panel-section.tsx";

/** Connected devices that are in no contract, and the way to add them to one. */
export function NotContracted({
  additions,
  addTo,
}: {
  additions: readonly CoverageAddition[];
  addTo: ((devices: readonly CoverageAddition[]) => string) | null;
}) {
  return (
    <PanelSection
      title="Not contracted"
      hint="Devices of known types beyond what the contracts hold. They are counted here and in no line above."
      level={2}
      aside={
        addTo &&
        additions.length > 1 && (
          <Button component={Link} to={addTo(additions)} variant="default" className="screen-only">
            Add all to a quote
          </Button>
        )
      }
    >
      <Stack component="ul" gap="md" m={0} p={0} style={{ listStyle: "none" }}>
        {additions.map((addition) => (
          <li key={keyOf(addition)}>
            <Group justify="space-between" gap="sm">
              <div style={{ minWidth: 0 }}>
                <Text fw={600} style={{ overflowWrap: "anywhere" }}>
                  {formatCount(addition.devices)} × {addition.name}
                </Text>
                <Text fz="sm" c="var(--site-muted)">
                  {formatCount(addition.connected)} connected, {formatCount(addition.silent)} silent
                </Text>
              </div>
              {addTo && (
                <Button
                  component={Link}
                  to={addTo([addition])}
                  variant="default"
                  className="screen-only"
                  aria-label={`Add to a quote: ${formatCount(addition.devices)} ${addition.name}`}
                >
                  Add to a quote
                </Button>
              )}
            </Group>
          </li>
        ))}
      </Stack>
    </PanelSection>
  );
}
