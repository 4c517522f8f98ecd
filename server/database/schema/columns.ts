import { sql } from "drizzle-orm";
import { bigint, customType, timestamp, uuid } from "drizzle-orm/pg-core";

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
