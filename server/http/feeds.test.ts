import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { eq, like } from "drizzle-orm";
import { publicPages } from "../../contract/public-pages.ts";
import { posts, seedings } from "../database/schema/index.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { readArticles } from "../content/articles.ts";
import { escapeXml } from "./feeds.ts";
import { writePost } from "../content/posts.ts";
import { ensureContent } from "../content/shipped-content.ts";

const hostile = `A <b>"bold"</b> & 'odd' title ]]> \u0001 of a test`;
const later = new Date(Date.now() + 24 * 3_600_000);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ work: false });
  const { database } = server.services;
  await ensureContent(database);
  const post = { excerpt: hostile, headerImg: "/a.svg", content: "", tags: ["a & b"], updatedBy: "Asha <Rao>" };
  await writePost(database, { ...post, idKey: "odd", title: hostile, publishedAt: new Date() });
  await writePost(database, { ...post, idKey: "to-come", title: "To come", publishedAt: later });
});
afterAll(() => server.stop());

const read = async (path: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(server.url + path, { headers });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
};

/**
 * The elements of well-formed XML with their texts. @throws Error where a tag does not match or a character is not
 * escaped
 */
function parse(xml: string): { name: string; text: string }[] {
  const elements: { name: string; text: string }[] = [];
  const open: { name: string; text: string }[] = [];
  const rest = xml.replace(/^<\?xml version="1\.0" encoding="UTF-8"\?>/, "");
  for (const [token, closing, name, selfClosing] of rest.matchAll(
    /<(\/?)([\w:]+)(?:\s[\w:]+="[^"<]*")*(\/?)>|[^<]+|</g,
  )) {
    const current = open.at(-1);
    if (name && closing) {
      if (open.pop()?.name !== name) throw new Error(`</${name}> does not fit`);
    } else if (name) {
      const element = { name, text: "" };
      elements.push(element);
      if (!selfClosing) open.push(element);
    } else {
      if (token === "<" || /&(?!(?:amp|lt|gt|quot|apos);)|[\p{Cc}--[\n\t\r]]/v.test(token)) throw new Error(token);
      if (current) current.text += unescape(token);
      else if (token.trim()) throw new Error(`text outside: ${token}`);
    }
  }
  if (open.length > 0) throw new Error("not closed");
  return elements;
}
const signs: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
const unescape = (text: string) => text.replace(/&(\w+);/g, (_entity, name: string) => signs[name] ?? "");
/** The sitemap's day for each address; null where it gives none. */
async function lastChanges(): Promise<Record<string, string | null>> {
  const { text } = await read("/sitemap.xml");
  const entries = text.matchAll(/<url><loc>(.*?)<\/loc>(?:<lastmod>(.*?)<\/lastmod>)?<\/url>/g);
  return Object.fromEntries([...entries].map(([, address = "", day]) => [new URL(address).pathname, day ?? null]));
}
const textsOf = (xml: string, wanted: string) =>
  parse(xml).flatMap(({ name, text }) => (name === wanted ? [text] : []));

describe("the feed", () => {
  it("has the newest posts with absolute addresses, and nothing that is to come", async () => {
    const { text, headers } = await read("/rss.xml");
    expect(headers.get("content-type")).toBe("application/rss+xml; charset=utf-8");
    const links = textsOf(text, "link");
    expect(links.slice(0, 2)).toEqual([`${server.url}/blog`, `${server.url}/blog/odd`]);
    expect(links.length).toBe(readArticles().length + 2);
    expect(links).not.toContain(`${server.url}/blog/to-come`);
    expect(textsOf(text, "guid")).toEqual(links.slice(1));
    for (const date of textsOf(text, "pubDate")) expect(date).toMatch(/^\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT$/);
    expect(text).toContain(`<atom:link href="${server.url}/rss.xml" rel="self"`);
  });
  it("shows what is in titles, names and tags as text", async () => {
    const { text } = await read("/rss.xml");
    expect(textsOf(text, "title")[1]).toBe(hostile.replace("\u0001", ""));
    expect(textsOf(text, "dc:creator")[0]).toBe("Asha <Rao>");
    expect(textsOf(text, "category")[0]).toBe("a & b");
  });
});

describe("the sitemap", () => {
  it("has every public page and post, once, with the day a post was changed", async () => {
    const { text, headers } = await read("/sitemap.xml");
    expect(headers.get("content-type")).toBe("application/xml; charset=utf-8");
    const found = textsOf(text, "loc");
    for (const path of ["/", "/about", "/contact", "/blog", "/estimator", "/LogInjection", "/privacy-policy"])
      expect(found).toContain(server.url + path);
    for (const { slug } of readArticles()) expect(found).toContain(`${server.url}/blog/${slug}`);
    expect(found).not.toContain(`${server.url}/blog/to-come`);
    expect(new Set(found).size).toBe(found.length);
    for (const day of textsOf(text, "lastmod")) expect(Number.isNaN(Date.parse(day))).toBe(false);
  });
  it("dates a shipped article by its own day, a page by that of its words, and a list by its newest entry", async () => {
    const changed = await lastChanges();
    const [article] = readArticles();
    expect(changed[`/blog/${article?.slug}`]).toBe(`${article?.updated ?? article?.published}T06:00:00.000Z`);
    expect(changed["/about"]).toBe(publicPages["/about"]);
    expect(changed["/estimator"]).toBeNull();
    const { database } = server.services;
    const [odd] = await database.select({ at: posts.updatedAt }).from(posts).where(eq(posts.idKey, "odd"));
    expect(changed["/blog"]).toBe(odd?.at.toISOString());
    const [list] = await database.select().from(seedings).where(like(seedings.name, "log-sources:%"));
    expect(changed["/LogInjection"]).toBe(list?.at.toISOString());
  });
  it("names no page that signing in is needed for", async () => {
    expect((await read("/sitemap.xml")).text).not.toMatch(/<loc>[^<]*\/(?:user|partner|admin|api|dev|login)\b/);
  });
});

it("robots.txt closes the areas that are not for search engines and names the sitemap", async () => {
  const { text, headers } = await read("/robots.txt");
  expect(headers.get("content-type")).toBe("text/plain; charset=utf-8");
  expect(text.split("\n")).toEqual([
    "User-agent: *",
    ...["/user", "/partner", "/admin", "/api", "/dev", "/sandbox"].map((path) => `Disallow: ${path}`),
    "",
    `Sitemap: ${server.url}/sitemap.xml`,
    "",
  ]);
});

test.each(["/rss.xml", "/sitemap.xml", "/robots.txt", "/manifest.webmanifest"])(
  "%s may be kept for a while and is not sent twice",
  async (path) => {
    const { headers } = await read(path);
    expect(headers.get("cache-control")).toMatch(/^public, max-age=\d+(, must-revalidate)?$/);
    const again = await read(path, { "if-none-match": headers.get("etag") ?? "none" });
    expect([again.status, again.text]).toEqual([304, ""]);
    expect((await fetch(server.url + path, { method: "HEAD" })).status).toBe(200);
  },
);

test.each(["/rss.xml", "/sitemap.xml"])("%s is read within the gate of visitors", async (path) => {
  const { visitor } = server.services.gates;
  const { promise, resolve } = Promise.withResolvers<void>();
  const anybody = { network: "203.0.113.7" };
  let places = 0;
  const full = [];
  while (visitor.use().waiting === 0) {
    places++;
    full.push(visitor(anybody, () => promise));
  }
  const answered = read(path);
  await expect.poll(() => visitor.use().waiting).toBe(2);
  resolve();
  expect((await answered).status).toBe(200);
  expect(await Promise.all(full)).toHaveLength(places);
});

test("XML has none of the signs it can't hold", () => {
  expect(escapeXml(`<a b="c">&'\u0000\u0008\uD800\n\u{1F600}`)).toBe(
    "&lt;a b=&quot;c&quot;&gt;&amp;&apos;\uFFFD\n\u{1F600}",
  );
});
