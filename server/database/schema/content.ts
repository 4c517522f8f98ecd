import { sql } from "drizzle-orm";
import { boolean, date, index, integer, jsonb, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import type { ProofKind } from "../../../contract/proofs.ts";
import type { SiteSection, SiteTexts } from "../../../contract/shown-texts.ts";
import { people } from "./accounts.ts";
import { articles } from "./articles.ts";
import { createdAt, id, instant } from "./columns.ts";

/** What visitors read of the blog, written when an article is published; `content` is HTML that was sanitised then. */
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

/** Log sources with a ready parser. `searched` is what the search looks through, in lower case. */
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
    /** Visitors do not see it any more; it stays, so that what was once offered can come back. */
    retired: boolean().notNull().default(false),
    /** Counts the changes. No row is ever deleted, so their sum tells one state of the catalogue from every other. */
    version: integer().notNull().default(1),
    updatedAt: createdAt(),
  },
  (table) => [
    index("log_sources_searched").using("gin", table.searched.op("gin_trgm_ops")),
    index().on(table.category, table.product, table.id),
    index().on(table.product, table.id),
    // The operators' list in each of its orders; by its label goes the unique one.
    index("log_sources_by_product").on(sql`lower(product)`, table.id),
    index("log_sources_by_category").on(sql`lower(category)`, table.id),
    index("log_sources_by_format").on(sql`lower(format)`, table.id),
    index("log_sources_by_retired").on(table.retired, table.id),
  ],
);

/** Certificates of the operator's own and customers who may be named, in the order of `place`. */
export const proofs = pgTable("proofs", {
  id: id(),
  kind: text().$type<ProofKind>().notNull(),
  name: text().notNull(),
  /** Who certified, or who of the customer says it. */
  issuer: text().notNull(),
  /** The certificate's number, or what the customer says. */
  statement: text().notNull(),
  /** The last day in India on which it is shown; null for good. */
  validUntil: date({ mode: "string" }),
  link: text(),
  place: integer().notNull(),
  /** Counts the changes, so that a second editor who saw an older state is told. */
  version: integer().notNull().default(1),
  updatedAt: createdAt(),
});

/** Each state of a section of the site's texts since an operator changed it; the highest version is the one that holds. */
export const siteTexts = pgTable(
  "site_texts",
  {
    id: id(),
    section: text().$type<SiteSection>().notNull(),
    version: integer().notNull(),
    /** Null for the texts that are shipped. */
    content: jsonb().$type<SiteTexts[SiteSection]>(),
    savedAt: createdAt(),
    savedBy: uuid().references(() => people.id, { onDelete: "set null" }),
  },
  (table) => [unique("site_texts_version").on(table.section, table.version)],
);
