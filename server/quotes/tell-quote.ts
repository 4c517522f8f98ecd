import { eq } from "drizzle-orm";
import { paiseFrom } from "../../contract/money.ts";
import { quoteNumber } from "../../contract/numbers.ts";
import { isOfYear } from "../../contract/proration.ts";
import { openTaxFor } from "../billing/bill-to.ts";
import type { Transaction } from "../database/database.ts";
import { quotes } from "../database/schema/index.ts";
import { notify } from "../notices/notify.ts";
import type { Services } from "../services.ts";

/** Notifies a customer that somebody else made a quote for it. A visitor's quote has nobody to notify. */
export const tellQuoteMade = (services: Services, transaction: Transaction, quoteId: string, madeBy: string | null) =>
  tell(services, transaction, "quote made", quoteId, madeBy);

/** Notifies a customer that its quote was revised. */
export const tellQuoteRevised = (services: Services, transaction: Transaction, quoteId: string, revisedBy: string) =>
  tell(services, transaction, "quote revised", quoteId, revisedBy);

async function tell(
  { now }: Services,
  transaction: Transaction,
  kind: "quote made" | "quote revised",
  quoteId: string,
  except: string | null,
) {
  const [quote] = await transaction.select().from(quotes).where(eq(quotes.id, quoteId));
  if (!quote) return;
  const { serial, organisationId, revision, term } = quote;
  const taxFor = await openTaxFor({ database: transaction, now }, organisationId);
  const { total, taxes } = taxFor(quote);
  const facts = {
    quoteNumber: quoteNumber(serial),
    totalPaise: paiseFrom(total),
    isTaxed: taxes.length > 0,
    ...(term && !isOfYear(term) && { contractEndsOn: term.to }),
  };
  await notify(transaction, kind, `${quoteId}:${revision}`, facts, { organisationId, except });
}
