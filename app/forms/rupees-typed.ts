/** What somebody typed as rupees, as the wire has it: "1,23,456.5" → "123456.50"; as it is where it is none. */
export function rupeesTyped(typed: string): string {
  const plain = typed.replace(/[,₹\s]/g, "");
  const parts = /^(\d{1,12})(?:\.(\d{0,2}))?$/.exec(plain);
  return parts ? `${Number(parts[1])}.${(parts[2] ?? "").padEnd(2, "0")}` : plain;
}
