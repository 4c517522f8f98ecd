import { and, eq } from "drizzle-orm";
import { paiseFrom } from "../../contract/money.ts";
import { openTaxFor } from "../billing/bill-to.ts";
import { organisations, type QuoteTerm, quotes } from "../database/schema/index.ts";
import { proposalShownAs } from "../files/shown-as.ts";
import { queueMail } from "../mail/outbox.ts";
import type { Services } from "../services.ts";
import { readSeller } from "../site-texts/site-texts.ts";
import { proposalData } from "./proposal.ts";
import { quoteNumber } from "../../contract/numbers.ts";

/** The first one keeps the name that it had before there were others. */
export const proposalFile = (quoteId: string, revision: number) =>
  `proposal-${quoteId}${revision > 1 ? `-${revision}` : ""}.pdf`;

/** Renders a quote's proposal, keeps it and mails it. Killed anywhere, it can run again: file and mail come once. */
export async function deliverProposal(services: Services, quoteId: string): Promise<void> {
  const [found] = await services.database
    .select({ quote: quotes, partner: organisations.name })
    .from(quotes)
    .leftJoin(organisations, eq(organisations.id, quotes.partnerId))
    .where(eq(quotes.id, quoteId));
  if (!found || found.quote.proposalFile) return;
  const { quote, partner } = found;
  const { revision } = quote;
  const later = revision > 1;
  const file = proposalFile(quote.id, revision);
  const { data, tax } = await readProposal(services, quote, partner);
  await services.files.write(file, await services.documents.render("proposal", data));
  await services.database.transaction(async (transaction) => {
    const [current] = await transaction
      .update(quotes)
      .set({ proposalFile: file })
      .where(and(eq(quotes.id, quoteId), eq(quotes.revision, revision)))
      .returning({ id: quotes.id });
    // A new revision has come meanwhile, with a job of its own.
    if (!current) return;
    await queueMail(services, transaction, {
      eventKey: `proposal:${quote.id}${later ? `:${revision}` : ""}`,
      to: quote.userEmail,
      content: {
        template: "proposal",
        organizationName: quote.organizationName,
        quoteNumber: quoteNumber(quote.serial),
        totalPaise: paiseFrom(tax.total),
        taxed: tax.taxes.length > 0,
        validUntil: quote.validUntil.toISOString(),
        ...(partner !== null && { partner }),
        ...(quote.ratesToConfirm && { rates: "toConfirm" as const }),
        ...(quote.ratesConfirmedAt && { rates: "confirmed" as const }),
        ...(quote.term && { term: termOf(quote.term) }),
        ...(quote.madeBy && !quote.partnerId && { fromUs: "made" as const }),
        ...(quote.revisedAt && !quote.ratesConfirmedAt && { fromUs: "revised" as const }),
        link: `${services.publicUrl}/user/myquote`,
      },
      attachments: [{ file, shownAs: proposalShownAs(quote) }],
      // Made again years later it must not be mailed again: what was sent is forgotten by then.
      uselessAfter: quote.validUntil,
    });
  });
}

/** What mails say of it. */
export const termOf = ({ kind, contractNumber, from, to }: QuoteTerm) => ({ kind, contractNumber, from, to });

/** What a quote's proposal says, and its taxes as they are now. */
export async function readProposal(services: Services, quote: typeof quotes.$inferSelect, partner: string | null) {
  const tax = (await openTaxFor(services, quote.organisationId))(quote);
  const { cin } = await readSeller(services.database);
  return { data: proposalData(quote, { tax, cin, partner }), tax };
}
