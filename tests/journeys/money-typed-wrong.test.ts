import { eq } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { formatRupees, paiseFrom, rupees } from "../../contract/money.ts";
import { findings, quotes } from "../../server/database/schema/index.ts";
import { sellerIs } from "../billing.ts";
import { leaveBrowser, sharedBrowser, type WatchedPage } from "../browser.ts";
import { startTestServer, type TestServer } from "../harness.ts";
import { type Member, member } from "../people.ts";
import { findBarriersAtBothWidths, goTo, hasFocus, openSignedIn, phone, typedAfterEscape } from "../portal-page.ts";
import { bankOfTests, newUtr, transferBuyer, today } from "../transfers.ts";

let server: TestServer;
let browser: Browser;
let meera: Member;
let bala: Member;
beforeAll(async () => {
  [server, browser] = await Promise.all([startTestServer({ pages: true, work: false }), sharedBrowser()]);
  meera = await member(server, "admin", { organizationName: "Provider" });
  bala = await member(server, "admin", { organisationId: meera.organisationId });
  const deductions = [{ section: "194J", percent: 10, validFrom: "2020-04-01" }];
  await sellerIs(server, { bank: bankOfTests, creditDays: 30, deductions });
});
afterAll(async () => {
  await leaveBrowser(browser);
  await server?.stop();
});

const isMarked = (part: Locator) => part.getAttribute("aria-invalid");

/**
 * Requests a period without its first day. Answers how often that is reported, at which of the two fields, and what
 * else the screen shows.
 */
async function askWithoutFirstDay(page: Page, ask: string) {
  const [from, to] = [page.getByLabel("From", { exact: false }), page.getByLabel("To", { exact: false })];
  const told = page.getByText("Please choose a day");
  await from.first().fill("");
  await page.getByRole("button", { name: ask, exact: true }).click();
  await told.first().waitFor();
  return {
    told: await told.count(),
    marked: [await isMarked(from.first()), await isMarked(to.first())],
    alerts: await page.getByRole("alert").count(),
    barriers: await findBarriersAtBothWidths(page),
  };
}
const toldOnceAtItsField = { told: 1, marked: ["true", null], alerts: 0, barriers: [] };

/** Types invalid percentages, and returns once the field shows a message. */
async function typeNoPercentage(at: Locator, send: string) {
  await at.getByLabel("Section and rate").selectOption("other");
  await at.getByRole("textbox", { name: "Section" }).fill("194C");
  const percent = at.getByLabel("Percent", { exact: false });
  for (const typed of ["10,5", "10%", ".", "1e999"]) {
    // Types key by key: the screen must survive each.
    await percent.fill("");
    await percent.pressSequentially(typed);
    expect(await percent.inputValue()).toBe(typed);
  }
  expect(await at.getByText("are left to be paid").count()).toBe(0);
  await at.getByRole("button", { name: send }).click();
  await at.getByText("Please enter the percentage as a number, such as 10 or 0.1").first().waitFor();
  await expect.poll(hasFocus(percent)).toBe(true);
  // Once: at the field, and not in a box below as well.
  expect(await at.getByText("Please enter the percentage as a number").count()).toBe(1);
  await percent.fill("2");
  await at.getByText("are left to be paid").waitFor();
}

it("A percentage that is no number is told a customer at its field, in a purchase and of an invoice, and so is a period without its first day", async () => {
  const { person, quote, choose } = await transferBuyer(server);
  const { page, complaints } = await openSignedIn(browser, server, person, phone);
  await goTo(page, server, "/user/myquote");
  await page.getByRole("button", { name: /^Buy/ }).locator("visible=true").first().click();
  await page.getByRole("button", { name: "Bank transfer" }).click();
  await page.getByLabel("We deduct tax at source from this payment").check();
  await typeNoPercentage(page.locator("body"), "Get the proforma invoice");
  expect(await findBarriersAtBothWidths(page)).toEqual([]);

  await server.services.database.update(quotes).set({ decision: "accepted" }).where(eq(quotes.id, quote.id));
  const { document } = (await choose({ way: "invoice" })).body;
  await goTo(page, server, "/user/payments-due");
  expect(await askWithoutFirstDay(page, "CSV")).toEqual(toldOnceAtItsField);
  await page.getByRole("button", { name: `We deduct tax: ${document}` }).click();
  await typeNoPercentage(page.getByRole("dialog", { name: "Tax that you deduct" }), "We deduct this");
  expect(complaints.filter((complaint) => !complaint.includes("status of 422"))).toEqual([]);
});

describe("On one page of an administrator,", () => {
  let watched: WatchedPage;
  let page: Page;
  beforeAll(async () => {
    watched = await openSignedIn(browser, server, meera, phone);
    ({ page } = watched);
    page.on("dialog", (question) => void question.accept());
  });
  afterAll(() => watched.leave());

  it("who notes a refund as transferred that a colleague has noted reads so, and keeps the bank reference", async () => {
    const { choose } = await transferBuyer(server);
    const { body } = await choose();
    const came = { utr: newUtr(), received_on: today(server), payer: "Periyar", pays: body.document };
    await server.call("admin/transfers/record", { ...came, amount: body.pay }, meera.token);
    const asked = { id: randomUUID(), payment: body.order_id, amount: "50.00", reason: "One device less" };
    expect((await server.call("admin/refunds/ask", asked, meera.token)).status).toBe(200);
    // Filtered by orders with a refund under way: once the refund has ended, the order leaves the list.
    await goTo(page, server, `/admin/orderData?status=refund_pending&search=${body.order_number}`);
    await page.getByRole("button", { name: "History" }).locator("visible=true").click();
    await page.getByRole("button", { name: "It was transferred: ₹50.00" }).click();
    const noting = page.getByRole("dialog", { name: "Note that it was transferred back" });
    const typed = newUtr();
    await noting.getByLabel("Bank reference (UTR)").fill(typed);
    const paidOut = { id: asked.id, bank_reference: newUtr(), paid_on: today(server) };
    expect((await server.call("admin/refunds/paid-out", paidOut, bala.token)).status).toBe(200);
    await noting.getByRole("button", { name: "It was transferred" }).click();
    await noting.getByText("This refund has ended already.").waitFor();
    await page.waitForTimeout(1000);
    await noting.getByText("This refund has ended already.").waitFor();
    expect(await noting.getByLabel("Bank reference (UTR)").inputValue()).toBe(typed);
    await page.keyboard.press("Escape");
    await noting.waitFor({ state: "hidden" });
    await expect.poll(() => page.getByText(body.order_number).count()).toBe(0);
  });

  it("a refund that was transferred in a month that is over is confirmed at a box that has the focus", async () => {
    const { choose } = await transferBuyer(server);
    const { body } = await choose();
    const day = "2026-01-05";
    const came = { utr: newUtr(), received_on: day, payer: "Periyar", pays: body.document, amount: body.pay };
    await server.call("admin/transfers/record", { ...came, is_meant: true }, meera.token);
    const asked = { id: randomUUID(), payment: body.order_id, amount: "118.00", reason: "Called off" };
    expect((await server.call("admin/refunds/ask", asked, meera.token)).status).toBe(200);
    await goTo(page, server, `/admin/orderData?status=refund_pending&search=${body.order_number}`);
    await page.getByRole("button", { name: "History" }).locator("visible=true").click();
    await page.getByRole("button", { name: "It was transferred: ₹118.00" }).click();
    const noting = page.getByRole("dialog", { name: "Note that it was transferred back" });
    await noting.getByLabel("Bank reference (UTR)").fill(newUtr());
    await noting.getByLabel("Transferred on").fill(day);
    await noting.getByRole("button", { name: "It was transferred" }).click();
    const box = noting.getByLabel("The bank’s statement shows it just so");
    await box.waitFor();
    await expect.poll(hasFocus(box)).toBe(true);
    await noting.getByText("Please confirm the day", { exact: true }).waitFor();
    expect(await findBarriersAtBothWidths(page)).toEqual([]);
    await box.check();
    await noting.getByRole("button", { name: "It was transferred" }).click();
    await page.getByText(/are noted as given back by transfer/).waitFor();
  });

  it("who asks for more than a colleague has left of a payment reads how much is left", async () => {
    const { choose } = await transferBuyer(server);
    const { body } = await choose();
    const came = { utr: newUtr(), received_on: today(server), payer: "Periyar", pays: body.document };
    await server.call("admin/transfers/record", { ...came, amount: body.pay }, meera.token);
    await goTo(page, server, `/admin/orderData?search=${body.order_number}`);
    await page.getByRole("button", { name: "History" }).locator("visible=true").click();
    await page.getByRole("button", { name: /^Refund money of transfer/ }).click();
    const dialog = page.getByRole("dialog", { name: "Give money back" });
    await dialog.getByText(`At most ${formatRupees(paiseFrom(body.pay))}, `).waitFor();
    await dialog.getByLabel("Reason").fill("Called off");
    const asked = { id: randomUUID(), payment: body.order_id, amount: "100.00", reason: "One device less" };
    expect((await server.call("admin/refunds/ask", asked, bala.token)).status).toBe(200);
    await dialog.getByRole("button", { name: "Give back" }).click();
    await dialog.getByRole("alert").waitFor();
    await dialog.getByText(`At most ${formatRupees(paiseFrom(body.pay) - 100_00)}, `).waitFor();
    expect(await dialog.getByLabel("Reason").inputValue()).toBe("Called off");
  });

  it("a sum that is far too large is confirmed at a box that has the focus, and anew once another is typed", async () => {
    const { choose } = await transferBuyer(server);
    const { body } = await choose();
    await goTo(page, server, "/admin/receivables");
    await page
      .getByRole("button", { name: `Record a transfer for ${body.document}` })
      .locator("visible=true")
      .click();
    const recording = page.getByRole("dialog", { name: "Record a transfer" });
    const utr = newUtr();
    await server.call(
      "admin/transfers/record",
      { utr, received_on: today(server), payer: "P", pays: null, amount: "7.00" },
      bala.token,
    );
    await recording.getByLabel("Bank reference (UTR)").fill(utr);
    await recording.getByLabel("Who paid").fill("Periyar Spices");
    const sum = recording.getByLabel("Amount in rupees");
    await sum.fill(rupees(paiseFrom(body.pay) * 10));
    const record = recording.getByRole("button", { name: "Record" });
    await record.click();
    await recording.getByText("This one was recorded before").waitFor();
    await recording.getByRole("alert").getByText("was recorded before").waitFor();
    await recording.getByLabel("Received on").fill("2099-01-01");
    await record.click();
    await recording.getByText("This day is still to come").waitFor();
    expect(await recording.getByText("This day is still to come").count()).toBe(1);
    await recording.getByLabel("Received on").fill("2026-01-02");
    await recording.getByLabel("Bank reference (UTR)").fill(newUtr());
    await record.click();
    const box = recording.getByLabel("The bank’s statement shows it just so");
    await box.waitFor();
    await expect.poll(hasFocus(box)).toBe(true);
    await recording.getByText("Please confirm the sum and the day").waitFor();
    await box.check();
    await recording.getByLabel("Received on").fill(today(server));
    expect(await box.count()).toBe(0);
    await record.click();
    await recording.getByText("Please confirm the sum", { exact: true }).waitFor();
    await box.check();
    await sum.fill(rupees(paiseFrom(body.pay) * 20));
    expect(await box.count()).toBe(0);
    await record.click();
    await box.waitFor();
    expect(await box.isChecked()).toBe(false);
    await expect.poll(hasFocus(box)).toBe(true);
    expect(await findBarriersAtBothWidths(page)).toEqual([]);
    await box.check();
    await record.click();
    await page.getByText(/is paid; .* more came/).waitFor();
  });

  it("a period without its first day is told at that field, once", async () => {
    await goTo(page, server, "/admin/registers");
    expect(await askWithoutFirstDay(page, "Register as CSV")).toEqual(toldOnceAtItsField);
  });

  it("who resolves what a colleague has resolved reads so, and sees the list without it", async () => {
    const { database } = server.services;
    const says = "₹1.00 came of which nobody knows";
    const [found] = await database
      .insert(findings)
      .values({ kind: "unknown transfer", key: newUtr(), about: "Transfer", says })
      .returning();
    await goTo(page, server, "/admin/reconcile");
    const row = page.getByRole("row").filter({ hasText: says });
    const resolve = row.getByRole("button", { name: /Resolve/ });
    await resolve.click();
    const dialog = page.getByRole("dialog", { name: "Resolve what differs" });
    const words = dialog.getByLabel("What you found or did");
    await words.fill("Asked\nthe bank");
    expect(await typedAfterEscape(page, resolve, words)).toBe("Asked the bank");
    await server.call("admin/reconcile/resolve", { id: found?.id ?? "", reason: "Was mine" }, bala.token);
    await dialog.getByRole("button", { name: "Resolve" }).click();
    await dialog.getByRole("alert").waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    await expect.poll(() => row.count()).toBe(0);
  });
});
