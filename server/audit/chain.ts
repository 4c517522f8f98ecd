import { asc, eq, isNull, sql } from "drizzle-orm";
import { createHash } from "node:crypto";
import type { Database } from "../database/database.ts";
import { auditChain, auditEntries } from "../database/schema/index.ts";

/** The whole content of an entry as one text, independent of any connection setting. */
export const sealedText = sql<string>`jsonb_build_array(id, extract(epoch from at), actor_id, action, subject, detail,
  address, customer_id, partner_id)::text`;

/** The seal of an entry: a hash over its number, the previous seal and its content. */
export const sealOf = (number: number, previousHash: string, text: string): string =>
  createHash("sha256").update(`${number}\n${previousHash}\n${text}`).digest("hex");

const batch = 1000;

/**
 * Appends every committed, unsealed entry to the chain. The sealing process locks the chain's end. Another one leaves
 * the work to it instead of waiting, as it may belong to a copy that hangs; writing entries never waits. Answers how
 * many were sealed.
 */
export async function sealEntries(database: Database): Promise<number> {
  let sealed = 0;
  let found;
  do {
    // oxlint-disable-next-line no-await-in-loop -- each batch depends on the one before
    found = await sealBatch(database);
    sealed += found;
  } while (found === batch);
  return sealed;
}

async function sealBatch(database: Database): Promise<number> {
  return database.transaction(async (transaction) => {
    const [end] = await transaction.select().from(auditChain).for("update", { skipLocked: true });
    if (!end) {
      if ((await transaction.$count(auditChain)) === 0) throw new Error("The end of the audit chain is missing");
      return 0;
    }
    const waiting = await transaction
      .select({ id: auditEntries.id, text: sealedText })
      .from(auditEntries)
      .where(isNull(auditEntries.number))
      .orderBy(asc(auditEntries.id))
      .limit(batch);
    if (waiting.length === 0) return 0;
    let { lastNumber: number, lastHash: hash } = end;
    const seals = waiting.map(({ id, text }) => {
      const previousHash = hash;
      hash = sealOf(++number, previousHash, text);
      return { id, number, previousHash, hash };
    });
    await transaction.execute(sql`update audit_entries
      set number = seal.number, previous_hash = seal."previousHash", hash = seal.hash
      from jsonb_to_recordset(${JSON.stringify(seals)}::jsonb) as seal(id uuid, number bigint, "previousHash" text, hash text)
      where audit_entries.id = seal.id`);
    await transaction
      .update(auditChain)
      .set({ lastNumber: number, lastHash: hash })
      .where(eq(auditChain.onlyOne, true));
    return seals.length;
  });
}
