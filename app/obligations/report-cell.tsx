import { Text } from "@mantine/core";

/** A report to a regulator in a list: its title, and the provision that requires it. */
export const ReportCell = ({ title, instrument, paragraph }: Record<"title" | "instrument" | "paragraph", string>) => (
  <>
    {title}
    <Text fz="xs" c="var(--site-muted)">
      {instrument}, {paragraph}
    </Text>
  </>
);
