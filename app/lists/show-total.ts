/** "1,234", or "10,000+" where there are more than were counted; never fewer than are there already. */
export function showTotal({ total, totalIsCapped }: { total: number; totalIsCapped: boolean }, shown = 0): string {
  return `${Math.max(total, shown).toLocaleString("en-IN")}${totalIsCapped ? "+" : ""}`;
}
