import { useId } from "@mantine/hooks";
import { memo } from "react";
import classes from "./device-row.module.css";
import { NumberBox, NumberSlider } from "./number-field.tsx";

export type OnDevice = (service: string, deviceType: string, number: number) => void;

/** One device type: a slider and a number box that show the same number. */
export const DeviceRow = memo(function DeviceRow({
  service,
  deviceType,
  number,
  onChange,
}: {
  service: string;
  deviceType: string;
  number: number;
  onChange: OnDevice;
}) {
  return (
    <NumberRow label={deviceType} number={number} onChange={(next) => onChange(service, deviceType, next)} />
  );
});

export function NumberRow({
  label,
  number,
  onChange,
}: {
  label: string;
  number: number;
  onChange: (number: number) => void;
}) {
  const id = useId();
  return (
    <div className={classes.row}>
      <label id={`${id}-label`} htmlFor={id} className={classes.label} data-chosen={number > 0 || undefined}>
        {label}
      </label>
      <NumberSlider labelledBy={`${id}-label`} number={number} onChange={onChange} />
      <NumberBox id={id} number={number} onChange={onChange} />
    </div>
  );
}
