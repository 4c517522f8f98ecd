import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";

export interface OvertakenProps {
  title?: string;
  merges?: boolean;
  /** What the other changed. */
  details?: ReactNode;
  children: ReactNode;
  onKeep: () => void;
  onTake: () => void;
}

/** It may stand above what is seen of a long form, whose button was pressed at its end. */
const bringIntoSight = (box: HTMLElement | null) => box?.scrollIntoView({ block: "nearest" });

/**
 * Somebody else saved first, and whoever typed decides: nothing typed goes away by itself. With `merges` what both wrote in
 * different places is put together, else one of the two holds.
 */
export function Overtaken({ title, merges = false, details, children, onKeep, onTake }: OvertakenProps) {
  return (
    <Alert
      ref={bringIntoSight}
      color="orange"
      variant="light"
      role="alert"
      title={title}
      styles={{ title: { color: "var(--site-ink)" } }}
    >
      <Stack gap="sm">
        <Text style={{ overflowWrap: "anywhere" }}>{children}</Text>
        {details}
        <Group gap="sm">
          <Button variant="default" mih={44} onClick={onKeep}>
            {merges ? "Bring in the changes, keep mine" : "Keep what I typed"}
          </Button>
          <Button variant="default" mih={44} onClick={onTake}>
            {merges ? "Drop mine" : "Take what is saved"}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
