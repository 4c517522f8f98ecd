import type { Browser, Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { captionsOf } from "../../app/content/captions.ts";
import demoVideo from "../../app/content/demo-video.json" with { type: "json" };
import { brand } from "../../contract/brand.ts";
import { leaveBrowser, openPage, openQuiet, sharedBrowser } from "../browser.ts";
import { startTestServer, type TestServer } from "../harness.ts";
import { member } from "../people.ts";
import { openSignedIn, phone } from "../portal-page.ts";

let server: TestServer;
let browser: Browser;
beforeAll(async () => {
  [server, browser] = await Promise.all([startTestServer({ pages: true, work: false }), sharedBrowser()]);
});
afterAll(async () => {
  await leaveBrowser(browser);
  await server?.stop();
});

const mainLinks = [
  ["Home", "/"],
  ["Service Delivery", "/ServiceDelivery"],
  ["Supported log Types", "/LogInjection"],
  ["Compliance Certifications", "/GCPSecurity"],
  ["Estimator", "/estimator"],
];
const linksOf = (place: Locator) =>
  place.getByRole("link").evaluateAll((links) => links.map((link) => [link.textContent, link.getAttribute("href")]));

describe("The frame of the public site", () => {
  it("has the links of the specification without script", async () => {
    const { page } = await openPage(browser, { javaScriptEnabled: false });
    await page.goto(`${server.url}/about`);
    expect(await linksOf(page.getByRole("navigation", { name: "Main" }))).toEqual(mainLinks);
    expect(await linksOf(page.getByRole("banner"))).toContainEqual(["Login", "/login"]);
    const footer = await linksOf(page.getByRole("contentinfo"));
    for (const link of [
      ["About", "/about"],
      ["Blog", "/blog"],
      ["Contact", "/contact"],
      ["Privacy Policy", "/privacy-policy"],
      ["Terms of Service", "/privacy-policy#terms"],
      ["Cookie Policy", "/privacy-policy#cookies"],
      ...brand.externalPages.map(({ label, href }) => [label, href]),
    ])
      expect(footer).toContainEqual(link);
    expect(await linksOf(page.getByRole("navigation", { name: "Quick actions" }))).toEqual([
      ["Request Demo", "/contact"],
      ["Get Quote", "/estimator"],
    ]);
  });

  it("opens its menu on a phone, which closes behind a followed link", async () => {
    const { page, complaints } = await openPage(browser, phone);
    await page.goto(server.url);
    const menu = page.getByRole("navigation", { name: "Menu" });
    expect(await menu.isVisible()).toBe(false);
    await page.getByRole("button", { name: "Menu" }).click();
    expect(await linksOf(menu)).toEqual(mainLinks);
    await menu.getByRole("link", { name: "Service Delivery" }).click();
    await page.waitForURL("**/ServiceDelivery");
    await expect.poll(() => menu.isVisible()).toBe(false);
    expect(complaints).toEqual([]);
  });

  it("leads the keyboard past itself", async () => {
    const { page } = await openPage(browser);
    await page.goto(server.url);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await expect.poll(() => new URL(page.url()).hash).toBe("#main");
  });

  it("shows who is signed in, instead of Login, with where it leads", async () => {
    const person = await member(server, "partner", {
      firstName: "Farah",
      lastName: "Khan",
      organizationName: "Malabar",
    });
    const { page, complaints } = await openSignedIn(browser, server, person);
    await page.goto(server.url);
    await page.getByRole("button", { name: "Account of Farah Khan" }).click();
    for (const fact of [person.email, "Malabar", "+919876543210", "partner"])
      await page.getByRole("menu").getByText(fact, { exact: true }).waitFor();
    const items = page.getByRole("menuitem");
    expect(await items.evaluateAll((found) => found.map((item) => item.textContent))).toEqual([
      "Dashboard",
      "Account Settings",
      "Sign Out",
    ]);
    expect(await items.nth(0).getAttribute("href")).toBe("/partner/dashboard");
    expect(await items.nth(1).getAttribute("href")).toBe("/partner/account-settings");
    expect(await page.getByRole("banner").getByRole("link", { name: "Login" }).count()).toBe(0);
    await items.nth(2).click();
    await page.getByRole("banner").getByRole("link", { name: "Login" }).waitFor();
    expect((await server.call("user/me", undefined, person.token)).status).toBe(401);
    expect(complaints).toEqual([]);
  });
});

describe("The demo video", () => {
  it("is opened and left by its buttons also where the browser knows no commands of buttons", async () => {
    const { page, complaints } = await openPage(browser);
    await page.addInitScript(() => {
      delete (HTMLButtonElement.prototype as { commandForElement?: unknown }).commandForElement;
      // Prevents the browser's own action for a click.
      addEventListener("click", (event) => event.preventDefault(), { capture: true });
    });
    await openQuiet(page, `${server.url}/about`);
    const dialog = page.getByRole("dialog", { name: `${brand.name} in` });
    await page.keyboard.press("Shift");
    await expect
      .poll(async () => {
        await page.getByRole("button", { name: "Demo", exact: true }).press("Enter");
        return dialog.isVisible();
      })
      .toBe(true);
    await dialog.getByRole("button", { name: "Close" }).click();
    await dialog.waitFor({ state: "hidden" });
    expect(complaints).toEqual([]);
    await page.context().close();
  });
  it("is fetched when it is asked for, loops without sound, and is left by its button and by Escape", async () => {
    const { page, complaints } = await openPage(browser, { reducedMotion: "no-preference" });
    const fetched: string[] = [];
    page.on("request", (request) => fetched.push(new URL(request.url()).pathname));
    await openQuiet(page, `${server.url}/about`);
    const demo = page.getByRole("button", { name: "Demo", exact: true });
    await page.keyboard.press("Shift");
    await page.waitForTimeout(500);
    expect(fetched.filter((path) => path.startsWith("/demo/"))).toEqual([]);
    await demo.click();
    const dialog = page.getByRole("dialog", { name: `${brand.name} in ${Math.floor(demoVideo.seconds)} seconds` });
    const video = page.locator("#demo video");
    await expect.poll(() => video.evaluate((element: HTMLVideoElement) => element.currentTime > 0)).toBe(true);
    expect(
      await video.evaluate(({ muted, loop, autoplay, duration }: HTMLVideoElement) => ({
        muted,
        loop,
        autoplay,
        seconds: Math.floor(duration),
      })),
    ).toEqual({ muted: true, loop: true, autoplay: true, seconds: Math.floor(demoVideo.seconds) });
    const captions = () =>
      video.evaluate(({ textTracks: [track] }: HTMLVideoElement) => [track?.kind, track?.mode, track?.cues?.length]);
    await expect.poll(captions).toEqual(["captions", "showing", demoVideo.scenes.length]);
    expect(
      await dialog.evaluate((element) => [
        getComputedStyle(element).transitionDuration.split(", ")[0],
        getComputedStyle(element, "::backdrop").transitionDuration.split(", ")[0],
      ]),
    ).toEqual(["0.3s", "0.15s"]);
    await dialog.getByRole("button", { name: "Close" }).click();
    await expect.poll(() => dialog.isVisible()).toBe(false);
    await expect.poll(() => video.evaluate((element: HTMLVideoElement) => element.paused)).toBe(true);
    await demo.click();
    await page.keyboard.press("Escape");
    await expect.poll(() => dialog.isVisible()).toBe(false);
    expect(complaints).toEqual([]);
  });

  it("has a transcript, without script too, that says what the captions say", async () => {
    const { page } = await openPage(browser, { javaScriptEnabled: false });
    await page.goto(`${server.url}/about`);
    await page.getByRole("button", { name: "Demo", exact: true }).click();
    await page.getByText("Transcript").click();
    for (const { text } of demoVideo.scenes) await page.getByText(text).waitFor();
    const captions = await fetch(`${server.url}/demo/captions.vtt`);
    expect(captions.headers.get("content-type")).toBe("text/vtt; charset=utf-8");
    expect(await captions.text()).toBe(captionsOf(demoVideo));
  });

  it("stands still for who wants less motion", async () => {
    const { page } = await openPage(browser);
    await openQuiet(page, `${server.url}/about`);
    await page.getByRole("button", { name: "Demo", exact: true }).click();
    const video = page.locator("#demo video");
    await expect.poll(() => video.getAttribute("poster")).toBe("/demo/poster.webp");
    expect(await video.evaluate((element: HTMLVideoElement) => [element.autoplay, element.paused])).toEqual([
      false,
      true,
    ]);
  });

  it("comes in ranges, weighs under 2 MB, and is refused beyond its end", async () => {
    const ask = (range: string) => fetch(`${server.url}/demo/prahari.webm`, { headers: { range } });
    const part = await ask("bytes=0-99");
    expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 100]);
    const total = Number(/\/(\d+)$/.exec(part.headers.get("content-range") ?? "")?.[1]);
    expect(total).toBeGreaterThan(100_000);
    expect(total).toBeLessThan(2_000_000);
    expect((await ask(`bytes=${total}-`)).status).toBe(416);
  });
});
