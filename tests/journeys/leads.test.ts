import { eq } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import type { Browser, BrowserContextOptions, Dialog, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { later } from "../../contract/durations.ts";
import { writtenDay } from "../../contract/india-time.ts";
import { leads, quotes } from "../../server/database/schema/index.ts";
import { holdBack, leaveBrowser, sharedBrowser, type WatchedPage } from "../browser.ts";
import { startTestServer, type TestServer } from "../harness.ts";
import { fillNewQuote } from "../new-quote.ts";
import { insertQuote } from "../paid-order.ts";
import { type Member, member } from "../people.ts";
import {
  findBarriers,
  findBarriersAtBothWidths,
  follow,
  openSignedIn,
  jobScreen,
  showsItsWords,
  wide,
} from "../portal-page.ts";

/** A4 within margins of one centimetre, in pixels. */
const paperWidth = 718;

let server: TestServer;
let browser: Browser;
let admin: Member;
let child: Member;
beforeAll(async () => {
  [server, browser] = await Promise.all([startTestServer({ pages: true, work: false }), sharedBrowser()]);
  admin = await member(server, "admin", { organizationName: "Provider", firstName: "Meera", lastName: "Iyer" });
  const ofProvider = { organisationId: admin.organisationId };
  child = await member(server, "adminChild", { ...ofProvider, firstName: "Rohan", lastName: "Das" });
});
afterAll(async () => {
  await leaveBrowser(browser);
  await server?.stop();
});

/** A lead from the contact form, with an e-mail at a domain of its own. */
async function asked(organization: string, over: Partial<typeof leads.$inferInsert> = {}) {
  const [lead] = await server.services.database
    .insert(leads)
    .values({
      userName: "Asha Rao",
      userEmail: `asha@${randomUUID().slice(0, 8)}.example`,
      phone: "+919876543210",
      organization,
      organizationSize: 120,
      message: "Please call in the morning.",
      ...over,
    })
    .returning();
  if (!lead) throw new Error("There is no lead");
  return lead;
}

async function open(person: Member, path: string, screen: BrowserContextOptions = wide) {
  const opened = await openSignedIn(browser, server, person, screen);
  await opened.page.goto(`${server.url}/admin/estimateOrder${path}`);
  await opened.page.getByRole("heading", { level: 1 }).waitFor();
  return opened;
}
const panelOf = (page: Page) => page.getByRole("dialog");

/** Leaves for another path within the page, discarding whatever a failed test had typed. */
async function goAway(page: Page, path: string): Promise<void> {
  const leave = (dialog: Dialog) => void dialog.accept();
  page.on("dialog", leave);
  await follow(page, path, path.split("?")[0] ?? "");
  page.off("dialog", leave);
}
const goTo = (page: Page, query: string) => goAway(page, `/admin/estimateOrder${query}`);

/** Opens a lead's panel as the palette and notices do. */
async function goToLead(page: Page, { id, organization }: Pick<typeof leads.$inferSelect, "id" | "organization">) {
  await goTo(page, `?lead=${id}`);
  await panelOf(page).getByText(organization).first().waitFor();
}
const openLead = (page: Page, organization: string) =>
  page
    .getByRole("button", { name: new RegExp(`^Open L-\\d{6} of ${organization}$`) })
    .locator("visible=true")
    .click();
/** Narrows the list to the reader's own leads of this name: a single one. */
async function narrowToOwn(page: Page, name: string): Promise<void> {
  await page.getByLabel("Owner", { exact: true }).selectOption({ label: "Me" });
  await page.waitForURL(/owner=/);
  await page.getByRole("searchbox", { name: "Search leads" }).fill(name);
  await page.waitForURL(/search=/);
  await page.getByText("1 of 1").waitFor();
}
const inDays = (days: number) => writtenDay(later(new Date(), { days }));
const rowOf = async (id: string) => (await server.services.database.select().from(leads).where(eq(leads.id, id)))[0];

describe("An administrator", () => {
  let opened: WatchedPage;
  let page: Page;
  beforeAll(async () => {
    opened = await open(admin, "", jobScreen);
    ({ page } = opened);
  });
  afterAll(() => opened.leave());
  beforeEach(() => void opened.complaints.splice(0));

  it("finds a lead, works on one that is theirs, and sees table, board and funnel, clean by axe", async () => {
    const own = "Tunga Mills";
    const lead = await asked(own, { ownerId: admin.id, nextStep: "Call back", nextStepOn: inDays(-1) });
    await asked(`Not ${own}`);
    await narrowToOwn(page, own);
    const overdue = page.getByText("Overdue", { exact: true });
    await overdue.waitFor();
    expect(await findBarriers(page)).toEqual([]);

    await openLead(page, own);
    const panel = panelOf(page);
    await panel.getByText("Please call in the morning.").waitFor();
    await panel.getByLabel("State", { exact: true }).selectOption("contacted");
    await panel.getByLabel("Next step").fill("Send the proposal");
    await panel.getByLabel("On", { exact: true }).fill(inDays(2));
    await panel.getByRole("button", { name: "Save", exact: true }).click();
    await panel.getByText("State: New → Contacted").waitFor();
    await panel.getByLabel("Note", { exact: true }).fill("Wants two plants first.");
    await panel.getByRole("button", { name: "Add note" }).click();
    await panel.getByRole("listitem").filter({ hasText: "Wants two plants first." }).waitFor();
    expect(await rowOf(lead.id)).toMatchObject({ state: "contacted", nextStep: "Send the proposal" });
    expect(await findBarriersAtBothWidths(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await panel.waitFor({ state: "hidden" });

    await page.getByText("Board", { exact: true }).click();
    await page.getByRole("region", { name: "Contacted" }).getByText(own).waitFor();
    expect(await overdue.count()).toBe(0);
    expect(await findBarriersAtBothWidths(page)).toEqual([]);
    await page.getByText("Funnel", { exact: true }).click();
    await page.getByRole("table", { name: "Funnel" }).waitFor();
    expect(await findBarriersAtBothWidths(page)).toEqual([]);
    await page.setViewportSize({ width: paperWidth, height: 900 });
    await page.emulateMedia({ media: "print" });
    const last = await page.getByRole("columnheader", { name: "Junk" }).boundingBox();
    await page.emulateMedia({ media: null });
    await page.setViewportSize(jobScreen.viewport);
    expect((last?.x ?? Infinity) + (last?.width ?? 0)).toBeLessThanOrEqual(paperWidth);
    expect(opened.complaints).toEqual([]);
  });

  it("revises a quote with a discount and a note, and makes one for somebody new", async () => {
    const quote = await insertQuote(server, null, { organizationName: "Narmada Dyes" });
    const [lead] = await server.services.database.select().from(leads).where(eq(leads.quoteId, quote.id));
    await goTo(page, `?lead=${lead?.id}`);
    const panel = panelOf(page);
    await panel.getByRole("button", { name: /^Revise Q-/ }).click();
    await panel.getByLabel("Discount", { exact: true }).fill("10");
    await panel.getByLabel("Note to the customer").fill("As agreed.");
    await panel.getByRole("table", { name: "What it comes to" }).getByText("Discount 10%").waitFor();
    await panel.getByRole("checkbox", { name: "Firewall is an option, not in the total" }).check();
    expect(await findBarriersAtBothWidths(page)).toEqual([]);
    await panel.getByRole("button", { name: "Send the revised proposal" }).click();
    await panel.getByText(/^Superseded/).waitFor();
    await panel.getByText("Firewall (option, not in the total)").waitFor();

    await goTo(page, "?lead=new");
    await fillNewQuote(panel);
    await panel.getByRole("button", { name: "Send the proposal" }).click();
    await panel.getByText("Made by us").waitFor();
    const made = await server.services.database
      .select()
      .from(quotes)
      .where(eq(quotes.userEmail, "asha@yamuna-pumps.example"));
    expect(made.length).toBeGreaterThan(0);
    expect(opened.complaints).toEqual([]);
  });
});

describe("A child account", () => {
  let opened: WatchedPage;
  let page: Page;
  beforeAll(async () => {
    opened = await open(child, "");
    ({ page } = opened);
  });
  afterAll(() => opened.leave());
  beforeEach(() => void opened.complaints.splice(0));

  it("works on a lead that is its own, and finds it on the board and the funnel", async () => {
    const own = "Bhadra Mills";
    const lead = await asked(own, { ownerId: child.id });
    await asked(`Not ${own}`);
    await narrowToOwn(page, own);
    await openLead(page, own);
    const panel = panelOf(page);
    await panel.getByText("Please call in the morning.").waitFor();
    await panel.getByLabel("State", { exact: true }).selectOption("contacted");
    await panel.getByLabel("Next step").fill("Send the proposal");
    await panel.getByLabel("On", { exact: true }).fill(inDays(2));
    await panel.getByRole("button", { name: "Save", exact: true }).click();
    await panel.getByText("State: New → Contacted").waitFor();
    await panel.getByLabel("Note", { exact: true }).fill("Wants two plants first.");
    await panel.getByRole("button", { name: "Add note" }).click();
    await panel.getByRole("listitem").filter({ hasText: "Wants two plants first." }).waitFor();
    expect(await rowOf(lead.id)).toMatchObject({ state: "contacted", nextStep: "Send the proposal" });
    await page.keyboard.press("Escape");
    await panel.waitFor({ state: "hidden" });
    await page.getByText("Board", { exact: true }).click();
    await page.getByRole("region", { name: "Contacted" }).getByText(own).waitFor();
    await page.getByText("Funnel", { exact: true }).click();
    await page.getByRole("table", { name: "Funnel" }).waitFor();
    expect(opened.complaints).toEqual([]);
  });

  it("reads the leads of others and is offered no change of them", async () => {
    const lead = await asked("Konkan Systems");
    await goToLead(page, lead);
    const panel = panelOf(page);
    await panel.getByText("Please call in the morning.").waitFor();
    await panel.getByText("No notes or actions yet.").waitFor();
    for (const name of ["Save", "Add note", "Make a quote"])
      expect(await panel.getByRole("button", { name, exact: true }).count()).toBe(0);
    expect(await page.getByRole("button", { name: "New quote" }).count()).toBe(0);
    expect(opened.complaints).toEqual([]);
  });

  it("saves a view for itself, chooses it and deletes it", async () => {
    await goTo(page, "?state=negotiation&source=contact");
    const saving = page.getByRole("button", { name: "Save view" });
    await saving.waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    expect((await page.getByLabel("View", { exact: true }).boundingBox())?.width).toBeGreaterThan(140);
    expect(await showsItsWords(saving)).toBe(true);
    await page.setViewportSize({ width: 1440, height: 900 });
    await saving.click();
    await page.getByLabel("Name of the view").fill("Close to a deal");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("button", { name: "Delete view" }).waitFor();
    await page.getByLabel("View", { exact: true }).selectOption({ label: "All leads" });
    await page.waitForURL((url) => !url.search.includes("state"));
    await page.getByLabel("View", { exact: true }).selectOption({ label: "Close to a deal" });
    await page.waitForURL(/state=negotiation/);
    await page.getByRole("button", { name: "Delete view" }).click();
    await page.getByRole("button", { name: "Save view" }).waitFor();
    expect((await server.call("admin/leads/views", {}, child.token)).body.views).toEqual([]);
  });
});

describe("On a page of an administrator", () => {
  let opened: WatchedPage;
  let page: Page;
  beforeAll(async () => {
    opened = await open(admin, "");
    ({ page } = opened);
  });
  afterAll(() => opened.leave());
  beforeEach(() => void opened.complaints.splice(0));

  it("Whoever suspends a colleague is told of their open leads, and hands them over at once", async () => {
    const { organisationId } = admin;
    const leaver = await member(server, "adminChild", { organisationId, firstName: "Kiran", lastName: "Nair" });
    const theirs = [
      await asked("Kiran Foods", { ownerId: leaver.id }),
      await asked("Kiran Dairy", { ownerId: leaver.id }),
    ];
    await goAway(page, "/admin/addmyuser");
    await page.getByRole("button", { name: "Administrators and users" }).click();
    await panelOf(page).getByRole("button", { name: "Open Kiran Nair" }).click();
    await page.getByRole("dialog", { name: "Kiran Nair" }).getByRole("button", { name: "Suspend" }).click();
    const question = page.getByRole("dialog", { name: "Suspend this person" });
    await question.getByText("They own 2 open leads, to be handed over under Lead Management afterwards.").waitFor();
    await question.getByRole("button", { name: "Suspend" }).click();
    await page.getByText("Suspended: nobody can sign in").waitFor();
    await goTo(page, `?owner=${leaver.id}`);
    await page.getByRole("button", { name: "Hand over all open leads" }).click();
    const dialog = page.getByRole("dialog", { name: "Hand Over Leads" });
    await dialog.getByText("Kiran Nair owns 2 open leads.").waitFor();
    expect(await findBarriersAtBothWidths(page)).toEqual([]);
    await dialog.getByLabel("New owner").selectOption({ label: "Rohan Das" });
    await dialog.getByRole("button", { name: "Hand over" }).click();
    await page.waitForURL(new RegExp(`owner=${child.id}`));
    await page.getByText("2 leads are handed over.").waitFor();
    for (const { id } of theirs) expect(await rowOf(id)).toMatchObject({ ownerId: child.id, version: 2 });
    await page.getByRole("button", { name: "Hand over all open leads" }).waitFor({ state: "hidden" });
    expect(opened.complaints).toEqual([]);
  });

  it("Of two who change a lead at once the second is told what has changed, and loses nothing typed", async () => {
    const lead = await asked("Godavari Foods");
    await goToLead(page, lead);
    const panel = panelOf(page);
    await panel.getByLabel("Next step").fill("Call again");
    await panel.getByLabel("On", { exact: true }).fill(inDays(3));
    const untouched = { lost_reason: "", owner_id: null, next_step: "", next_step_on: null, gstin: null };
    const first = { id: lead.id, version: 1, state: "negotiation" as const, ...untouched };
    expect((await server.call("admin/leads/update", first, admin.token)).status).toBe(200);

    await panel.getByRole("button", { name: "Save", exact: true }).click();
    await panel.getByText("Meera Iyer has changed this lead meanwhile. What you typed is still here.").waitFor();
    await panel.getByText("Now: Negotiation").waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await panel.getByRole("button", { name: "Bring in the changes, keep mine" }).click();
    expect(await panel.getByLabel("State", { exact: true }).inputValue()).toBe("negotiation");
    expect(await panel.getByLabel("Next step").inputValue()).toBe("Call again");
    await panel.getByRole("button", { name: "Save", exact: true }).click();
    await panel.getByText(/Next step: – → Call again/).waitFor();
    expect(await rowOf(lead.id)).toMatchObject({ state: "negotiation", nextStep: "Call again", version: 3 });
  });

  it("Says beside a field that what it offers could not be loaded", async () => {
    await page.route(/\/api\/admin\/leads\/(owners|views)/, (route) => route.fulfill({ status: 500, json: {} }));
    await page.goto(`${server.url}/admin/estimateOrder?owner=${child.id}`);
    for (const [label, failure] of [
      ["Owner", "People could not be loaded. Please reload."],
      ["View", "Own views could not be loaded. Please reload."],
    ] as const) {
      const field = page.getByLabel(label, { exact: true });
      await page.getByText(failure).waitFor();
      expect(await field.getAttribute("aria-describedby")).not.toBeNull();
    }
    await page.unrouteAll({ behavior: "ignoreErrors" });
  });

  it("What is saved counts so at once, also while the lead is still read again", async () => {
    const lead = await asked("Narmada Tools");
    await goToLead(page, lead);
    const panel = panelOf(page);
    await panel.getByLabel("Next step").fill("Call again");
    await panel.getByLabel("On", { exact: true }).fill(inDays(3));
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route("**/api/admin/**", async (route) => {
      if (route.request().method() === "GET") await released;
      await route.continue();
    });
    await panel.getByRole("button", { name: "Save", exact: true }).click();
    await panel.getByText("Not saved yet").waitFor({ state: "hidden" });
    await page.keyboard.press("Escape");
    await panel.waitFor({ state: "detached" });
    release();
    await page.unrouteAll({ behavior: "ignoreErrors" });
    expect(await rowOf(lead.id)).toMatchObject({ nextStep: "Call again", version: 2 });
  });

  it("Whoever closes the panel with something typed is asked first", async () => {
    const lead = await asked("Betwa Ceramics");
    await goToLead(page, lead);
    const panel = panelOf(page);
    await panel.getByLabel("Note", { exact: true }).fill("Half a thought");
    page.once("dialog", (dialog) => void dialog.dismiss());
    await page.keyboard.press("Escape");
    expect(await panel.getByLabel("Note", { exact: true }).inputValue()).toBe("Half a thought");
    // A reload loses nothing; text that somebody chose to abandon is not restored.
    page.once("dialog", (dialog) => void dialog.accept());
    await page.reload();
    expect(await panel.getByLabel("Note", { exact: true }).inputValue()).toBe("Half a thought");
    page.once("dialog", (dialog) => void dialog.accept());
    await page.keyboard.press("Escape");
    await panel.waitFor({ state: "detached" });
    await goToLead(page, lead);
    expect(await panel.getByLabel("Note", { exact: true }).inputValue()).toBe("");
  });

  it("Whoever goes back with something typed is asked first, whatever panel was opened before", async () => {
    const line = { service: "Customization", deviceType: "SCADA gateway", number: 2, unit: "device" };
    const lines = [{ ...line, ratePaise: 1_000_00, amountPaise: 2_000_00, subjectToConfirmation: true }];
    await insertQuote(server, null, { organizationName: "Chambal Salt", lines });
    await goAway(page, "/admin/dashboard");
    await page.getByRole("link", { name: "Show them" }).click();
    const press = (name: RegExp) => page.getByRole("button", { name }).locator("visible=true").click();
    const note = panelOf(page).getByLabel("Note", { exact: true });
    const leave = async () => {
      await page.keyboard.press("Escape");
      await panelOf(page).waitFor({ state: "detached" });
    };
    await press(/^Open L-\d{6} of Chambal Salt$/);
    await note.waitFor();
    await leave();
    await press(/^Confirm rates of Q-\d{6} for Chambal Salt$/);
    await panelOf(page).getByRole("textbox", { name: "SCADA gateway" }).waitFor();
    await leave();
    await press(/^Open L-\d{6} of Chambal Salt$/);
    await note.fill("Half a thought");
    const asked = page.waitForEvent("dialog");
    await page.evaluate(() => history.back());
    const question = await asked;
    expect(question.message()).toBe("What you typed about this lead is not saved. Leave without it?");
    await question.dismiss();
    expect(await note.inputValue()).toBe("Half a thought");
    await note.fill("");
  });

  it("Two leads of one domain are joined and separated again", async () => {
    const domain = `${randomUUID().slice(0, 8)}.example`;
    const first = await asked("Cauvery Steel", { userEmail: `asha@${domain}` });
    await asked("Cauvery Steel Works", { userEmail: `ravi@${domain}`, message: "The second request." });
    await goToLead(page, first);
    const panel = panelOf(page);
    await panel.getByText("Same domain.").waitFor();
    await panel.getByRole("button", { name: /^Join L-/ }).click();
    await panel.getByText("The second request.").waitFor();
    await panel.getByRole("button", { name: /^Separate L-/ }).click();
    await panel.getByText("The second request.").waitFor({ state: "hidden" });
    expect(opened.complaints).toEqual([]);
  });

  it("Whoever goes back from a lead's quote finds the next lead itself, and not that quote", async () => {
    const names = ["Tapti Mills", "Mahi Paper"] as const;
    const [first, second] = await Promise.all(
      names.map(async (organizationName) => {
        const quote = await insertQuote(server, null, { organizationName });
        return (await server.services.database.select().from(leads).where(eq(leads.quoteId, quote.id)))[0];
      }),
    );
    const panel = panelOf(page);
    await goTo(page, "");
    // As the palette and notices link to it.
    await goTo(page, `?lead=${first?.id}`);
    await panel.getByRole("button", { name: /^Revise Q-/ }).click();
    await panel.getByRole("button", { name: "Send the revised proposal" }).waitFor();
    await page.goBack();
    await panel.waitFor({ state: "hidden" });
    await goTo(page, `?lead=${second?.id}`);
    await panel.getByText("Mahi Paper").first().waitFor();
    expect(await panel.getByRole("heading", { level: 2 }).first().textContent()).toMatch(/^L-\d{6}, Mahi Paper$/);
    expect(await panel.getByRole("button", { name: "Send the revised proposal" }).count()).toBe(0);
    expect(opened.complaints).toEqual([]);
  });

  it("What is typed about a lead while it is being saved stays, to be saved next", async () => {
    const lead = await asked("Sone Cement");
    await goToLead(page, lead);
    const panel = panelOf(page);
    await panel.getByLabel("Next step").fill("Call");
    await panel.getByLabel("On", { exact: true }).fill(inDays(2));
    const release = await holdBack(page, "**/api/admin/leads/update");
    await panel.getByRole("button", { name: "Save", exact: true }).click();
    await panel.getByLabel("Next step").fill("Call on Monday");
    release();
    await expect.poll(() => rowOf(lead.id)).toMatchObject({ nextStep: "Call", version: 2 });
    // The screen has heard of the change by now.
    await panel.getByText(/Next step: – → Call/).waitFor();
    await panel.getByText("Not saved yet").waitFor();
    expect(await panel.getByLabel("Next step").inputValue()).toBe("Call on Monday");
    await panel.getByRole("button", { name: "Save", exact: true }).click();
    await panel.getByText("Not saved yet").waitFor({ state: "hidden" });
    expect(await rowOf(lead.id)).toMatchObject({ nextStep: "Call on Monday", version: 3 });
  });
});
