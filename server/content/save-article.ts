import { isDeepStrictEqual } from "node:util";
import { and, eq } from "drizzle-orm";
import { pictureIdsOf } from "../../contract/post-states.ts";
import type { PostContent } from "../../contract/posts.ts";
import type { Scope } from "../access/scope.ts";
import { audit } from "../audit/audit.ts";
import type { Transaction } from "../database/database.ts";
import { articles, articleVersions } from "../database/schema/index.ts";
import { notFound } from "../failures/failure.ts";
import type { Services } from "../services.ts";
import { type ArticleRow, checkContent, lockArticles, lockSeen, requireWhole, type Seen } from "./article-changes.ts";

/**
 * Creates an article as a draft and returns its id. The same content sent again, after a lost answer or a double click,
 * returns the id of the first.
 * @throws Failure invalid
 */
export async function addArticle(services: Services, { actor }: Scope<"any">, content: PostContent): Promise<string> {
  return services.database.transaction(async (transaction) => {
    await lockArticles(transaction);
    const sentBefore = await findJustAdded(transaction, content, actor.personId);
    if (sentBefore) return sentBefore;
    await checkContent(transaction, null, content);
    const by = { at: services.now(), personId: actor.personId };
    const id = await insertArticle(transaction, content, by);
    await audit(transaction, actor.personId, "add article", `article:${id}`, { after: told(content) });
    return id;
  });
}

/** The id of the draft that this person created with exactly this content and nobody has changed since. */
async function findJustAdded(transaction: Transaction, content: PostContent, personId: string): Promise<string | null> {
  const [there] = await transaction.select().from(articles).where(eq(articles.slug, content.slug));
  const isSame =
    there?.state === "draft" &&
    there.version === 1 &&
    there.updatedBy === personId &&
    isDeepStrictEqual(there.content, content);
  return isSame ? there.id : null;
}

/** Inserts an article with its first version and returns its id; `more` has the columns of one that is no draft. */
export async function insertArticle(
  transaction: Transaction,
  content: PostContent,
  { at, personId }: { at: Date; personId: string | null },
  more: Partial<typeof articles.$inferInsert> = {},
): Promise<string> {
  const changed = { createdAt: at, updatedAt: at, updatedBy: personId };
  const [made] = await transaction
    .insert(articles)
    .values({ ...columnsOf(content), ...changed, ...more })
    .returning({ id: articles.id });
  if (!made) throw new Error("The article was not added");
  await transaction
    .insert(articleVersions)
    .values({ articleId: made.id, version: 1, content, savedAt: at, savedBy: personId, images: pictureIdsOf(content) });
  return made.id;
}

/**
 * Saves the content as the newest version and returns its number. A published post does not change; a scheduled article
 * will be published as last saved and has to stay complete.
 * @throws Failure not_found, invalid, conflict when somebody else has changed it meanwhile
 */
export async function saveArticle(
  services: Services,
  { actor }: Scope<"any">,
  { content, ...seen }: Seen & { content: PostContent },
): Promise<number> {
  return services.database.transaction(async (transaction) => {
    const before = await lockSeen(transaction, seen);
    await keepVersion(services, transaction, before, content, actor.personId);
    const detail = changeBetween(before.content, content);
    await audit(transaction, actor.personId, "save article", `article:${before.id}`, detail);
    return before.version + 1;
  });
}

/** Saves an earlier version as the newest. @throws Failure not_found, invalid, conflict */
export async function restoreVersion(
  services: Services,
  { actor }: Scope<"any">,
  { restored, ...seen }: Seen & { restored: number },
): Promise<number> {
  return services.database.transaction(async (transaction) => {
    const before = await lockSeen(transaction, seen);
    const [old] = await transaction
      .select()
      .from(articleVersions)
      .where(and(eq(articleVersions.articleId, before.id), eq(articleVersions.version, restored)));
    if (!old) throw notFound("This version");
    await keepVersion(services, transaction, before, old.content, actor.personId);
    const detail = { version: restored, ...changeBetween(before.content, old.content) };
    await audit(transaction, actor.personId, "restore article", `article:${before.id}`, detail);
    return before.version + 1;
  });
}

async function keepVersion(
  services: Services,
  transaction: Transaction,
  before: ArticleRow,
  content: PostContent,
  personId: string,
): Promise<void> {
  await checkContent(transaction, before.id, content);
  if (before.state === "scheduled") await requireWhole(content);
  const at = services.now();
  const version = before.version + 1;
  await transaction
    .insert(articleVersions)
    .values({ articleId: before.id, version, content, savedAt: at, savedBy: personId, images: pictureIdsOf(content) });
  await transaction
    .update(articles)
    .set({ ...columnsOf(content), version, savedVersion: version, updatedAt: at, updatedBy: personId })
    .where(eq(articles.id, before.id));
}

/** What lists sort and filter by is in columns too. */
const columnsOf = (content: PostContent) => {
  const { slug, title, author, tags } = content;
  return { slug, title, author, tags, content };
};

/** Content for the audit log, without the text, which the versions have. */
export const told = ({ markdown, ...content }: PostContent) => ({ ...content, characters: markdown.length });

function changeBetween(before: PostContent, after: PostContent) {
  const [old, now] = [told(before), told(after)];
  const names = (Object.keys(now) as (keyof typeof now)[]).filter(
    (name) => JSON.stringify(old[name]) !== JSON.stringify(now[name]),
  );
  const only = (from: typeof now) => Object.fromEntries(names.map((name) => [name, from[name]]));
  return { before: only(old), after: only(now) };
}
