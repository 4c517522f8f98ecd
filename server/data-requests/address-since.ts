import { type SQL, sql } from "drizzle-orm";
import { isOneOf } from "../database/is-one-of.ts";
import { auditEntries, auditValues } from "../database/schema/index.ts";

/** In the values of an entry “correct email”: the address that was corrected. */
export const formerAddress = sql<string>`lower(${auditValues.values}->'before'->>'email')`;

/**
 * When somebody who had this address got another: what was sent there until then was theirs. The beginning of time if
 * nobody but the people with these ids had it. An address that its owner did not confirm was never theirs.
 */
export const addressSince = (email: string, own: readonly string[]): SQL =>
  sql`coalesce((select max(${auditEntries.at}) from ${auditValues}
    join ${auditEntries} on ${auditEntries.id} = ${auditValues.entryId}
      and ${auditEntries.action} = 'correct email' and ${auditEntries.actorId} = ${auditValues.aboutId}
    where ${formerAddress} = ${email} and not ${isOneOf(auditValues.aboutId, own)}), '-infinity')`;
