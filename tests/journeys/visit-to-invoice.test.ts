import type { Browser, Locator } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { messages } from "../../contract/messages.ts";
import { leaveBrowser, openPage, openQuiet, sharedBrowser } from "../browser.ts";
import { password } from "../factories.ts";
import { startTestServer, type TestServer } from "../harness.ts";

let server: TestServer;
let browser: Browser;
beforeAll(async () => {
  [server, browser] = await Promise.all([startTestServer({ pages: true }), sharedBrowser()]);
});
afterAll(async () => {
  await leaveBrowser(browser);
  await server?.stop();
});

const email = "ravi.short@example.in";

it("From the first visit to the invoice it takes at most 14 clicks and 20 fields, and no number is an id", async () => {
  const { page, complaints } = await openPage(browser);
  const done = { clicks: 0, fields: 0 };
  const click = async (target: Locator) => {
    done.clicks++;
    await target.click();
  };
  const fill = async (target: Locator, text: string) => {
    done.fields++;
    await target.fill(text);
  };
  const button = (name: string | RegExp) => page.getByRole("button", { name, exact: true });

  await openQuiet(page, server.url);
  await click(page.getByRole("link", { name: "Estimator", exact: true }).first());
  await fill(page.getByRole("spinbutton", { name: "Prod Server", exact: true }), "20");
  for (const [label, text] of [
    ["Name", "Ravi Nair"],
    ["Email", email],
    ["Organization name", "Godavari Foods"],
    ["Phone number", "9876543210"],
    ["Number of users", "40"],
    ["Message", "One plant."],
  ] as const)
    await fill(page.getByRole("textbox", { name: label, exact: true }), text);
  await click(button("Send my estimate"));
  await page.getByText(messages.quoteSent).waitFor();

  await click(page.getByRole("link", { name: "Create my account" }));
  await page.getByText("Step 3 of 3").waitFor();
  await page.getByText(`Ravi Nair of Godavari Foods, ${email}, +919876543210.`).waitFor();
  await fill(page.getByLabel("Password", { exact: true }), password);
  await fill(page.getByLabel("Confirm password"), password);
  await click(button("Register"));
  await page.getByRole("heading", { name: "Welcome back" }).waitFor();

  await fill(page.getByLabel("Password", { exact: true }), password);
  await click(button("Login"));
  await page.getByRole("heading", { name: "Verify OTP" }).waitFor();
  const code = /\b\d{6}\b/.exec((await server.mailbox.take(email, /sign-in code/)).text ?? "")?.[0] ?? "";
  await fill(page.getByLabel("6-digit code"), code);
  await click(button("Verify OTP"));

  await page.waitForURL("**/user/myquote");
  await page.getByRole("cell", { name: /^Q-000001/ }).waitFor();
  await click(button(/^Buy Now/));
  await click(page.getByRole("radio", { name: "Not registered" }));
  await fill(page.getByLabel("Billing address"), "7 Marine Drive, Kochi");
  await fill(page.getByLabel("PIN code"), "682031");
  done.fields++;
  await page.getByLabel("State").selectOption("32");
  await click(button("Save and go on"));
  await click(button(/^Pay ₹/));
  await click(button("Pay"));
  await page.getByRole("heading", { name: "Payment received" }).waitFor();
  await click(button("View the invoice"));
  const viewer = page.getByRole("dialog", { name: /^Invoice SOC\/\d\d-\d\d\/000001$/ });
  const download = await viewer.getByRole("link", { name: "Download" }).getAttribute("download");
  expect(download).toMatch(/^Invoice SOC-\d\d-\d\d-000001\.pdf$/);
  expect(done.clicks).toBeLessThanOrEqual(14);
  expect(done.fields).toBeLessThanOrEqual(20);

  await page.keyboard.press("Escape");
  const ids = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}/i;
  expect(await page.locator("body").innerText()).not.toMatch(ids);
  for (const [path, number] of [
    ["/user/orderhistory", "O-000001"],
    ["/user/myquote", "Q-000001"],
  ] as const) {
    await page.goto(server.url + path);
    await page.getByText(number).locator("visible=true").first().waitFor();
    expect(await page.locator("body").innerText()).not.toMatch(ids);
  }
  const receipt = await server.mailbox.take(email, /invoice SOC/);
  expect(receipt.text).toContain("O-000001");
  expect(receipt.text).not.toMatch(ids);
  expect(complaints).toEqual([]);
});
