import { Button, Group } from "@mantine/core";
import type { ReactNode } from "react";

/** A choice of one among a few, as buttons side by side. */
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
  return (
    <Group gap={4} role="group" aria-label={label}>
      {choices.map((choice) => (
        <Button
          key={choice.value}
          variant={choice.value === value ? "light" : "subtle"}
          aria-pressed={choice.value === value}
          onClick={() => onChange(choice.value)}
        >
          {choice.label}
        </Button>
      ))}
    </Group>
  );
}
