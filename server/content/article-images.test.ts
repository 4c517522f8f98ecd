import { eq } from "drizzle-orm";
import { randomBytes } from "node:crypto";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import { pictureForms, pictureIdOf, pictureWidths } from "../../contract/post-states.ts";
import { article } from "../../tests/articles.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { member, type Member } from "../../tests/people.ts";
import { articleImages, articles } from "../database/schema/index.ts";
import { removeUnusedImages } from "./article-images.ts";

let server: TestServer;
let admin: Member;
beforeAll(async () => {
  server = await startTestServer({ work: false });
});
afterAll(() => server.stop());
beforeEach(async () => {
  // The clock is turned beyond a session's end.
  admin = await member(server, "admin");
  await server.services.database.delete(articles);
  await server.services.database.delete(articleImages);
  for (const name of await kept()) await server.services.files.remove(name);
});

const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: "#4084f0" } });
const photo = () => plain(1600, 900).jpeg().toBuffer();

async function upload(bytes: Uint8Array, { token }: Member = admin, name = "add-image") {
  const answer = await fetch(`${server.url}/api/admin/posts/${name}`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/octet-stream" },
    body: new Uint8Array(bytes),
  });
  const body = (await answer.json()) as Partial<Uploaded>;
  return { status: answer.status, ...body };
}
interface Uploaded {
  headerImg: string;
  address: string;
  width: number;
  height: number;
  error: string;
  fields: Record<string, string>;
}
const uploaded = async () => (await upload(await photo())).headerImg ?? "";
async function kept(): Promise<string[]> {
  const names: string[] = [];
  for await (const name of server.services.files.list()) names.push(name);
  return names;
}
const use = (headerImg: string, slug = "an-article", markdown = "The lead.") =>
  server.send("admin/posts/add", article({ headerImg, slug, markdown }), admin.token);

describe("An image", () => {
  it("is there in three widths as AVIF and WebP, kept for good by browsers, and a name besides is not there", async () => {
    const address = await uploaded();
    expect((await kept()).length).toBe(6);
    for (const width of pictureWidths)
      for (const form of pictureForms) {
        const answer = await fetch(server.url + address.replace("-1440.webp", `-${width}.${form}`));
        expect(answer.headers.get("content-type")).toBe(`image/${form}`);
        expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
        const read = await sharp(await answer.arrayBuffer()).metadata();
        expect([read.width, read.height]).toEqual([width, width * 0.4]);
      }
    for (const name of ["-1441.webp", "-960.jpeg", "-960.webp/..", "", "-480.pdf"])
      expect((await fetch(server.url + address.replace("-1440.webp", name))).status).not.toBe(200);
  });

  it("loses what the camera wrote into it, and stands upright", async () => {
    const taken = await plain(1000, 2000)
      .withExif({ IFD0: { Artist: "Somebody" }, IFD3: { GPSLatitude: "12/1 58/1 0/1" } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    expect((await sharp(taken).metadata()).exif).toBeDefined();
    const { headerImg = "" } = await upload(taken);
    const shown = await sharp(await (await fetch(server.url + headerImg)).arrayBuffer()).metadata();
    expect([shown.exif, shown.xmp, shown.iptc, shown.icc, shown.orientation]).toEqual(Array(5).fill(undefined));
  });

  it.each(["png", "webp", "avif"] as const)("may be a %s", async (form) => {
    expect((await upload(await plain(1000, 500)[form]().toBuffer())).status).toBe(201);
  });
});

describe("A file is refused with a sentence", () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  test.each<[string, () => Promise<Uint8Array> | Uint8Array, RegExp]>([
    ["an SVG", () => Buffer.from(`<?xml version="1.0"?>\n${svg}`), /^This is an SVG, which may carry scripts\./],
    ["a page", () => Buffer.from("<!doctype html><script>alert(1)</script>"), /^This is a page or a program/],
    ["a script", () => Buffer.from("import x from 'y'; fetch('https://evil.example')"), /^This is a page or a program/],
    ["noise", () => new Uint8Array([0, ...randomBytes(5000)]), /^This kind of image is not supported\./],
    ["nothing", () => new Uint8Array(), /^This kind of image is not supported\./],
    ["a GIF", () => plain(1000, 500).gif().toBuffer(), /^This kind of image is not supported\./],
    [
      "a script with the first bytes of a JPEG",
      () => Buffer.from("\xFF\xD8\xFFalert(1)", "latin1"),
      /damaged or cut off/,
    ],
    ["a PNG that is cut off", async () => (await noisy().png().toBuffer()).subarray(0, 4000), /damaged or cut off/],
    ["a JPEG that is cut off", async () => (await noisy().jpeg().toBuffer()).subarray(0, 90_000), /damaged or cut off/],
    [
      "100 megapixels",
      () => plain(10_000, 10_000).png().toBuffer(),
      /^This image has 100 megapixels; it may have 40\./,
    ],
    ["one that is too small", () => plain(900, 600).png().toBuffer(), /^This image has 900 × 600 pixels; it needs 960/],
  ])("%s", async (_what, make, sentence) => {
    const { status, error, fields } = await upload(await make());
    expect([status, Object.keys(fields ?? {})]).toEqual([422, ["headerImg"]]);
    expect(error).toMatch(sentence);
    expect(await kept()).toEqual([]);
  });

  test("more than 8 MB, announced or not", async () => {
    expect(await upload(new Uint8Array(8 * 1024 ** 2 + 1))).toMatchObject({
      status: 413,
      error: "Please send at most 8 MB.",
    });
  });

  test("before it is read, where somebody may not send one", async () => {
    const child = await member(server, "adminChild", { organisationId: admin.organisationId });
    expect((await upload(new Uint8Array(9 * 1024 ** 2), child)).status).toBe(403);
  });
});

const noisy = () => sharp(randomBytes(1000 * 500 * 3), { raw: { width: 1000, height: 500, channels: 3 } });

describe("An image in a text", () => {
  const uploadToText = (bytes: Uint8Array) => upload(bytes, admin, "add-text-image");
  const shown = async (slug = "an-article") => (await server.call("blogs/{idKey}", { idKey: slug })).body.content;

  it("keeps its form and is shown with its size, in the widths that it fills and with its alternative text", async () => {
    const { address = "", width, height } = await uploadToText(await plain(1200, 2000).png().toBuffer());
    expect([width, height]).toEqual([1200, 2000]);
    const id = pictureIdOf(address) ?? "";
    const markdown = `The lead.\n\n![A "tall" field](${address})`;
    const added = await server.send("admin/posts/add", article({ markdown }), admin.token);
    const preview = await server.call("admin/posts/preview", { id: String(added.body["id"]) }, admin.token);
    await server.send("admin/posts/publish", { id: added.body["id"], version: 1, at: null }, admin.token);
    expect(await shown()).toBe(preview.body.content);
    expect(await shown()).toContain(
      `<img src="${address}" alt="A &quot;tall&quot; field" width="1200" height="2000" loading="lazy" />`,
    );
    const set = `/images/articles/${id}-480.avif 480w, /images/articles/${id}-960.avif 960w, ${address.replace("webp", "avif")} 1200w"`;
    expect(await shown()).toContain(`srcset="${set}`);
    for (const each of ["480", "960", "1440"]) {
      const file = await fetch(`${server.url}/images/articles/${id}-${each}.avif`);
      const read = await sharp(await file.arrayBuffer()).metadata();
      expect(Math.abs(read.width / read.height - 0.6)).toBeLessThan(0.01);
    }
  });

  it("that is small stays as it is, and one of a few pixels or no image at all is refused", async () => {
    const { address = "", ...size } = await uploadToText(await plain(300, 120).png().toBuffer());
    expect(size).toMatchObject({ status: 201, width: 300, height: 120 });
    await use("", "small", `![A field](${address})`);
    const tiny = await uploadToText(await plain(20, 300).png().toBuffer());
    expect([tiny.status, Object.keys(tiny.fields ?? {})]).toEqual([422, ["image"]]);
    expect((await uploadToText(Buffer.from("<svg onload='alert(1)'/>"))).error).toMatch(/^This is an SVG/);
  });

  it("is told where it is from elsewhere, says nothing to who can't see it, or is not there", async () => {
    const refused = async (markdown: string) => {
      const slug = `article-${randomBytes(4).toString("hex")}`;
      const added = await server.send("admin/posts/add", article({ slug, markdown }), admin.token);
      if (added.status !== 201) return added.body.fields?.["markdown"];
      const input = { id: added.body["id"], version: 1, at: null };
      const { status, body } = await server.send("admin/posts/publish", input, admin.token);
      return status === 200 ? null : body.fields?.["markdown"];
    };
    const { address = "" } = await uploadToText(await photo());
    for (const foreign of ["https://evil.example/a.png", "/api/auth/logout", "/images/../api/user/me", ""])
      expect(await refused(`![a](${foreign})`), foreign).toMatch(/^An image of the text is not from here/);
    expect(await refused(`<p>a</p>\n\n<IMG alt=a src=x onerror=alert(1)>`)).toMatch(/not from here \(x\)/);
    expect(await refused(`![](${address})`)).toMatch(/^Please say what each image in the text shows/);
    expect(await refused(`![a](${address.replace(/\w{4}-1440/, "0000-1440")})`)).toMatch(/not there any more/);
    expect(await refused("No image: `![](https://evil.example/a.png)`")).toBeNull();
    expect(await refused(`![a](${address})`)).toBeNull();
  });

  it("goes with the last version that names it, and stays while another article does", async () => {
    const [both, one] = [await uploadToText(await photo()), await uploadToText(await photo())];
    const first = await use("", "first", `![a](${both.address}) ![a](${one.address})`);
    await use("", "second", `![a](${both.address})`);
    server.passTime(25 * 3600);
    expect(await removeUnusedImages(server.services)).toBe(0);
    admin = await member(server, "admin");
    const content = article({ slug: "first", headerImg: "", markdown: "Without." });
    await server.send("admin/posts/save", { id: first.body["id"], version: 1, content }, admin.token);
    expect(await removeUnusedImages(server.services), "the first version names it").toBe(0);
    expect((await server.send("admin/posts/remove", { id: first.body["id"], version: 2 }, admin.token)).status).toBe(
      200,
    );
    expect(await removeUnusedImages(server.services)).toBe(1);
    const left = pictureIdOf(both.address ?? "") ?? "";
    expect((await kept()).filter((name) => !name.includes(left))).toEqual([]);
  });
});

describe("Images that no article has", () => {
  it("go at once with the draft that alone had them, however many ask", async () => {
    const [used, elsewhere, typing] = [await uploaded(), await uploaded(), await uploaded()];
    const { body } = await use(used);
    await use(elsewhere, "second");
    const ids = [used, elsewhere].map((address) => pictureIdOf(address) ?? "");
    const asked = { id: body["id"], version: 1 };
    const answers = await Promise.all([1, 2, 3].map(() => server.send("admin/posts/remove", asked, admin.token)));
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 404, 404]);
    const removed = await Promise.all([1, 2].map(() => removeUnusedImages(server.services, ids)));
    expect(removed.reduce((sum, each) => sum + each)).toBe(1);
    expect([...new Set((await kept()).map((name) => name.slice(8, 44)))].toSorted()).toEqual(
      [elsewhere, typing].map((address) => pictureIdOf(address) ?? "").toSorted(),
    );
  });

  it("go after a day, and those of articles and of their earlier versions stay", async () => {
    const [used, former, unused] = [await uploaded(), await uploaded(), await uploaded()];
    const { body } = await use(former);
    const content = article({ headerImg: used });
    expect((await server.send("admin/posts/save", { id: body["id"], version: 1, content }, admin.token)).status).toBe(
      200,
    );
    expect(await removeUnusedImages(server.services), "an editor may still be typing").toBe(0);
    server.passTime(25 * 3600);
    expect(await removeUnusedImages(server.services)).toBe(1);
    const ids = [used, former].map((address) => pictureIdOf(address) ?? "");
    expect((await kept()).length).toBe(12);
    expect((await kept()).every((name) => ids.some((id) => name.includes(id)))).toBe(true);
    expect((await fetch(server.url + used)).status).toBe(200);
    admin = await member(server, "admin");
    const late = await use(unused, "second");
    expect([late.status, late.body.fields]).toEqual([
      422,
      { headerImg: "This image is not there any more. Please upload it again." },
    ]);
  });

  it("go too where the upload broke off between row and files, and where the removal did", async () => {
    const { database, files } = server.services;
    await database.insert(articleImages).values({ createdAt: server.services.now() });
    const half = await uploaded();
    await files.remove(`article-${pictureIdOf(half)}-480.avif`);
    server.passTime(25 * 3600);
    expect(await removeUnusedImages(server.services)).toBe(2);
    expect([await kept(), await database.$count(articleImages)]).toEqual([[], 0]);
  });

  it("stay when an article takes one in the very moment", async () => {
    const address = await uploaded();
    server.passTime(25 * 3600);
    admin = await member(server, "admin");
    const [saved] = await Promise.all([use(address), removeUnusedImages(server.services)]);
    const isThere = await server.services.database.$count(
      articleImages,
      eq(articleImages.id, pictureIdOf(address) ?? ""),
    );
    expect(isThere).toBe(saved.status === 201 ? 1 : 0);
  });

  it("are removed beyond one batch", async () => {
    const { database, now } = server.services;
    await database.insert(articleImages).values(Array.from({ length: 120 }, () => ({ createdAt: now() })));
    server.passTime(25 * 3600);
    await removeUnusedImages(server.services);
    expect(await database.$count(articleImages)).toBe(0);
  });
});
