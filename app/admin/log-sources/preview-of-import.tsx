import { List, Title } from "@mantine/core";
import type { ReactNode } from "react";
import type { ImportPreview } from "../../../contract/log-sources.ts";
import { FilePreview, FirstRows } from "../../forms/file-preview.tsx";

/** What an import would add, change and retire. */
export function PreviewOfImport({ preview }: { preview: ImportPreview }) {
  const { counts, note, errors, added, changed, retired } = preview;
  const facts = `${counts.rows} ${counts.rows === 1 ? "row" : "rows"}: ${counts.added} new, ${counts.changed} changed, ${counts.retired} retired, ${counts.unchanged} as they are`;
  return (
    <FilePreview
      says={facts}
      note={note}
      errors={counts.errors}
      wrong={errors}
      nothing="Nothing can be imported until the file is correct."
    >
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
    </FilePreview>
  );
}

function Part({ title, shown, of, children }: { title: string; shown: number; of: number; children: ReactNode }) {
  if (of === 0) return null;
  return (
    <section aria-label={title}>
      <Title order={3} fz={16} mb={4}>
        {title}
      </Title>
      <FirstRows shown={shown} of={of}>
        {children}
      </FirstRows>
    </section>
  );
}
