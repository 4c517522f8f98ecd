import { Alert, Button, Group, Stack, Text } from "@mantine/core";

/** Somebody else saved first: what is saved now stands beside the fields, and whoever typed decides. */
export function Overtaken({ message, onKeep, onTake }: { message: string; onKeep: () => void; onTake: () => void }) {
  return (
    <Alert color="yellow" role="alert">
      <Stack gap="sm">
        <Text>{message}</Text>
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
