import { and, eq, isNull } from "drizzle-orm";
import { paiseFrom } from "../../contract/money.ts";
import { quoteNumber } from "../../contract/numbers.ts";
import { isThere } from "../accounts/queries.ts";
import type { Transaction } from "../database/database.ts";
import { organisations, people, quoteDecisions, quotes } from "../database/schema/index.ts";
import { acceptanceShownAs } from "../files/shown-as.ts";
import { queueMail } from "../mail/outbox.ts";
import { paperTime } from "../outside/documents/paper.ts";
import { documentFile } from "../outside/files/document-file.ts";
import type { Services } from "../services.ts";
import { sha256 } from "./verify-acceptance.ts";
import { readProposal, termOf } from "./deliver-proposal.ts";

/**
 * Renders an accepted proposal with its evidence and the proposal itself attached, keeps it and mails it to who accepted.
 * An accepted quote is not revised any more. Killed anywhere, it can run again: file and mail come once.
 */
export async function deliverAcceptance(services: Services, decisionId: string): Promise<void> {
  const [found] = await services.database
    .select({ decision: quoteDecisions, quote: quotes, partner: organisations.name })
    .from(quoteDecisions)
    .innerJoin(quotes, eq(quotes.id, quoteDecisions.quoteId))
    .leftJoin(organisations, eq(organisations.id, quotes.partnerId))
    .where(and(eq(quoteDecisions.id, decisionId), isNull(quoteDecisions.file)));
  if (!found || found.decision.kind !== "accepted") return;
  const { decision, quote, partner } = found;
  const file = documentFile("acceptance", decision.id);
  const proposal = await services.files.read(quote.proposalFile ?? "");
  if (sha256(proposal) !== decision.proposalHash)
    throw new Error("The proposal in the file store is not the one that was accepted");
  const { data, tax } = await readProposal(services, quote, partner);
  const accepted = { ...data, acceptance: acceptanceOf(decision, quoteNumber(quote.serial)) };
  const pdf = await services.documents.render("acceptance", accepted, { name: "proposal.pdf", bytes: proposal });
  await services.database.transaction(async (transaction) => {
    const named = await transaction
      .update(quoteDecisions)
      .set({ file })
      .where(and(eq(quoteDecisions.id, decision.id), isNull(quoteDecisions.file)))
      .returning({ id: quoteDecisions.id });
    // Another worker was faster: what it kept and mailed stays the same bytes.
    if (named.length === 0) return;
    // While the row is held: only what no row names yet is ever overwritten.
    await services.files.write(file, pdf);
    const signer = await findSigner(transaction, decision.personId);
    if (!signer) return;
    await queueMail(services, transaction, {
      eventKey: `acceptance:${decision.id}`,
      to: signer.email,
      content: {
        template: "acceptance",
        name: decision.name,
        quoteNumber: quoteNumber(quote.serial),
        totalPaise: paiseFrom(tax.total),
        ...(quote.term && { term: termOf(quote.term) }),
        link: `${services.publicUrl}/user/myquote`,
      },
      attachments: [{ file, shownAs: acceptanceShownAs(quote) }],
      // Made again years later it must not be mailed again: what was sent is forgotten by then.
      uselessAfter: quote.validUntil,
    });
  });
}

/** Who accepted, with the address that they have by now; nobody where they are erased or may not enter any more. */
async function findSigner(transaction: Transaction, personId: string) {
  const [signer] = await transaction
    .select({ email: people.email })
    .from(people)
    .innerJoin(organisations, eq(organisations.id, people.organisationId))
    .where(and(eq(people.id, personId), isThere));
  return signer;
}

/** Both as a person reads it on paper and as `npm run verify` does. */
function acceptanceOf(decision: typeof quoteDecisions.$inferSelect, number: string) {
  return {
    at: paperTime(decision.decidedAt),
    evidence: {
      quote: number,
      revision: decision.revision,
      name: decision.name,
      designation: decision.designation,
      email: decision.email,
      acceptedAt: decision.decidedAt.toISOString(),
      address: decision.address,
      browser: decision.userAgent,
      proposalSha256: decision.proposalHash,
      termsSha256: decision.termsHash,
      terms: decision.terms,
    },
  };
}
