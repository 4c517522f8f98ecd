import { readFile } from "node:fs/promises";
import { eq } from "drizzle-orm";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { leads } from "../../server/database/schema/index.ts";
import { leaveBrowser, sharedBrowser } from "../browser.ts";
import { startTestServer, type TestServer } from "../harness.ts";
import { type Member, member } from "../people.ts";
import { findBarriersAtBothWidths, openSignedIn } from "../portal-page.ts";
import { sellOrder } from "../sold-order.ts";

const rows = 2000;
let server: TestServer;
let browser: Browser;
let admin: Member;
beforeAll(async () => {
  [server, browser] = await Promise.all([startTestServer({ pages: true, work: false }), sharedBrowser()]);
  admin = await member(server, "admin");
  const asked = Array.from({ length: rows }, (_, place) => ({
    userName: "Asha Rao",
    userEmail: `asha-${place}@kaveri.example`,
    phone: "+919876543210",
    organization: `Kaveri Textiles ${place}`,
    organizationSize: 120,
    message: "Please call in the morning. ".repeat(10),
  }));
  await server.services.database.insert(leads).values(asked);
});
afterAll(async () => {
  await leaveBrowser(browser);
  await server?.stop();
});

/** Throttles responses to this many bytes a second; -1 removes the limit. */
async function speedOf(page: Page): Promise<(downloadThroughput: number) => Promise<unknown>> {
  const client = await page.context().newCDPSession(page);
  await client.send("Network.enable");
  const others = { offline: false, latency: 0, uploadThroughput: -1 };
  return (downloadThroughput) => client.send("Network.emulateNetworkConditions", { ...others, downloadThroughput });
}

it("An export shows how far it is; stopped, it saves nothing, and left to its end, every record", async () => {
  const { page, complaints } = await openSignedIn(browser, server, admin);
  await page.goto(`${server.url}/admin/estimateOrder`);
  const button = page.getByRole("button", { name: "Export CSV" });
  await button.waitFor();
  const setSpeed = await speedOf(page);
  const files: string[] = [];
  page.on("download", (file) => files.push(file.suggestedFilename()));
  const progress = page.getByRole("progressbar", { name: "Exported" });
  const isUnderWay = (bar: Element) => {
    const { value, max } = bar as HTMLProgressElement;
    return value > 0 && value < max;
  };
  const start = async () => {
    await setSpeed(40_000);
    await button.click();
    await expect.poll(() => progress.evaluate(isUnderWay)).toBe(true);
  };
  await start();
  expect(await findBarriersAtBothWidths(page)).toEqual([]);
  await page.getByRole("button", { name: /of 2,000, stop$/ }).click();
  await button.waitFor();
  expect(await progress.count()).toBe(0);

  await start();
  const saved = page.waitForEvent("download");
  await setSpeed(-1);
  const text = await readFile(await (await saved).path(), "utf8");
  await button.waitFor();
  expect(text.trimEnd().split("\r\n")).toHaveLength(rows + 1);
  expect(new Set(text.match(/asha-\d+@kaveri\.example/g)).size).toBe(rows);
  expect(files).toEqual(["leads.csv"]);
  expect(await page.getByText("The export did not finish").count()).toBe(0);
  expect(complaints).toEqual([]);
});

/** The only row of an exported list, by its column headings. */
async function exported(path: string): Promise<Record<string, string>> {
  const { page } = await openSignedIn(browser, server, admin);
  await page.goto(server.url + path);
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export CSV" }).click();
  const text = await readFile(await (await saved).path(), "utf8");
  const [heads = [], cells = []] = text
    .trim()
    .split("\r\n")
    .map((line) => line.split(","));
  return Object.fromEntries(heads.map((head, place) => [head, cells[place] ?? ""]));
}

it("An export has what its row shows: of a lead why it was lost, of an order its invoice and each tax", async () => {
  const { database } = server.services;
  await database
    .update(leads)
    .set({
      state: "lost",
      lostReason: "Too dear",
      gstin: "29AAGCB7383J1Z4",
      createdAt: new Date("2026-03-31T20:00:00Z"),
    })
    .where(eq(leads.userEmail, "asha-7@kaveri.example"));
  expect(await exported("/admin/estimateOrder?search=asha-7%40kaveri.example")).toMatchObject({
    State: "Lost",
    "Lost because": "Too dear",
    GSTIN: "29AAGCB7383J1Z4",
    Quote: "",
    "Rates to confirm": "",
    "Made by": "",
    // The day in India on which it came.
    Date: "2026-04-01T01:30:00.000+05:30",
  });
  const buyer = await member(server, "user");
  const { invoice } = await sellOrder(server, buyer, { gstBasisPoints: 1800 }, new Date("2026-03-31T20:00:00Z"));
  const order = await exported("/admin/orderData");
  expect(order).toMatchObject({ Invoice: invoice.number, Date: "2026-04-01T01:30:00.000+05:30" });
  const taxes = ["CGST", "SGST/UTGST", "IGST"].map((name) => Number(order[name]));
  expect(taxes.some((sum) => sum > 0)).toBe(true);
});
