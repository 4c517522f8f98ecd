import { Text } from "@mantine/core";

/** A report to a regulator in a list: what it is called, and where it is asked for. */
export const ReportCell = ({ title, instrument, paragraph }: Record<"title" | "instrument" | "paragraph", string>) => (
  <>
    {title}
    <Text fz="xs" c="var(--site-muted)">
      {instrument}, {paragraph}
    </Text>
  </>
);
