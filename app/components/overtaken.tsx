import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";

export interface OvertakenProps {
  title?: string;
  merges?: boolean;
  /** The other person's changes. */
  details?: ReactNode;
  children: ReactNode;
  onKeep: () => void;
  onTake: () => void;
}

/** The alert may stand above the visible part of a long form, whose button is at its end. */
const bringIntoSight = (box: HTMLElement | null) => box?.scrollIntoView({ block: "nearest" });

/**
 * Tells that somebody else saved first and lets the user decide: nothing typed is dropped by itself. With `merges`,
 * changes to different places are combined, else one of the two versions wins.
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
