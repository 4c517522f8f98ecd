import { z } from "zod";
import { sha256Of } from "../protection/sha256-of.ts";

/** The facts of an acceptance, as attached to its document. */
const Attached = z.object({
  acceptance: z.object({
    evidence: z.object({
      quote: z.string(),
      revision: z.number(),
      name: z.string(),
      designation: z.string(),
      email: z.string(),
      acceptedAt: z.string(),
      address: z.string(),
      proposalSha256: z.string(),
      termsSha256: z.string(),
      terms: z.array(z.string()),
    }),
  }),
});

/** SHA-256 of the terms, one per line; in hexadecimal. */
export const hashOfTerms = (terms: readonly string[]) => sha256Of(terms.join("\n"));

/** Reports, in sentences, what the files attached to an accepted proposal prove; null if it is no accepted proposal. */
export function verifyAcceptance(attached: ReadonlyMap<string, Uint8Array>) {
  const facts = attached.get("acceptance.json");
  if (!facts) return null;
  const { evidence } = Attached.parse(JSON.parse(Buffer.from(facts).toString("utf8"))).acceptance;
  const proposal = attached.get("proposal.pdf");
  const checks: [what: string, holds: boolean][] = [
    [
      "The attached proposal is the one that was accepted",
      !!proposal && sha256Of(proposal) === evidence.proposalSha256,
    ],
    ["The terms are those that were accepted", hashOfTerms(evidence.terms) === evidence.termsSha256],
  ];
  const { quote, revision, name, designation, email, acceptedAt, address } = evidence;
  const says = `${name}, ${designation}, accepted ${quote} revision ${revision} at ${acceptedAt} from ${address}, by a code mailed to ${email}.`;
  return { says, checks };
}
