/** Headers from EINVOICE_HEADERS: `name: value`, separated by vertical bars. Null if that can't be parsed. */
export function parseHeaders(text: string): Record<string, string> | null {
  const pairs = text
    .split("|")
    .map((part) => /^\s*([A-Za-z0-9!#$%&'*+.^_`~-]+)\s*:\s*([\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)\s*$/.exec(part));
  const headers = pairs.map((found) => [found?.[1] ?? "", found?.[2] ?? ""] as const);
  return headers.every(([name, value]) => name && value) ? Object.fromEntries(headers) : null;
}
