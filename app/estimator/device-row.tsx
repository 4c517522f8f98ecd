import { Input, Slider } from "@mantine/core";
import { useId } from "@mantine/hooks";
import { memo, useState } from "react";
import { limits } from "../../contract/limits.ts";
import classes from "./estimator.module.css";
import { clampNumber } from "./selection.ts";

/** One device type: a slider and a number box that show the same number. */
export const DeviceRow = memo(function DeviceRow({
  service,
  deviceType,
  name,
  number,
  onChange,
}: {
  service: string;
  deviceType: string;
  /** What it is called now; service and device type are its key. */
  name: string;
  number: number;
  onChange: (service: string, deviceType: string, number: number) => void;
}) {
  const id = useId();
  return (
    <div className={classes.row}>
      <label id={`${id}-label`} htmlFor={id} className={classes.device}>
        {name}
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

/** What is typed stays as typed until the box is left, so that it can be cleared and typed anew. */
export function NumberBox({
  id,
  number,
  onChange,
}: {
  id: string;
  number: number;
  onChange: (number: number) => void;
}) {
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <Input
      id={id}
      w={104}
      size="md"
      type="number"
      inputMode="numeric"
      min={0}
      max={limits.deviceCountMax}
      step={1}
      value={typed ?? number}
      onChange={({ currentTarget: { value } }) => {
        const counted = clampNumber(value);
        setTyped(Number(value) > counted ? null : value);
        onChange(counted);
      }}
      onFocus={(event) => event.currentTarget.select()}
      onBlur={() => setTyped(null)}
    />
  );
}
