/** The first character of a CSV file: without a byte order mark Excel does not read it as UTF-8. */
export const csvStart = "\uFEFF";

/** The start of text that a spreadsheet would run; some take the wide signs of East Asian keyboards for these. */
const formulaStart = /^\s*[=+\-@\t\r＝＋－＠]/;

/**
 * Rows as lines of CSV (RFC 4180). Text that a spreadsheet would run as a formula gets an apostrophe in front; numbers
 * stay numbers, and so do amounts in the wire format ("-1080.00").
 */
export const csvLines = (rows: readonly (readonly (string | number)[])[]): string =>
  rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("");

function cell(value: string | number): string {
  const isFormula = typeof value === "string" && formulaStart.test(value) && !/^-\d+\.\d\d$/.test(value);
  const text = isFormula ? `'${value}` : String(value);
  return /["\r\n,]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A cell's text without the apostrophe that `csvLines`, or another program's export, put before a formula. */
export const plainCell = (text: string) =>
  text.startsWith("'") && formulaStart.test(text.slice(1)) ? text.slice(1) : text;
