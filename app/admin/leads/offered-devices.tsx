import { Button, Checkbox, Group, Stack, Text } from "@mantine/core";
import { customService, keyOf } from "../../../contract/devices.ts";
import type { OfferedDevice } from "../../../contract/staff-quotes.ts";
import { PriceInput } from "../../components/price-input.tsx";
import classes from "./leads.module.css";

/** The devices chosen so far: each line can be made optional, and a device typed in by hand can be given its rate. */
export function OfferedDevices({
  devices,
  nameOf,
  onChange,
}: {
  devices: readonly OfferedDevice[];
  /** The device type's current name. */
  nameOf: (device: OfferedDevice) => string;
  onChange: (devices: OfferedDevice[]) => void;
}) {
  if (devices.length === 0)
    return <Text c="var(--site-muted)">Choose devices on this page; they are listed here.</Text>;
  const change = (index: number, part: Partial<OfferedDevice>) =>
    onChange(devices.map((device, place) => (place === index ? { ...device, ...part } : device)));
  return (
    <ul className={classes.events}>
      {devices.map((device, index) => {
        const name = nameOf(device);
        return (
          <li key={keyOf(device)}>
            <Group justify="space-between" gap="sm">
              <Text fw={600} style={{ overflowWrap: "anywhere" }}>
                <span className="tabular">{device.number}</span> × <bdi>{name}</bdi>
              </Text>
              <Group gap="md">
                <Checkbox
                  label="Option"
                  aria-label={`${name} is an option, not in the total`}
                  checked={device.option}
                  onChange={(event) => change(index, { option: event.currentTarget.checked })}
                />
                <Button
                  variant="subtle"
                  aria-label={`Remove ${name}`}
                  onClick={() => onChange(devices.filter((_device, place) => place !== index))}
                >
                  Remove
                </Button>
              </Group>
            </Group>
            {device.service === customService && (
              <Stack gap={0} maw={260} mt="xs">
                <PriceInput
                  label="Rate for one and a year"
                  aria-label={`Rate for one and a year of ${name}`}
                  description="Empty: the default rate, to be confirmed later."
                  value={device.yearly ?? ""}
                  onChange={(value) => {
                    const rupees = Number(value);
                    change(index, { yearly: value === "" || Number.isNaN(rupees) ? null : rupees.toFixed(2) });
                  }}
                />
              </Stack>
            )}
          </li>
        );
      })}
    </ul>
  );
}
