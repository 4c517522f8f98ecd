import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import type { LogSource } from "../../contract/content.ts";
import { limits } from "../../contract/limits.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { logSources, seedings } from "../database/schema/index.ts";
import { ensureLogSources } from "./shipped-log-sources.ts";

const shipped = 980;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ work: false });
  await Promise.all([1, 2, 3].map(() => ensureLogSources(server.services.database)));
});
afterAll(() => server.stop());

async function search(searchQuery: string, more: object = {}): Promise<LogSource[]> {
  const { status, body } = await server.call("logs/search", { searchQuery, ...more });
  expect(status).toBe(200);
  return body;
}
const labels = async (text: string, more: object = {}) => (await search(text, more)).map(({ label }) => label);

/** All pages of this size, one after the other. */
async function allPages(limit: number, query: object): Promise<LogSource[]> {
  const found: LogSource[] = [];
  for (;;) {
    const { body } = await server.call("logs", { ...query, limit, startingNode: found.length });
    if ((body as LogSource[]).length === 0) return found;
    found.push(...(body as LogSource[]));
  }
}

describe("the catalogue", () => {
  it("is filled once, by however many copies start, and then left to administrators", async () => {
    const { database } = server.services;
    expect([await database.$count(logSources), await database.$count(seedings)]).toEqual([shipped, 1]);
    await database.update(logSources).set({ format: "older" });
    await ensureLogSources(database);
    expect(await database.$count(logSources)).toBe(shipped);
    expect(await database.$count(logSources, eq(logSources.format, "older")), "left alone").toBe(shipped);
    await database.delete(logSources);
    await database.delete(seedings);
    await ensureLogSources(database);
    expect(await database.$count(logSources)).toBe(shipped);
  });
  it("answers ten by product without being asked for anything, with the fields of the specification", async () => {
    const { body } = await server.call("logs");
    expect(body).toHaveLength(10);
    expect(body[0]).toEqual({
      id: expect.any(String),
      Product: "1Password",
      Category: "Identity and Access Management",
      label: "ONEPASSWORD",
      Format: "JSON",
    });
  });
  it("comes whole and without repeats when it is paged to the end", async () => {
    const found = await allPages(49, {});
    expect([found.length, new Set(found.map(({ id }) => id)).size]).toEqual([shipped, shipped]);
  });
  it("lists its categories by name", async () => {
    const { body } = await server.call("logs/categories");
    expect(body).toHaveLength(47);
    expect(body).toContain("Firewall");
    expect(body).toEqual([...body].toSorted((one, other) => one.localeCompare(other, "en")));
  });
  it("is narrowed to categories, also while searching; an unknown one has nothing in it", async () => {
    const both = ["Firewall", "Email Security"];
    const found = await allPages(50, { categories: both });
    expect(new Set(found.map(({ Category }) => Category))).toEqual(new Set(both));
    expect((await allPages(50, { categories: ["Firewall"] })).length).toBeLessThan(found.length);
    expect(await labels("fortinet", { categories: ["Email Security"] })).toEqual(["FORTINET_FORTIMAIL"]);
    expect(await labels("fortigte", { categories: ["Email Security"] })).not.toContain("FORTINET_FIREWALL");
    expect(await labels("", { categories: ["Nothing"] })).toEqual([]);
  });
});

describe("a search puts first", () => {
  test.each([
    ["an exact label", "WINDOWS_DHCP", /^WINDOWS_DHCP$/],
    ["the same typed as words", "windows dhcp", /^WINDOWS_DHCP$/],
    ["the shortest label of a vendor", "okta", /^OKTA$/],
    ["labels that begin with it", "azure_", /^AZURE_/],
    ["labels that begin with it, in any case", "CrowdStr", /^CROWDSTRIKE_/],
    ["a product that begins with it", "fortigate", /^FORTINET_FIREWALL$/],
    ["a vendor's products", "palo alto", /^(PAN|CORTEX)_/],
    ["what has all the words in another order", "firewall palo", /^PAN_FIREWALL$/],
    ["what begins with two letters", "f5", /^F5_/],
    ["what begins with one letter", "1", /^(1|ONE)/],
  ])("%s: %s", async (_what, text, first) => {
    expect((await labels(text))[0]).toMatch(first);
  });

  it("exact label, then label, then vendor, then what only contains it", async () => {
    const rankOf = ({ label, Product }: LogSource) => {
      if (label === "OKTA") return 0;
      if (label.startsWith("OKTA")) return 1;
      if (Product.toLowerCase().startsWith("okta")) return 2;
      return label.includes("OKTA") ? 3 : 4;
    };
    const ranks = (await search("okta", { limit: 50 })).map(rankOf);
    expect(ranks).toEqual(ranks.toSorted((one, other) => one - other));
    expect(ranks[0]).toBe(0);
  });
  it("only what fits, and nothing for what is nowhere", async () => {
    for (const { Product, label } of await search("fortinet", { limit: 50 }))
      expect(`${Product} ${label}`.toLowerCase()).toContain("fortinet");
    expect(await labels("qqzzxxwwkk")).toEqual([]);
  });
  it("pages that follow each other without repeats", async () => {
    const whole = await labels("cloud", { limit: 50 });
    const paged = [];
    for (let start = 0; start < 50; start += 10) paged.push(...(await labels("cloud", { startingNode: start })));
    expect(paged).toEqual(whole);
    expect(await labels("okta", { startingNode: 40 }), "no similar ones after the last").toEqual([]);
  });
});

describe("a typing error is forgiven", () => {
  test.each([
    ["fortigte", /^FORTINET_FIREWALL$/],
    ["plao alto", /^(PAN|CORTEX)_/],
    ["ms defender", /DEFENDER/],
    ["crowdstirke", /^(CROWDSTRIKE|CS)_/],
    ["microsfot azure", /^AZURE_/],
    ["cisco umbrela", /UMBRELLA_/],
    ["sentinal one", /^SENTINEL/],
    ["zscaller", /^ZSCALER/],
    ["windws", /^WINDOWS_/],
    ["infoblocks", /^INFOBLOX/],
    ["mimcast", /^MIMECAST/],
    ["okat", /^OKTA/],
  ])("%s", async (typed, first) => {
    expect((await labels(typed))[0]).toMatch(first);
  });
  it("over several pages, and to the end", async () => {
    const whole = await labels("gogle cloud", { limit: 50 });
    expect(whole.length).toBeGreaterThan(20);
    expect([...(await labels("gogle cloud")), ...(await labels("gogle cloud", { startingNode: 10 }))]).toEqual(
      whole.slice(0, 20),
    );
    expect(await labels("gogle cloud", { startingNode: 500 })).toEqual([]);
  });
});

describe("signs stand for themselves", () => {
  test.each(["%", "_", "\\", "%%%", "a%", "f_5\\", "' or 1=1 --", "o%ta", "okt_", "((", "\u{1F600}", "*"])(
    "%s matches no more than what has it",
    async (text) => {
      const everything = await search(text, { limit: 50 });
      expect(everything.length).toBeLessThan(20);
    },
  );
  it("a sign within a name finds it", async () => {
    const { database } = server.services;
    await database
      .insert(logSources)
      .values({ product: "100% Cover", category: "X", label: "COVER_100", format: "KV" });
    expect(await labels("100%")).toEqual(["COVER_100"]);
    expect(await labels("0%")).toEqual(["COVER_100"]);
    await database.delete(logSources).where(eq(logSources.category, "X"));
  });
});

describe("bad input answers 422 and names the field", () => {
  test.each([
    ["searchQuery", "x".repeat(limits.searchLengthMax + 1)],
    ["searchQuery", 5],
    ["searchQuery", "a\0b"],
    ["categories", "Firewall"],
    ["categories", Array(limits.categoriesMax + 1).fill("a")],
    ["categories.0", [5]],
    ["categories.0", ["a\0"]],
    ["startingNode", -1],
    ["startingNode", 1.5],
    ["startingNode", "0"],
    ["startingNode", limits.startingNodeMax + 1],
    ["limit", 0],
    ["limit", limits.cataloguePageMax + 1],
    ["limit", null],
  ])("%s: %j", async (field, value) => {
    for (const name of ["logs", "logs/search"]) {
      const { status, body } = await server.send(name, { [field.split(".")[0] ?? ""]: value });
      expect([status, Object.keys(body.fields ?? {})]).toEqual([422, [field]]);
    }
  });
});
