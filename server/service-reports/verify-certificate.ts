import { z } from "zod";
import { sha256Of } from "../protection/sha256-of.ts";

/** The facts of a certificate, as attached to its document. */
const Attached = z.object({ facts: z.string(), sha256: z.string() });
const Facts = z.object({ customer: z.string(), month: z.string(), sources: z.array(z.unknown()) });

/** The name of the file attached to a retention certificate. */
const attachedFacts = "retention.json";

/** Reports, in sentences, what the file attached to a retention certificate proves; null if it is no certificate. */
export function verifyCertificate(attached: ReadonlyMap<string, Uint8Array>) {
  const file = attached.get(attachedFacts);
  if (!file) return null;
  const { facts, sha256 } = Attached.parse(JSON.parse(Buffer.from(file).toString("utf8")));
  const { customer, month, sources } = Facts.parse(JSON.parse(facts));
  const checks: [what: string, holds: boolean][] = [
    [`Its data has the fingerprint ${sha256}`, sha256Of(facts) === sha256],
  ];
  return {
    says: `Retention certificate of ${customer} for ${month.slice(0, 7)}, with ${sources.length} sources. Compare the fingerprint with the one under Reports.`,
    checks,
  };
}
