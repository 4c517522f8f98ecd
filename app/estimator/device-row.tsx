import { Input, Slider } from "@mantine/core";
import { useId } from "@mantine/hooks";
import { memo, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { limits } from "../../contract/limits.ts";
import classes from "./estimator.module.css";
import { clampNumber } from "./selection.ts";

/** One device type with its price: a slider and a number box that show the same number. */
export const DeviceRow = memo(function DeviceRow({
  service,
  deviceType,
  name,
  rate,
  number,
  onChange,
}: {
  service: string;
  deviceType: string;
  /** What it is called now; service and device type are its key. */
  name: string;
  /** What one costs, in words; undefined until it is known. */
  rate: string | undefined;
  number: number;
  onChange: (service: string, deviceType: string, number: number) => void;
}) {
  const id = useId();
  return (
    <div className={classes.row}>
      <div className={classes.device}>
        <label id={`${id}-label`} htmlFor={id}>
          {name}
        </label>
        <span className={classes.rate}>{rate ?? "\u00A0"}</span>
      </div>
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
  const box = useRef<HTMLInputElement>(null);
  const typedBefore = useEffectEvent(() => {
    if (box.current && box.current.value !== box.current.defaultValue) onChange(clampNumber(box.current.value));
  });
  // What was typed before the page's script came.
  useLayoutEffect(() => typedBefore(), []);
  return (
    <Input
      id={id}
      ref={box}
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
