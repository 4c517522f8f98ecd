import { formatCount } from "../../contract/format-count.ts";
/** "1,234", or "10,000+" if counting stopped there; at least the number already shown. */
export function showTotal({ total, totalIsCapped }: { total: number; totalIsCapped: boolean }, shown = 0): string {
  return `${formatCount(Math.max(total, shown))}${totalIsCapped ? "+" : ""}`;
}
