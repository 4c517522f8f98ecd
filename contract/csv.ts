/** The first character of a CSV file: without a byte order mark Excel does not read it as UTF-8. */
export const csvStart = "\uFEFF";

/**
 * Rows as lines of CSV (RFC 4180). Text that a spreadsheet would run as a formula gets an apostrophe in front; numbers
 * stay numbers, and so do amounts in the wire format ("-1080.00").
 */
export const csvLines = (rows: readonly (readonly (string | number)[])[]): string =>
  rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("");

function cell(value: string | number): string {
  const isFormula = typeof value === "string" && /^\s*[=+\-@\t\r]/.test(value) && !/^-\d+\.\d\d$/.test(value);
  const text = isFormula ? `'${value}` : String(value);
  return /["\r\n,]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
