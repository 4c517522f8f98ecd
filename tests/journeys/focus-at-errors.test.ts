import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { leads } from "../../server/database/schema/index.ts";
import { sellerIs } from "../billing.ts";
import { leaveBrowser, openPage, openQuiet, sharedBrowser, type WatchedPage } from "../browser.ts";
import { startTestServer, type TestServer } from "../harness.ts";
import { insertQuote } from "../paid-order.ts";
import { type Member, member } from "../people.ts";
import { goTo, hasFocus, openSignedIn } from "../portal-page.ts";
import { bankOfTests, transferBuyer } from "../transfers.ts";

let server: TestServer;
let browser: Browser;
let admin: Member;
beforeAll(async () => {
  [server, browser] = await Promise.all([startTestServer({ pages: true, work: false }), sharedBrowser()]);
  admin = await member(server, "admin");
});
afterAll(async () => {
  await leaveBrowser(browser);
  await server?.stop();
});

describe("On one page of an administrator,", () => {
  let watched: WatchedPage;
  let page: Page;
  beforeAll(async () => {
    watched = await openSignedIn(browser, server, admin);
    ({ page } = watched);
    page.on("dialog", (question) => void question.accept());
  });
  afterAll(() => watched.leave());

  it("whoever saves a lead is taken to what is wrong, here or by the server, and stays at the button that saved", async () => {
    const [lead] = await server.services.database
      .insert(leads)
      .values({
        userName: "Asha Rao",
        userEmail: "asha@lead.example",
        phone: "+919876543210",
        organization: "Godavari Foods",
        organizationSize: 120,
        message: "Please call in the morning.",
      })
      .returning();
    await goTo(page, server, `/admin/estimateOrder?lead=${lead?.id}`);
    const panel = page.getByRole("dialog");
    const save = panel.getByRole("button", { name: "Save", exact: true });
    await panel.getByLabel("Next step").fill("Send the proposal");
    await panel.getByLabel("On", { exact: true }).fill("2099-01-04");
    await panel.getByLabel("GSTIN, if known").fill("29");
    await press(save);
    await expect.poll(hasFocus(panel.getByLabel("GSTIN, if known"))).toBe(true);
    await panel.getByLabel("GSTIN, if known").fill("");
    await refuseOnce(page, "admin/leads/update", { next_step: "Please say more" });
    await press(save);
    await expect.poll(hasFocus(panel.getByLabel("Next step"))).toBe(true);
    await press(save);
    await panel.getByText(/Next step: – → Send the proposal/).waitFor();
    await expect.poll(hasFocus(save)).toBe(true);
    await expect.poll(() => save.isDisabled()).toBe(true);

    const add = panel.getByRole("button", { name: "Add note" });
    await panel.getByLabel("Note", { exact: true }).fill("Wants two plants first.");
    await press(add);
    await panel.getByRole("listitem").filter({ hasText: "Wants two plants first." }).waitFor();
    await expect.poll(() => add.isDisabled()).toBe(true);
    await expect.poll(hasFocus(add)).toBe(true);
  });

  it("whoever confirms rates is taken to the first that is missing", async () => {
    const line = { service: "Customization", number: 2, unit: "device", ratePaise: 100_00, amountPaise: 200_00 };
    const waits = { ...line, subjectToConfirmation: true };
    const lines = ["SCADA gateway", "Weighbridge"].map((deviceType) => ({ ...waits, deviceType }));
    await insertQuote(server, null, { organizationName: "Chilika Salt", lines });
    await goTo(page, server, "/admin/estimateOrder?rates=waiting");
    const rates = page.getByRole("button", { name: /^Confirm rates of Q-\d{6} for Chilika Salt$/ });
    await rates.locator("visible=true").click();
    const panel = page.getByRole("dialog", { name: "Confirm Rates" });
    await expect.poll(hasFocus(panel.getByRole("textbox", { name: "SCADA gateway" }))).toBe(true);
    await panel.getByRole("textbox", { name: "Weighbridge" }).fill("");
    await press(panel.getByRole("button", { name: "Confirm rates" }));
    await expect.poll(hasFocus(panel.getByRole("textbox", { name: "Weighbridge" }))).toBe(true);
  });

  it("whoever publishes service levels or texts is taken to the first field that is wrong", async () => {
    await goTo(page, server, "/admin/service-levels");
    const minutes = page.getByLabel("Acknowledge, minutes").nth(1);
    await minutes.fill("1.5");
    await press(page.getByRole("button", { name: "Publish" }));
    await expect.poll(hasFocus(minutes)).toBe(true);
    await minutes.fill("540");
    await page.getByLabel("P2, Acknowledge: counted").selectOption("Business hours");
    const inWords = { name: "Acknowledge, minutes", description: "1 business day", exact: true };
    await page.getByRole("group", { name: "P2, high" }).getByRole("textbox", inWords).waitFor();
    await page.getByLabel("Holds from").fill("2020-01-01T10:00");
    await press(page.getByRole("button", { name: "Publish" }));
    await expect.poll(hasFocus(page.getByLabel("Holds from"))).toBe(true);
    await page.getByLabel("Holds from").fill("");
    for (const day of ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"])
      await page.getByLabel(day, { exact: true }).uncheck();
    await press(page.getByRole("button", { name: "Publish" }));
    await expect.poll(hasFocus(page.getByLabel("Monday", { exact: true }))).toBe(true);

    await goTo(page, server, "/admin/settings");
    await page.getByRole("button", { name: "Edit Company and contact" }).click();
    const dialog = page.getByRole("dialog", { name: "Company and contact" });
    const phones = dialog.getByLabel("Phone numbers");
    await phones.fill("call us");
    for (const name of ["Preview", "Save"]) {
      await press(dialog.getByRole("button", { name }));
      await expect.poll(hasFocus(phones)).toBe(true);
    }
    await phones.fill("+91 22 5550 0199");
    await refuseOnce(page, "admin/settings/save", { "content.website": "Please enter another one" });
    await press(dialog.getByRole("button", { name: "Save" }));
    await expect.poll(hasFocus(dialog.getByLabel("Your own site"))).toBe(true);
  });

  it("whoever corrects an e-mail address is taken to it where it is wrong", async () => {
    const person = await member(server, "user", { organizationName: "Periyar Mills" });
    await goTo(page, server, `/admin/customerList?open=${encodeURIComponent(person.email)}`);
    await page.getByRole("button", { name: "Open Asha Rao" }).click();
    const email = page.getByLabel("Correct e-mail address");
    await email.fill("nobody");
    await press(page.getByRole("button", { name: "Ask to confirm" }));
    await expect.poll(hasFocus(email)).toBe(true);
    await email.fill(admin.email);
    await refuseOnce(page, "admin/people/correct-email", { email: "This address is taken" });
    await press(page.getByRole("button", { name: "Ask to confirm" }));
    await expect.poll(hasFocus(email)).toBe(true);
  });
});

it("Whoever buys is taken to what the server says is wrong, whichever way it is paid, and so is who saves whom to call", async () => {
  const deductions = [{ section: "194J", percent: 10, validFrom: "2020-04-01" }];
  await sellerIs(server, { bank: bankOfTests, creditDays: 30, deductions });
  const { person } = await transferBuyer(server);
  const { page } = await openSignedIn(browser, server, person);
  await goTo(page, server, "/user/myquote");
  await page.getByRole("button", { name: /^Buy/ }).locator("visible=true").first().click();
  const dialog = page.getByRole("dialog", { name: "Buy this quote" });
  await expect.poll(hasFocus(dialog.getByRole("form", { name: "How it is paid" }))).toBe(true);
  const start = dialog.getByLabel("Service starts on");
  await start.fill("2020-01-01");
  await press(dialog.getByRole("button", { name: /^Pay/ }));
  await expect.poll(hasFocus(start)).toBe(true);
  await dialog.getByRole("button", { name: "Bank transfer" }).click();
  await press(dialog.getByRole("button", { name: "Get the proforma invoice" }));
  await dialog
    .getByText(/Please choose a day from today/)
    .first()
    .waitFor();
  await expect.poll(hasFocus(start)).toBe(true);
  await start.fill("");
  await dialog.getByLabel("We deduct tax at source from this payment").check();
  await dialog.getByLabel("Section and rate").selectOption({ label: "Another one" });
  await dialog.getByRole("textbox", { name: "Section" }).fill("194J");
  await press(dialog.getByRole("button", { name: "Get the proforma invoice" }));
  await expect.poll(hasFocus(dialog.getByLabel("Percent"))).toBe(true);
  await dialog.getByLabel("Percent").fill("10");
  await dialog.getByLabel("Percent").press("Enter");
  await dialog.getByText(/Proforma invoice .* is made/).waitFor();

  await goTo(page, server, "/user/under-attack");
  await page.getByRole("button", { name: "Change the contacts" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Meera Iyer");
  await page.getByRole("textbox", { name: "Telephone" }).fill("none");
  await press(page.getByRole("button", { name: "Save contacts" }));
  await expect.poll(hasFocus(page.getByRole("textbox", { name: "Telephone" }))).toBe(true);
});

it("Whoever sets a password, or gives the code, is taken to what is wrong", async () => {
  const { page } = await openPage(browser);
  await openQuiet(page, `${server.url}/reset-password#token=not-one`);
  const password = page.getByLabel("New password");
  await password.fill("Three unrelated words: lamp, river, chess");
  await press(page.getByRole("button", { name: "Save the password" }));
  await expect.poll(hasFocus(page.getByLabel("Confirm password"))).toBe(true);
  await page.getByLabel("Confirm password").fill("Three unrelated words: lamp, river, chess");
  await refuseOnce(page, "auth/reset-password", { newPassword: "This password is known" });
  await press(page.getByRole("button", { name: "Save the password" }));
  await expect.poll(hasFocus(password)).toBe(true);

  await openQuiet(page, `${server.url}/login`);
  await page.getByLabel("Email").fill("asha");
  await press(page.getByRole("button", { name: "Login", exact: true }));
  await expect.poll(hasFocus(page.getByLabel("Email"))).toBe(true);
  await page.route("**/api/auth/login", (route) => route.fulfill({ json: { message: "The code is sent." } }));
  await page.getByLabel("Email").fill("asha@example.in");
  await page.getByRole("textbox", { name: "Password" }).fill("a password of eight words");
  await press(page.getByRole("button", { name: "Login", exact: true }));
  const code = page.getByLabel("6-digit code");
  const verify = page.getByRole("button", { name: "Verify OTP" });
  await code.fill("12");
  await press(verify);
  await expect.poll(hasFocus(code)).toBe(true);
  await page.route("**/api/auth/verify-otp", (route) =>
    route.fulfill({ status: 401, json: { error: "The code is wrong.", code: "wrong_password", fields: {} } }),
  );
  await code.fill("123456");
  await press(verify);
  await page.getByText("The code is wrong.").waitFor();
  await expect.poll(hasFocus(code)).toBe(true);
});

it("Whoever registers is taken to the first field of a step that is wrong, also of an earlier one", async () => {
  const { page } = await openPage(browser);
  await openQuiet(page, `${server.url}/login?register`);
  const next = page.getByRole("button", { name: "Next" });
  await page.getByLabel("First name").fill("Asha");
  await page.getByLabel("Last name").fill("Rao");
  await press(next);
  await expect.poll(hasFocus(page.getByLabel("Email"))).toBe(true);
  await page.getByLabel("Email").fill("asha@example.in");
  await press(next);
  await page.getByLabel("Company name").fill("Kaveri Textiles");
  await press(next);
  await expect.poll(hasFocus(page.getByRole("textbox", { name: "Phone", exact: true }))).toBe(true);
  await page.getByRole("textbox", { name: "Phone", exact: true }).fill("9876543210");
  await press(next);
  for (const label of ["Password", "Confirm password"])
    await page.getByLabel(label, { exact: true }).fill("Three unrelated words: lamp, river, chess");
  await refuseOnce(page, "auth/register", { email: "This address is taken" });
  await press(page.getByRole("button", { name: "Register" }));
  await expect.poll(hasFocus(page.getByLabel("Email"))).toBe(true);
});

const refuseOnce = (page: Page, operation: string, fields: Record<string, string>) =>
  page.route(
    `**/api/${operation}`,
    (route) => route.fulfill({ status: 422, json: { error: Object.values(fields)[0], code: "invalid", fields } }),
    { times: 1 },
  );

/** Presses a control once it is enabled: it may still wait for the result of the press before. */
async function press(control: Locator): Promise<void> {
  await expect.poll(() => control.isEnabled()).toBe(true);
  await control.press("Enter");
}
