/** Parses JSON with numbers kept as text: hashes cover "10.00", and an id of 18 digits does not fit in a number. */
export function parsePayuJson(text: string): unknown {
  return JSON.parse(text, asWritten);
}

function asWritten(_name: string, value: unknown, { source }: { source?: string } = {}): unknown {
  return typeof value === "number" ? (source ?? String(value)) : value;
}
