import { Text } from "@mantine/core";
import { showTotal } from "./show-total.ts";

/** How much of a list is there. It stays in its place, so that what a search comes to is told, nothing too. */
export function ListCount({
  list,
}: {
  list: { rows: readonly unknown[]; total: number; totalIsCapped: boolean; isSuccess: boolean };
}) {
  const shown = list.rows.length;
  return (
    <Text fz="sm" c="var(--site-muted)" className="tabular" role="status">
      {shown > 0 && `${shown.toLocaleString("en-IN")} of ${showTotal(list, shown)}`}
      {shown === 0 && list.isSuccess && <span className="visually-hidden">Nothing found</span>}
    </Text>
  );
}
