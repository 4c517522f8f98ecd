/** "1,234", or "10,000+" if counting stopped there; at least the number already shown. */
export function showTotal({ total, totalIsCapped }: { total: number; totalIsCapped: boolean }, shown = 0): string {
  return `${Math.max(total, shown).toLocaleString("en-IN")}${totalIsCapped ? "+" : ""}`;
}
