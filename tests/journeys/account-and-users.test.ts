import { eq } from "drizzle-orm";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { messages } from "../../contract/messages.ts";
import { organisations } from "../../server/database/schema/index.ts";
import { holdBack, leaveBrowser, openPage, openQuiet, sharedBrowser } from "../browser.ts";
import { hashPassword } from "../../server/accounts/passwords.ts";
import { password, signIn } from "../factories.ts";
import { startTestServer, type TestServer } from "../harness.ts";
import { menuOf } from "../menu-of.ts";
import { type Member, member } from "../people.ts";
import {
  findBarriers,
  findBarriersAtBothWidths,
  follow,
  openSignedIn,
  phone,
  signInElsewhere,
  signInHere,
  wide,
} from "../portal-page.ts";

let server: TestServer;
let browser: Browser;
let customer: Member;

beforeAll(async () => {
  [server, browser] = await Promise.all([startTestServer({ pages: true }), sharedBrowser()]);
  customer = await member(server, "user", { organizationName: "Kaveri Textiles" });
});
afterAll(async () => {
  await leaveBrowser(browser);
  await server?.stop();
});

const roleNames = {
  user: "Main account",
  userChild: "Child account",
  partner: "Main account",
  partnerChild: "Child account",
  admin: "Administrator",
  adminChild: "Child administrator",
} as const;

it.each(["user", "partner", "admin"] as const)(
  "A main and a child account at /%s read their profiles, find them read-only, and their sessions",
  async (area) => {
    const parent = await member(server, area, { firstName: "Meera", lastName: "Nair" });
    const child = await member(server, `${area}Child`, { firstName: "Farah", lastName: "Khan" });
    const { page, complaints } = await openSignedIn(browser, server, parent);
    const main = page.getByRole("main");
    const path = `/${area}/account-settings`;
    await page.goto(server.url + path);
    for (const [name, person, role] of [
      ["Meera Nair", parent, area],
      ["Farah Khan", child, `${area}Child`],
    ] as const) {
      if (person === child) {
        await signInElsewhere(page, child);
        await follow(page, path, path);
      }
      for (const text of [name, person.email, "+919876543210", roleNames[role]])
        await main.getByText(text, { exact: true }).first().waitFor();
      for (const label of ["Full name", "Email", "Phone", "Organization"])
        await main.getByText(label, { exact: true }).waitFor();

      await page.getByRole("tab", { name: "Edit Profile" }).click();
      for (const label of ["Full name", "Email", "Phone", "Organization"])
        expect(await main.getByLabel(label).getAttribute("readonly"), `${label} for ${role}`).not.toBeNull();

      await page.getByRole("tab", { name: "Sessions" }).click();
      await main.getByText("This device").waitFor();
    }
    expect(complaints).toEqual([]);
  },
);

it("A password is changed with the current one, and only by two equal new ones; a session is ended from another one, then all of them at once", async () => {
  const person = await withPassword();
  const { page, complaints } = await openSignedIn(browser, server, person);
  await page.goto(`${server.url}/user/account-settings`);
  await page.getByRole("tab", { name: "Edit Profile" }).click();
  await page.getByLabel("Current password", { exact: true }).waitFor();
  expect(await findBarriersAtBothWidths(page), "Edit Profile").toEqual([]);
  const fill = async (current: string, next: string, again: string) => {
    await page.getByLabel("Current password", { exact: true }).fill(current);
    await page.getByLabel("New password", { exact: true }).fill(next);
    await page.getByLabel("Confirm new password", { exact: true }).fill(again);
    await page.getByRole("button", { name: "Change password" }).click();
  };
  await fill(password, "monsoon over the ghats", "monsoon over the ghat");
  await page.getByText(messages.newPasswordsDiffer).waitFor();
  await fill("not the password 12", "monsoon over the ghats", "monsoon over the ghats");
  await page.getByRole("alert").getByText("Your current password is not right.").waitFor();
  expect(await page.getByLabel("New password", { exact: true }).inputValue()).toBe("monsoon over the ghats");

  await page.getByLabel("New password", { exact: true }).focus();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  expect(await page.getByLabel("New password", { exact: true }).getAttribute("type")).toBe("text");

  await fill(password, "monsoon over the ghats", "monsoon over the ghats");
  await page.locator("[data-sonner-toast]").waitFor();
  expect(await page.getByLabel("Current password", { exact: true }).inputValue()).toBe("");
  expect(complaints.filter((complaint) => !complaint.includes("401"))).toEqual([]);

  const other = await signIn(server, person.email, "monsoon over the ghats");
  await page.getByRole("tab", { name: "Sessions" }).click();
  const sessions = page.getByRole("list", { name: "Sessions" }).getByRole("listitem");
  await expect.poll(() => sessions.count()).toBe(2);
  expect(await findBarriersAtBothWidths(page), "Sessions").toEqual([]);
  await page
    .getByRole("main")
    .getByRole("button", { name: /^Sign out .+, signed in/ })
    .click();
  await expect.poll(() => sessions.count()).toBe(1);
  expect((await server.call("user/me", {}, other)).status).toBe(401);
  expect((await server.call("user/me", {}, person.token)).status).toBe(200);

  await page.getByRole("button", { name: "Sign out everywhere" }).click();
  await page.waitForURL("**/login**");
  expect((await server.call("user/me", {}, person.token)).status).toBe(401);
  expect(await page.evaluate(() => localStorage.getItem("token"))).toBeNull();
});

/** A customer with the tests' password. */
const withPassword = async () => member(server, "user", { passwordHash: await hashPassword(password) });

describe("On a phone", () => {
  let page: Page;
  let complaints: string[];
  beforeAll(async () => {
    ({ page, complaints } = await openSignedIn(browser, server, customer, phone));
    await page.goto(`${server.url}/user/dashboard`);
    await page.getByRole("heading", { level: 1 }).waitFor();
  });

  it("a phone number stands whole in its field on a narrow phone, below its country", async () => {
    await follow(page, "/user/estimator", "/user/estimator");
    const number = page.locator("input[autocomplete=tel-national]");
    await expect.poll(() => number.inputValue()).toBe("9876543210");
    for (const width of [390, 360]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await number.evaluate((field) => field.scrollWidth - field.clientWidth)).toBe(0);
      const country = await page.getByLabel("Phone number: country").boundingBox();
      expect((await number.boundingBox())?.y).toBeGreaterThan(country?.y ?? Infinity);
    }
    await page.setViewportSize(phone.viewport);
  });

  it("a customer adds a user and is told when that does not work", async () => {
    const owner = await member(server, "user");
    await signInHere(page, owner);
    await page.goto(`${server.url}/user/myuser`);
    await page.getByText(messages.noUsers, { exact: true }).waitFor();
    await page.getByRole("button", { name: "Add User" }).click();
    const dialog = page.getByRole("dialog", { name: "Add User" });
    await dialog.getByLabel("First name").fill("विक्रम");
    await dialog.getByLabel("Last name").fill("Shetty");
    await dialog.getByLabel("Email").fill("vikram");
    await dialog.getByRole("textbox", { name: "Phone" }).fill("9");
    await dialog.getByRole("button", { name: "Add User" }).click();
    await dialog.getByText(messages.emailInvalid).waitFor();
    await dialog.getByText(messages.phoneTooShort).waitFor();
    await dialog.getByLabel("Email").fill("vikram@example.in");
    await dialog.getByRole("textbox", { name: "Phone" }).fill("9876500001");
    // An outage is reported in a toast, a refusal in the form: each once, with its reason.
    for (const fields of [undefined, { email: messages.emailTaken }]) {
      await page.route("**/api/user/create-child-user", (route) =>
        route.fulfill({ status: 409, json: { error: messages.emailTaken, code: "conflict", fields } }),
      );
      await dialog.getByRole("button", { name: "Add User" }).click();
      await dialog.getByRole("alert").getByText(messages.addUserFailed).waitFor();
      await page.getByText(messages.emailTaken).first().waitFor();
      expect(await page.getByText(messages.emailTaken).count()).toBe(1);
      expect(await page.getByText(messages.userNotAdded).count()).toBe(0);
      await page.unroute("**/api/user/create-child-user");
    }
    await dialog.getByLabel("Email").press("End");
    expect(await findBarriersAtBothWidths(page)).toEqual([]);
    await page.route("**/api/user/create-child-user", (route) => route.abort());
    await dialog.getByRole("button", { name: "Add User" }).click();
    await page.getByText(messages.userNotAdded).waitFor();
    await page.getByText("We can't reach the server.").waitFor();
    expect(await page.getByText(messages.addUserFailed).count()).toBe(0);
    expect(await dialog.getByLabel("First name").inputValue()).toBe("विक्रम");
    await page.unroute("**/api/user/create-child-user");
    let answer = () => {};
    await page.route("**/api/user/create-child-user", async (route) => {
      await new Promise<void>((done) => (answer = done));
      await route.continue();
    });
    await dialog.getByRole("button", { name: "Add User" }).click();
    await dialog.getByRole("button", { name: messages.adding }).waitFor();
    expect(await dialog.getByRole("button", { name: "Close" }).isDisabled()).toBe(true);
    answer();
    await page.getByText(messages.userAdded).waitFor();
    await page.getByText("विक्रम Shetty").locator("visible=true").waitFor();
    expect(complaints.filter((complaint) => !/ERR_FAILED|409/.test(complaint))).toEqual([]);
  });

  it("the side navigation opens over the page, and with large letters the head stays within the screen", async () => {
    await follow(page, "/user/dashboard", "/user/dashboard");
    await page.getByRole("button", { name: "Navigation" }).click();
    await page.getByRole("link", { name: "Order History" }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "Order History" }).waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "Navigation" }).click();
    await page.getByRole("link", { name: "Order History" }).click();
    await page.waitForURL("**/user/orderhistory");
    await page.getByRole("link", { name: "Order History" }).waitFor({ state: "hidden" });
    // With letters twice as large, everything in the header still fits on the screen.
    await page.addStyleTag({ content: "html { font-size: 200% }" });
    const account = await page.getByRole("button", { name: /^Account of / }).boundingBox();
    expect(account && account.x + account.width).toBeLessThanOrEqual(390);
  });
});

describe("On a wide screen", () => {
  let page: Page;
  let complaints: string[];
  beforeAll(async () => {
    ({ page, complaints } = await openSignedIn(browser, server, customer));
    await page.goto(`${server.url}/user/dashboard`);
  });

  it("the side navigation stays narrow over a move and a reload, and goes where there is no room for it", async () => {
    await page.getByRole("button", { name: "Narrow the navigation" }).click();
    await page.getByRole("navigation", { name: "Area" }).getByRole("link", { name: "My Quotes" }).click();
    await page.getByRole("button", { name: "Widen the navigation" }).waitFor();
    await page.reload();
    await page.getByRole("button", { name: "Widen the navigation" }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.setViewportSize({ width: 768, height: 900 });
    await page.getByRole("navigation", { name: "Area" }).waitFor({ state: "hidden" });
    await page.setViewportSize({ width: 769, height: 900 });
    await page.getByRole("navigation", { name: "Area" }).waitFor();
    await page.setViewportSize(wide.viewport);
    await page.getByRole("button", { name: "Widen the navigation" }).click();
    await page.getByRole("button", { name: "Narrow the navigation" }).waitFor();
  });

  it("the phone's country is found in a whole list, by search and by a pasted number, and a code typed once more is left out", async () => {
    await follow(page, "/user/myuser", "/user/myuser");
    await page.getByRole("button", { name: "Add User" }).click();
    const dialog = page.getByRole("dialog", { name: "Add User" });
    const country = dialog.getByRole("combobox", { name: "Phone: country" });
    const number = dialog.getByRole("textbox", { name: "Phone" });
    await country.click();
    const choices = page.getByRole("option");
    await expect.poll(() => choices.count()).toBeGreaterThan(200);
    // From the chosen country on, which is India.
    await page.keyboard.press("ArrowDown");
    await page.locator("[data-combobox-selected]").getByText("Indonesia +62").waitFor();
    await page.keyboard.type("emirates");
    await expect.poll(() => choices.count()).toBeLessThan(3);
    await choices.filter({ hasText: "United Arab Emirates +971" }).click();
    expect(await country.inputValue()).toBe("United Arab Emirates");
    await dialog.getByText("+971", { exact: true }).waitFor();
    for (const typed of ["971 50 123 4567", "050 123 4567", "50 123 4567"]) {
      await number.fill("");
      await number.pressSequentially(typed);
      expect(await number.inputValue()).toBe("501234567");
    }

    for (const [pasted, shown, national] of [
      ["+1 415 555 0100", "United States", "4155550100"],
      ["+44 20 7946 0000", "United Kingdom", "2079460000"],
      ["+7 495 000 00 00", "Russia", "4950000000"],
      ["+91 98765 43210", "India", "9876543210"],
    ] as const) {
      await number.fill(pasted);
      await expect.poll(async () => [await country.inputValue(), await number.inputValue()]).toEqual([shown, national]);
    }
    for (const typed of ["91 98765 43210", "098765 43210", "0091 98765 43210", "98765 43210"]) {
      await number.fill("");
      await number.pressSequentially(typed);
      expect([typed, await number.inputValue()]).toEqual([typed, "9876543210"]);
    }
  });

  it("a customer's child has the smaller menu, and is led away from the estimator and the users", async () => {
    await follow(page, "/user/dashboard", "/user/dashboard");
    expect(await menuOf(page)).toEqual([
      "Dashboard",
      "Coverage",
      "Incidents",
      "Regulators",
      "Reports",
      "Estimator",
      "My Quotes",
      "Order History",
      "Payments Due",
      "Contract",
      "Billing Details",
      "My Users",
      "Audit log",
      "Account Settings",
      "Sign Out",
    ]);
    const child = await member(server, "userChild", { organisationId: customer.organisationId });
    await signInHere(page, child);
    await page.goto(`${server.url}/user/estimator`);
    await page.waitForURL("**/user/dashboard");
    await page.getByRole("heading", { level: 1 }).waitFor();
    await follow(page, "/user/coverage", "/user/coverage");
    expect(await follow(page, "/user/myuser", "/user/dashboard")).toBe("/user/dashboard");
    expect(await menuOf(page)).toEqual([
      "Dashboard",
      "Coverage",
      "Incidents",
      "Regulators",
      "Reports",
      "My Quotes",
      "Order History",
      "Payments Due",
      "Contract",
      "Billing Details",
      "Audit log",
      "Account Settings",
      "Sign Out",
    ]);
    expect(complaints).toEqual([]);
  });
});

it("Who signs in after somebody else never sees the other's profile, however the other tab writes it down, in the same area and in another", async () => {
  const second = await member(server, "user", { firstName: "Farah", lastName: "Khan" });
  await server.services.database
    .update(organisations)
    .set({ name: "Deccan Foods" })
    .where(eq(organisations.id, second.organisationId));
  const { page } = await openSignedIn(browser, server, customer);
  await page.goto(`${server.url}/user/account-settings`);
  await page.getByText("Kaveri Textiles").first().waitFor();
  const go = await holdBack(page, "**/api/user/me");
  // Another tab of the same browser signs in as somebody else.
  const tab = await page.context().newPage();
  await tab.goto(`${server.url}/robots.txt`);
  await tab.evaluate(
    ([token = "", email = ""]) => {
      localStorage.setItem("email", email);
      localStorage.setItem("token", token);
    },
    [second.token, second.email],
  );
  await expect.poll(() => page.getByText("Kaveri Textiles").count()).toBe(0);
  expect(await page.getByText(customer.email).count()).toBe(0);
  go();
  await page.getByText("Deccan Foods").first().waitFor();

  await page.getByRole("button", { name: "Account of Farah Khan" }).click();
  await page.getByRole("menu").getByText(second.email).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.getByRole("menu").waitFor({ state: "hidden" });

  const admin = await member(server, "admin", { firstName: "Rohan", lastName: "Das" });
  const goOn = await holdBack(page, "**/api/user/me");
  await tab.evaluate(
    ([token = "", email = ""]) => {
      localStorage.setItem("token", token);
      localStorage.setItem("email", email);
    },
    [admin.token, admin.email],
  );
  await page.waitForURL("**/admin/dashboard");
  await page.getByRole("heading", { level: 1 }).waitFor();
  expect(await page.getByText("Farah Khan").count()).toBe(0);
  goOn();
  await page.getByRole("button", { name: "Account of Rohan Das" }).click();
  await page.getByRole("menu").getByText(admin.email).waitFor();
  await page.getByRole("menuitem", { name: "Sign Out" }).click();
  await page.waitForURL((address) => ["/", "/login"].includes(address.pathname));
  expect(await page.getByText(admin.email).count()).toBe(0);
});

it("Who signs in from an address of the portals starts there, and from any other at the dashboard", async () => {
  const starts = {
    "/user/myquote?search=two+words": "/user/myquote?search=two+words",
    "/user/myquote?search=two*&state=all": "/user/myquote?search=two*&state=all",
    "/user/myquote?search=asha@demo.example": "/user/myquote?search=asha@demo.example",
    "/user/myquote?search=o'brien!~(two)": "/user/myquote?search=o%27brien!~(two)",
    "https://example.in/": "/user/dashboard",
    "//example.in/'": "/user/dashboard",
    "/~//example.in/": "/user/dashboard",
    "//example.in/": "/user/dashboard",
    "/.//example.in/": "/user/dashboard",
    "/\\example.in/": "/user/dashboard",
    "/user\\myquote": "/user/dashboard",
    "javascript:alert(1)": "/user/dashboard",
  };
  const { page } = await openSignedIn(browser, server, customer);
  const startFrom = async (next: string, act: (address: string) => Promise<unknown>) => {
    await act(`/login?next=${encodeURIComponent(next)}`);
    await page.waitForURL(/\/user\//);
    const { origin, pathname, search } = new URL(page.url());
    return origin + pathname + search;
  };
  const ends: Record<string, string> = {};
  const cold = ["/user/myquote?search=two+words", "//example.in/"];
  for (const next of cold) ends[next] = await startFrom(next, (address) => page.goto(server.url + address));
  await page.getByRole("heading", { level: 1 }).waitFor();
  for (const [next, start] of Object.entries(starts)) {
    if (cold.includes(next)) continue;
    ends[next] = await startFrom(next, (address) => follow(page, address, new URL(start, server.url).pathname));
  }
  expect(ends).toEqual(Object.fromEntries(Object.entries(starts).map(([next, start]) => [next, server.url + start])));
});

it("Who comes back with a session that has run out is told so, and led back after the sign-in", async () => {
  const claims = { typ: "session", role: "user", email: customer.email, exp: Math.floor(Date.now() / 1000) - 60 };
  const token = `e30.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.x`;
  const { page, complaints } = await openSignedIn(browser, server, { token, email: customer.email });
  await page.goto(`${server.url}/user/myquote`);
  await page.waitForURL((url) => url.searchParams.get("next") === "/user/myquote");
  await page.getByText(messages.sessionEnded).waitFor();
  // Somebody who only reads a public page gets no message.
  await page.goto(`${server.url}/contact`);
  await page.getByRole("heading", { level: 1 }).waitFor();
  expect(await page.getByText(messages.sessionEnded).count()).toBe(0);
  expect(complaints).toEqual([]);
});

it("A session with a role this site does not know is ended with a reason", async () => {
  const claims = { typ: "session", role: "auditor", exp: Math.floor(Date.now() / 1000) + 3600 };
  const token = `e30.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.x`;
  const { page } = await openSignedIn(browser, server, { token, email: "auditor@example.in" });
  await page.goto(`${server.url}/user/dashboard`);
  await page.waitForURL("**/login**");
  await page.getByText(messages.unknownRole).waitFor();
  expect(await page.evaluate(() => localStorage.getItem("token"))).toBeNull();
});

it("A code that could not be sent for want of a connection stays in its field; a wrong one is wiped", async () => {
  const person = await withPassword();
  const { page } = await openPage(browser);
  await openQuiet(page, `${server.url}/login`);
  await page.getByLabel("Email").fill(person.email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Login" }).click();
  const mail = await server.mailbox.take(person.email, /sign-in code/);
  const code = /\b\d{6}\b/.exec(mail.text ?? "")?.[0] ?? "";
  const field = page.getByLabel("6-digit code");
  await field.fill(code);
  await page.route("**/api/auth/verify-otp", (route) => route.abort());
  await page.getByRole("button", { name: "Verify OTP" }).click();
  await page.getByRole("alert").getByText("An error occurred while verifying OTP").waitFor();
  expect(await field.inputValue()).toBe(code);
  await page.unroute("**/api/auth/verify-otp");
  await field.fill(code === "000000" ? "000001" : "000000");
  await page.getByRole("button", { name: "Verify OTP" }).click();
  await expect.poll(() => field.inputValue()).toBe("");
  await field.fill(code);
  await page.getByRole("button", { name: "Verify OTP" }).click();
  await page.waitForURL("**/user/dashboard");
});
