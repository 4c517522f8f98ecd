import { inArray, sql } from "drizzle-orm";
import type { Transaction } from "../database/database.ts";
import { contactLadders, ladderCalls } from "../database/schema/index.ts";

/**
 * Removes erased people from contact ladders, and their names from records of past calls. Returns how many ladders and
 * records were changed.
 */
export async function eraseFromLadders(transaction: Transaction, emails: string[]): Promise<number> {
  const { rowCount: ladders } = await transaction
    .update(contactLadders)
    .set({
      contacts: sql`(select coalesce(jsonb_agg(contact), '[]') from jsonb_array_elements(${contactLadders.contacts}) as contact
        where not (lower(contact->>'email') = any(${`{${emails.map((email) => JSON.stringify(email)).join(",")}}`}::text[])))`,
      version: sql`${contactLadders.version} + 1`,
    })
    .where(
      sql`exists (select from jsonb_array_elements(${contactLadders.contacts}) as contact
        where lower(contact->>'email') = any(${`{${emails.map((email) => JSON.stringify(email)).join(",")}}`}::text[]))`,
    );
  const { rowCount: calls } = await transaction
    .update(ladderCalls)
    .set({ name: "Erased person", phone: "", email: "" })
    .where(inArray(sql`lower(${ladderCalls.email})`, emails));
  return (ladders ?? 0) + (calls ?? 0);
}
