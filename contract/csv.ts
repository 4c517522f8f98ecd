/** What a CSV file begins with: without a byte order mark Excel takes UTF-8 for another encoding. */
export const csvStart = "\uFEFF";

/**
 * Lines of a CSV file as RFC 4180 has it. Text that a spreadsheet would run as a formula gets an apostrophe in front;
 * numbers stay numbers, and so do amounts as the wire has them ("-1080.00").
 */
export const csvLines = (rows: readonly (readonly (string | number)[])[]): string =>
  rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("");

function cell(value: string | number): string {
  const isFormula = typeof value === "string" && /^\s*[=+\-@\t\r]/.test(value) && !/^-\d+\.\d\d$/.test(value);
  const text = isFormula ? `'${value}` : String(value);
  return /["\r\n,]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
