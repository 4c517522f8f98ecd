import { randomUUID } from "node:crypto";
import { request as httpRequest } from "node:http";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { errorStatuses } from "../../contract/errors.ts";
import { limits } from "../../contract/limits.ts";
import { operations } from "../../contract/operations.ts";
import { placeOf } from "../../contract/operation.ts";
import { type Role, roles } from "../../contract/roles.ts";
import { customer, quoteRequest, signIn } from "../../tests/factories.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { people, rateLimits } from "../database/schema/index.ts";

let server: TestServer;
const tokens: Partial<Record<Role, string>> = {};
beforeAll(async () => {
  server = await startTestServer();
  for (const role of roles) {
    const person = await customer(server);
    await server.services.database.update(people).set({ role }).where(eq(people.email, person.email));
    await server.services.database.delete(rateLimits);
    tokens[role] = await signIn(server, person.email);
  }
});
afterAll(() => server.stop());

describe("what is sent must be as the contract says", () => {
  it("malformed JSON answers 400", async () => {
    const { status, body } = await server.send("auth/login", "{not json");
    expect({ status, code: body.code }).toEqual({ status: 400, code: "malformed" });
  });
  it("another content type answers 415", async () => {
    const { status } = await server.send("auth/login", "email=a", undefined, {
      "content-type": "application/x-www-form-urlencoded",
    });
    expect(status).toBe(415);
  });
  it("a body over the limit answers 413, with and without a length", async () => {
    const large = JSON.stringify({ email: "a".repeat(limits.bodyBytesMax) });
    expect((await server.send("auth/login", large)).status).toBe(413);
    expect(await chunked(large)).toBe(413);
  });
  it("wrong fields answer 422 and name each", async () => {
    const { status, body } = await server.send("auth/register", { email: "nobody", phoneNo: 5, password: ["x"] });
    expect(status).toBe(422);
    expect(Object.keys(body.fields ?? {}).toSorted()).toEqual(
      ["confirmPassword", "email", "firstName", "lastName", "organizationName", "password", "phoneNo"].toSorted(),
    );
  });
  it.each([null, [], "text", 5, true])("a body of %j answers 422", async (body) => {
    expect((await server.send("estimator/price", JSON.stringify(body))).status).toBe(422);
  });
  it("an unknown address and a wrong method answer 404", async () => {
    expect((await server.send("auth/nothing", {})).status).toBe(404);
    expect((await fetch(`${server.url}/api/auth/login`)).status).toBe(404);
    expect((await fetch(`${server.url}/api/user/me`, { method: "DELETE" })).status).toBe(404);
  });
  it("fields that are not in the contract change nothing", async () => {
    const polluted = `{"__proto__":{"role":"admin"},"constructor":{"prototype":{"role":"admin"}},"role":"admin","organisationId":"x",${JSON.stringify(quoteRequest()).slice(1)}`;
    expect((await server.send("estimator", polluted)).status).toBe(201);
    expect(({} as Record<string, unknown>)["role"]).toBeUndefined();
  });
});

describe("a file that is sent", () => {
  it("comes in beside one other of its sender's, who can't hold up anybody else by never ending one", async () => {
    const { upload } = server.services.gates;
    const [first, second] = [sendSlowly(tokens.user), sendSlowly(tokens.user)];
    await expect.poll(() => upload.use().inside).toBe(2);
    // Its whole body has arrived, and it still has to wait.
    const third = sendSlowly(tokens.user);
    third.end();
    expect((await server.call("user/incidents/attach", nobodysFile(), tokens.userChild)).status).toBe(404);
    expect(upload.use().inside).toBe(2);
    first.end();
    expect(await Promise.all([first.status, third.status])).toEqual([404, 404]);
    second.end();
    expect(await second.status).toBe(404);
    expect(upload.use()).toEqual({ inside: 0, waiting: 0, refused: 0 });
  });
});

describe("every failure", () => {
  it("has the agreed shape and no internals", async () => {
    const failures = [
      await server.send("auth/login", "{"),
      await server.send("auth/login", {}),
      await server.send("user/me", undefined, null),
      await server.send("nothing", {}),
    ];
    for (const { status, headers, body } of failures) {
      expect(Object.keys(body).filter((key) => !["error", "code", "fields"].includes(key))).toEqual([]);
      expect(errorStatuses[body.code ?? "internal"]).toBe(status);
      expect(body.error).toMatch(/^[A-Z].*[.a-z]$/);
      expect(JSON.stringify(body)).not.toMatch(/select |node_modules|\.ts|at Object/);
      expect(headers.get("cache-control")).toBe("no-store");
    }
  });
  it("for want of a token asks for one", async () => {
    const { status, headers } = await server.send("user/me", undefined, null);
    expect([status, headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
  });
  it("of the database answers 503 and passes", async () => {
    const { database } = server.services;
    const name = new URL(server.databaseUrl).pathname.slice(1);
    const stopped = await startTestServer({ work: false });
    await stopped.services.database.$client.end();
    expect(
      (await stopped.send("estimator/price", { selectedDevices: quoteRequest().selectedDevices })).status,
    ).toBeGreaterThanOrEqual(500);
    await stopped.stop().catch(() => undefined);
    await database.$client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()`,
      [name],
    );
    await expect.poll(async () => (await server.call("user/me", {}, tokens.user)).status).toBe(200);
  });
});

describe("an answer", () => {
  it.each(["estimator/price", "user/me", "auth/login", "nothing"])(
    "is data that a browser runs, shows and lends to nobody: %s",
    async (name) => {
      const { headers } = await server.send(name, {}, tokens.user);
      expect(Object.fromEntries(headers)).toMatchObject({
        "content-type": "application/json",
        "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
        "cross-origin-resource-policy": "same-origin",
        "x-content-type-options": "nosniff",
        "cache-control": "no-store",
        "x-request-id": expect.stringMatching(/^[\w-]{36}$/),
      });
      // Headers that matter only for documents: each would be sent with every call.
      expect(headers.get("permissions-policy")).toBeNull();
    },
  );
});

describe("the description of the API", () => {
  it("is OpenAPI 3.1 and lists every operation", async () => {
    const document = (await (await fetch(`${server.url}/api/openapi.json`)).json()) as {
      openapi: string;
      paths: object;
    };
    expect(document.openapi).toBe("3.1.0");
    expect(Object.keys(document.paths).toSorted()).toEqual(
      [...new Set(Object.entries(operations).map(([name, { method }]) => `/api/${placeOf(method, name)}`))].toSorted(),
    );
  });
  it("can be browsed without a script", async () => {
    const page = await fetch(`${server.url}/api/docs`);
    expect(page.headers.get("content-security-policy")).toContain("script-src 'none'");
    expect(await page.text()).toContain("/api/estimator/price");
  });
  it("is not there unless switched on", async () => {
    const closed = await startTestServer({ env: { apiDocs: false }, work: false });
    expect((await fetch(`${closed.url}/api/openapi.json`)).status).toBe(404);
    expect((await fetch(`${closed.url}/api/docs`)).status).toBe(404);
    await closed.stop();
  });
});

const nobodysFile = () => ({
  id: randomUUID(),
  file_id: randomUUID(),
  name: "proof.txt",
  file: Buffer.from("proof").toString("base64"),
});

/** Sends a file except for its last byte, until it is told to end. */
function sendSlowly(token = "") {
  const body = JSON.stringify(nobodysFile());
  const request = httpRequest(`${server.url}/api/user/incidents/attach`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", "content-length": body.length },
  });
  request.write(body.slice(0, -1));
  const status = new Promise<number>((done, fail) => {
    request.on("response", (answer) => done(answer.resume().statusCode ?? 0)).on("error", fail);
  });
  return { status, end: () => request.end(body.slice(-1)) };
}

/** Sends a body without declaring its length. */
async function chunked(body: string): Promise<number> {
  const authorization = `Bearer ${await server.publicToken()}`;
  return new Promise((done, fail) => {
    const request = httpRequest(`${server.url}/api/auth/login`, {
      method: "POST",
      headers: { authorization, "content-type": "application/json" },
    });
    request.on("response", (answer) => {
      // The server may hang up before it has read the rest; by then it has answered.
      answer.on("error", () => undefined).resume();
      done(answer.statusCode ?? 0);
    });
    request.on("error", fail);
    request.write(body.slice(0, 1000));
    request.end(body.slice(1000));
  });
}
