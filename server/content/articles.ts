import { and, eq, exists, inArray, like, sql } from "drizzle-orm";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { z } from "zod";
import { brand } from "../../contract/brand.ts";
import type { Database, Transaction } from "../database/database.ts";
import { posts, seedings } from "../database/schema/index.ts";
import { writePost } from "./posts.ts";

const articlesFolder = new URL("./articles/", import.meta.url);
const editorialDesk = `${brand.name} editorial desk`;
/** To be raised when the same file is to be stored otherwise, say as other HTML. */
const renderingVersion = 2;

const FrontMatter = z.strictObject({
  title: z.string().min(10).max(120),
  slug: z.string().regex(/^[a-z\d]+(?:-[a-z\d]+)*$/),
  excerpt: z.string().min(40).max(300),
  tags: z
    .string()
    .transform((tags) => tags.split(",").map((tag) => tag.trim()))
    .pipe(z.array(z.string().min(2).max(40)).min(1).max(8)),
  published: z.iso.date(),
  /** The day its words last changed after that. */
  updated: z.iso.date().optional(),
  image: z.string().regex(/^\/images\/[\w./-]+$/),
});

export interface Article extends z.infer<typeof FrontMatter> {
  markdown: string;
  /** Changes with anything in the file. */
  hash: string;
}

/** The articles that are shipped with the product. @throws Error naming the file and what is wrong in it. */
export function readArticles(folder = articlesFolder): Article[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".md"))
    .toSorted()
    .map((name) => readArticle(name, readFileSync(new URL(name, folder), "utf8")));
}

/** Front matter between two lines of three hyphens, one `name: value` a line, then Markdown. */
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
  const hash = createHash("sha256")
    .update([renderingVersion, editorialDesk, text].join("\n"))
    .digest("base64url")
    .slice(0, 22);
  return { ...parsed.data, markdown, hash };
}

/**
 * Stores each shipped article once, and once more when its text has changed.
 * A post that somebody edited or removed since stays as it is. Several copies starting at once take turns.
 */
export async function ensureArticles(database: Database, articles = readArticles()): Promise<void> {
  if ((await findUnstored(database, articles)).length === 0) return;
  await database.transaction(async (transaction) => {
    await transaction.execute(sql`select pg_advisory_xact_lock(72177247)`);
    for (const article of await findUnstored(transaction, articles)) await storeArticle(transaction, article);
  });
}

const seedingName = ({ slug, hash }: Article) => `article:${slug}:${hash}`;

async function findUnstored(database: Database | Transaction, articles: Article[]): Promise<Article[]> {
  const names = articles.map(seedingName);
  const stored = await database.select().from(seedings).where(inArray(seedings.name, names));
  const done = new Set(stored.map(({ name }) => name));
  return articles.filter((article) => !done.has(seedingName(article)));
}

async function storeArticle(transaction: Transaction, article: Article): Promise<void> {
  const at = noonOf(article.updated ?? article.published);
  if (await isOurs(transaction, article)) {
    // Loaded where it is needed: most starts store nothing, and are to be quick.
    const { marked } = await import("marked");
    await writePost(transaction, {
      idKey: article.slug,
      title: article.title,
      excerpt: article.excerpt,
      headerImg: article.image,
      content: await marked.parse(article.markdown),
      tags: article.tags,
      updatedBy: editorialDesk,
      publishedAt: noonOf(article.published),
      updatedAt: at,
    });
  }
  await transaction.delete(seedings).where(earlierSeeding(article));
  await transaction.insert(seedings).values({ name: seedingName(article), at });
}

/** Half past eleven in India: the same date in India, in UTC and in most other places. */
const noonOf = (day: string) => new Date(`${day}T06:00:00Z`);

const earlierSeeding = ({ slug }: Article) => like(seedings.name, `article:${slug}:%`);

/** Whether the post is as we stored it, of the time noted at its seeding; or whether there never was one. */
async function isOurs(transaction: Transaction, article: Article): Promise<boolean> {
  const stored = earlierSeeding(article);
  const [post] = await transaction
    .select({
      untouched: exists(
        transaction
          .select()
          .from(seedings)
          .where(and(stored, eq(seedings.at, posts.updatedAt))),
      ),
    })
    .from(posts)
    .where(eq(posts.idKey, article.slug));
  return post ? Boolean(post.untouched) : (await transaction.$count(seedings, stored)) === 0;
}
