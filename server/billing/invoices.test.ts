import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { brand } from "../../contract/brand.ts";
import { earlier, later } from "../../contract/durations.ts";
import { writtenDay } from "../../contract/india-time.ts";
import { paiseFrom } from "../../contract/money.ts";
import { totalsOf } from "../../contract/totals.ts";
import { billingOf, giveBilling, letterOfSeller, sellerIs } from "../../tests/billing.ts";
import { answerTo, buyer, invoicesOf, orderOf, webhook } from "../../tests/buyer.ts";
import { customer } from "../../tests/factories.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { overtaken } from "../../tests/overtaken.ts";
import { findings, invoices, quotes, rateLimits } from "../database/schema/index.ts";
import { contentOf, deliverInvoice } from "./invoices.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.services.database.delete(rateLimits);
});

const receiptsOf = (email: string) =>
  server.mailbox.mails.filter(({ to, subject = "" }) => to?.[0]?.address === email && /invoice SOC/.test(subject));

/** A customer with a paid quote, whose invoice has been made and mailed. */
async function paid() {
  const made = await buyer(server);
  await webhook(server, answerTo(server, (await made.start()).body));
  await server.mailbox.take(made.person.email, /invoice SOC/);
  const [invoice] = await invoicesOf(server, made.quote.id);
  if (!invoice) throw new Error("There is no invoice");
  return { ...made, invoice };
}

describe("an invoice's content", () => {
  it.each([
    ["a buyer of the supplier's state", { state: brand.stateCode }, ["CGST", "SGST"]],
    ["a buyer of another state", { state: "27" }, ["IGST"]],
    ["a buyer who gave no state", {}, ["CGST", "SGST"]],
  ])("of an order from before its tax was kept, for %s, adds up to what was paid", async (_case, given, names) => {
    const { quote } = await buyer(server, [{ service: "Databases", deviceType: "MSSQL", number: 1 }]);
    const [row] = await server.services.database.select().from(quotes).where(eq(quotes.id, quote.id));
    if (!row) throw new Error("There is no quote");
    const billTo = { organizationName: "K", name: "A", email: "a@b.in", phone: "+911", ...given };
    const order = { billTo, paymentId: "1", serial: 7, tax: null } as unknown as Parameters<typeof contentOf>[0];
    for (const oddPaise of [0, 3]) {
      const subtotalPaise = row.subtotalPaise + oddPaise;
      const totals = totalsOf([{ amountPaise: subtotalPaise }], row);
      const content = contentOf(order, { ...row, ...totals }, new Date());
      expect(content.taxes.map(({ name }) => name)).toEqual(names);
      const taxes = content.taxes.map(({ amountPaise }) => amountPaise);
      expect(new Set(taxes).size).toBe(1);
      const sum = content.taxablePaise + taxes.reduce((all, tax) => all + tax, 0) + (content.roundOffPaise ?? 0);
      expect(sum).toBe(content.totalPaise);
      expect(content.totalPaise).toBe(totals.totalPaise);
    }
  });
  it("is frozen: who was billed, by which tax, for which time, and who issued it, whatever changes afterwards", async () => {
    await sellerIs(server, { cin: "U62099KA2024PTC000000" });
    const { person, quote, start } = await buyer(server);
    const { gstin } = billingOf.maharashtra;
    await giveBilling(server, person.email, { billingKind: "registered", gstin, billingState: "27" });
    const serviceStart = writtenDay(later(server.services.now(), { days: 3 }));
    await webhook(server, answerTo(server, (await start({ purchaseOrder: "PO-77", serviceStart })).body));
    await giveBilling(server, person.email);
    await sellerIs(server, {});
    const [invoice] = await invoicesOf(server, quote.id);
    expect(invoice?.content).toMatchObject({
      supplier: { legalName: brand.legalName },
      cin: "U62099KA2024PTC000000",
      placeOfSupply: "27",
      treatment: "to another state",
      billTo: { gstin, purchaseOrder: "PO-77", kind: "registered" },
      period: { from: serviceStart, to: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) },
      quoteNumber: quote.number,
      orderNumber: expect.stringMatching(/^O-\d{6}$/),
      taxes: [{ name: "IGST", basisPoints: 1800 }],
    });
    const { database } = server.services;
    const id = invoice?.id ?? "";
    const changes = database.update(invoices).set({ number: "SOC/X" }).where(eq(invoices.id, id));
    const frozen = { cause: expect.objectContaining({ message: "a numbered document is not changed" }) };
    await expect(changes).rejects.toMatchObject(frozen);
    await expect(database.delete(invoices).where(eq(invoices.id, id))).rejects.toMatchObject(frozen);
  });
  it("of one whose tax is none is for the sum without it, which is what the gateway takes", async () => {
    await sellerIs(server, { undertaking: letterOfSeller });
    const { person, quote, request, start } = await buyer(server);
    await giveBilling(server, person.email, { billingKind: "abroad", billingCountry: "AE", billingState: null });
    const stale = await start();
    expect([stale.status, stale.body.error]).toEqual([409, expect.stringContaining("amount is not the quote's")]);
    const { estimation } = (await server.call("user/get-estimation", {}, person.token)).body;
    const amount = estimation[0]?.tax?.total ?? "";
    expect(paiseFrom(amount)).toBeLessThan(paiseFrom(request.amount));
    const form = (await start({ amount })).body;
    expect(form.fields["amount"]).toBe(amount);
    await webhook(server, answerTo(server, form));
    const [invoice] = await invoicesOf(server, quote.id);
    expect(invoice?.content).toMatchObject({ taxes: [], placeOfSupply: "96", totalPaise: paiseFrom(amount) });
    expect((await orderOf(server, quote.id))?.amountPaise).toBe(paiseFrom(amount));
    expect(await server.services.database.$count(findings, eq(findings.key, invoice?.number ?? ""))).toBe(0);
    await sellerIs(server, {});
  });
  it("of one without tax that is made after the letter of undertaking has ended calls a person", async () => {
    await sellerIs(server, { undertaking: letterOfSeller });
    const { person, quote, start } = await buyer(server);
    await giveBilling(server, person.email, { billingKind: "abroad", billingCountry: "AE", billingState: null });
    const { estimation } = (await server.call("user/get-estimation", {}, person.token)).body;
    const form = (await start({ amount: estimation[0]?.tax?.total ?? "" })).body;
    const yesterday = writtenDay(earlier(server.services.now(), { days: 1 }));
    await sellerIs(server, { undertaking: { ...letterOfSeller, validTo: yesterday } });
    await webhook(server, answerTo(server, form));
    const [invoice] = await invoicesOf(server, quote.id);
    expect(invoice?.content).toMatchObject({ taxes: [], treatment: "export under undertaking" });
    const found = await server.services.database
      .select()
      .from(findings)
      .where(eq(findings.key, invoice?.number ?? ""));
    expect(found).toMatchObject([
      { kind: "letter ended", orderId: invoice?.orderId, says: expect.stringContaining("letter of undertaking") },
    ]);
    await sellerIs(server, {});
  });
});

describe("an invoice's delivery", () => {
  it("done twice at once and once more is one file and one mail", async () => {
    const { person, quote, start } = await buyer(server);
    await webhook(server, answerTo(server, (await start()).body));
    const [{ id } = { id: "" }] = await invoicesOf(server, quote.id);
    await Promise.all([deliverInvoice(server.services, id), deliverInvoice(server.services, id)]);
    await deliverInvoice(server.services, id);
    await server.mailbox.take(person.email, /invoice SOC/);
    await new Promise((later) => setTimeout(later, 500));
    expect(receiptsOf(person.email)).toHaveLength(1);
  });
  it("that another worker overtook leaves the bytes that were kept and mailed, and no file of its own", async () => {
    const { invoice } = await paid();
    const { database, files } = server.services;
    await database.update(invoices).set({ file: null }).where(eq(invoices.id, invoice.id));
    const fileNow = async () =>
      (await database.select().from(invoices).where(eq(invoices.id, invoice.id)))[0]?.file ?? "";
    const faster = () => deliverInvoice(server.services, invoice.id);
    const written: string[] = [];
    const write = (name: string, bytes: Uint8Array) => {
      written.push(name);
      return files.write(name, bytes);
    };
    await deliverInvoice(overtaken({ ...server.services, files: { ...files, write } }, faster), invoice.id);
    expect(written).toHaveLength(1);
    expect(await fileNow()).not.toBe(written[0]);
    expect((await files.read(await fileNow())).length).toBeGreaterThan(1000);
    await expect(files.read(written[0] ?? "")).rejects.toThrow("Cannot read file");
  });
  it("names no file that could not be kept", async () => {
    const { invoice } = await paid();
    await server.services.database.update(invoices).set({ file: null }).where(eq(invoices.id, invoice.id));
    const files = { ...server.services.files, write: () => Promise.reject(new Error("The disk is full")) };
    await expect(deliverInvoice({ ...server.services, files }, invoice.id)).rejects.toThrow("The disk is full");
    const [row] = await server.services.database.select().from(invoices).where(eq(invoices.id, invoice.id));
    expect(row?.file).toBeNull();
  });
  it("gives its file to the buyer and to no other tenant", async () => {
    const { person, invoice } = await paid();
    const fileName = invoice.file ?? "";
    expect((await server.call("user/get-signed-url", { fileName }, person.token)).status).toBe(200);
    const stranger = await customer(server);
    const theirs = await server.call("user/get-signed-url", { fileName }, stranger.token);
    const absent = await server.call("user/get-signed-url", { fileName: "invoice-none.pdf" }, stranger.token);
    expect([theirs.status, theirs.body]).toEqual([404, absent.body]);
  });
});
