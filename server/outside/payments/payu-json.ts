/** JSON whose numbers stay as they are written: a hash is over "10.00", and an id of 18 digits is more than a number keeps. */
export function parsePayuJson(text: string): unknown {
  return JSON.parse(text, asWritten);
}

function asWritten(_name: string, value: unknown, { source }: { source?: string } = {}): unknown {
  return typeof value === "number" ? (source ?? String(value)) : value;
}
