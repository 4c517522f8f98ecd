import { eq } from "drizzle-orm";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { messages } from "../../contract/messages.ts";
import { articles, sessions } from "../../server/database/schema/index.ts";
import { article } from "../articles.ts";
import { holdBack, leaveBrowser, openPage, sharedBrowser, untilTakenOver } from "../browser.ts";
import { startTestServer, type TestServer } from "../harness.ts";
import { member, type Member } from "../people.ts";
import { findBarriers, findBarriersAtBothWidths, hasFocus, jobScreen, openSignedIn, wide } from "../portal-page.ts";

let server: TestServer;
let browser: Browser;
let admin: Member;
beforeAll(async () => {
  [server, browser] = await Promise.all([startTestServer({ pages: true, work: false }), sharedBrowser()]);
  admin = await member(server, "admin", { firstName: "Meera", lastName: "Iyer" });
});
afterAll(async () => {
  await leaveBrowser(browser);
  await server?.stop();
});
beforeEach(async () => {
  await server.services.database.delete(articles);
});

const add = async (over: object = {}) => (await server.call("admin/posts/add", article(over), admin.token)).body.id;
const find = async (id: string) => (await server.call("admin/posts/post", { id }, admin.token)).body;
const idIn = (page: Page) => new URL(page.url()).searchParams.get("post") ?? "";
const text = (page: Page) => page.getByRole("textbox", { name: "Text of the article" });
const button = (page: Page, name: string | RegExp) =>
  page.getByRole("button", { name, exact: typeof name === "string" });

async function open(id: string, options: BrowserContextOptions = wide, who = admin) {
  const opened = await openSignedIn(browser, server, who, options);
  await opened.page.goto(`${server.url}/admin/blog?post=${id}`);
  await opened.page.getByRole("textbox", { name: "Title" }).waitFor();
  return opened;
}

it("Whoever publishes what is not whole is told of each field, and taken to the first", async () => {
  const { page, complaints } = await openSignedIn(browser, server, admin, wide);
  await page.goto(`${server.url}/admin/blog?post=new`);
  const [title, excerpt] = [
    page.getByRole("textbox", { name: "Title" }),
    page.getByRole("textbox", { name: "Excerpt" }),
  ];
  await button(page, "Publish").click();
  await page.getByText("Please give the article a title", { exact: true }).waitFor();
  await page.getByText("Please choose an address", { exact: true }).waitFor();
  await expect.poll(hasFocus(title)).toBe(true);

  await title.fill("What a night shift reads");
  await button(page, "Publish").click();
  await expect.poll(hasFocus(excerpt)).toBe(true);
  await excerpt.fill("What the people awake at three look at.");
  await button(page, "Publish").click();
  await expect.poll(hasFocus(text(page))).toBe(true);
  await page.keyboard.type("The lead.");
  await button(page, "Publish").click();
  await expect.poll(hasFocus(button(page, "Upload an image"))).toBe(true);

  await page.getByRole("textbox", { name: "Address" }).fill("What a night");
  await button(page, "Save").click();
  await page.getByText("Please use lower-case letters and digits, with hyphens between the words").first().waitFor();
  await expect.poll(hasFocus(page.getByRole("textbox", { name: "Address" }))).toBe(true);
  expect(complaints.filter((complaint) => !complaint.includes("422"))).toEqual([]);
});

it("An article is written, previewed, published, changed and taken off, and visitors see it", async () => {
  const { page, complaints } = await openSignedIn(browser, server, admin, jobScreen);
  await page.goto(`${server.url}/admin/blog`);
  await page.getByText("No articles found").waitFor();
  expect(await findBarriersAtBothWidths(page)).toEqual([]);
  await page.getByRole("link", { name: "New article" }).click();

  await page.getByRole("textbox", { name: "Title" }).fill("What a night shift reads");
  expect(await page.getByRole("textbox", { name: "Address" }).inputValue()).toBe("what-a-night-shift-reads");
  await text(page).click();
  await page.keyboard.type("The lead.\n## A part\n- one\ntwo\n\nEnd with ");
  await page.keyboard.press("Control+b");
  await page.keyboard.type("bold");
  await button(page, "Publish").click();
  await page.getByText("Please upload a header image", { exact: true }).first().waitFor();
  expect(idIn(page)).toBe("new");
  expect(await findBarriersAtBothWidths(page)).toEqual([]);

  await page.getByRole("textbox", { name: "Excerpt" }).fill("What the people awake at three look at.");
  await page.getByRole("combobox", { name: "Tags" }).fill("SOC,");
  const photo = await sharp({ create: { width: 1600, height: 900, channels: 3, background: "#4084f0" } })
    .jpeg()
    .toBuffer();
  const input = page.locator('input[type="file"]');
  await input.setInputFiles({
    name: "a.jpg",
    mimeType: "image/jpeg",
    buffer: Buffer.from("<script>alert(1)</script>"),
  });
  await page.getByText("This is a page or a program, not an image.").waitFor();
  // Sends the image only once its description is written, as a slow line does.
  const sent = Promise.withResolvers<void>();
  await page.route("**/api/admin/posts/add-image*", async (route) => {
    await sent.promise;
    await route.continue();
  });
  await input.setInputFiles({ name: "a.jpg", mimeType: "image/jpeg", buffer: photo });
  await page.getByRole("textbox", { name: "What the image shows" }).fill("A blue field");
  sent.resolve();
  await page.locator('img[src*="/images/articles/"]').waitFor();

  await button(page, "Save and preview").click();
  await page.getByRole("heading", { level: 1, name: "What a night shift reads" }).waitFor();
  expect(await page.locator("article h2").textContent()).toBe("A part");
  expect(await page.locator("article strong").textContent()).toBe("bold");
  expect(await page.locator('meta[name="robots"]').getAttribute("content")).toContain("noindex");
  await page.getByAltText("A blue field").evaluate((image: HTMLImageElement) => image.decode());
  expect(await findBarriersAtBothWidths(page)).toEqual([]);
  const { page: visited, complaints: ofVisitor } = await openPage(browser, jobScreen);
  await visited.goto(`${server.url}/blog/what-a-night-shift-reads`);
  expect(visited.url()).toContain("/blog?failed");

  await page.goBack();
  await expect.poll(() => page.getByRole("textbox", { name: "Title" }).inputValue()).toBe("What a night shift reads");
  await page.goForward();
  await page.getByRole("link", { name: "Back to the editor" }).click();
  await button(page, "Publish").click();
  await page.getByText("The article is on the site now.").waitFor();
  await visited.goto(`${server.url}/blog/what-a-night-shift-reads`);
  await visited.getByAltText("A blue field").waitFor();
  expect(await findBarriersAtBothWidths(visited)).toEqual([]);

  await page.getByText("Markdown", { exact: true }).click();
  const markdown = page.getByRole("textbox", { name: "Text as Markdown" });
  expect(await markdown.inputValue()).toBe("The lead.\n\n## A part\n\n- one\n- two\n\nEnd with **bold**");
  await markdown.fill("The lead, again.\n\n## A part");
  await page.getByText("Rich text", { exact: true }).click();
  await text(page).getByText("The lead, again.").waitFor();
  expect(await findBarriersAtBothWidths(page)).toEqual([]);
  await button(page, "Publish the changes").click();
  const read = async () => (await server.call("blogs/{idKey}", { idKey: "what-a-night-shift-reads" })).body.content;
  await expect.poll(read).toContain("The lead, again.");
  await visited.reload();
  await visited.getByText("The lead, again.").waitFor();

  await page
    .getByRole("button", { name: /^Show the version of/ })
    .last()
    .click();
  const panel = page.getByRole("dialog");
  await panel.locator("del").first().waitFor();
  expect(await findBarriersAtBothWidths(page)).toEqual([]);
  await panel.getByRole("button", { name: "Bring this version back" }).click();
  await panel.waitFor({ state: "hidden" });
  await text(page).getByText("The lead.", { exact: true }).waitFor();

  await button(page, "Take off the site…").click();
  await page.getByRole("dialog").getByRole("button", { name: "Take it off the site" }).click();
  await page.getByText("It is not on the site, and not scheduled.").waitFor();
  await visited.reload();
  await visited.waitForURL(/\/blog\?failed|\/blog$/);
  // The script uploaded as an image was refused.
  const others = complaints.filter((complaint) => !complaint.includes("status of 422"));
  expect([...others, ...ofVisitor]).toEqual([]);
});

it("An image comes into the text by rich text and by Markdown, says what it shows, and takes its room before it is there", async () => {
  const id = await add();
  const { page, complaints } = await open(id);
  const picture = async (colour: string) => ({
    name: "a.png",
    mimeType: "image/png",
    buffer: await sharp({ create: { width: 800, height: 500, channels: 3, background: colour } })
      .png()
      .toBuffer(),
  });
  await text(page).click();
  await page.keyboard.press("Control+End");
  await button(page, "Image").click();
  const dialog = page.getByRole("dialog");
  await dialog
    .getByLabel("Choose an image")
    .setInputFiles({ ...(await picture("#4084f0")), buffer: Buffer.from('<svg onload="alert(1)">') });
  await dialog.getByText(/^This is an SVG/).waitFor();
  await dialog.getByLabel("Choose an image").setInputFiles(await picture("#4084f0"));
  await dialog.getByText("The image is uploaded.").waitFor();
  await dialog.getByRole("button", { name: "Insert" }).click();
  await dialog.getByText("Please say what it shows, for people who can't see it").waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await dialog.getByRole("textbox", { name: "What the image shows" }).fill("A [blue] field");
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "hidden" });
  await text(page).getByAltText("A [blue] field").waitFor();

  await page.getByText("Markdown", { exact: true }).click();
  const markdown = page.getByRole("textbox", { name: "Text as Markdown" });
  expect(await markdown.inputValue()).toContain("![A \\[blue\\] field](/images/articles/");
  await markdown.press("Control+End");
  await page.keyboard.type("\n\n");
  await button(page, "Insert an image").click();
  await dialog.getByLabel("Choose an image").setInputFiles(await picture("#2f9e44"));
  await dialog.getByText("The image is uploaded.").waitFor();
  await dialog.getByRole("textbox", { name: "What the image shows" }).fill("A green field");
  await dialog.getByRole("button", { name: "Insert" }).click();
  await dialog.waitFor({ state: "hidden" });
  await button(page, "Publish").click();
  await page.getByText("The article is on the site now.").waitFor();
  expect(complaints.filter((complaint) => !complaint.includes("422"))).toEqual([]);

  const visitor = await openPage(browser, jobScreen);
  const release = await holdBack(visitor.page, "**/images/articles/**");
  await visitor.page.goto(`${server.url}/blog/an-article`);
  const shown = visitor.page.getByAltText("A green field");
  const room = await shown.boundingBox();
  expect((room?.width ?? 0) / (room?.height ?? 1)).toBeCloseTo(1.6, 1);
  release();
  await shown.scrollIntoViewIfNeeded();
  await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.currentSrc)).toMatch(/-(480|960)\.avif$/);
  expect((await shown.boundingBox())?.height).toBe(room?.height);
  expect(await findBarriers(visitor.page)).toEqual([]);
});

it("A draft is deleted once asked, and whoever had it open keeps what they typed as a new article", async () => {
  const id = await add();
  const { page } = await open(id);
  const { page: other, complaints } = await open(id);
  const ofFormerAddresses = other.getByText("Addresses under which it was published before lead here.");
  expect(await ofFormerAddresses.count()).toBe(0);
  await other.getByRole("textbox", { name: "Title" }).fill("Still wanted");
  await button(page, "Delete the draft An article of a test").click();
  const harmless = page.getByRole("dialog").getByRole("button", { name: "Cancel" });
  await expect.poll(() => harmless.evaluate((element) => element === document.activeElement)).toBe(true);
  expect(await findBarriers(page)).toEqual([]);
  await page.getByRole("dialog").getByRole("button", { name: "Delete for good" }).click();
  await page.getByText("The draft is deleted.").waitFor();
  await page.getByText("No articles found").waitFor();

  await button(other, "Save").click();
  await other.getByText("Somebody has deleted this draft meanwhile.").waitFor();
  expect(await findBarriers(other)).toEqual([]);
  await button(other, "Save it as a new article").click();
  await expect.poll(() => idIn(other)).not.toBe(id);
  await button(other, "Delete the draft Still wanted").waitFor();
  expect((await find(idIn(other))).content.title).toBe("Still wanted");
  await button(other, "Publish").click();
  await other.getByText("The article is on the site now.").waitFor();
  await button(other, "Take off the site…").waitFor();
  expect(await ofFormerAddresses.count()).toBe(1);
  expect(await button(other, /^Delete the draft/).count()).toBe(0);
  expect(complaints.filter((complaint) => !complaint.includes("404"))).toEqual([]);
});

it("A text that rich text would lose something of stays in Markdown, and is told", async () => {
  const { page } = await open(await add({ markdown: "Press <kbd>F2</kbd>.\n\n- [ ] done" }));
  await page.getByText("This text contains something that rich text would lose").waitFor();
  expect(await page.getByRole("textbox", { name: "Text as Markdown" }).inputValue()).toBe(
    "Press <kbd>F2</kbd>.\n\n- [ ] done",
  );
  expect(await findBarriers(page)).toEqual([]);
});

it("What was typed survives a reload, and a second editor is shown what the other saved and keeps theirs", async () => {
  const id = await add();
  const { page, complaints } = await open(id);
  await page.getByRole("textbox", { name: "Title" }).fill("My title");
  await text(page).click();
  await page.keyboard.type("Mine. ");
  page.on("dialog", (asking) => void asking.accept());
  await page.reload();
  await page.getByText("Your unsaved changes have been restored.").waitFor();
  expect(await page.getByRole("textbox", { name: "Title" }).inputValue()).toBe("My title");

  const other = await member(server, "admin", { organisationId: admin.organisationId, firstName: "Rohan" });
  const theirs = article({ title: "Their title", excerpt: "Their excerpt." });
  await server.call("admin/posts/save", { id, version: 1, content: theirs }, other.token);
  await button(page, "Save").click();
  const bar = page.getByRole("region", { name: "Article", exact: true });
  await bar.getByText("Rohan Rao has changed this article meanwhile.").waitFor();
  await bar.getByText("Title: what was saved").click();
  await bar.getByText("Their title").waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await button(page, "Bring in the changes, keep mine").click();
  await page.getByText("You both changed: Title.").waitFor();
  expect(await page.getByRole("textbox", { name: "Title" }).inputValue()).toBe("My title");
  expect(await page.getByRole("textbox", { name: "Excerpt" }).inputValue()).toBe("Their excerpt.");
  await button(page, "Save").click();
  await expect
    .poll(async () => (await find(id)).content)
    .toMatchObject({ title: "My title", excerpt: "Their excerpt." });
  expect((await find(id)).content.markdown).toContain("Mine.");
  expect(complaints.filter((complaint) => !complaint.includes("409"))).toEqual([]);
});

describe("What was typed before the session ended", () => {
  /** Signs in or out in another tab of the browser; this tab gets the storage event. */
  async function inAnotherTab(page: Page, person: Member | null) {
    const tab = await page.context().newPage();
    await tab.goto(`${server.url}/robots.txt`);
    await tab.evaluate(
      (kept) => Object.entries(kept ?? {}).forEach(([name, value]) => localStorage.setItem(name, value)),
      person && { isAuthenticated: "true", token: person.token, email: person.email },
    );
    await tab.close();
  }
  const keptIn = (page: Page) =>
    page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith("typed:")));

  /** Types a title into a new article and saves it with a session that was ended elsewhere. */
  async function lose(person: Member) {
    const { page } = await open("new", wide, person);
    await page.getByRole("textbox", { name: "Title" }).fill("Not saved yet");
    const { database } = server.services;
    const ended = await database.delete(sessions).where(eq(sessions.personId, person.id)).returning();
    await button(page, "Save").click();
    await page.waitForURL(/\/login\?next=/);
    await page.getByText(messages.sessionEnded).waitFor();
    return { page, bringBack: () => database.insert(sessions).values(ended) };
  }

  it("is back when the same person signs in again", async () => {
    const person = await member(server, "admin", { organisationId: admin.organisationId });
    const { page, bringBack } = await lose(person);
    await bringBack();
    await inAnotherTab(page, person);
    await page.getByText("Your unsaved changes have been restored.").waitFor();
    expect(await page.getByRole("textbox", { name: "Title" }).inputValue()).toBe("Not saved yet");

    await button(page, /^Account of /).click();
    await page.getByRole("menuitem", { name: "Sign Out" }).click();
    await page.waitForURL((address) => ["/", "/login"].includes(address.pathname));
    expect(await keptIn(page)).toEqual([]);
  });

  it("waits for its owner, though it was another tab that found the session ended", async () => {
    const person = await member(server, "admin", { organisationId: admin.organisationId });
    const { page } = await open("new", wide, person);
    await page.getByRole("textbox", { name: "Title" }).fill("Not saved yet");
    await server.services.database.delete(sessions).where(eq(sessions.personId, person.id));
    const tab = await page.context().newPage();
    await tab.goto(`${server.url}/admin/dashboard`);
    await tab.waitForURL(/\/login\?next=/);
    await page.waitForURL(/\/login\?next=/);
    expect(await keptIn(page)).toHaveLength(1);
  });

  it("is gone when its owner signs out, though in another tab", async () => {
    const person = await member(server, "admin", { organisationId: admin.organisationId });
    const { page } = await open("new", wide, person);
    await page.getByRole("textbox", { name: "Title" }).fill("Not saved yet");
    expect(await keptIn(page)).toHaveLength(1);
    const tab = await page.context().newPage();
    await tab.goto(`${server.url}/admin/dashboard`);
    await button(tab, /^Account of /).click();
    await tab.getByRole("menuitem", { name: "Sign Out" }).click();
    await page.waitForURL(/\/login\?next=/);
    expect(await keptIn(page)).toEqual([]);
  });

  it("is gone when somebody else signs in after the page was loaded again", async () => {
    const { page } = await lose(await member(server, "admin", { organisationId: admin.organisationId }));
    await page.goto(`${server.url}/login`);
    await untilTakenOver(page);
    expect(await keptIn(page)).toHaveLength(1);
    await inAnotherTab(page, admin);
    await page.waitForURL("**/admin/dashboard");
    expect(await keptIn(page)).toEqual([]);
  });

  it("is gone when somebody else signs in", async () => {
    const { page } = await lose(await member(server, "admin", { organisationId: admin.organisationId }));
    await inAnotherTab(page, admin);
    const title = page.getByRole("textbox", { name: "Title" });
    await title.waitFor();
    expect([await title.inputValue(), await keptIn(page)]).toEqual(["", []]);
  });
});

it("What somebody chose to leave behind is not brought back to them", async () => {
  const { page } = await open("new");
  await page.getByRole("textbox", { name: "Title" }).fill("Not worth it");
  page.once("dialog", (question) => void question.accept());
  await page.getByRole("link", { name: "All articles" }).click();
  await page.getByRole("link", { name: "New article" }).click();
  const title = page.getByRole("textbox", { name: "Title" });
  await title.waitFor();
  expect(await title.inputValue()).toBe("");
});

it("By the keyboard alone an article is scheduled, and a time that has passed is refused", async () => {
  const id = await add();
  const { page } = await open(id);
  await button(page, "Schedule…").focus();
  await page.keyboard.press("Enter");
  const time = page.getByLabel("Publish on");
  await time.fill("2020-01-01T10:00");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").getByText("This time has passed.").waitFor();
  expect(await findBarriers(page)).toEqual([]);
  const tomorrow = new Date(Date.now() + 24 * 3_600_000 + 5.5 * 3_600_000).toISOString().slice(0, 16);
  await time.fill(tomorrow);
  await page.keyboard.press("Enter");
  await page.getByText(/^It will be published on/).waitFor();
  expect(await find(id)).toMatchObject({
    state: "scheduled",
    published_at: new Date(`${tomorrow}+05:30`).toISOString(),
  });
});

it("A child administrator reads an article and its preview, and can't change it", async () => {
  const child = await member(server, "adminChild", { organisationId: admin.organisationId });
  const { page } = await open(await add(), wide, child);
  expect(await page.getByRole("textbox", { name: "Title" }).getAttribute("readonly")).not.toBeNull();
  await text(page).waitFor();
  expect(await text(page).getAttribute("contenteditable")).toBe("false");
  for (const name of ["Save", "Publish", "Schedule…"]) expect(await button(page, name).count()).toBe(0);
  await page.getByRole("link", { name: "See it as visitors will" }).click();
  await page.getByRole("heading", { level: 1, name: "An article of a test" }).waitFor();
});

it("The preview is closed to everybody else", async () => {
  const id = await add();
  const { page } = await openPage(browser);
  await page.goto(`${server.url}/admin/blog-preview?post=${id}`);
  await page.waitForURL(/\/login\?next=/);
  const source = await (await fetch(`${server.url}/admin/blog-preview?post=${id}`)).text();
  expect(source).not.toContain("An article of a test");
});
