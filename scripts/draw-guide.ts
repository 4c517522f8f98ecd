import { mkdirSync } from "node:fs";
import type { Page } from "playwright-core";
import sharp from "sharp";
import { z } from "zod";
import { launchBrowser } from "../tests/launch-browser.ts";

/**
 * Draws the pictures of docs/weekly.md from a running demo: `npm start`, then `npx node scripts/draw-guide.ts
 * [address]`.
 * They show the real screens with the demo's sample data.
 */

const address = process.argv[2] ?? "http://localhost:3000";
const administrator = { email: "meera@demo.example", password: "sentinel demo 2026" };
const size = { width: 1280, height: 800 };

const screens: Record<string, { path: string; ready: string; open?(page: Page): Promise<void> }> = {
  dashboard: {
    path: "dashboard",
    ready: "Admin Dashboard",
    // Charts are drawn only when they come near the visible part of the page.
    async open(page) {
      await page.getByRole("heading", { name: "By month" }).scrollIntoViewIfNeeded();
      await page.locator(".recharts-surface").nth(1).waitFor();
      await page.evaluate(() => scrollTo(0, 0));
    },
  },
  actions: { path: "actions?queue=dashboards", ready: "Actions" },
  leads: {
    path: "estimateOrder",
    ready: "Lead Management",
  },
  customer: {
    path: "customerList",
    ready: "Manage Customer",
    async open(page) {
      await page
        .getByRole("button", { name: /^View / })
        .nth(1)
        .click();
      await page.getByRole("dialog").waitFor();
    },
  },
  "rate-card": { path: "rate-card", ready: "Rate card" },
  blog: { path: "blog", ready: "Blog" },
  "site-texts": {
    path: "settings",
    ready: "Site texts",
    async open(page) {
      await page.getByRole("button", { name: "Edit" }).nth(1).click();
      await page.getByRole("textbox").first().waitFor();
    },
  },
  audit: { path: "audit", ready: "Audit log" },
  system: { path: "system", ready: "System" },
};

mkdirSync("docs/images/weekly", { recursive: true });
const token = await signIn();
const browser = await launchBrowser();
const localStorage = Object.entries({ isAuthenticated: "true", token, email: administrator.email }).map(
  ([name, value]) => ({ name, value }),
);
const page = await browser.newPage({
  viewport: size,
  reducedMotion: "reduce",
  storageState: { cookies: [], origins: [{ origin: address, localStorage }] },
});
for (const [name, { path, ready, open }] of Object.entries(screens)) {
  await page.goto(`${address}/admin/${path}`, { waitUntil: "networkidle" });
  await page.getByRole("heading", { name: ready, level: 1 }).waitFor();
  await open?.(page);
  await page.waitForLoadState("networkidle");
  await sharp(await page.screenshot({ animations: "disabled" }))
    .webp({ quality: 82 })
    .toFile(`docs/images/weekly/${name}.webp`);
}
await browser.close();

/** By password and by the code from the demo's mailbox. */
async function signIn(): Promise<string> {
  const { token: visitor } = await ask("generate-token", undefined, "");
  await ask("auth/login", administrator, visitor);
  for (let tries = 0; tries < 40; tries++) {
    await new Promise((done) => setTimeout(done, 500));
    const list = await (await fetch(`${address}/dev/mail`)).text();
    const newest = /href="(\/dev\/mail\/[^"]+)"/.exec(list)?.[1];
    const mail = newest ? await (await fetch(address + newest)).text() : "";
    const otp = /sign-in code[^]*?\b(\d{6})\b/.exec(mail.replaceAll(/#[0-9a-f]{6}/gi, ""))?.[1];
    if (otp) return (await ask("auth/verify-otp", { email: administrator.email, otp }, visitor)).token;
  }
  throw new Error("No code came");
}

async function ask(path: string, body: object | undefined, bearer: string): Promise<{ token: string }> {
  const answer = await fetch(`${address}/api/${path}`, {
    method: body ? "POST" : "GET",
    headers: { "content-type": "application/json", ...(bearer && { authorization: `Bearer ${bearer}` }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return z.object({ token: z.string().default("") }).parse(await answer.json());
}
