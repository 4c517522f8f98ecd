import { eq } from "drizzle-orm";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { messages } from "../../contract/messages.ts";
import { areaOf, roles } from "../../contract/roles.ts";
import { organisations } from "../../server/database/schema/index.ts";
import { holdBack, leaveBrowser, openPage, openQuiet, sharedBrowser } from "../browser.ts";
import { customer as registeredCustomer, password, signIn } from "../factories.ts";
import { startTestServer, type TestServer } from "../harness.ts";
import { type Member, member } from "../people.ts";
import { findBarriers, findBarriersAtBothWidths, openSignedIn, phone } from "../portal-page.ts";

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

describe.each(roles)("Someone with the role %s", (role) => {
  it("reads its profile, finds it read-only, and its sessions", async () => {
    const person = await member(server, role, { firstName: "Meera", lastName: "Nair" });
    const { page, complaints } = await openSignedIn(browser, server, person);
    await page.goto(`${server.url}/${areaOf(role)}/account-settings`);
    const main = page.getByRole("main");
    for (const text of ["Meera Nair", person.email, "+919876543210", roleNames[role]])
      await main.getByText(text, { exact: true }).first().waitFor();
    for (const label of ["Full name", "Email", "Phone", "Organization"])
      await main.getByText(label, { exact: true }).waitFor();

    await page.getByRole("tab", { name: "Edit Profile" }).click();
    for (const label of ["Full name", "Email", "Phone", "Organization"])
      expect(await main.getByLabel(label).getAttribute("readonly")).not.toBeNull();

    await page.getByRole("tab", { name: "Sessions" }).click();
    await main.getByText("This device").waitFor();
    expect(complaints).toEqual([]);
  });
});

it("The tabs of the account settings are free of barriers", async () => {
  const { page } = await openSignedIn(browser, server, customer, phone);
  await page.goto(`${server.url}/user/account-settings`);
  for (const [tab, seen] of [
    ["Edit Profile", "Change password"],
    ["Sessions", "This device"],
  ] as const) {
    await page.getByRole("tab", { name: tab }).click();
    await page.getByRole("main").getByText(seen).first().waitFor();
    expect(await findBarriersAtBothWidths(page), tab).toEqual([]);
  }
});

it("A password is changed with the current one, and only by two equal new ones", async () => {
  const person = await registeredCustomer(server);
  const { page, complaints } = await openSignedIn(browser, server, person);
  await page.goto(`${server.url}/user/account-settings`);
  await page.getByRole("tab", { name: "Edit Profile" }).click();
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
});

it("A session is ended from another one, then all of them at once", async () => {
  const person = await registeredCustomer(server);
  const other = await signIn(server, person.email);
  const { page } = await openSignedIn(browser, server, person);
  await page.goto(`${server.url}/user/account-settings`);
  await page.getByRole("tab", { name: "Sessions" }).click();
  const sessions = page.getByRole("list", { name: "Sessions" }).getByRole("listitem");
  await expect.poll(() => sessions.count()).toBe(2);
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

it("A customer adds a user and is told when that does not work", async () => {
  const owner = await member(server, "user");
  const { page, complaints } = await openSignedIn(browser, server, owner, phone);
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
  // What broke is said in a toast, what was refused in the form: each once, with its reason.
  await page.route("**/api/user/create-child-user", (route) => route.abort());
  await dialog.getByRole("button", { name: "Add User" }).click();
  await page.getByText(messages.userNotAdded).waitFor();
  await page.getByText("We can't reach the server.").waitFor();
  expect(await page.getByText(messages.addUserFailed).count()).toBe(0);
  expect(await dialog.getByLabel("First name").inputValue()).toBe("विक्रम");
  await page.unroute("**/api/user/create-child-user");
  await page.getByText(messages.userNotAdded).waitFor({ state: "hidden" });
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
  expect(await findBarriersAtBothWidths(page)).toEqual([]);
  expect(complaints.filter((complaint) => !/ERR_FAILED|409/.test(complaint))).toEqual([]);
});

it("A customer's child has the smaller menu, and is led away from the estimator and the users", async () => {
  const { page } = await openSignedIn(browser, server, customer);
  await page.goto(`${server.url}/user/dashboard`);
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
  const { page: childs, complaints } = await openSignedIn(browser, server, child);
  for (const closed of ["estimator", "myuser"]) {
    await childs.goto(`${server.url}/user/${closed}`);
    await childs.waitForURL("**/user/dashboard");
  }
  expect(await menuOf(childs)).toEqual([
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

it("The side navigation stays narrow over a move and a reload; on a phone it opens over the page", async () => {
  const { page } = await openSignedIn(browser, server, customer);
  await page.goto(`${server.url}/user/dashboard`);
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

  const { page: small } = await openSignedIn(browser, server, customer, phone);
  await small.goto(`${server.url}/user/dashboard`);
  await small.getByRole("button", { name: "Navigation" }).click();
  await small.getByRole("link", { name: "Order History" }).waitFor();
  expect(await findBarriers(small)).toEqual([]);
  await small.keyboard.press("Escape");
  await small.getByRole("link", { name: "Order History" }).waitFor({ state: "hidden" });
  await small.getByRole("button", { name: "Navigation" }).click();
  await small.getByRole("link", { name: "Order History" }).click();
  await small.waitForURL("**/user/orderhistory");
  await small.getByRole("link", { name: "Order History" }).waitFor({ state: "hidden" });
  // With letters twice as large everything in the head is still within the screen.
  await small.addStyleTag({ content: "html { font-size: 200% }" });
  const account = await small.getByRole("button", { name: /^Account of / }).boundingBox();
  expect(account && account.x + account.width).toBeLessThanOrEqual(390);
});

it("Who signs in after somebody else never sees the other's profile", async () => {
  const second = await member(server, "user", { firstName: "Farah", lastName: "Khan" });
  await server.services.database
    .update(organisations)
    .set({ name: "Deccan Foods" })
    .where(eq(organisations.id, second.organisationId));
  const { page } = await openSignedIn(browser, server, customer);
  await page.goto(`${server.url}/user/account-settings`);
  await page.getByText("Kaveri Textiles").first().waitFor();
  await page.route("**/api/user/me", async (route) => {
    await new Promise((wait) => setTimeout(wait, 300));
    await route.continue();
  });
  // Another tab of the same browser signs in as somebody else.
  const tab = await page.context().newPage();
  await tab.goto(`${server.url}/about`);
  await tab.evaluate(
    ([token = "", email = ""]) => {
      localStorage.setItem("email", email);
      localStorage.setItem("token", token);
    },
    [second.token, second.email],
  );
  await expect.poll(() => page.getByText("Kaveri Textiles").count()).toBe(0);
  expect(await page.getByText(customer.email).count()).toBe(0);
  await page.getByText("Deccan Foods").first().waitFor();

  await page.getByRole("button", { name: "Account of Farah Khan" }).click();
  await page.getByRole("menu").getByText(second.email).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await page.getByRole("menuitem", { name: "Sign Out" }).click();
  await page.waitForURL((address) => ["/", "/login"].includes(address.pathname));
  expect(await page.getByText(second.email).count()).toBe(0);
});

it("A tab goes over to another account with nothing of the one before, however the other tab writes it down", async () => {
  const [before, after] = [
    await member(server, "partner", { firstName: "Farah", lastName: "Khan" }),
    await member(server, "admin", { firstName: "Rohan", lastName: "Das" }),
  ];
  const { page } = await openSignedIn(browser, server, before);
  await page.goto(`${server.url}/partner/dashboard`);
  await page.getByRole("button", { name: "Account of Farah Khan" }).waitFor();
  const go = await holdBack(page, "**/api/user/me");
  const tab = await page.context().newPage();
  await tab.goto(`${server.url}/robots.txt`);
  await tab.evaluate(
    ([token = "", email = ""]) => {
      localStorage.setItem("token", token);
      localStorage.setItem("email", email);
    },
    [after.token, after.email],
  );
  await page.waitForURL("**/admin/dashboard");
  await page.getByRole("heading", { level: 1 }).waitFor();
  expect(await page.getByText("Farah Khan").count()).toBe(0);
  go();
  await page.getByRole("button", { name: "Account of Rohan Das" }).waitFor();
});

it.each([
  ["/user/myquote?search=two+words", "/user/myquote?search=two+words"],
  ["/user/myquote?search=two*&state=all", "/user/myquote?search=two*&state=all"],
  ["/user/myquote?search=asha@demo.example", "/user/myquote?search=asha@demo.example"],
  ["/user/myquote?search=o'brien!~(two)", "/user/myquote?search=o%27brien!~(two)"],
  ["https://example.in/", "/user/dashboard"],
  ["//example.in/'", "/user/dashboard"],
  ["/~//example.in/", "/user/dashboard"],
  ["//example.in/", "/user/dashboard"],
  ["/.//example.in/", "/user/dashboard"],
  ["/\\example.in/", "/user/dashboard"],
  ["/user\\myquote", "/user/dashboard"],
  ["javascript:alert(1)", "/user/dashboard"],
])("Who signs in from %s starts at %s", async (next, start) => {
  const { page } = await openSignedIn(browser, server, customer);
  await page.goto(`${server.url}/login?next=${encodeURIComponent(next)}`);
  await page.waitForURL(/\/user\//);
  const { origin, pathname, search } = new URL(page.url());
  expect([origin, pathname + search]).toEqual([server.url, start]);
});

it("Who comes back with a session that has run out is told so, and led back after the sign-in", async () => {
  const claims = { typ: "session", role: "user", email: customer.email, exp: Math.floor(Date.now() / 1000) - 60 };
  const token = `e30.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.x`;
  const { page, complaints } = await openSignedIn(browser, server, { token, email: customer.email });
  await page.goto(`${server.url}/user/myquote`);
  await page.waitForURL((url) => url.searchParams.get("next") === "/user/myquote");
  await page.getByText(messages.sessionEnded).waitFor();
  // Who only looks at a page that everybody may read is told nothing.
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
  const person = await registeredCustomer(server);
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

it("The phone's country is found in a whole list, by search and by a pasted number, and a code typed once more is left out", async () => {
  const { page } = await openSignedIn(browser, server, customer);
  await page.goto(`${server.url}/user/myuser`);
  await page.getByRole("button", { name: "Add User" }).click();
  const dialog = page.getByRole("dialog", { name: "Add User" });
  const country = dialog.getByRole("combobox", { name: "Phone: country" });
  const number = dialog.getByRole("textbox", { name: "Phone" });
  await country.click();
  const choices = page.getByRole("option");
  await expect.poll(() => choices.count()).toBeGreaterThan(200);
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
    expect([await country.inputValue(), await number.inputValue()]).toEqual([shown, national]);
  }
  for (const typed of ["91 98765 43210", "098765 43210", "0091 98765 43210", "98765 43210"]) {
    await number.fill("");
    await number.pressSequentially(typed);
    expect([typed, await number.inputValue()]).toEqual([typed, "9876543210"]);
  }
});

it("A phone number stands whole in its field on a narrow phone, below its country", async () => {
  const { page } = await openSignedIn(browser, server, customer, phone);
  await page.goto(`${server.url}/user/estimator`);
  const number = page.locator("input[autocomplete=tel-national]");
  await expect.poll(() => number.inputValue()).toBe("9876543210");
  for (const width of [390, 360]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await number.evaluate((field) => field.scrollWidth - field.clientWidth)).toBe(0);
    const country = await page.getByLabel("Phone number: country").boundingBox();
    expect((await number.boundingBox())?.y).toBeGreaterThan(country?.y ?? Infinity);
  }
});

/** The side navigation, in its order. */
async function menuOf(page: Page): Promise<(string | null)[]> {
  const area = page.getByRole("navigation", { name: "Area" });
  await area.getByText("Sign Out").waitFor();
  return area.locator("a, button").evaluateAll((entries) => entries.map((entry) => entry.getAttribute("aria-label")));
}
