import { and, eq, isNull } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { mailBuyer } from "../accounts/mail-buyer.ts";
import type { Transaction } from "../database/database.ts";
import type { creditNotes, invoices, orders, proformas, receipts, refundVouchers } from "../database/schema/index.ts";
import { keepFile } from "../files/keep-file.ts";
import type { NewMail } from "../mail/outbox.ts";
import { documentFile, type DocumentKind } from "../outside/files/document-file.ts";
import type { Services } from "../services.ts";

type Papers = typeof invoices | typeof creditNotes | typeof proformas | typeof receipts | typeof refundVouchers;

/** A document's PDF and the mail that carries it. */
interface KeptPaper {
  kind: DocumentKind;
  pdf: Uint8Array;
  /** The file name shown to the reader. */
  shownAs: string;
  /**
   * A function writes the mail in the transaction that keeps the file, where it depends on the state by then; null
   * mails nobody. The function's locks come before that of the row.
   */
  mail: PaperMail | ((transaction: Transaction) => Promise<PaperMail | null>);
}

/**
 * `uselessAfter` is required: records of sent mails are deleted after a while, and a document made again years later
 * must not be mailed again.
 */
type PaperMail = Omit<NewMail, "to"> & { uselessAfter: Date };

/**
 * Keeps the PDF of a row of `papers` and mails it to the order's buyer. Safe to run again after a crash at any point:
 * one file, one mail, and a slower worker's copy never replaces the bytes that were kept and mailed. The file is stored
 * before the transaction begins, so `mail` may lock the order.
 */
export async function keepAndMail(
  services: Services,
  papers: Papers,
  id: string,
  order: Pick<typeof orders.$inferSelect, "organisationId" | "buyerId">,
  { kind, pdf, shownAs, mail }: KeptPaper,
): Promise<void> {
  const file = documentFile(kind, randomUUID());
  await keepFile(services, file, pdf, async (transaction) => {
    const written = typeof mail === "function" ? await mail(transaction) : mail;
    const isNew = and(eq(papers.id, id), isNull(papers.file));
    const named = await transaction.update(papers).set({ file }).where(isNew).returning({ id: papers.id });
    if (named.length === 0) return false;
    if (written) await mailBuyer(services, transaction, order, { ...written, attachments: [{ file, shownAs }] });
    return true;
  });
}
