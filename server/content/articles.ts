import { and, eq, isNull, like } from "drizzle-orm";
import { readdirSync, readFileSync } from "node:fs";
import { z } from "zod";
import { brand } from "../../contract/brand.ts";
import { limits } from "../../contract/limits.ts";
import type { PostContent } from "../../contract/posts.ts";
import type { Database, Transaction } from "../database/database.ts";
import { posts, seedings } from "../database/schema/index.ts";
import { lockArticles } from "./article-changes.ts";
import { showContent } from "./publish-article.ts";
import { insertArticle } from "./save-article.ts";

const articlesFolder = new URL("./articles/", import.meta.url);
const editorialDesk = `${brand.name} editorial desk`;

const FrontMatter = z.strictObject({
  title: z.string().min(10).max(120),
  slug: z.string().regex(/^[a-z\d]+(?:-[a-z\d]+)*$/),
  excerpt: z.string().min(40).max(300),
  tags: z
    .string()
    .transform((tags) => tags.split(",").map((tag) => tag.trim()))
    .pipe(z.array(z.string().min(2).max(40)).min(1).max(8)),
  published: z.iso.date(),
  /** The day on which the text last changed after publication. */
  updated: z.iso.date().optional(),
  image: z.string().regex(/^\/images\/[\w./-]+$/),
  /** What the image shows, for people who can't see it. */
  alt: z.string().max(limits.altLengthMax),
});

export interface Article extends z.infer<typeof FrontMatter> {
  markdown: string;
}

/** The articles shipped with the product. @throws Error naming the file and what is wrong in it */
export function readArticles(folder = articlesFolder): Article[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".md"))
    .toSorted()
    .map((name) => readArticle(name, readFileSync(new URL(name, folder), "utf8")));
}

/** Parses a file: front matter between two lines of three hyphens, one `name: value` per line, then Markdown. */
export function readArticle(name: string, file: string): Article {
  const text = file.replaceAll("\r\n", "\n");
  const [, head, markdown] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? [];
  if (head === undefined || markdown === undefined) throw new Error(`${name}: there is no front matter`);
  const fields = head
    .split("\n")
    .filter((line) => line.trim())
    .map((line) => {
      const [, key = "", value = ""] = /^(\w+):\s*(.*?)\s*$/.exec(line) ?? [];
      return [key, value.replace(/^"(.*)"$/, "$1")];
    });
  const parsed = FrontMatter.safeParse(Object.fromEntries(fields));
  if (!parsed.success) throw new Error(`${name}: ${z.prettifyError(parsed.error)}`);
  return { ...parsed.data, markdown };
}

/**
 * The row in `seedings` that says the articles are in the database: from then on it is the truth and the files are not
 * read.
 */
const seeding = "articles";

/**
 * Fills the blog's articles once: a new database gets the shipped ones; one from an earlier version keeps what visitors
 * read there, with shipped texts updated where nobody edited them. Instances that start at once take turns.
 */
export async function ensureArticles(database: Database, readShipped: () => Article[] = readArticles): Promise<void> {
  const isDone = (connection: Database | Transaction) => connection.$count(seedings, eq(seedings.name, seeding));
  if (await isDone(database)) return;
  await database.transaction(async (transaction) => {
    await lockArticles(transaction);
    if (await isDone(transaction)) return;
    const shipped = readShipped();
    for (const article of shipped) await storeArticle(transaction, article);
    await adoptOthers(transaction);
    await transaction.insert(seedings).values({ name: seeding });
  });
}

/** Stores a shipped article, unless it was removed from or edited in an earlier version's blog. */
async function storeArticle(transaction: Transaction, article: Article): Promise<void> {
  const [post] = await transaction.select().from(posts).where(eq(posts.idKey, article.slug));
  const stored = await transaction.$count(seedings, earlierSeeding(article));
  if (post ? !(await isUntouched(transaction, article, post)) : stored > 0) return;
  const at = noonOf(article.updated ?? article.published);
  const publishedAt = noonOf(article.published);
  const content: PostContent = {
    title: article.title,
    slug: article.slug,
    excerpt: article.excerpt,
    markdown: article.markdown.trim(),
    tags: article.tags,
    author: editorialDesk,
    headerImg: article.image,
    headerAlt: article.alt,
  };
  const articleId = await insertPublished(transaction, content, { at, publishedAt });
  await showContent(transaction, content, { articleId, publishedAt, updatedAt: at });
}

/** Adopts posts that were not shipped as articles; their HTML is valid Markdown. */
async function adoptOthers(transaction: Transaction): Promise<void> {
  for (const post of await transaction.select().from(posts).where(isNull(posts.articleId))) {
    const content: PostContent = {
      title: post.title,
      slug: post.idKey,
      excerpt: post.excerpt,
      markdown: post.content,
      tags: post.tags,
      author: post.updatedBy,
      headerImg: post.headerImg,
      headerAlt: post.headerAlt,
    };
    const articleId = await insertPublished(transaction, content, {
      at: post.updatedAt,
      publishedAt: post.publishedAt,
    });
    await transaction.update(posts).set({ articleId }).where(eq(posts.id, post.id));
  }
}

const insertPublished = (
  transaction: Transaction,
  content: PostContent,
  { at, publishedAt }: { at: Date; publishedAt: Date },
) =>
  insertArticle(transaction, content, { at, personId: null }, { state: "published", publishedVersion: 1, publishedAt });

/** 11:30 in India, which is the same date in India, in UTC and in most other places. */
const noonOf = (day: string) => new Date(`${day}T06:00:00Z`);

/** Condition: the rows in `seedings` that earlier versions wrote when they stored this article. */
const earlierSeeding = ({ slug }: Article) => like(seedings.name, `article:${slug}:%`);

/** Whether the post is still as an earlier version stored it, by the time noted then. */
async function isUntouched(transaction: Transaction, article: Article, post: typeof posts.$inferSelect) {
  return (await transaction.$count(seedings, and(earlierSeeding(article), eq(seedings.at, post.updatedAt)))) > 0;
}
