import { contractNumber, quoteNumber } from "../../contract/numbers.ts";
import { paiseFrom } from "../../contract/money.ts";
import { findAnswering } from "../accounts/queries.ts";
import { openTaxFor } from "../billing/bill-to.ts";
import type { Transaction } from "../database/database.ts";
import type { quotes } from "../database/schema/index.ts";
import { queueMail } from "../mail/outbox.ts";
import { acceptsByItself } from "../quotes/quotes.ts";
import type { Services } from "../services.ts";
import type { Contract } from "./find-contract.ts";

/** Mails a reminder of the quote for the next year, or that it was accepted by the customer's choice. */
export async function mailRenewal(
  services: Services,
  transaction: Transaction,
  contract: Contract,
  quote: typeof quotes.$inferSelect,
  { about, stage = 0 }: { about: "due" | "accepted"; stage?: number },
): Promise<void> {
  const taxFor = await openTaxFor({ database: transaction, now: services.now }, contract.organisationId);
  // The person the quote is for may have been suspended since it was made.
  const person = await findAnswering(transaction, contract.organisationId, ({ email }) => email === quote.userEmail);
  if (!person) return;
  await queueMail(services, transaction, {
    eventKey: `renewal-${about}:${contract.id}:${stage}`,
    to: person.email,
    content: {
      template: "renewal",
      about,
      name: `${person.firstName} ${person.lastName}`,
      contractNumber: contractNumber(contract.serial),
      quoteNumber: quoteNumber(quote.serial),
      endsOn: contract.endsOn,
      ...(about === "due" && acceptsByItself(services, contract)),
      validUntil: quote.validUntil.toISOString(),
      totalPaise: paiseFrom(taxFor(quote).total),
      link: `${services.publicUrl}/user/contract?contract=${contractNumber(contract.serial)}`,
    },
    uselessAfter: quote.validUntil,
  });
}
