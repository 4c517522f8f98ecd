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

/** A paper's PDF, and the mail that it goes out with. */
interface KeptPaper {
  kind: DocumentKind;
  pdf: Uint8Array;
  /** What its reader calls the file. */
  shownAs: string;
  /**
   * Or how it is written in the transaction that keeps the file, where it depends on what is so then; null where nobody is mailed.
   * What that locks is locked before the row.
   */
  mail: PaperMail | ((transaction: Transaction) => Promise<PaperMail | null>);
}

/** Made again years later it must not be mailed again: what was sent is forgotten by `uselessAfter`. */
type PaperMail = Omit<NewMail, "to"> & { uselessAfter: Date };

/**
 * Keeps the PDF of a row of `papers`, of an order, and mails it to its buyer. Killed anywhere, it can run again: each comes once, and
 * what was kept and mailed stays the same bytes where a worker that is slower makes another. Nothing waits for the store: the order may
 * be locked here.
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
