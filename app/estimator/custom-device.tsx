import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useId } from "@mantine/hooks";
import { useState } from "react";
import { customService } from "../../contract/devices.ts";
import { limits } from "../../contract/limits.ts";
import { partIsGone } from "../components/later.tsx";
import { NumberBox, NumberSlider } from "./device-row.tsx";
import classes from "./estimator.module.css";
import { numberOf, type Selection } from "./selection.ts";

/** Adds a device that is not in the list, by name and number. A number of 0 removes one that was added before. */
export function CustomDevice({
  selection,
  onChange,
}: {
  selection: Selection;
  onChange: (service: string, deviceType: string, number: number) => void;
}) {
  const [deviceType, setDeviceType] = useState("");
  const [number, setNumber] = useState(0);
  const [error, setError] = useState<string | null>(null);
  const id = useId();
  const add = async () => {
    if (!deviceType.trim()) return setError("Please name the device type.");
    const isListed = numberOf(selection, customService, deviceType.trim()) > 0;
    if (number === 0 && !isListed) return setError("Please choose a number of 1 or more.");
    if (number === 0) onChange(customService, deviceType.trim(), 0);
    else {
      const checks = await import("./checks.ts").catch(partIsGone);
      if (!checks) return undefined;
      const device = checks.checkCustomDevice(deviceType, number);
      if (typeof device === "string") return setError(device);
      onChange(device.service, device.deviceType, number);
    }
    setDeviceType("");
    setNumber(0);
    setError(null);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
      noValidate
    >
      <Stack gap="sm">
        <Text c="var(--site-muted)" fz="sm">
          Priced at a default rate. We confirm the rate and mail you the final proposal before you can buy.
        </Text>
        <TextInput
          label="Device type"
          placeholder="For example SCADA gateway"
          maxLength={limits.deviceTypeLengthMax}
          value={deviceType}
          error={error}
          onChange={(event) => {
            setDeviceType(event.currentTarget.value);
            setError(null);
          }}
        />
        <div className={classes.row}>
          <label id={`${id}-label`} htmlFor={id} className={classes.device}>
            Number of devices
          </label>
          <NumberSlider labelledBy={`${id}-label`} number={number} onChange={setNumber} />
          <NumberBox id={id} number={number} onChange={setNumber} />
        </div>
        <Group>
          <Button type="submit" variant="light" size="md">
            Add
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
