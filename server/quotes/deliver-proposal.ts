import { eq } from "drizzle-orm";
import type { TaxShown } from "../../contract/billing.ts";
import { paiseFrom } from "../../contract/money.ts";
import { openTaxFor } from "../billing/bill-to.ts";
import type { Transaction } from "../database/database.ts";
import { contracts, organisations, type QuoteTerm, quotes } from "../database/schema/index.ts";
import { proposalShownAs } from "../files/shown-as.ts";
import { queueMail } from "../mail/outbox.ts";
import type { Services } from "../services.ts";
import { readSeller } from "../site-texts/site-texts.ts";
import { proposalData } from "./proposal.ts";
import { acceptsByItself } from "./quotes.ts";
import { quoteNumber } from "../../contract/numbers.ts";

/** The first revision keeps the file name from before there were revisions. */
export const proposalFile = (quoteId: string, revision: number) =>
  `proposal-${quoteId}${revision > 1 ? `-${revision}` : ""}.pdf`;

type Quote = typeof quotes.$inferSelect;

/**
 * Renders a quote's proposal, stores it and mails it. Safe to run again after being killed at any point: it stores one
 * file and sends one mail. If the quote was passed on or corrected meanwhile, it is rendered again.
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
    // Erased, done by another worker, or revised: a new revision has a job of its own.
    if (!current || current.proposalFile || current.revision !== quote.revision) return false;
    if (contactKeys.some((key) => current[key] !== quote[key])) return true;
    const file = proposalFile(quoteId, quote.revision);
    // Under the lock: from here on an erasure removes the file, and no other worker's file is overwritten.
    await services.files.write(file, pdf);
    await transaction.update(quotes).set({ proposalFile: file }).where(eq(quotes.id, quoteId));
    await mailProposal(services, transaction, { quote: current, partner, tax, file });
    return false;
  });
  if (isOutdated) await deliverProposal(services, quoteId);
}

/** The columns of a quote that an erasure or a corrected address changes. */
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
      ...(await choiceOfRenewal(services, transaction, quote)),
      ...(quote.madeBy && !quote.partnerId && { fromUs: "made" as const }),
      ...(quote.revisedAt && !quote.ratesConfirmedAt && { fromUs: "revised" as const }),
      link: `${services.publicUrl}/user/myquote?search=${quoteNumber(quote.serial)}`,
    },
    attachments: [{ file, shownAs: proposalShownAs(quote) }],
    // If it is rendered again years later, it must not be mailed again: by then the record of sent mails is gone.
    uselessAfter: quote.validUntil,
  });
}

/** Of the renewal of a contract, the day on which it is accepted by itself. */
async function choiceOfRenewal(
  services: Services,
  transaction: Transaction,
  { contractId, term, decision }: Quote,
): Promise<ReturnType<typeof acceptsByItself>> {
  if (contractId === null || term?.kind !== "renew" || decision !== null) return {};
  const [contract] = await transaction.select().from(contracts).where(eq(contracts.id, contractId));
  return contract ? acceptsByItself(services, contract) : {};
}

/** The part of a term that mails mention. */
export const termOf = ({ kind, contractNumber, from, to }: QuoteTerm) => ({ kind, contractNumber, from, to });

/** The data of a quote's proposal, and its taxes as they are now. */
export async function readProposal(services: Services, quote: Quote, partner: string | null) {
  const tax = (await openTaxFor(services, quote.organisationId))(quote);
  const { cin } = await readSeller(services.database);
  return { data: proposalData(quote, { tax, cin, partner }), tax };
}
