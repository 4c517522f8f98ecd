import { eq, sql } from "drizzle-orm";
import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import sharp from "sharp";
import { article } from "../../tests/articles.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { type Copy, startCopy } from "../../tests/start-copy.ts";
import { member } from "../../tests/people.ts";
import { type NewPost, writePost } from "../content/posts.ts";
import { logSources, posts, rateCards } from "../database/schema/index.ts";

let server: TestServer;
let copy: Copy;
beforeAll(async () => {
  server = await startTestServer({ pages: true, work: false });
  copy = await startCopy(server);
});
afterAll(async () => {
  await copy.stop();
  await server.stop();
});
beforeEach(async () => {
  const { database } = server.services;
  await database.delete(posts);
  await write();
  for (const look of [have("The first text", "/blog/first-post"), have("A first post", "/blog")])
    await vi.waitUntil(async () => (await look()).every(Boolean), { timeout: 30_000 });
});

const write = (over: Partial<NewPost> = {}) =>
  writePost(server.services.database, {
    idKey: "first-post",
    title: "A first post",
    excerpt: "What it says in one sentence.",
    headerImg: "/images/blog/first-post.svg",
    content: "<p>The first text</p>",
    tags: ["SOC", "India"],
    updatedBy: "Asha Rao",
    publishedAt: new Date(Date.now() - 3_600_000),
    ...over,
  });
const page = async (url: string, path: string) => (await fetch(url + path)).text();
const statusOf = async (url: string, path: string) => (await fetch(url + path, { redirect: "manual" })).status;
/** For each copy, whether its page has the text. */
const have = (text: string, path: string) => () =>
  Promise.all([server, copy].map(async ({ url }) => (await page(url, path)).includes(text)));
const statuses = (path: string) => () => Promise.all([server, copy].map(({ url }) => statusOf(url, path)));
const all = [true, true];
const none = [false, false];

// No copy's clock moves here: waiting until a page's minute is over takes longer than a test may.
describe("Every copy shows", () => {
  it("a post as it was changed, with its title in the list and the feed of the router", async () => {
    await write({ title: "A better title", content: "<p>The second text</p>" });
    await expect.poll(have("The second text", "/blog/first-post")).toEqual(all);
    await expect.poll(have("The second text", "/blog/first-post.data")).toEqual(all);
    await expect.poll(have("A better title", "/blog")).toEqual(all);
  });

  it("a new post", async () => {
    await write({ idKey: "second-post", title: "A second post" });
    await expect.poll(have("A second post", "/blog")).toEqual(all);
    await expect.poll(statuses("/blog/second-post")).toEqual([200, 200]);
    await expect.poll(have("A second post", "/blog/first-post")).toEqual(all);
  });

  it("nothing of a post that was unpublished, or deleted", async () => {
    await server.services.database.update(posts).set({ publishedAt: new Date(Date.now() + 3_600_000) });
    await expect.poll(statuses("/blog/first-post")).toEqual([302, 302]);
    await expect.poll(have("A first post", "/blog")).toEqual(none);
    await write();
    await expect.poll(have("A first post", "/blog")).toEqual(all);
    await server.services.database.execute(sql`truncate ${posts}`);
    await expect.poll(statuses("/blog/first-post")).toEqual([302, 302]);
    await expect.poll(have("A first post", "/blog")).toEqual(none);
  });

  it("an article as it is published, moved and taken off by an administrator on one of them, with its image", async () => {
    const admin = await member(server, "admin");
    const change = async (name: string, body: object) => {
      const { body: answer, status } = await server.send(`admin/posts/${name}`, body, admin.token);
      expect(status).toBeLessThan(300);
      return answer as { id: string; version: number };
    };
    const photo = await sharp({ create: { width: 1000, height: 500, channels: 3, background: "#4084f0" } })
      .png()
      .toBuffer();
    const sent = await fetch(`${server.url}/api/admin/posts/add-image`, {
      method: "POST",
      headers: { authorization: `Bearer ${admin.token}` },
      body: new Uint8Array(photo),
    });
    const { headerImg } = (await sent.json()) as { headerImg: string };
    const { id } = await change("add", article({ title: "Told to all", headerImg }));
    await change("publish", { id, version: 1, at: null });
    await expect.poll(have("Told to all", "/blog/an-article")).toEqual(all);
    await expect.poll(have("Told to all", "/blog")).toEqual(all);
    await expect.poll(have("A first post", "/blog/an-article")).toEqual(all);
    for (const feed of ["/rss.xml", "/sitemap.xml"]) expect(await have("/blog/an-article", feed)()).toEqual(all);
    expect(await have(headerImg.replace("-1440.webp", "-480.avif 480w"), "/blog")()).toEqual(all);
    expect(await statuses(headerImg)()).toEqual([200, 200]);

    await change("save", { id, version: 2, content: article({ title: "Told to all", slug: "moved", headerImg }) });
    await change("publish", { id, version: 3, at: null });
    await expect.poll(statuses("/blog/moved")).toEqual([200, 200]);
    await expect.poll(statuses("/blog/an-article")).toEqual([301, 301]);
    const { headers } = await fetch(`${copy.url}/blog/an-article`, { redirect: "manual" });
    expect(headers.get("location")).toBe("/blog/moved");

    await change("unpublish", { id, version: 4 });
    await expect.poll(statuses("/blog/moved")).toEqual([302, 302]);
    await expect.poll(have("Told to all", "/blog")).toEqual(none);
    for (const feed of ["/rss.xml", "/sitemap.xml"]) expect(await have("/blog/moved", feed)()).toEqual(none);
  });

  it("the log sources as they are", async () => {
    const { database } = server.services;
    const source = { product: "Acme Door", category: "Doors", label: "ACME_DOOR", format: "JSON" };
    await expect.poll(have("Acme Door", "/LogInjection")).toEqual(none);
    await database.insert(logSources).values(source);
    await expect.poll(have("Acme Door", "/LogInjection")).toEqual(all);
    await expect.poll(have("Acme Door", "/LogInjection?category=Doors")).toEqual(all);
    await database.update(logSources).set({ product: "Acme Gate" }).where(eq(logSources.label, source.label));
    await expect.poll(have("Acme Gate", "/LogInjection?category=Doors")).toEqual(all);
  });

  it("nothing of a change that was taken back", async () => {
    const { database } = server.services;
    const change = database.transaction(async (transaction) => {
      await transaction.update(posts).set({ content: "<p>Not meant</p>" });
      await expect.poll(have("The first text", "/blog/first-post")).toEqual(all);
      throw new Error("no");
    });
    await expect(change).rejects.toThrow("no");
    await expect.poll(have("The first text", "/blog/first-post")).toEqual(all);
  });

  it("what changed while it could not listen", async () => {
    const { database } = server.services;
    await database.execute(sql`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'prahari-watch' and datname = current_database()`);
    await write({ content: "<p>A text nobody heard of</p>" });
    await expect.poll(have("A text nobody heard of", "/blog/first-post")).toEqual(all);
    await write({ content: "<p>A text they hear of again</p>" });
    await expect.poll(have("A text they hear of again", "/blog/first-post")).toEqual(all);
  });
});

it("A change of what pages may show is told, whoever makes it", async () => {
  const { database } = server.services;
  const { rows } = await database.execute<{ name: string }>(sql`select distinct event_object_table as name
    from information_schema.triggers where trigger_name = 'tell_of_content'`);
  expect(new Set(rows.map(({ name }) => name))).toEqual(
    new Set(["posts", "log_sources", "rate_cards", "proofs", "site_texts"]),
  );
  const heard: (string | undefined)[] = [];
  const client = new Client({ connectionString: server.databaseUrl });
  onTestFinished(() => client.end());
  client.on("notification", ({ payload }) => heard.push(payload));
  await client.connect();
  await client.query("listen content");
  await database.update(rateCards).set({ isSample: true });
  await expect.poll(() => heard).toEqual(["rate_cards"]);
});

it("A scheduled post appears when its time has come", async () => {
  await write({ idKey: "second-post", title: "A second post", publishedAt: new Date(Date.now() + 20_000) });
  await sleep(500);
  expect(await page(server.url, "/blog")).not.toContain("A second post");
  expect(await page(server.url, "/blog/first-post")).not.toContain("A second post");
  server.passTime(25);
  expect(await page(server.url, "/blog")).toContain("A second post");
  expect(await page(server.url, "/blog/first-post")).toContain("A second post");
  expect(await statusOf(server.url, "/blog/second-post")).toBe(200);
});

it("A page is the same for everybody: nothing of who asked for it first is in it", async () => {
  await write({ content: "<p>A text for all</p>" });
  const asked = {
    cookie: "session=theirs",
    authorization: "Bearer theirs",
    "x-forwarded-host": "theirs.example",
    "user-agent": "theirs",
    "X-React-Router-Prerender-Data": "theirs",
  };
  const pageOf = async () => (await fetch(`${server.url}/blog/first-post?theirs=theirs`, { headers: asked })).text();
  await expect.poll(pageOf).toContain("A text for all");
  expect(await pageOf()).not.toContain("theirs");
});

it("A script that got into a post's text is none that the page may run", async () => {
  const { database } = server.services;
  const script = "document.title = 'taken over'";
  await database.update(posts).set({ content: `<p>Taken</p><script nonce="x">${script}</script>` });
  await expect.poll(have(script, "/blog/first-post")).toEqual(all);
  const { headers } = await fetch(`${server.url}/blog/first-post`);
  const policy = headers.get("content-security-policy") ?? "";
  expect(policy).toMatch(/'sha256-/);
  expect(policy).not.toContain(createHash("sha256").update(script).digest("base64"));
});
