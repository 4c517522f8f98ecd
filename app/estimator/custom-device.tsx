import { Button, Group, Input, Stack, Text, TextInput } from "@mantine/core";
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
  /** What is wrong, and the id of its field. */
  const [fault, setFault] = useState<{ field: string; message: string } | null>(null);
  const id = useId();
  const typeId = `${id}-type`;
  const refuse = (field: string, message: string) => {
    setFault({ field, message });
    document.getElementById(field)?.focus();
  };
  const add = async () => {
    if (!deviceType.trim()) return refuse(typeId, "Please name the device type.");
    const isListed = numberOf(selection, customService, deviceType.trim()) > 0;
    if (number === 0 && !isListed) return refuse(id, "Please choose a number of 1 or more.");
    if (number === 0) onChange(customService, deviceType.trim(), 0);
    else {
      const checks = await import("./checks.ts").catch(partIsGone);
      if (!checks) return undefined;
      const device = checks.checkCustomDevice(deviceType, number);
      if (typeof device === "string") return refuse(typeId, device);
      onChange(device.service, device.deviceType, number);
    }
    setDeviceType("");
    setNumber(0);
    setFault(null);
  };
  const choose = (chosen: number) => {
    setNumber(chosen);
    setFault(null);
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
          id={typeId}
          label="Device type"
          placeholder="For example SCADA gateway"
          maxLength={limits.deviceTypeLengthMax}
          value={deviceType}
          error={fault?.field === typeId && fault.message}
          onChange={(event) => {
            setDeviceType(event.currentTarget.value);
            setFault(null);
          }}
        />
        <Input.Wrapper id={id} size="md" error={fault?.field === id && fault.message}>
          <div className={classes.row}>
            <label id={`${id}-label`} htmlFor={id} className={classes.device}>
              Number of devices
            </label>
            <NumberSlider labelledBy={`${id}-label`} number={number} onChange={choose} />
            <NumberBox id={id} number={number} onChange={choose} isWrong={fault?.field === id} />
          </div>
        </Input.Wrapper>
        <Group>
          <Button type="submit" variant="light" size="md">
            Add
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
