/**
 * A CSV file as RFC 4180 has it, led by a byte order mark, without which Excel takes UTF-8 for another encoding.
 * Text that a spreadsheet would run as a formula gets an apostrophe in front; numbers stay numbers.
 */
export function writeCsv(rows: readonly (readonly (string | number)[])[]): string {
  return `\uFEFF${rows.map((row) => row.map(cell).join(",")).join("\r\n")}\r\n`;
}

function cell(value: string | number): string {
  const text = typeof value === "string" && /^\s*[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /["\r\n,]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
