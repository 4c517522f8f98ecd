import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { brand } from "../../contract/brand.ts";
import {
  answerTo,
  buyer,
  copiesOf,
  enterAtGateway,
  invoicesOf,
  orderOf,
  sayByWebhook,
  webhook,
} from "../../tests/buyer.ts";
import { customer } from "../../tests/factories.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { invoices, quotes, rateLimits } from "../database/schema/index.ts";
import { applyPaymentResult } from "./apply-result.ts";
import { contentOf, deliverInvoice, financialYearOf, invoiceNumber, issueInvoice } from "./invoices.ts";
import { reconcilePayments } from "./reconcile.ts";

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

describe("an invoice's number", () => {
  it.each([
    ["2026-03-31T18:29:59Z", "25-26"],
    ["2026-03-31T18:30:00Z", "26-27"],
    ["2026-11-21T00:00:00Z", "26-27"],
    ["2027-01-01T00:00:00Z", "26-27"],
    ["2099-12-31T00:00:00Z", "99-00"],
    ["2008-05-01T00:00:00Z", "08-09"],
  ])("of %s belongs to the financial year %s", (instant, year) => {
    expect(financialYearOf(new Date(instant))).toBe(year);
  });
  it("has 16 characters, the most that GST allows", () => {
    expect(invoiceNumber("26-27", 123)).toBe("SOC/26-27/000123");
  });
  it("begins a new series at midnight of 1 April in India", async () => {
    const { person, quote, request } = await buyer(server);
    const ids = await copiesOf(server, quote.id, 2);
    const instants = ["2027-03-31T18:29:59Z", "2027-03-31T18:30:00Z"];
    for (const [index, id] of ids.entries()) {
      const form = await server.call("user/orders", { ...request, quote_id: id }, person.token);
      const then = { ...server.services, now: () => new Date(instants[index] ?? "") };
      await enterAtGateway(server, answerTo(server, form.body));
      const status = await then.gateway.fetchStatus(form.body.fields["txnid"] ?? "");
      await applyPaymentResult(then, { source: "verify", status });
    }
    const [old, fresh] = [await invoicesOf(server, ids[0] ?? ""), await invoicesOf(server, ids[1] ?? "")];
    expect(old[0]?.number).toMatch(/^SOC\/26-27\//);
    expect(fresh[0]?.number).toBe("SOC/27-28/000001");
  });
  it("leaves no gap when fifty orders are paid at once, nor when an invoice is rolled back", async () => {
    const { person, quote, request } = await buyer(server);
    const ids = await copiesOf(server, quote.id, 50);
    const answers = [];
    for (const id of ids) {
      await server.services.database.delete(rateLimits);
      const { body } = await server.call("user/orders", { ...request, quote_id: id }, person.token);
      const answer = answerTo(server, body);
      await enterAtGateway(server, answer);
      answers.push(answer);
    }
    const order = await orderOf(server, ids[0] ?? "");
    if (!order) throw new Error("There is no order");
    const rolledBack = server.services.database.transaction(async (transaction) => {
      await issueInvoice(server.services, transaction, { ...order, paymentId: "1" });
      throw new Error("the payment could not be written");
    });
    await expect(rolledBack).rejects.toThrow("could not be written");
    const replies = await Promise.all(answers.map((answer) => sayByWebhook(server, answer)));
    // A server that is busy says so, and the gateway tells it again.
    const refused = answers.filter((_answer, index) => replies[index]?.status !== 200);
    for (const answer of refused) expect((await sayByWebhook(server, answer)).status).toBe(200);
    // Nor has its gateway, which is the same server here, answered all questions in time.
    await reconcilePayments(server.services);
    const all = await server.services.database
      .select()
      .from(invoices)
      .where(eq(invoices.financialYear, financialYearOf(server.services.now())))
      .orderBy(invoices.serial);
    expect(all.length).toBeGreaterThanOrEqual(50);
    expect(all.map(({ serial }) => serial)).toEqual(all.map((_, index) => index + 1));
    expect(all.map(({ number }) => number)).toEqual(
      all.map(({ financialYear, serial }) => invoiceNumber(financialYear, serial)),
    );
  }, 60_000);
});

describe("an invoice's content", () => {
  it.each([
    ["a buyer of the supplier's state", { state: brand.stateCode }, ["CGST", "SGST"]],
    ["a buyer of another state", { state: "27" }, ["IGST"]],
    ["a buyer who gave no state", {}, ["CGST", "SGST"]],
  ])("for %s has the taxes of its place of supply, to the paisa", async (_case, given, names) => {
    const { quote } = await buyer(server, [{ service: "Databases", deviceType: "MSSQL", number: 1 }]);
    const [row] = await server.services.database.select().from(quotes).where(eq(quotes.id, quote.id));
    if (!row) throw new Error("There is no quote");
    const billTo = { organizationName: "K", name: "A", email: "a@b.in", phone: "+911", ...given };
    const order = { billTo, paymentId: "1" } as Parameters<typeof contentOf>[0];
    for (const oddPaise of [0, 1]) {
      const gstPaise = row.gstPaise + oddPaise;
      const content = contentOf(order, { ...row, gstPaise, totalPaise: row.totalPaise + oddPaise });
      expect(content.taxes.map(({ name }) => name)).toEqual(names);
      const taxes = content.taxes.map(({ amountPaise }) => amountPaise);
      expect(content.taxablePaise + taxes.reduce((sum, tax) => sum + tax, 0)).toBe(content.totalPaise);
      expect(Math.max(...taxes) - Math.min(...taxes)).toBeLessThanOrEqual(1);
      const atFive = contentOf(order, { ...row, gstBasisPoints: 500 }).taxes;
      expect(atFive.reduce((sum, { basisPoints }) => sum + basisPoints, 0)).toBe(500);
      expect(content.lines.reduce((sum, { amountPaise }) => sum + amountPaise, 0)).toBe(content.subtotalPaise);
    }
  });
  it("is of the state in the buyer's GSTIN, whatever state is given", async () => {
    const { quote, start } = await buyer(server);
    await webhook(
      server,
      answerTo(server, (await start({ gstin: "27AAPFU0939F1ZV", billingState: brand.stateCode })).body),
    );
    const [invoice] = await invoicesOf(server, quote.id);
    expect(invoice?.content).toMatchObject({
      placeOfSupply: "27",
      billTo: { gstin: "27AAPFU0939F1ZV" },
      taxes: [{ name: "IGST", basisPoints: 1800 }],
    });
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
