import { Button, Group } from "@mantine/core";
import { type ReactNode, useEffect, useRef } from "react";

/** Which was pressed last. */
let pressed = "";

/** One of a few, as buttons side by side. Where the choice draws the screen anew, whoever pressed keeps their place in it. */
export function ChoiceButtons<Value extends string>({
  label,
  choices,
  value,
  onChange,
}: {
  label: string;
  choices: readonly { value: Value; label: ReactNode }[];
  value: Value;
  onChange: (value: Value) => void;
}) {
  const chosen = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (pressed === label && document.activeElement === document.body) chosen.current?.focus();
    // Only after the others that are drawn along with this one.
    queueMicrotask(() => (pressed = ""));
  }, [label]);
  return (
    <Group gap={4} role="group" aria-label={label}>
      {choices.map((choice) => (
        <Button
          key={choice.value}
          ref={choice.value === value ? chosen : null}
          variant={choice.value === value ? "light" : "subtle"}
          aria-pressed={choice.value === value}
          onClick={() => {
            pressed = label;
            onChange(choice.value);
          }}
        >
          {choice.label}
        </Button>
      ))}
    </Group>
  );
}
