import { eq } from "drizzle-orm";
import { brand } from "../../contract/brand.ts";
import { quotes } from "../database/schema/index.ts";
import { queueMail } from "../outside/mail/outbox.ts";
import type { Services } from "../services.ts";
import { proposalData } from "./proposal.ts";
import { quoteNumber } from "./quotes.ts";

/** Renders a quote's proposal, keeps it and mails it. Killed anywhere, it can run again: file and mail come once. */
export async function deliverProposal(services: Services, quoteId: string): Promise<void> {
  const quote = await services.database.query.quotes.findFirst({ where: eq(quotes.id, quoteId) });
  if (!quote || quote.proposalFile) return;
  const file = `proposal-${quote.id}.pdf`;
  await services.files.write(file, await services.documents.render("proposal", proposalData(quote)));
  const number = quoteNumber(quote.serial);
  await services.database.transaction(async (transaction) => {
    await transaction.update(quotes).set({ proposalFile: file }).where(eq(quotes.id, quoteId));
    await queueMail(services, transaction, {
      eventKey: `proposal:${quote.id}`,
      to: quote.userEmail,
      content: {
        template: "proposal",
        name: quote.userName,
        organizationName: quote.organizationName,
        quoteNumber: number,
        totalPaise: quote.totalPaise,
        validUntil: quote.validUntil.toISOString(),
        link: `${services.publicUrl}/user/myquote`,
      },
      attachments: [{ file, shownAs: `${brand.name}-proposal-${number}.pdf` }],
      // Made again years later it must not be mailed again: what was sent is forgotten by then.
      uselessAfter: quote.validUntil,
    });
  });
}

export async function workQuotes(services: Services): Promise<void> {
  await services.jobs.work("render-proposal", ({ quoteId }) => deliverProposal(services, quoteId), 2);
}
