import { Alert, Button, Center, Group, Skeleton, Stack, Text } from "@mantine/core";
import { IconInbox } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { StillLoading } from "../components/still-loading.tsx";

/** Placeholders for rows, so that nothing jumps when they arrive. */
export function ListLoading({ rows = 4 }: { rows?: number }) {
  return (
    <Stack gap="sm" role="status" aria-busy="true" aria-label="Loading">
      {Array.from({ length: rows }, (_, row) => (
        <Skeleton key={row} h={64} radius="md" />
      ))}
      <StillLoading />
    </Stack>
  );
}

export function ListFailed({
  message,
  onRetry,
  ...button
}: {
  message: string;
  /** Left out if a retry would be refused again. */
  onRetry?: (() => void) | undefined;
  loading?: boolean;
  "data-next"?: string;
}) {
  return (
    <Alert color="red" role="alert">
      <Group justify="space-between">
        <Text>{message}</Text>
        {onRetry && (
          <Button variant="default" onClick={onRetry} {...button}>
            Try again
          </Button>
        )}
      </Group>
    </Alert>
  );
}

export function ListEmpty({ message, children }: { message: string; children?: ReactNode }) {
  return (
    <Center py={72}>
      <Stack align="center" gap="xs" maw={420} ta="center">
        <IconInbox size={40} stroke={1.3} color="var(--site-muted)" aria-hidden />
        <Text fw={650}>{message}</Text>
        {children}
      </Stack>
    </Center>
  );
}
