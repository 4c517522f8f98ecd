import { and, desc, eq, sql } from "drizzle-orm";
import type { BlogPost } from "../../contract/content.ts";
import { limits } from "../../contract/limits.ts";
import { type Post, type PostContent, postList, type PostQuery, type PostRow } from "../../contract/posts.ts";
import type { Scope } from "../access/scope.ts";
import { type Condition, listFrom, type RowOf } from "../database/list.ts";
import { listPage } from "../database/list-page.ts";
import { articles, articleVersions, people } from "../database/schema/index.ts";
import { notFound } from "../failures/failure.ts";
import type { Services } from "../services.ts";
import { htmlOf } from "./markdown.ts";
import { presentSummary, readable } from "./posts.ts";

const editorName = sql<string | null>`${people.firstName} || ' ' || ${people.lastName}`;

const fields = {
  id: articles.id,
  state: articles.state,
  title: articles.title,
  slug: articles.slug,
  author: articles.author,
  tags: articles.tags,
  savedVersion: articles.savedVersion,
  publishedVersion: articles.publishedVersion,
  publishAt: articles.publishAt,
  publishedAt: articles.publishedAt,
  updatedAt: articles.updatedAt,
  updatedBy: editorName,
};

const allArticles = listFrom(postList, {
  table: articles,
  fields,
  joins: sql`left join people on people.id = articles.updated_by`,
  id: articles.id,
  newest: "updated_at",
  searched: articles.searched,
  sorts: {
    updated_at: articles.updatedAt,
    title: sql`lower(${articles.title})`,
    author: sql`lower(${articles.author})`,
  },
});

/** Lists articles in every state. */
export async function listArticles(services: Services, _scope: Scope<"any">, query: PostQuery) {
  const { state, tag } = query;
  const conditions: Condition[] = [
    ...(state ? [{ column: articles.state, compared: "=" as const, value: state }] : []),
    ...(tag ? [{ column: articles.tags, compared: "@>" as const, value: [tag] }] : []),
  ];
  const { rows, ...page } = await listPage(services.database, allArticles, null, query, conditions);
  return { posts: rows.map(presentRow), ...page };
}

/** An article with its versions. @throws Failure not_found */
export async function findArticle({ database }: Services, _scope: Scope<"any">, id: string): Promise<Post> {
  const [[found], versions] = await Promise.all([
    database
      .select({ ...fields, version: articles.version, content: articles.content })
      .from(articles)
      .leftJoin(people, eq(people.id, articles.updatedBy))
      .where(eq(articles.id, id)),
    database
      .select(versionColumns)
      .from(articleVersions)
      .leftJoin(people, eq(people.id, articleVersions.savedBy))
      .where(eq(articleVersions.articleId, id))
      .orderBy(desc(articleVersions.version))
      .limit(limits.versionsShown),
  ]);
  if (!found) throw notFound("This article");
  const { version, content, publishedVersion } = found;
  const present = (each: (typeof versions)[number]) => presentVersion(each, publishedVersion);
  return { ...presentRow(found), version, content, versions: versions.map(present) };
}

/** One saved version of an article. @throws Failure not_found */
export async function findVersion(
  { database }: Services,
  _scope: Scope<"any">,
  { id, version }: { id: string; version: number },
) {
  const [found] = await database
    .select({ ...versionColumns, content: articleVersions.content, publishedVersion: articles.publishedVersion })
    .from(articleVersions)
    .innerJoin(articles, eq(articles.id, articleVersions.articleId))
    .leftJoin(people, eq(people.id, articleVersions.savedBy))
    .where(and(eq(articleVersions.articleId, id), eq(articleVersions.version, version)));
  if (!found) throw notFound("This version");
  return { ...presentVersion(found, found.publishedVersion), content: found.content };
}

/** The last saved version as visitors would read it. @throws Failure not_found */
export async function previewArticle({ database, now }: Services, _scope: Scope<"any">, id: string): Promise<BlogPost> {
  const [found] = await database.select().from(articles).where(eq(articles.id, id));
  if (!found) throw notFound("This article");
  const publishedAt = found.publishedAt ?? found.publishAt ?? now();
  const { content, readingMinutes } = await readable(database, await htmlOf(found.content.markdown));
  return { ...presentSummary({ ...summaryOf(found.content), readingMinutes, publishedAt }), content };
}

const summaryOf = ({ slug, author, markdown: _markdown, ...content }: PostContent) => ({
  ...content,
  idKey: slug,
  updatedBy: author,
});

/** The tags and authors in use, for filters. */
export async function findWords({ database }: Services, _scope: Scope<"any">) {
  const { rows } = await database.$client.query<{ tags: string[]; authors: string[] }>(`select
    array(select distinct tag from (select unnest(tags) as tag from articles) as all_tags order by tag) as tags,
    array(select distinct author from articles order by author) as authors`);
  return rows[0] ?? { tags: [], authors: [] };
}

const versionColumns = {
  version: articleVersions.version,
  savedAt: articleVersions.savedAt,
  savedBy: editorName,
  title: sql<string>`${articleVersions.content} ->> 'title'`,
};

const presentVersion = (
  { version, savedAt, savedBy, title }: { version: number; savedAt: Date; savedBy: string | null; title: string },
  publishedVersion: number | null,
) => ({
  version,
  saved_at: savedAt.toISOString(),
  saved_by: savedBy,
  title,
  published: version === publishedVersion,
});

function presentRow(row: RowOf<typeof fields>): PostRow {
  const { id, state, title, slug, author, tags, publishAt, publishedAt, savedVersion, publishedVersion } = row;
  return {
    id,
    state,
    title,
    slug,
    author,
    tags,
    has_changes: state === "published" && savedVersion !== publishedVersion,
    published_at: (publishAt ?? publishedAt)?.toISOString() ?? null,
    updated_at: row.updatedAt.toISOString(),
    updated_by: row.updatedBy,
  };
}
