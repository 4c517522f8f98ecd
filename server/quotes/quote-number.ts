/** What people call a quote: Q-000123. */
export function quoteNumber(serial: number): string {
  return `Q-${String(serial).padStart(6, "0")}`;
}
