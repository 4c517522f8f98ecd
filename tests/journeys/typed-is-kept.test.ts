import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { engineBindings, engineFindings, leads, tiles } from "../../server/database/schema/index.ts";
import { deliverProposal } from "../../server/quotes/deliver-proposal.ts";
import { giveBilling } from "../billing.ts";
import { leaveBrowser, sharedBrowser, type WatchedPage } from "../browser.ts";
import { contractHolder } from "../contract.ts";
import { startTestServer, type TestServer } from "../harness.ts";
import { insertQuote } from "../paid-order.ts";
import { type Member, member } from "../people.ts";
import {
  endSessionAt,
  findBarriersAtBothWidths,
  goTo,
  openSignedIn,
  signInElsewhere,
  signInHere,
  typedAfterEscape,
  wide,
} from "../portal-page.ts";

let server: TestServer;
let browser: Browser;
let admin: Member;
let other: Member;
let customer: Member;
let leadId: string;
beforeAll(async () => {
  [server, browser] = await Promise.all([startTestServer({ pages: true, work: false }), sharedBrowser()]);
  admin = await member(server, "admin", { organizationName: "Provider", firstName: "Meera", lastName: "Iyer" });
  other = await member(server, "admin", { organisationId: admin.organisationId, firstName: "Rohan", lastName: "Das" });
  customer = await member(server, "user", { organizationName: "Kaveri Textiles" });
  // One is declined, one gets a typed reason, and the third is for a second try.
  for (const legalName of ["Kaveri Textiles", "Kaveri Textiles of Mysuru", "Kaveri Textiles of Hubballi"]) {
    const quote = await insertQuote(server, customer, { proposalFile: null, organizationName: legalName });
    await deliverProposal(server.services, quote.id);
  }
  const asked = { userName: "Asha Rao", phone: "+919876543210", organizationSize: 120, message: "Please call." };
  const [lead] = await server.services.database
    .insert(leads)
    .values({ ...asked, userEmail: "asha@betwa.example", organization: "Betwa Ceramics" })
    .returning({ id: leads.id });
  leadId = lead?.id ?? "";
});
afterAll(async () => {
  await leaveBrowser(browser);
  await server?.stop();
});

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true });
const keptIn = (page: Page) =>
  page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith("typed:")));

interface Screen {
  path: () => string;
  /** The beginning of the storage key of its draft. */
  keptAs: string;
  /** Opens the field from the screen. */
  open?: (page: Page) => Promise<void>;
  field: (page: Page) => Locator;
  typed: string;
  /** Fills in whatever else is needed to send it. */
  fill?: (page: Page) => Promise<void>;
  /** The control that sends it. */
  send: (page: Page) => Locator;
  /** How the screen is left without sending, unless by a link. */
  leave?: (page: Page) => Promise<void>;
}

const ofAdministrators: Record<string, Screen> = {
  "an announcement": {
    path: () => "/admin/announcements",
    keptAs: "typed:announcement",
    open: (page) => button(page, "Write an announcement").click(),
    field: (page) => page.getByRole("dialog").getByRole("textbox", { name: "Title" }),
    typed: "Maintenance on Sunday",
    fill: (page) => page.getByRole("dialog").getByRole("textbox", { name: "Text" }).fill("The dashboards rest."),
    send: (page) => button(page, "Announce"),
  },
  "a text of the site": {
    path: () => "/admin/settings",
    keptAs: "typed:site texts legal",
    open: (page) => button(page, "Edit Legal versions").click(),
    field: (page) => page.getByLabel("Backups are kept").first(),
    typed: "61",
    send: (page) => button(page, "Save"),
  },
  "a quote": {
    path: () => `/admin/estimateOrder?lead=${leadId}`,
    keptAs: "typed:quote ",
    open: (page) => button(page, "Make a quote").click(),
    field: (page) => page.getByLabel("Note to the customer"),
    typed: "As we said by phone",
    fill: async (page) => {
      await page.getByRole("spinbutton", { name: "Prod Server", exact: true }).fill("5");
      await page.getByText("Total a year").waitFor();
    },
    send: (page) => button(page, "Send the proposal"),
  },
  "the rate card": {
    path: () => "/admin/rate-card",
    keptAs: "typed:rate card",
    field: (page) => page.getByRole("textbox", { name: "Name of AWS", exact: true }),
    typed: "Amazon Web Services",
    send: (page) => button(page, "Save draft"),
  },
  "a lead's next step": {
    path: () => `/admin/estimateOrder?lead=${leadId}`,
    keptAs: "typed:work ",
    field: (page) => page.getByLabel("Next step", { exact: true }),
    typed: "Call about the plant",
    fill: (page) => page.getByLabel("On", { exact: true }).fill("2099-01-31"),
    send: (page) => button(page, "Save"),
  },
  "service levels": {
    path: () => "/admin/service-levels",
    keptAs: "typed:service levels",
    field: (page) => page.getByLabel("Acknowledge, minutes").first(),
    typed: "7",
    send: (page) => button(page, "Publish"),
  },
};

const ofCustomers: Record<string, Screen> = {
  "billing details": {
    path: () => "/user/billing",
    keptAs: "typed:billing ",
    field: (page) => page.getByLabel("Legal name"),
    typed: "Kaveri Textiles Private Limited",
    fill: async (page) => {
      await page.getByRole("radio", { name: "Not registered" }).check();
      await page.getByLabel("Billing address").fill("1 Mill Road, Mysuru");
      await page.getByLabel("PIN code").fill("570001");
      await page.getByLabel("State").selectOption("29");
    },
    send: (page) => button(page, "Save"),
  },
  "the contacts": {
    path: () => "/user/under-attack",
    keptAs: "typed:contacts",
    open: (page) => button(page, "Change the contacts").click(),
    field: (page) => page.getByRole("textbox", { name: "Name", exact: true }).first(),
    typed: "Asha Rao",
    send: (page) => button(page, "Save contacts"),
  },
  "why a proposal is declined": {
    path: () => "/user/myquote",
    keptAs: "typed:decline ",
    open: async (page) => {
      await page.getByRole("button", { name: "Accept or decline" }).first().click();
      await button(page, "Decline instead").click();
    },
    field: (page) => page.getByLabel("Why do you decline?"),
    typed: "We buy next year",
    send: (page) => button(page, "Decline proposal"),
    leave: async (page) => {
      const declined = await page.getByRole("button", { name: /^Declined: Q-/ }).count();
      await button(page, "Decline proposal").click();
      await page
        .getByRole("button", { name: /^Declined: Q-/ })
        .nth(declined)
        .waitFor();
    },
  },
};

async function leaveByLink(page: Page): Promise<void> {
  const link = page.getByRole("link", { name: "Dashboard" }).first();
  await link.evaluate((element: HTMLElement) => element.click());
  await page.waitForURL(/\/dashboard$/);
}

describe.each([
  { whose: "an administrator", who: () => admin, role: "admin" as const, screens: ofAdministrators },
  { whose: "a customer", who: () => customer, role: "user" as const, screens: ofCustomers },
])("What $whose types, on one page that keeps more with each screen,", ({ who, role, screens }) => {
  let watched: WatchedPage;
  let page: Page;
  beforeAll(async () => {
    watched = await openSignedIn(browser, server, who());
    ({ page } = watched);
    page.on("dialog", (question) => void question.accept());
    await page.goto(`${server.url}/robots.txt`);
  });
  afterAll(() => watched.leave());
  const isKept = async (begin: string) => (await keptIn(page)).some((key) => key.startsWith(begin));

  it.each(Object.entries(screens))(
    "of %s is there again after a session that ended and when loaded anew, and forgotten by whoever leaves without it",
    async (_, { path, keptAs, open, field, typed, fill, send, leave = leaveByLink }) => {
      const person = who();
      await signInHere(page, person);
      await page.goto(server.url + path());
      await open?.(page);
      await field(page).fill(typed);
      await fill?.(page);
      await endSessionAt(page, server, person, send(page));
      await signInElsewhere(page, person);
      await open?.(page);
      await expect.poll(() => field(page).inputValue(), { message: "after a session that ended" }).toBe(typed);
      expect(await isKept(keptAs)).toBe(true);
      await leave(page);
      await field(page).waitFor({ state: "hidden" });
      await expect.poll(() => isKept(keptAs), { message: "left without it" }).toBe(false);

      await goTo(page, server, path());
      await open?.(page);
      await field(page).fill(typed);
      await page.reload();
      await open?.(page);
      await expect.poll(() => field(page).inputValue(), { message: "loaded anew" }).toBe(typed);
    },
  );

  it("is all kept in this tab, and not for somebody else", async () => {
    const { organisationId } = who();
    const all = Object.values(screens).map(({ keptAs }) => keptAs);
    expect((await keptIn(page)).toSorted()).toEqual(all.toSorted().map((begin) => expect.stringContaining(begin)));
    await page.evaluate(() => localStorage.clear());
    await signInHere(page, await member(server, role, { organisationId }));
    await page.goto(`${server.url}/${role}/dashboard`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await expect.poll(() => keptIn(page)).toEqual([]);
  });
});

interface KeptBox {
  path: string;
  open: string | RegExp;
  field: (dialog: Locator) => Locator;
  typed: string;
}

/** The boxes whose text is lost after Escape or a reload. */
async function lostIn(page: Page, boxes: Record<string, KeptBox>): Promise<string[]> {
  const lost: string[] = [];
  const openerOf = ({ open }: KeptBox) => page.getByRole("button", { name: open }).locator("visible=true").first();
  const fieldOf = ({ field }: KeptBox) => field(page.getByRole("dialog").last());
  for (const [name, box] of Object.entries(boxes)) {
    await goTo(page, server, box.path);
    await openerOf(box).click();
    await fieldOf(box).fill(box.typed);
    if ((await typedAfterEscape(page, openerOf(box), fieldOf(box))) !== box.typed)
      lost.push(`${name}, closed by Escape`);
    await closeByEscape(page, fieldOf(box));
  }
  let loaded = "";
  for (const [name, box] of Object.entries(boxes)) {
    // Boxes of the same screen are checked after one load of it.
    if (box.path !== loaded) await page.goto(server.url + box.path);
    loaded = box.path;
    await openerOf(box).click();
    if ((await fieldOf(box).inputValue()) !== box.typed) lost.push(`${name}, loaded anew`);
    await closeByEscape(page, fieldOf(box));
  }
  return lost;
}

async function closeByEscape(page: Page, field: Locator): Promise<void> {
  await page.keyboard.press("Escape");
  await field.waitFor({ state: "hidden" });
}

const customersBoxes: Record<string, KeptBox> = {
  "devices that are added": {
    path: "/user/contract",
    open: "Add devices",
    field: (dialog) => dialog.getByRole("spinbutton", { name: "Prod Server", exact: true }),
    typed: "7",
  },
  "a dispute": {
    path: "/user/incidents?show=findings",
    open: /^Dispute/,
    field: (dialog) => dialog.getByLabel("How you see it"),
    typed: "It was our backup",
  },
  "a site": {
    path: "/user/onboarding",
    open: /^Add a site/,
    field: (dialog) => dialog.getByLabel("Name"),
    typed: "Plant 2",
  },
  "the purchase order": {
    path: "/user/myquote",
    open: /^Buy Now/,
    field: (dialog) => dialog.getByLabel("Your purchase order number"),
    typed: "PO-77",
  },
};

const boxesAt = (email: string): Record<string, KeptBox> => ({
  "what becomes of a finding": {
    path: `/admin/incidents?show=findings&customer=${encodeURIComponent(email)}`,
    open: /^Decide/,
    field: (dialog) => dialog.getByLabel("Why"),
    typed: "Known scanner",
  },
  "a log source": {
    path: "/admin/log-sources",
    open: "Add",
    field: (dialog) => dialog.getByLabel("Product"),
    typed: "FortiGate 900",
  },
  "a rule": {
    path: "/admin/coverage-rules",
    open: "Add a rule",
    field: (dialog) => dialog.getByLabel("Is like"),
    typed: "fortigate-*",
  },
  "a limit": {
    path: "/admin/coverage-rules",
    open: "Set a limit",
    field: (dialog) => dialog.getByLabel("Silent after so many minutes without an event"),
    typed: "75",
  },
  "an engine": {
    path: `/admin/customerList?open=${encodeURIComponent(email)}`,
    open: "Add an engine",
    field: (dialog) => dialog.getByLabel("Address of the indexer"),
    typed: "https://wazuh.example.in:9200",
  },
  "a person's address": {
    path: `/admin/customerList?open=${encodeURIComponent(email)}`,
    open: "Open Asha Rao",
    field: (dialog) => dialog.getByLabel("Correct e-mail address"),
    typed: "asha@kaveri.example.in",
  },
});

it("What is typed in the boxes of customers and administrators is there again after Escape and when loaded anew", async () => {
  const { person } = await contractHolder(server);
  const { database, now } = server.services;
  await giveBilling(server, person.email);
  await insertQuote(server, person);
  const at = now();
  const whose = { organisationId: person.organisationId };
  const [binding] = await database
    .insert(engineBindings)
    .values({ ...whose, kind: "wazuh4", address: "https://wazuh.example.in", nextPollAt: at })
    .returning();
  const [finding] = await database
    .insert(engineFindings)
    .values({
      ...whose,
      bindingId: binding?.id ?? "",
      externalId: "1",
      title: "Backup read everything",
      severity: "low",
      rawSeverity: "3",
      state: "open",
      at,
      attack: [],
      createdAt: at,
    })
    .returning();
  const decided = { findings: [finding?.id ?? ""], fate: "benign" as const, reason: "The nightly backup" };
  expect((await server.call("admin/findings/decide", decided, admin.token)).status).toBe(200);
  const { page } = await openSignedIn(browser, server, person, wide);
  expect(await lostIn(page, customersBoxes)).toEqual([]);

  const { page: ours } = await openSignedIn(browser, server, admin, wide);
  expect(await lostIn(ours, boxesAt(person.email))).toEqual([]);
  // Secrets are stored nowhere.
  await button(ours, "Add an engine").click();
  await ours.getByRole("dialog").last().getByRole("textbox", { name: "Password" }).fill("a password of theirs");
  await ours.keyboard.press("Escape");
  const stored = await ours.evaluate(() => JSON.stringify(sessionStorage));
  expect([stored.includes("wazuh.example.in:9200"), stored.includes("a password of theirs")]).toEqual([true, false]);
});

/** Presses a button, runs `act` while the resulting change is on its way, and then lets it through. */
async function pressAndMeanwhile(
  page: Page,
  path: string,
  pressed: Locator,
  act: () => Promise<void>,
  answer?: object,
) {
  const [sent, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const url = `${server.url}/api/${path}`;
  await page.route(url, async (route) => {
    if (route.request().method() === "GET") return route.continue();
    sent.resolve();
    await released.promise;
    return answer ? route.fulfill({ status: 503, json: answer }) : route.continue();
  });
  await pressed.click();
  await sent.promise;
  await act();
  released.resolve();
}

it("What is typed over something that a colleague saves meanwhile is there again, and overwrites nothing unseen", async () => {
  const tile = { email: null, icon: "report" as const, url: "https://tiles.example/", place: 10, shown: true };
  await server.services.database.delete(tiles);
  await server.call("admin/tiles/add", { ...tile, title: "Reports", text: "Of this week" }, admin.token);
  const [first] = await server.services.database.select().from(tiles);
  const { page } = await openSignedIn(browser, server, admin, wide);
  const edit = page.getByRole("button", { name: "Edit Reports" });
  const dialog = page.getByRole("dialog");
  const [title, text] = ["Title", "Text"].map((name) => dialog.getByRole("textbox", { name, exact: true })) as [
    Locator,
    Locator,
  ];
  await page.goto(`${server.url}/admin/tiles`);
  await edit.click();
  await title.fill("Reports of ours");
  await endSessionAt(page, server, admin, dialog.getByRole("button", { name: "Save" }));
  const theirs = { ...tile, title: "Reports", text: "Of this month", id: first?.id ?? "", version: 1 };
  expect((await server.call("admin/tiles/change", theirs, other.token)).status).toBe(200);
  await signInElsewhere(page, admin);
  await edit.click();
  expect(await title.inputValue()).toBe("Reports of ours");
  await dialog.getByText("Somebody else has saved this since you typed. What you typed is still here.").waitFor();
  expect(await findBarriersAtBothWidths(page)).toEqual([]);
  const save = dialog.getByRole("button", { name: "Save" });
  await save.click();
  await dialog.getByText("Somebody else changed this tile meanwhile.").waitFor();
  await dialog.getByRole("button", { name: "Bring in the changes, keep mine" }).click();
  expect([await title.inputValue(), await text.inputValue()]).toEqual(["Reports of ours", "Of this month"]);
  await save.click();
  await dialog.waitFor({ state: "hidden" });
  const now = () => server.services.database.select().from(tiles);
  expect(await now()).toMatchObject([{ title: "Reports of ours", text: "Of this month" }]);
  expect(await keptIn(page)).toEqual([]);

  // Somebody who is still in the dialog decides there.
  await page.getByRole("button", { name: "Edit Reports of ours" }).click();
  await text.fill("Of the year");
  const again = { ...theirs, title: "All reports", version: 3 };
  expect((await server.call("admin/tiles/change", again, other.token)).status).toBe(200);
  await save.click();
  await dialog.getByText("Somebody else has saved this since you typed.").waitFor();
  await dialog.getByRole("button", { name: "Bring in the changes, keep mine" }).click();
  expect([await title.inputValue(), await text.inputValue()]).toEqual(["All reports", "Of the year"]);
  await save.click();
  await dialog.waitFor({ state: "hidden" });
  expect(await now()).toMatchObject([{ title: "All reports", text: "Of the year", version: 5 }]);
});

it("What the server writes in another form is not taken for a colleague's", async () => {
  const { page } = await openSignedIn(browser, server, admin, wide);
  const person = await member(server, "user", { organizationName: "Betwa Mills", firstName: "Asha", lastName: "Rao" });
  await page.goto(`${server.url}/admin/customerList?open=${encodeURIComponent(person.email)}`);
  await page.getByRole("button", { name: "Open Asha Rao" }).click();
  const [first, last] = ["First name", "Last name"].map((name) => page.getByLabel(name)) as [Locator, Locator];
  const form = page.getByRole("form", { name: "Name and phone" });
  await first.fill("Usha ");
  await pressAndMeanwhile(page, "admin/people/change", form.getByRole("button", { name: "Save" }), () =>
    last.fill("Raol"),
  );
  await page.getByRole("dialog", { name: "Usha Rao" }).waitFor();
  await expect.poll(() => keptIn(page)).toEqual([`typed:person ${person.id}`]);
  expect([await first.inputValue(), await last.inputValue()]).toEqual(["Usha", "Raol"]);
  await form.getByRole("button", { name: "Save" }).click();
  await page.getByRole("dialog", { name: "Usha Raol" }).waitFor();
  expect(await page.getByText("Somebody else").count()).toBe(0);
  await expect.poll(() => keptIn(page)).toEqual([]);
});

it("The answer to what was sent from a dialog that is closed by now closes no other one", async () => {
  const tile = { email: null, icon: "report" as const, url: "https://tiles.example/", place: 10, shown: true };
  for (const title of ["First", "Second"])
    await server.call("admin/tiles/add", { ...tile, title, text: "Of this week" }, admin.token);
  const { page } = await openSignedIn(browser, server, admin, wide);
  await page.goto(`${server.url}/admin/tiles`);
  await button(page, "Edit First").click();
  const dialog = page.getByRole("dialog");
  const text = dialog.getByRole("textbox", { name: "Text", exact: true });
  await text.fill("Of the first");
  await pressAndMeanwhile(page, "admin/tiles/change", dialog.getByRole("button", { name: "Save" }), async () => {
    await dialog.getByRole("button", { name: "Close" }).click();
    await button(page, "Edit Second").click();
    await text.fill("Of the second");
  });
  await page.getByText("The tile is changed.").waitFor();
  await page.getByRole("cell", { name: "Of the first" }).waitFor({ state: "attached" });
  expect(await text.inputValue()).toBe("Of the second");
});

it("What is typed while a save is on its way stays, and is told to be unsaved", async () => {
  const { page } = await openSignedIn(browser, server, customer, wide);
  await page.goto(`${server.url}/user/under-attack`);
  await button(page, "Change the contacts").click();
  const [name, phone, email, what] = ["Name", "Telephone", "E-mail", "What they are"].map((label) =>
    page.getByRole("textbox", { name: label, exact: true }).first(),
  ) as [Locator, Locator, Locator, Locator];
  // The server normalises two of them, which must not look like a colleague's change.
  await name.fill(" Asha Rao ");
  await phone.fill("+91 98765 43211");
  await email.fill("asha@example.in");
  const saveContacts = button(page, "Save contacts");
  await pressAndMeanwhile(page, "user/ladder", saveContacts, () => what.fill("Head of IT"));
  await page.getByText("Saved. This is whom we call, in this order.").waitFor();
  await expect.poll(() => keptIn(page)).toEqual(["typed:contacts"]);
  expect(await what.inputValue()).toBe("Head of IT");
  await saveContacts.click();
  await button(page, "Change the contacts").waitFor();
  expect(await page.getByText("Somebody else").count()).toBe(0);
  expect(await keptIn(page)).toEqual([]);
  await goTo(page, server, "/user/billing");
  const order = page.getByLabel("Purchase order number");
  await page.getByRole("radio", { name: "Not registered" }).check();
  await page.getByLabel("Legal name").fill("Kaveri Textiles");
  await page.getByLabel("Billing address").fill("1 Mill Road, Mysuru");
  await page.getByLabel("PIN code").fill("570001");
  await page.getByLabel("State").selectOption("29");
  await order.fill("PO-1");
  await pressAndMeanwhile(page, "user/billing", button(page, "Save"), () => order.fill("PO-12"));
  await page.getByText("The billing details are saved.").waitFor();
  expect(await order.inputValue()).toBe("PO-12");
  expect(await keptIn(page)).toEqual(["typed:billing "]);
});

it("A dialog that closes once it is sent takes nothing more until it is answered, and keeps the focus", async () => {
  const { page } = await openSignedIn(browser, server, admin, wide);
  await page.goto(`${server.url}/admin/tiles`);
  await button(page, "Add").click();
  const dialog = page.getByRole("dialog", { name: "Add a tile" });
  const title = dialog.getByLabel("Title");
  await title.fill("Runbooks");
  await dialog.getByLabel("Text").fill("What to do first");
  await dialog.getByLabel("Address").fill("https://runbooks.example.in");
  const busy = { error: "We are busy. Please try again in a moment." };
  const typeOn = async () => {
    await title.focus();
    await page.keyboard.type(" and more");
    await page.keyboard.press("Backspace");
    await page.keyboard.insertText("pasted");
  };
  await pressAndMeanwhile(page, "admin/tiles/add", dialog.getByRole("button", { name: "Add" }), typeOn, busy);
  await dialog.getByText(busy.error).waitFor();
  expect(await title.inputValue()).toBe("Runbooks");
  expect(await title.evaluate((field) => field === document.activeElement)).toBe(true);
  await page.keyboard.press("End");
  await page.keyboard.type(" 2");
  expect(await title.inputValue()).toBe("Runbooks 2");
});
