import { eq, sql } from "drizzle-orm";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { formatRupees, paiseFrom, rupees } from "../../contract/money.ts";
import { invoices, proformas, quotes } from "../../server/database/schema/index.ts";
import { deliverInvoice } from "../../server/billing/invoices.ts";
import { deliverProforma } from "../../server/billing/proformas.ts";
import { sellerIs } from "../billing.ts";
import { leaveBrowser, sharedBrowser } from "../browser.ts";
import { orderOf } from "../buyer.ts";
import { startTestServer, type TestServer } from "../harness.ts";
import { type Member, member } from "../people.ts";
import { findBarriers, findDialogBarriers, follow, openSignedIn, phone, typedAfterEscape } from "../portal-page.ts";
import { readPdf } from "../read-pdf.ts";
import { bankOfTests, newUtr, transferBuyer, today } from "../transfers.ts";

let server: TestServer;
let browser: Browser;
let meera: Member;
beforeAll(async () => {
  [server, browser] = await Promise.all([startTestServer({ pages: true, work: false }), sharedBrowser()]);
  meera = await member(server, "admin", { organizationName: "Provider", firstName: "Meera", lastName: "Iyer" });
  const deductions = [{ section: "194J", percent: 10, validFrom: "2020-04-01" }];
  await sellerIs(server, { bank: bankOfTests, creditDays: 30, deductions });
});
afterAll(async () => {
  await leaveBrowser(browser);
  await server?.stop();
});

const textOf = async (file: string | null | undefined) =>
  (await readPdf(await server.services.files.read(file ?? ""))).text;

it("Who deducts tax pays a proforma by transfer without it, and owes nothing once the certificate is matched", async () => {
  const { person, quote } = await transferBuyer(server);
  const { database } = server.services;
  const customer = await openSignedIn(browser, server, person, phone);
  await customer.page.goto(`${server.url}/user/myquote`);
  await customer.page.route("**/api/user/ways-to-pay", (route) => route.fulfill({ status: 500, json: {} }));
  await customer.page.getByRole("button", { name: /^Buy/ }).locator("visible=true").first().click();
  const failed = customer.page.getByRole("alert").filter({ hasText: "Other ways to pay could not be loaded." });
  await failed.waitFor();
  customer.complaints.splice(0);
  await customer.page.unrouteAll({ behavior: "ignoreErrors" });
  await failed.getByRole("button", { name: "Try again" }).click();
  await customer.page.getByRole("button", { name: "Bank transfer" }).click();
  await customer.page.getByLabel("We deduct tax at source from this payment").check();
  expect(await customer.page.getByLabel("Section and rate").inputValue()).toBe("0");
  const { tax } = (await server.call("user/get-estimation", {}, person.token)).body.estimation[0] ?? {};
  const gst = tax?.taxes.reduce((sum, { amount }) => sum + paiseFrom(amount), 0) ?? 0;
  const deducting = Math.round((paiseFrom(tax?.total ?? "0") - gst) / 1000) * 100;
  const asked = `${formatRupees(paiseFrom(tax?.total ?? "0") - deducting)} are left to be paid`;
  await customer.page.getByText(asked).waitFor();
  await customer.page.getByRole("button", { name: "Online" }).click();
  await customer.page.getByRole("button", { name: "Bank transfer" }).click();
  await customer.page.getByRole("button", { name: "Change" }).click();
  await customer.page.getByRole("button", { name: "Save and go on" }).click();
  expect(await customer.page.getByLabel("We deduct tax at source from this payment").isChecked()).toBe(true);
  expect(await findDialogBarriers(customer.page)).toEqual([]);
  await customer.page.getByRole("button", { name: "Get the proforma invoice" }).click();
  const made = customer.page.getByText("is made, and is on its way to your mailbox");
  await made.waitFor();
  expect(await made.evaluate((part) => part === document.activeElement)).toBe(true);
  await customer.page.getByText("Tax that you deduct", { exact: true }).waitFor();
  expect(await findDialogBarriers(customer.page)).toEqual([]);
  await customer.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  for (const [name, text] of [
    ["account number", bankOfTests.accountNumber],
    ["IFSC", bankOfTests.ifsc],
  ] as const) {
    await customer.page.getByRole("button", { name: `Copy the ${name}` }).click();
    await expect.poll(() => customer.page.evaluate(() => navigator.clipboard.readText())).toBe(text);
  }

  const order = await orderOf(server, quote.id);
  const proformaOf = () =>
    database
      .select()
      .from(proformas)
      .where(eq(proformas.orderId, order?.id ?? ""));
  await deliverProforma(server.services, (await proformaOf())[0]?.id ?? "");
  const [proforma] = await proformaOf();
  const deducted = order?.deducts?.amountPaise ?? 0;
  const net = (order?.amountPaise ?? 0) - deducted;
  expect(deducted).toBeGreaterThan(0);
  const printed = await textOf(proforma?.file);
  for (const said of [
    "Proforma invoice",
    proforma?.reference ?? "",
    formatRupees(net),
    "194J",
    bankOfTests.accountNumber,
  ])
    expect(printed).toContain(said);

  await customer.page.getByRole("button", { name: "Close" }).last().click();
  await customer.page.getByRole("button", { name: /^Buy/ }).locator("visible=true").first().click();
  await customer.page.getByRole("button", { name: "Bank transfer" }).click();
  await customer.page.getByLabel("Service starts on").fill("1990-01-01");
  await customer.page.getByRole("button", { name: "Get the proforma invoice" }).click();
  const start = customer.page.getByLabel("Service starts on");
  await expect.poll(() => start.evaluate((field) => field === document.activeElement)).toBe(true);
  expect(await start.getAttribute("aria-invalid")).toBe("true");
  await start.fill("");
  await customer.page.getByRole("button", { name: "Get the proforma invoice" }).click();
  await customer.page.getByText(`Proforma ${proforma?.number} over ${formatRupees(net)} asks for`).waitFor();
  await customer.page.getByRole("button", { name: "Replace the proforma" }).waitFor();
  await customer.page.keyboard.press("Escape");
  await customer.page.getByRole("link", { name: `Waiting for your transfer: ${quote.number}` }).waitFor();

  const admin = await openSignedIn(browser, server, meera, phone);
  await admin.page.goto(`${server.url}/admin/receivables`);
  const record = admin.page
    .getByRole("button", { name: `Record a transfer for ${proforma?.number}` })
    .locator("visible=true");
  await record.click();
  const recording = admin.page.getByRole("dialog", { name: "Record a transfer" });
  const utr = newUtr();
  await recording.getByLabel("Bank reference (UTR)").fill(utr);
  expect(await typedAfterEscape(admin.page, record, recording.getByLabel("Bank reference (UTR)"))).toBe(utr);
  await recording.getByLabel("Amount in rupees").fill(rupees(net * 10));
  await recording.getByLabel("Who paid").fill("Periyar Spices Private Limited");
  await recording.getByRole("button", { name: "Record" }).click();
  await recording.getByLabel("The bank’s statement shows it just so").waitFor();
  expect(await findDialogBarriers(admin.page)).toEqual([]);
  await recording.getByLabel("Amount in rupees").fill(formatRupees(net));
  await recording.getByRole("button", { name: "Record" }).click();
  await admin.page.getByText(/O-\d+ is paid/).waitFor();

  const invoiceOf = () =>
    database
      .select()
      .from(invoices)
      .where(eq(invoices.orderId, order?.id ?? ""));
  await deliverInvoice(server.services, (await invoiceOf())[0]?.id ?? "");
  const [invoice] = await invoiceOf();
  const invoiced = await textOf(invoice?.file);
  for (const said of ["Tax invoice", invoice?.number ?? "", formatRupees(order?.amountPaise ?? 0), utr, "194J"])
    expect(invoiced).toContain(said);

  await follow(customer.page, "/user/payments-due", "/user/payments-due");
  const upload = customer.page.getByRole("button", { name: `Upload certificate for ${invoice?.number}` });
  await upload.click();
  const uploading = customer.page.getByRole("dialog", { name: "Upload Form 16A" });
  await uploading.getByLabel("Number of the certificate").fill("ABCDEFG");
  const large = { name: "16a.pdf", mimeType: "application/pdf", buffer: Buffer.alloc(3 * 1024 * 1024) };
  await uploading.locator("input[type=file]").setInputFiles(large);
  await uploading.getByRole("button", { name: "Upload" }).click();
  await uploading.getByText("Please choose a PDF of at most 2 MB").waitFor();
  const number = uploading.getByLabel("Number of the certificate");
  expect(await typedAfterEscape(customer.page, upload, number)).toBe("ABCDEFG");
  const certificate = { name: "16a.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.7\n") };
  await uploading.locator("input[type=file]").setInputFiles(certificate);
  expect(await findDialogBarriers(customer.page)).toEqual([]);
  await uploading.getByRole("button", { name: "Upload" }).click();
  await customer.page.getByText("Being compared").waitFor();
  expect(await findBarriers(customer.page)).toEqual([]);

  await admin.page.reload();
  await admin.page.getByRole("button", { name: `Decide the certificate of ${invoice?.number}` }).click();
  const deciding = admin.page.getByRole("dialog", { name: "Certificate of deducted tax" });
  expect(await findDialogBarriers(admin.page)).toEqual([]);
  await deciding.getByRole("button", { name: "Match" }).click();
  await admin.page.getByText("None is awaited.").waitFor();
  await admin.page.getByText("Nothing is open").waitFor();

  await customer.page.reload();
  await customer.page.getByText("Nothing is to be paid.").waitFor();
  await customer.page.getByText("Matched").first().waitFor();
  const due = (await server.call("user/payments-due", {}, person.token)).body;
  expect(due).toMatchObject({ balance: "0.00", to_pay: "0.00", certificates_open: "0.00" });
  expect(paiseFrom(due.balance)).toBe(0);
  // The browsers also log the refusals that this test provokes.
  const others = [...customer.complaints, ...admin.complaints].filter((told) => !/status of (409|422)/.test(told));
  expect(others).toEqual([]);
});

/** A certificate that is awaited from a customer who has paid and deducts tax. */
async function deductedTax() {
  const { choose } = await transferBuyer(server);
  const { body } = await choose({ deducts: { section: "194J", percent: 10 } });
  const came = { utr: newUtr(), received_on: today(server), payer: "Periyar Spices", pays: body.document };
  await server.call("admin/transfers/record", { ...came, amount: body.pay }, meera.token);
  const found = await server.call("admin/receivables", { search: body.order_number }, meera.token);
  const [{ document } = { document: "" }] = found.body.receivables;
  const { certificates } = (await server.call("admin/certificates", {}, meera.token)).body;
  const awaited = certificates.find(({ invoice_number }) => invoice_number === document);
  if (!awaited) throw new Error(`No certificate is awaited of ${document}`);
  return awaited;
}

it("What came on top is given back from Receivables, deducted tax without a certificate is owed again, and a correction of it that was begun holds what a colleague has corrected since", async () => {
  const { choose, person } = await transferBuyer(server);
  const { body } = await choose({ deducts: { section: "194J", percent: 10 } });
  const came = { utr: newUtr(), received_on: today(server), payer: "Periyar Spices", pays: body.document };
  const amount = rupees(paiseFrom(body.pay) + 50_00);
  await server.call("admin/transfers/record", { ...came, amount }, meera.token);
  const longAgo = sql`update tax_deductions set claimed_at = claimed_at - interval '1 year' where order_id = ${body.order_id}`;
  await server.services.database.execute(longAgo);
  const [order] = (await server.call("admin/receivables", {}, meera.token)).body.receivables;

  const corrected = await deductedTax();

  const { page, complaints } = await openSignedIn(browser, server, meera, phone);
  await page.goto(`${server.url}/admin/receivables`);
  await page
    .getByRole("button", { name: `Give back the credit of ${order?.document}` })
    .locator("visible=true")
    .click();
  const history = page.getByRole("dialog", { name: `Money of ${order?.order_number}` });
  // Two clicks before the browser renders again.
  await history
    .getByRole("button", { name: "Refund ₹50.00 that came on top" })
    .evaluate((button: HTMLButtonElement) => [button.click(), button.click()].length);
  await history.getByText("₹50.00 are to be transferred back at your bank", { exact: false }).first().waitFor();
  const toasts = page.locator("[data-sonner-toast]");
  await toasts.first().waitFor();
  expect(await toasts.count()).toBe(1);
  // It is not offered a second time.
  await page.locator("tr").getByText("on the way back").locator("visible=true").waitFor();
  expect(
    await page
      .locator("tr", { hasText: order?.document ?? "" })
      .getByText("Give back …")
      .count(),
  ).toBe(0);
  expect(await findDialogBarriers(page)).toEqual([]);
  await history.getByRole("button", { name: "It was transferred: ₹50.00" }).click();
  const noting = page.getByRole("dialog", { name: "Note that it was transferred back" });
  await noting.getByLabel("Bank reference (UTR)").fill("NEITHER");
  await page.keyboard.press("Escape");
  await noting.waitFor({ state: "hidden" });
  await history.getByRole("button", { name: "It was transferred: ₹50.00" }).click();
  await noting.getByLabel("Bank reference (UTR)").fill(newUtr());
  expect(await findDialogBarriers(page)).toEqual([]);
  await noting.getByRole("button", { name: "It was transferred" }).click();
  await history.getByText("Money given back").waitFor();
  await noting.waitFor({ state: "hidden" });
  await page.keyboard.press("Escape");

  const oweAgain = page.getByRole("button", { name: `Owe again the tax deducted from ${order?.document}` });
  await oweAgain.click();
  const owing = page.getByRole("dialog", { name: "Deducted tax is owed again" });
  const why = owing.getByLabel("Reason");
  await why.fill("None has come since August");
  expect(await typedAfterEscape(page, oweAgain, why)).toBe("None has come since August");
  expect(await findDialogBarriers(page)).toEqual([]);
  await owing.getByRole("button", { name: "It is owed again" }).click();
  // The reason's field holds the same words.
  await owing.waitFor({ state: "hidden" });
  await page.getByText("None has come since August").waitFor();

  const correct = page
    .getByRole("button", { name: `Correct the tax deducted from ${corrected.invoice_number}` })
    .locator("visible=true");
  const correcting = page.getByRole("dialog", { name: "Correct the deducted tax" });
  await correct.click();
  await correcting.getByLabel("Percent").fill("1.5");
  await page.keyboard.press("Escape");
  const theirs = { id: corrected.id, section: "194C", percent: 10, reason: "It is work, not advice" };
  expect((await server.call("admin/certificates/correct", theirs, meera.token)).status).toBe(200);
  // In India it was already the 11th.
  const night = sql`update tax_deductions set debt_since = '2026-01-10T20:30:00Z' where order_id = ${body.order_id}`;
  await server.services.database.execute(night);
  await page.reload();
  await page.getByText("Owed again since 11 Jan 2026: None has come since August").waitFor();
  await correct.click();
  expect(await correcting.getByLabel("Percent").inputValue()).toBe("1.5");
  expect(await correcting.getByLabel("Section").inputValue()).toBe("194C");
  const due = (await server.call("user/payments-due", {}, person.token)).body;
  expect(paiseFrom(due.to_pay)).toBe(paiseFrom(due.certificates[0]?.amount ?? ""));
  expect(complaints).toEqual([]);
});

it("Money that belongs to another order is taken off the one that has it, and matched with the other, by keyboard", async () => {
  const [wrong, right] = [
    (await (await transferBuyer(server)).choose()).body,
    (await (await transferBuyer(server)).choose()).body,
  ];
  const utr = newUtr();
  const amount = rupees(paiseFrom(wrong.pay) + 75_00);
  const came = { utr, received_on: today(server), payer: "Periyar Spices", pays: wrong.document, amount };
  await server.call("admin/transfers/record", came, meera.token);
  const found = await server.call("admin/receivables", { search: wrong.order_number }, meera.token);
  const { page, complaints } = await openSignedIn(browser, server, meera, phone);
  await page.goto(`${server.url}/admin/receivables`);
  await page
    .getByRole("button", { name: `Give back the credit of ${found.body.receivables[0]?.document}` })
    .locator("visible=true")
    .press("Enter");
  const history = page.getByRole("dialog", { name: `Money of ${wrong.order_number}` });
  await history.getByRole("button", { name: "Refund ₹75.00 that came on top" }).press("Enter");
  const belongs = history.getByRole("button", { name: "It belongs to another order … ₹75.00" });
  await belongs.press("Enter");
  const asked = page.getByRole("dialog", { name: "Enter it for another order" });
  expect(await findDialogBarriers(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await asked.waitFor({ state: "hidden" });
  await belongs.press("Enter");
  await asked.getByRole("button", { name: "Take it off this order" }).press("Enter");
  await asked.waitFor({ state: "hidden" });
  await history.getByText("₹75.00, which belonged to another order").waitFor();
  await page.keyboard.press("Escape");
  await page
    .getByRole("button", { name: `Match ${utr}/2` })
    .locator("visible=true")
    .press("Enter");
  const matching = page.getByRole("dialog", { name: "What it pays" });
  await matching.getByLabel("What it pays").fill(right.document);
  await page.keyboard.press("Enter");
  await page.getByText(`₹75.00 came for ${right.order_number}`, { exact: false }).first().waitFor();
  expect(complaints).toEqual([]);
});

it("Who bought against invoice says afterwards that it deducts tax, and reads what is left to be paid", async () => {
  const { person, quote, choose } = await transferBuyer(server);
  const { database } = server.services;
  await database.update(quotes).set({ decision: "accepted" }).where(eq(quotes.id, quote.id));
  const { document, order_id } = (await choose({ way: "invoice" })).body;
  const { page, complaints } = await openSignedIn(browser, server, person, phone);
  await page.goto(`${server.url}/user/payments-due`);
  const announce = page.getByRole("button", { name: `I have transferred it: ${document}` });
  await announce.click();
  const reference = page.getByRole("dialog").getByLabel("Bank reference (UTR)");
  await reference.fill("UTR123456");
  expect(await typedAfterEscape(page, announce, reference)).toBe("UTR123456");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Take back UTR123456" }).press("Enter");
  const takingBack = page.getByRole("dialog", { name: "Take back UTR123456?" });
  await takingBack.getByText("Nothing happens to the money.").waitFor();
  expect(await findDialogBarriers(page)).toEqual([]);
  await takingBack.getByRole("button", { name: "Take back" }).press("Enter");
  await takingBack.waitFor({ state: "hidden" });
  await page.getByText("UTR123456", { exact: true }).waitFor({ state: "detached" });
  await page.getByRole("button", { name: `We deduct tax: ${document}` }).click();
  const dialog = page.getByRole("dialog", { name: "Tax that you deduct" });
  const order = await orderOf(server, quote.id);
  const deducted = (percent: number) => Math.round(((order?.tax?.taxablePaise ?? 0) * percent) / 10_000) * 100;
  const left = (percent: number) => formatRupees((order?.amountPaise ?? 0) - deducted(percent));
  await dialog.getByText(`${left(10)} are left to be paid`).waitFor();
  await dialog.getByLabel("Section and rate").selectOption("other");
  await dialog.getByLabel("Percent").fill("50");
  await dialog.getByRole("button", { name: "We deduct this" }).click();
  await dialog.getByText("Please name the section").first().waitFor();
  await dialog.getByText("Please enter at most 40").waitFor();
  expect(await findDialogBarriers(page)).toEqual([]);
  await dialog.getByRole("textbox", { name: "Section" }).fill("194C");
  await dialog.getByLabel("Percent").fill("2");
  await dialog.getByText(`${left(2)} are left to be paid`).waitFor();
  await dialog.getByRole("button", { name: "We deduct this" }).click();
  await dialog.waitFor({ state: "hidden" });
  await page.getByText(`Invoice ${document}: ${left(2)}`).waitFor();
  await page.getByRole("button", { name: `Upload certificate for ${document}` }).waitFor();
  expect(await page.getByRole("button", { name: `We deduct tax: ${document}` }).count()).toBe(0);
  expect(await findBarriers(page)).toEqual([]);
  expect((await orderOf(server, quote.id))?.id).toBe(order_id);
  // The browser also logs the refusals that this test provokes.
  expect(complaints.filter((complaint) => !complaint.includes("status of 422"))).toEqual([]);
});
