import { eq } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import type { Browser, BrowserContextOptions } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { actionItems, mails } from "../../server/database/schema/index.ts";
import { beginByKeys, leaveBrowser, sharedBrowser } from "../browser.ts";
import { startTestServer, type TestServer } from "../harness.ts";
import { insertOrder } from "../paid-order.ts";
import { type Member, member } from "../people.ts";
import { findBarriersAtBothWidths, findSpills, openSignedIn, jobScreen, wide } from "../portal-page.ts";

let server: TestServer;
let browser: Browser;
let meera: Member;
let bala: Member;
let child: Member;
let customer: Member;
beforeAll(async () => {
  [server, browser] = await Promise.all([startTestServer({ pages: true, work: false }), sharedBrowser()]);
  meera = await member(server, "admin", { organizationName: "Provider", firstName: "Meera", lastName: "Iyer" });
  const ofProvider = { organisationId: meera.organisationId };
  bala = await member(server, "admin", { ...ofProvider, firstName: "Bala", lastName: "Nair" });
  child = await member(server, "adminChild", { ...ofProvider, firstName: "Rohan", lastName: "Das" });
  customer = await member(server, "user", { organizationName: "Kaveri Textiles" });
});
afterAll(async () => {
  await leaveBrowser(browser);
  await server?.stop();
});

async function open(person: Member, path: string, screen: BrowserContextOptions = wide) {
  const opened = await openSignedIn(browser, server, person, screen);
  await opened.page.goto(`${server.url}/admin/${path}`);
  await opened.page.getByRole("heading", { level: 1 }).waitFor();
  return opened;
}
const review = (reviewReason: string) => insertOrder(server, customer, { state: "review", reviewReason });
const failed = () =>
  server.services.database.insert(mails).values({
    eventKey: `receipt:${randomUUID()}`,
    about: "Receipt and invoice",
    recipient: "asha@example.in",
    content: { template: "welcome" },
    attachments: [],
    tries: 3,
    lastError: "Greylisted",
  });

describe("The action queues", () => {
  it("are reached from the overview; an entry is taken, resolved with a reason, and then stands among what is done", async () => {
    const reason = `The gateway took ₹2.50 less. ${randomUUID().slice(0, 8)}`;
    const resolution = `The bank kept its fee; agreed by phone. ${randomUUID().slice(0, 8)}`;
    const order = await review(reason);
    const { page, complaints } = await open(meera, "dashboard", jobScreen);
    await page.getByRole("listitem").filter({ hasText: reason }).getByRole("link").click();
    const panel = page.getByRole("dialog");
    await panel.getByText(reason).waitFor();
    await panel.getByText("Asking the gateway again would change nothing").waitFor();
    expect(await findBarriersAtBothWidths(page)).toEqual([]);
    await panel.getByRole("button", { name: "Assign to me" }).click();
    await panel.getByText("Yours").waitFor();
    await panel.getByLabel("What you found or did").fill(resolution);
    await panel.getByRole("button", { name: "Resolve" }).click();
    await panel.getByText("Meera Iyer resolved it on").waitFor();
    await page.keyboard.press("Escape");
    await panel.waitFor({ state: "hidden" });
    expect(await page.getByText(reason).locator("visible=true").count()).toBe(0);
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByText(resolution).locator("visible=true").waitFor();
    expect(await findBarriersAtBothWidths(page)).toEqual([]);
    const [item] = await server.services.database.select().from(actionItems).where(eq(actionItems.subjectId, order.id));
    expect(item).toMatchObject({ closedBy: meera.id, resolution: resolution });
    expect(complaints).toEqual([]);
  });
});

it("Of two administrators the second is told who has an entry, and sees it so", async () => {
  const reason = `Paid twice ${randomUUID().slice(0, 8)}`;
  const order = await review(reason);
  const [item] = await server.services.database.select().from(actionItems).where(eq(actionItems.subjectId, order.id));
  const mine = await open(meera, `actions?queue=payments&item=${item?.id}`);
  const other = await open(bala, `actions?queue=payments&item=${item?.id}`);
  const takes = [mine, other].map(({ page }) => page.getByRole("dialog").getByRole("button", { name: "Assign to me" }));
  for (const button of takes) await button.waitFor();
  await takes[0]?.click();
  await mine.page.getByRole("dialog").getByText("Yours").waitFor();
  await takes[1]?.click();
  await other.page.getByText("Meera Iyer has taken this.").waitFor();
  await other.page.getByRole("button", { name: "Take it over from Meera Iyer" }).waitFor();
  expect(await other.page.getByLabel("What you found or did").count()).toBe(0);
});

it("The longest names fit into an entry's panel, on a phone too", async () => {
  const firstName = "Venkatanarasimharajuvaripeta".repeat(2);
  const longest = { firstName, lastName: "Thiruvananthapuram Iyer" };
  const colleague = await member(server, "admin", { ...longest, organisationId: meera.organisationId });
  const buyer = await member(server, "user", { organizationName: "InstrumentationManufacturing".repeat(4) });
  const order = await insertOrder(server, buyer, { state: "review", reviewReason: "Paid twice." });
  const [item] = await server.services.database.select().from(actionItems).where(eq(actionItems.subjectId, order.id));
  await server.call("admin/actions/take", { id: item?.id ?? "", from: null }, colleague.token);
  const { page } = await open(meera, `actions?queue=payments&item=${item?.id}`);
  await page.getByRole("button", { name: `Take it over from ${firstName}` }).waitFor();
  await page.getByText("History of the order").waitFor();
  expect([...(await findBarriersAtBothWidths(page)), ...(await findSpills(page))]).toEqual([]);
});

it("What somebody writes about an entry stays while they look at its customer", async () => {
  const order = await review("Paid twice.");
  const [item] = await server.services.database.select().from(actionItems).where(eq(actionItems.subjectId, order.id));
  const { page, complaints } = await open(meera, `actions?queue=payments&item=${item?.id}`, jobScreen);
  const reason = page.getByLabel("What you found or did");
  await reason.fill("The bank kept its fee.");
  const opener = page.getByRole("button", { name: "Open the customer" });
  await opener.click();
  const details = page.getByRole("dialog", { name: "Customer Details" });
  await details.getByRole("region", { name: "People" }).getByText(customer.email).first().waitFor();
  expect(await findBarriersAtBothWidths(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await details.waitFor({ state: "hidden" });
  expect(await reason.inputValue()).toBe("The bank kept its fee.");
  await expect.poll(() => opener.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.reload();
  expect(await reason.inputValue()).toBe("The bank kept its fee.");
  expect(complaints).toEqual([]);
});

it("By keyboard a failed mail is found, opened and sent again", async () => {
  await failed();
  const { page } = await open(meera, "actions");
  await beginByKeys(page);
  await page.getByRole("button", { name: /^Failed mails \(\d+\)$/ }).focus();
  await page.keyboard.press("Enter");
  // Each queue is a new screen; somebody who switches between them by keyboard keeps their place.
  await page.getByRole("heading", { level: 1 }).waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toMatch(/^Failed mails/);
  const opener = page
    .getByRole("button", { name: "View Receipt and invoice of asha@example.in" })
    .locator("visible=true");
  await opener.focus();
  await page.keyboard.press("Enter");
  const again = page.getByRole("dialog").getByRole("button", { name: "Send it again" });
  await again.focus();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").getByText("Meera Iyer had it tried again on").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  // The focus returns to the button that opened the panel.
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label")))
    .toBe("View Receipt and invoice of asha@example.in");
});

it("A customer who has paid gets dashboards from the queue, and leaves it", async () => {
  const buyer = await member(server, "user", { organizationName: "Godavari Foods" });
  await insertOrder(server, buyer);
  const { page } = await open(meera, "actions?queue=dashboards");
  await page
    .getByRole("button", { name: /^View O-\d+ of Godavari Foods$/ })
    .locator("visible=true")
    .click();
  await page.getByRole("button", { name: "Open the customer’s dashboards" }).click();
  await page.getByRole("button", { name: "Activate Dashboard" }).click();
  await page.getByRole("button", { name: "Activate Dashboard" }).waitFor({ state: "detached" });
  await page.keyboard.press("Escape");
  await page.getByText("This is no longer in a queue.").waitFor();
  const left = await server.services.database
    .select()
    .from(actionItems)
    .where(eq(actionItems.subjectId, buyer.organisationId));
  expect(left).toEqual([]);
});

it("A child administrator reads the queues and the system, and is offered nothing to change", async () => {
  const order = await review("Paid by somebody else.");
  const [item] = await server.services.database.select().from(actionItems).where(eq(actionItems.subjectId, order.id));
  const { page, complaints } = await open(child, `actions?queue=payments&item=${item?.id}`, jobScreen);
  await page.getByRole("dialog").getByText("Administrators deal with this; your account sees it.").waitFor();
  expect(await page.getByRole("button", { name: "Assign to me" }).count()).toBe(0);
  await page.goto(`${server.url}/admin/system`);
  await page.getByRole("heading", { level: 2, name: "Database" }).waitFor();
  expect(complaints).toEqual([]);
});

it("The system is told part by part, and a failed job is tried again", async () => {
  const id = randomUUID();
  await server.services.database.$client.query(
    `insert into jobs.job (id, name, data, state, retry_limit, retry_count, completed_on, output)
      values ($1, 'render-invoice', '{"invoiceId": "none"}', 'failed', 2, 2, now(), '{"message": "The template is broken"}')`,
    [id],
  );
  const { page, complaints } = await open(meera, "system", jobScreen);
  for (const part of ["Product", "Database", "Jobs", "Documents", "Mail", "Backup"])
    await page.getByRole("heading", { level: 2, name: part, exact: true }).waitFor();
  await page.getByText("No backup by").waitFor();
  // The system page may still show what was read a moment ago for another test, so it is read again.
  const reason = page.getByText("The template is broken").locator("visible=true");
  await expect
    .poll(async () => {
      await page.getByRole("button", { name: "Read again" }).click();
      return reason.count();
    })
    .toBe(1);
  expect(await findBarriersAtBothWidths(page)).toEqual([]);
  await page.getByRole("button", { name: "Try again: Make invoices" }).locator("visible=true").first().click();
  await page.getByText("The job is tried again now.").waitFor();
  await reason.waitFor({ state: "detached" });
  const { rows } = await server.services.database.$client.query("select state from jobs.job where id = $1", [id]);
  expect(rows).toEqual([{ state: "retry" }]);
  expect(complaints).toEqual([]);
});
