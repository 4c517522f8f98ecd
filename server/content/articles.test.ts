import { existsSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { member } from "../../tests/people.ts";
import { articles, posts, seedings } from "../database/schema/index.ts";
import { type Article, ensureArticles, readArticle, readArticles } from "./articles.ts";
import { ensureContent } from "./shipped-content.ts";
import { textOf } from "./sanitise.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ work: false });
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.services.database.delete(posts);
  await server.services.database.delete(articles);
  await server.services.database.delete(seedings);
});

const allShipped = readArticles();
const file = (text: string, title = "An article of a test") =>
  `---
title: ${title}
slug: an-article
excerpt: One sentence that says what the article is about.
tags: SOC, India
published: 2026-10-05
image: /images/blog/an-article.svg
alt: What it shows
---

${text}
`;
const shipped = (text: string): Article => readArticle("an-article.md", file(text));
const stored = async () => (await server.services.database.select().from(posts))[0];

describe("the shipped articles", () => {
  it("are nine or more, each with an address of its own", () => {
    expect(allShipped.length).toBeGreaterThanOrEqual(9);
    expect(new Set(allShipped.map(({ slug }) => slug)).size).toBe(allShipped.length);
  });
  it("are stored by however many copies start, and published by the editorial desk", async () => {
    await Promise.all([1, 2, 3].map(() => ensureContent(server.services.database)));
    const all = await server.services.database.select().from(posts);
    expect(all.map(({ idKey }) => idKey).toSorted()).toEqual(allShipped.map(({ slug }) => slug).toSorted());
    expect(new Set(all.map(({ updatedBy }) => updatedBy))).toEqual(new Set(["Prahari editorial desk"]));
    expect(all.every(({ readingMinutes }) => readingMinutes >= 4 && readingMinutes < 20)).toBe(true);
  });
  describe.each(allShipped.map((article) => [article.slug, article] as const))("%s", (slug, article) => {
    const [, sources = ""] = article.markdown.split(/^## Sources$/m);
    it("has 700 words or more", () => {
      expect(textOf(article.markdown).split(" ").length).toBeGreaterThanOrEqual(700);
    });
    it("ends with its sources, each by https", () => {
      expect(sources.match(/\]\(https:\/\/[^)\s]+\)|<https:\/\/[^>\s]+>/g)?.length ?? 0).toBeGreaterThanOrEqual(2);
      expect(sources).not.toMatch(/^#/m);
    });
    it("links only by https or within the site, and begins with its lead", () => {
      expect(article.markdown).not.toMatch(/\]\((?!https:\/\/|\/)/);
      expect(article.markdown.trimStart()).toMatch(/^[\p{L}\p{N}"“‘*_[]/u);
    });
    it("starts no clock of CERT-In's at a confirmation, and dates the duties of 2027 to the day", () => {
      expect(article.markdown).not.toMatch(/six hours[^.]*\bfrom confirm|\bIncident confirmed\s*\|/i);
      expect(article.markdown).not.toMatch(/(?<!13 )\bMay 2027/);
    });
    it("has its picture, and its file's name is its address", () => {
      expect(existsSync(`public${article.image}`), article.image).toBe(true);
      expect(existsSync(`server/content/articles/${slug}.md`)).toBe(true);
    });
    it("keeps everything it says when it is sanitised", async () => {
      await ensureArticles(server.services.database, () => [article]);
      const { content = "" } = (await stored()) ?? {};
      expect(content).toMatch(/^<p>/);
      expect(content.match(/<h2>/g)?.length).toBe(article.markdown.match(/^## /gm)?.length);
      expect(content.match(/<a href="https:/g)?.length).toBe(article.markdown.match(/\]\(https:|<https:/g)?.length);
    });
  });
});

describe("a shipped article", () => {
  const ship = (text: string) => ensureArticles(server.services.database, () => [shipped(text)]);
  const edited = async () => (await server.services.database.select().from(articles))[0];
  /** A post as the product stored it before it had an editor. */
  const shippedBefore = async (over: Partial<typeof posts.$inferInsert> = {}) => {
    const { database } = server.services;
    const at = new Date("2026-10-05T06:00:00Z");
    const post = {
      idKey: "an-article",
      title: "An old title",
      excerpt: "Old.",
      headerImg: "/images/blog/an-article.svg",
    };
    const more = { content: "<p>Old.</p>", tags: ["SOC"], updatedBy: "Prahari editorial desk", readingMinutes: 1 };
    await database.insert(posts).values({ ...post, ...more, publishedAt: at, updatedAt: at, ...over });
    await database.insert(seedings).values({ name: "article:an-article:hash", at });
  };

  it("is stored as HTML, on its day in India, and can be edited", async () => {
    await ship("The lead.\n\n## A part\n\n- one\n\n<script>alert(1)</script>");
    expect(await stored()).toMatchObject({
      idKey: "an-article",
      content: expect.stringMatching(/^<p>The lead\.<\/p>\s*<h2>A part<\/h2>\s*<ul>\s*<li>one<\/li>\s*<\/ul>\s*$/),
      headerAlt: "What it shows",
      tags: ["SOC", "India"],
      publishedAt: new Date("2026-10-05T06:00:00Z"),
      articleId: (await edited())?.id,
    });
    expect(await edited()).toMatchObject({ state: "published", slug: "an-article", version: 1, publishedVersion: 1 });
  });
  it("is not looked at any more once articles are in the database, changed or removed", async () => {
    await ship("One.");
    await ship("Two.");
    expect(await stored()).toMatchObject({ content: "<p>One.</p>\n" });
    await server.services.database.delete(articles);
    await ship("Three.");
    expect(await stored()).toBeUndefined();
  });
  it("of a version before the editor is brought up to date once, as long as nobody edited it", async () => {
    await shippedBefore();
    await ship("Two.");
    expect(await stored()).toMatchObject({ content: "<p>Two.</p>\n", title: "An article of a test" });
    expect((await edited())?.content.markdown).toBe("Two.");
  });
  it("that somebody edited before there was an editor stays as it was edited, and can be edited further", async () => {
    await shippedBefore({ content: "<p>Edited.</p>", updatedAt: new Date() });
    await ship("Two.");
    expect(await stored()).toMatchObject({ content: "<p>Edited.</p>", articleId: (await edited())?.id });
    expect((await edited())?.content).toMatchObject({ markdown: "<p>Edited.</p>", slug: "an-article" });
  });
  it("is opened in the editor whatever was written by hand before", async () => {
    await shippedBefore({ idKey: "by-hand", title: "A | B", headerImg: "/images/elsewhere.png", content: "<p>B</p>" });
    await ensureArticles(server.services.database, () => []);
    const admin = await member(server, "admin");
    const { status, body } = await server.call("admin/posts/post", { id: (await edited())?.id ?? "" }, admin.token);
    expect([status, body.content]).toEqual([200, expect.objectContaining({ title: "A | B", markdown: "<p>B</p>" })]);
  });
  it("that somebody removed before there was an editor does not come back", async () => {
    await shippedBefore();
    await server.services.database.delete(posts);
    await ship("Two.");
    expect([await stored(), await edited()]).toEqual([undefined, undefined]);
  });
});

describe("a file that is not right is refused with its name", () => {
  test.each([
    ["no front matter", "Just text."],
    ["a title that is missing", file("a").replace(/^title:.*\n/m, "")],
    ["a field nobody knows", file("a").replace("slug:", "author: x\nslug:")],
    ["a slug with capitals", file("a").replace("slug: an", "slug: An")],
    ["a date that does not exist", file("a").replace("2026-10-05", "2026-02-30")],
    ["a picture of another host", file("a").replace("/images/blog", "https://evil.example")],
    ["no tags", file("a").replace("tags: SOC, India", "tags:")],
  ])("%s", (_what, text) => {
    expect(() => readArticle("wrong.md", text)).toThrow(/^wrong\.md: /);
  });
  it("while line ends of Windows and quoted values are fine", () => {
    const read = readArticle("a.md", file("One.\n\nTwo.", `"A title: with a colon"`).replaceAll("\n", "\r\n"));
    expect([read.title, read.markdown]).toEqual(["A title: with a colon", "\nOne.\n\nTwo.\n"]);
  });
});
