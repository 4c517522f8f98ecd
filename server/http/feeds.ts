import { desc, lte, max } from "drizzle-orm";
import type { Context, Hono } from "hono";
import { etag } from "hono/etag";
import { brand } from "../../contract/brand.ts";
import { publicPages } from "../../contract/public-pages.ts";
import { logSources, posts, siteTexts } from "../database/schema/index.ts";
import { ownPages } from "../protection/in-turn.ts";
import type { Services } from "../services.ts";

/** Not for search engines: signed-in areas, the API, and what exists only in demos. */
const closedPaths = ["/user", "/partner", "/admin", "/api", "/dev", "/sandbox"];
const postsInFeed = 20;
/** The most addresses that the protocol allows in one sitemap. */
const addressesInSitemap = 50_000;

/**
 * Serves /rss.xml, /sitemap.xml and /robots.txt, all with absolute addresses, and the manifest for installing the site
 * as an app.
 */
export function mountFeeds(server: Hono, services: Services): void {
  const minutes = (count: number) => `public, max-age=${count * 60}`;
  // Always revalidated: an article taken off the site must vanish from its feeds too.
  const alwaysAsked = "public, max-age=0, must-revalidate";
  const answer = (context: Context, text: string, type: string, cacheControl: string) =>
    context.body(text, 200, { "Content-Type": `${type}; charset=utf-8`, "Cache-Control": cacheControl });
  server.get("/rss.xml", etag(), async (context) =>
    answer(context, await services.gates.visitor(ownPages, () => rss(services)), "application/rss+xml", alwaysAsked),
  );
  server.get("/sitemap.xml", etag(), async (context) =>
    answer(context, await services.gates.visitor(ownPages, () => sitemap(services)), "application/xml", alwaysAsked),
  );
  server.get("/manifest.webmanifest", etag(), (context) =>
    answer(context, JSON.stringify(manifest()), "application/manifest+json", minutes(60)),
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
    element("description", "Security operations in practice, for organizations in India"),
    element("language", "en-IN"),
    ...(changed.length > 0 ? [element("lastBuildDate", new Date(Math.max(...changed)).toUTCString())] : []),
    ...items,
    "</channel>",
    "</rss>\n",
  ].join("\n");
}

async function sitemap(services: Services): Promise<string> {
  const found = await publishedPosts(services, addressesInSitemap - Object.keys(publicPages).length);
  const textsChanged = await siteTextsChanged(services);
  const ofWords = Object.entries(publicPages).map(([path, day]) => [path, later(day, textsChanged)] as const);
  const ofData = {
    "/blog": latest(found.map(({ updatedAt }) => updatedAt)),
    "/LogInjection": await logSourcesChanged(services),
  };
  const entry = (address: string, changed: string | null | undefined) =>
    `<url>${element("loc", address)}${changed ? element("lastmod", changed) : ""}</url>`;
  const pages = Object.entries({ ...Object.fromEntries(ofWords), ...ofData }).map(([path, changed]) =>
    entry(services.publicUrl + path, changed),
  );
  const articles = found.map(({ idKey, updatedAt }) => entry(addressOf(services, idKey), updatedAt.toISOString()));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...pages,
    ...articles,
    "</urlset>\n",
  ].join("\n");
}

const latest = (days: Date[]) =>
  days.length > 0 ? new Date(Math.max(...days.map((day) => day.getTime()))).toISOString() : null;

async function logSourcesChanged({ database }: Services): Promise<string | null> {
  const [found] = await database.select({ at: max(logSources.updatedAt) }).from(logSources);
  return found?.at?.toISOString() ?? null;
}

/** When the site texts last changed; every page's footer shows some of them. */
async function siteTextsChanged({ database }: Services): Promise<string | null> {
  const [found] = await database.select({ at: max(siteTexts.savedAt) }).from(siteTexts);
  return found?.at?.toISOString() ?? null;
}

/** The later of two days or instants; null for a page without a day. */
const later = (day: string | null, instant: string | null) =>
  day !== null && instant !== null && instant > day ? instant : day;

const manifest = () => ({
  id: "/",
  name: brand.name,
  short_name: brand.name,
  description: `${brand.name}: a security operations centre by subscription`,
  lang: "en-IN",
  start_url: "/",
  display: "standalone",
  theme_color: brand.themeColour,
  background_color: "#f6f8fb",
  icons: [
    { src: "/icons/192.png", sizes: "192x192", type: "image/png" },
    { src: "/icons/512.png", sizes: "512x512", type: "image/png" },
    { src: "/icons/maskable.png", sizes: "512x512", type: "image/png", purpose: "maskable" },
  ],
});

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

/** Escapes text for XML, without control characters, most of which XML can't represent. */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\P{Cc}\t\n\r]/gu, "")
    .replace(/[&<>"']/g, (character) => entities[character] ?? "");
}
