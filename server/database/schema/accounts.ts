import { isNotNull, isNull, sql } from "drizzle-orm";
import {
  type AnyPgColumn,
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { BuyerKind, Undertaking } from "../../../contract/billing.ts";
import type { Role } from "../../../contract/roles.ts";
import { citext, createdAt, id, instant, mainRolesWritten, searchedOfPartner } from "./columns.ts";

/** A customer, a partner or the provider itself. A customer may belong to one partner. */
export const organisations = pgTable(
  "organisations",
  {
    id: id(),
    kind: text().$type<"customer" | "partner" | "provider">().notNull(),
    name: text().notNull(),
    partnerId: uuid().references((): AnyPgColumn => organisations.id),
    gstin: text(),
    billingAddress: text(),
    /** GST state code, two digits. */
    billingState: text(),
    /** Its kind for GST; null until somebody has entered its billing details (`contract/billing.ts`). */
    billingKind: text().$type<BuyerKind>(),
    legalName: text(),
    pinCode: text(),
    /** ISO 3166, two letters. */
    billingCountry: text(),
    pan: text(),
    purchaseOrder: text(),
    undertaking: jsonb().$type<Undertaking>(),
    /** The IANA time zone in which its days begin and its office hours count. */
    timeZone: text().notNull().default("Asia/Kolkata"),
    /** While this is set, none of its people can sign in. */
    suspendedAt: instant(),
    /** Counts changes, so that the later of two concurrent edits is refused. */
    version: integer().notNull().default(1),
    createdAt: createdAt(),
  },
  (table) => [
    index().on(table.partnerId),
    index().on(table.kind, table.id),
    index("organisations_gstin").on(table.gstin).where(isNotNull(table.gstin)),
  ],
);

export const people = pgTable(
  "people",
  {
    id: id(),
    organisationId: uuid()
      .notNull()
      .references(() => organisations.id),
    role: text().$type<Role>().notNull(),
    firstName: text().notNull(),
    lastName: text().notNull(),
    /** Only one person can have joined with an e-mail, but any number of organisations may have invited it. */
    email: citext().notNull(),
    /** E.164. */
    phone: text().notNull(),
    /** argon2id in PHC form. */
    passwordHash: text(),
    /** When they registered or accepted their invitation; until then the row is an invitation and not an account. */
    joinedAt: instant(),
    /** Whether they registered their organisation themselves; false for anybody who was added to one. */
    registered: boolean().notNull().default(false),
    invitedBy: uuid().references((): AnyPgColumn => people.id, { onDelete: "set null" }),
    /** Until when the invitation can be accepted; the time of its end if it ended early. */
    invitedUntil: instant(),
    /** Set by the first sign-in: until then nobody has proved that the address is theirs. */
    emailVerifiedAt: instant(),
    suspendedAt: instant(),
    /** When their data was erased on request; the row stays because orders refer to it. */
    erasedAt: instant(),
    version: integer().notNull().default(1),
    createdAt: createdAt(),
    /**
     * Copies that triggers maintain (see the migration `portals`), so that an index of one table can sort and search
     * long lists: the organisation's name, its partner and the partner's name (empty without a partner).
     */
    organisationName: text().notNull().default(""),
    partnerId: uuid(),
    partnerName: text().notNull().default(""),
    /** Another copy: whether the organisation's dashboards are activated. */
    hasDashboards: boolean().notNull().default(false),
    searched: text()
      .notNull()
      .generatedAlwaysAs(
        sql`lower(first_name || ' ' || last_name || ' ' || email::text || ' ' || phone || ' ' || organisation_name || ' ' || partner_name)`,
      ),
  },
  (table) => [
    uniqueIndex("people_joined_email")
      .on(table.email)
      .where(sql`joined_at is not null`),
    uniqueIndex("people_email_once_each").on(table.organisationId, table.email),
    index("people_email").on(table.email),
    index("people_invited_by").on(table.invitedBy),
    index("people_parents")
      .on(table.organisationId)
      .where(sql`role in ${mainRolesWritten}`),
    index().on(table.organisationId, table.id),
    index().on(table.partnerId, table.role, table.id),
    index("people_searched").using("gin", table.searched.op("gin_trgm_ops")),
    index("customers_of_partner_searched")
      .using("gin", table.partnerId, searchedOfPartner)
      .where(sql`role = 'user' and partner_id is not null`),
    index("people_by_id").on(table.role, table.id),
    index("people_by_created_at").on(table.role, table.createdAt, table.id),
    index("people_by_name").on(table.role, sql`lower(first_name || ' ' || last_name)`, table.id),
    index("people_by_email").on(table.role, sql`(email::text)`, table.id),
    index("people_by_phone").on(table.role, table.phone, table.id),
    index("people_by_organisation").on(table.role, sql`lower(organisation_name)`, table.id),
    index("people_by_partner").on(table.role, sql`lower(partner_name)`, table.id),
    index("people_without_dashboards")
      .on(table.id)
      .where(sql`role = 'user' and not has_dashboards`),
    // The same sorts for partners, who list their customers.
    index("customers_of_partner_by_created_at")
      .on(table.partnerId, table.createdAt, table.id)
      .where(sql`role = 'user'`),
    index("customers_of_partner_by_name")
      .on(table.partnerId, sql`lower(first_name || ' ' || last_name)`, table.id)
      .where(sql`role = 'user'`),
    index("customers_of_partner_by_email")
      .on(table.partnerId, sql`(email::text)`, table.id)
      .where(sql`role = 'user'`),
    index("customers_of_partner_by_phone")
      .on(table.partnerId, table.phone, table.id)
      .where(sql`role = 'user'`),
    index("customers_of_partner_by_organisation")
      .on(table.partnerId, sql`lower(organisation_name)`, table.id)
      .where(sql`role = 'user'`),
    index("customers_of_partner_by_partner")
      .on(table.partnerId, sql`lower(partner_name)`, table.id)
      .where(sql`role = 'user'`),
    index("people_invited").on(table.createdAt, table.id).where(isNull(table.joinedAt)),
    index("people_unproved").on(table.createdAt).where(isNull(table.emailVerifiedAt)),
  ],
);

export const sessions = pgTable(
  "sessions",
  {
    id: id(),
    personId: uuid()
      .notNull()
      .references(() => people.id, { onDelete: "cascade" }),
    createdAt: createdAt(),
    expiresAt: instant().notNull(),
    revokedAt: instant(),
    userAgent: text().notNull().default(""),
    address: text().notNull().default(""),
  },
  (table) => [index().on(table.personId), index().on(table.expiresAt)],
);

/** The one code a person may sign in with; a new code replaces the old one. */
export const signInCodes = pgTable("sign_in_codes", {
  personId: uuid()
    .primaryKey()
    .references(() => people.id, { onDelete: "cascade" }),
  /** HMAC-SHA256 of the code under TOKEN_SECRET. */
  codeHash: text().notNull(),
  /** The `jti` of the public token that asked for the code. */
  publicTokenId: text(),
  expiresAt: instant().notNull(),
  /** Wrong tries with the token that asked for the code, and with any other token: separate budgets (decision 17). */
  wrongTries: integer().notNull().default(0),
  wrongTriesElsewhere: integer().notNull().default(0),
  usedAt: instant(),
  /** The same counts over all codes of a day, which begins with its first code. */
  dayBeganAt: createdAt(),
  codesOfDay: integer().notNull().default(0),
  wrongTriesOfDay: integer().notNull().default(0),
  wrongTriesElsewhereOfDay: integer().notNull().default(0),
});

/** Mailed single-use links: invitations and password resets. Only a hash of the secret is kept. */
export const singleUseLinks = pgTable(
  "single_use_links",
  {
    id: id(),
    personId: uuid()
      .notNull()
      .references(() => people.id, { onDelete: "cascade" }),
    purpose: text().$type<"invite" | "reset">().notNull(),
    secretHash: text().notNull().unique(),
    expiresAt: instant().notNull(),
    usedAt: instant(),
    createdAt: createdAt(),
  },
  (table) => [index().on(table.personId, table.purpose)],
);

/** Hashes of links that were withdrawn, so that whoever opens such a link is told so. */
export const withdrawnLinks = pgTable(
  "withdrawn_links",
  { secretHash: text().primaryKey(), withdrawnAt: instant().notNull() },
  (table) => [index().on(table.withdrawnAt)],
);

/** A person's new address, valid once its owner confirms it by the mailed link; one at a time per person. */
export const emailCorrections = pgTable(
  "email_corrections",
  {
    id: id(),
    personId: uuid()
      .notNull()
      .unique()
      .references(() => people.id, { onDelete: "cascade" }),
    email: citext().notNull(),
    secretHash: text().notNull().unique(),
    expiresAt: instant().notNull(),
    /** The person who asked for the correction. */
    askedBy: uuid().references(() => people.id, { onDelete: "set null" }),
    createdAt: createdAt(),
  },
  (table) => [index().on(table.expiresAt), index().on(table.askedBy)],
);

/** The table of rate-limiter-flexible; unlogged. */
export const rateLimits = pgTable("rate_limits", {
  key: text().primaryKey(),
  points: integer().notNull().default(0),
  /** Milliseconds since 1970. */
  expire: bigint({ mode: "number" }),
});

/** Names of the demo seedings that are done, so that each runs once. */
export const seedings = pgTable("seedings", { name: text().primaryKey(), at: createdAt() });
