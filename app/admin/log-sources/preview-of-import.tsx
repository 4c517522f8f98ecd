import { Alert, List, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import type { ImportPreview } from "../../../contract/log-sources.ts";

/** What an import would do, kind by kind. */
export function PreviewOfImport({ preview }: { preview: ImportPreview }) {
  const { counts, note, errors, added, changed, retired } = preview;
  const facts = `${counts.rows} ${counts.rows === 1 ? "row" : "rows"}: ${counts.added} new, ${counts.changed} changed, ${counts.retired} retired, ${counts.unchanged} as they are`;
  return (
    <Stack gap="md" style={{ overflowWrap: "anywhere" }}>
      <Text role="status" fw={600}>
        {facts}
      </Text>
      {note && <Alert variant="light">{note}</Alert>}
      {counts.errors > 0 && (
        <Alert color="red" title={`${counts.errors} ${counts.errors === 1 ? "row is" : "rows are"} wrong`}>
          <Text fz="sm" mb="xs">
            Nothing can be imported until the file is right.
          </Text>
          <Rows shown={errors.length} of={counts.errors}>
            {errors.map(({ line, error }) => (
              <List.Item key={line}>
                Line {line}: {error}
              </List.Item>
            ))}
          </Rows>
        </Alert>
      )}
      <Part title="New" shown={added.length} of={counts.added}>
        {added.map(({ label, product }) => (
          <List.Item key={label}>
            <bdi>{product}</bdi> ({label})
          </List.Item>
        ))}
      </Part>
      <Part title="Changed" shown={changed.length} of={counts.changed}>
        {changed.map(({ label, changes }) => (
          <List.Item key={label}>
            {label}: {changes.join("; ")}
          </List.Item>
        ))}
      </Part>
      <Part title="Retired" shown={retired.length} of={counts.retired}>
        {retired.map(({ label, product }) => (
          <List.Item key={label}>
            <bdi>{product}</bdi> ({label})
          </List.Item>
        ))}
      </Part>
    </Stack>
  );
}

function Part({ title, shown, of, children }: { title: string; shown: number; of: number; children: ReactNode }) {
  if (of === 0) return null;
  return (
    <section aria-label={title}>
      <Title order={3} fz={16} mb={4}>
        {title}
      </Title>
      <Rows shown={shown} of={of}>
        {children}
      </Rows>
    </section>
  );
}

function Rows({ shown, of, children }: { shown: number; of: number; children: ReactNode }) {
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
