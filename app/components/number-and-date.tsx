import { Text } from "@mantine/core";
import { showDay } from "./display.ts";

/** The number of a quote or an order, with its date. */
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
