import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ensureContent } from "../content/shipped-content.ts";
import { unsubscribeToken } from "../mail/unsubscribe.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";

const article = "/blog/soc-tiers-explained";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ pages: true, work: false });
  await ensureContent(server.services.database);
  await untilNewsIsHeard();
  // A visitor has opened these before.
  for (const path of ["/blog?from=3", article]) await ask(path);
  server.services.watch.stop();
  await server.services.database.$client.end();
});
afterAll(() => server.stop());

/** Notifications arrive in the order of writing: after this one, all earlier ones have arrived. */
async function untilNewsIsHeard(): Promise<void> {
  const { promise: heard, resolve } = Promise.withResolvers<void>();
  const nothing = () => {};
  await server.services.watch.listen("said_last", () => resolve(), nothing);
  await server.services.database.$client.query("select pg_notify('said_last', '')");
  await heard;
}

const ask = async (path: string, method = "GET") => {
  const answer = await fetch(server.url + path, { method, redirect: "manual" });
  return {
    status: answer.status,
    type: answer.headers.get("content-type"),
    retryAfter: answer.headers.get("retry-after"),
    body: await answer.text(),
  };
};

it.each(["/blog", "/LogInjection"])("A page without the database comes, as one to ask for again: %s", async (path) => {
  const { status, type, retryAfter, body } = await ask(path);
  expect({ status, type, retryAfter }).toEqual({ status: 503, type: "text/html; charset=utf-8", retryAfter: "2" });
  expect(body).toContain("<h1");
});

it.each(["/rss.xml", "/sitemap.xml", "/health"])(
  "What needs the database is to be asked for again: %s",
  async (path) => {
    const { status, retryAfter } = await ask(path);
    expect({ status, retryAfter }).toEqual({ status: 503, retryAfter: "2" });
  },
);

it.each(["GET", "POST"])("The link that stops mails says to open it again: %s", async (method) => {
  const token = unsubscribeToken(server.services.env.tokenSecret, { personId: randomUUID(), kind: "proposals" });
  const { status, type, retryAfter, body } = await ask(`/unsubscribe/${token}`, method);
  expect({ status, type, retryAfter }).toEqual({ status: 503, type: "text/html; charset=UTF-8", retryAfter: "2" });
  expect(body).toContain("open the link from the mail again");
});

it.each(["/", "/about", "/estimator"])("A page that needs none comes as ever: %s", async (path) => {
  expect((await ask(path)).status).toBe(200);
});

it("A page that was seen before comes as it was, for an hour", async () => {
  expect((await ask("/blog?from=3")).status).toBe(200);
  expect((await ask(`${article}?utm_source=mail`)).body).toContain("<h1");
  server.passTime(3500);
  expect((await ask(article)).status).toBe(200);
  server.passTime(200);
  expect((await ask("/blog?from=3")).status).toBe(503);
  expect((await ask(article)).status).not.toBe(200);
});
