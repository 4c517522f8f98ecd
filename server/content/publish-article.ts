import { and, asc, eq, lte, ne, type SQL } from "drizzle-orm";
import { later } from "../../contract/durations.ts";
import { limits } from "../../contract/limits.ts";
import type { PostContent } from "../../contract/posts.ts";
import type { Scope } from "../access/scope.ts";
import { audit } from "../audit/audit.ts";
import type { Transaction } from "../database/database.ts";
import { articles, formerSlugs, posts } from "../database/schema/index.ts";
import { Failure, invalidField } from "../failures/failure.ts";
import { isOutage } from "../failures/outage.ts";
import type { Services } from "../services.ts";
import { type ArticleRow, lockArticles, lockSeen, requireWhole, type Seen } from "./article-changes.ts";
import { htmlOf } from "./markdown.ts";
import { writePost } from "./posts.ts";

/**
 * Publishes the last saved version; every instance shows it as soon as this commits.
 * @throws Failure not_found, invalid, conflict
 */
export async function publishArticle(services: Services, { actor }: Scope<"any">, seen: Seen): Promise<number> {
  return services.database.transaction(async (transaction) => {
    const article = await lockSeen(transaction, seen);
    await requireWhole(article.content);
    const by = { updatedAt: services.now(), updatedBy: actor.personId };
    await show(transaction, article, article.publishedAt ?? services.now(), by);
    const detail = { slug: article.slug, version: article.savedVersion };
    await audit(transaction, actor.personId, "publish article", `article:${article.id}`, detail);
    return article.version + 1;
  });
}

/**
 * Schedules an article; it will be published as last saved by then.
 * @throws Failure not_found, invalid for a time that has passed, conflict
 */
export async function scheduleArticle(
  services: Services,
  { actor }: Scope<"any">,
  { at, ...seen }: Seen & { at: Date },
): Promise<number> {
  return services.database.transaction(async (transaction) => {
    const article = await lockSeen(transaction, seen);
    if (article.state === "published")
      throw new Failure("conflict", "Visitors read this article already: publish its changes at once.");
    await requireWhole(article.content);
    const now = services.now();
    if (at <= now) throw invalidField("at", "This time has passed. Please choose a later one, or publish at once.");
    if (at > later(now, { days: limits.articleDaysAheadMax }))
      throw invalidField("at", "Please choose a time within a year.");
    const changed = { version: article.version + 1, updatedAt: now, updatedBy: actor.personId };
    await transaction
      .update(articles)
      .set({ state: "scheduled", publishAt: at, ...changed })
      .where(eq(articles.id, article.id));
    const startAfterSeconds = Math.ceil((at.getTime() - now.getTime()) / 1000);
    await services.jobs.add(transaction, "publish-articles", {}, { startAfterSeconds });
    await audit(transaction, actor.personId, "schedule article", `article:${article.id}`, { at: at.toISOString() });
    return changed.version;
  });
}

/** Takes an article off the site or the schedule. @throws Failure not_found, conflict */
export async function unpublishArticle(services: Services, { actor }: Scope<"any">, seen: Seen): Promise<number> {
  return services.database.transaction(async (transaction) => {
    const article = await lockSeen(transaction, seen);
    if (article.state !== "published" && article.state !== "scheduled")
      throw new Failure("conflict", "This article is neither on the site nor scheduled.");
    await takeOff(transaction, eq(posts.articleId, article.id), article.id);
    const changed = { version: article.version + 1, updatedAt: services.now(), updatedBy: actor.personId };
    await transaction
      .update(articles)
      .set({
        state: article.publishedAt ? "unpublished" : "draft",
        publishAt: null,
        publishedVersion: null,
        ...changed,
      })
      .where(eq(articles.id, article.id));
    const action = article.state === "scheduled" ? "unschedule article" : "unpublish article";
    await audit(transaction, actor.personId, action, `article:${article.id}`, { slug: article.slug });
    return changed.version;
  });
}

/** Publishes the scheduled articles that are due, each once however many instances try. Returns how many. */
export async function publishDue(services: Services): Promise<number> {
  const due = await services.database
    .select({ id: articles.id })
    .from(articles)
    .where(isDue(services))
    .orderBy(asc(articles.publishAt));
  let published = 0;
  // One failure holds up no other article: the next run retries it. An outage would fail all of them, so it ends the
  // run.
  for (const { id } of due)
    // oxlint-disable-next-line no-await-in-loop -- they take turns anyway
    published += await publishIfDue(services, id).catch((error: unknown) => {
      if (isOutage(error)) throw error;
      services.log.error({ err: error, article: id }, "a scheduled article could not be published");
      return 0;
    });
  return published;
}

async function publishIfDue(services: Services, id: string): Promise<number> {
  return services.database.transaction(async (transaction) => {
    await lockArticles(transaction);
    const [article] = await transaction
      .select()
      .from(articles)
      .where(and(eq(articles.id, id), isDue(services)));
    if (!article?.publishAt) return 0;
    const by = { updatedAt: services.now(), updatedBy: article.updatedBy };
    await show(transaction, article, article.publishedAt ?? article.publishAt, by);
    const detail = { slug: article.slug, version: article.savedVersion, scheduled: article.publishAt.toISOString() };
    await audit(transaction, null, "publish article", `article:${id}`, detail);
    return 1;
  });
}

const isDue = ({ now }: Services) => and(eq(articles.state, "scheduled"), lte(articles.publishAt, now()));

/** Writes what visitors read; the article's former addresses lead to its present one. */
async function show(
  transaction: Transaction,
  article: ArticleRow,
  publishedAt: Date,
  by: { updatedAt: Date; updatedBy: string | null },
): Promise<void> {
  const { id, slug, content } = article;
  await takeOff(transaction, and(eq(posts.articleId, id), ne(posts.idKey, slug)), id);
  await transaction.delete(formerSlugs).where(eq(formerSlugs.slug, slug));
  await showContent(transaction, content, { articleId: id, publishedAt, updatedAt: by.updatedAt });
  await transaction
    .update(articles)
    .set({
      state: "published",
      publishAt: null,
      publishedAt,
      publishedVersion: article.savedVersion,
      version: article.version + 1,
      ...by,
    })
    .where(eq(articles.id, id));
}

/** Deletes the post; its address will lead to wherever the article is published next. */
async function takeOff(transaction: Transaction, condition: SQL | undefined, articleId: string): Promise<void> {
  const gone = await transaction.delete(posts).where(condition).returning({ slug: posts.idKey });
  if (gone.length === 0) return;
  const former = gone.map(({ slug }) => ({ slug, articleId }));
  await transaction.insert(formerSlugs).values(former).onConflictDoNothing();
}

/** Writes an article's content as a post, with the renderer and sanitiser of every post. */
export async function showContent(
  transaction: Transaction,
  { slug, author, markdown, title, excerpt, tags, headerImg, headerAlt }: PostContent,
  when: { articleId: string; publishedAt: Date; updatedAt: Date },
): Promise<void> {
  await writePost(transaction, {
    idKey: slug,
    title,
    excerpt,
    headerImg,
    headerAlt,
    tags,
    content: await htmlOf(markdown),
    updatedBy: author,
    ...when,
  });
}
