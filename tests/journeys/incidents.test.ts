import type { Browser, Page } from "playwright-core";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { brand } from "../../contract/brand.ts";
import { leaveBrowser, sharedBrowser, type WatchedPage } from "../browser.ts";
import { startTestServer, type TestServer } from "../harness.ts";
import { type Member, member } from "../people.ts";
import {
  endSessionAt,
  findBarriers,
  findBarriersAtBothWidths,
  follow,
  openSignedIn,
  phone,
  signInHere,
  wide,
} from "../portal-page.ts";

let server: TestServer;
let browser: Browser;
let analyst: Member;
let partner: Member;
let customer: Member;
beforeAll(async () => {
  [server, browser] = await Promise.all([startTestServer({ pages: true, work: false }), sharedBrowser()]);
  analyst = await member(server, "adminChild", { organizationName: "Provider", firstName: "Nila", lastName: "Das" });
  partner = await member(server, "partner");
  customer = await member(server, "user", { partnerId: partner.organisationId, organizationName: "Kaveri Mills" });
});
afterAll(async () => {
  await leaveBrowser(browser);
  await server?.stop();
});

it("A customer under attack opens a P1 on a phone, an analyst works it, and both read how it stands", async () => {
  const { page, complaints } = await openSignedIn(browser, server, customer, phone);
  await page.goto(`${server.url}/user/dashboard`);
  await page.getByRole("link", { name: "We are under attack" }).click();
  await page.getByRole("heading", { name: "We are under attack" }).waitFor();
  expect(await page.locator('a[href^="tel:"]').first().isVisible()).toBe(true);
  await page.getByText("Nobody is named yet").waitFor();
  await page.getByLabel("What happens").fill("Files are being encrypted");
  await page.getByLabel("Since when").fill("Ten minutes ago");
  await page.getByRole("textbox", { name: "Whom we call" }).fill("Asha, 98765 43210");
  await page.getByRole("button", { name: "Report it and call everybody" }).dblclick();
  await page.getByRole("heading", { name: /^I-\d{6} is open as a P1$/ }).waitFor();
  await page.getByText("The mail is on its way").waitFor();
  expect(await findBarriersAtBothWidths(page)).toEqual([]);

  const ours = await openSignedIn(browser, server, analyst, wide);
  await ours.page.goto(`${server.url}/admin/incidents`);
  await ours.page.getByText("P1, critical").locator("visible=true").first().waitFor();
  const shown = ours.page.getByRole("link", { name: /^I-\d{6}$/ }).locator("visible=true");
  await expect.poll(() => shown.count()).toBe(1);
  expect(await findBarriersAtBothWidths(ours.page)).toEqual([]);
  await shown.click();
  await ours.page.getByRole("button", { name: "Asha Rao: Reached by telephone" }).click();
  await ours.page.getByText("Reached by telephone", { exact: true }).waitFor();
  await ours.page.getByRole("button", { name: "Asha Rao: Not reached after all" }).click();
  await ours.page.getByText(/^Did not answer on /).waitFor();
  await ours.page.getByRole("button", { name: "Asha Rao: Reached by telephone" }).click();
  await ours.page.getByText("Reached by telephone", { exact: true }).waitFor();
  const tell = async (button: string, fill: (dialog: ReturnType<typeof ours.page.getByRole>) => Promise<void>) => {
    await ours.page.getByRole("button", { name: button, exact: true }).click();
    const dialog = ours.page.getByRole("dialog");
    await dialog.getByLabel("When it happened").waitFor();
    await fill(dialog);
    await dialog.getByRole("button", { name: button, exact: true }).click();
    await dialog.waitFor({ state: "hidden" });
  };
  await tell("Acknowledge", async () => {});
  await ours.page.getByText("Kept", { exact: true }).waitFor();
  await tell("Ask the customer", async (dialog) => {
    const asked = dialog.getByLabel("What the customer should do or answer");
    await expect.poll(() => asked.evaluate((field) => field === document.activeElement)).toBe(true);
    await asked.fill("May we cut the file server off?");
    await dialog.getByLabel("Whom it waits for").selectOption("customer");
    await dialog.getByLabel("Why our team can’t continue meanwhile").fill("Only they may stop production");
    expect(await findBarriersAtBothWidths(ours.page)).toEqual([]);
  });
  await ours.page.getByText("No answer yet").waitFor();
  expect(await findBarriersAtBothWidths(ours.page)).toEqual([]);
  // On paper nothing can be told, and no heading stands for that.
  await ours.page.emulateMedia({ media: "print" });
  expect(await ours.page.getByText("What happens next").isVisible()).toBe(false);
  await ours.page.emulateMedia({ media: "screen" });

  await follow(page, "/user/incidents", "/user/incidents");
  await page.locator("td").getByText("Asked of you").waitFor();
  await page.goBack();
  await page.getByRole("link", { name: /^Open its room/ }).click();
  await page.getByText("May we cut the file server off?").first().waitFor();
  await page.getByText("Paused").first().waitFor();
  await page.getByText("Waiting for you").first().waitFor();
  expect(await page.getByText("Waiting for the customer").count()).toBe(0);
  expect(await partsOf(page)).toEqual(["Asked of you", "Promises"]);
  const current = page.locator("nav[aria-label='Area'] [aria-current]");
  expect(await current.allTextContents()).toEqual(["Incidents"]);
  await page.emulateMedia({ media: "print" });
  expect(await page.getByText("P1, critical").first().isVisible()).toBe(true);
  expect(await page.getByLabel("Your answer").isVisible()).toBe(false);
  await page.emulateMedia({ media: "screen" });
  await page.getByLabel("Your answer").fill("Yes, at once");
  expect(await findBarriersAtBothWidths(page)).toEqual([]);
  await page.getByRole("button", { name: "Answer" }).click();
  await page.getByText("Yes, at once").first().waitFor();
  const file = { name: "note.txt", mimeType: "text/plain", buffer: Buffer.from("The ransom note") };
  await page.locator('input[type="file"]').setInputFiles(file);
  await page.getByText("note.txt").waitFor();
  // Cleared, so that the same file can be chosen again.
  expect(await page.locator('input[type="file"]').inputValue()).toBe("");

  await tell("Wait for somebody", async (dialog) => {
    await dialog.getByLabel("Whom it waits for").selectOption("customer");
    await dialog.getByLabel("Why our team can’t continue meanwhile").fill("Please approve the reboot");
  });
  await tell("Change severity", async (dialog) => {
    await dialog.getByLabel("Severity").selectOption("P4");
  });
  await page.goto(`${server.url}/user/dashboard`);
  await page.getByRole("link", { name: /Please approve the reboot/ }).press("Enter");
  await page.getByRole("alert").getByText("Please approve the reboot").waitFor();
  await page.getByText("We have waited for you since").waitFor();
  expect(await findBarriersAtBothWidths(page)).toEqual([]);
  await follow(page, "/user/under-attack", "/user/under-attack");
  await page.getByRole("heading", { name: /is open as a P4$/ }).waitFor();
  // In print, which has no red background, the phone numbers are as dark as all other text.
  await page.emulateMedia({ media: "print" });
  const number = page.getByRole("link", { name: brand.phones[0] });
  expect(await number.evaluate((link) => getComputedStyle(link).color)).toBe("rgb(16, 24, 40)");
  expect([...complaints, ...ours.complaints]).toEqual([]);
});

/** The names of the first two sections of a screen. */
const partsOf = (page: Page) =>
  page.locator("main section").evaluateAll((parts) => parts.slice(0, 2).map((part) => part.getAttribute("aria-label")));

it("A partner reads its customer's incidents, and a main administrator publishes service levels", async () => {
  const opened = { id: randomUUID(), email: customer.email, title: "A stranger signed in", severity: "P2" as const };
  await server.call("admin/incidents/open", opened, analyst.token);
  const { page, complaints } = await openSignedIn(browser, server, partner, phone);
  await page.goto(`${server.url}/partner/incidents`);
  await page.getByText("A stranger signed in").locator("visible=true").first().waitFor();
  await follow(page, `/partner/incidents/${opened.id}`, `/partner/incidents/${opened.id}`);
  await page.getByLabel("Comment").fill("We know these people");
  const asked = page.waitForEvent("dialog");
  const leaving = page.getByRole("link", { name: "All incidents" }).click();
  const question = await asked;
  expect(question.message()).toContain("What you typed about this incident is not saved");
  await question.dismiss();
  await leaving;
  expect(await page.getByLabel("Comment").inputValue()).toBe("We know these people");
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByText("We know these people").first().waitFor();
  await expect.poll(() => page.getByLabel("Comment").inputValue()).toBe("");
  await follow(page, "/partner/incidents?show=findings", "/partner/incidents");
  await page.getByRole("heading", { level: 1, name: "What became of every alert" }).waitFor();
  const whose = `customer=${encodeURIComponent(customer.email)}`;
  await follow(page, `/partner/incidents?show=findings&${whose}`, "/partner/incidents");
  await page.getByText("0 received = 0 suppressed").waitFor();
  const day = page.getByLabel("Day", { exact: true });
  await day.fill("2026-01-05");
  expect(await day.evaluate((field) => field === document.activeElement)).toBe(true);
  expect(await findBarriersAtBothWidths(page)).toEqual([]);

  const admin = await member(server, "admin", { organisationId: analyst.organisationId });
  await goAs(page, admin, "/admin/service-levels");
  await page.getByText("SAMPLE: these limits").waitFor();
  await page.getByLabel("Acknowledge, minutes").first().fill("1.5");
  await page.getByRole("button", { name: "Publish" }).click();
  // Shown beside its field and by the button.
  await page.getByText("Please enter whole minutes").first().waitFor();
  await page.getByLabel("Acknowledge, minutes").first().fill("10");
  expect(await findBarriersAtBothWidths(page)).toEqual([]);
  await page.getByRole("button", { name: "Publish" }).click();
  await page.getByRole("heading", { name: "Version 1" }).waitFor();
  await page.getByRole("cell", { name: "10 min" }).waitFor();
  expect(await page.getByText("SAMPLE: these limits").count()).toBe(0);
  // The browser also logs the refusals that this test provokes.
  expect(complaints.filter((complaint) => !complaint.includes("status of 422"))).toEqual([]);
});

/** Opens a screen as another person. */
async function goAs(page: Page, person: Member, path: string): Promise<void> {
  await signInHere(page, person);
  await page.goto(server.url + path);
}

/** An incident that our team opened for a customer. */
async function incidentOf({ email }: Member, severity: "P2" | "P3" = "P2"): Promise<string> {
  const opened = { id: randomUUID(), email, title: "A stranger signed in", severity };
  expect((await server.call("admin/incidents/open", opened, analyst.token)).status).toBe(201);
  return opened.id;
}

/** Longer than the polling interval of any of these screens. */
const untilAskedAnew = 25_000;

/** Two people of one customer. */
async function colleagues() {
  const asha = await member(server, "user", { organizationName: "Periyar Foods" });
  const vikram = await member(server, "userChild", { organisationId: asha.organisationId, firstName: "Vikram" });
  return { asha, vikram };
}

/** Returns to the window: the screen then polls and shows what happened meanwhile. */
async function comeBack(page: Page): Promise<void> {
  await page.clock.fastForward(untilAskedAnew);
  await page.evaluate(() => dispatchEvent(new Event("visibilitychange")));
}

const isFocused = (element: Element) => element === document.activeElement;

// These tests share one page, because one whose clock was turned can't be reused elsewhere.
describe("While others work on the same", () => {
  let page: Page;
  let complaints: string[];
  beforeAll(async () => {
    ({ page, complaints } = await openSignedIn(browser, server, customer, phone));
    await page.clock.install();
    await page.goto(`${server.url}/robots.txt`);
  });
  beforeEach(() => {
    complaints.length = 0;
  });

  it("what somebody types about an attack stays where a colleague reports one first, and is there again after a session that ended, and after a reload", async () => {
    const { asha, vikram } = await colleagues();
    await goAs(page, asha, "/user/under-attack");
    const what = page.getByLabel("What happens");
    await what.fill("The mail server sends by itself");
    const report = { id: randomUUID(), what: "Files are being encrypted", since: "Now", call: "Vikram, 98765 43210" };
    const { number } = (await server.call("user/under-attack/post", report, vikram.token)).body;
    await comeBack(page);
    await page.getByRole("heading", { name: `${number} is open as a P1` }).waitFor();
    expect(await what.inputValue()).toBe("The mail server sends by itself");
    await expect.poll(() => what.evaluate(isFocused)).toBe(true);
    await page
      .getByRole("status")
      .filter({ hasText: `${number} is open. Send` })
      .waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole("button", { name: "Leave this report" }).click();
    await expect.poll(() => what.count()).toBe(0);
    const again = page.getByRole("button", { name: "Report something else" });
    await expect.poll(() => again.evaluate(isFocused)).toBe(true);

    await again.click();
    await what.fill("The mail server sends by itself");
    const send = page.getByRole("button", { name: "Report it and call everybody" });
    await endSessionAt(page, server, asha, send);
    await goAs(page, asha, "/user/under-attack");
    expect(await what.inputValue(), "after a session that ended").toBe("The mail server sends by itself");
    await page.reload();
    expect(await what.inputValue(), "after a reload").toBe("The mail server sends by itself");
    await page.getByLabel("Since when").fill("An hour ago");
    await page.getByRole("textbox", { name: "Whom we call" }).fill("Asha, 98765 43211");
    await send.click();
    await what.waitFor({ state: "hidden" });
    await page.getByRole("link", { name: /^Open its room/ }).click();
    await page.getByText("The mail server sends by itself").first().waitFor();
    // The browser also logs the session that this test ends.
    expect(complaints.filter((complaint) => !complaint.includes("status of 401"))).toEqual([]);
  });

  it("what somebody types as an answer stays while our team corrects its question, where a colleague answers first, and after a reload", async () => {
    const { asha, vikram } = await colleagues();
    const { ask, answer, questions } = await openAsked(page, asha);
    await answer.fill("It is our branch");
    const corrected = { ...ask, fact_id: randomUUID(), corrects: ask.fact_id, text: "Is 192.0.2.70 yours?" };
    expect((await server.call("admin/incidents/tell", corrected, analyst.token)).status).toBe(200);
    await comeBack(page);
    await questions.getByText("Is 192.0.2.70 yours?").waitFor();
    expect(await answer.inputValue()).toBe("It is our branch");
    expect(await answer.evaluate(isFocused)).toBe(true);

    const theirs = { id: ask.id, fact_id: randomUUID(), ask: corrected.fact_id, text: "No, we do not" };
    expect((await server.call("user/incidents/answer", theirs, vikram.token)).status).toBe(200);
    await comeBack(page);
    await questions.getByText("No, we do not").waitFor();
    expect(await answer.inputValue()).toBe("It is our branch");
    expect(await answer.evaluate(isFocused)).toBe(true);
    expect(await findBarriers(page)).toEqual([]);
    await page.reload();
    expect(await answer.inputValue(), "after a reload").toBe("It is our branch");
    await questions.getByRole("button", { name: "Send as a comment" }).click();
    await answer.waitFor({ state: "hidden" });
    await page.getByText("It is our branch").first().waitFor();
    expect(complaints).toEqual([]);
  });

  it("the form of an answer goes once it is sent, though the browser can keep nothing of it", async () => {
    const { asha } = await colleagues();
    const { answer, questions } = await openAsked(page, asha);
    await page.evaluate(() => {
      Storage.prototype.setItem = () => {
        throw new DOMException("full", "QuotaExceededError");
      };
    });
    await answer.fill("It is our branch in Salem");
    await questions.getByRole("button", { name: "Answer" }).click();
    await questions.getByText("It is our branch in Salem").waitFor();
    await expect.poll(() => answer.count()).toBe(0);
    await page.goto(`${server.url}/robots.txt`);
  });

  it("service levels that somebody types stay where another administrator publishes first", async () => {
    const admin = await member(server, "admin", { organisationId: analyst.organisationId });
    const other = await member(server, "admin", { organisationId: analyst.organisationId });
    const publish = async () => {
      const [newest] = (await server.call("admin/service-levels", {}, other.token)).body.versions;
      const { agreement, number } = newest!;
      const { P4 } = agreement.limits;
      const limits = {
        ...agreement.limits,
        P4: { ...P4, resolve: { minutes: 9000 + number, calendar: "always" as const } },
      };
      const changed = { after: number, agreement: { ...agreement, limits } };
      await server.call("admin/service-levels/post", changed, other.token);
      return number + 1;
    };
    await goAs(page, admin, "/admin/service-levels");
    const minutes = page.getByLabel("Acknowledge, minutes").first();
    await minutes.waitFor();
    // As long as nothing is typed, the form follows.
    await page.getByRole("heading", { name: `Version ${await publish()}` }).waitFor({ state: "detached" });
    await comeBack(page);
    await page
      .getByRole("heading", { name: /^Version/ })
      .first()
      .waitFor();
    expect(await page.getByRole("button", { name: "Keep what I typed" }).count()).toBe(0);
    await minutes.fill("7");
    const second = await publish();
    await comeBack(page);
    await page.getByRole("heading", { name: `Version ${second}` }).waitFor();
    expect(await minutes.inputValue()).toBe("7");
    expect(await minutes.evaluate(isFocused)).toBe(true);
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole("button", { name: "Keep what I typed" }).click();
    const third = await publish();
    await page.getByRole("button", { name: "Publish" }).click();
    await page.getByRole("heading", { name: `Version ${third}` }).waitFor();
    expect(await minutes.inputValue()).toBe("7");
    await page.getByRole("button", { name: "Keep what I typed" }).click();
    await page.getByRole("button", { name: "Publish" }).click();
    await page.getByRole("heading", { name: `Version ${third + 1}` }).waitFor();
    await page.getByRole("cell", { name: "7 min", exact: true }).waitFor();
    await page.clock.runFor(1000);
    expect(await page.getByRole("alert").count()).toBe(0);
  });

  it("contacts that somebody types stay where a colleague saves others first", async () => {
    const { asha } = await colleagues();
    const contact = (name: string) => ({ name, says: "", phone: "+919876543210", email: "soc@periyar.example" });
    const save = (version: number, ...names: string[]) =>
      server.call("user/ladder/save", { version, contacts: names.map(contact) }, asha.token);
    await save(0, "Asha Rao");
    await goAs(page, asha, "/user/under-attack");
    await page.getByRole("button", { name: "Change the contacts" }).click();
    const name = page.getByRole("textbox", { name: "Name" });
    await name.fill("Meera Iyer");
    await save(1, "Vikram Nair");
    await comeBack(page);
    await page.getByText("Vikram Nair").waitFor();
    expect(await name.inputValue()).toBe("Meera Iyer");
    expect(await name.evaluate(isFocused)).toBe(true);
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole("button", { name: "Take what is saved" }).click();
    expect(await name.inputValue()).toBe("Vikram Nair");
    await name.fill("Meera Iyer");
    await save(2, "Ravi Menon");
    await page.getByRole("button", { name: "Save contacts" }).click();
    await page.getByText("Ravi Menon").waitFor();
    await page.getByRole("button", { name: "Keep what I typed" }).click();
    await page.getByRole("button", { name: "Save contacts" }).click();
    await page.getByRole("button", { name: "Change the contacts" }).waitFor();
    await page.getByText("Meera Iyer").waitFor();
  });
});

/** An incident with a question to its customer, opened on the customer's screen. */
async function openAsked(page: Page, asha: Member) {
  const id = await incidentOf(asha);
  const ask = { id, fact_id: randomUUID(), news: "asked" as const, text: "Is 192.0.2.7 yours?" };
  await server.call("admin/incidents/tell", ask, analyst.token);
  await goAs(page, asha, `/user/incidents/${id}`);
  const answer = page.getByLabel("Your answer");
  await answer.waitFor();
  return { ask, answer, questions: page.getByRole("region", { name: "Asked of you" }) };
}

describe("On the screen of an analyst", () => {
  let opened: WatchedPage;
  let page: Page;
  beforeAll(async () => {
    opened = await openSignedIn(browser, server, analyst, wide);
    ({ page } = opened);
    await page.goto(`${server.url}/admin/incidents`);
    await page.getByRole("heading", { level: 1 }).waitFor();
  });
  afterAll(() => opened?.leave());

  const dialog = () => page.getByRole("dialog");
  const open = (id: string) => follow(page, `/admin/incidents/${id}`, `/admin/incidents/${id}`);
  const timelineOf = async (id: string) =>
    (await server.call("admin/incidents/{id}", { id }, analyst.token)).body.timeline;

  it("a word that is corrected leaves the time of what was told to the second, and the incident with its owner", async () => {
    const owner = await member(server, "adminChild", { organisationId: analyst.organisationId, firstName: "Ravi" });
    const id = await incidentOf(customer);
    const told = { id, fact_id: randomUUID(), news: "contained" as const, text: "The acount is locked" };
    const set = { id, fact_id: randomUUID(), news: "owner" as const, owner_email: owner.email, text: "Ravi has it" };
    for (const news of [told, set])
      expect((await server.call("admin/incidents/tell", news, analyst.token)).status).toBe(200);
    const before = (await timelineOf(id)).find((fact) => fact.id === told.fact_id)?.occurred_at;
    await open(id);
    const correct = async ({ fact_id }: { fact_id: string }, text: string) => {
      await page.getByRole("button", { name: new RegExp(`^Correct: .*${fact_id.slice(-4)}$`) }).click();
      await dialog().getByLabel("In words").fill(text);
    };
    const save = async ({ fact_id }: { fact_id: string }) => {
      await dialog().getByRole("button", { name: "Correct it" }).click();
      await dialog().waitFor({ state: "hidden" });
      return (await timelineOf(id)).find(({ corrects }) => corrects === fact_id);
    };
    await correct(told, "The account is locked");
    const contained = await save(told);
    expect([contained?.text, contained?.occurred_at]).toEqual(["The account is locked", before]);
    await correct(set, "Ravi has it until Monday");
    expect(await dialog().getByLabel("E-mail of the owner").inputValue()).toBe(owner.email);
    const owned = await save(set);
    expect([owned?.text, owned?.owner_email]).toEqual(["Ravi has it until Monday", owner.email]);
  });

  it("a severity is changed from the one that stands, and not to the same", async () => {
    await open(await incidentOf(customer, "P3"));
    const select = dialog().getByLabel("Severity");
    const change = dialog().getByRole("button", { name: "Change severity" });
    const begin = () => page.getByRole("button", { name: "Change severity" }).click();
    const changeTo = async (severity: "P1" | "P2", shown: string) => {
      await select.selectOption(severity);
      await change.click();
      await dialog().waitFor({ state: "hidden" });
      await page.getByText(shown).first().waitFor();
    };
    await begin();
    expect([await select.inputValue(), await change.isDisabled()]).toEqual(["P3", true]);
    expect(await findBarriersAtBothWidths(page)).toEqual([]);
    await changeTo("P1", "P1, critical");
    await begin();
    expect([await select.inputValue(), await change.isDisabled()]).toEqual(["P1", true]);
    await changeTo("P2", "P2, high");
  });

  it("what is typed in a dialog of an incident is there again after a session that ended, and after Escape", async () => {
    const id = await incidentOf(customer);
    await open(id);
    const ask = page.getByRole("button", { name: "Ask the customer" });
    const question = dialog().getByLabel("What the customer should do or answer");
    await ask.click();
    await question.fill("May we cut the file server off?");
    await dialog().getByLabel("Whom it waits for").selectOption("customer");
    await dialog().getByLabel("Why our team can’t continue meanwhile").fill("Only they may stop production");
    await endSessionAt(page, server, analyst, dialog().getByRole("button", { name: "Ask the customer" }));
    await goAs(page, analyst, `/admin/incidents/${id}`);
    await ask.click();
    expect(await question.inputValue()).toBe("May we cut the file server off?");
    await page.keyboard.press("Escape");
    await dialog().waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "Comment", exact: true }).click();
    expect(await dialog().getByRole("textbox", { name: "Comment" }).inputValue()).toBe("");
    await dialog().getByRole("button", { name: "Cancel" }).click();
    await ask.click();
    expect(await dialog().getByLabel("Whom it waits for").inputValue()).toBe("customer");
    await dialog().getByRole("button", { name: "Ask the customer" }).click();
    await dialog().waitFor({ state: "hidden" });
    expect((await timelineOf(id)).map(({ text }) => text)).toContain("May we cut the file server off?");
    // Text that was sent or discarded is not restored.
    await ask.click();
    expect(await question.inputValue()).toBe("");
    await question.fill("Is 192.0.2.7 yours?");
    await dialog().getByRole("button", { name: "Cancel" }).click();
    await ask.click();
    expect(await question.inputValue()).toBe("");
    await dialog().getByRole("button", { name: "Cancel" }).click();
  });

  it("what is typed to open an incident is there again after a session that ended, and opens one", async () => {
    const begin = page.getByRole("button", { name: "Open an incident" });
    const known = dialog().getByLabel("What is known");
    await follow(page, "/admin/incidents", "/admin/incidents");
    await begin.click();
    await dialog().getByLabel("E-mail of the customer").fill(customer.email);
    await dialog().getByLabel("Title").fill("The mail server sends by itself");
    await known.fill("It began at noon");
    await endSessionAt(page, server, analyst, dialog().getByRole("button", { name: "Open it" }));
    await goAs(page, analyst, "/admin/incidents");
    await begin.click();
    expect(await known.inputValue()).toBe("It began at noon");
    await dialog().getByRole("button", { name: "Open it" }).click();
    await page.getByRole("heading", { name: /The mail server sends by itself$/ }).waitFor();
    await follow(page, "/admin/incidents", "/admin/incidents");
    await begin.click();
    expect(await known.inputValue()).toBe("");
    await dialog().getByRole("button", { name: "Cancel" }).click();
  });

  it("what is typed as a fact for regulators is there again after a session that ended", async () => {
    const path = `/admin/incidents/${await incidentOf(customer)}/regulators`;
    await follow(page, path, path);
    const add = page.getByRole("button", { name: "Add a fact" });
    await add.click();
    await dialog().getByLabel("Fact", { exact: true }).selectOption("symptoms");
    const words = dialog().locator("textarea");
    await words.fill("Files end in .locked");
    await endSessionAt(page, server, analyst, dialog().getByRole("button", { name: "Attest" }));
    await goAs(page, analyst, path);
    await add.click();
    expect(await words.inputValue()).toBe("Files end in .locked");
    await dialog().getByRole("button", { name: "Attest" }).click();
    await dialog().waitFor({ state: "hidden" });
    await page.getByText("Files end in .locked").first().waitFor();
    await add.click();
    expect(await dialog().getByLabel("Fact", { exact: true }).inputValue()).toBe("affected systems");
  });
});

it("What is typed about an incident does not come along to one that is known and opened from it", async () => {
  const { asha } = await colleagues();
  const [from, into] = [randomUUID(), randomUUID()];
  for (const [id, title] of [
    [from, "A stranger signed in"],
    [into, "The same stranger again"],
  ] as const)
    await server.call("admin/incidents/open", { id, email: asha.email, title, severity: "P2" }, analyst.token);
  const { number } = (await server.call("admin/incidents/{id}", { id: into }, analyst.token)).body;
  await server.call("admin/incidents/merge", { id: from, fact_id: randomUUID(), into: number }, analyst.token);
  const { page } = await openSignedIn(browser, server, asha, phone);
  await page.goto(`${server.url}/user/incidents/${into}`);
  await page.getByRole("heading", { name: /The same stranger again$/ }).waitFor();
  await follow(page, `/user/incidents/${from}`, `/user/incidents/${from}`);
  await page.getByRole("heading", { name: /A stranger signed in$/ }).waitFor();
  await page.getByLabel("Comment").fill("This is of the first one");
  page.once("dialog", (question) => void question.accept());
  await page.getByRole("link", { name: number, exact: true }).click();
  await page.getByRole("heading", { name: /The same stranger again$/ }).waitFor();
  expect(await page.getByLabel("Comment").inputValue()).toBe("");
  // Text that somebody chose to abandon is not restored.
  await follow(page, `/user/incidents/${from}`, `/user/incidents/${from}`);
  await page.getByRole("heading", { name: /A stranger signed in$/ }).waitFor();
  expect(await page.getByLabel("Comment").inputValue()).toBe("");
});
