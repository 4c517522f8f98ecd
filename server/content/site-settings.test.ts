import { desc, eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { writtenDay } from "../../contract/india-time.ts";
import { brand, shippedBrand } from "../../contract/brand.ts";
import { currentNotice } from "../../contract/privacy-notice.ts";
import { showTexts } from "../../contract/shown-texts.ts";
import { siteSectionNames } from "../../contract/site-section-names.ts";
import { shippedTexts, siteSections } from "../../contract/site-texts.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { member, type Member } from "../../tests/people.ts";
import { type Copy, startCopy } from "../../tests/start-copy.ts";
import { auditEntries, consents, siteTexts } from "../database/schema/index.ts";

let server: TestServer;
let copy: Copy;
let admin: Member;
beforeAll(async () => {
  server = await startTestServer({ pages: true });
  copy = await startCopy(server);
  admin = await member(server, "admin", { firstName: "Meera", lastName: "Iyer" });
});
afterAll(async () => {
  await copy.stop();
  await server.stop();
  showTexts({});
});
beforeEach(async () => {
  await server.services.database.delete(siteTexts);
  const isShipped = have("/contact", shippedBrand.phones[0]);
  await vi.waitUntil(async () => (await isShipped()).every(Boolean), { timeout: 30_000 });
  await vi.waitUntil(() => server.services.siteTexts.areShipped(), { timeout: 30_000 });
});

const ask = (name: string, body: object, { token }: Member = admin) =>
  server.send(`admin/settings${name}`, body, token);
const save = (section: string, content: object, version = 0) => ask("/save", { section, content, version });
const page = async (url: string, path: string) => (await fetch(url + path)).text();
/** For each copy, whether its page has the text. */
const have = (path: string, text: string) => () =>
  Promise.all([server, copy].map(async ({ url }) => (await page(url, path)).includes(text)));
const all = [true, true];
const none = [false, false];
const texts = (over: object = {}) => ({ ...shippedTexts.brand, ...over });

const contact = {
  userName: "Asha Rao",
  userEmail: "asha@kaveri.example",
  phone: "9876543210",
  organization: "Kaveri Textiles",
  organizationSize: 20,
  message: "Please call",
};
const ours = texts({
  isSample: false,
  name: "Chaukas",
  legalName: "Chaukas Security Private Limited",
  address: "7 Harbour Road, Mumbai 400001",
  emails: { sales: "hello@chaukas.example", support: "help@chaukas.example", privacy: "data@chaukas.example" },
  phones: ["+91 22 5550 0199"],
  offices: [{ title: "Registered office", lines: ["7 Harbour Road", "Mumbai 400001"] }],
});

describe("What is shipped", () => {
  it.each(Object.keys(siteSectionNames) as (keyof typeof siteSections)[])("fits its own schema: %s", (section) => {
    expect(siteSections[section].safeParse(shippedTexts[section]).success).toBe(true);
  });
  it("is served as it was built, and brings nothing along", async () => {
    for (const path of ["/", "/contact", "/buyers-guide"])
      expect(await page(server.url, path)).not.toContain('id="site-texts"');
  });
});

describe("A change of the company", () => {
  it("is on every page of every copy, in its data for search engines, the feed and the manifest", async () => {
    expect((await save("brand", ours)).body).toMatchObject({ version: 1 });
    for (const [path, text] of [
      ["/contact", "+91 22 5550 0199"],
      ["/contact", "7 Harbour Road"],
      ["/", "© <!-- -->Chaukas Security Private Limited"],
      ["/", '"email":"hello@chaukas.example"'],
      ["/about", "<title>About – Chaukas</title>"],
      ["/buyers-guide", "Chaukas"],
      ["/privacy-policy", "data@chaukas.example"],
      ["/login", "Chaukas"],
      ["/admin/dashboard", "Chaukas"],
      ["/rss.xml", "Chaukas blog"],
      ["/manifest.webmanifest", '"name":"Chaukas"'],
    ] as const)
      await expect.poll(have(path, text), { message: `${path}: ${text}` }).toEqual(all);
    const about = await page(copy.url, "/about");
    for (const gone of ["Residency Road", "Business Bay", "Prahari Managed", "Sample company", "Prahari is Hindi"])
      expect(about).not.toContain(gone);
    // Only the main part: the preview picture for social networks was drawn when the site was built, and says so.
    expect(/<main.*<\/main>/s.exec(await page(copy.url, "/contact"))?.[0]).not.toContain("Bengaluru");
    expect(await page(copy.url, "/buyers-guide")).not.toContain("Our office in Dubai");
    const sitemap = await page(copy.url, "/sitemap.xml");
    const today = new Date().toISOString().slice(0, 10);
    expect(sitemap).toMatch(new RegExp(`/about</loc><lastmod>${today}T`));
  });

  it("is in the mails that go out from then on, and requests go to the new address", async () => {
    await save("brand", ours);
    await expect.poll(() => brand.name).toBe("Chaukas");
    const { status, body } = await server.send("contact", contact);
    expect([status, body.fields]).toEqual([200, undefined]);
    const mail = await server.mailbox.take("hello@chaukas.example");
    expect(mail.html).toContain("Chaukas Security Private Limited");
  });

  it("restored to what is shipped is served from the files again", async () => {
    const etag = async () => (await fetch(`${server.url}/contact`)).headers.get("etag");
    const before = await etag();
    await save("brand", ours);
    await expect.poll(have("/contact", "Chaukas")).toEqual(all);
    expect(await etag()).not.toBe(before);
    const { body } = await ask("/restore", { section: "brand", version: 1, to: 0 });
    expect(body).toMatchObject({ version: 2 });
    await expect.poll(have("/contact", "Chaukas")).toEqual(none);
    // While a copy loads the change, it renders the page itself.
    await expect.poll(etag).toBe(before);
  });

  it("cannot carry a script into a page", async () => {
    const evil = "</script><script>document.title='taken'</script>";
    await save("faq", { price: `Cheap ${evil}` });
    await expect.poll(have("/", "Cheap ")).toEqual(all);
    expect(await page(server.url, "/")).not.toContain(evil);
  });
});

describe("Other sections", () => {
  it("answer a question anew, on the page and for search engines", async () => {
    await save("faq", { price: "By the device, and you see it before you ask." });
    await expect.poll(have("/", "<p>By the device, and you see it before you ask.</p>")).toEqual(all);
    expect(await page(copy.url, "/")).toContain('"text":"By the device, and you see it before you ask."');
    expect(await page(copy.url, "/")).toContain("How is the service priced?");
  });

  it("set the service levels", async () => {
    const { levels } = shippedTexts.serviceLevels;
    const changed = levels.map((level, index) => (index === 0 ? { ...level, acknowledgeMinutes: 7 } : level));
    await save("serviceLevels", { isSample: false, levels: changed });
    await expect.poll(have("/buyers-guide", "7 min")).toEqual(all);
    expect(await page(copy.url, "/buyers-guide")).not.toContain("These figures are a sample");
  });

  it.each([
    ["brand", texts({ phones: [] }), "content.phones.0"],
    ["brand", texts({ phones: ["call us"] }), "content.phones.0"],
    ["brand", texts({ gstin: "29ABCDE1234F1ZX" }), "content.gstin"],
    ["brand", texts({ website: "javascript:alert(1)" }), "content.website"],
    ["brand", texts({ emails: { ...ours.emails, sales: "nobody" } }), "content.emails.sales"],
    ["brand", texts({ offices: [] }), "content.offices"],
    ["brand", texts({ name: "Two\nlines" }), "content.name"],
    ["faq", { price: "" }, "content.price"],
    ["serviceLevels", { ...shippedTexts.serviceLevels, levels: [] }, "content.levels"],
    [
      "legal",
      { ...shippedTexts.legal, promises: { ...shippedBrand.promises, backupDays: 0 } },
      "content.promises.backupDays",
    ],
    ["legal", { ...shippedTexts.legal, notices: [{ version: "2020-01-01", changes: "x" }] }, "content.notices"],
  ])("refuse in %s what does not fit: %#", async (section, content, field) => {
    const { status, body } = await save(section, content);
    expect([status, Object.keys(body.fields ?? {})]).toEqual([422, [field]]);
  });
});

describe("Two editors", () => {
  it("at once: one is told who was faster, and nothing of the other's is lost", async () => {
    const answers = await Promise.all(["One", "Two"].map((name) => save("brand", texts({ name }))));
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(["200", "409"]);
    expect(answers.find(({ status }) => status === 409)?.body.error).toContain(
      "Meera Iyer changed these texts meanwhile",
    );
    const { body } = await ask("", {});
    expect(body).toMatchObject({ brand: { version: 1, saved_by: "Meera Iyer" }, faq: { version: 0 } });
  });

  it("of two sections do not meet", async () => {
    const answers = await Promise.all([save("brand", texts({ name: "One" })), save("faq", { price: "Cheap." })]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  });
});

describe("History", () => {
  it("tells what each version changed, restores any, and is in the audit log", async () => {
    await save("faq", { price: "First." });
    await save("faq", { price: "Second.", growth: "No." }, 1);
    expect((await save("faq", { price: "Second.", growth: "No." }, 2)).body).toMatchObject({ version: 2 });
    const { body } = await ask("/history", { section: "faq" });
    expect(body["versions"]).toMatchObject([
      {
        version: 2,
        saved_by: "Meera Iyer",
        changes: [{ field: "price", before: "First.", after: "Second." }, { field: "growth" }],
      },
      { version: 1, changes: [{ field: "price", before: "", after: "First." }] },
    ]);
    expect((await ask("/restore", { section: "faq", version: 2, to: 9 })).status).toBe(404);
    expect((await ask("/restore", { section: "faq", version: 1, to: 1 })).status).toBe(409);
    expect((await ask("/restore", { section: "faq", version: 2, to: 1 })).body).toMatchObject({ version: 3 });
    await expect.poll(have("/", "<p>First.</p>")).toEqual(all);
    const entries = await server.services.database
      .select()
      .from(auditEntries)
      .where(eq(auditEntries.subject, "site text:faq"))
      .orderBy(desc(auditEntries.id))
      .limit(1);
    expect(entries).toMatchObject([
      {
        action: "restore site texts",
        detail: { restored: 1, before: { price: "Second." }, after: { price: "First." } },
      },
    ]);
  });
});

describe("A preview", () => {
  it("draws the page before and after, and changes nothing", async () => {
    const { status, body } = await ask("/preview", { section: "brand", content: ours });
    expect([status, body["path"]]).toEqual([200, "/contact"]);
    expect(body["after"]).toContain("+91 22 5550 0199");
    expect(body["before"]).toContain(shippedBrand.phones[0]);
    expect(body["before"]).not.toContain("Chaukas");
    expect(await have("/contact", "Chaukas")()).toEqual(none);
    expect(await page(server.url, "/buyers-guide")).not.toContain("Chaukas");
  });
});

// Last, because turning the clock ends the other tests' sessions.
describe("Legal versions", () => {
  it("add a version of the privacy notice, which forms record from then on", async () => {
    const version = writtenDay(new Date(Date.now() + 86_400_000));
    const notices = [{ version, changes: "Names Chaukas as the company." }];
    const legal = { ...shippedTexts.legal, notices };
    expect((await save("legal", legal)).body.error).toContain("The day has not come yet");
    server.passTime(2 * 86_400);
    const later = await member(server, "admin");
    const saved = { section: "legal", content: legal, version: 0 };
    expect((await ask("/save", saved, later)).status).toBe(200);
    await expect.poll(have("/privacy-policy", "Names Chaukas as the company.")).toEqual(all);
    await expect.poll(() => currentNotice).toBe(version);
    expect((await server.send("contact", { ...contact, noticeVersion: version })).status).toBe(200);
    const [given] = await server.services.database.select().from(consents).orderBy(desc(consents.givenAt)).limit(1);
    expect(given?.noticeVersion).toBe(version);
    for (const changed of [[], [{ version, changes: "Something else." }]]) {
      const rewritten = { ...saved, version: 1, content: { ...legal, notices: changed } };
      expect((await ask("/save", rewritten, later)).body.error).toContain("stays as it is");
    }
  });
});
