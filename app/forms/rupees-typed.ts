/** Typed rupees in the API's form: "1,23,456.5" becomes "123456.50"; no amount, such as "1,5", stays as it is. */
export function rupeesTyped(typed: string): string {
  const plain = typed.replace(/[₹\s]|,(?=\d{3}\b|\d\d,)/g, "");
  const parts = /^(\d{1,12})(?:\.(\d{0,2}))?$/.exec(plain);
  return parts ? `${Number(parts[1])}.${(parts[2] ?? "").padEnd(2, "0")}` : plain;
}
