import { Alert, List, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";

interface Wrong {
  line: number;
  error: string;
}

/** The preview of a file: a summary, how it was read, its sums, the errors by line, and its rows. */
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
  /** The first errors. */
  wrong: readonly Wrong[];
  /** What is not possible until the errors are corrected. */
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
          <FirstLines rows={wrong.map(({ line, error }) => ({ line, says: error }))} of={errors} />
        </Alert>
      )}
      {children}
    </Stack>
  );
}

/** The first of some rows of the file, with the line of each, and how many more there are. */
export const FirstLines = ({ rows, of }: { rows: readonly { line: number; says: string }[]; of: number }) => (
  <FirstRows shown={rows.length} of={of}>
    {rows.map(({ line, says }) => (
      <List.Item key={line}>
        Line {line}: {says}
      </List.Item>
    ))}
  </FirstRows>
);

/** The first of some rows, and how many more there are. */
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
