import { type SQL, sql } from "drizzle-orm";
import { rupees } from "../../contract/money.ts";
import type { CreditNote } from "../../contract/orders.ts";

/**
 * A column for lists of orders: the credit notes of each order's invoice as JSON, computed only for the rows of the
 * page.
 */
export const creditNotesOfOrder: SQL<CreditNoteRow[]> =
  sql`(select coalesce(json_agg(notes order by notes.id desc), '[]') from (
    select credit_notes.id, credit_notes.number, credit_notes.amount_paise, credit_notes.content->>'reason' as reason,
      credit_notes.issued_at, credit_notes.file
    from credit_notes join invoices as credited on credited.id = credit_notes.invoice_id
    where credited.order_id = orders.id
  ) as notes)`;

/** As PostgreSQL writes it into JSON: timestamps with their offset from UTC. */
export interface CreditNoteRow {
  number: string;
  amount_paise: number;
  reason: string;
  issued_at: string;
  file: string | null;
}

export const presentCreditNote = ({ number, amount_paise, reason, issued_at, file }: CreditNoteRow): CreditNote => ({
  number,
  amount: rupees(amount_paise),
  reason,
  issued_at: new Date(issued_at).toISOString(),
  pdf_url: file,
});
