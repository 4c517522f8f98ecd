const grouping = new Intl.NumberFormat("en-IN", { style: "currency", currency: "INR" });

/** Rupees with two decimals, as the wire and the gateway have them: 123456 → "1234.56". */
export function rupees(paise: number): string {
  return `${Math.trunc(paise / 100)}.${String(paise % 100).padStart(2, "0")}`;
}

/** The same with a minus before what is below zero. */
export const signedRupees = (paise: number): string => `${paise < 0 ? "-" : ""}${rupees(Math.abs(paise))}`;

/** Paise from rupees with two decimals. */
export function paiseFrom(wire: string): number {
  return Number(wire.replace(".", ""));
}

/** For people, in Indian grouping: 12345678 → "₹1,23,456.78". */
export function formatRupees(paise: number): string {
  return grouping.format(paise / 100);
}
