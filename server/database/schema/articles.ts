import { sql } from "drizzle-orm";
import { index, integer, jsonb, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import type { PostState } from "../../../contract/post-states.ts";
import type { PostContent } from "../../../contract/posts.ts";
import { createdAt, id, instant } from "./columns.ts";
import { byPerson } from "./references.ts";

/** The editors' working copies: each blog article as last saved, whatever visitors see (decision 50). */
export const articles = pgTable(
  "articles",
  {
    id: id(),
    state: text().$type<PostState>().notNull().default("draft"),
    slug: text().notNull().unique(),
    title: text().notNull(),
    author: text().notNull(),
    tags: text().array().notNull(),
    content: jsonb().$type<PostContent>().notNull(),
    /** Counts all changes, so that the later of two concurrent edits is refused. */
    version: integer().notNull().default(1),
    /** The versions that last changed the content, and that visitors read. */
    savedVersion: integer().notNull().default(1),
    publishedVersion: integer(),
    /** When it is to be published; set only while it is scheduled. */
    publishAt: instant(),
    /** When it was first published. */
    publishedAt: instant(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
    updatedBy: byPerson(),
    searched: text()
      .notNull()
      .generatedAlwaysAs(sql`lower(title || ' ' || slug || ' ' || author)`),
  },
  (table) => [
    index("articles_searched").using("gin", table.searched.op("gin_trgm_ops")),
    index("articles_by_tag").using("gin", table.tags),
    index("articles_by_updated_at").on(table.updatedAt, table.id),
    index("articles_by_state").on(table.state, table.updatedAt, table.id),
    index("articles_by_title").on(sql`lower(title)`, table.id),
    index("articles_by_author").on(sql`lower(author)`, table.id),
    index("articles_to_publish")
      .on(table.publishAt)
      .where(sql`state = 'scheduled'`),
  ],
);

/** The content of each save of an article. */
export const articleVersions = pgTable(
  "article_versions",
  {
    articleId: uuid()
      .notNull()
      .references(() => articles.id, { onDelete: "cascade" }),
    version: integer().notNull(),
    content: jsonb().$type<PostContent>().notNull(),
    savedAt: createdAt(),
    savedBy: byPerson(),
    /**
     * The uploaded images that this version shows, above the text and in it: an image that no version names is removed.
     */
    images: uuid().array().notNull().default([]),
  },
  (table) => [
    primaryKey({ columns: [table.articleId, table.version] }),
    index("article_versions_by_images").using("gin", table.images),
  ],
);

/** Addresses under which articles were once published: they redirect to the current one. */
export const formerSlugs = pgTable(
  "former_slugs",
  {
    slug: text().primaryKey(),
    articleId: uuid()
      .notNull()
      .references(() => articles.id, { onDelete: "cascade" }),
  },
  (table) => [index().on(table.articleId)],
);

/** Uploaded images, above an article or within it. The store holds six files of each: three widths in two formats. */
export const articleImages = pgTable(
  "article_images",
  {
    id: id(),
    createdAt: createdAt(),
    /** Size of the largest file, so that a page reserves its space before it has loaded. */
    width: integer().notNull().default(1440),
    height: integer().notNull().default(576),
    uploadedBy: byPerson(),
  },
  (table) => [index().on(table.createdAt)],
);
