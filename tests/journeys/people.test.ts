import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { messages } from "../../contract/messages.ts";
import { leaveBrowser, openPage, sharedBrowser } from "../browser.ts";
import { registration } from "../factories.ts";
import { startTestServer, type TestServer } from "../harness.ts";
import { insertOrder } from "../paid-order.ts";
import { member, type Member } from "../people.ts";
import { findBarriers, findBarriersAtBothWidths, hasFocus, isRed, openSignedIn, jobScreen } from "../portal-page.ts";

let server: TestServer;
let browser: Browser;
let admin: Member;
beforeAll(async () => {
  [server, browser] = await Promise.all([startTestServer({ pages: true }), sharedBrowser()]);
  admin = await member(server, "admin");
});
afterAll(async () => {
  await leaveBrowser(browser);
  await server?.stop();
});

const longName = "Thiruvananthapuram Electronics and Instrumentation Manufacturing Cooperative Society";
const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true }).click();
/** Waits until nothing is loading; several parts of a page may load at once. */
const idle = (page: Page) =>
  page.waitForFunction(() => !document.querySelector("[aria-busy='true'][aria-label='Loading']"));

/** Opens a customer's panel from the list. */
async function openCustomer(page: Page, email: string, name: string): Promise<void> {
  await page.goto(`${server.url}/admin/customerList?search=${encodeURIComponent(email)}`);
  await press(page, `View ${name}`);
  await page.getByRole("region", { name: "People" }).getByText(email).first().waitFor();
  await idle(page);
}

it("An administrator edits, signs out, suspends and hands over the people of a customer", async () => {
  const parent = await member(server, "user", { organizationName: longName, firstName: "Lakshmi" });
  const child = await member(server, "userChild", { organisationId: parent.organisationId, firstName: "Ravi" });
  const { page, complaints } = await openSignedIn(browser, server, admin, jobScreen);
  await openCustomer(page, parent.email, longName);
  expect(await findBarriersAtBothWidths(page)).toEqual([]);

  await press(page, "Open Ravi Rao");
  const person = page.getByRole("dialog", { name: "Ravi Rao" });
  await person.getByText("Unknown device").waitFor();
  expect(await findBarriersAtBothWidths(page)).toEqual([]);
  // Somebody else saves first: the typed text stays, and the newly saved data are shown.
  const theirs = { id: child.id, version: 1, firstName: "Ravindra", lastName: "Rao", phoneNo: "9876543210" };
  await server.call("admin/people/change", theirs, admin.token);
  await person.getByLabel("First name").fill("Ravi Kumar");
  await person.getByRole("button", { name: "Save" }).click();
  const dialog = page.getByRole("dialog").filter({ has: page.getByLabel("First name") });
  await dialog.getByText(messages.personChanged).waitFor();
  await dialog.getByText("Now: Ravindra").waitFor();
  expect(await dialog.getByLabel("First name").inputValue()).toBe("Ravi Kumar");
  await dialog.getByRole("button", { name: "Keep what I typed" }).click();
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByText(messages.personSaved).waitFor();
  // A person's own save is not reported as a colleague's.
  await page.getByRole("dialog", { name: "Ravi Kumar Rao" }).waitFor();
  await dialog.getByLabel("Last name").fill("Rao Iyer");
  await dialog.getByRole("button", { name: "Save" }).click();

  const renamed = page.getByRole("dialog", { name: "Ravi Kumar Rao Iyer" });
  await renamed.getByRole("button", { name: /^Sign out Unknown device/ }).click();
  await renamed.getByText("Signed in nowhere.").waitFor();
  await renamed.getByRole("button", { name: "Suspend" }).click();
  const question = page.getByRole("dialog", { name: "Suspend this person" });
  expect(await findBarriersAtBothWidths(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await question.waitFor({ state: "hidden" });
  await renamed.getByRole("button", { name: "Make this the main account" }).click();
  const promote = page
    .getByRole("dialog", { name: "Change the role" })
    .getByRole("button", { name: "Make this the main account" });
  // It takes nothing away.
  expect(await isRed(promote)).toBe(false);
  await promote.click();
  await renamed.getByText("Main account of the customer.").waitFor();
  await page.keyboard.press("Escape");
  await renamed.waitFor({ state: "hidden" });
  // The browser's own message about the refusal.
  expect(complaints.filter((complaint) => !complaint.endsWith("409 (Conflict)"))).toEqual([]);
});

it("An e-mail address is corrected, and its owner confirms it by a press", async () => {
  const person = await member(server, "user", { organizationName: "Kaveri Textiles" });
  const email = registration().email;
  const { page, complaints } = await openSignedIn(browser, server, admin);
  await openCustomer(page, person.email, "Kaveri Textiles");
  await press(page, "Open Asha Rao");
  await page.getByLabel("Correct e-mail address").fill(email);
  await press(page, "Ask to confirm");
  await page.getByText(`Waits to be confirmed by ${email}.`).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  const { text = "" } = await server.mailbox.take(email, /confirm your e-mail/i);
  const link = /https?:\S+\/confirm-email#token=[\w-]+/.exec(text)?.[0] ?? "";
  const { page: owner, complaints: ofOwner } = await openPage(browser, jobScreen);
  await owner.goto(link);
  expect(await findBarriers(owner)).toEqual([]);
  await press(owner, "Confirm this address");
  await owner.getByText("Your new e-mail address is confirmed.").waitFor();
  await server.mailbox.take(person.email, /has changed/i);

  // An invited person gets the new address at once; that does not count as a colleague's change to the name being
  // typed.
  const invited = registration();
  const { organisationId } = person;
  await member(server, "userChild", { organisationId, email: invited.email, firstName: "Devi", joinedAt: null });
  await openCustomer(page, email, "Kaveri Textiles");
  await press(page, "Open Devi Rao");
  await page.getByLabel("First name").fill("Devika");
  await page.getByLabel("Correct e-mail address").fill(registration().email);
  await press(page, "Send the invitation there");
  await page.getByRole("dialog", { name: "Devi Rao" }).getByText(invited.email).waitFor({ state: "hidden" });
  await press(page, "Save");
  await page.getByRole("dialog", { name: "Devika Rao" }).waitFor();
  expect([complaints, ofOwner]).toEqual([[], []]);

  // The panel of an invited customer switches to the new address; calls under way may be refused for the old one.
  const first = await member(server, "user", { organizationName: "Godavari Mills", joinedAt: null });
  await openCustomer(page, first.email, "Godavari Mills");
  await press(page, "Open Asha Rao");
  const corrected = registration().email;
  await page.getByLabel("Correct e-mail address").fill(corrected);
  await press(page, "Send the invitation there");
  await page.getByRole("region", { name: "People" }).getByText(corrected).first().waitFor();
  expect(new URL(page.url()).searchParams.get("open")).toBe(corrected);
});

it("A customer is edited, moved to a partner, and merged into another one after a look at what moves", async () => {
  const partner = await member(server, "partner", { organizationName: "Malabar Networks" });
  const from = await member(server, "user", { organizationName: "Periyar Mills" });
  await insertOrder(server, from);
  const into = await member(server, "user", { organizationName: "Periyar Textiles" });
  const { page, complaints } = await openSignedIn(browser, server, admin);
  await openCustomer(page, from.email, "Periyar Mills");
  const billing = page.getByRole("region", { name: "Billing details" });
  await billing.getByRole("button", { name: "Fill in" }).click();
  const edit = page.getByRole("dialog", { name: "Billing details" });
  await expect.poll(hasFocus(edit.getByRole("radio").first())).toBe(true);
  await edit.getByRole("radio", { name: "Registered for GST" }).check();
  await edit.getByLabel("GSTIN").fill("27AAPFU0939F1ZX");
  await edit.getByText("This is not a valid GSTIN; please check all 15 characters").waitFor();
  await edit.getByLabel("GSTIN").fill("27AAPFU0939F1ZV");
  await edit.getByLabel("Billing address").fill("14 Marine Lines, Mumbai");
  await edit.getByLabel("PIN code").fill("400020");
  expect(await edit.getByLabel("State").inputValue()).toBe("27");
  expect(await findBarriers(page)).toEqual([]);
  await edit.getByRole("button", { name: "Save" }).click();
  await billing.getByText("27AAPFU0939F1ZV").waitFor();
  const organization = page.getByRole("region", { name: "Organization" });

  await organization.getByRole("button", { name: "Move to another partner" }).click();
  // An empty selection is not a choice: it does not remove a customer from its partner.
  expect(await page.getByRole("button", { name: "Move", exact: true }).isDisabled()).toBe(true);
  await choose(page, "New partner", partner.email);
  expect(await findBarriers(page)).toEqual([]);
  await press(page, "Move");
  await organization.getByText("Malabar Networks").waitFor();

  await organization.getByRole("button", { name: "Merge into another customer" }).click();
  await choose(page, "The customer that stays", into.email);
  await page.getByText("1 quote and 1 order with their invoices, which say what they said.").waitFor();
  expect(await findBarriers(page)).toEqual([]);
  const merge = page.getByRole("button", { name: "Merge", exact: true });
  expect(await merge.isDisabled()).toBe(true);
  await page.getByLabel("Type Periyar Mills to go on").fill("Periyar Mills");
  await merge.click();
  await page.getByText("Periyar Mills is part of Periyar Textiles now.").waitFor();
  expect(complaints).toEqual([]);
});

async function choose(page: Page, label: string, email: string): Promise<void> {
  await page
    .getByRole("combobox", { name: label })
    .or(page.getByRole("textbox", { name: label }))
    .fill(email);
  await page.getByRole("option", { name: new RegExp(email.replaceAll(".", "\\.")) }).click();
}

it("A copy of somebody's data is made and fetched, and they are erased", async () => {
  const { email } = await member(server, "user", { organizationName: "Bharathapuzha Foods" });
  const { page, complaints } = await openSignedIn(browser, server, admin, jobScreen);
  await page.goto(`${server.url}/admin/data-requests`);
  await press(page, "New request");
  await page.getByLabel("E-mail address of the person").fill(email);
  await press(page, "Make a copy of all data");
  await page.getByText("The copy is being made.").waitFor();
  await press(page, "Erase");
  const question = page.getByRole("dialog", { name: "Erase this person" });
  expect(await findBarriersAtBothWidths(page)).toEqual([]);
  expect(await question.getByRole("button", { name: "Erase for good" }).isDisabled()).toBe(true);
  await page.keyboard.press("Escape");
  await question.waitFor({ state: "hidden" });
  await page.keyboard.press("Escape");

  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: `Download the copy for ${email}` }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^Prahari-data-[\d-]+\.zip$/);
  await press(page, "New request");
  await page.getByLabel("E-mail address of the person").fill(email);
  await press(page, "Erase");
  await question.getByLabel(`Type ${email} to go on`).fill(email);
  await question.getByRole("button", { name: "Erase for good" }).click();
  await page.getByText("The data are being erased.").waitFor();
  await page.keyboard.press("Escape");
  await page
    .getByRole("row", { name: /Erasure/ })
    .filter({ hasText: "Done" })
    .first()
    .waitFor();
  expect(await findBarriersAtBothWidths(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

it("Invitations of all are in one list; a child administrator sees people and no buttons that change them", async () => {
  const partner = await member(server, "partner");
  const email = registration().email;
  await server.call("partner/create-user", { ...registration(), email, phoneNo: "9800000001" }, partner.token);
  const { page, complaints } = await openSignedIn(browser, server, admin, jobScreen);
  await page.goto(`${server.url}/admin/invitations?search=${encodeURIComponent(email)}`);
  await press(page, "Withdraw the invitation of Asha Rao");
  expect(await findBarriers(page)).toEqual([]);
  await page.getByRole("dialog").getByRole("button", { name: "Withdraw" }).click();
  await page.getByText("No open invitations").waitFor();
  await page.getByRole("status").getByText("Nothing found").waitFor();

  const customer = await member(server, "user", { organizationName: "Nila Motors" });
  const child = await member(server, "adminChild", { organisationId: admin.organisationId });
  const { page: reader, complaints: ofReader } = await openSignedIn(browser, server, child);
  await openCustomer(reader, customer.email, "Nila Motors");
  expect(await reader.getByRole("region", { name: "Organization" }).getByRole("button").count()).toBe(0);
  await press(reader, "Open Asha Rao");
  await reader.getByRole("heading", { name: "Signed in" }).waitFor();
  for (const name of ["Save", "Suspend", "Erase", /^Sign out/])
    expect(await reader.getByRole("dialog").getByRole("button", { name }).count()).toBe(0);
  expect([complaints, ofReader]).toEqual([[], []]);
});

it("Escape closes the question on top, and the panel below it only with the next press", async () => {
  const customer = await member(server, "user", { organizationName: "Chaliyar Boats" });
  const invited = registration();
  await member(server, "userChild", {
    organisationId: customer.organisationId,
    email: invited.email,
    firstName: "Devi",
    joinedAt: null,
  });
  const { page, complaints } = await openSignedIn(browser, server, admin, jobScreen);
  await openCustomer(page, customer.email, "Chaliyar Boats");
  const panel = page.getByRole("dialog", { name: "Customer Details" });
  const question = page.getByRole("dialog", { name: "Withdraw the invitation" });
  await press(page, "Withdraw the invitation of Devi Rao");
  await question.waitFor();
  await page.keyboard.press("Escape");
  await question.waitFor({ state: "hidden" });
  expect(await panel.isVisible()).toBe(true);
  // Three layers: the panel, a person in it, and a question about that person.
  await press(page, "Open Asha Rao");
  const person = page.getByRole("dialog", { name: "Asha Rao" });
  await person.getByRole("button", { name: "Suspend" }).click();
  const suspends = page.getByRole("dialog", { name: "Suspend this person" });
  await suspends.waitFor();
  for (const [closed, below] of [
    [suspends, person],
    [person, panel],
  ] as const) {
    await page.keyboard.press("Escape");
    await closed.waitFor({ state: "hidden" });
    expect(await below.isVisible()).toBe(true);
  }
  await page.keyboard.press("Escape");
  await panel.waitFor({ state: "hidden" });
  expect(complaints).toEqual([]);
});

it("A customer that shares its e-mail address with another one is not merged into in the other's place", async () => {
  const from = await member(server, "user", { organizationName: "Bhavani Mills" });
  const owner = await member(server, "user", { organizationName: "Bhavani Textiles" });
  const invited = { email: owner.email, joinedAt: null, emailVerifiedAt: null };
  await member(server, "user", { ...invited, organizationName: "Bhavani Spices" });
  const { page } = await openSignedIn(browser, server, admin);
  await openCustomer(page, from.email, "Bhavani Mills");
  await press(page, "Merge into another customer");
  const chosen = page.getByRole("combobox", { name: "The customer that stays" });
  await chosen.fill(owner.email);
  await page.getByRole("option", { name: "Bhavani Spices" }).click();
  await page.getByRole("alert").getByText("More than one customer has the same e-mail address").waitFor();
  const merge = page.getByRole("button", { name: "Merge", exact: true });
  expect(await merge.count()).toBe(0);
  expect(await findBarriers(page)).toEqual([]);
  await chosen.fill(owner.email);
  await page.getByRole("option", { name: "Bhavani Textiles" }).click();
  await merge.waitFor();
  expect(await page.getByRole("alert").count()).toBe(0);
});
