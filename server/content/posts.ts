import { and, asc, desc, eq, gt, inArray, lte, type SQL, sql } from "drizzle-orm";
import type { BlogPost, BlogSummary } from "../../contract/content.ts";
import type { Database, Transaction } from "../database/database.ts";
import { articleImages, formerSlugs, posts } from "../database/schema/index.ts";
import { pictureIdsIn } from "../../contract/post-states.ts";
import { notFound } from "../failures/failure.ts";
import type { Services } from "../services.ts";
import { withPictures } from "./text-pictures.ts";

const wordsPerMinute = 200;

type Reading = Pick<Services, "database" | "now">;

/** Published posts, newest first. Posts are public, so there is no scope. */
export async function listPosts(
  { database, now }: Reading,
  { startingNode, limit }: { startingNode: number; limit: number },
): Promise<BlogSummary[]> {
  const found = await database
    .select(summaryColumns)
    .from(posts)
    .where(lte(posts.publishedAt, now()))
    .orderBy(desc(posts.publishedAt), desc(posts.id))
    .limit(limit)
    .offset(startingNode);
  return found.map(presentSummary);
}

/**
 * A post by its address, or by a former one: then the result's `idKey` differs from the one asked for.
 * @throws Failure not_found, also before the post is published
 */
export async function findPost(services: Reading, idKey: string): Promise<BlogPost> {
  const found = isIdKey(idKey)
    ? ((await findBy(services, eq(posts.idKey, idKey))) ?? (await findBy(services, isFormerSlug(services, idKey))))
    : undefined;
  if (!found) throw notFound("This post");
  return { ...presentSummary(found), content: found.content };
}

async function findBy({ database, now }: Reading, condition: SQL) {
  const [found] = await database
    .select({ ...summaryColumns, content: posts.content })
    .from(posts)
    .where(and(condition, lte(posts.publishedAt, now())));
  return found;
}

const isFormerSlug = ({ database }: Reading, slug: string) =>
  inArray(
    posts.articleId,
    database.select({ id: formerSlugs.articleId }).from(formerSlugs).where(eq(formerSlugs.slug, slug)),
  );

/** When the next scheduled post appears; null if none is scheduled. */
export async function nextPublication({ database }: Reading, after: Date): Promise<Date | null> {
  const [next] = await database
    .select({ at: posts.publishedAt })
    .from(posts)
    .where(gt(posts.publishedAt, after))
    .orderBy(asc(posts.publishedAt))
    .limit(1);
  return next?.at ?? null;
}

export interface NewPost {
  idKey: string;
  title: string;
  excerpt: string;
  /** An address within the site. */
  headerImg: string;
  headerAlt?: string;
  /** Any HTML: `writePost` sanitises it. */
  content: string;
  tags: string[];
  updatedBy: string;
  publishedAt: Date;
  /** When the text last changed; defaults to now. */
  updatedAt?: Date;
  /** The article it was published from. */
  articleId?: string;
}

/**
 * Inserts a post, or replaces the one with its key. Everything visitors read passes here, so that no stored HTML is
 * unsanitised.
 */
export async function writePost(database: Database | Transaction, post: NewPost): Promise<void> {
  if (!isIdKey(post.idKey)) throw new Error(`"${post.idKey}" is no address of a post`);
  if (!/^\/[\w./-]+$/.test(post.headerImg)) throw new Error(`"${post.headerImg}" is no image of the site`);
  const values = { ...post, ...(await readable(database, post.content)), updatedAt: post.updatedAt ?? sql`now()` };
  await database.insert(posts).values(values).onConflictDoUpdate({ target: posts.idKey, set: values });
}

/** Sanitises HTML, adds the sizes of its uploaded images, and estimates the reading time. */
export async function readable(
  database: Database | Transaction,
  html: string,
): Promise<{ content: string; readingMinutes: number }> {
  // Imported on demand: most processes write no post and should start quickly.
  const { sanitise, textOf } = await import("./sanitise.ts");
  const named = pictureIdsIn(html);
  const images =
    named.length === 0 ? [] : await database.select().from(articleImages).where(inArray(articleImages.id, named));
  const content = withPictures(sanitise(html, new Map(images.map(({ id, ...size }) => [id, size]))));
  return { content, readingMinutes: readingMinutesOf(textOf(content)) };
}

export function readingMinutesOf(text: string): number {
  return Math.max(1, Math.ceil(text.split(" ").length / wordsPerMinute));
}

const isIdKey = (text: string) => /^[a-z\d]+(?:-[a-z\d]+)*$/.test(text) && text.length <= 120;

const summaryColumns = {
  idKey: posts.idKey,
  title: posts.title,
  headerImg: posts.headerImg,
  headerAlt: posts.headerAlt,
  excerpt: posts.excerpt,
  tags: posts.tags,
  updatedBy: posts.updatedBy,
  publishedAt: posts.publishedAt,
  readingMinutes: posts.readingMinutes,
};

export type Summary = Pick<typeof posts.$inferSelect, keyof typeof summaryColumns>;

export function presentSummary({ updatedBy, publishedAt, readingMinutes, ...post }: Summary): BlogSummary {
  return {
    ...post,
    updated_by: updatedBy,
    created_at: publishedAt.toISOString(),
    reading_minutes: readingMinutes,
  };
}
