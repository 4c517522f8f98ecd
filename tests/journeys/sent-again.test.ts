import { eq } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { announcements, incidents, leads, obligationFilings, quotes } from "../../server/database/schema/index.ts";
import { holdBack, leaveBrowser, loseAnswer, sharedBrowser, type WatchedPage } from "../browser.ts";
import { startTestServer, type TestServer } from "../harness.ts";
import { fillNewQuote } from "../new-quote.ts";
import { type Member, member } from "../people.ts";
import { findBarriersAtBothWidths, follow, goTo, openSignedIn, phone } from "../portal-page.ts";

let server: TestServer;
let browser: Browser;
let admin: Member;
beforeAll(async () => {
  [server, browser] = await Promise.all([startTestServer({ pages: true, work: false }), sharedBrowser()]);
  admin = await member(server, "admin", { organizationName: "Provider", firstName: "Meera", lastName: "Iyer" });
});
afterAll(async () => {
  await leaveBrowser(browser);
  await server?.stop();
});

const cannotReach = /We can't reach the server/;
const database = () => server.services.database;

async function open(person: Member, path: string): Promise<Page> {
  const { page } = await openSignedIn(browser, server, person, phone);
  await page.goto(server.url + path);
  return page;
}

/** An incident that our team opened for a customer. */
async function incidentOf({ email }: Member): Promise<string> {
  const opened = { id: randomUUID(), email, title: "A stranger signed in", severity: "P2" as const };
  expect((await server.call("admin/incidents/open", opened, admin.token)).status).toBe(201);
  return opened.id;
}

/** Presses a button whose call gets no response. */
async function pressInVain(page: Page, addresses: string, button: Locator): Promise<void> {
  await page.getByText(cannotReach).first().waitFor({ state: "hidden" });
  await loseAnswer(page, addresses);
  await button.click();
  await page.getByText(cannotReach).first().waitFor();
}

/** The texts in an incident's timeline, oldest first. */
const wordsOf = async (incidentId: string, reader: Member): Promise<string[]> => {
  const { body } = await server.call("user/incidents/{id}", { id: incidentId }, reader.token);
  return body.timeline.flatMap(({ text }) => text ?? []).toReversed();
};

describe("After an answer that was lost", () => {
  it("what is added to a report of an attack is told in the incident that is open, and a report of which nothing is left is none that was begun", async () => {
    const customer = await member(server, "user", { organizationName: "Kaveri Mills" });
    const page = await open(customer, "/user/under-attack");
    const what = page.getByLabel("What happens");
    await what.fill("Files are being encrypted");
    await page.getByLabel("Since when").fill("Ten minutes ago");
    await page.getByRole("textbox", { name: "Whom we call" }).fill("Asha, 98765 43210");
    const report = page.getByRole("button", { name: "Report it and call everybody" });
    await pressInVain(page, "**/api/user/under-attack", report);
    await what.fill("Files are being encrypted. It began at the file server srv-7");
    expect(await findBarriersAtBothWidths(page)).toEqual([]);
    await report.click();
    await what.waitFor({ state: "hidden" });
    const opened = await database()
      .select({ id: incidents.id })
      .from(incidents)
      .where(eq(incidents.organisationId, customer.organisationId));
    expect(opened).toHaveLength(1);
    expect(await wordsOf(opened[0]?.id ?? "", customer)).toEqual([
      expect.stringMatching(/^Files are being encrypted\nSince/),
      expect.stringContaining("srv-7"),
    ]);

    const another = page.getByRole("button", { name: "Report something else" });
    await another.click();
    await what.fill("T");
    await what.fill("");
    await page.reload();
    await another.waitFor();
    expect(await what.count()).toBe(0);
  });

  it("a comment that is corrected is there as well, the same is there once, and a corrected answer goes as a comment beside the first", async () => {
    const customer = await member(server, "user");
    const id = await incidentOf(customer);
    const asked = { id, fact_id: randomUUID(), news: "asked" as const, text: "Is 192.0.2.7 yours?" };
    await server.call("admin/incidents/tell", asked, admin.token);
    const page = await open(customer, `/user/incidents/${id}`);
    const comment = page.getByLabel("Comment");
    const send = page.getByRole("button", { name: "Send", exact: true });
    await comment.fill("We know these people");
    await pressInVain(page, "**/api/user/incidents/comment", send);
    await send.click();
    await expect.poll(() => comment.inputValue()).toBe("");
    await comment.fill("We know two of them");
    await pressInVain(page, "**/api/user/incidents/comment", send);
    await comment.fill("We know two of them, not the third");
    await send.click();
    await expect.poll(() => comment.inputValue()).toBe("");

    const answer = page.getByLabel("Your answer");
    await answer.fill("No");
    await pressInVain(page, "**/api/user/incidents/answer", page.getByRole("button", { name: "Answer" }));
    await answer.fill("No, but 192.0.2.70 is");
    await page.getByRole("button", { name: "Send as a comment" }).click();
    await answer.waitFor({ state: "hidden" });
    const told = await wordsOf(id, customer);
    expect(told.filter((text) => text.startsWith("We know"))).toEqual([
      "We know these people",
      "We know two of them",
      "We know two of them, not the third",
    ]);
    expect(told).toEqual(expect.arrayContaining(["No", "No, but 192.0.2.70 is"]));
  });

  it("a filing that is corrected is not called kept: what stands is said", async () => {
    const customer = await member(server, "user", { firstName: "Asha", lastName: "Rao" });
    const id = await incidentOf(customer);
    const page = await open(customer, `/user/incidents/${id}/regulators`);
    await page.getByRole("button", { name: "Say what you are" }).click();
    await page.getByLabel("Body corporate, such as a company").check();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: /^Answer: Which of the twenty kinds/ }).click();
    await page.getByLabel(/^5 Malicious code/).check();
    await page.getByRole("button", { name: "Attest" }).click();
    await page.getByRole("button", { name: "Mark as filed: Report a cyber incident to CERT-In" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Who filed it").selectOption({ label: "Asha Rao" });
    const now = server.services.now().toLocaleString("sv-SE", { timeZone: "Asia/Kolkata" }).slice(0, 16);
    await dialog.getByLabel("When", { exact: true }).fill(now.replace(" ", "T"));
    const reference = dialog.getByLabel("Reference", { exact: true });
    await reference.fill("CERT-In 4711");
    const file = dialog.getByRole("button", { name: "Mark as filed" });
    await pressInVain(page, `**/api/user/incidents/${id}/filings`, file);
    await reference.fill("CERT-In 4712");
    await file.click();
    await dialog.getByText(/it is recorded that Asha Rao filed it on .* with the reference CERT-In 4711/).waitFor();
    expect(await findBarriersAtBothWidths(page)).toEqual([]);
    await reference.fill("CERT-In 4711");
    await file.click();
    await dialog.waitFor({ state: "hidden" });
    const kept = await database()
      .select({ reference: obligationFilings.reference })
      .from(obligationFilings)
      .where(eq(obligationFilings.incidentId, id));
    expect(kept).toEqual([{ reference: "CERT-In 4711" }]);
  });

  describe("on one page of our team,", () => {
    let watched: WatchedPage;
    let page: Page;
    beforeAll(async () => {
      watched = await openSignedIn(browser, server, admin, phone);
      ({ page } = watched);
      page.on("dialog", (question) => void question.accept());
    });
    afterAll(() => watched.leave());

    it("what our team tells of an incident and corrects is told as well", async () => {
      const customer = await member(server, "user");
      const id = await incidentOf(customer);
      await goTo(page, server, `/admin/incidents/${id}`);
      await page.getByRole("button", { name: "Comment", exact: true }).click();
      const dialog = page.getByRole("dialog");
      const send = dialog.getByRole("button", { name: "Comment", exact: true });
      const comment = dialog.getByRole("textbox", { name: "Comment" });
      await comment.fill("We block the address");
      await pressInVain(page, "**/api/admin/incidents/tell", send);
      await comment.fill("We block both addresses");
      await send.click();
      await dialog.waitFor({ state: "hidden" });
      expect(await wordsOf(id, customer)).toEqual(
        expect.arrayContaining(["We block the address", "We block both addresses"]),
      );
    });

    it("a note about a lead that is corrected is kept as well", async () => {
      const [lead] = await database()
        .insert(leads)
        .values({
          userName: "Asha Rao",
          userEmail: "asha@betwa.example",
          phone: "+919876543210",
          organization: "Betwa Ceramics",
          organizationSize: 120,
          message: "Please call.",
        })
        .returning();
      await goTo(page, server, `/admin/estimateOrder?lead=${lead?.id}`);
      const note = page.getByLabel("Note", { exact: true });
      const add = page.getByRole("button", { name: "Add note" });
      await note.fill("Wants two plants");
      await pressInVain(page, "**/api/admin/leads/add-note", add);
      await note.fill("Wants three plants");
      await add.click();
      await page.getByRole("listitem").filter({ hasText: "Wants three plants" }).waitFor();
      expect(await page.getByRole("listitem").filter({ hasText: "Wants two plants" }).count()).toBe(1);
    });

    it("a quote that is corrected is not made a second time: what was made is named, and its lead is listed", async () => {
      await goTo(page, server, "/admin/estimateOrder");
      await page.getByRole("button", { name: "New quote" }).click();
      const panel = page.getByRole("dialog");
      await fillNewQuote(panel);
      const send = panel.getByRole("button", { name: "Send the proposal" });
      await pressInVain(page, "**/api/admin/leads/make-quote", send);
      await panel.getByLabel("Discount", { exact: true }).fill("10");
      await send.click();
      await panel
        .getByText(/^An earlier try has arrived: Q-\d{6} of ₹.* was made for asha@yamuna-pumps\.example/)
        .waitFor();
      expect(await findBarriersAtBothWidths(page)).toEqual([]);
      const made = await database()
        .select({ discount: quotes.discountBasisPoints })
        .from(quotes)
        .where(eq(quotes.userEmail, "asha@yamuna-pumps.example"));
      expect(made).toEqual([{ discount: 0 }]);
      await page.keyboard.press("Escape");
      await panel.waitFor({ state: "hidden" });
      await page.getByText("Yamuna Pumps").locator("visible=true").first().waitFor();
    });

    it("an announcement that is corrected is changed, and not announced a second time", async () => {
      await goTo(page, server, "/admin/announcements");
      await page.getByRole("button", { name: "Write an announcement" }).click();
      const dialog = page.getByRole("dialog", { name: "Write an announcement" });
      const title = dialog.getByRole("textbox", { name: "Title" });
      await title.fill("Maintenance on Saturday");
      await dialog.getByRole("textbox", { name: "Text" }).fill("The dashboards rest.");
      await pressInVain(page, "**/api/admin/announcements/add", dialog.getByRole("button", { name: "Announce" }));
      await title.fill("Maintenance on Sunday");
      await dialog.getByRole("button", { name: "Announce" }).click();
      await dialog.getByText(/^An earlier try has arrived: “Maintenance on Saturday”/).waitFor();
      expect(await findBarriersAtBothWidths(page)).toEqual([]);
      await dialog.getByRole("button", { name: "Save" }).click();
      await dialog.waitFor({ state: "hidden" });
      const kept = await database().select({ title: announcements.title }).from(announcements);
      expect(kept).toEqual([{ title: "Maintenance on Sunday" }]);
    });
  });
});

it("What is typed about an attack stays, though an earlier report arrives only after the page was left, and is told once though its answer was lost and the page was loaded again", async () => {
  const page = await open(await member(server, "user"), "/user/under-attack");
  const what = page.getByLabel("What happens");
  await what.fill("Files are being encrypted");
  await page.getByLabel("Since when").fill("Ten minutes ago");
  await page.getByRole("textbox", { name: "Whom we call" }).fill("Asha, 98765 43210");
  const release = await holdBack(page, "**/api/user/under-attack");
  await page.getByRole("button", { name: "Report it and call everybody" }).click();
  await follow(page, "/user/incidents", "/user/incidents");
  await follow(page, "/user/under-attack", "/user/under-attack");
  await what.fill("The mail server sends by itself, too");
  const arrived = page.waitForResponse((answer) => answer.request().method() === "POST");
  release();
  await arrived;
  await page.getByRole("heading", { name: /is open as a P1$/ }).waitFor();
  await page.reload();
  await page.getByRole("heading", { name: /is open as a P1$/ }).waitFor();
  expect(await what.inputValue()).toBe("The mail server sends by itself, too");

  const ids: unknown[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().endsWith("/under-attack")) ids.push(request.postDataJSON().id);
  });
  const report = page.getByRole("button", { name: "Report it and call everybody" });
  await pressInVain(page, "**/api/user/under-attack", report);
  await page.reload();
  await report.click();
  await what.waitFor({ state: "hidden" });
  expect(ids).toEqual([ids[0], ids[0]]);
  expect(await page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith("typed:")))).toEqual([]);
});
