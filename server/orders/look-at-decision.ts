import { eq } from "drizzle-orm";
import { quoteNumber } from "../../contract/numbers.ts";
import type { Transaction } from "../database/database.ts";
import { type orders, quotes } from "../database/schema/index.ts";
import { noteFindings } from "./findings.ts";

/**
 * A gateway's form that is open when the quote is declined can still be paid, and so can a proforma: a person should
 * ask.
 */
export async function lookAtDecision(transaction: Transaction, order: typeof orders.$inferSelect): Promise<void> {
  const [quote] = await transaction.select().from(quotes).where(eq(quotes.id, order.quoteId));
  if (quote?.decision !== "declined") return;
  const number = quoteNumber(quote.serial);
  const says = `${order.organisationName} declined ${number} and has paid for it all the same: please ask whether it is wanted, or give the money back.`;
  await noteFindings(transaction, [{ kind: "declined quote paid", key: number, says, order }]);
}
