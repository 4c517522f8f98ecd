import { type SQL, sql } from "drizzle-orm";
import { isOneOf } from "../database/is-one-of.ts";
import { auditEntries, auditValues } from "../database/schema/index.ts";
import type { Owner } from "./data-section.ts";

/**
 * When somebody who had one of these addresses got another: what was sent there until then was theirs. The beginning of
 * time if nobody but the people with these ids had it. An address that its owner did not confirm was never theirs.
 */
export const addressSince = (emails: readonly string[], own: readonly string[]): SQL =>
  sql`coalesce((select max(${auditEntries.at}) from ${auditValues}
    join ${auditEntries} on ${auditEntries.id} = ${auditValues.entryId}
      and ${auditEntries.action} = 'correct email' and ${auditEntries.actorId} = ${auditValues.aboutId}
    where lower(${auditValues.values}->'before'->>'email') = any(${sql.param(emails)}::text[])
      and not ${isOneOf(auditValues.aboutId, own)}), '-infinity')`;

/** The same for the person whose data are copied. */
export const sinceTheirs = ({ email, people }: Owner): SQL => addressSince([email], people);
