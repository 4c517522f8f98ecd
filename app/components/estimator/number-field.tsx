import { ActionIcon, NumberInput, Slider } from "@mantine/core";
import { IconMinus, IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { limits } from "../../../contract/limits.ts";
import classes from "./number-field.module.css";
import { clampNumber } from "./selection.ts";

interface Props {
  number: number;
  onChange: (number: number) => void;
}

/** A number of devices on a slider; its label is the element with that id. */
export function NumberSlider({ labelledBy, number, onChange }: Props & { labelledBy: string }) {
  return (
    <Slider
      classNames={{ root: classes.slider ?? "", trackContainer: classes.track ?? "", thumb: classes.thumb ?? "" }}
      min={0}
      max={limits.deviceCountMax}
      step={1}
      size={6}
      value={number}
      onChange={onChange}
      label={null}
      thumbSize={22}
      thumbProps={{ "aria-labelledby": labelledBy }}
      hiddenInputProps={{ disabled: true }}
    />
  );
}

/**
 * The same number in a box. What is typed stays as typed until the box is left, so that it can be cleared and typed
 * anew; what counts meanwhile is the whole number from 0 to 500 nearest to it.
 */
export function NumberBox({ id, number, onChange }: Props & { id: string }) {
  const [typed, setTyped] = useState<string | number | null>(null);
  const step = (next: number) => {
    setTyped(null);
    onChange(clampNumber(next));
  };
  return (
    <div className={classes.box} data-chosen={number > 0 || undefined}>
      <StepButton icon={IconMinus} disabled={number <= 0} onClick={() => step(number - 1)} />
      <NumberInput
        id={id}
        classNames={{ input: classes.input ?? "" }}
        variant="unstyled"
        size="md"
        hideControls
        min={0}
        max={limits.deviceCountMax}
        step={1}
        allowDecimal={false}
        allowNegative={false}
        allowLeadingZeros={false}
        isAllowed={({ value }) => value.length <= typedLengthMax}
        inputMode="numeric"
        autoComplete="off"
        value={typed ?? number}
        onChange={(text) => {
          setTyped(text);
          onChange(clampNumber(text));
        }}
        onFocus={(event) => event.currentTarget.select()}
        onBlur={() => setTyped(null)}
      />
      <StepButton icon={IconPlus} disabled={number >= limits.deviceCountMax} onClick={() => step(number + 1)} />
    </div>
  );
}

const typedLengthMax = 6;

/** For pointers only: the arrow keys do the same in the box. */
function StepButton({ icon: Icon, ...props }: { icon: typeof IconPlus; disabled: boolean; onClick: () => void }) {
  return (
    <ActionIcon className={classes.step ?? ""} variant="transparent" tabIndex={-1} aria-hidden {...props}>
      <Icon size={16} stroke={2} />
    </ActionIcon>
  );
}
