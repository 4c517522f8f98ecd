import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pageCards, pageCardFile, postCardFile, postPicture } from "../app/content/social-cards.ts";
import { brand } from "../contract/brand.ts";
import { publicPages } from "../contract/public-pages.ts";
import { shippedServiceLevels, showPeriod } from "../contract/service-levels.ts";
import { addressMark } from "../contract/site-address.ts";
import { readArticles } from "../server/content/articles.ts";
import { ensureArticles } from "../server/content/articles.ts";
import { startTestServer, type TestServer } from "./harness.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ pages: true, work: false });
  await ensureArticles(server.services.database);
});
afterAll(() => server.stop());

const read = async (path: string) => (await fetch(server.url + path)).text();
const paths = Object.keys(publicPages) as (keyof typeof publicPages)[];

/** The value of each meta element by its name, and the canonical address. */
function metaOf(page: string): Record<string, string> {
  const metas = page.matchAll(/<meta (?:name|property)="([^"]+)" content="([^"]*)"/g);
  const canonical = /<link rel="canonical" href="([^"]*)"/.exec(page)?.[1];
  return { ...Object.fromEntries([...metas].map(([, name, content]) => [name, content])), canonical: canonical ?? "" };
}

const linkedData = (page: string) =>
  [...page.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)].map(
    ([, json]) => JSON.parse(json ?? "") as Record<string, unknown>,
  );
const typesOf = (page: string) => linkedData(page).map((data) => data["@type"]);

/** A hash of a page's words at the time when its day was set. */
const prints: Partial<Record<string, string>> = {
  "/": "RgyD8ARuYVM0",
  "/ServiceDelivery": "RWIroT94MZT7",
  "/GCPSecurity": "RknQW_lCIuOP",
  "/buyers-guide": "ze4VJ9MLo4w3",
  "/about": "YXiTwwvIE1qZ",
  "/contact": "LsTzJY-cemCv",
  "/privacy-policy": "q3qYwirN4ddM",
};

describe("the day of a page", () => {
  const dated = paths.filter((path) => publicPages[path] !== null);
  it.runIf(brand.isSample).each(dated)("%s is that of its words: whoever changes them sets both", async (path) => {
    const main = /<main.*<\/main>/s.exec(await read(path))?.[0] ?? "";
    const words = main.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
    expect(createHash("sha256").update(words).digest("base64url").slice(0, 12)).toBe(prints[path]);
  });
});

describe.each(paths)("%s", (path) => {
  it("names its address and shows a picture of its own where it is linked", async () => {
    const page = await read(path);
    const url = server.url + path;
    const image = server.url + pageCardFile(path);
    expect(metaOf(page)).toMatchObject({ canonical: url, "og:url": url, "og:image": image, "twitter:image": image });
    for (const name of ["description", "og:title", "og:description", "og:image:alt"])
      expect(metaOf(page)[name], name).toBeTruthy();
    expect(page).not.toContain(addressMark);
    expect(await sizeOfPng(pageCardFile(path))).toEqual([1200, 630]);
  });
});

it.each(paths.filter((path) => path !== "/"))("%s says below which pages it stands", async (path) => {
  const list = linkedData(await read(path)).find((data) => data["@type"] === "BreadcrumbList");
  const items = list?.["itemListElement"] as { position: number; item: string }[];
  expect(items.map(({ position, item }) => [position, item])).toEqual([
    [1, `${server.url}/`],
    [2, server.url + path],
  ]);
});

it("has a picture for each page, all different", () => {
  const files = Object.keys(pageCards).map((path) =>
    readFileSync(`public${pageCardFile(path as keyof typeof pageCards)}`).toString("base64"),
  );
  expect(new Set(files).size).toBe(files.length);
});

describe("an article", () => {
  it.each(readArticles().map(({ slug }) => slug))("%s has its own picture and place", async (slug) => {
    const page = await read(`/blog/${slug}`);
    const url = `${server.url}/blog/${slug}`;
    expect(metaOf(page)).toMatchObject({ canonical: url, "og:url": url, "og:image": server.url + postCardFile(slug) });
    expect(typesOf(page)).toEqual(["BlogPosting", "BreadcrumbList"]);
    const picture = await fetch(server.url + postCardFile(slug));
    expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
  });
  it("that came later shows its header image, or the site's picture: networks take no SVG", () => {
    const added = { idKey: "new", title: "A new one" };
    expect(postPicture({ ...added, headerImg: "/images/a.png" })).toBe("/images/a.png");
    expect(postPicture({ ...added, headerImg: "/images/a.svg" })).toBe(pageCardFile("/"));
  });
  it("shows its drawn picture only as long as its title and its header image are the ones drawn", () => {
    const [drawn] = readArticles();
    const post = { idKey: drawn?.slug ?? "", title: drawn?.title ?? "", headerImg: drawn?.image ?? "" };
    expect(postPicture(post)).toBe(postCardFile(post.idKey));
    expect(postPicture({ ...post, title: "Another title" })).toBe(pageCardFile("/"));
    expect(postPicture({ ...post, headerImg: "/images/a.webp" })).toBe("/images/a.webp");
  });
});

it("tells search engines of the company, the service and the questions on the home page", async () => {
  const page = await read("/");
  expect(typesOf(page)).toEqual(["Organization", "Service", "FAQPage"]);
  expect(linkedData(page).find((data) => data["@type"] === "Organization")).toMatchObject({
    name: brand.name,
    url: server.url,
  });
});

it.each(["/forgot-password", "/reset-password", "/accept-invite", "/confirm-email"])(
  "keeps %s out of search results, and its address free of what a link says",
  async (path) => {
    expect(metaOf(await read(`${path}?token=secret`))).toMatchObject({
      robots: "noindex",
      canonical: server.url + path,
    });
  },
);

it.each([
  ["/favicon.ico", "image/x-icon"],
  ["/apple-touch-icon.png", "image/png"],
  ["/manifest.webmanifest", "application/manifest+json; charset=utf-8"],
])("has %s", async (path, type) => {
  const answer = await fetch(server.url + path);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, type]);
  expect(await read("/about")).toContain(`href="${path}"`);
});

it("names icons in its manifest that are there, in their sizes", async () => {
  const manifest = (await (await fetch(`${server.url}/manifest.webmanifest`)).json()) as {
    name: string;
    icons: { src: string; sizes: string }[];
  };
  expect(manifest.name).toBe(brand.name);
  for (const { src, sizes } of manifest.icons) expect((await sizeOfPng(src)).join("x")).toBe(sizes);
});

describe("the buyer's guide", () => {
  it("shows each service level, marked as a sample until the operator sets them", async () => {
    const page = await read("/buyers-guide");
    expect(shippedServiceLevels.isSample).toBe(true);
    expect(page).toContain("These figures are a sample and bind nobody");
    for (const { severity, name, acknowledgeMinutes } of shippedServiceLevels.levels) {
      expect(page).toContain(`${severity}<!-- --> <!-- -->${name}`);
      expect(page).toContain(`<td data-column="Acknowledged">${showPeriod(acknowledgeMinutes)}</td>`);
    }
  });
  it("orders them: the graver, the sooner, and no step before the one that precedes it", () => {
    for (const [index, level] of shippedServiceLevels.levels.entries()) {
      const { acknowledgeMinutes, containMinutes, resolveMinutes } = level;
      expect(acknowledgeMinutes).toBeLessThan(containMinutes ?? Infinity);
      expect(containMinutes ?? acknowledgeMinutes).toBeLessThan(resolveMinutes);
      expect(shippedServiceLevels.levels[index - 1]?.resolveMinutes ?? 0).toBeLessThan(resolveMinutes);
    }
  });
  it.each([
    [15, "15 min"],
    [60, "1 h"],
    [90, "90 min"],
    [1440, "24 h"],
    [7200, "5 days"],
  ])("writes %i minutes as %s", (minutes, text) => {
    expect(showPeriod(minutes)).toBe(text);
  });
});

/** The header of a PNG file holds width and height. */
async function sizeOfPng(path: string): Promise<number[]> {
  const answer = await fetch(server.url + path);
  expect([answer.status, answer.headers.get("content-type")], path).toEqual([200, "image/png"]);
  const bytes = Buffer.from(await answer.arrayBuffer());
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
}
