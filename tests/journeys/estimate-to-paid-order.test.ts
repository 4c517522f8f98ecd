import type { Browser, Page } from "playwright-core";
import { extractText } from "unpdf";
import { afterAll, beforeAll, expect, it } from "vitest";
import { paiseFrom } from "../../contract/money.ts";
import { messages } from "../../contract/messages.ts";
import { priceDevices } from "../../server/rates/pricing.ts";
import { currentRateCard } from "../../server/rates/rate-card.ts";
import { leaveBrowser, openPage, openQuiet, sharedBrowser, whenQuiet } from "../browser.ts";
import { password } from "../factories.ts";
import { startTestServer, type TestServer } from "../harness.ts";
import { member } from "../people.ts";
import { findBarriers, openSignedIn } from "../portal-page.ts";

let server: TestServer;
let browser: Browser;
beforeAll(async () => {
  [server, browser] = await Promise.all([startTestServer({ pages: true }), sharedBrowser()]);
});
afterAll(async () => {
  await leaveBrowser(browser);
  await server?.stop();
});

const email = "asha.journey@example.in";

it("takes a visitor from counting devices to a paid order with its tax invoice", async () => {
  const { page, complaints } = await openPage(browser);

  await countDevices(page);
  await fillQuoteForm(page);
  await page.getByRole("button", { name: "Send my estimate" }).click();
  await page.getByText(messages.quoteSent).waitFor();
  const sent = page.getByRole("region", { name: /^Your estimate has the number Q-\d{6}$/ });
  const number = /Q-\d{6}/.exec(await sent.getByRole("heading").innerText())?.[0] ?? "";
  await sent.getByText("We confirm the rates of your custom devices").waitFor();
  const view = sent.getByRole("button", { name: "View the proposal" });
  await view.click();
  const viewer = page.getByRole("dialog", { name: `Proposal ${number}` });
  expect(await viewer.getByRole("link", { name: "Download" }).getAttribute("download")).toBe(`Proposal ${number}.pdf`);
  await page.keyboard.press("Escape");
  await viewer.waitFor({ state: "hidden" });
  await expect.poll(() => view.evaluate((element) => element === document.activeElement)).toBe(true);
  expect(await findBarriers(page)).toEqual([]);
  await sent.getByRole("button", { name: "Send another with these devices" }).click();
  expect(await page.getByLabel("Message").inputValue()).toBe("");
  expect(await page.getByRole("spinbutton", { name: "Prod Server", exact: true }).inputValue()).toBe("60");

  const proposal = await server.mailbox.take(email, /proposal Q-/);
  expect(proposal.subject).toContain(number);
  const proposed = await expectedTotal();
  const proposalText = await textOf(proposal.attachments[0]?.content);
  expect(proposalText).toContain("Kaveri Textiles");
  expect(proposalText).toContain("आशा");
  expect(proposalText).toContain("SCADA gateway");
  expect(proposalText).toContain(proposed.paper);

  await register(page);
  await signIn(page);
  await page.getByRole("link", { name: "My Quotes" }).click();
  await page.getByRole("cell", { name: proposed.shown }).waitFor();
  await page.getByText("Rates being confirmed").first().waitFor();
  expect(await page.getByRole("button", { name: "Buy Now" }).count()).toBe(0);

  await confirmRates();
  const total = await expectedTotal(confirmedPaise);
  const final = await server.mailbox.take(email, /proposal Q-\d+ with confirmed rates/);
  expect(await textOf(final.attachments[0]?.content)).toContain(total.paper);
  await page.reload();
  await page.getByRole("cell", { name: total.shown }).waitFor();
  await page.getByRole("button", { name: "View Proposal" }).click();
  await page.getByRole("dialog").getByRole("link", { name: "Download" }).waitFor();
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: "Buy Now" }).click();
  await page.getByRole("radio", { name: "Registered for GST" }).check();
  await page.getByLabel("GSTIN").fill("29ABCDE1234F1ZW");
  await page.getByLabel("Billing address").fill("12 Mill Road, Mysuru");
  await page.getByLabel("PIN code").fill("570001");
  await page.getByRole("button", { name: "Save and go on" }).click();
  await page.locator("form:focus").waitFor();
  const pay = page.getByRole("button", { name: `Pay ${total.shown}` });
  // Somebody who returns with the browser's Back to the page as they left it can still pay.
  await page.route("**/_payment", (route) => route.fulfill({ status: 204 }));
  const isSent = page.waitForResponse("**/_payment");
  await pay.click();
  await isSent;
  await page.locator("button[data-loading]").waitFor();
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })));
  await page.unroute("**/_payment");
  await pay.click();
  await page.getByRole("heading", { name: `Pay ${total.shown}` }).waitFor();
  await page.getByRole("button", { name: "Pay", exact: true }).click();

  await page.getByRole("heading", { name: "Payment received" }).waitFor();
  await page.getByRole("button", { name: "View the invoice" }).click();
  await page.getByRole("dialog").getByRole("link", { name: "Download" }).waitFor();
  await page.keyboard.press("Escape");

  const receipt = await server.mailbox.take(email, /invoice SOC/);
  const invoiceText = await textOf(receipt.attachments[0]?.content);
  expect(invoiceText).toContain("29ABCDE1234F1ZW");
  expect(invoiceText).toContain("CGST");
  expect(invoiceText).toContain(total.paper);
  expect(invoiceText).toMatch(/SOC\/\d\d-\d\d\/000001/);

  await page.getByRole("link", { name: "Order history", exact: true }).click();
  await page.getByRole("cell", { name: total.shown }).waitFor();
  await page.getByRole("cell", { name: "Success" }).waitFor();
  await page.getByRole("link", { name: "My Quotes" }).click();
  await page.getByText("Bought").first().waitFor();
  expect(await page.getByRole("button", { name: "Buy Now" }).count()).toBe(0);

  const { rows } = await server.services.database.$client.query("select amount_paise, state from orders");
  expect(rows).toEqual([{ amount_paise: total.paise, state: "success" }]);

  await page.getByRole("button", { name: "Sign Out" }).click();
  await page.waitForURL("**/login**");
  expect(
    await page.evaluate(() =>
      Object.keys(localStorage).filter((key) => ["token", "email", "isAuthenticated"].includes(key)),
    ),
  ).toEqual([]);
  expect(complaints).toEqual([]);
});

/** Enters some devices by typing, one with the keyboard on its slider and one by hand; a reload must keep them all. */
async function countDevices(page: Page): Promise<void> {
  await openQuiet(page, `${server.url}/estimator`);
  await page.getByRole("spinbutton", { name: "Prod Server", exact: true }).fill("60");
  const slider = page.getByRole("slider", { name: "Hypervisor" });
  await slider.focus();
  for (let press = 0; press < 3; press++) await page.keyboard.press("ArrowRight");
  expect(await page.getByRole("spinbutton", { name: "Hypervisor" }).inputValue()).toBe("3");
  await page.getByRole("button", { name: "Custom Devices" }).click();
  await page.getByLabel("Device type").fill("SCADA gateway");
  await page.getByRole("spinbutton", { name: "Number of devices" }).fill("4");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page
    .getByText((await expectedTotal()).shown)
    .first()
    .waitFor();
  await whenQuiet(page, () => page.reload());
  await page.getByRole("button", { name: "Remove SCADA gateway" }).waitFor();
  expect(await page.getByRole("spinbutton", { name: "Prod Server", exact: true }).inputValue()).toBe("60");
}

async function fillQuoteForm(page: Page): Promise<void> {
  await page.getByText(messages.fillToEnable).waitFor();
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("आशा Rao");
  await page.getByRole("textbox", { name: "Email", exact: true }).fill(email);
  await page.getByLabel("Organization name").fill("Kaveri Textiles");
  await page.getByRole("textbox", { name: "Phone number" }).fill("9876543210");
  await page.getByLabel("Number of users").fill("120");
  await page.getByLabel("Message").fill("Two plants <b>and</b> a head office.");
}

async function register(page: Page): Promise<void> {
  await page.getByRole("banner").getByRole("link", { name: "Login" }).click();
  await page.getByRole("button", { name: "Register" }).click();
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("alert").getByText(messages.requiredFields).waitFor();
  await page.getByLabel("First name").fill("Asha");
  await page.getByLabel("Last name").fill("Rao");
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByLabel("Company name").fill("Kaveri Textiles");
  await page.getByRole("textbox", { name: "Phone" }).fill("9876543210");
  // Somebody who visits the sign-in page first loses nothing: only a password is left to choose.
  await page.getByRole("main").getByRole("button", { name: "Sign in" }).last().click();
  await page.getByRole("button", { name: "Register" }).click();
  await page.getByRole("heading", { name: "Create your account" }).waitFor();
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByLabel("Confirm password").fill(password);
  await page.getByRole("button", { name: "Register" }).click();
  await page.getByText(messages.registered).waitFor();
}

async function signIn(page: Page): Promise<void> {
  expect(await page.getByLabel("Email").inputValue()).toBe(email);
  // A keyboard user can type on at once.
  const typed = page.getByLabel("Password", { exact: true });
  await expect.poll(() => typed.evaluate((field) => field === document.activeElement)).toBe(true);
  await page.keyboard.type(password);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Verify OTP" }).waitFor();
  const mail = await server.mailbox.take(email, /sign-in code/);
  await page.getByLabel("6-digit code").fill(/\b\d{6}\b/.exec(mail.text ?? "")?.[0] ?? "");
  await page.getByRole("button", { name: "Verify OTP" }).click();
  await page.waitForURL("**/user/dashboard");
}

const confirmedPaise = 1_999_950;

/** An administrator's work in Lead Management, in a separate page. */
async function confirmRates(): Promise<void> {
  const { page, complaints } = await openSignedIn(browser, server, await member(server, "admin"));
  await page.goto(`${server.url}/admin/estimateOrder`);
  await page.getByText("Rates to confirm", { exact: true }).locator("visible=true").waitFor();
  await page
    .getByRole("button", { name: /^Confirm rates of Q-\d{6} for Kaveri Textiles$/ })
    .locator("visible=true")
    .click();
  const panel = page.getByRole("dialog", { name: "Confirm Rates" });
  await panel.getByRole("textbox", { name: "SCADA gateway" }).fill(String(confirmedPaise / 100));
  await panel.getByRole("cell", { name: (await expectedTotal(confirmedPaise)).shown }).waitFor();
  await panel.getByRole("button", { name: "Confirm rates" }).click();
  await page.getByText(messages.ratesConfirmed).waitFor();
  await page.getByText("Rates to confirm", { exact: true }).locator("visible=true").waitFor({ state: "hidden" });
  expect(complaints).toEqual([]);
}

/** The total with the custom device's default rate, or another. */
async function expectedTotal(customPaise?: number) {
  const card = await currentRateCard(server.services);
  const rates = card.rates.map((rate) =>
    rate.deviceType === "*" && customPaise ? { ...rate, yearlyPaise: customPaise } : rate,
  );
  const { totalPaise } = priceDevices({ ...card, rates }, [
    { service: "Server", deviceType: "Prod Server", number: 60 },
    { service: "Server", deviceType: "Hypervisor", number: 3 },
    { service: "Customization", deviceType: "SCADA gateway", number: 4 },
  ]);
  const shown = new Intl.NumberFormat("en-IN", { style: "currency", currency: "INR" }).format(totalPaise / 100);
  expect(paiseFrom(shown.replace(/[₹,]/g, ""))).toBe(totalPaise);
  return { paise: totalPaise, shown, paper: shown.replace("₹", "") };
}

async function textOf(pdf: string | ArrayBuffer | Uint8Array | undefined): Promise<string> {
  const bytes = pdf instanceof ArrayBuffer ? new Uint8Array(pdf) : (pdf as Uint8Array);
  return (await extractText(new Uint8Array(bytes), { mergePages: true })).text;
}
