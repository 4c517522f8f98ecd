import { and, asc, desc, eq, gt, lte, sql } from "drizzle-orm";
import type { BlogPost, BlogSummary } from "../../contract/content.ts";
import type { Database, Transaction } from "../database/database.ts";
import { posts } from "../database/schema/index.ts";
import { notFound } from "../failures/failure.ts";
import type { Services } from "../services.ts";

const wordsPerMinute = 200;

type Reading = Pick<Services, "database" | "now">;

/** What has been published by now, newest first; posts are public, so nobody is asked for. */
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

/** @throws Failure not_found also before the post is published. */
export async function findPost({ database, now }: Reading, idKey: string): Promise<BlogPost> {
  const [found] = isIdKey(idKey)
    ? await database
        .select({ ...summaryColumns, content: posts.content })
        .from(posts)
        .where(and(eq(posts.idKey, idKey), lte(posts.publishedAt, now())))
    : [];
  if (!found) throw notFound("This post");
  return { ...presentSummary(found), content: found.content };
}

/** When the next of the scheduled posts appears; null where none is scheduled. */
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
  /** Any HTML: it is sanitised here. */
  content: string;
  tags: string[];
  updatedBy: string;
  publishedAt: Date;
  /** When its words last changed; now, unless it is told. */
  updatedAt?: Date;
}

/**
 * Writes a post, or the post of that key anew.
 * Both ways of writing one, by the shipped articles and by hand, pass here, so that no stored HTML is unsanitised.
 */
export async function writePost(database: Database | Transaction, post: NewPost): Promise<void> {
  if (!isIdKey(post.idKey)) throw new Error(`"${post.idKey}" is no address of a post`);
  if (!/^\/[\w./-]+$/.test(post.headerImg)) throw new Error(`"${post.headerImg}" is no image of the site`);
  // Loaded where it is needed: most processes write no post, and are to start quickly.
  const { sanitise, textOf } = await import("./sanitise.ts");
  const content = sanitise(post.content);
  const values = {
    ...post,
    content,
    readingMinutes: readingMinutesOf(textOf(content)),
    updatedAt: post.updatedAt ?? sql`now()`,
  };
  await database.insert(posts).values(values).onConflictDoUpdate({ target: posts.idKey, set: values });
}

export function readingMinutesOf(text: string): number {
  return Math.max(1, Math.ceil(text.split(" ").length / wordsPerMinute));
}

const isIdKey = (text: string) => /^[a-z\d]+(?:-[a-z\d]+)*$/.test(text) && text.length <= 120;

const summaryColumns = {
  idKey: posts.idKey,
  title: posts.title,
  headerImg: posts.headerImg,
  excerpt: posts.excerpt,
  tags: posts.tags,
  updatedBy: posts.updatedBy,
  publishedAt: posts.publishedAt,
  readingMinutes: posts.readingMinutes,
};

type Summary = Pick<typeof posts.$inferSelect, keyof typeof summaryColumns>;

function presentSummary({ updatedBy, publishedAt, readingMinutes, idKey, title, headerImg, excerpt, tags }: Summary) {
  return {
    idKey,
    title,
    headerImg,
    excerpt,
    tags,
    updated_by: updatedBy,
    created_at: publishedAt.toISOString(),
    reading_minutes: readingMinutes,
  };
}
