import { sql } from "drizzle-orm";
import { boolean, date, index, integer, jsonb, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import type { ProofKind } from "../../../contract/proofs.ts";
import type { SiteSection, SiteTexts } from "../../../contract/shown-texts.ts";
import { articles } from "./articles.ts";
import { createdAt, id, instant } from "./columns.ts";
import { byPerson } from "./references.ts";

/** Published articles as visitors read them, written when an article is published; `content` is HTML sanitised then. */
export const posts = pgTable(
  "posts",
  {
    id: id(),
    /** The post's address under /blog: lower-case words joined by hyphens. */
    idKey: text().notNull().unique(),
    title: text().notNull(),
    excerpt: text().notNull(),
    headerImg: text().notNull(),
    headerAlt: text().notNull().default(""),
    content: text().notNull(),
    tags: text().array().notNull(),
    updatedBy: text().notNull(),
    readingMinutes: integer().notNull(),
    publishedAt: instant().notNull(),
    updatedAt: createdAt(),
    articleId: uuid()
      .unique()
      .references(() => articles.id, { onDelete: "cascade" }),
  },
  (table) => [index().on(table.publishedAt.desc(), table.id.desc())],
);

/** Log sources with a ready parser. `searched` is the text that a search looks through, in lower case. */
export const logSources = pgTable(
  "log_sources",
  {
    id: id(),
    product: text().notNull(),
    category: text().notNull(),
    label: text().notNull().unique(),
    format: text().notNull(),
    searched: text()
      .notNull()
      .generatedAlwaysAs(sql`lower(product || ' ' || replace(label, '_', ' ') || ' ' || category)`),
    /** Hidden from visitors. The row stays, so that a former source can be offered again. */
    retired: boolean().notNull().default(false),
    /** Counts changes. No row is ever deleted, so the sum over all rows identifies the catalogue's state. */
    version: integer().notNull().default(1),
    updatedAt: createdAt(),
  },
  (table) => [
    index("log_sources_searched").using("gin", table.searched.op("gin_trgm_ops")),
    index().on(table.category, table.product, table.id),
    index().on(table.product, table.id),
    // One index per sort of the operators' list; the unique index on `label` serves the sort by label.
    index("log_sources_by_product").on(sql`lower(product)`, table.id),
    index("log_sources_by_category").on(sql`lower(category)`, table.id),
    index("log_sources_by_format").on(sql`lower(format)`, table.id),
    index("log_sources_by_retired").on(table.retired, table.id),
  ],
);

/** The operator's own certificates, and customers who may be named, in the order of `place`. */
export const proofs = pgTable("proofs", {
  id: id(),
  kind: text().$type<ProofKind>().notNull(),
  name: text().notNull(),
  /** Who certified it, or the person of the customer who is quoted. */
  issuer: text().notNull(),
  /** The certificate's number, or the customer's words. */
  statement: text().notNull(),
  /** The last day in India on which it is shown; null for no end. */
  validUntil: date({ mode: "string" }),
  link: text(),
  place: integer().notNull(),
  /** Counts changes: an edit based on an older version is refused. */
  version: integer().notNull().default(1),
  updatedAt: createdAt(),
});

/**
 * Each version of a section of the site's texts since an operator first changed it; the highest version is in force.
 */
export const siteTexts = pgTable(
  "site_texts",
  {
    id: id(),
    section: text().$type<SiteSection>().notNull(),
    version: integer().notNull(),
    /** Null for the shipped texts. */
    content: jsonb().$type<SiteTexts[SiteSection]>(),
    savedAt: createdAt(),
    savedBy: byPerson(),
  },
  (table) => [unique("site_texts_version").on(table.section, table.version)],
);
