import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { messages } from "../../contract/messages.ts";
import { leaveBrowser, openPage, sharedBrowser } from "../browser.ts";
import { startTestServer, type TestServer } from "../harness.ts";
import { member, type Member } from "../people.ts";
import { findBarriersAtBothWidths, jobScreen, openSignedIn, typedAfterEscape } from "../portal-page.ts";

let server: TestServer;
let browser: Browser;
let admin: Member;
beforeAll(async () => {
  [server, browser] = await Promise.all([startTestServer({ pages: true, work: false }), sharedBrowser()]);
  admin = await member(server, "admin");
});
afterAll(async () => {
  await leaveBrowser(browser);
  await server?.stop();
});

it("An administrator adds, orders, edits and removes certificates, and visitors see it", async () => {
  const { page, complaints } = await openSignedIn(browser, server, admin, jobScreen);
  await page.goto(`${server.url}/admin/proofs`);
  await page.getByText("None yet").waitFor();
  expect(await findBarriersAtBothWidths(page)).toEqual([]);

  await page.getByRole("button", { name: "Add" }).click();
  const dialog = page.getByRole("dialog", { name: "Add a certificate or reference" });
  await dialog.getByRole("button", { name: "Put on the site" }).click();
  await dialog.getByText(messages.requiredFields).first().waitFor();
  expect(await findBarriersAtBothWidths(page)).toEqual([]);
  await dialog.getByLabel("What it certifies").fill("ISO/IEC 27001:2022");
  await dialog.getByLabel("Issued by").fill("A certification body");
  await dialog.getByLabel("Number and scope").fill("Certificate 12345, the centre in Pune");
  await dialog.getByLabel("Valid until").fill("2099-03-31");
  await dialog.getByRole("button", { name: "Put on the site" }).click();
  await page.getByRole("heading", { name: "ISO/IEC 27001:2022" }).waitFor();
  await dialog.waitFor({ state: "hidden" });

  await page.getByRole("button", { name: "Add" }).click();
  await dialog.getByText("Reference", { exact: true }).click();
  await dialog.getByLabel("Customer").fill("Kaveri Textiles");
  await dialog.getByLabel("Who says it").fill("Asha Rao, head of IT");
  const statement = dialog.getByLabel("What they say");
  await statement.fill("They called before we knew.");
  expect(await typedAfterEscape(page, page.getByRole("button", { name: "Add" }), statement)).toMatch(/^They called/);
  await dialog.getByRole("button", { name: "Put on the site" }).click();
  await page.getByRole("button", { name: "Move Kaveri Textiles up" }).click();
  await page.getByText(messages.proofsOrdered).waitFor();
  const names = () => page.locator("main h2").allTextContents();
  await expect.poll(names).toEqual(["Kaveri Textiles", "ISO/IEC 27001:2022"]);
  await page.getByRole("button", { name: "Edit Kaveri Textiles" }).click();
  const edit = page.getByRole("dialog", { name: "Edit" });
  await edit.getByLabel("Customer").fill("Kaveri Mills");
  await edit.getByRole("button", { name: "Save" }).click();
  await expect.poll(names).toEqual(["Kaveri Mills", "ISO/IEC 27001:2022"]);
  await edit.waitFor({ state: "hidden" });
  expect(await findBarriersAtBothWidths(page)).toEqual([]);

  const { page: visited, complaints: ofVisitor } = await openPage(browser, jobScreen);
  await visited.goto(`${server.url}/buyers-guide#proofs`);
  await visited.getByRole("heading", { name: "Our certificates and references" }).waitFor();
  expect(await visited.locator("#proofs ~ ul h3").allTextContents()).toEqual(["Kaveri Mills", "ISO/IEC 27001:2022"]);
  expect(await findBarriersAtBothWidths(visited)).toEqual([]);

  for (const name of ["Kaveri Mills", "ISO/IEC 27001:2022"]) {
    await page.getByRole("button", { name: `Remove ${name}` }).click();
    const asking = page.getByRole("dialog", { name: "Remove from the site" });
    await asking.getByRole("button", { name: "Remove" }).click();
    await asking.waitFor({ state: "hidden" });
  }
  await page.getByText("None yet").waitFor();
  expect([...complaints, ...ofVisitor]).toEqual([]);
});

it("A child administrator reads them and changes nothing", async () => {
  const child = await member(server, "adminChild", { organisationId: admin.organisationId });
  const { page } = await openSignedIn(browser, server, child);
  await page.goto(`${server.url}/admin/proofs`);
  await page.getByText("None yet").waitFor();
  expect(await page.getByRole("button", { name: "Add" }).count()).toBe(0);
});
