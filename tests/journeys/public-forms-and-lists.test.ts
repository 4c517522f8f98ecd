import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { brand } from "../../contract/brand.ts";
import { messages } from "../../contract/messages.ts";
import { ensureContent } from "../../server/content/shipped-content.ts";
import { holdBack, leaveBrowser, openPage, openQuiet, sharedBrowser, untilTakenOver } from "../browser.ts";
import { startTestServer, type TestServer } from "../harness.ts";
import { hasFocus } from "../portal-page.ts";

const post = "/blog/ransomware-drill-in-one-afternoon";
const searchPause = 1500;
let server: TestServer;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([startTestServer({ pages: true }), sharedBrowser()]);
  await ensureContent(server.services.database);
});
afterAll(async () => {
  await leaveBrowser(browser);
  await server?.stop();
});

it.each([
  ["/contact", [brand.emails.sales, ...brand.phones, "Residency Road", "Business Bay", "needs JavaScript"]],
  ["/blog", ["Read More", "Older articles"]],
  [post, ["Written by", "Created on", "The isolation decision"]],
  ["/LogInjection", ["1Password", "ONEPASSWORD", "API Security", "Further log sources"]],
  ["/LogInjection?q=sentinelone&category=Endpoint+Security", ["SENTINEL", "1 chosen"]],
])("%s can be read without script", async (path, texts) => {
  const { page } = await openPage(browser, { javaScriptEnabled: false });
  await page.goto(server.url + path);
  const text = await page.locator("main").innerText();
  const html = await page.content();
  for (const expected of texts) expect(text + html, expected).toContain(expected);
});

describe.each(["light", "dark"] as const)("without script, where the system is %s", (colorScheme) => {
  it.each(["/login", "/estimator", "/contact", "/forgot-password"])(
    "%s has fields and a button to see",
    async (path) => {
      const { page } = await openPage(browser, { javaScriptEnabled: false, colorScheme });
      await page.goto(server.url + path);
      const barriers = await page.evaluate(() => {
        const styleOf = (selector: string) => getComputedStyle(document.querySelector(selector) as Element);
        const [field, button, panel] = [
          styleOf("main form input"),
          styleOf("main form [type=submit]"),
          styleOf("body"),
        ];
        return {
          border: field.borderTopColor === field.backgroundColor || field.borderTopStyle === "none",
          words: field.color === field.backgroundColor,
          button: button.color === button.backgroundColor || button.backgroundColor === "rgba(0, 0, 0, 0)",
          page: panel.color === panel.backgroundColor,
        };
      });
      expect(barriers).toEqual({ border: false, words: false, button: false, page: false });
      const [red = 0] = await page
        .locator("main form input")
        .first()
        .evaluate((field) => (getComputedStyle(field).backgroundColor.match(/\d+/g) ?? []).map(Number));
      expect(red > 128).toBe(colorScheme === "light");
    },
  );
});

it.each([
  "/login",
  "/estimator",
  "/contact",
  "/accept-invite",
  "/forgot-password",
  "/reset-password",
  "/confirm-email",
])("%s says without script that it needs it, and whom to write to", async (path) => {
  const { page } = await openPage(browser, { javaScriptEnabled: false });
  await page.goto(server.url + path);
  const said = page.locator("main noscript");
  expect(await said.innerText()).toContain("needs JavaScript");
  expect(await said.getByRole("link").getAttribute("href")).toMatch(/^mailto:/);
  expect(await page.getByText("Move a slider").locator("visible=true").count()).toBe(0);
});

it("filters the certifications by region and kind without script, by keyboard too", async () => {
  const { page } = await openPage(browser, { javaScriptEnabled: false });
  await page.goto(`${server.url}/GCPSecurity`);
  const cards = page.locator("main li").locator("visible=true");
  expect(await cards.count()).toBe(33);
  await page.getByRole("radio", { name: "All regions" }).focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  expect(await page.getByRole("radio", { name: "India" }).isChecked()).toBe(true);
  expect(await cards.count()).toBe(6);
  await page.getByRole("radio", { name: "Cloud infrastructure" }).check();
  expect(await cards.getByRole("heading").allTextContents()).toEqual(["MeitY empanelment"]);
  await page.getByRole("radio", { name: "Asia-Pacific" }).check();
  await page.getByRole("radio", { name: "Frameworks our reports map to" }).check();
  expect(await cards.count()).toBe(0);
  expect(await page.getByText("Nothing of this kind is in our list").isVisible()).toBe(true);
});

it("What is sent before the page's script is there is sent once it is, and nobody need press again", async () => {
  const { page } = await openPage(browser);
  const go = await holdBack(page, "**/assets/*.js");
  await page.route("**/api/auth/login", (route) => route.fulfill({ json: { message: "The code is sent." } }));
  await page.goto(`${server.url}/login`, { waitUntil: "commit" });
  await page.getByLabel("Email").fill("asha@example.in");
  await page.getByRole("textbox", { name: "Password" }).fill("a password of six words here");
  await page.getByRole("textbox", { name: "Password" }).press("Enter");
  const asked = page.waitForRequest("**/api/auth/login");
  go();
  expect((await asked).postDataJSON()).toMatchObject({ email: "asha@example.in" });
  await page.getByLabel("6-digit code").waitFor();
});

it("has the terms and the cookie policy at their anchors", async () => {
  const { page } = await openPage(browser);
  await page.goto(`${server.url}/privacy-policy#terms`);
  await page.getByText("Cookie Policy: version of 27 November 2026").waitFor();
  for (const [anchor, title] of [
    ["terms", "Terms of Service"],
    ["cookies", "Cookie Policy"],
  ] as const)
    expect(await page.locator(`#${anchor}`).getByRole("heading", { level: 2 }).textContent()).toBe(title);
  const links = page.getByRole("navigation", { name: "On this page" }).getByRole("link");
  const broken = await links.evaluateAll((all) =>
    all.map((link) => link.getAttribute("href") ?? "").filter((anchor) => !document.querySelector(anchor)),
  );
  expect(broken).toEqual([]);
});

describe("The contact form", () => {
  const answers = {
    Name: "Asha Rao",
    Email: "asha.rao@example.in",
    Phone: "9876543210",
    Organization: "Kaveri Textiles",
    "Organization size": "120",
    Message: "Two plants and a head office.",
  };
  const fill = async (page: Page, over: Partial<typeof answers> = {}) => {
    for (const [label, text] of Object.entries({ ...answers, ...over }))
      await page.getByRole("textbox", { name: label, exact: true }).fill(text);
  };

  it("says what is missing beside each field and goes to the first, by keyboard", async () => {
    const { page } = await openPage(browser);
    await openQuiet(page, `${server.url}/contact`);
    await page.getByRole("button", { name: "Send message" }).focus();
    await page.keyboard.press("Enter");
    await page.locator("[aria-invalid=true]").first().waitFor();
    expect(await page.locator("[aria-invalid=true]").count()).toBe(6);
    expect(await page.evaluate(() => document.activeElement?.getAttribute("autocomplete"))).toBe("name");
    await fill(page, { Phone: "98765 4321", Email: "asha.rao" });
    await page.getByRole("button", { name: "Send message" }).click();
    await page.getByText(messages.phoneExactlyTenDigits).waitFor();
    await page.getByText(messages.emailInvalid).waitFor();
    expect(await page.locator("[aria-invalid=true]").count()).toBe(2);
  });

  it("loses nothing when it can't be sent, and is emptied when it was", async () => {
    const { page } = await openPage(browser);
    await openQuiet(page, `${server.url}/contact`);
    await fill(page);
    await page.route("**/api/contact", (route) => route.abort());
    await page.getByRole("button", { name: "Send message" }).click();
    await page.getByText(messages.contactFailed).waitFor();
    for (const [label, text] of Object.entries(answers))
      expect(await page.getByRole("textbox", { name: label, exact: true }).inputValue()).toBe(text);
    await page.unroute("**/api/contact");
    await page.getByRole("button", { name: "Send message" }).click();
    await page.getByText(messages.contactSent).waitFor();
    expect(await page.getByRole("textbox", { name: "Message" }).inputValue()).toBe("");
    const mail = await server.mailbox.take(brand.emails.sales);
    expect(mail.text).toContain(answers.Message);
  });
});

it.each([
  ["/contact", { Name: "Asha Rao", Message: "Two plants." }],
  ["/forgot-password", { Email: "asha.rao@example.in" }],
  [
    "/reset-password#token=none",
    { "New password": "copper lantern fjord", "Confirm password": "copper lantern fjord" },
  ],
])("What was typed on %s before the page's script came is still there, and was not sent", async (path, typed) => {
  const { page } = await openPage(browser);
  const go = await holdBack(page, "**/assets/*.js");
  await page.goto(server.url + path, { waitUntil: "commit" });
  const field = (label: string) => page.locator("main form").getByLabel(label).first();
  for (const [label, text] of Object.entries(typed)) await field(label).fill(text);
  await field(Object.keys(typed)[0] ?? "").press("Enter");
  await page.route("**/api/auth/**", (route) => route.fulfill({ status: 503, body: "" }));
  go();
  await untilTakenOver(page);
  await page.locator("main form [type=submit]").click();
  await page.locator("main").locator("[aria-invalid=true], [role=alert]").first().waitFor();
  for (const [label, text] of Object.entries(typed)) expect(await field(label).inputValue()).toBe(text);
  expect(await page.locator("main form [aria-invalid=true]").count()).toBe(path === "/contact" ? 4 : 0);
});

describe("The blog", () => {
  it("shows three posts first, and the rest as the reader scrolls, until there are no more", async () => {
    const { page, complaints } = await openPage(browser, { viewport: { width: 700, height: 500 } });
    await openQuiet(page, `${server.url}/blog`);
    const cards = page.getByRole("link", { name: /^Read More/ });
    expect(await cards.count()).toBe(3);
    await page.keyboard.press("End");
    await page.waitForFunction(() => document.querySelectorAll("main li h2").length > 3);
    await scrollUntil(page, "You have seen all articles.");
    expect(await cards.count()).toBe(10);
    expect(complaints).toEqual([]);
  });

  it("shows three placeholders while posts are on their way", async () => {
    const { page } = await openPage(browser);
    await page.route("**/api/blogs", async (route) => {
      await new Promise((next) => setTimeout(next, 500));
      await route.continue();
    });
    await openQuiet(page, `${server.url}/contact`);
    await page.getByRole("contentinfo").getByRole("link", { name: "Blog" }).click();
    await page.locator("[data-placeholder]").first().waitFor();
    expect(await page.locator("[data-placeholder]").count()).toBe(3);
    await page
      .getByRole("link", { name: /^Read More/ })
      .first()
      .waitFor();
  });

  it("says what went wrong, and goes on by Load more or Try again", async () => {
    const { page } = await openPage(browser, { viewport: { width: 700, height: 500 } });
    // Before the page opens: where it is drawn slowly, its end is near for a moment, it fetches on, and the toast is gone
    // before the page is quiet.
    await page.route("**/api/blogs", (route) =>
      route.fulfill({ status: 422, json: { error: "Broken.", code: "invalid" } }),
    );
    const told = page.getByText(messages.dataError("Broken.")).waitFor();
    await openQuiet(page, `${server.url}/blog`);
    await page.keyboard.press("End");
    await told;
    await page.getByText(messages.dataFailed, { exact: true }).waitFor();
    expect(await page.getByRole("link", { name: /^Read More/ }).count()).toBe(3);
    await page.unroute("**/api/blogs");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.waitForFunction(() => document.querySelectorAll("main li h2").length > 3);
  });

  it("leads to a post and back, and away from a post that is not there", async () => {
    const { page, complaints } = await openPage(browser);
    await openQuiet(page, `${server.url}/blog`);
    await page.getByRole("link", { name: /^Read More: Run a ransomware drill/ }).press("Enter");
    await page.waitForURL(`**${post}`);
    await page.getByRole("heading", { level: 1, name: "Run a ransomware drill" }).waitFor();
    await page.getByRole("link", { name: "All articles" }).click();
    await page.waitForURL("**/blog");
    await page.goto(`${server.url}/blog/no-such-post`);
    expect(new URL(page.url()).pathname).toBe("/blog");
    await page.getByText(messages.dataFailed, { exact: true }).waitFor();
    await expect.poll(() => page.url()).toBe(`${server.url}/blog`);
    expect(complaints).toEqual([]);
  });

  it("says so when a post of the list can't be had", async () => {
    const { page } = await openPage(browser);
    await openQuiet(page, `${server.url}/blog`);
    await page.route("**/*.data*", (route) => route.abort());
    await page
      .getByRole("link", { name: /^Read More/ })
      .first()
      .press("Enter");
    await page.getByText(messages.dataFailed, { exact: true }).waitFor();
    await expect.poll(() => page.url()).toBe(`${server.url}/blog`);
  });
});

describe("A post", () => {
  it("tells networks and search engines what it is, at full addresses", async () => {
    const { page } = await openPage(browser);
    await page.goto(server.url + post);
    const meta = (name: string) =>
      page.locator(`meta[property="${name}"], meta[name="${name}"]`).getAttribute("content");
    expect(await meta("og:title")).toBe("Run a ransomware drill in one afternoon");
    expect(await meta("og:url")).toBe(server.url + post);
    expect(await meta("og:image")).toMatch(new RegExp(`^${server.url}/images/social/blog-.*\\.jpg$`));
    expect(await meta("twitter:card")).toBe("summary_large_image");
    const linked = await page.locator('script[type="application/ld+json"]').first().textContent();
    expect(JSON.parse(linked ?? "")).toMatchObject({ "@type": "BlogPosting", mainEntityOfPage: server.url + post });
  });

  it("answers copying and right-clicking by a warning, and leaves the keyboard's menu alone", async () => {
    const { page, complaints } = await openPage(browser);
    await openQuiet(page, server.url + post);
    await page.mouse.move(500, 500);
    await page.mouse.move(520, 500);
    await untilTakenOver(page);
    await page.getByText("Most incident plans fail").click({ button: "right" });
    await page.getByText(messages.rightClickNotAllowed).waitFor();
    await page.getByText("Most incident plans fail").click({ clickCount: 3 });
    await page.keyboard.press("Control+c");
    await page.getByText(messages.copyingNotAllowed).waitFor();
    const isMenuRefused = await page.evaluate(() =>
      ["mouse", ""].map((pointerType) => {
        const event = new PointerEvent("contextmenu", { pointerType, bubbles: true, cancelable: true });
        return !document.querySelector("article")?.dispatchEvent(event);
      }),
    );
    expect(isMenuRefused).toEqual([true, false]);
    expect(complaints).toEqual([]);
  });
});

describe("The catalogue of log sources", () => {
  const rows = (page: Page) => page.locator("main ul > li");

  it("begins with ten sources and goes to its end", async () => {
    const { page, complaints } = await openPage(browser, { viewport: { width: 1440, height: 600 } });
    await openQuiet(page, `${server.url}/LogInjection?category=CASB`);
    await scrollUntil(page, "13 log sources shown");
    expect(await rows(page).count()).toBe(13);
    expect(complaints).toEqual([]);
  });

  it("lets who works by keys go on to the foot of the page, and brings more when asked", async () => {
    const { page } = await openPage(browser);
    await openQuiet(page, `${server.url}/LogInjection`);
    const more = page.getByRole("button", { name: "Load more" });
    await page.getByRole("checkbox").last().focus();
    await page.keyboard.press("Tab");
    await expect.poll(hasFocus(more)).toBe(true);
    const shown = await rows(page).count();
    await page.keyboard.press("Enter");
    await expect.poll(() => rows(page).count()).toBe(shown + 10);
    await expect.poll(hasFocus(more)).toBe(true);
    for (let places = 0; places < 15; places++) {
      await page.keyboard.press("Tab");
      // What comes unasked comes a moment later.
      await page.waitForTimeout(100);
      expect(await inSight(page)).toBe(true);
    }
    expect(await rows(page).count()).toBe(shown + 10);
  });

  it.each([
    [
      "/LogInjection?category=CASB&from=10",
      "From the first log source",
      "/LogInjection?category=CASB",
      "10 log sources",
    ],
    ["/blog?from=3", "From the newest article", "/blog", "Older articles"],
  ])("leads from %s to its beginning", async (path, name, whole, text) => {
    const { page } = await openPage(browser, { javaScriptEnabled: false });
    await page.goto(server.url + path);
    await page.getByRole("link", { name }).click();
    await page.waitForURL(server.url + whole);
    expect(await page.content()).toContain(text);
    expect(await page.getByRole("link", { name }).count()).toBe(0);
  });

  it("searches when the typing pauses, by the chosen categories, and says so in an address that can be shared", async () => {
    const { page, complaints } = await openPage(browser);
    const asked: string[] = [];
    page.on("request", (request) => void (request.url().includes("/api/logs/") && asked.push(request.url())));
    await openQuiet(page, `${server.url}/LogInjection`);
    await page.getByRole("searchbox", { name: "Search" }).pressSequentially("palo alto");
    await page.waitForURL("**/LogInjection?q=palo+alto", { timeout: searchPause });
    await page.getByText("Palo Alto", { exact: false }).first().waitFor();
    expect(asked.filter((url) => url.endsWith("/logs/search")).length).toBeLessThanOrEqual(2);
    await page.getByRole("searchbox", { name: "Find a category" }).fill("fire");
    expect(await page.getByRole("checkbox").count()).toBe(2);
    await page.getByRole("checkbox", { name: "Firewall", exact: true }).press("Space");
    await page.waitForURL("**/LogInjection?q=palo+alto&category=Firewall");
    await page.waitForFunction(() =>
      [...document.querySelectorAll("main ul > li")].every((row) => row.textContent?.includes("Firewall")),
    );
    expect(await rows(page).first().innerText()).toContain("PAN_FIREWALL");

    const shared = await openPage(browser);
    await openQuiet(shared.page, page.url());
    expect(await rows(shared.page).first().innerText()).toBe(await rows(page).first().innerText());
    expect(await shared.page.getByRole("checkbox", { name: "Firewall", exact: true }).isChecked()).toBe(true);
    expect(await shared.page.getByRole("searchbox", { name: "Search" }).inputValue()).toBe("palo alto");
    expect([...complaints, ...shared.complaints]).toEqual([]);
  });

  it("says when nothing fits, and shows the whole again", async () => {
    const { page } = await openPage(browser);
    await openQuiet(page, `${server.url}/LogInjection?q=zzzzqqqqxxxx`);
    await page.getByRole("main").getByText(messages.noData).waitFor();
    await page.locator("[data-sonner-toast]").getByText(messages.noData).waitFor();
    await page.getByRole("button", { name: "Show the whole catalogue" }).click();
    await page.getByText("1Password", { exact: true }).waitFor();
    expect(new URL(page.url()).search).toBe("");
  });

  it("says which part could not be fetched", async () => {
    const { page } = await openPage(browser);
    await page.route("**/api/logs/**", (route) =>
      route.fulfill({ status: 422, json: { error: "Broken.", code: "invalid" } }),
    );
    await page.route("**/api/logs", (route) =>
      route.fulfill({ status: 422, json: { error: "Broken.", code: "invalid" } }),
    );
    await openQuiet(page, `${server.url}/contact`);
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Supported log Types" }).click();
    await page.getByText(messages.categoriesFailed, { exact: true }).waitFor();
    await page.getByText(messages.categoriesError("Broken.")).waitFor();
    await page.getByText(messages.dataFailed, { exact: true }).waitFor();
    await page.getByText(messages.dataError("Broken.")).waitFor();
    expect(await rows(page).count()).toBe(0);
  });

  it("folds its categories away on a phone", async () => {
    const { page } = await openPage(browser, { viewport: { width: 390, height: 844 } });
    await openQuiet(page, `${server.url}/LogInjection`);
    expect(await page.getByRole("checkbox").count()).toBe(0);
    await page.getByRole("button", { name: "Categories" }).press("Enter");
    expect(await page.getByRole("checkbox").count()).toBe(47);
    await page.getByRole("checkbox", { name: "VPN and Remote Access" }).check();
    await page.getByRole("button", { name: "Categories (1 chosen)" }).waitFor();
  });
});

/** Whether what has the focus is within the window. */
const inSight = (page: Page) =>
  page.evaluate(() => {
    const { top, bottom } = (document.activeElement as Element).getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  });

/** Scrolls until the text is visible. @throws after fifteen seconds */
async function scrollUntil(page: Page, text: string): Promise<void> {
  for (let tries = 0; tries < 75; tries++) {
    if (await page.getByText(text).isVisible()) return;
    await page.keyboard.press("End");
    await page.waitForTimeout(200);
  }
  throw new Error(`The end with "${text}" was not reached`);
}
