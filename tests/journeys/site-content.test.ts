import type { Browser } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { messages } from "../../contract/messages.ts";
import { siteTexts, tiles } from "../../server/database/schema/index.ts";
import { ensureLogSources } from "../../server/content/shipped-log-sources.ts";
import { leaveBrowser, openPage, sharedBrowser } from "../browser.ts";
import { startTestServer, type TestServer } from "../harness.ts";
import { member, type Member } from "../people.ts";
import {
  findBarriers,
  findBarriersAtBothWidths,
  jobScreen,
  openSignedIn,
  typedAfterEscape,
  wide,
} from "../portal-page.ts";

let server: TestServer;
let browser: Browser;
let admin: Member;
beforeAll(async () => {
  [server, browser] = await Promise.all([startTestServer({ pages: true, work: false }), sharedBrowser()]);
  admin = await member(server, "admin", { firstName: "Meera", lastName: "Iyer" });
  await ensureLogSources(server.services.database);
});
afterAll(async () => {
  await leaveBrowser(browser);
  await server?.stop();
});
beforeEach(async () => {
  await server.services.database.delete(siteTexts);
  await server.services.database.delete(tiles);
});

const csv = (...lines: string[]) => ({
  name: "sources.csv",
  mimeType: "text/csv",
  buffer: Buffer.from(["Product,Category,Label,Format", ...lines].join("\n")),
});

it("Log sources are imported after a look, edited and retired", async () => {
  const label = "ACME_DOORS";
  const product = `Acme ${label}`;
  const { page, complaints } = await openSignedIn(browser, server, admin, jobScreen);
  await page.goto(`${server.url}/admin/log-sources`);
  await page
    .getByRole("button", { name: /^Retire / })
    .first()
    .waitFor();
  expect(await findBarriersAtBothWidths(page)).toEqual([]);

  await page.getByRole("button", { name: "Import CSV" }).click();
  const dialog = page.getByRole("dialog", { name: "Import log sources" });
  const choose = (file: ReturnType<typeof csv>) => dialog.locator("input[type=file]").setInputFiles(file);
  await choose(csv(`${product},Doors,${label},JSON`, "Wrong,Doors,no label,JSON"));
  await dialog.getByText("1 row is wrong").waitFor();
  await dialog.getByText(/Line 3: label: Please use capital letters/).waitFor();
  expect(await dialog.getByRole("button", { name: "Import", exact: true }).isDisabled()).toBe(true);
  expect(await findBarriersAtBothWidths(page)).toEqual([]);
  await choose(csv(`${product},Doors,${label},JSON`));
  await dialog.getByText("1 row: 1 new, 0 changed, 0 retired, 0 as they are").waitFor();
  await dialog.getByRole("button", { name: "Import", exact: true }).press("Enter");
  await dialog.waitFor({ state: "hidden" });

  await page.getByRole("button", { name: `Edit ${product}` }).press("Enter");
  const edit = page.getByRole("dialog", { name: "Edit the log source" });
  await edit.getByLabel("Log format").fill("CEF");
  await edit.getByRole("button", { name: "Save" }).click();
  await edit.waitFor({ state: "hidden" });
  await page.getByRole("button", { name: `Retire ${product}` }).click();
  await page.getByRole("button", { name: `Offer ${product}` }).waitFor();
  await page.getByRole("button", { name: "Retired", exact: true }).click();
  await page.getByRole("button", { name: `Offer ${product}` }).waitFor();
  expect(await findBarriersAtBothWidths(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

it("A tile is made, hidden and removed, and the customer sees it", async () => {
  const customer = await member(server, "user", { organizationName: "Kaveri Textiles" });
  const { page, complaints } = await openSignedIn(browser, server, admin, jobScreen);
  await page.goto(`${server.url}/admin/tiles`);
  await page.getByText("No tiles yet").waitFor();
  expect(await findBarriersAtBothWidths(page)).toEqual([]);
  await page.getByRole("button", { name: "Add" }).click();
  const dialog = page.getByRole("dialog", { name: "Add a tile" });
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await dialog.getByText(messages.toolUrlInvalid).waitFor();
  await dialog.getByText("One customer").click();
  await dialog.getByLabel("Customer's e-mail").fill(customer.email);
  await dialog.getByLabel("Title").fill("Tickets");
  await dialog.getByLabel(/^Text/).fill("ask us and follow the answer");
  const address = dialog.getByLabel("Address");
  await address.fill("https://tickets.example.in/");
  expect(await typedAfterEscape(page, page.getByRole("button", { name: "Add" }), address)).toMatch(/tickets/);
  expect(await findBarriersAtBothWidths(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await dialog.waitFor({ state: "hidden" });
  await page.getByText("Kaveri Textiles").first().waitFor();
  expect(await findBarriersAtBothWidths(page)).toEqual([]);

  const { page: seen, complaints: ofCustomer } = await openSignedIn(browser, server, customer, jobScreen);
  await seen.goto(`${server.url}/user/dashboard`);
  const link = seen.getByRole("link", { name: /Tickets: ask us and follow the answer/ });
  await link.waitFor();
  expect(await link.getAttribute("href")).toBe("https://tickets.example.in/");
  expect(await findBarriersAtBothWidths(seen)).toEqual([]);

  await page.getByRole("button", { name: "Remove Tickets" }).press("Enter");
  await page.getByRole("dialog", { name: "Remove the tile" }).getByRole("button", { name: "Remove" }).press("Enter");
  await page.getByText("No tiles yet").waitFor();
  // The focused button is gone, together with its list.
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toMatch(/H1|INPUT/);
  expect([...complaints, ...ofCustomer]).toEqual([]);
});

it("Texts are changed after a preview, a second editor loses nothing, and a version comes back", async () => {
  const { page, complaints } = await openSignedIn(browser, server, admin, jobScreen);
  await page.goto(`${server.url}/admin/settings`);
  await page.getByRole("button", { name: "Edit Company and contact" }).press("Enter");
  expect(await findBarriersAtBothWidths(page)).toEqual([]);
  const dialog = page.getByRole("dialog", { name: "Company and contact" });
  await dialog.getByLabel("Phone numbers").fill("call us");
  await dialog.getByRole("button", { name: "Preview" }).click();
  await dialog
    .getByText(/Please enter the number with its country code/)
    .first()
    .waitFor();
  expect(await findBarriersAtBothWidths(page)).toEqual([]);
  await dialog.getByLabel("Phone numbers").fill("+91 22 5550 0199");
  await dialog.getByRole("button", { name: "Preview" }).click();
  const after = dialog.frameLocator("iframe[title='The page as it would be']");
  await after.getByRole("link", { name: "+91 22 5550 0199" }).waitFor();
  await dialog.getByText("Before", { exact: true }).click();
  const before = dialog.frameLocator("iframe[title='The page as it is']");
  await before.getByRole("link", { name: "+91 80 5550 0100" }).waitFor();
  await dialog.getByRole("button", { name: "Back to the texts" }).click();

  // Somebody else saves meanwhile.
  const other = await server.call("admin/settings", {}, admin.token);
  const { content, version } = other.body.brand;
  const theirs = { ...content, website: "https://theirs.example" };
  await server.call("admin/settings/save", { section: "brand", content: theirs, version }, admin.token);
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByText(/is now “https:\/\/theirs.example”/).waitFor();
  expect(await dialog.getByLabel("Phone numbers").inputValue()).toBe("+91 22 5550 0199");
  expect(await findBarriersAtBothWidths(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Keep what I typed" }).click();
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "hidden" });
  await page.getByText(/^Version 2, saved on/).waitFor();

  const { page: visited, complaints: ofVisitor } = await openPage(browser, jobScreen);
  await visited.goto(`${server.url}/contact`);
  await visited.getByRole("link", { name: "+91 22 5550 0199" }).first().waitFor();
  // The page's script renders the same text, also on pages that it navigates to without a request.
  await visited.getByRole("contentinfo").getByRole("link", { name: "About" }).click();
  await visited.waitForURL(`${server.url}/about`);
  await visited.getByRole("link", { name: "+91 22 5550 0199" }).first().waitFor();

  await page.getByRole("button", { name: "History of Company and contact" }).click();
  const history = page.getByRole("dialog", { name: "History: Company and contact" });
  await history.getByRole("button", { name: "Restore what is shipped" }).waitFor();
  expect(await findBarriersAtBothWidths(page)).toEqual([]);
  await history.getByRole("button", { name: "Restore what is shipped" }).click();
  await history.getByText("Version 3").waitFor();
  await visited.goto(`${server.url}/contact`);
  await visited.getByRole("link", { name: "+91 80 5550 0100" }).first().waitFor();
  expect([...complaints.filter((each) => !each.includes("409")), ...ofVisitor]).toEqual([]);
});

it("The other sections open, and take what is typed", async () => {
  const { page, complaints } = await openSignedIn(browser, server, admin, wide);
  await page.goto(`${server.url}/admin/settings`);
  const change = async (section: string, label: string, text: string) => {
    await page.getByRole("button", { name: `Edit ${section}` }).click();
    const dialog = page.getByRole("dialog", { name: section });
    await dialog.getByLabel(label).first().fill(text);
    expect(await findBarriers(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "hidden" });
  };
  await change("Answers to questions", "How is the service priced?", "By the device.");
  await change("Service levels", "Acknowledged, minutes", "7");
  await change("Legal versions", "Backups are kept", "60");
  await page.goto(`${server.url}/buyers-guide`);
  await page.getByText("7 min", { exact: true }).waitFor();
  expect(complaints).toEqual([]);
});

it("A child administrator reads all of it and changes nothing", async () => {
  const child = await member(server, "adminChild", { organisationId: admin.organisationId });
  const { page } = await openSignedIn(browser, server, child);
  for (const [path, text] of [
    ["log-sources", "A10 Load Balancer"],
    ["tiles", "No tiles yet"],
    ["settings", "As shipped."],
  ] as const) {
    await page.goto(`${server.url}/admin/${path}`);
    await page.getByText(text).first().waitFor();
    expect(await page.getByRole("button", { name: /^(Add|Edit|Import|Retire )/ }).count()).toBe(0);
  }
});
