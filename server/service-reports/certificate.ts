import type { CertificateData } from "../../contract/report-data.ts";
import { withoutFaults } from "../../contract/plain-text.ts";

/** The canonical text that a certificate's fingerprint covers: equal facts give equal text, however they are stored. */
export const writtenFacts = (facts: CertificateData): string => JSON.stringify(sorted(facts));

/** Text as documents print it, and object fields sorted by name. */
function sorted(value: unknown): unknown {
  if (typeof value === "string") return withoutFaults(value.normalize("NFC"));
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object") return value;
  const fields = Object.entries(value).map(([name, field]) => [name, sorted(field)] as const);
  return Object.fromEntries(fields.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
