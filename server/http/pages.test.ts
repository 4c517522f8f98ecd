import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { type IncomingHttpHeaders, request } from "node:http";
import { buffer } from "node:stream/consumers";
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { messages } from "../../contract/messages.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";

const prerendered = [
  "/",
  "/estimator",
  "/login",
  "/forgot-password",
  "/reset-password",
  "/accept-invite",
  "/confirm-email",
];
const kept = [...prerendered, "/blog", "/LogInjection?q=no-such-source"];
const rendered = ["/user/dashboard", "/user/payment?order=unknown"];

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ pages: true, work: false });
});
afterAll(() => server.stop());

describe("a page", () => {
  it.each([...prerendered, ...rendered, "/no-such-page"])("carries the security headers: %s", async (path) => {
    const { headers } = await ask(path);
    expect(headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "referrer-policy": "strict-origin-when-cross-origin",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
    });
    expect(headers["x-powered-by"]).toBeUndefined();
    const policy = policyOf(headers);
    expect(policy).toMatchObject({
      "default-src": ["'none'"],
      "object-src": ["'none'"],
      "base-uri": ["'none'"],
      "frame-ancestors": ["'none'"],
    });
    expect(policy["script-src"]?.join(" ")).toMatch(/^'self'( 'sha256-[\w+/]+=*')+$/);
  });

  it.each([...prerendered, ...rendered, "/no-such-page"])(
    "may run each script it has, and no other: %s",
    async (path) => {
      const { headers, text } = await ask(path);
      const allowed = policyOf(headers)["script-src"] ?? [];
      const scripts = [...text.matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/g)];
      // Browsers do not run structured data.
      const inline = scripts.filter(([, attributes = ""]) => !/\ssrc=|ld\+json/.test(attributes));
      expect(inline.length).toBeGreaterThan(1);
      const sources = inline.map(
        ([, , script = ""]) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`,
      );
      expect(new Set(allowed)).toEqual(new Set(["'self'", ...sources]));
      for (const [, attributes = ""] of scripts)
        expect(/\ssrc="([^"]*)"/.exec(attributes)?.[1] ?? "/assets/").toMatch(/^\/assets\//);
      expect(text).not.toMatch(/<[^>]+\son\w+="/);
    },
  );

  it("of a portal is kept by no browser, so that the way back after a sign-out shows nothing", async () => {
    for (const path of ["/user/dashboard", "/partner", "/admin/rate-card", "/partner-dashboard/asha@example.in"])
      expect([path, (await ask(path)).headers["cache-control"]]).toEqual([path, "no-store"]);
  });

  it.each([...prerendered, ...rendered])("names no mark of its scripts that a content could bear: %s", async (path) => {
    const { headers, text } = await ask(path);
    expect(text).not.toContain("nonce=");
    expect(Object.keys(headers)).not.toContain("x-script-hashes");
  });

  it.each([...prerendered, ...rendered])("answers HEAD like GET, without a body: %s", async (path) => {
    const [head, get] = [await ask(path, { method: "HEAD" }), await ask(path)];
    expect([head.status, head.bytes.length]).toEqual([200, 0]);
    const compared = ["content-type", "etag", "cache-control", "x-frame-options"];
    for (const name of compared) expect(head.headers[name]).toBe(get.headers[name]);
  });

  it("takes no POST", async () => {
    expect((await ask("/login", { method: "POST" })).status).toBe(404);
  });

  it("is found with a slash at its end too", async () => {
    expect((await ask("/login/")).text).toBe((await ask("/login")).text);
  });
});

describe("a kept page", () => {
  it.each(kept)("comes small to who can unpack it: %s", async (path) => {
    const plain = await ask(path);
    expect(plain.headers["content-encoding"]).toBeUndefined();
    for (const [encodings, used, unpack] of [
      ["gzip, deflate, br, zstd", "br", brotliDecompressSync],
      ["gzip, deflate", "gzip", gunzipSync],
    ] as const) {
      const packed = await ask(path, { headers: { "accept-encoding": encodings } });
      expect(packed.headers).toMatchObject({ "content-encoding": used, vary: "Accept-Encoding" });
      expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 2);
      expect(unpack(packed.bytes).equals(plain.bytes)).toBe(true);
    }
  });

  it.each(["/", "/blog"])("comes as small as it can be made a few seconds later: %s", async (path) => {
    const ofBest = brotliCompressSync((await ask(path)).bytes).length;
    const packed = () => ask(path, { headers: { "accept-encoding": "br" } });
    await expect.poll(async () => (await packed()).bytes.length, { timeout: 30_000 }).toBe(ofBest);
    expect(brotliDecompressSync((await packed()).bytes).equals((await ask(path)).bytes)).toBe(true);
  });

  it("is not packed in a form that the asker rules out", async () => {
    const answer = await ask("/", { headers: { "accept-encoding": "br;q=0, gzip" } });
    expect(answer.headers["content-encoding"]).toBe("gzip");
  });

  it.each(["/login", "/blog"])(
    "is asked after each time, and not sent again while it is the same: %s",
    async (path) => {
      const { headers } = await ask(path);
      expect(headers["cache-control"]).toBe("public, max-age=0, must-revalidate");
      const { etag = "" } = headers;
      for (const known of [etag, etag.replace("W/", ""), `"another", ${etag}`, "*"]) {
        const again = await ask(path, { headers: { "if-none-match": known } });
        expect([known, again.status, again.bytes.length]).toEqual([known, 304, 0]);
        expect(again.headers).toMatchObject({ etag, "content-security-policy": headers["content-security-policy"] });
      }
      expect((await ask(path, { headers: { "if-none-match": '"another"' } })).status).toBe(200);
      expect((await ask("/estimator", { headers: { "if-none-match": etag } })).status).toBe(200);
    },
  );
});

describe("an asset", () => {
  it("may be kept for ever, since its name changes with its content", async () => {
    const files = readdirSync("build/client/assets").filter((file) => /\.(js|css|woff2)$/.test(file));
    expect(files.length).toBeGreaterThan(5);
    for (const file of files) {
      const { status, headers, bytes } = await ask(`/assets/${file}`);
      expect([file, status, headers["cache-control"]]).toEqual([file, 200, "public, max-age=31536000, immutable"]);
      expect(bytes.equals(readFileSync(`build/client/assets/${file}`))).toBe(true);
      expect(headers["content-type"]).toMatch(/^(text\/(javascript|css); charset=utf-8|font\/woff2)$/);
    }
  });

  it("that is not there is not a page to be kept for ever", async () => {
    const { status, headers } = await ask("/assets/entry.client-old.js");
    expect([status, headers["cache-control"]]).toEqual([404, "no-store"]);
  });
});

describe("an address without a page", () => {
  it.each([
    "/no-such-page",
    "/user/no-such-page",
    "/index.htm",
    "/%E0%A4%A",
    "/%",
    "/login%00",
    "/%00",
    "//example.com/login",
    "/.env",
    "/package.json",
    "/__manifest.json",
    "/login.br",
    "/index.html.gz",
    ...["", "/assets"].flatMap((folder) =>
      ["/../package.json", "/..%2f..%2fpackage.json", "/%2e%2e/%2e%2e/package.json", "/..%5c..%5cpackage.json"].map(
        (path) => folder + path,
      ),
    ),
    "/../server/index.js",
    "/..%2fserver%2findex.js",
    "/%252e%252e/package.json",
    "//etc/passwd",
  ])("answers 404 with a page that says so: %s", async (path) => {
    const { status, headers, text } = await ask(path);
    expect([status, headers["content-type"]]).toEqual([404, "text/html; charset=utf-8"]);
    // React writes an apostrophe as a character reference.
    expect(text.replaceAll("&#x27;", "'")).toContain(messages.pageNotFound);
    expect(text).not.toContain('"devDependencies"');
    expect(text).not.toMatch(/\/work\/|node_modules|at \w+ \(/);
  });

  it("does not fail the server", async () => {
    const before = server.log.length;
    for (const path of ["/%E0%A4%A", "/%00", `/${"a".repeat(8000)}`, "/?%E0%A4%A", "/user/dashboard?x=%00"])
      expect([200, 404]).toContain((await ask(path)).status);
    expect(server.log.slice(before)).toEqual([]);
  });
});

type Answer = { status: number; headers: IncomingHttpHeaders; bytes: Buffer; text: string };

/** Requests the path exactly as written; fetch would normalise it first. */
async function ask(path: string, { method = "GET", headers = {} } = {}): Promise<Answer> {
  const { hostname, port } = new URL(server.url);
  const answer = await new Promise<Parameters<NonNullable<Parameters<typeof request>[2]>>[0]>((done, fail) =>
    request({ hostname, port, path, method, headers }, done).once("error", fail).end(),
  );
  const bytes = await buffer(answer);
  return { status: answer.statusCode ?? 0, headers: answer.headers, bytes, text: bytes.toString() };
}

function policyOf(headers: IncomingHttpHeaders): Record<string, string[]> {
  const directives = String(headers["content-security-policy"]).split("; ");
  return Object.fromEntries(
    directives.map((directive) => directive.split(" ")).map(([name = "", ...of]) => [name, of]),
  );
}
