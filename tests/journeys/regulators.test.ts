import { eq } from "drizzle-orm";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { messages } from "../../contract/messages.ts";
import { incidents, onboardings, people } from "../../server/database/schema/index.ts";
import { leaveBrowser, sharedBrowser } from "../browser.ts";
import { contractHolder } from "../contract.ts";
import { startTestServer, type TestServer } from "../harness.ts";
import { type Member, member } from "../people.ts";
import { findBarriersAtBothWidths, hasFocus, jobScreen, openSignedIn, typedAfterEscape } from "../portal-page.ts";

let server: TestServer;
let browser: Browser;
let customer: Member;
let incidentId: string;
beforeAll(async () => {
  server = await startTestServer({ work: false, pages: true });
  browser = await sharedBrowser();
  ({ person: customer } = await contractHolder(server));
  const openedAt = new Date(server.services.now().getTime() - 3_600_000);
  const [incident] = await server.services.database
    .insert(incidents)
    .values({
      organisationId: customer.organisationId,
      title: "Ransomware on a file server",
      source: "analyst",
      severity: "P2",
      openedAt,
      changedAt: openedAt,
    })
    .returning();
  incidentId = incident?.id ?? "";
});
afterAll(async () => {
  await leaveBrowser(browser);
  await server.stop();
});

it("A customer says what it is, answers, reads a draft and marks it as filed", async () => {
  const { page } = await openSignedIn(browser, server, customer, jobScreen);
  await page.goto(`${server.url}/user/onboarding`);
  await page.getByRole("link", { name: "Say what you are to regulators" }).waitFor();
  await page.goto(`${server.url}/user/incidents/${incidentId}/regulators`);
  await page.getByText("The duty to report is yours").waitFor();
  await page.getByText("May apply").first().waitFor();
  expect(await findBarriersAtBothWidths(page)).toEqual([]);
  const say = page.getByRole("button", { name: "Say what you are" });
  await say.click();
  await expect.poll(hasFocus(page.getByRole("dialog").getByRole("checkbox").first())).toBe(true);
  const bodyCorporate = page.getByLabel("Body corporate, such as a company");
  await bodyCorporate.check();
  await page.keyboard.press("Escape");
  await bodyCorporate.waitFor({ state: "hidden" });
  await say.click();
  expect(await bodyCorporate.isChecked()).toBe(true);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: /^Answer: Which of the twenty kinds/ }).click();
  await page.getByLabel(/^5 Malicious code/).check();
  expect(await findBarriersAtBothWidths(page)).toEqual([]);
  await page.getByRole("button", { name: "Attest" }).click();
  await page.getByText("Running", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Draft: Report a cyber incident to CERT-In" }).click();
  await page.getByText("Nobody has filed this").waitFor();
  expect(await page.getByLabel("The draft").textContent()).toContain("5 Malicious code");
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
  await page.getByRole("button", { name: "Mark as filed: Report a cyber incident to CERT-In" }).click();
  await page.getByLabel("Who filed it").selectOption({ label: "Asha Rao" });
  const now = server.services.now().toLocaleString("sv-SE", { timeZone: "Asia/Kolkata" }).slice(0, 16);
  await page.getByLabel("When", { exact: true }).fill(now.replace(" ", "T"));
  await page.getByLabel("Reference", { exact: true }).fill("CERT-In 4711");
  await page.getByRole("dialog").getByRole("button", { name: "Mark as filed" }).click();
  await page.getByText("CERT-In 4711").waitFor();
  await page.getByText("No clock is open by what is known").waitFor();
  await page.goto(`${server.url}/user/onboarding`);
  const said = page.getByRole("region", { name: "Regulators" });
  await said.getByText(/: Body corporate, such as a company\.$/).waitFor();
  await said.getByRole("link", { name: "Change" }).waitFor();
  expect(await page.getByText("Say what you are to regulators").count()).toBe(0);
  // Where it can't be had what they said, they are not told that they said nothing.
  await page.route("**/api/user/obligations", (route) =>
    route.fulfill({ status: 404, json: { error: "No", code: "not_found" } }),
  );
  await page.reload();
  await said.getByText(messages.fetchFailed).waitFor();
  expect(await page.getByText("Say what you are to regulators").count()).toBe(0);
  await page.unroute("**/api/user/obligations");
  await said.getByRole("button", { name: "Try again" }).click();
  await said.getByText(/: Body corporate, such as a company\.$/).waitFor();
});

it("Whoever goes back to the onboarding is at what led to the other screen", async () => {
  const { page } = await openSignedIn(browser, server, customer, jobScreen);
  await page.goto(`${server.url}/user/onboarding`);
  const contacts = page.getByRole("link", { name: /^Open the contacts: / });
  await contacts.press("Enter");
  await page.waitForURL("**/user/under-attack");
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.goBack();
  await expect.poll(hasFocus(contacts)).toBe(true);
});

it("The onboarding stands in the menu until it is done, and is ticked by what people set", async () => {
  const { page } = await openSignedIn(browser, server, customer, jobScreen);
  await page.goto(`${server.url}/user/onboarding`);
  await page.getByRole("button", { name: "Add a site: Sites" }).click();
  await page.getByLabel("Name").fill("Plant 2");
  await page.getByLabel("Address").fill("12 Mill Road, Kochi");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByText("1 site.").waitFor();
  await page
    .getByRole("button", { name: /^Plan / })
    .first()
    .click();
  const moves = page.getByLabel("Whose move").locator("option");
  await expect.poll(() => moves.allTextContents()).toEqual(["Yours", "Ours"]);
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
  expect(await findBarriersAtBothWidths(page)).toEqual([]);
  const entry = page.locator("nav[aria-label=Area] a[href='/user/onboarding']");
  expect(await entry.count()).toBe(1);
  // On the next load, the entry does not wait for the response, which would shift what is below it.
  await page.route("**/api/user/onboarding/state", () => {});
  await page.reload();
  await page.getByRole("heading", { level: 1 }).waitFor();
  expect(await entry.count()).toBe(1);
  await page.unrouteAll();
  await server.services.database.update(onboardings).set({ doneAt: server.services.now() });
  await page.reload();
  await page.getByText("Everything was connected then.").waitFor();
  await expect.poll(() => entry.count()).toBe(0);
});

it("An administrator reads the law, and vouches for a line by name", async () => {
  const admin = await member(server, "admin");
  const { page } = await openSignedIn(browser, server, admin, jobScreen);
  await page.goto(`${server.url}/admin/obligations`);
  const verify = page.getByRole("button", { name: "Verify Report a cyber incident to CERT-In", exact: true });
  await verify.waitFor();
  expect(await findBarriersAtBothWidths(page)).toEqual([]);
  const edit = page.getByRole("button", { name: "Edit Report a cyber incident to CERT-In", exact: true });
  await edit.click();
  const hours = page.getByLabel("Hours");
  await hours.fill("7");
  expect(await typedAfterEscape(page, edit, hours)).toBe("7");
  expect(await findBarriersAtBothWidths(page)).toEqual([]);
  await page.getByRole("button", { name: "Cancel" }).click();
  await verify.click();
  await page.getByRole("dialog").getByRole("button", { name: "Verify" }).click();
  await page.getByRole("button", { name: "Take back Report a cyber incident to CERT-In", exact: true }).waitFor();
});

it("One long word widens no page: neither a title, nor a name below it, nor a list that scrolls by itself", async () => {
  const { database } = server.services;
  const name = { firstName: "W".repeat(60), lastName: "M".repeat(60) };
  await database.update(people).set(name).where(eq(people.id, customer.id));
  await database
    .update(incidents)
    .set({ title: "R".repeat(200) })
    .where(eq(incidents.id, incidentId));
  await member(server, "userChild", { organisationId: customer.organisationId, joinedAt: null, ...name });
  const { page } = await openSignedIn(browser, server, customer);
  const overhangs = async (path: string, shown: string, widths: readonly number[]) => {
    await page.goto(server.url + path);
    await page.getByText(shown).locator("visible=true").first().waitFor();
    const found: string[] = [];
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (over > 0) found.push(`${path} at ${width}: ${over}`);
    }
    return found;
  };
  const found = [
    ...(await overhangs(`/user/incidents/${incidentId}/regulators`, "R".repeat(200), [1440, 1024, 360])),
    ...(await overhangs("/user/obligations", "Said by", [1440, 360])),
    ...(await overhangs("/user/myuser", name.firstName, [1440, 1024, 360])),
  ];
  expect(found).toEqual([]);
});
