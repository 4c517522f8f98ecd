/** What people call an order: O-000123. */
export function orderNumber(serial: number): string {
  return `O-${String(serial).padStart(6, "0")}`;
}
