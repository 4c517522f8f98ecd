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

/** Integer paise; 2^53 paise, where a number stops being exact, is far beyond any order. */
export const paise = () => bigint({ mode: "number" });

/** Text compared without regard to case. */
export const citext = customType<{ data: string }>({ dataType: () => "citext" });

/** The expression that a search of a partner's list uses (`ofPartner`), written as its indexes have it. */
export const searchedOfPartner = sql`(searched || '') gin_trgm_ops`;

/** A number as people see it, such as O-000123: six digits, more from a million on, which lpad alone would cut. */
export const numbered = (letter: "C" | "I" | "L" | "O" | "Q") =>
  sql.raw(`'${letter}-' || lpad(serial::text, greatest(6, length(serial::text)), '0')`);

/** The roles that answer for their organisation, as literals: a partial index serves only its exact condition. */
export const mainRolesWritten = sql.raw(`(${mainRoles.map((role) => `'${role}'`).join(", ")})`);
