import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { brand } from "../../contract/brand.ts";
import { limits } from "../../contract/limits.ts";
import { currentNotice, noticeDay } from "../../contract/privacy-notice.ts";
import { ensureContent } from "../../server/content/shipped-content.ts";
import { leaveBrowser, openPage, sharedBrowser, untilTakenOver } from "../browser.ts";
import { startTestServer, type TestServer } from "../harness.ts";
import { findBarriers, shiftOf } from "../portal-page.ts";
import { weighPage } from "../weigh-page.ts";

let server: TestServer;
let browser: Browser;
beforeAll(async () => {
  [server, browser] = await Promise.all([startTestServer({ pages: true, work: false }), sharedBrowser()]);
  await ensureContent(server.services.database);
});
afterAll(async () => {
  await leaveBrowser(browser);
  await server?.stop();
});

/** Every reading page; `says` is text that a visitor without scripts must find on it. */
const readingPages = [
  {
    path: "/",
    title: brand.name,
    says: [
      "24x7",
      "monitoring, threat detection and incident response",
      "no extra charge for events per second or daily volume",
      `${limits.logRetentionDays}`,
      "stored in India",
      "3-5X",
      "by our own reckoning",
      "SIEM",
      "SOAR",
      "UEBA",
      "AI-driven SOC",
      "SLA-driven",
      "Compliance reports",
      "Hybrid, on-premises, SaaS and the major clouds",
      `Contracts from ${limits.contractMonthsMin} months`,
      "Since 27 June 2022",
      "from noticing it or being told of it",
      "Book a consultant",
      "A log that nobody reads is a cost.",
    ],
  },
  {
    path: "/about",
    title: `About – ${brand.name}`,
    says: [
      brand.meaning,
      ...brand.offices.flatMap(({ lines }) => lines),
      ...brand.phones,
      "Apache License 2.0",
      "What we believe",
      "How we handle",
    ],
  },
  {
    path: "/ServiceDelivery",
    title: `Service Delivery – ${brand.name}`,
    says: [
      "Analyst, tier 1",
      "Analyst, tier 2",
      "Analyst, tier 3",
      "SOC manager",
      "Incident handling",
      "Threat analysis",
      "Automation",
      "Continuous improvement",
      "Who does what",
      "six functions of NIST SP 800-61 revision 3 (April 2025)",
      "It is noticed: the six hours begin.",
      "Confirming starts no clock",
      "the six hours end at 08:17",
    ],
  },
  {
    path: "/GCPSecurity",
    title: `Compliance Certifications – ${brand.name}`,
    says: [
      `These are not certificates of ${brand.name}.`,
      "ISO/IEC 27001",
      "CERT-In Directions 2022",
      "Issuing body",
      "As of November 2026",
      "Parliament of India (Act 22 of 2023)",
      "AICPA (SSAE 18) or IAASB (ISAE 3402)",
      "no longer an extension of ISO/IEC 27001",
      "of 31 July 2026",
    ],
  },
  {
    path: "/privacy-policy",
    title: `Privacy Policy – ${brand.name}`,
    says: [
      "Cookie Policy: version of 27 November 2026",
      `Privacy notice: version of ${noticeDay(currentNotice)}`,
      "on 13 May 2027",
      "Terms of Service",
      "Cookie Policy",
      "Digital Personal Data Protection Act, 2023",
      "eight financial years",
      "sidebarCollapsed",
      brand.emails.privacy,
    ],
  },
  {
    path: "/buyers-guide",
    title: `Buyer’s guide – ${brand.name}`,
    says: [
      "Sample",
      "P1 Critical",
      "15 min",
      "Not in it",
      "Weeks 3 and 4",
      "Every customer’s logs are stored in India",
      "United Arab Emirates",
      "By bank transfer",
      "Against invoice, with your purchase order",
      "Or do it yourself?",
    ],
  },
  {
    path: "/blog/ransomware-drill-in-one-afternoon",
    title: `Run a ransomware drill in one afternoon – ${brand.name}`,
    says: ["Written by", "Created on", "17 Nov 2026", "The isolation decision"],
  },
];

describe.each(readingPages)("$path", ({ path, title, says }) => {
  it("is complete without JavaScript", async () => {
    const { page, complaints } = await open(path, { javaScriptEnabled: false });
    expect(await page.title()).toBe(title);
    expect(await page.getByRole("heading", { level: 1 }).count()).toBe(1);
    const text = (await page.getByRole("main").textContent())?.replaceAll(/\s+/g, " ");
    for (const words of says) expect(text).toContain(words);
    expect(await page.locator("main h1, main h2, main h3").evaluateAll(skippedLevels)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it("weighs at most 90 kB until it is touched, and at most 125 kB of script after that", async () => {
    const { beforeBytes, earlyScriptBytes, scriptBytes } = await weighPage(browser, server.url + path, true);
    expect(earlyScriptBytes).toBe(0);
    expect(beforeBytes).toBeLessThanOrEqual(90_000);
    expect(scriptBytes).toBeLessThanOrEqual(125_000);
  });

  it("fetches React at the first interaction only, and takes the page over without a shift", async () => {
    const { page, complaints, scripts } = await open(path, { reducedMotion: "no-preference" });
    expect(scripts).toEqual([]);
    // On a slow machine the fonts arrive after the first paint; the shift they cause is not the script's.
    await page.evaluate(async () => void (await document.fonts.ready));
    const movedBefore = await shiftOf(page);
    await moveMouse(page);
    await untilTakenOver(page);
    expect(scripts.length).toBeGreaterThan(0);
    await scrollThrough(page);
    expect(await shiftOf(page)).toBe(movedBefore);
    expect(complaints).toEqual([]);
  });

  it("can be walked through by the keyboard", async () => {
    const { page, complaints } = await open(path);
    const focusable = await page.locator("main :is(a, button, summary)").count();
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.getAttribute("href"))).toBe("#main");
    await page.keyboard.press("Enter");
    await untilTakenOver(page);
    const reached: string[] = [];
    for (let press = 0; press < focusable; press++) {
      await page.keyboard.press("Tab");
      const focus = await page.evaluate(describeFocus);
      expect(focus).toMatchObject({ isInMain: true, isSeen: true, isOutlined: true });
      reached.push(focus.text);
    }
    expect(new Set(reached).size).toBeGreaterThan(0);
    expect(complaints).toEqual([]);
  });
});

it("answers the 18 questions of buyers one at a time, without script", async () => {
  const { page } = await open("/", { javaScriptEnabled: false });
  const questions = page.locator("details[name=faq]");
  expect(await questions.count()).toBe(18);
  expect(await page.locator("details[name=faq] > p").allTextContents()).toSatisfy((answers: string[]) =>
    answers.every((answer) => answer.length > 100),
  );
  await page.getByText("How is the service priced?").click();
  await questions.nth(0).getByText("Count them in the estimator").waitFor();
  await page.getByText("How long is the contract?").click();
  await questions.nth(2).getByText("Standard contracts start at 12 months").waitFor();
  expect(await page.locator("details[open]").count()).toBe(1);
  const data = await page.locator('script[type="application/ld+json"]').allTextContents();
  const faq = data.find((text) => text.includes("FAQPage")) ?? "";
  expect((JSON.parse(faq) as { mainEntity: unknown[] }).mainEntity).toHaveLength(18);
});

it("prints every answer, whether it is open or not", async () => {
  const { page } = await open("/");
  const answers = page.locator("details[name=faq] > p");
  // Its question has room for it, and it is painted.
  const isShown = (answer: Element) =>
    answer.checkVisibility() && (answer.parentElement?.clientHeight ?? 0) > answer.clientHeight;
  const countShown = async () =>
    (await Promise.all((await answers.all()).map((answer) => answer.evaluate(isShown)))).filter(Boolean).length;
  expect(await countShown()).toBe(0);
  await page.emulateMedia({ media: "print" });
  await expect.poll(countShown).toBe(18);
});

describe("the sum behind 3-5X lower", () => {
  const verdict = (page: Page) => page.locator("#sum output").innerText();
  const field = (page: Page, label: string) => page.getByRole("spinbutton", { name: label });

  it("is complete without script, with its assumptions marked as such", async () => {
    const { page } = await open("/", { javaScriptEnabled: false });
    await page.getByRole("link", { name: "the sum" }).click();
    expect(await verdict(page)).toBe("4.0X lower\nWithin the 3-5X that we claim.");
    const text = await page.locator("#sum").innerText();
    for (const said of [
      "with our assumptions",
      "they are assumptions of ours",
      "15 people",
      "₹1,33,60,000",
      "300 devices by a sample rate card, less 12% for their number",
      "₹33,39,072",
      "Without JavaScript the sum stays",
    ])
      expect(text).toContain(said);
    expect(await field(page, "Devices to watch").inputValue()).toBe("300");
  });

  it("follows a visitor's own figures, those typed before the script came too, and says when the claim does not hold", async () => {
    const { page, complaints, scripts } = await open("/");
    // On a slow machine the fonts arrive after the first paint; the shift they cause is not the calculator's.
    await page.evaluate(async () => void (await document.fonts.ready));
    const movedBefore = await shiftOf(page);
    await field(page, "Devices to watch").fill("900");
    expect(scripts).toEqual([]);
    expect(await verdict(page)).toContain("Within");
    await moveMouse(page);
    await expect
      .poll(() => verdict(page))
      .toBe("1.3X lower\nWith these figures it is not 3-5X lower: our claim does not hold for you.");
    await field(page, "Analysts on duty at any hour").fill("1");
    await field(page, "Cost of one person").fill("0");
    expect(await verdict(page)).toContain("Not lower");
    // A shorter amount moves within its line; nothing else moves.
    expect((await shiftOf(page)) - movedBefore).toBeLessThan(0.001);
    await field(page, "Analysts on duty at any hour").fill("0");
    await page.getByText("A whole number from 1 to 20, please").waitFor();
    await field(page, "Devices to watch").fill("");
    expect(await verdict(page)).toContain("Not lower");
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole("button", { name: "Back to our assumptions" }).press("Enter");
    await expect.poll(() => verdict(page)).toContain("4.0X lower");
    expect(await page.getByText("A whole number from 1 to 20, please").isVisible()).toBe(false);
    expect(complaints).toEqual([]);
  });

  it("covers no label with its field where text is twice as large", async () => {
    const { page } = await open("/");
    const browserOfPage = await page.context().newCDPSession(page);
    await browserOfPage.send("Page.setFontSizes", { fontSizes: { standard: 32 } });
    const covered = await page.locator("#sum label").evaluateAll(
      (labels) =>
        (labels as HTMLLabelElement[]).filter(({ control, childNodes: [text] }) => {
          const words = document.createRange();
          if (text) words.selectNodeContents(text);
          const said = words.getBoundingClientRect();
          const field = control?.getBoundingClientRect() ?? said;
          return said.right > field.left && said.bottom > field.top && said.top < field.bottom;
        }).length,
    );
    expect(covered).toBe(0);
  });
});

it("lets sections come in when they are scrolled to, on wide screens and where motion is welcome", async () => {
  expect(await hiddenAfterReact({ reducedMotion: "no-preference" })).toBeGreaterThan(3);
  expect(await hiddenAfterReact({ reducedMotion: "reduce" })).toBe(0);
  const narrow = { width: limits.sidebarCollapsePixels, height: 900 };
  expect(await hiddenAfterReact({ reducedMotion: "no-preference", viewport: narrow })).toBe(0);
});

async function open(path: string, options: BrowserContextOptions = {}) {
  const watched = await openPage(browser, options);
  const scripts: string[] = [];
  watched.page.on("request", (request) => {
    if (request.resourceType() === "script") scripts.push(request.url());
  });
  await watched.page.goto(`${server.url}${path}`, { waitUntil: "load" });
  return { ...watched, scripts };
}

/** How many sections are still hidden after hydration; after scrolling through, none is. */
async function hiddenAfterReact(options: BrowserContextOptions): Promise<number> {
  const { page, complaints, leave } = await open("/", options);
  const hidden = () =>
    page
      .locator("main > div")
      .evaluateAll((all) => all.filter((section) => getComputedStyle(section).opacity === "0").length);
  await moveMouse(page);
  await untilTakenOver(page);
  await page.waitForTimeout(100);
  const before = await hidden();
  if (before > 0) await scrollThrough(page);
  await expect.poll(hidden).toBe(0);
  expect(complaints).toEqual([]);
  await leave();
  return before;
}

async function scrollThrough(page: Page): Promise<void> {
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  for (let top = 0; top < height; top += 800) {
    await page.evaluate((to) => scrollTo({ top: to, behavior: "instant" }), top);
    await page.waitForTimeout(20);
  }
}

/** The first position alone is not yet a movement. */
async function moveMouse(page: Page): Promise<void> {
  await page.mouse.move(200, 200);
  await page.mouse.move(220, 220);
}

/** Runs in the page: describes the focused element. */
function describeFocus() {
  const focused = document.activeElement ?? document.body;
  const { top, bottom } = focused.getBoundingClientRect();
  return {
    text: focused.textContent ?? "",
    isInMain: focused.closest("main") !== null,
    isSeen: bottom > 0 && top < innerHeight,
    isOutlined: getComputedStyle(focused).outlineStyle !== "none",
  };
}

/** Runs in the page: headings more than one level below the one before. */
function skippedLevels(headings: Element[]): string[] {
  return headings
    .filter((heading, index) => Number(heading.tagName[1]) > Number(headings[index - 1]?.tagName[1] ?? 0) + 1)
    .map((heading) => heading.textContent ?? "");
}
