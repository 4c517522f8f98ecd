import type { Browser } from "playwright-core";
import { and, eq, isNull, like } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { showRupees } from "../../app/components/display.ts";
import { mails, quotes } from "../../server/database/schema/index.ts";
import { leaveBrowser, sharedBrowser } from "../browser.ts";
import { startTestServer, type TestServer } from "../harness.ts";
import { insertQuote } from "../paid-order.ts";
import { type Member, member } from "../people.ts";
import { sendMailNow } from "../send-mail-now.ts";
import { findBarriersAtBothWidths, findSpills, openSignedIn, phone, typedAfterEscape, wide } from "../portal-page.ts";

let server: TestServer;
let browser: Browser;
beforeAll(async () => {
  [server, browser] = await Promise.all([startTestServer({ pages: true, work: false }), sharedBrowser()]);
});
afterAll(async () => {
  await leaveBrowser(browser);
  await server?.stop();
});

/** Names of the maximum length without a place to break them. */
const longName = "Kaveri".padEnd(90, "textiles");
const busy = { error: "The server is busy. Please try again in a moment.", code: "overloaded" };
const longDesignation = "Head".padEnd(60, "ofit");

async function customerWithProposal(): Promise<Member> {
  const customer = await member(server, "user", { organizationName: longName });
  await giveProposal(await insertQuote(server, customer, { organizationName: longName }));
  return customer;
}

/** Gives a revision a proposal file, whose content is not read here. */
async function giveProposal({ id }: Pick<typeof quotes.$inferSelect, "id">, revision = 1): Promise<void> {
  const file = `proposal-${id}-${revision}.pdf`;
  await server.services.files.write(file, Buffer.from("%PDF-1.7\n"));
  await server.services.database.update(quotes).set({ proposalFile: file }).where(eq(quotes.id, id));
}

/** Sends a person's waiting codes, as the queue would. Answers the latest. */
async function mailedCode({ email }: Member): Promise<string> {
  const { services, mailbox } = server;
  const isWaiting = and(eq(mails.recipient, email), like(mails.eventKey, "acceptance-code:%"), isNull(mails.sentAt));
  for (const { id } of await services.database.select({ id: mails.id }).from(mails).where(isWaiting))
    await sendMailNow(services, id);
  const { text } = await mailbox.take(email, /^Your code to accept/);
  return /(?<![-\d])\d{6}\b/.exec(text ?? "")?.[0] ?? "";
}

const isInSight = (element: Element) => {
  const { top, bottom, left, right } = element.getBoundingClientRect();
  const seen = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  return top >= 0 && bottom <= innerHeight && seen === element;
};

it("On a phone and on a wide screen a customer accepts a proposal by a mailed code, and opens the accepted one", async () => {
  const customer = await customerWithProposal();
  const { page, complaints } = await openSignedIn(browser, server, customer, phone);
  await page.goto(`${server.url}/user/myquote`);
  await page.getByRole("button", { name: "Accept or decline" }).click();
  const dialog = page.getByRole("dialog", { name: /^Proposal Q-/ });
  await dialog.getByRole("button", { name: "Mail me a code" }).click();
  await dialog.getByText("Please confirm that you may accept it").waitFor();
  await dialog.getByRole("textbox", { name: "Your name" }).fill(longName);
  await dialog.getByRole("textbox", { name: "Designation" }).fill(longDesignation);
  await dialog.getByRole("checkbox").check();
  expect([...(await findBarriersAtBothWidths(page)), ...(await findSpills(page))]).toEqual([]);
  await dialog.getByRole("button", { name: "Mail me a code" }).click();
  const code = dialog.getByRole("textbox", { name: "6-digit code" });
  await code.fill("000000");
  // Somebody who was reading their mail comes back to an empty code field; the code itself is stored nowhere.
  const open = page.getByRole("button", { name: "Accept or decline" });
  expect(await typedAfterEscape(page, open, code)).toBe("");
  await page.reload();
  await open.click();
  expect(await code.inputValue()).toBe("");
  expect(await dialog.getByRole("textbox", { name: "Designation" }).inputValue()).toBe(longDesignation);
  expect(await dialog.getByRole("checkbox").isChecked()).toBe(true);
  await code.fill("000000");
  for (const { viewport } of [phone, wide]) {
    await page.setViewportSize(viewport);
    await dialog.getByRole("button", { name: "Accept proposal" }).click();
    // Reported once, at the field, which is in view.
    await dialog.getByText("This code is not right").waitFor();
    await expect.poll(() => code.evaluate((field) => field === document.activeElement)).toBe(true);
    await expect.poll(() => code.evaluate(isInSight), { message: `at ${viewport.width} px` }).toBe(true);
  }
  expect(await dialog.getByRole("textbox", { name: "Designation" }).inputValue()).toBe(longDesignation);
  await mailedCode(customer);
  // If a new code can't be requested, the field stays; if one is sent, the refusal of the old code disappears.
  const another = dialog.getByRole("button", { name: "Mail a new code" });
  await page.route("**/api/user/quotes/mail-code", (route) => route.fulfill({ status: 503, json: busy }));
  await another.click();
  await dialog.getByRole("alert").getByText(busy.error).waitFor();
  expect(await code.inputValue()).toBe("000000");
  await page.unrouteAll();
  await another.click();
  await expect.poll(() => code.inputValue()).toBe("");
  await page.getByText("The code is on its way to your mailbox.").first().waitFor();
  expect(await dialog.getByRole("alert").count()).toBe(0);
  await code.fill(await mailedCode(customer));
  await dialog.getByRole("button", { name: "Accept proposal" }).click();
  await dialog.waitFor({ state: "hidden" });
  expect(await page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith("typed:")))).toEqual([]);
  await page.getByRole("button", { name: /^Accepted: Q-/ }).click();
  await dialog.getByText(`${longName}, ${longDesignation}, accepted this proposal`).waitFor();
  expect(await findSpills(page)).toEqual([]);
  expect(complaints.filter((complaint) => !/422|503/.test(complaint))).toEqual([]);
});

it("A customer declines a proposal with a reason, after which it can't be bought", async () => {
  const customer = await customerWithProposal();
  const { page, complaints } = await openSignedIn(browser, server, customer, phone);
  await page.goto(`${server.url}/user/myquote`);
  await page.getByRole("button", { name: "Buy Now" }).waitFor();
  await page.getByRole("button", { name: "Accept or decline" }).click();
  const dialog = page.getByRole("dialog", { name: /^Proposal Q-/ });
  const designation = dialog.getByRole("textbox", { name: "Designation" });
  await designation.fill("Head of IT");
  const decline = dialog.getByRole("button", { name: "Decline instead" });
  await decline.click();
  const why = dialog.getByRole("textbox", { name: "Why do you decline?" });
  expect(await why.evaluate((field) => field === document.activeElement)).toBe(true);
  await why.fill("We buy next year.");
  // Switching between the two forms keeps what was typed in each, and the focus.
  await dialog.getByRole("button", { name: "Back" }).click();
  expect(await decline.evaluate((button) => button === document.activeElement)).toBe(true);
  expect(await designation.inputValue()).toBe("Head of IT");
  await decline.click();
  expect([await why.inputValue(), await designation.isVisible()]).toEqual(["We buy next year.", false]);
  expect([...(await findBarriersAtBothWidths(page)), ...(await findSpills(page))]).toEqual([]);
  await dialog.getByRole("button", { name: "Decline proposal" }).click();
  await page.getByRole("button", { name: /^Declined: Q-/ }).waitFor();
  expect(await page.getByRole("button", { name: "Buy Now" }).count()).toBe(0);
  expect(complaints).toEqual([]);
});

/** Makes the next revision of a quote, with this many more servers, and its proposal. Answers the total. */
async function revise(
  admin: Member,
  quote: Awaited<ReturnType<typeof insertQuote>>,
  revision: number,
): Promise<string> {
  const servers = { service: "Server", deviceType: "Prod Server", number: 400 + revision, option: false, yearly: null };
  const terms = { devices: [servers], discountPercent: null };
  const price = await server.call("admin/leads/price-quote", { quote_id: quote.id, ...terms }, admin.token);
  const { total } = price.body;
  const asked = { quote_id: quote.id, revision, ...terms, note: "", total_cost: total };
  const { status } = await server.call("admin/leads/revise-quote", asked, admin.token);
  expect(status).toBe(200);
  await giveProposal(quote, revision + 1);
  return showRupees(total);
}

it("A proposal that is revised before it is opened, or while it is, is accepted beside its own sum alone", async () => {
  const admin = await member(server, "admin");
  const customer = await member(server, "user");
  const quote = await insertQuote(server, customer);
  await giveProposal(quote);
  const { page } = await openSignedIn(browser, server, customer, phone);
  await page.goto(`${server.url}/user/myquote`);
  const open = page.getByRole("button", { name: "Accept or decline" });
  const dialog = page.getByRole("dialog", { name: /^Proposal Q-/ });
  await open.waitFor();
  const second = await revise(admin, quote, 1);
  await open.click();
  const mail = dialog.getByRole("button", { name: "Mail me a code" });
  await mail.waitFor();
  await dialog.getByText(second, { exact: true }).first().waitFor();

  const third = await revise(admin, quote, 2);
  await dialog.getByRole("textbox", { name: "Designation" }).fill("Head of IT");
  await dialog.getByRole("checkbox").check();
  await mail.click();
  await dialog.getByRole("alert").getByText("it is revision 3 now").waitFor();
  await dialog.getByText(third, { exact: true }).first().waitFor();
  expect(await dialog.getByText(second, { exact: true }).count()).toBe(0);
  expect(await findBarriersAtBothWidths(page)).toEqual([]);
  await mail.click();
  const code = dialog.getByRole("textbox", { name: "6-digit code" });
  await code.waitFor();

  const fourth = await revise(admin, quote, 3);
  await code.fill(await mailedCode(customer));
  await dialog.getByRole("button", { name: "Accept proposal" }).click();
  await dialog.getByRole("alert").getByText("it is revision 4 now").waitFor();
  await dialog.getByText(fourth, { exact: true }).first().waitFor();
  // The code was for the revision before.
  expect(await dialog.getByRole("button", { name: "Accept proposal" }).count()).toBe(0);
  expect(await dialog.getByRole("textbox", { name: "Designation" }).inputValue()).toBe("Head of IT");

  const fifth = await revise(admin, quote, 4);
  await dialog.getByRole("button", { name: "Decline instead" }).click();
  await dialog.getByRole("textbox", { name: "Why do you decline?" }).fill("Too dear.");
  await dialog.getByRole("button", { name: "Decline proposal" }).click();
  await dialog.getByRole("alert").getByText("it is revision 5 now").waitFor();
  await dialog.getByText(fifth, { exact: true }).first().waitFor();

  // When reopened, the dialog starts from the present revision.
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  const sixth = await revise(admin, quote, 5);
  await open.click();
  await dialog.getByRole("button", { name: "Mail me a code" }).waitFor();
  expect(await dialog.getByText(fifth, { exact: true }).count()).toBe(0);
  await dialog.getByText(sixth, { exact: true }).first().waitFor();
});
