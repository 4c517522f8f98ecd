import { createHash } from "node:crypto";
import type { CertificateData } from "../../contract/report-data.ts";
import { withoutFaults } from "../../contract/plain-text.ts";

/** What a certificate says, as the text of which its fingerprint is: the same facts make the same text, however they were kept. */
export const writtenFacts = (facts: CertificateData): string => JSON.stringify(sorted(facts));

/** SHA-256 of a text, in hexadecimal. */
export const fingerprintOf = (text: string): string => createHash("sha256").update(text).digest("hex");

/** As documents print it, with the fields of each object in the order of their names. */
function sorted(value: unknown): unknown {
  if (typeof value === "string") return withoutFaults(value.normalize("NFC"));
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object") return value;
  const fields = Object.entries(value).map(([name, field]) => [name, sorted(field)] as const);
  return Object.fromEntries(fields.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
