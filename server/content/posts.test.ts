import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import type { BlogSummary } from "../../contract/content.ts";
import { limits } from "../../contract/limits.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { posts } from "../database/schema/index.ts";
import { type NewPost, readingMinutesOf, writePost } from "./posts.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ work: false });
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.services.database.delete(posts);
});

const day = 24 * 3_600_000;
const write = (over: Partial<NewPost> = {}) =>
  writePost(server.services.database, {
    idKey: "first-post",
    title: "A first post",
    excerpt: "What it says in one sentence.",
    headerImg: "/images/blog/first-post.svg",
    content: "<p>Hello</p>",
    tags: ["SOC", "India"],
    updatedBy: "Asha Rao",
    publishedAt: new Date(Date.now() - day),
    ...over,
  });
const list = async (page: object = {}) => (await server.call("blogs", page)).body as BlogSummary[];
const keys = async (page: object = {}) => (await list(page)).map(({ idKey }) => idKey);

describe("the list", () => {
  it("has the newest first, three unless more are asked for, and no content", async () => {
    for (let age = 1; age <= 7; age++)
      await write({ idKey: `post-${age}`, publishedAt: new Date(Date.now() - age * day) });
    expect(await keys()).toEqual(["post-1", "post-2", "post-3"]);
    expect((await list())[0]).toEqual({
      idKey: "post-1",
      title: "A first post",
      excerpt: "What it says in one sentence.",
      headerImg: "/images/blog/first-post.svg",
      headerAlt: "",
      tags: ["SOC", "India"],
      updated_by: "Asha Rao",
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      reading_minutes: 1,
    });
    expect(await keys({ startingNode: 3, limit: 3 })).toEqual(["post-4", "post-5", "post-6"]);
    expect(await keys({ startingNode: 6, limit: 3 })).toEqual(["post-7"]);
    expect(await keys({ startingNode: 9, limit: 3 })).toEqual([]);
  });
  it("has no repeats and no gaps where posts came at one time", async () => {
    const publishedAt = new Date();
    for (let number = 0; number < 8; number++) await write({ idKey: `post-${number}`, publishedAt });
    const paged = [];
    for (let start = 0; start < 9; start += 3) paged.push(...(await keys({ startingNode: start })));
    expect(paged.toSorted()).toEqual(Array.from({ length: 8 }, (_, number) => `post-${number}`));
  });
  it("is empty where there are none", async () => {
    expect(await list()).toEqual([]);
  });
  test.each([
    ["startingNode", -1],
    ["startingNode", 0.5],
    ["startingNode", "3"],
    ["startingNode", limits.startingNodeMax + 1],
    ["startingNode", 1e300],
    ["limit", 0],
    ["limit", limits.blogPageMax + 1],
    ["limit", "all"],
    ["limit", [3]],
  ])("bad input answers 422 and names the field: %s %j", async (field, value) => {
    const { status, body } = await server.send("blogs", { [field]: value });
    expect([status, Object.keys(body.fields ?? {})]).toEqual([422, [field]]);
  });
});

describe("a post", () => {
  it("comes with its content by its address", async () => {
    await write();
    const { status, body } = await server.call("blogs/{idKey}", { idKey: "first-post" });
    expect([status, body.title, body.content]).toEqual([200, "A first post", "<p>Hello</p>"]);
  });
  test.each(["no-such-post", "First-Post", "first_post", "..%2Ffirst-post", "%00", "%E0%A4%A", "'", "a".repeat(500)])(
    "that is not there answers 404: %s",
    async (idKey) => {
      await write();
      const authorization = `Bearer ${await server.publicToken()}`;
      const answer = await fetch(`${server.url}/api/blogs/${idKey}`, { headers: { authorization } });
      expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([404, "not_found"]);
    },
  );
  it("can't be asked for by another field in the query", async () => {
    await write();
    const authorization = `Bearer ${await server.publicToken()}`;
    const answer = await fetch(`${server.url}/api/blogs/absent?idKey=first-post`, { headers: { authorization } });
    expect(answer.status).toBe(404);
  });
  it("that is to come later is in no list and at no address before its time", async () => {
    await write({ publishedAt: new Date(Date.now() + day) });
    expect(await list()).toEqual([]);
    expect((await server.call("blogs/{idKey}", { idKey: "first-post" })).status).toBe(404);
    server.passTime(25 * 3600);
    expect(await keys()).toEqual(["first-post"]);
    server.passTime(-25 * 3600);
  });
  it("is sanitised when it is written, also when it is written anew", async () => {
    await write();
    await write({ title: "Changed", content: `<p onclick="x()">Hello<script>alert(1)</script></p>` });
    const [stored, ...others] = await server.services.database.select().from(posts);
    expect([stored?.title, stored?.content, others.length]).toEqual(["Changed", "<p>Hello</p>", 0]);
  });
  it("is refused with an address or an image that does not belong to the site", async () => {
    await expect(write({ idKey: "../admin" })).rejects.toThrow("no address of a post");
    await expect(write({ headerImg: "https://evil.example/a.png" })).rejects.toThrow("no image of the site");
  });
});

test.each([
  [1, 1],
  [200, 1],
  [201, 2],
  [1000, 5],
])("%i words take %i minutes to read", (words, minutes) => {
  expect(readingMinutesOf("word ".repeat(words).trim())).toBe(minutes);
});
