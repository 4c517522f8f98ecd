const grouping = new Intl.NumberFormat("en-IN", { style: "currency", currency: "INR" });

/**
 * Rupees with two decimals, the format of the wire and the gateway: 123456 → "1234.56", -5 → "-0.05"; exact to 7e15
 * paise.
 */
export const rupees = (paise: number): string => (paise / 100).toFixed(2);

/** Paise from rupees with two decimals. */
export function paiseFrom(wire: string): number {
  return Number(wire.replace(".", ""));
}

/** For people, in Indian grouping: 12345678 → "₹1,23,456.78". */
export function formatRupees(paise: number): string {
  return grouping.format(paise / 100);
}
