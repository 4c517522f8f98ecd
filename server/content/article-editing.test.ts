import { and, eq } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Post } from "../../contract/posts.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { article } from "../../tests/articles.ts";
import { member, type Member } from "../../tests/people.ts";
import { articles, articleVersions, auditEntries } from "../database/schema/index.ts";
import { publishDue } from "./publish-article.ts";

let server: TestServer;
let admin: Member;
let other: Member;
beforeAll(async () => {
  server = await startTestServer({ work: false });
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.services.database.delete(articles);
  // The clock is turned beyond a session's end.
  admin = await member(server, "admin", { firstName: "Meera", lastName: "Iyer" });
  other = await member(server, "admin", { organisationId: admin.organisationId, firstName: "Rohan", lastName: "Das" });
});

const ask = (name: string, body: object, { token }: Member = admin) => server.send(`admin/posts/${name}`, body, token);
const add = async (over: object = {}) => String((await ask("add", article(over))).body["id"]);
const find = async (id: string): Promise<Post> => (await server.call("admin/posts/post", { id }, admin.token)).body;
/** Calls an operation with the post's present version. */
const change = async (name: string, id: string, more: object = {}) =>
  ask(name, { id, version: (await find(id)).version, ...more });
const publish = (id: string, at: string | null = null) => change("publish", id, { at });
const save = (id: string, over: object) => change("save", id, { content: article(over) });
const statusOf = async (name: string, id: string, more: object = {}) => (await change(name, id, more)).status;
const statusesOf = (answers: { status: number }[]) => answers.map(({ status }) => status).toSorted((a, b) => a - b);
const read = async (idKey: string) => (await bySlug(idKey)).status;
const shown = async () => (await server.call("blogs", { startingNode: 0, limit: 20 })).body.map(({ idKey }) => idKey);
const inSeconds = (seconds: number) => new Date(server.services.now().getTime() + seconds * 1000).toISOString();
const entriesOf = (action: string, id: string) =>
  server.services.database.$count(
    auditEntries,
    and(eq(auditEntries.action, action), eq(auditEntries.subject, `article:${id}`)),
  );
const bySlug = (idKey: string) => server.call("blogs/{idKey}", { idKey });

describe("A draft", () => {
  it("needs a title and an address only, and no visitor reads it", async () => {
    const { status } = await ask("add", article({ excerpt: "", markdown: "", tags: [], headerImg: "", headerAlt: "" }));
    expect(status).toBe(201);
    expect(await shown()).toEqual([]);
    expect((await ask("add", article({ slug: "other", title: " " }))).body.fields).toHaveProperty("title");
    expect((await ask("add", article({ slug: "Not An Address" }))).body.fields).toHaveProperty("slug");
  });

  it("is begun once, however often the same is sent, and by somebody else or with other words not at all", async () => {
    const sent = await Promise.all([1, 2, 3].map(() => ask("add", article())));
    expect(sent.map(({ status }) => status)).toEqual([201, 201, 201]);
    const [id, ...others] = sent.map(({ body }) => String(body["id"]));
    expect(others).toEqual([id, id]);
    expect(await entriesOf("add article", id ?? "")).toBe(1);
    expect((await ask("add", article(), other)).status).toBe(422);
    expect((await ask("add", article({ title: "Another title" }))).status).toBe(422);
    await save(id ?? "", {});
    expect((await ask("add", article())).status).toBe(422);
  });

  it("is not published before visitors would have all of it, and says what is missing", async () => {
    const id = await add({ excerpt: "", tags: [], headerAlt: "" });
    for (const at of [null, inSeconds(60)]) {
      const { status, body } = await publish(id, at);
      expect([status, Object.keys(body.fields ?? {})]).toEqual([422, ["excerpt", "tags", "headerAlt"]]);
    }
    expect(await shown()).toEqual([]);
  });

  it("may be as long as its limit in any script", async () => {
    const id = await add({ markdown: "நிகழ்வு ".repeat(7500) });
    expect((await find(id)).content.markdown.length).toBe(60_000);
    expect((await save(id, { markdown: "x".repeat(60_001) })).body.fields).toHaveProperty("content.markdown");
    expect((await save(id, { markdown: "x".repeat(300_000) })).status).toBe(413);
  });

  it("is rendered within what its renderer can bear, for its preview and for visitors", async () => {
    const many = "_a_ ".repeat(201).trim();
    const id = await add({ markdown: `_One_\n\n${many}` });
    const { body } = await server.call("admin/posts/preview", { id }, admin.token);
    expect(body.content).toContain(`<em>One</em></p>\n<p>${many}</p>`);
    await publish(id);
    expect((await bySlug("an-article")).body.content).toBe(body.content);
    await save(id, { markdown: "> ".repeat(30_000) });
    for (const refused of [await ask("preview", { id }), await publish(id)])
      expect([refused.status, refused.body.fields]).toEqual([
        422,
        { markdown: expect.stringMatching(/^Quotes or lists/) },
      ]);
  });

  it("keeps its Markdown to the letter, and shows none of its scripts", async () => {
    const image = '<img src="/images/blog/soc-tiers-explained.svg" alt="A stair" onerror="alert(1)">';
    const markdown = `First  \nsecond\n\n\n\n* a\n\n<script>alert("x")</script>\n\n${image}\n`;
    const id = await add({ markdown });
    expect((await find(id)).content.markdown).toBe(markdown);
    const { body } = await server.call("admin/posts/preview", { id }, admin.token);
    expect(body.content).toContain("First<br");
    await publish(id);
    const post = await bySlug("an-article");
    expect(post.body.content).toBe(body.content);
    expect(post.body.content).not.toMatch(/script|onerror/);
  });
});

describe("An address", () => {
  it("is one article's alone, also where it was another's before", async () => {
    const id = await add();
    expect((await ask("add", article(), other)).body.fields).toHaveProperty("slug");
    await publish(id);
    await save(id, { slug: "moved" });
    // Visitors still find the article at this address.
    expect((await ask("add", article())).body.fields).toHaveProperty("slug");
    await publish(id);
    expect((await ask("add", article())).body.fields).toHaveProperty("slug");
    expect((await save(id, {})).status).toBe(200);
  });

  it("of before leads to the article, also after it was off the site, until it has that address again", async () => {
    const id = await add();
    await publish(id);
    await save(id, { slug: "moved" });
    expect((await bySlug("an-article")).body.idKey).toBe("an-article");
    await publish(id);
    expect((await bySlug("an-article")).body.idKey).toBe("moved");
    await change("unpublish", id);
    expect([await read("an-article"), await read("moved")]).toEqual([404, 404]);
    await save(id, { slug: "third" });
    await publish(id);
    expect((await bySlug("moved")).body.idKey).toBe("third");
    await save(id, {});
    await publish(id);
    expect((await bySlug("an-article")).body.idKey).toBe("an-article");
    expect((await bySlug("third")).body.idKey).toBe("an-article");
  });

  it("is given once to those who ask for it at the same time", async () => {
    const answers = await Promise.all([1, 2, 3, 4].map((each) => ask("add", article({ title: `Title ${each}` }))));
    expect(statusesOf(answers)).toEqual([201, 422, 422, 422]);
  });
});

describe("What visitors read", () => {
  it("stays as it was published while the next version is written, and follows when that is published", async () => {
    const id = await add();
    await publish(id);
    const first = (await bySlug("an-article")).body;
    await save(id, { title: "A better title", markdown: "Another lead." });
    expect((await bySlug("an-article")).body).toEqual(first);
    expect(await find(id)).toMatchObject({ state: "published", has_changes: true });
    await publish(id);
    expect((await bySlug("an-article")).body).toMatchObject({
      title: "A better title",
      content: "<p>Another lead.</p>\n",
      created_at: first.created_at,
    });
    expect(await find(id)).toMatchObject({ has_changes: false });
  });

  it("is off every list once it is unpublished, and an unpublished one can't be unpublished again", async () => {
    const id = await add();
    expect(await statusOf("unpublish", id)).toBe(409);
    await publish(id);
    expect(await shown()).toEqual(["an-article"]);
    expect(await statusOf("unpublish", id)).toBe(200);
    expect(await shown()).toEqual([]);
    expect(await find(id)).toMatchObject({ state: "unpublished" });
    for (const feed of ["/rss.xml", "/sitemap.xml"])
      expect(await (await fetch(server.url + feed)).text()).not.toContain("an-article");
  });

  it("is published once by those who press the button at the same time", async () => {
    const id = await add();
    const answers = await Promise.all([1, 2, 3].map(() => ask("publish", { id, version: 1, at: null })));
    expect(statusesOf(answers)).toEqual([200, 409, 409]);
    expect(await entriesOf("publish article", id)).toBe(1);
  });
});

describe("A schedule", () => {
  it("lies ahead, within a year, and is not for what is published", async () => {
    const id = await add();
    for (const at of [inSeconds(-1), inSeconds(400 * 86_400)]) {
      const { status, body } = await publish(id, at);
      expect([status, Object.keys(body.fields ?? {})]).toEqual([422, ["at"]]);
    }
    expect((await publish(id, "tomorrow")).status).toBe(422);
    await publish(id);
    expect((await publish(id, inSeconds(60))).status).toBe(409);
  });

  it("is kept once by however many copies look, and publishes what was saved last", async () => {
    const id = await add();
    const at = inSeconds(1800);
    expect((await publish(id, at)).status).toBe(200);
    expect(await find(id)).toMatchObject({ state: "scheduled", published_at: at });
    expect(await publishDue(server.services)).toBe(0);
    expect((await save(id, { title: "Written in the last minute" })).status).toBe(200);
    expect((await save(id, { headerAlt: "" })).body.fields, "it has to stay whole").toHaveProperty("headerAlt");
    server.passTime(1801);
    const runs = await Promise.all([1, 2, 3, 4].map(() => publishDue(server.services)));
    expect(runs.reduce((sum, run) => sum + run)).toBe(1);
    expect((await bySlug("an-article")).body).toMatchObject({ title: "Written in the last minute", created_at: at });
    expect(await entriesOf("publish article", id)).toBe(1);
    expect(await find(id)).toMatchObject({ state: "published" });
  });

  it("that was taken back publishes nothing, and one that was moved keeps the later time", async () => {
    const [first, second] = [await add(), await add({ slug: "second" })];
    await publish(first, inSeconds(60));
    await publish(second, inSeconds(60));
    expect(await statusOf("unpublish", first)).toBe(200);
    await publish(second, inSeconds(7200));
    server.passTime(120);
    expect(await publishDue(server.services)).toBe(0);
    expect(await find(first)).toMatchObject({ state: "draft", published_at: null });
    server.passTime(7200);
    expect(await publishDue(server.services)).toBe(1);
  });

  it("that can't be kept for one article is kept for the others", async () => {
    const [first, second] = [await add(), await add({ slug: "second" })];
    await publish(first, inSeconds(60));
    await publish(second, inSeconds(61));
    // Content that the contract would never accept.
    const content = { ...article(), headerImg: "nowhere" };
    await server.services.database.update(articles).set({ content }).where(eq(articles.id, first));
    server.passTime(120);
    expect(await publishDue(server.services)).toBe(1);
    expect(await find(second)).toMatchObject({ state: "published" });
  });
});

describe("Of two editors", () => {
  it("the second is told who was faster, and nothing of either is lost", async () => {
    const id = await add();
    const mine = ask("save", { id, version: 1, content: article({ title: "Title by one" }) });
    const theirs = ask("save", { id, version: 1, content: article({ title: "Title by other" }) }, other);
    const answers = await Promise.all([mine, theirs]);
    expect(statusesOf(answers)).toEqual([200, 409]);
    const told = answers.find(({ status }) => status === 409)?.body.error;
    const winner = answers[0]?.status === 200 ? "Meera Iyer" : "Rohan Das";
    expect(told).toBe(`${winner} has changed this article meanwhile.`);
    expect(await server.services.database.$count(articleVersions)).toBe(2);
    for (const name of ["save", "restore", "publish", "unpublish"]) {
      const body = { id, version: 1, content: article(), restored: 1, at: null };
      expect((await ask(name, body)).status, name).toBe(409);
    }
  });
});

describe("Earlier versions", () => {
  it("are listed with who saved them, read, and restored as the newest", async () => {
    const id = await add({ title: "The first title" });
    await save(id, { title: "The second title" });
    await publish(id);
    const { versions, version } = await find(id);
    expect(versions.map(({ title, saved_by, published }) => [title, saved_by, published])).toEqual([
      ["The second title", "Meera Iyer", true],
      ["The first title", "Meera Iyer", false],
    ]);
    const old = await server.call("admin/posts/version", { id, version: 1 }, admin.token);
    expect(old.body.content).toEqual(article({ title: "The first title" }));
    expect((await ask("restore", { id, version, restored: 1 })).status).toBe(200);
    const now = await find(id);
    expect([now.title, now.versions.length, now.has_changes]).toEqual(["The first title", 3, true]);
    expect((await bySlug("an-article")).body.title, "visitors read it when it is published").toBe("The second title");
    expect(await statusOf("restore", id, { restored: 99 })).toBe(404);
    const beyond = 2 ** 31;
    expect(await statusOf("restore", id, { restored: beyond })).toBe(422);
    expect((await server.call("admin/posts/version", { id, version: beyond }, admin.token)).status).toBe(422);
  });
});

describe("A draft that nobody has read", () => {
  it("is deleted with its versions, leaves its address free, and is not there a second time", async () => {
    const id = await add();
    await save(id, { title: "Another title" });
    expect(await statusOf("remove", id)).toBe(200);
    expect(await server.services.database.$count(articleVersions)).toBe(0);
    const again = await ask("remove", { id, version: 2 });
    expect([again.status, again.body.error]).toEqual([404, "This article was not found."]);
    expect((await ask("save", { id, version: 2, content: article() })).status).toBe(404);
    expect(await entriesOf("remove article", id)).toBe(1);
    expect((await ask("add", article())).status).toBe(201);
  });

  it("stays where somebody has changed it, where it is scheduled, and once visitors have read it", async () => {
    const id = await add();
    await save(id, { title: "Written meanwhile" });
    expect((await ask("remove", { id, version: 1 }, other)).body.error).toBe(
      "Meera Iyer has changed this article meanwhile.",
    );
    await publish(id, inSeconds(60));
    expect((await change("remove", id)).body.error).toMatch(/^This article is scheduled\./);
    await publish(id);
    expect((await change("remove", id)).body.error).toMatch(/^Visitors have read this article/);
    await change("unpublish", id);
    expect((await change("remove", id)).body.error).toMatch(/^Visitors have read this article/);
    await publish(id);
    expect(await read("an-article")).toBe(200);
  });
});

it("A child administrator reads everything and changes nothing", async () => {
  const child = await member(server, "adminChild", { organisationId: admin.organisationId });
  const id = await add();
  for (const [name, input] of [
    ["admin/posts", {}],
    ["admin/posts/post", { id }],
    ["admin/posts/version", { id, version: 1 }],
    ["admin/posts/words", {}],
    ["admin/posts/preview", { id }],
  ] as const)
    expect((await server.send(name, input, child.token)).status, name).toBe(200);
  for (const name of ["add", "save", "restore", "publish", "unpublish", "remove", "add-image", "add-text-image"])
    expect((await ask(name, { id, version: 1 }, child)).status, name).toBe(403);
});

it("The list is narrowed by state and tag, searched, and names the tags and authors that there are", async () => {
  const first = await add({ tags: ["SOC", "India"] });
  await add({ slug: "second", title: "Another one", tags: ["Logging"], author: "Rohan Das" });
  await publish(first);
  const list = async (query: object) =>
    (await server.call("admin/posts", query, admin.token)).body.posts.map(({ slug }) => slug);
  expect(await list({})).toEqual(["an-article", "second"]);
  expect(await list({ state: "draft" })).toEqual(["second"]);
  expect(await list({ tag: "India" })).toEqual(["an-article"]);
  expect(await list({ tag: "Logging", state: "published" })).toEqual([]);
  expect(await list({ search: "rohan" })).toEqual(["second"]);
  const { body } = await server.call("admin/posts/words", {}, admin.token);
  expect(body).toEqual({ tags: ["India", "Logging", "SOC"], authors: ["Asha Rao", "Rohan Das"] });
  expect(await statusOf("publish", first, { id: randomUUID(), at: null })).toBe(404);
});
