import { sql } from "drizzle-orm";
import { bigint, customType, timestamp, uuid } from "drizzle-orm/pg-core";
import { mainRoles } from "../../../contract/roles.ts";

/** An unguessable, time-ordered id (UUIDv7) made by PostgreSQL 18. */
export const id = () =>
  uuid()
    .primaryKey()
    .default(sql`uuidv7()`);

export const instant = () => timestamp({ withTimezone: true, mode: "date" });

export const createdAt = () => instant().notNull().defaultNow();

/** Integer paise; 2^53 paise is far beyond any order. */
export const paise = () => bigint({ mode: "number" });

/** Text compared without case. */
export const citext = customType<{ data: string }>({ dataType: () => "citext" });

/** What a search of a partner's list looks through (`ofPartner`), as its indexes have it. */
export const searchedOfPartner = sql`(searched || '') gin_trgm_ops`;

/** A number as people call it, O-000123: six digits, more from the millionth on, which lpad alone would cut. */
export const numbered = (letter: "C" | "I" | "L" | "O" | "Q") =>
  sql.raw(`'${letter}-' || lpad(serial::text, greatest(6, length(serial::text)), '0')`);

/** The roles that answer for their organisation, written out: PostgreSQL uses a partial index for its very condition only. */
export const mainRolesWritten = sql.raw(`(${mainRoles.map((role) => `'${role}'`).join(", ")})`);
