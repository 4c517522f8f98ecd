import { Alert, List, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";

interface Wrong {
  line: number;
  error: string;
}

/** What a file would do: in a sentence, how it was read, what it comes to, what is wrong in which line, and row by row. */
export function FilePreview({
  says,
  note,
  sums,
  errors,
  wrong,
  nothing,
  children,
}: {
  says: string;
  note: string | null;
  sums?: ReactNode;
  errors: number;
  /** The first of the errors. */
  wrong: readonly Wrong[];
  /** What can't be done until it is right. */
  nothing: string;
  children: ReactNode;
}) {
  return (
    <Stack gap="md" style={{ overflowWrap: "anywhere" }}>
      <Text role="status" fw={600}>
        {says}
      </Text>
      {note && <Alert variant="light">{note}</Alert>}
      {sums}
      {errors > 0 && (
        <Alert color="red" title={`${errors} ${errors === 1 ? "row is" : "rows are"} wrong`}>
          <Text fz="sm" mb="xs">
            {nothing}
          </Text>
          <FirstRows shown={wrong.length} of={errors}>
            {wrong.map(({ line, error }) => (
              <List.Item key={line}>
                Line {line}: {error}
              </List.Item>
            ))}
          </FirstRows>
        </Alert>
      )}
      {children}
    </Stack>
  );
}

/** The first of some rows, and how many there are besides. */
export function FirstRows({ shown, of, children }: { shown: number; of: number; children: ReactNode }) {
  return (
    <>
      <List size="sm" withPadding>
        {children}
      </List>
      {shown < of && (
        <Text fz="sm" c="var(--site-muted)">
          and {of - shown} more
        </Text>
      )}
    </>
  );
}
