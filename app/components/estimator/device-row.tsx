import { NumberInput, Slider } from "@mantine/core";
import { useId } from "@mantine/hooks";
import { memo } from "react";
import { limits } from "../../../contract/limits.ts";
import classes from "./estimator.module.css";
import { clampNumber } from "./selection.ts";

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
  onChange: (service: string, deviceType: string, number: number) => void;
}) {
  const id = useId();
  return (
    <div className={classes.row}>
      <label id={`${id}-label`} htmlFor={id} className={classes.device}>
        {deviceType}
      </label>
      <NumberSlider
        labelledBy={`${id}-label`}
        number={number}
        onChange={(next) => onChange(service, deviceType, next)}
      />
      <NumberBox id={id} number={number} onChange={(next) => onChange(service, deviceType, next)} />
    </div>
  );
});

export function NumberSlider({
  labelledBy,
  number,
  onChange,
}: {
  labelledBy: string;
  number: number;
  onChange: (number: number) => void;
}) {
  return (
    <Slider
      className={classes.slider ?? ""}
      min={0}
      max={limits.deviceCountMax}
      step={1}
      value={number}
      onChange={onChange}
      label={null}
      thumbSize={22}
      thumbProps={{ "aria-labelledby": labelledBy }}
      hiddenInputProps={{ disabled: true }}
    />
  );
}

export function NumberBox({
  id,
  number,
  onChange,
}: {
  id: string;
  number: number;
  onChange: (number: number) => void;
}) {
  return (
    <NumberInput
      id={id}
      w={104}
      min={0}
      max={limits.deviceCountMax}
      step={1}
      allowDecimal={false}
      allowNegative={false}
      clampBehavior="strict"
      value={number}
      onChange={(typed) => onChange(clampNumber(typed))}
      onFocus={(event) => event.currentTarget.select()}
      inputMode="numeric"
    />
  );
}
