import { Text } from "@mantine/core";
import { showDay } from "./display.ts";

/** What people call a quote or an order, with the day that it is of. */
export function NumberAndDate({ number, date }: { number: string; date: string }) {
  return (
    <div style={{ whiteSpace: "nowrap" }}>
      <Text fw={650} fz="inherit" className="tabular">
        {number}
      </Text>
      <Text fz="xs" c="var(--site-muted)">
        {showDay(date)}
      </Text>
    </div>
  );
}
