import { writtenDay } from "../../contract/india-time.ts";
import type { Transaction } from "../database/database.ts";
import { type CreditNoteContent, eInvoices, type InvoiceContent } from "../database/schema/index.ts";
import type { Services } from "../services.ts";
import { readSeller } from "../site-texts/site-texts.ts";

interface Issued {
  of: { invoiceId: string } | { creditNoteId: string };
  number: string;
  issuedAt: Date;
  content: Pick<InvoiceContent | CreditNoteContent, "billTo" | "treatment">;
}

/**
 * Records, in the transaction that issues a document, that it must be registered, where the operator's turnover
 * requires it (rule 48(4) of the CGST Rules): for buyers with a GSTIN and exports, not for unregistered buyers. The
 * document waits for it.
 */
export async function oweEInvoice(
  services: Services,
  transaction: Transaction,
  { of, number, issuedAt, content }: Issued,
): Promise<void> {
  const { eInvoices: demanded } = await readSeller(transaction);
  if (!demanded || writtenDay(issuedAt) < demanded.from || !isRegistered(content)) return;
  const now = services.now();
  await transaction.insert(eInvoices).values({ ...of, number, state: "due", dueAt: now, nextAskAt: now });
  await services.jobs.add(transaction, "settle-e-invoices", {});
}

const isRegistered = ({ billTo, treatment }: Issued["content"]) =>
  billTo.gstin !== undefined || treatment?.startsWith("export") === true;
