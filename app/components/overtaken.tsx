import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";

/** Somebody else saved first: what is saved now stands beside the fields, and whoever typed decides. */
export function Overtaken({
  title,
  children,
  onKeep,
  onTake,
}: {
  title?: string;
  children: ReactNode;
  onKeep: () => void;
  onTake: () => void;
}) {
  return (
    <Alert color="yellow" role="alert" title={title} styles={{ title: { color: "var(--site-ink)" } }}>
      <Stack gap="sm">
        <Text style={{ overflowWrap: "anywhere" }}>{children}</Text>
        <Group gap="sm">
          <Button variant="default" onClick={onKeep}>
            Keep what I typed
          </Button>
          <Button variant="default" onClick={onTake}>
            Take what is saved
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
