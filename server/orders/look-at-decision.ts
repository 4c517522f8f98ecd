import { eq } from "drizzle-orm";
import { quoteNumber } from "../../contract/numbers.ts";
import type { Transaction } from "../database/database.ts";
import { type orders, quotes } from "../database/schema/index.ts";
import { noteFindings } from "./findings.ts";

/** The gateway's form, or a proforma, can still be paid after its quote was declined: a person has to ask. */
export async function lookAtDecision(transaction: Transaction, order: typeof orders.$inferSelect): Promise<void> {
  const [quote] = await transaction.select().from(quotes).where(eq(quotes.id, order.quoteId));
  if (quote?.decision !== "declined") return;
  const number = quoteNumber(quote.serial);
  const says = `${order.organisationName} declined ${number} and has paid for it all the same: please ask whether it is wanted, or give the money back.`;
  await noteFindings(transaction, [{ kind: "declined quote paid", key: number, says, order }]);
}
