import { eq } from "drizzle-orm";
import { writtenDay } from "../../contract/india-time.ts";
import type { Transaction } from "../database/database.ts";
import { invoices, type orders } from "../database/schema/index.ts";
import { paperDay } from "../outside/documents/paper.ts";
import { readSeller } from "../site-texts/site-texts.ts";
import { noteFindings } from "./findings.ts";

/** An invoice's tax was frozen when it was ordered; a letter of undertaking that it cites may have expired since. */
export async function lookAtLetter(transaction: Transaction, order: typeof orders.$inferSelect): Promise<void> {
  const [invoice] = await transaction.select().from(invoices).where(eq(invoices.orderId, order.id));
  if (!invoice) return;
  const { billTo, treatment, sentences = [] } = invoice.content;
  if (treatment !== "export under undertaking" && treatment !== "SEZ under undertaking") return;
  const { undertaking } = await readSeller(transaction);
  const day = writtenDay(invoice.issuedAt);
  const isCited = undertaking !== null && sentences.some((sentence) => sentence.includes(undertaking.number));
  const isBuyersOver = treatment === "SEZ under undertaking" && day > (billTo.undertaking?.validTo ?? day);
  if (isCited && undertaking.validFrom <= day && day <= undertaking.validTo && !isBuyersOver) return;
  const says = `Invoice ${invoice.number} of ${paperDay(day)} is without tax, and a letter of undertaking that it cites does not hold on that day: please ask your accountant.`;
  await noteFindings(transaction, [{ kind: "letter ended", key: invoice.number, says, order }]);
}
