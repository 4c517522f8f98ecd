import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { formatRupees, rupees } from "../../contract/money.ts";
import { leaveBrowser, sharedBrowser } from "../browser.ts";
import { billingOf, giveBilling, letterOfSeller, sellerIs } from "../billing.ts";
import { startTestServer, type TestServer } from "../harness.ts";
import { insertOrder, insertQuote, quoteHolder } from "../paid-order.ts";
import { type Member, member } from "../people.ts";
import { findBarriersAtBothWidths, findDialogBarriers, follow, openSignedIn, phone } from "../portal-page.ts";
import { readPdf } from "../read-pdf.ts";
import { readQr } from "../read-qr.ts";
import { post, settleAtSandbox } from "../sandbox.ts";

let server: TestServer;
let browser: Browser;
beforeAll(async () => {
  [server, browser] = await Promise.all([startTestServer({ pages: true }), sharedBrowser()]);
  // The sample seller is in Karnataka.
  await sellerIs(server, {
    cin: "U62099KA2024PTC000000",
    undertaking: letterOfSeller,
    eInvoices: { from: "2020-04-01", place: "Bengaluru", pinCode: "560025" },
  });
});
afterAll(async () => {
  await leaveBrowser(browser);
  await server?.stop();
});

interface Details {
  kind: string;
  legalName: string;
  address: string;
  pinCode?: string;
  stateCode?: string;
  gstin?: string;
  country?: string;
  undertaking?: { number: string; date: string; validTo: string };
}
const kinds: Record<string, string> = {
  registered: "Registered for GST",
  unregistered: "Not registered",
  sez: "In a special economic zone",
  abroad: "Outside India",
};

/** Types only what the details contain; a GSTIN fills in its state. */
async function fillIn(page: Page, details: Details): Promise<void> {
  await page.getByRole("radio", { name: kinds[details.kind] ?? "" }).check();
  await page.getByLabel("Legal name").fill(details.legalName);
  await page.getByLabel("Billing address").fill(details.address);
  if (details.gstin) await page.getByLabel("GSTIN").fill(details.gstin);
  if (details.pinCode) await page.getByLabel("PIN code").fill(details.pinCode);
  if (details.country) await page.getByLabel("Country").selectOption(details.country);
  else if (!details.gstin) await page.getByLabel("State").selectOption(details.stateCode ?? "");
  if (!details.undertaking) return;
  await page.getByLabel("We buy under a letter of undertaking").check();
  await page.getByLabel("Number of the letter").fill(details.undertaking.number);
  await page.getByLabel("Date of the letter").fill(details.undertaking.date);
  await page.getByLabel("Valid to").fill(details.undertaking.validTo);
}

const zeroRated = "WITHOUT PAYMENT OF INTEGRATED TAX.";
const buyers = [
  {
    who: "a registered buyer in Kerala",
    details: billingOf.kerala,
    shown: "IGST: you are in another state than we are.",
    says: [/IGST 18%/, /GSTIN: 32AAGCB7383J1ZH/, /State: Kerala \(32\)/, /Place of supply Kerala \(32\)/],
    never: [/CGST/, /SUPPLY MEANT/],
    isTaxed: true,
    registeredAs: billingOf.kerala.gstin,
  },
  {
    who: "an unregistered buyer",
    details: billingOf.unregistered,
    shown: "CGST and SGST: you and we are in the same state.",
    says: [/CGST 9%/, /SGST 9%/, /Not registered for GST/, /12 Mill Road, Mysuru, 570001/],
    never: [/IGST/, /E-invoice/],
    isTaxed: true,
    registeredAs: null,
    // The sandbox's page is the same for every case.
    paysInPage: true,
  },
  {
    who: "a unit in a special economic zone under letters of undertaking",
    details: billingOf.sez,
    shown: "No GST: a supply to a special economic zone under letters of undertaking.",
    says: [
      /SUPPLY TO SEZ UNIT OR SEZ DEVELOPER/,
      new RegExp(zeroRated),
      /Letter of undertaking AD290426000001A/,
      /SEZ\/LUT\/2026\/17 of 1 April 2026/,
    ],
    never: [/[CSI]GST \d/],
    isTaxed: false,
    registeredAs: billingOf.sez.gstin,
  },
  {
    who: "a company in Dubai",
    details: billingOf.dubai,
    shown: "No GST: a supply outside India under our letter of undertaking.",
    says: [/SUPPLY MEANT FOR EXPORT/, new RegExp(zeroRated), /United Arab Emirates/, /Outside India/],
    never: [/[CSI]GST \d/, /State: (?!Karnataka \(29\) GSTIN: 29ABCDE)/],
    isTaxed: false,
    registeredAs: "URP",
  },
];

const purchaseOrder = "PO/2026/9";

/** Pays for a quote with the calls that the dialog makes, without a page. */
async function payWithout({ email, token }: Member, quoteId: string, paise: number): Promise<void> {
  const order = { email, quote_id: quoteId, amount: rupees(paise), name: "Asha Rao", phone: "+919876543210" };
  const { body } = await server.call("user/orders", { ...order, purchaseOrder }, token);
  const back = await settleAtSandbox(body, "success");
  await post(back.action, back.fields);
}

describe("Who has given no billing details is asked for them in the purchase, sees the tax, and gets the invoice:", () => {
  it.each(buyers)("$who", async (bought) => {
    const { details, shown, says, never, isTaxed, registeredAs, paysInPage = false } = bought;
    const buyer = await member(server, "user");
    const quote = await insertQuote(server, buyer);
    const { page, complaints } = await openSignedIn(browser, server, buyer, phone);
    await page.goto(`${server.url}/user/myquote`);
    await page.getByRole("button", { name: "Buy Now" }).locator("visible=true").click();
    await page.getByText("Before the first payment we ask for").waitFor();
    await fillIn(page, details);
    expect(await findDialogBarriers(page)).toEqual([]);
    await page.setViewportSize({ width: 375, height: 667 });
    await page.getByRole("button", { name: "Save and go on" }).click();

    const payable = isTaxed ? quote.totalPaise : quote.subtotalPaise - quote.discountPaise;
    const dialog = page.getByRole("dialog", { name: "Buy this quote" });
    await dialog.getByText(shown).waitFor();
    // What is bought stands at the top of this step, whatever the one before was scrolled to.
    expect(await dialog.evaluate(({ scrollTop }) => scrollTop)).toBe(0);
    await dialog.getByLabel("Your purchase order number").fill(purchaseOrder);
    const pay = dialog.getByRole("button", { name: `Pay ${formatRupees(payable)}`, exact: true });
    await pay.waitFor();
    expect(paysInPage ? await findDialogBarriers(page) : []).toEqual([]);
    if (paysInPage) {
      await pay.click();
      await page.getByRole("button", { name: "Pay", exact: true }).click();
      await page.getByRole("heading", { name: "Payment received" }).waitFor();
    } else await payWithout(buyer, quote.id, payable);

    const { attachments } = await server.mailbox.take(buyer.email, /invoice SOC/);
    const pdf = new Uint8Array(attachments[0]?.content as ArrayBuffer);
    const { text } = await readPdf(pdf);
    for (const part of [/CIN: U62099KA2024PTC000000/, /Service period/, /PO\/2026\/9/, /Quote Q-\d{6}/, ...says])
      expect(text).toMatch(part);
    expect(text).toContain(details.legalName);
    for (const part of never) expect(text).not.toMatch(part);
    expect(text.replaceAll(",", "")).toContain(`Total invoice value ₹${rupees(payable)}`);
    const said = registeredAs && (await signedQrOf(pdf));
    const told = said && { buyer: said.BuyerGstin, total: said.TotInvVal };
    expect(told).toEqual(registeredAs && { buyer: registeredAs, total: payable / 100 });
    expect(text.replaceAll(/[\s\u200B]/g, "").includes(`(IRN)${said && said.Irn}`)).toBe(registeredAs !== null);
    await follow(page, "/user/orderhistory", "/user/orderhistory");
    await page.getByRole("button", { name: "History" }).locator("visible=true").click();
    await page.getByText("Invoice issued").waitFor();
    expect(await page.getByText("Registered with the government’s portal").count()).toBe(registeredAs ? 1 : 0);
    expect(complaints).toEqual([]);
  });
});

it("Who changes the billing details in the purchase keeps their place, and reads no failure of the sum before", async () => {
  const buyer = await member(server, "user");
  await giveBilling(server, buyer.email);
  await insertQuote(server, buyer);
  const { page } = await openSignedIn(browser, server, buyer, phone);
  await page.goto(`${server.url}/user/myquote`);
  await page.getByRole("button", { name: "Buy Now" }).locator("visible=true").click();
  const dialog = page.getByRole("dialog", { name: "Buy this quote" });
  const change = dialog.getByRole("button", { name: "Change", exact: true });
  await change.waitFor();
  const busy = { error: "The server is busy. Please try again in a moment.", code: "overloaded" };
  const offered: number[] = [];
  await page.route("**/api/user/orders", async (route) => {
    offered.push(await change.count());
    await route.fulfill({ status: 503, json: busy });
  });
  await dialog.getByRole("button", { name: /^Pay ₹/ }).click();
  await dialog.getByRole("alert").getByText(busy.error).waitFor();
  await change.click();
  const isFocused = (element: Element) => element === document.activeElement;
  const ofKind = await dialog.getByRole("radio", { name: kinds["unregistered"] ?? "" }).evaluate(isFocused);
  await page.getByLabel("Billing address").fill("14 Mill Road, Mysuru");
  await dialog.getByRole("button", { name: "Save and go on" }).click();
  await dialog.getByText("14 Mill Road, Mysuru, 570001").waitFor();
  await change.waitFor();
  expect([await change.evaluate(isFocused), await dialog.getByRole("alert").count(), offered]).toEqual([true, 0, [0]]);
  expect(ofKind).toBe(true);
});

/** The portal's signed data, read from the document's QR code as a camera would. */
async function signedQrOf(pdf: Uint8Array): Promise<{ BuyerGstin: string; TotInvVal: number; Irn: string }> {
  const [, payload = ""] = (await readQr(pdf)).split(".");
  return JSON.parse(JSON.parse(Buffer.from(payload, "base64url").toString()).data);
}

/** Backdates the portal's acknowledgements, which nothing else can change. */
const acknowledgedHoursAgo = (hours: number) =>
  server.services.database.$client.query(`begin; alter table e_invoices disable trigger e_invoices_never_changed;
    update e_invoices set ack_at = now() - interval '${hours} hours';
    alter table e_invoices enable trigger e_invoices_never_changed; commit`);

it("An administrator cancels an invoice at the portal, and is told what that means", async () => {
  const admin = await member(server, "admin");
  const buyer = await member(server, "user");
  const {
    kind: billingKind,
    legalName,
    address: billingAddress,
    pinCode,
    stateCode: billingState,
    gstin,
  } = billingOf.kerala;
  await giveBilling(server, buyer.email, { billingKind, legalName, billingAddress, pinCode, billingState, gstin });
  const holder = await quoteHolder(server, buyer);
  const back = await settleAtSandbox((await holder.start()).body, "success");
  await post(back.action, back.fields);
  const { paymentDetails } = (await server.call("user/get-payment-by-email", {}, buyer.token)).body;
  const { page, complaints } = await openSignedIn(browser, server, admin, phone);
  const stateOf = async (id = "") => (await server.call("admin/order", { id }, admin.token)).body.e_invoices[0]?.state;
  await expect.poll(() => stateOf(paymentDetails[0]?.id)).toBe("registered");
  await acknowledgedHoursAgo(30);
  await page.goto(`${server.url}/admin/orderData?search=${paymentDetails[0]?.number}`);
  const history = page.getByRole("button", { name: "History" }).locator("visible=true");
  await history.click();
  await page.getByRole("button", { name: "Record its cancellation …" }).click();
  await page.getByRole("dialog", { name: /^Record that the portal cancelled SOC/ }).waitFor();
  await page.getByText("The portal cancels for 24 hours only, and these are over.").waitFor();
  expect(await findDialogBarriers(page)).toEqual([]);
  await acknowledgedHoursAgo(0);
  await page.reload();
  await history.click();
  await page.getByRole("button", { name: "Cancel this invoice …" }).click();
  const dialog = page.getByRole("dialog", { name: /^Cancel SOC/ });
  await dialog.getByText("The invoice then counts for nothing").waitFor();
  await dialog.getByLabel("In a few words").fill("Ordered by mistake");
  expect(await findDialogBarriers(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Cancel the invoice" }).click();
  await page.getByText("Invoice cancelled").waitFor();
  await page.getByText("It counts for nothing.").waitFor();
  expect(await findDialogBarriers(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

it("Whether the company is registered is chosen by whoever knows, and not for them, and a wrong GSTIN is told as it is typed, free of barriers", async () => {
  const buyer = await member(server, "user");
  await insertOrder(server, buyer);
  const { page, complaints } = await openSignedIn(browser, server, buyer, phone);
  await page.goto(`${server.url}/user/billing`);
  await page.getByLabel("Legal name").fill("Kaveri Textiles");
  await page.getByLabel("Billing address").fill("12 Mill Road, Mysuru");
  await page.getByLabel("PIN code").fill("570001");
  await page.getByLabel("State").selectOption("29");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Please choose what the company is").waitFor();
  expect(await page.getByRole("radio", { checked: true }).count()).toBe(0);
  await page.getByRole("radio", { name: "Not registered" }).check();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("The billing details are saved.").waitFor();

  await page.getByRole("radio", { name: "Registered for GST" }).check();
  await page.getByLabel("GSTIN").fill("29AAGCG6253J1Z9");
  await page.getByText("This is not a valid GSTIN; please check all 15 characters").waitFor();
  await page.getByLabel("GSTIN").fill("27AAPFU0939F1ZV");
  await page.getByText("The first two digits of this GSTIN are another state's").waitFor();
  expect(await findBarriersAtBothWidths(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

it("An administrator takes the registers of a period", async () => {
  const admin = await member(server, "admin");
  const { page, complaints } = await openSignedIn(browser, server, admin, phone);
  await page.goto(`${server.url}/admin/registers`);
  await page.getByRole("textbox", { name: "To" }).fill("2099-12-31");
  await page.getByRole("button", { name: "Register as CSV" }).click();
  await page.getByText("Please choose at most 366 days").first().waitFor();
  await page.getByRole("textbox", { name: "From" }).fill(`${server.services.now().getUTCFullYear()}-01-01`);
  await page.getByRole("textbox", { name: "To" }).fill(`${server.services.now().getUTCFullYear()}-12-31`);
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Register as CSV" }).click();
  expect((await saved).suggestedFilename()).toMatch(/^register-\d{4}-01-01-\d{4}-12-31\.csv$/);
  expect(complaints.filter((complaint) => !complaint.includes("422"))).toEqual([]);
});
