import { desc, eq } from "drizzle-orm";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { brand } from "../../contract/brand.ts";
import { messages } from "../../contract/messages.ts";
import { currentNotice, noticeDay } from "../../contract/privacy-notice.ts";
import { consents, people } from "../../server/database/schema/index.ts";
import { leaveBrowser, openPage, openQuiet, sharedBrowser } from "../browser.ts";
import { password, registration } from "../factories.ts";
import { startTestServer, type TestServer } from "../harness.ts";
import { member } from "../people.ts";

let server: TestServer;
let browser: Browser;
beforeAll(async () => {
  [server, browser] = await Promise.all([startTestServer({ pages: true }), sharedBrowser()]);
});
afterAll(async () => {
  await leaveBrowser(browser);
  await server?.stop();
});
beforeEach(async () => {
  await server.services.database.delete(consents);
});

/** The sentence nearest above the button, and the target of its link. */
async function noticeAbove(page: Page, button: string) {
  const note = page.getByText("you agree that");
  const link = note.getByRole("link");
  const [noteBox, buttonBox] = await Promise.all([
    note.boundingBox(),
    page.getByRole("button", { name: button, exact: true }).boundingBox(),
  ]);
  return {
    text: (await note.innerText()).replaceAll(/\s+/g, " "),
    href: await link.getAttribute("href"),
    pixelsAbove: (buttonBox?.y ?? 0) - (noteBox?.y ?? 0) - (noteBox?.height ?? 0),
  };
}

async function expectNotice(page: Page, button: string, purpose: string) {
  const { text, href, pixelsAbove } = await noticeAbove(page, button);
  expect(text).toContain(`you agree that ${brand.legalName} uses these details to ${purpose}`);
  expect(text).toContain(`privacy notice of ${noticeDay(currentNotice)}`);
  expect(href).toBe("/privacy-policy#privacy");
  expect(pixelsAbove).toBeGreaterThanOrEqual(0);
  expect(pixelsAbove).toBeLessThan(40);
}

const newest = async () => (await server.services.database.select().from(consents).orderBy(desc(consents.id)))[0];
const recorded = (purpose: string) => expect.poll(newest).toMatchObject({ purpose, noticeVersion: currentNotice });

describe("the button of a form that takes personal data says what it agrees to, and the press is recorded", () => {
  it("contact; the notice opens beside the form, where nothing typed is lost", async () => {
    const { page, complaints } = await openPage(browser);
    await openQuiet(page, `${server.url}/contact`);
    for (const [label, text] of [
      ["Name", "Asha Rao"],
      ["Email", "asha.rao@example.in"],
      ["Phone", "9876543210"],
      ["Organization", "Kaveri Textiles"],
      ["Organization size", "120"],
      ["Message", "Please call."],
    ] as const)
      await page.getByRole("textbox", { name: label, exact: true }).fill(text);
    await expectNotice(page, "Send message", "answer you");
    const [notice] = await Promise.all([
      page.context().waitForEvent("page"),
      page.getByRole("link", { name: "privacy notice of" }).click(),
    ]);
    await notice.getByRole("heading", { name: "Your consent, and taking it back" }).waitFor();
    expect(await notice.getByRole("link", { name: "I withdraw my consent" }).getAttribute("href")).toBe(
      `mailto:${brand.emails.privacy}?subject=I%20withdraw%20my%20consent`,
    );
    await page.getByRole("button", { name: "Send message" }).click();
    await page.getByText(messages.contactSent).waitFor();
    await recorded("contact");
    expect(complaints).toEqual([]);
  });

  it("registration, in its last step", async () => {
    const { page, complaints } = await openPage(browser);
    const form = registration();
    await openQuiet(page, `${server.url}/login`);
    await page.getByRole("button", { name: /^(Register|Create an account)/ }).click();
    await page.getByLabel("First name").fill(form.firstName);
    await page.getByLabel("Last name").fill(form.lastName);
    await page.getByRole("textbox", { name: "Email" }).fill(form.email);
    expect(await page.getByText("you agree that").count()).toBe(0);
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByLabel("Company name").fill(form.organizationName);
    await page.getByRole("textbox", { name: "Phone" }).fill("9876543210");
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByRole("textbox", { name: "Password", exact: true }).fill(password);
    await page.getByRole("textbox", { name: "Confirm password" }).fill(password);
    await expectNotice(page, "Register", "open and run your account");
    await page.getByRole("button", { name: "Register", exact: true }).click();
    await recorded("registration");
    const [person] = await server.services.database.select().from(people).where(eq(people.email, form.email));
    expect(await newest()).toMatchObject({ personId: person?.id });
    expect(complaints).toEqual([]);
  });

  it("estimate", async () => {
    const { page, complaints } = await openPage(browser);
    await openQuiet(page, `${server.url}/estimator`);
    await page.getByRole("spinbutton", { name: "Prod Server", exact: true }).fill("10");
    for (const [label, text] of [
      [/^Name/, "Asha Rao"],
      [/^Email/, "asha.rao@example.in"],
      ["Organization name", "Kaveri Textiles"],
      ["Phone number", "9876543210"],
      ["Number of users", "120"],
      ["Message", "Please call."],
    ] as const)
      await page.getByRole("textbox", { name: label }).fill(text);
    await expectNotice(page, "Send my estimate", "prepare your proposal and to talk to you about it");
    await page.getByRole("button", { name: "Send my estimate" }).click();
    await recorded("estimate");
    expect(complaints).toEqual([]);
  });

  it("invitation, whose mail told whence we have the details", async () => {
    const parent = await member(server, "user");
    const email = "vikram.invited@example.in";
    const child = { firstName: "Vikram", lastName: "Shetty", email, phoneNo: "+919876543210" };
    await server.call("user/create-child-user", child, parent.token);
    const mail = await server.mailbox.take(email);
    const { page, complaints } = await openPage(browser);
    await openQuiet(page, /https?:\S+accept-invite#token=[\w-]+/.exec(mail.text ?? "")?.[0] ?? "");
    await page.getByRole("textbox", { name: "Password", exact: true }).fill(password);
    await page.getByRole("textbox", { name: "Confirm password" }).fill(password);
    await expectNotice(page, "Accept and join", "run the account you were invited to");
    await page.getByRole("button", { name: "Accept and join" }).click();
    await page.getByText("Your password is set").waitFor();
    await recorded("invitation");
    expect(complaints).toEqual([]);
  });
});
