import { and, eq, inArray, isNull, ne, or, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { limits } from "../../contract/limits.ts";
import type { PostContent } from "../../contract/posts.ts";
import { missingIn, pictureIdOf, pictureIdsOf } from "../../contract/post-states.ts";
import { whoIs } from "../audit/who-is.ts";
import type { Transaction } from "../database/database.ts";
import { articleImages, articles, formerSlugs, posts } from "../database/schema/index.ts";
import { Failure, invalidField, notFound } from "../failures/failure.ts";
import { htmlOf } from "./markdown.ts";

export type ArticleRow = typeof articles.$inferSelect;

/** An article's version as the editor read it. */
export interface Seen {
  id: string;
  version: number;
}

/** Advisory lock: changes to articles take turns, including those of the publishing job. */
const articleLock = 72177260;

export const lockArticles = (transaction: Transaction) =>
  transaction.execute(sql`select pg_advisory_xact_lock(${articleLock})`);

/**
 * Locks and returns an article for a change by somebody who has read it.
 * @throws Failure not_found; conflict naming who was faster
 */
export async function lockSeen(transaction: Transaction, { id, version }: Seen): Promise<ArticleRow> {
  await lockArticles(transaction);
  const [article] = await transaction.select().from(articles).where(eq(articles.id, id));
  if (!article) throw notFound("This article");
  if (article.version === version) return article;
  throw new Failure("conflict", `${await whoIs(transaction, article.updatedBy)} has changed this article meanwhile.`);
}

/**
 * Checks against the database: no other article has or had the address, and the images exist (locked until the
 * transaction ends).
 * @throws Failure invalid
 */
export async function checkContent(
  transaction: Transaction,
  articleId: string | null,
  content: PostContent,
): Promise<void> {
  const { slug, headerImg } = content;
  const isOther = (column: PgColumn) => (articleId ? or(ne(column, articleId), isNull(column)) : undefined);
  const taken = [
    await transaction.$count(articles, and(eq(articles.slug, slug), isOther(articles.id))),
    await transaction.$count(formerSlugs, and(eq(formerSlugs.slug, slug), isOther(formerSlugs.articleId))),
    await transaction.$count(posts, and(eq(posts.idKey, slug), isOther(posts.articleId))),
  ];
  if (taken.some((count) => count > 0))
    throw invalidField("slug", "Another article has this address, or had it. Please choose another one.");
  const named = pictureIdsOf(content);
  if (named.length === 0) return;
  const found = await transaction
    .select({ id: articleImages.id })
    .from(articleImages)
    .where(inArray(articleImages.id, named))
    .for("share");
  const there = found.map(({ id }) => id);
  const gone = named.find((id) => !there.includes(id));
  if (gone === undefined) return;
  if (gone === pictureIdOf(headerImg))
    throw invalidField("headerImg", "This image is not there any more. Please upload it again.");
  throw invalidField("markdown", "An image in the text is not there any more. Please upload it again, or take it out.");
}

/** @throws Failure invalid, with a sentence for each field that visitors would miss */
export async function requireWhole(content: PostContent): Promise<void> {
  const ofText = await faultOfImages(content.markdown);
  const missing = { ...missingIn(content), ...(ofText && { markdown: ofText }) };
  const [first] = Object.values(missing);
  if (first) throw new Failure("invalid", `${first}. Visitors can't read it before.`, { fields: missing });
}

/** What is wrong with a text's images, which visitors would not see or not understand; null if nothing is. */
async function faultOfImages(markdown: string): Promise<string | null> {
  if (!/!\[|<img/i.test(markdown)) return null;
  // Imported on demand: most processes publish nothing and should start quickly.
  const { imagesIn, isOwnImage } = await import("./sanitise.ts");
  const images = imagesIn(await htmlOf(markdown));
  const foreign = images.find(({ src }) => !isOwnImage(src));
  if (foreign) {
    const address = foreign.src.slice(0, limits.searchLengthMax);
    return `An image of the text is not from here (${address || "without an address"}). Please upload it, or take it out`;
  }
  if (images.some(({ alt }) => !alt.trim()))
    return "Please say what each image in the text shows, for who can't see it";
  return null;
}
