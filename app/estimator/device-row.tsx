import { Input, Slider } from "@mantine/core";
import { useId } from "@mantine/hooks";
import { memo, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { limits } from "../../contract/limits.ts";
import classes from "./estimator.module.css";
import { clampNumber } from "./selection.ts";

/** One device type with its price: a slider and a number box for the same number. */
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
  /** The type's current name; service and device type are its key. */
  name: string;
  /** The price of one, in words; undefined until it is known. */
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

/** Keeps the typed text until the box loses focus, so that it can be emptied and typed again. */
export function NumberBox({
  id,
  number,
  onChange,
  isWrong = false,
}: {
  id: string;
  number: number;
  onChange: (number: number) => void;
  isWrong?: boolean;
}) {
  const [typed, setTyped] = useState<string | null>(null);
  const box = useRef<HTMLInputElement>(null);
  const typedBefore = useEffectEvent(() => {
    if (box.current && box.current.value !== box.current.defaultValue) onChange(clampNumber(box.current.value));
  });
  // Adopts what was typed before the page's script had loaded.
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
      error={isWrong}
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
