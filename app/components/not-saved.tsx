import { Alert, Button, Group, Text } from "@mantine/core";
import { ApiError } from "../api.ts";

/** Why something was not saved; where somebody else was first, with the way to what holds now. */
export const NotSaved = ({ error, says, onLoad }: { error: Error; says: string; onLoad: () => void }) => (
  <Alert color="red" role="alert">
    <Group justify="space-between" gap="sm">
      <Text>{says}</Text>
      {error instanceof ApiError && error.status === 409 && (
        <Button variant="default" onClick={onLoad}>
          Load the current state
        </Button>
      )}
    </Group>
  </Alert>
);
