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

/**
 * Somebody else saved first, and whoever typed decides: nothing typed goes away by itself. With `merges` what both wrote in
 * different places is put together, else one of the two holds.
 */
export function Overtaken({ title, merges = false, details, children, onKeep, onTake }: OvertakenProps) {
  return (
    <Alert color="orange" variant="light" role="alert" title={title} styles={{ title: { color: "var(--site-ink)" } }}>
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
