import { randomUUID } from "node:crypto";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { areaOf, type Role, roles } from "../../contract/roles.ts";
import { quoteNumber } from "../../contract/numbers.ts";
import { mailsTurnedOff, notices } from "../../server/database/schema/index.ts";
import { unsubscribeToken } from "../../server/mail/unsubscribe.ts";
import { deliverAnnouncement } from "../../server/announcements/deliver.ts";
import { beginByKeys, leaveBrowser, sharedBrowser, type WatchedPage } from "../browser.ts";
import { announcement } from "../factories.ts";
import { startTestServer, type TestServer } from "../harness.ts";
import { insertOrder, insertQuote } from "../paid-order.ts";
import { type Member, member } from "../people.ts";
import {
  findBarriers,
  findBarriersAtBothWidths,
  follow,
  jobScreen,
  openSignedIn,
  signInElsewhere,
  signInHere,
  wide,
} from "../portal-page.ts";

let server: TestServer;
let browser: Browser;
const people = {} as Record<Role, Member>;
let quote: Awaited<ReturnType<typeof insertQuote>>;
beforeAll(async () => {
  [server, browser] = await Promise.all([startTestServer({ pages: true, work: false }), sharedBrowser()]);
  const admin = await member(server, "admin", { organizationName: "Provider", firstName: "Meera", lastName: "Iyer" });
  const partner = await member(server, "partner", { organizationName: "Malabar Networks" });
  const user = await member(server, "user", {
    organizationName: "Kaveri Textiles",
    partnerId: partner.organisationId,
    email: "asha@kaveri.example",
  });
  const homes = { user, partner, admin };
  for (const role of roles)
    people[role] =
      role in homes
        ? homes[role as keyof typeof homes]
        : await member(server, role, { organisationId: homes[areaOf(role)].organisationId });
  await insertOrder(server, user);
  const madeBy = { partnerId: partner.organisationId, madeBy: partner.id };
  quote = await insertQuote(server, user, { organizationName: "Kaveri Textiles", ...madeBy });
});
afterAll(async () => {
  await leaveBrowser(browser);
  await server?.stop();
});

async function open(person: Member, path: string, screen: BrowserContextOptions = wide) {
  const opened = await openSignedIn(browser, server, person, screen);
  await opened.page.goto(server.url + path);
  await opened.page.getByRole("heading", { level: 1 }).waitFor();
  await opened.page.getByRole("button", { name: "Search everything" }).waitFor();
  return opened;
}
const field = (page: Page) => page.getByRole("combobox", { name: /^Screen, name/ });
const chosen = (page: Page) =>
  field(page).evaluate((input) => {
    const id = input.getAttribute("aria-activedescendant");
    return (id && document.getElementById(id)?.textContent) || "";
  });
async function openPalette(page: Page) {
  await page.keyboard.press("Control+k");
  await field(page).waitFor();
}

/** Where each role's quote opens, and a text that is visible there. */
const opens: Record<"user" | "partner" | "admin", { path: RegExp; seen: RegExp }> = {
  user: { path: /\/user\/myquote\?search=Q-/, seen: /Q-\d{6}/ },
  partner: { path: /\/partner\/listuser\?open=asha/, seen: /Customer Details/ },
  admin: { path: /\/admin\/estimateOrder\?lead=/, seen: /^Lead$/ },
};

it.each(["user", "partner", "admin"] as const)(
  "A main and a child account at /%s find a screen and a quote by keyboard alone, and they open",
  async (area) => {
    const path = `/${area}/account-settings`;
    const { page, complaints } = await open(people[area], path, jobScreen);
    for (const role of [area, `${area}Child`] as const) {
      if (role !== area) {
        await follow(page, path, path);
        await signInElsewhere(page, people[role]);
        await page.getByText(people[role].email).first().waitFor();
        await page.locator("[aria-modal='true']").waitFor({ state: "detached" });
      }
      await openPalette(page);
      await page.getByRole("option").first().waitFor();
      await page.keyboard.type("noti");
      await page.getByRole("option", { name: "Notices" }).waitFor();
      await expect.poll(() => chosen(page), { message: role }).toBe("Notices");
      await page.keyboard.press("Enter");
      await page.waitForURL(new RegExp(`/${area}/notices$`));

      await openPalette(page);
      // Enter is pressed before the results arrive: the palette waits for them instead of guessing.
      await page.keyboard.type(quoteNumber(quote.serial));
      await page.keyboard.press("Enter");
      await page.waitForURL(opens[area].path);
      await page.getByText(opens[area].seen).locator("visible=true").first().waitFor();
    }
    expect(complaints).toEqual([]);
  },
);

describe("The command palette", () => {
  let page: Page;
  let complaints: string[];
  beforeAll(async () => {
    ({ page, complaints } = await openSignedIn(browser, server, people.admin));
  });

  const settings = "/admin/account-settings";
  /** Loads a page without anything of the palette. */
  const openAnew = async () => {
    await page.goto(server.url + settings);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.getByRole("button", { name: "Search everything" }).waitFor();
  };
  /** Opens the palette while its script is held back. Answers a function that releases the script. */
  const openTooSoon = async () => {
    await openAnew();
    const isScript = (url: URL) => /\/palette-[^/]*\.js$/.test(url.pathname);
    const script = Promise.withResolvers<void>();
    await page.route(isScript, async (route) => {
      await script.promise;
      await route.continue();
    });
    const asked = page.waitForRequest((request) => isScript(new URL(request.url())));
    await page.keyboard.press("Control+k");
    await asked;
    return script.resolve;
  };
  const close = async () => {
    await page.keyboard.press("Escape");
    await field(page).waitFor({ state: "hidden" });
  };

  it("keeps what is typed while its script is still on the way", async () => {
    const release = await openTooSoon();
    await page.keyboard.type("kavetx");
    await page.keyboard.press("Backspace");
    await page.keyboard.press("Backspace");
    await page.keyboard.type("ri");
    release();
    await page.getByRole("option", { name: /^Kaveri Textiles/ }).waitFor();
    await page.keyboard.type(" tex");
    expect(await field(page).inputValue()).toBe("kaveri tex");
    expect(complaints).toEqual([]);
  });

  it("opens what is asked for before there is a field to type into", async () => {
    const release = await openTooSoon();
    await page.keyboard.type("notices");
    await page.keyboard.press("Enter");
    release();
    await expect.poll(() => new URL(page.url()).pathname).toBe("/admin/notices");
  });

  it("is walked by arrows, tells how many there are, remembers what was opened, and closes by Escape", async () => {
    await follow(page, settings, settings);
    const button = page.getByRole("button", { name: "Search everything" });
    await button.click();
    await page.getByRole("option").first().waitFor();
    expect(await findBarriersAtBothWidths(page)).toEqual([]);
    await page.keyboard.type("kaveri");
    await page.getByRole("option", { name: /^Kaveri Textiles/ }).waitFor();
    await page
      .getByRole("status")
      .getByText(/^\d+ found\./)
      .waitFor();
    const first = await chosen(page);
    await page.keyboard.press("ArrowDown");
    expect(await chosen(page)).not.toBe(first);
    await page.keyboard.press("ArrowUp");
    expect(await chosen(page)).toBe(first);
    expect(await findBarriers(page)).toEqual([]);
    await close();
    await expect.poll(() => button.evaluate((element) => element === document.activeElement)).toBe(true);

    await openPalette(page);
    await page.keyboard.type("asha@kaveri");
    await page.getByRole("option", { name: /^Kaveri Textiles/ }).click();
    await page
      .getByRole("dialog", { name: /Customer Details/ })
      .getByText("asha@kaveri.example")
      .first()
      .waitFor();
    await page.keyboard.press("Escape");
    await page.waitForURL(/customerList$/);
    // While a dialog is open, the keys do not open the palette.
    await page.locator("[aria-modal='true']").waitFor({ state: "detached" });
    await openPalette(page);
    await page.getByRole("group", { name: "Opened last" }).getByText("Kaveri Textiles").waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  it("says that nothing was found, and what failed, and looks again", async () => {
    await follow(page, settings, settings);
    await openPalette(page);
    await page.keyboard.type("no such thing");
    await page.getByText("Nothing found for “no such thing”.").waitFor();
    await page.route("**/api/admin/find*", (route) => route.abort());
    await page.keyboard.type(" at all");
    await page.getByText("The records could not be searched.").waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.unroute("**/api/admin/find*");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText("Nothing found for “no such thing at all”.").waitFor();
    await close();
  });

  it("cancels a question that is overtaken", async () => {
    await follow(page, settings, settings);
    const aborted: string[] = [];
    page.on("requestfailed", (request) => aborted.push(request.url()));
    await page.route("**/api/admin/find?words=slow", () => undefined);
    await openPalette(page);
    await page.keyboard.type("slow");
    await page.waitForRequest(/words=slow$/).catch(() => undefined);
    await page.keyboard.type("er");
    await expect.poll(() => aborted.some((url) => url.endsWith("words=slow"))).toBe(true);
    await close();
  });

  it("is opened anew at once after it was closed", async () => {
    await page.emulateMedia({ reducedMotion: "no-preference" });
    await openAnew();
    await openPalette(page);
    await page.keyboard.type("kaveri");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("notices");
    await expect.poll(() => field(page).inputValue()).toBe("notices");
  });
});

describe("Notices and announcements", () => {
  describe("in the portal", () => {
    let reader: WatchedPage;
    beforeAll(async () => {
      const told = (title: string) => ({
        personId: people.user.id,
        kind: "quote made",
        eventKey: randomUUID(),
        title,
        text: "It comes to ₹1,180.00 for one year, GST included.",
        link: `/user/myquote?search=${quoteNumber(quote.serial)}`,
      });
      await server.services.database.insert(notices).values([told("A quote was made"), told("Another quote was made")]);
      reader = await open(people.user, "/user/dashboard", jobScreen);
    });
    afterAll(() => reader?.leave());

    it("the bell counts, leads to what happened and marks it; the page of notices has them all", async () => {
      const { page, complaints } = reader;
      await page.getByRole("button", { name: "Notices, 2 unread" }).click();
      const panel = page.getByRole("dialog", { name: "Notices" });
      await panel.getByRole("link", { name: "A quote was made", exact: true }).waitFor();
      expect(await findBarriersAtBothWidths(page)).toEqual([]);
      await panel.getByRole("link", { name: "A quote was made", exact: true }).press("Enter");
      await page.waitForURL(/myquote\?search=Q-/);
      const bell = page.getByRole("button", { name: "Notices, 1 unread" });
      await bell.press("Enter");
      await panel.getByRole("link", { name: "See all notices" }).click();
      await page.waitForURL(/\/user\/notices$/);
      await page.getByRole("button", { name: "Mark as unread: A quote was made" }).locator("visible=true").waitFor();
      expect(await findBarriersAtBothWidths(page)).toEqual([]);
      await page.getByRole("button", { name: "Mark all as read" }).click();
      await page.getByRole("button", { name: "Notices", exact: true }).waitFor();
      await page.getByLabel("Show", { exact: true }).selectOption("unread");
      await page.getByText("You have read everything.").waitFor();
      expect(complaints).toEqual([]);
    });

    it("a person chooses the mails they get, and is told why some always come", async () => {
      const { page, complaints } = reader;
      await follow(page, "/user/account-settings?show=mails", "/user/account-settings");
      const payments = page.getByRole("listitem").filter({ hasText: "Payments, invoices and refunds" });
      await payments.getByText("Can’t be turned off").waitFor();
      await payments
        .getByText("Always sent: a tax invoice, and word of a refund, have to reach whoever paid.")
        .waitFor();
      expect(await payments.getByRole("switch").count()).toBe(0);
      const proposals = page.getByRole("switch", { name: "Proposals made for you" });
      await proposals.focus();
      await page.keyboard.press("Space");
      await page.getByText("You will not get these mails any more.").waitFor();
      expect(await proposals.isChecked()).toBe(false);
      const off = await server.services.database.select().from(mailsTurnedOff);
      expect(off.filter(({ personId }) => personId === people.user.id)).toMatchObject([{ kind: "proposals" }]);
      expect(await findBarriersAtBothWidths(page)).toEqual([]);
      expect(complaints).toEqual([]);
    });
  });

  it("a person stops mails by the link in one, by keyboard, and is led to where they are turned on again", async () => {
    const person = await member(server, "user");
    const { tokenSecret } = server.services.env;
    const address = `${server.url}/unsubscribe/${unsubscribeToken(tokenSecret, { personId: person.id, kind: "proposals" })}`;
    const { page, complaints } = await openSignedIn(browser, server, person, jobScreen);
    await page.goto(address);
    expect(await findBarriersAtBothWidths(page)).toEqual([]);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "These mails are stopped" }).waitFor();
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await findBarriersAtBothWidths(page)).toEqual([]);
    await page.goto(address);
    await page.getByRole("link", { name: "Account Settings" }).click();
    await page.getByRole("switch", { name: "Proposals made for you" }).waitFor();
    expect(await page.getByRole("switch", { name: "Proposals made for you" }).isChecked()).toBe(false);
    expect(complaints).toEqual([]);
  });

  it("an administrator looks at an announcement, publishes, edits and withdraws it; a reader closes its banner", async () => {
    const title = "Maintenance on Sunday";
    const { page, complaints } = await open(people.admin, "/admin/announcements", jobScreen);
    await page.getByRole("button", { name: "Write an announcement" }).click();
    const dialog = page.getByRole("dialog", { name: "Write an announcement" });
    await dialog.getByRole("textbox", { name: "Title" }).fill(title);
    await dialog.getByRole("textbox", { name: "Text" }).fill("The dashboards rest on Sunday. ".repeat(25).trim());
    await dialog.getByLabel("For", { exact: true }).selectOption("customers");
    await dialog.getByRole("textbox", { name: /^E-mails of the customers/ }).fill("asha@kaveri.example");
    await dialog.getByRole("checkbox", { name: /^Send it by mail/ }).check();
    await dialog.getByRole("button", { name: "Preview" }).click();
    await dialog.getByText(/^It reaches \d+ people as of now/).waitFor();
    expect(await findBarriersAtBothWidths(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Announce" }).click();
    await page.getByText("The announcement is saved.").waitFor();
    const edit = page.getByRole("button", { name: `Edit ${title}` }).locator("visible=true");
    await edit.waitFor();

    await signInHere(page, people.user);
    await page.goto(`${server.url}/user/dashboard`);
    const banner = page.getByRole("region", { name: "Announcements" }).getByText(title, { exact: true });
    await banner.waitFor();
    // A long text is collapsed so that it leaves room for the screen, until it is expanded.
    const said = page.getByRole("note");
    const folded = (await said.boundingBox())?.height ?? 0;
    await page.getByRole("button", { name: "Show all" }).click();
    expect((await said.boundingBox())?.height).toBeGreaterThan(folded * 1.5);
    await page.getByRole("button", { name: "Show less" }).click();
    expect((await said.boundingBox())?.height).toBe(folded);
    expect(await findBarriersAtBothWidths(page)).toEqual([]);
    await beginByKeys(page);
    await page.getByRole("button", { name: `Close the announcement ${title}` }).press("Enter");
    await banner.waitFor({ state: "hidden" });
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe("H1");
    await page.reload();
    await page.getByRole("heading", { level: 1 }).waitFor();
    expect(await banner.count()).toBe(0);

    await signInHere(page, people.admin);
    await page.goto(`${server.url}/admin/announcements`);
    await edit.click();
    const editing = page.getByRole("dialog", { name: "Edit the announcement" });
    await editing.getByText("It is already shown").waitFor();
    await editing.getByRole("textbox", { name: "Title" }).fill(`${title}, moved`);
    await editing.getByRole("button", { name: "Save" }).click();
    await page
      .getByRole("button", { name: `Withdraw ${title}, moved` })
      .locator("visible=true")
      .click();
    await page.getByRole("dialog").getByRole("button", { name: "Withdraw", exact: true }).click();
    await page.getByText("Withdrawn", { exact: true }).locator("visible=true").first().waitFor();
    expect(complaints).toEqual([]);
  });
});

it("An administrator's child account reads the announcements and is offered no change of them", async () => {
  const id = randomUUID();
  const sent = { ...announcement({ title: "For partners", audience: "roles", roles: ["partner"] }), id };
  expect((await server.call("admin/announcements/add", sent, people.admin.token)).status).toBe(201);
  await deliverAnnouncement(server.services, id);
  const { page } = await open(people.adminChild, "/admin/announcements");
  await page.getByText("For partners").locator("visible=true").first().waitFor();
  for (const name of [/^Write/, /^Edit/, /^Withdraw/]) expect(await page.getByRole("button", { name }).count()).toBe(0);
});
