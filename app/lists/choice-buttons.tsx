import { Button, Group } from "@mantine/core";
import { type ReactNode, useEffect, useRef } from "react";

/** Which was pressed last, and when. */
let pressed = { label: "", at: 0 };
const drawnAnewWithinMs = 2000;

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
    const isLost = document.activeElement === document.body;
    if (isLost && pressed.label === label && Date.now() - pressed.at < drawnAnewWithinMs) chosen.current?.focus();
    // Only where it is drawn anew.
    // oxlint-disable-next-line react/exhaustive-deps -- see above
  }, []);
  return (
    <Group gap={4} role="group" aria-label={label}>
      {choices.map((choice) => (
        <Button
          key={choice.value}
          ref={choice.value === value ? chosen : null}
          variant={choice.value === value ? "light" : "subtle"}
          aria-pressed={choice.value === value}
          onClick={() => {
            pressed = { label, at: Date.now() };
            onChange(choice.value);
          }}
        >
          {choice.label}
        </Button>
      ))}
    </Group>
  );
}
