import { and, eq, isNull, ne, or, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { PostContent } from "../../contract/posts.ts";
import { missingIn, pictureIdOf } from "../../contract/post-states.ts";
import type { Transaction } from "../database/database.ts";
import { articleImages, articles, formerSlugs, people, posts } from "../database/schema/index.ts";
import { Failure, notFound } from "../failures/failure.ts";

export type ArticleRow = typeof articles.$inferSelect;

/** An article as it was when it was read. */
export interface Seen {
  id: string;
  version: number;
}

/** Advisory lock: whoever changes articles takes turns, also the job that publishes. */
const articleLock = 72177260;

export const lockArticles = (transaction: Transaction) =>
  transaction.execute(sql`select pg_advisory_xact_lock(${articleLock})`);

/** The article, for a change by somebody who has read it. @throws Failure not_found, conflict naming who was faster */
export async function lockSeen(transaction: Transaction, { id, version }: Seen): Promise<ArticleRow> {
  await lockArticles(transaction);
  const [article] = await transaction.select().from(articles).where(eq(articles.id, id));
  if (!article) throw notFound("This article");
  if (article.version === version) return article;
  const editor = article.updatedBy
    ? await transaction.query.people.findFirst({ where: eq(people.id, article.updatedBy) })
    : null;
  const who = editor ? `${editor.firstName} ${editor.lastName}` : "Somebody else";
  throw new Failure("conflict", `${who} has changed this article meanwhile.`);
}

/**
 * Checks what only the database knows: that nothing else has the address, and that the image is there, which stays
 * there until the transaction ends.
 * @throws Failure invalid
 */
export async function checkContent(
  transaction: Transaction,
  articleId: string | null,
  { slug, headerImg }: PostContent,
): Promise<void> {
  const isOther = (column: PgColumn) => (articleId ? or(ne(column, articleId), isNull(column)) : undefined);
  const taken = [
    await transaction.$count(articles, and(eq(articles.slug, slug), isOther(articles.id))),
    await transaction.$count(formerSlugs, and(eq(formerSlugs.slug, slug), isOther(formerSlugs.articleId))),
    await transaction.$count(posts, and(eq(posts.idKey, slug), isOther(posts.articleId))),
  ];
  if (taken.some((count) => count > 0))
    throw invalidField("slug", "Another article has this address, or had it. Please choose another one.");
  const imageId = pictureIdOf(headerImg);
  if (!imageId) return;
  const found = await transaction
    .select({ id: articleImages.id })
    .from(articleImages)
    .where(eq(articleImages.id, imageId))
    .for("share");
  if (found.length === 0) throw invalidField("headerImg", "This image is not there any more. Please upload it again.");
}

/** @throws Failure invalid, a sentence for each field that visitors would miss */
export function requireWhole(content: PostContent): void {
  const missing = missingIn(content);
  const [first] = Object.values(missing);
  if (first) throw new Failure("invalid", `${first}. Visitors can't read it before.`, { fields: missing });
}

export const invalidField = (field: string, sentence: string) =>
  new Failure("invalid", sentence, { fields: { [field]: sentence } });
