import { eq } from "drizzle-orm";
import type { TaxShown } from "../../contract/billing.ts";
import { paiseFrom } from "../../contract/money.ts";
import { openTaxFor } from "../billing/bill-to.ts";
import type { Transaction } from "../database/database.ts";
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

type Quote = typeof quotes.$inferSelect;

/**
 * Renders a quote's proposal, keeps it and mails it. Killed anywhere, it can run again: file and mail come once. What was
 * passed on or corrected while it was rendered is rendered anew.
 */
export async function deliverProposal(services: Services, quoteId: string): Promise<void> {
  const [found] = await services.database
    .select({ quote: quotes, partner: organisations.name })
    .from(quotes)
    .leftJoin(organisations, eq(organisations.id, quotes.partnerId))
    .where(eq(quotes.id, quoteId));
  if (!found || found.quote.proposalFile) return;
  const { quote, partner } = found;
  const { data, tax } = await readProposal(services, quote, partner);
  const pdf = await services.documents.render("proposal", data);
  const isOutdated = await services.database.transaction(async (transaction) => {
    const [current] = await transaction.select().from(quotes).where(eq(quotes.id, quoteId)).for("no key update");
    // Erased; or another worker was faster; or a new revision has come, with a job of its own.
    if (!current || current.proposalFile || current.revision !== quote.revision) return false;
    if (contactKeys.some((key) => current[key] !== quote[key])) return true;
    const file = proposalFile(quoteId, quote.revision);
    // Under the lock: an erasure removes it from here on, and nobody else's is overwritten.
    await services.files.write(file, pdf);
    await transaction.update(quotes).set({ proposalFile: file }).where(eq(quotes.id, quoteId));
    await mailProposal(services, transaction, { quote: current, partner, tax, file });
    return false;
  });
  if (isOutdated) await deliverProposal(services, quoteId);
}

/** What an erasure and a corrected address change of a quote. */
const contactKeys = ["userName", "userEmail", "phoneNumber", "message"] as const;

async function mailProposal(
  services: Services,
  transaction: Transaction,
  { quote, partner, tax, file }: { quote: Quote; partner: string | null; tax: TaxShown; file: string },
): Promise<void> {
  await queueMail(services, transaction, {
    eventKey: `proposal:${quote.id}${quote.revision > 1 ? `:${quote.revision}` : ""}`,
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
      link: `${services.publicUrl}/user/myquote?search=${quoteNumber(quote.serial)}`,
    },
    attachments: [{ file, shownAs: proposalShownAs(quote) }],
    // Made again years later it must not be mailed again: what was sent is forgotten by then.
    uselessAfter: quote.validUntil,
  });
}

/** What mails say of it. */
export const termOf = ({ kind, contractNumber, from, to }: QuoteTerm) => ({ kind, contractNumber, from, to });

/** What a quote's proposal says, and its taxes as they are now. */
export async function readProposal(services: Services, quote: Quote, partner: string | null) {
  const tax = (await openTaxFor(services, quote.organisationId))(quote);
  const { cin } = await readSeller(services.database);
  return { data: proposalData(quote, { tax, cin, partner }), tax };
}
