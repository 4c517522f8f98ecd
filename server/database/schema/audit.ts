import { isNotNull, isNull, sql } from "drizzle-orm";
import { bigint, boolean, check, index, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { createdAt, id } from "./columns.ts";

/**
 * Who did what to what, written in the transaction of the change. A trigger refuses any change of a row except sealing
 * it once, and any deletion before its time (decision 37).
 */
export const auditEntries = pgTable(
  "audit_entries",
  {
    id: id(),
    at: createdAt(),
    /** Null for the software itself and for visitors. */
    actorId: uuid(),
    action: text().notNull(),
    subject: text().notNull(),
    detail: jsonb()
      .$type<Record<string, unknown>>()
      .notNull()
      .default(sql`'{}'`),
    /** The network address of the request; empty for what the software does by itself. */
    address: text().notNull().default(""),
    /** The customer and the partner concerned: the subject belongs to them, or their person acted. */
    customerId: uuid(),
    partnerId: uuid(),
    /** The place in the chain, and SHA-256 in hexadecimal; null until the row is sealed. */
    number: bigint({ mode: "number" }).unique(),
    previousHash: text(),
    hash: text(),
    searched: text()
      .notNull()
      .generatedAlwaysAs(sql`lower(action || ' ' || subject)`),
  },
  (table) => [
    index("audit_entries_by_at").on(table.at, table.id),
    index("audit_entries_of_customer").on(table.customerId, table.at, table.id),
    index("audit_entries_of_partner").on(table.partnerId, table.at, table.id),
    index("audit_entries_by_actor").on(table.actorId, table.at, table.id),
    index("audit_entries_by_action").on(table.action, table.at, table.id),
    index("audit_entries_of_customer_by_action")
      .on(table.customerId, table.action, table.at, table.id)
      .where(isNotNull(table.customerId)),
    index("audit_entries_of_partner_by_action")
      .on(table.partnerId, table.action, table.at, table.id)
      .where(isNotNull(table.partnerId)),
    index("audit_entries_by_subject").on(table.subject, table.at, table.id),
    index("audit_entries_searched").using("gin", table.searched.op("gin_trgm_ops")),
    index("audit_entries_to_seal").on(table.id).where(isNull(table.number)),
  ],
);

/**
 * What an entry says about a person, or what was typed about them, kept outside the chain: the entry has only its hash,
 * so that the person can be erased and the chain still holds (decision 48).
 */
export const auditValues = pgTable(
  "audit_values",
  {
    entryId: uuid().primaryKey(),
    /** The person, lead or entry of an action queue that the values are about, or the person who typed them. */
    aboutId: uuid("person_id").notNull(),
    /** Random, so that hashing guesses does not reveal what was erased. */
    salt: text().notNull(),
    values: jsonb().$type<Record<string, unknown>>().notNull(),
  },
  (table) => [index("audit_values_person_id_index").on(table.aboutId)],
);

/** The end of the chain of sealed audit entries: one row, locked by whoever seals. */
export const auditChain = pgTable(
  "audit_chain",
  {
    onlyOne: boolean().primaryKey().default(true),
    lastNumber: bigint({ mode: "number" }).notNull().default(0),
    lastHash: text().notNull().default(""),
  },
  () => [check("audit_chain_only_one", sql`only_one`)],
);
