import { Button, Group, Text } from "@mantine/core";
import { ApiError } from "../api.ts";
import { Refusal } from "./refusal.tsx";

/** Why saving failed and, if somebody else saved first, a button to load the current state. */
export const NotSaved = ({ error, says, onLoad }: { error: Error; says: string; onLoad: () => void }) => (
  <Refusal>
    <Group justify="space-between" gap="sm">
      <Text>{says}</Text>
      {error instanceof ApiError && error.status === 409 && (
        <Button variant="default" onClick={onLoad}>
          Load the current state
        </Button>
      )}
    </Group>
  </Refusal>
);
