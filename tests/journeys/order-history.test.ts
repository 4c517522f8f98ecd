import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { leaveBrowser, sharedBrowser } from "../browser.ts";
import { startTestServer, type TestServer } from "../harness.ts";
import { quoteHolder } from "../paid-order.ts";
import { openSignedIn } from "../portal-page.ts";
import { post, settleAtSandbox } from "../sandbox.ts";

let server: TestServer;
let browser: Browser;
beforeAll(async () => {
  [server, browser] = await Promise.all([startTestServer({ pages: true, work: false }), sharedBrowser()]);
});
afterAll(async () => {
  await leaveBrowser(browser);
  await server?.stop();
});

it("An order that is paid while its history is read is shown as paid in its row as well", async () => {
  const { person, start } = await quoteHolder(server);
  const form = (await start()).body;
  const { page, complaints } = await openSignedIn(browser, server, person);
  await page.goto(`${server.url}/user/orderhistory`);
  const row = page
    .getByRole("row")
    .filter({ hasText: /O-\d{6}/ })
    .first();
  await row.getByRole("button", { name: /^History of O-/ }).click();
  await page.getByRole("list", { name: "What happened" }).waitFor();
  expect(await row.getByText("Success").count()).toBe(0);
  const back = await settleAtSandbox(form, "success");
  await post(back.action, back.fields);
  await row.getByText("Success").waitFor();
  expect(complaints).toEqual([]);
});
