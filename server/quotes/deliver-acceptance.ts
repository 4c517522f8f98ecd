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
import { sha256Of } from "../protection/sha256-of.ts";
import type { Services } from "../services.ts";
import { readProposal, termOf } from "./deliver-proposal.ts";

/**
 * Renders an accepted proposal with its evidence and the proposal itself attached, stores it and mails it to the person
 * who accepted. An accepted quote is never revised. Safe to run again after being killed at any point: it stores one
 * file and sends one mail.
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
  if (sha256Of(proposal) !== decision.proposalHash)
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
    // Another worker was faster: the bytes that it stored and mailed stay as they are.
    if (named.length === 0) return;
    // While the row is locked, so that only a file that no row names yet is ever overwritten.
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
      // If it is rendered again years later, it must not be mailed again: by then the record of sent mails is gone.
      uselessAfter: quote.validUntil,
    });
  });
}

/** The person who accepted, with their current address; undefined if they were erased or have lost access. */
async function findSigner(transaction: Transaction, personId: string) {
  const [signer] = await transaction
    .select({ email: people.email })
    .from(people)
    .innerJoin(organisations, eq(organisations.id, people.organisationId))
    .where(and(eq(people.id, personId), isThere));
  return signer;
}

/** The acceptance as a person reads it on paper, and as `npm run verify` reads it. */
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
