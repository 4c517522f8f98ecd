import { Text } from "@mantine/core";
import { formatCount } from "../../contract/format-count.ts";
import { showTotal } from "./show-total.ts";

/** The number of rows loaded, of the total. Always mounted, so that a search's result is announced, even none. */
export function ListCount({
  list,
}: {
  list: { rows: readonly unknown[]; total: number; totalIsCapped: boolean; isSuccess: boolean };
}) {
  const shown = list.rows.length;
  return (
    <Text fz="sm" c="var(--site-muted)" className="tabular" role="status">
      {shown > 0 && `${formatCount(shown)} of ${showTotal(list, shown)}`}
      {shown === 0 && list.isSuccess && <span className="visually-hidden">Nothing found</span>}
    </Text>
  );
}
