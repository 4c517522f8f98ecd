import { and, eq, isNull } from "drizzle-orm";
import { findBuyer } from "../accounts/queries.ts";
import type { Transaction } from "../database/database.ts";
import type { creditNotes, invoices, orders, proformas, receipts, refundVouchers } from "../database/schema/index.ts";
import { type NewMail, queueMail } from "../mail/outbox.ts";
import type { Services } from "../services.ts";

type Papers = typeof invoices | typeof creditNotes | typeof proformas | typeof receipts | typeof refundVouchers;

/** A paper's PDF, and the mail that it goes out with. */
interface KeptPaper {
  /** Under which name the store has it. */
  file: string;
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

/** Keeps the PDF of a row of `papers`, of an order, and mails it to its buyer. Killed anywhere, it can run again: each comes once. */
export async function keepAndMail(
  services: Services,
  papers: Papers,
  id: string,
  order: Pick<typeof orders.$inferSelect, "organisationId" | "buyerId">,
  { file, pdf, shownAs, mail }: KeptPaper,
): Promise<void> {
  await services.database.transaction(async (transaction) => {
    const written = typeof mail === "function" ? await mail(transaction) : mail;
    const named = await transaction
      .update(papers)
      .set({ file })
      .where(and(eq(papers.id, id), isNull(papers.file)))
      .returning({ id: papers.id });
    // Another worker was faster: what it kept and mailed stays the same bytes.
    if (named.length === 0) return;
    // While the row is held: only what no row names yet is ever overwritten.
    await services.files.write(file, pdf);
    const buyer = written && (await findBuyer(transaction, order));
    if (buyer)
      await queueMail(services, transaction, { ...written, to: buyer.email, attachments: [{ file, shownAs }] });
  });
}
