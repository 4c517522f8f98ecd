import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eq } from "drizzle-orm";
import { quotes } from "../../server/database/schema/index.ts";
import { sellerIs } from "../billing.ts";
import { attemptsOf, orderOf } from "../buyer.ts";
import { leaveBrowser, sharedBrowser } from "../browser.ts";
import { startTestServer, type TestServer } from "../harness.ts";
import { quoteHolder } from "../paid-order.ts";
import { type Member, member } from "../people.ts";
import { findBarriersAtBothWidths, findSpills, jobScreen, openSignedIn, typedAfterEscape } from "../portal-page.ts";
import { post, settleAtSandbox } from "../sandbox.ts";
import { bankOfTests, transferBuyer } from "../transfers.ts";
import { settleRefunds } from "../../server/refunds/settle-refunds.ts";

/** A name without a place to break it. */
const longWord = "Krishnamurthy".repeat(7);

let server: TestServer;
let browser: Browser;
let meera: Member;
let bala: Member;
beforeAll(async () => {
  const env = { refundApprovalPaise: 100_000 };
  [server, browser] = await Promise.all([startTestServer({ pages: true, work: false, env }), sharedBrowser()]);
  meera = await member(server, "admin", { organizationName: "Provider", firstName: "Meera", lastName: longWord });
  bala = await member(server, "admin", { organisationId: meera.organisationId, firstName: "Bala", lastName: "Nair" });
});
afterAll(async () => {
  await leaveBrowser(browser);
  await server?.stop();
});

/** An order paid at the sandbox. */
async function paidOrder() {
  const customer = await member(server, "user", { organizationName: longWord });
  const holder = await quoteHolder(server, customer);
  const back = await settleAtSandbox((await holder.start()).body, "success");
  await post(back.action, back.fields);
  const [attempt] = await attemptsOf(server, holder.quote.id);
  const { order } = (await server.call("admin/order", { id: attempt?.orderId ?? "" }, meera.token)).body;
  return { ...holder, order };
}

async function openHistory(person: Member, path: string, number: string) {
  const opened = await openSignedIn(browser, server, person, jobScreen);
  await opened.page.goto(`${server.url}${path}?search=${number}`);
  await opened.page.getByRole("button", { name: "History" }).locator("visible=true").click();
  await opened.page.getByRole("list", { name: "What happened" }).waitFor();
  return opened;
}

describe("A refund above the limit", () => {
  it("is asked for by one administrator, agreed to by a second, and seen by the customer", async () => {
    const { order, person } = await paidOrder();
    const first = await openHistory(meera, "/admin/orderData", order.number);
    const refund = first.page.getByRole("button", { name: /^Refund money of payment/ });
    await refund.click();
    const dialog = first.page.getByRole("dialog", { name: "Give money back" });
    await dialog.getByLabel("Amount").fill("1500.50");
    const reason = dialog.getByLabel("Reason");
    await reason.fill(`Two devices too many: ${longWord}`);
    expect(await typedAfterEscape(first.page, refund, reason)).toContain("Two devices too many");
    expect(await dialog.getByLabel("Amount").inputValue()).toContain("1,500.5");
    expect([...(await findBarriersAtBothWidths(first.page)), ...(await findSpills(first.page))]).toEqual([]);
    await dialog.getByRole("button", { name: "Give back" }).click();
    await first.page.getByText("Somebody else has to agree to it.").waitFor();
    expect(await findBarriersAtBothWidths(first.page)).toEqual([]);

    const second = await openSignedIn(browser, server, bala, jobScreen);
    await second.page.goto(`${server.url}/admin/actions?queue=refunds`);
    await second.page
      .getByRole("button", { name: `View ${order.number}` })
      .locator("visible=true")
      .click();
    // Escape closes only the dialog on top: the panel below stays, with its typed text.
    const found = second.page.getByLabel("What you found or did");
    await found.fill("Asked the customer");
    await second.page.getByRole("button", { name: /^Refund money of payment/ }).click();
    const onTop = second.page.getByRole("dialog", { name: "Give money back" });
    await onTop.getByLabel("Reason").fill("Not this one");
    await second.page.keyboard.press("Escape");
    await onTop.waitFor({ state: "hidden" });
    expect(await found.inputValue()).toBe("Asked the customer");
    await second.page.getByRole("button", { name: "Agree to ₹1,500.50" }).click();
    await second.page.getByText("₹1,500.50 go back.").waitFor();
    expect(await findBarriersAtBothWidths(second.page)).toEqual([]);

    await settleRefunds(server.services);
    server.passTime(60);
    await settleRefunds(server.services);
    const buyer = await openHistory(person, "/user/orderhistory", order.number);
    await buyer.page.getByText("Money given back").waitFor();
    await buyer.page.getByText("₹1,500.50").first().waitFor();
    expect(await buyer.page.getByText("Two devices too many").count()).toBe(0);
    await buyer.page.getByText("Partly refunded").locator("visible=true").first().waitFor();
    expect(await findBarriersAtBothWidths(buyer.page)).toEqual([]);
    server.passTime(-60);
    for (const { complaints } of [first, second, buyer]) {
      // A refund that is agreed to leaves its queue, where the screen looks for it once more.
      expect(complaints.filter((complaint) => !complaint.includes("404"))).toEqual([]);
    }
  });

  it("has its like in a write-off, which a second administrator agrees to under Actions", async () => {
    await sellerIs(server, { bank: bankOfTests, creditDays: 30 });
    const { choose, quote } = await transferBuyer(server);
    await server.services.database.update(quotes).set({ decision: "accepted" }).where(eq(quotes.id, quote.id));
    const { body } = await choose({ way: "invoice" });
    const first = await openSignedIn(browser, server, meera, jobScreen);
    await first.page.goto(`${server.url}/admin/receivables?search=${body.order_number}`);
    await first.page.getByRole("button", { name: /^Write off of/ }).click();
    const dialog = first.page.getByRole("dialog", { name: "Write off" });
    await dialog.getByLabel("Reason").fill(`Out of business: ${longWord}`);
    await dialog.getByRole("button", { name: "Write off" }).click();
    await first.page.getByText("who finds them under Actions").waitFor();
    await first.page.getByText("to write off").locator("visible=true").waitFor();
    expect(await first.page.getByRole("button", { name: /^Write off of/ }).count()).toBe(0);
    expect([...(await findBarriersAtBothWidths(first.page)), ...(await findSpills(first.page))]).toEqual([]);

    const second = await openSignedIn(browser, server, bala, jobScreen);
    await second.page.goto(`${server.url}/admin/actions?queue=writeOffs`);
    await second.page
      .getByRole("button", { name: `View ${body.order_number}` })
      .locator("visible=true")
      .click();
    const agree = second.page.getByRole("button", { name: /^Agree to/ });
    await agree.waitFor();
    expect([...(await findBarriersAtBothWidths(second.page)), ...(await findSpills(second.page))]).toEqual([]);
    await agree.click();
    await second.page.getByText("are written off.").waitFor();
    await second.page.getByText("No write-off needs a second main administrator.").waitFor();
    expect(await orderOf(server, quote.id)).toMatchObject({ state: "closed", owedPaise: 0 });
  });

  it("does not hide what a settlement file of the gateway has otherwise", async () => {
    const { order } = await paidOrder();
    const { page, complaints } = await openSignedIn(browser, server, meera, jobScreen);
    await page.goto(`${server.url}/admin/reconcile`);
    await page.getByRole("button", { name: "Settlement file" }).click();
    const dialog = page.getByRole("dialog", { name: "Import a settlement file" });
    const rows = [
      "Action,PayU ID,Request ID,Merchant Transaction ID,Transaction Amount,Merchant Service Fee,Merchant Service Tax,Merchant Net Amount,Settlement Date,UTR Number",
      `capture,${order.payment_id},1,,1.00,0.02,0.00,0.98,2026-11-20,UTR1`,
    ];
    const buffer = Buffer.from(rows.join("\n"));
    await dialog.locator("input[type=file]").setInputFiles({ name: "settled.csv", mimeType: "text/csv", buffer });
    await dialog.getByText("0 as in our books, 1 differ").waitFor();
    expect(await findBarriersAtBothWidths(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Import" }).click();
    await page
      .getByRole("button", { name: `Resolve Another amount of ${order.number}` })
      .locator("visible=true")
      .click();
    await page.getByLabel("What you found or did").fill("The gateway corrects it with the next settlement.");
    await page.getByRole("dialog").getByRole("button", { name: "Resolve" }).click();
    await page.getByText("Nothing differs").waitFor();
    expect(await findBarriersAtBothWidths(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
