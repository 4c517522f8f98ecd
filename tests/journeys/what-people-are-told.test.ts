import { randomUUID } from "node:crypto";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { MemoryRouter } from "react-router";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RouteFailure } from "../../app/public/frame/route-failure.tsx";
import { brand } from "../../contract/brand.ts";
import { messages } from "../../contract/messages.ts";
import type { OperationName } from "../../contract/operations.ts";
import { customerTools } from "../../server/database/schema/index.ts";
import { giveBilling } from "../billing.ts";
import { holdBack, leaveBrowser, openPage, openQuiet, sharedBrowser, untilTakenOver } from "../browser.ts";
import { password } from "../factories.ts";
import { startTestServer, type TestServer } from "../harness.ts";
import { insertOrder, insertQuote } from "../paid-order.ts";
import { type Member, member } from "../people.ts";
import { findBarriersAtBothWidths, follow, openSignedIn } from "../portal-page.ts";

let server: TestServer;
let browser: Browser;
let admin: Member;
let customer: Member;
let newcomer: Member;

beforeAll(async () => {
  [server, browser] = await Promise.all([startTestServer({ pages: true, work: false }), sharedBrowser()]);
  admin = await member(server, "admin", { organizationName: "Provider" });
  customer = await member(server, "user", { organizationName: "Kaveri Textiles" });
  newcomer = await member(server, "user", { organizationName: "Nilgiri Foods" });
  await member(server, "partner", { organizationName: "Malabar Networks" });
  await insertQuote(server, customer);
  await insertQuote(server, null, { organizationName: "Deccan Foods", proposalFile: null });
  await insertOrder(server, customer, { state: "failure" });
  await insertOrder(server, customer);
  await server.services.database.$client.query("update invoices set file = 'invoice-absent.pdf'");
  await server.services.database.insert(customerTools).values({
    organisationId: customer.organisationId,
    siemUrl: "https://siem.example.in",
    siemEnabled: true,
  });
});
afterAll(async () => {
  await leaveBrowser(browser);
  await server?.stop();
});

/** A person's page, loaded before calls are refused, because loading is expensive. */
async function openAt(person: Member, path: string): Promise<Page> {
  const { page } = await openSignedIn(browser, server, person);
  await page.goto(server.url + path);
  await page.getByRole("heading", { level: 1 }).waitFor();
  return page;
}

/** Follows a path whose list can't be fetched: the screen says so, and fetches it when tried again. */
async function failAndTryAgain(page: Page, path: string, operation: OperationName, text: string): Promise<void> {
  await refuse(page, operation, 500);
  await follow(page, path, path);
  const said = page.getByText(text).first();
  await said.waitFor();
  await page.unroute(`**/api/${operation}`);
  await page.getByRole("button", { name: "Try again" }).first().click();
  await said.waitFor({ state: "hidden" });
}

describe("a customer", () => {
  it("without quotes is told so", async () => {
    const { page } = await openSignedIn(browser, server, newcomer);
    await page.goto(`${server.url}/user/myquote`);
    expect(await appears(page.getByText(messages.noQuotes, { exact: true }))).toBe(true);
  });
  it("is told of lists that can't be fetched, of an order without an invoice, of an invoice and a proposal that can't be loaded and a payment that can't be started", async () => {
    const page = await openAt(customer, "/user/account-settings");
    await failAndTryAgain(page, "/user/dashboard", "user/get-users-dashboard-url", messages.dashboardFailed);
    await failAndTryAgain(page, "/user/orderhistory", "user/get-payment-by-email", messages.orderHistoryFailed);
    expect(await appears(page.getByText(messages.noPdf, { exact: true }))).toBe(true);
    await page.getByRole("button", { name: /View/ }).first().click();
    expect(await appears(page.getByText(messages.pdfFailed))).toBe(true);
    await page.keyboard.press("Escape");

    await failAndTryAgain(page, "/user/myquote", "user/get-estimation", messages.quotesFailed);
    await refuse(page, "user/orders");
    await refuse(page, "user/get-signed-url");
    await page.getByRole("button", { name: "View Proposal" }).first().click();
    await page.getByText(messages.proposalFailed).waitFor();
    await page.keyboard.press("Escape");
    await giveBilling(server, customer.email);
    await page.getByRole("button", { name: "Buy Now" }).first().click();
    await page.getByRole("button", { name: /^Pay ₹/ }).click();
    await page.getByRole("alert").getByText(messages.paymentFailed).waitFor();
  });
  it("is told that a payment can't be looked up, under what the page is about", async () => {
    const { page } = await openSignedIn(browser, server, customer);
    await refuse(page, "user/get-payment-by-email", 500);
    await page.goto(`${server.url}/user/payment?order=${randomUUID()}`);
    await page.getByText(messages.orderHistoryFailed).waitFor();
    expect(await page.getByRole("heading", { level: 1 }).allTextContents()).toEqual(["Payment"]);
  });
  it("is told of a profile that can't be loaded, in its place and in the menu, and tries again; keeps what was typed when the password can't be changed; and sees after a second that a slow list is still on its way", async () => {
    const { page } = await openSignedIn(browser, server, customer);
    let calls = 0;
    await page.route("**/api/user/me", (route) => {
      calls++;
      return route.fulfill({ status: 500, body: "" });
    });
    await page.goto(`${server.url}/user/account-settings`);
    await page.getByRole("alert").getByText(messages.profileFailed).waitFor();
    expect(calls).toBe(2);
    await page.getByRole("button", { name: "Load my profile again" }).waitFor();
    await page.unroute("**/api/user/me");
    await page.getByRole("alert").getByRole("button", { name: "Try again" }).click();
    await page.getByText(customer.email).first().waitFor();
    await page.getByRole("button", { name: "Account of Asha Rao" }).waitFor();

    await refuse(page, "auth/change-password", 500);
    await page.getByRole("tab", { name: "Edit Profile" }).click();
    await page.getByLabel("Current password", { exact: true }).fill("the old one of before");
    await page.getByLabel("New password", { exact: true }).fill(password);
    await page.getByLabel("Confirm new password", { exact: true }).fill(password);
    await page.getByRole("button", { name: "Change password" }).click();
    await page.getByText(messages.passwordChangeFailed).waitFor();
    expect(await page.getByLabel("New password", { exact: true }).inputValue()).toBe(password);

    const go = await holdBack(page, "**/api/user/get-estimation");
    const followed = follow(page, "/user/myquote", "/user/myquote");
    const loading = page.getByRole("status", { name: "Loading" });
    await loading.getByText("We are still loading").waitFor();
    go();
    await loading.waitFor({ state: "detached" });
    await page
      .getByRole("cell", { name: /^Q-\d{6}/ })
      .first()
      .waitFor();
    await followed;
  });
});

it("Whoever reports an attack reads what is missing apart from what to do now", async () => {
  const page = await openAt(customer, "/user/under-attack");
  await page.getByRole("button", { name: "Report it and call everybody" }).click();
  const said = page.getByRole("alert").filter({ hasText: "Telephone now" });
  expect((await said.innerText()).split(/\n+/)).toEqual([
    messages.requiredFields,
    "Telephone now; you can send this again at any time.",
  ]);
});

describe("a visitor", () => {
  it("is told when an estimate can't be sent, and loses nothing", async () => {
    const { page } = await openPage(browser);
    await openQuiet(page, `${server.url}/estimator`);
    await refuse(page, "estimator");
    await page.getByRole("spinbutton", { name: "Prod Server", exact: true }).fill("3");
    for (const [label, text] of [
      ["Name", "Asha Rao"],
      ["Email", "asha@example.in"],
      ["Organization name", "Kaveri Textiles"],
      ["Phone number", "9876543210"],
      ["Number of users", "12"],
      ["Message", "Two plants."],
    ] as const)
      await page.getByRole("textbox", { name: label, exact: true }).fill(text);
    await page.getByRole("button", { name: "Send my estimate" }).click();
    await page.getByRole("alert").getByText(messages.quoteFailed).waitFor();
    expect(await page.getByLabel("Message").inputValue()).toBe("Two plants.");
  });
  it("signs in with what was filled in before the page's script came", async () => {
    const { page } = await openPage(browser);
    const go = await holdBack(page, "**/assets/*.js");
    await page.goto(`${server.url}/login`, { waitUntil: "commit" });
    await page.getByLabel("Email").fill("asha@example.in");
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByLabel("Password", { exact: true }).press("Enter");
    expect(page.url()).toBe(`${server.url}/login`);
    const asked = page.waitForRequest("**/api/auth/login");
    go();
    await untilTakenOver(page);
    await page.getByRole("button", { name: "Login" }).click();
    expect((await asked).postDataJSON()).toEqual({ email: "asha@example.in", password });
  });
  it("is registered by a 201 alone, is told when registration fails, and loses nothing", async () => {
    const { page } = await openPage(browser);
    await openQuiet(page, `${server.url}/login?register`);
    await page.route("**/api/auth/register", (route) => route.fulfill({ status: 200, json: { message: "Done." } }));
    await fillRegistration(page);
    await page.getByText(messages.registrationFailed, { exact: true }).waitFor();
    expect(await page.getByText(messages.registered).count()).toBe(0);
    await page.route("**/api/auth/register", (route) => route.abort());
    await registerWith(page, password);
    await page.getByText(messages.registrationError("")).first().waitFor();
    await page.getByText(messages.registrationFailed, { exact: true }).waitFor({ state: "detached" });
    await refuse(page, "auth/register", 500, "");
    await registerWith(page, password);
    await page.getByText(messages.registrationFailed, { exact: true }).first().waitFor();
    await page.getByRole("button", { name: "Previous" }).click();
    expect(await page.getByLabel("Company name").inputValue()).toBe("Kaveri Textiles");
  });
  it("reads what went wrong where no page is", async () => {
    const { page } = await openPage(browser);
    const answer = await page.goto(`${server.url}/no-such-page`);
    expect(answer?.status()).toBe(404);
    expect(await page.title()).toBe(`Page not found – ${brand.name}`);
    await page.getByRole("heading", { name: messages.pageNotFound }).waitFor();
    await page.getByText(`${messages.errorIs}Not Found`).waitFor();
    const unknown = createElement(MemoryRouter, null, createElement(RouteFailure, { detail: { odd: true } }));
    expect(renderToStaticMarkup(unknown)).toContain(messages.errorIs + messages.unknownError);
  });
});

describe("an administrator", () => {
  it("is told of orders and a service board that can't be fetched, of a partner without customers, a proposal that is not there and a dashboard that can't be saved", async () => {
    const page = await openAt(admin, "/admin/partnerList");
    await page.getByRole("button", { name: /View/ }).first().click();
    await page.getByRole("dialog").getByText(messages.noCustomersInPanel).waitFor();
    await failAndTryAgain(page, "/admin/orderData", "admin/getPaymentDetailsByStatus", messages.ordersFailed);

    const asked = "**/api/admin/service?*";
    await page.route(asked, (route) => route.fulfill({ status: 500, json: { error: "Broken.", code: "internal" } }));
    await follow(page, "/admin/dashboard", "/admin/dashboard");
    await page.getByText("The state of your customers’ service could not be loaded.").waitFor();
    // The rest of the dashboard is visible.
    await page.getByRole("heading", { level: 2, name: "Latest leads" }).waitFor();
    const health = page.getByRole("region", { name: "How things stand" });
    expect(await health.count()).toBe(0);
    await page.unroute(asked);
    await page.getByRole("button", { name: "Try again" }).first().click();
    await health.waitFor();

    await follow(page, "/admin/estimateOrder", "/admin/estimateOrder");
    await page.getByRole("button", { name: /^View the proposal Q-\d{6} for Deccan Foods$/ }).click();
    await page.getByText(messages.noPdfFile).waitFor();
    await refuse(page, "admin/updateCustomerToolSiemByAdmin");
    await follow(page, "/admin/customerList", "/admin/customerList");
    await page.getByRole("row", { name: customer.email }).getByRole("button", { name: /View/ }).click();
    await page.getByRole("textbox", { name: "SIEM URL" }).fill("https://siem.example.in/new");
    await page.getByRole("button", { name: "Update SIEM" }).click();
    expect(await appears(page.getByText(messages.siemFailed))).toBe(true);
  });
});

describe("a visitor whose page is nobody else's afterwards", () => {
  let page: Page;
  beforeAll(async () => {
    ({ page } = await openPage(browser));
  });
  afterAll(() => page.context().close());

  it("is told when signing in does not reach the server, and in the last-resort texts where it gives no reason", async () => {
    await openQuiet(page, `${server.url}/login`);
    await page.getByLabel("Email").fill("asha@example.in");
    await page.getByLabel("Password", { exact: true }).fill(password);
    const logIn = page.getByRole("button", { name: "Login" });
    await page.route("**/api/auth/login", (route) => route.abort());
    await logIn.click();
    await page.getByText(messages.loginError("")).waitFor();
    await page.route("**/api/auth/login", (route) => route.fulfill({ status: 401, body: "" }));
    await logIn.click();
    await page.getByText(messages.invalidCredentials, { exact: true }).waitFor();
    await page.route("**/api/auth/login", (route) => route.fulfill({ status: 502, body: "<html>" }));
    await logIn.click();
    await page.getByText(messages.loginError("")).waitFor();
    await page.clock.install();
    await page.route("**/api/auth/login", (route) => route.fulfill({ json: { message: "Sent." } }));
    await logIn.click();
    const code = page.getByLabel("6-digit code");
    const verify = page.getByRole("button", { name: "Verify OTP" });
    await page.route("**/api/auth/verify-otp", (route) => route.abort());
    await code.fill("123456");
    await verify.click();
    await page.getByText(messages.otpError("")).waitFor();
    expect(await code.inputValue()).toBe("123456");
    await page.route("**/api/auth/verify-otp", (route) => route.fulfill({ status: 401, body: "" }));
    await verify.click();
    await page.getByText(messages.invalidOtp, { exact: true }).waitFor();
    // The message about the old code disappears with the new one.
    await page.clock.runFor(61_000);
    await page.getByRole("button", { name: "Resend OTP" }).click();
    await page.getByText(messages.invalidOtp, { exact: true }).waitFor({ state: "detached" });
    await page.getByRole("status").getByText("A new code is on its way.").waitFor();
    expect(await code.evaluate((element) => element === document.activeElement)).toBe(true);
  });
  it("finds the way on in the frame of a page that fails", async () => {
    await page.addInitScript(() => {
      URLSearchParams.prototype.has = () => {
        throw new Error("A page that fails");
      };
    });
    await page.goto(`${server.url}/login`);
    await page.getByText(`${messages.errorIs}A page that fails`).waitFor();
    await page.getByRole("heading", { name: "Something went wrong here. Please reload the page." }).waitFor();
    expect(await page.getByText(messages.pageNotFound).count()).toBe(0);
    expect(await findBarriersAtBothWidths(page)).toEqual([]);
    await page.getByRole("contentinfo").getByRole("link", { name: "Contact" }).first().waitFor();
    expect(await page.getByRole("banner").count()).toBe(1);
  });
});

async function fillRegistration(page: Page): Promise<void> {
  await page.getByLabel("First name").fill("Asha");
  await page.getByLabel("Last name").fill("Rao");
  await page.getByLabel("Email").fill("asha@example.in");
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByLabel("Company name").fill("Kaveri Textiles");
  await page.getByRole("textbox", { name: "Phone", exact: true }).fill("9876543210");
  await page.getByRole("button", { name: "Next" }).click();
  await registerWith(page, password);
}

async function registerWith(page: Page, chosen: string): Promise<void> {
  await page.getByLabel("Password", { exact: true }).fill(chosen);
  await page.getByLabel("Confirm password").fill(chosen);
  await page.getByRole("button", { name: "Register" }).click();
}

async function appears(text: Locator): Promise<boolean> {
  await text.first().waitFor();
  return true;
}

/** Makes an operation fail as the server would. */
async function refuse(page: Page, operation: OperationName, status = 422, error = "Broken."): Promise<void> {
  await page.route(`**/api/${operation}`, (route) =>
    route.fulfill({ status, json: { error, code: status === 422 ? "invalid" : "internal" } }),
  );
}
