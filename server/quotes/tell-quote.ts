import { eq } from "drizzle-orm";
import { quoteNumber } from "../../contract/numbers.ts";
import { isOfYear } from "../../contract/proration.ts";
import type { Transaction } from "../database/database.ts";
import { quotes } from "../database/schema/index.ts";
import { notify } from "../notices/notify.ts";

/** Tells a customer that somebody else has made a quote for it; of one that is a visitor's nobody is told. */
export const tellQuoteMade = (transaction: Transaction, quoteId: string, madeBy: string | null) =>
  tell(transaction, "quote made", quoteId, madeBy);

/** Tells a customer that a quote of its own says something else now. */
export const tellQuoteRevised = (transaction: Transaction, quoteId: string, revisedBy: string) =>
  tell(transaction, "quote revised", quoteId, revisedBy);

async function tell(
  transaction: Transaction,
  kind: "quote made" | "quote revised",
  quoteId: string,
  except: string | null,
) {
  const [quote] = await transaction
    .select({
      serial: quotes.serial,
      organisationId: quotes.organisationId,
      totalPaise: quotes.totalPaise,
      revision: quotes.revision,
      term: quotes.term,
    })
    .from(quotes)
    .where(eq(quotes.id, quoteId));
  if (!quote) return;
  const { serial, organisationId, totalPaise, revision, term } = quote;
  const facts = {
    quoteNumber: quoteNumber(serial),
    totalPaise,
    ...(term && !isOfYear(term) && { contractEndsOn: term.to }),
  };
  await notify(transaction, kind, `${quoteId}:${revision}`, facts, { organisationId, except });
}
