import { desc, lte } from "drizzle-orm";
import type { Context, Hono } from "hono";
import { etag } from "hono/etag";
import { brand } from "../../contract/brand.ts";
import { posts } from "../database/schema/index.ts";
import type { Services } from "../services.ts";

const publicPages =
  "/ /ServiceDelivery /LogInjection /GCPSecurity /estimator /about /contact /blog /privacy-policy".split(" ");
/** Nothing for a search engine: signed-in areas, the API, and what exists in demos only. */
const closedPaths = ["/user", "/partner", "/admin", "/api", "/dev", "/sandbox"];
const postsInFeed = 20;
/** What one sitemap may hold, by its protocol. */
const addressesInSitemap = 50_000;

/** /rss.xml, /sitemap.xml and /robots.txt, all with absolute addresses. */
export function mountFeeds(server: Hono, services: Services): void {
  const minutes = (count: number) => `public, max-age=${count * 60}`;
  const answer = (context: Context, text: string, type: string, cacheControl: string) =>
    context.body(text, 200, { "Content-Type": `${type}; charset=utf-8`, "Cache-Control": cacheControl });
  server.get("/rss.xml", etag(), async (context) =>
    answer(context, await rss(services), "application/rss+xml", minutes(15)),
  );
  server.get("/sitemap.xml", etag(), async (context) =>
    answer(context, await sitemap(services), "application/xml", minutes(15)),
  );
  server.get("/robots.txt", etag(), (context) => answer(context, robots(services), "text/plain", minutes(60)));
}

async function rss(services: Services): Promise<string> {
  const found = await publishedPosts(services, postsInFeed);
  const { publicUrl } = services;
  const items = found.map(({ idKey, title, excerpt, tags, updatedBy, publishedAt }) =>
    [
      "<item>",
      element("title", title),
      element("link", addressOf(services, idKey)),
      element("guid", addressOf(services, idKey)),
      element("pubDate", publishedAt.toUTCString()),
      element("dc:creator", updatedBy),
      element("description", excerpt),
      ...tags.map((tag) => element("category", tag)),
      "</item>",
    ].join("\n"),
  );
  const changed = found.map(({ updatedAt }) => updatedAt.getTime());
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/">',
    "<channel>",
    element("title", `${brand.name} blog`),
    element("link", `${publicUrl}/blog`),
    `<atom:link href="${escapeXml(`${publicUrl}/rss.xml`)}" rel="self" type="application/rss+xml"/>`,
    element("description", "Security operations in practice, for organisations in India"),
    element("language", "en-IN"),
    ...(changed.length > 0 ? [element("lastBuildDate", new Date(Math.max(...changed)).toUTCString())] : []),
    ...items,
    "</channel>",
    "</rss>\n",
  ].join("\n");
}

async function sitemap(services: Services): Promise<string> {
  const found = await publishedPosts(services, addressesInSitemap - publicPages.length);
  const pages = publicPages.map((path) => `<url>${element("loc", services.publicUrl + path)}</url>`);
  const articles = found.map(
    ({ idKey, updatedAt }) =>
      `<url>${element("loc", addressOf(services, idKey))}${element("lastmod", updatedAt.toISOString())}</url>`,
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...pages,
    ...articles,
    "</urlset>\n",
  ].join("\n");
}

function robots({ publicUrl }: Services): string {
  return [
    "User-agent: *",
    ...closedPaths.map((path) => `Disallow: ${path}`),
    "",
    `Sitemap: ${publicUrl}/sitemap.xml`,
    "",
  ].join("\n");
}

async function publishedPosts({ database, now }: Services, limit: number) {
  const { idKey, title, excerpt, tags, updatedBy, publishedAt, updatedAt } = posts;
  return database
    .select({ idKey, title, excerpt, tags, updatedBy, publishedAt, updatedAt })
    .from(posts)
    .where(lte(publishedAt, now()))
    .orderBy(desc(publishedAt), desc(posts.id))
    .limit(limit);
}

const addressOf = ({ publicUrl }: Services, idKey: string) => `${publicUrl}/blog/${idKey}`;

const element = (name: string, text: string) => `<${name}>${escapeXml(text)}</${name}>`;

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" };

/** XML has no way to write most control characters: they are left out. */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\P{Cc}\t\n\r]/gu, "")
    .replace(/[&<>"']/g, (character) => entities[character] ?? "");
}
