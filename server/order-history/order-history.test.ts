import { eq, inArray } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { answerTo, orderOf, sayByReturn } from "../../tests/buyer.ts";
import { GatewayBooks } from "../../tests/gateway-books.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { quoteHolder } from "../../tests/paid-order.ts";
import { member, type Member } from "../../tests/people.ts";
import { standInGateway } from "../../tests/stand-in-gateway.ts";
import { failures, reasonForOthers } from "../orders/end-reason.ts";
import { eInvoices, invoices, mails, orders, organisations, rateLimits } from "../database/schema/index.ts";

/** This gateway never hangs, but a busy machine may make it slow. */
const answersMs = 10_000;

let server: TestServer;
let admin: Member;
let books: GatewayBooks;
beforeAll(async () => {
  server = await startTestServer({ work: false });
  admin = await member(server, "admin");
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.services.database.delete(rateLimits);
  books = new GatewayBooks();
  await standInGateway(server, books.react, answersMs);
});

type Holder = Awaited<ReturnType<typeof quoteHolder>>;
const idOf = async (quoteId: string) => (await orderOf(server, quoteId))?.id ?? "";
const asBuyer = async ({ quote, person }: Holder) =>
  (await server.call("user/order", { id: await idOf(quote.id) }, person.token)).body;

/** Gives the customer a partner, and asks as that partner. */
async function askAsPartner({ quote, person }: Holder) {
  const partner = await member(server, "partner");
  await server.services.database
    .update(organisations)
    .set({ partnerId: partner.organisationId })
    .where(eq(organisations.id, person.organisationId));
  return server.call("partner/order", { id: await idOf(quote.id) }, partner.token);
}

/** The buyer comes back from the gateway, whose books hold the payment's outcome. */
async function comeBack({ start, total }: Holder, over: { status?: string; unmappedstatus?: string } = {}) {
  const form = (await start()).body;
  const { paymentId } = books.enter(form.fields["txnid"] ?? "", { amount: total, ...over });
  await sayByReturn(server, answerTo(server, form, { mihpayid: paymentId, ...over }));
}

it("A paid order tells each step with its time, and what is still to come", async () => {
  const holder = await quoteHolder(server);
  await comeBack(holder);
  const { steps, is_moving, advice } = await asBuyer(holder);
  expect(steps.map(({ name, is_done }) => `${name}${is_done ? "" : " to come"}`)).toEqual([
    "started",
    "at_gateway",
    "returned",
    "confirmed",
    "invoiced",
    "mailed to come",
  ]);
  expect(steps.slice(0, 5).every(({ at }) => at !== null)).toBe(true);
  expect([is_moving, advice]).toEqual([true, null]);
  const orderId = await idOf(holder.quote.id);
  await server.services.database
    .update(invoices)
    .set({ file: `${orderId}.pdf` })
    .where(eq(invoices.orderId, orderId));
  const sentAt = server.services.now();
  await server.services.database
    .insert(mails)
    .values({ eventKey: `receipt:${orderId}`, recipient: "a@example.in", attachments: [], sentAt });
  const rest = await asBuyer(holder);
  expect(rest.steps.at(-1)).toMatchObject({ name: "mailed", is_done: true, at: sentAt.toISOString() });
  expect(rest.is_moving).toBe(false);
});

it("An order goes on for nothing once the mails of its papers were refused for good", async () => {
  const holder = await quoteHolder(server);
  await comeBack(holder);
  const { database } = server.services;
  const orderId = await idOf(holder.quote.id);
  await database
    .update(invoices)
    .set({ file: `${orderId}.pdf` })
    .where(eq(invoices.orderId, orderId));
  const mail = { recipient: "a@example.in", attachments: [], content: { template: "receipt" } };
  const keys = [`receipt:${orderId}`, `invoice-due:${orderId}`];
  await database.insert(mails).values(keys.map((eventKey) => ({ ...mail, eventKey })));
  const waiting = await asBuyer(holder);
  expect(waiting.is_moving).toBe(true);
  expect(waiting.steps.slice(-2).map(({ name, is_done }) => [name, is_done])).toEqual([
    ["mailed", false],
    ["receipt_mailed", false],
  ]);
  await database
    .update(mails)
    .set({ content: null, lastError: "550 5.1.1 There is no such mailbox" })
    .where(inArray(mails.eventKey, keys));
  const refused = await asBuyer(holder);
  expect(refused.is_moving).toBe(false);
  expect(refused.steps.at(-1)).toMatchObject({ name: "invoiced", is_done: true });
});

it("Tells the registration of an invoice after the invoice, whatever the portal's clock says", async () => {
  const holder = await quoteHolder(server);
  await comeBack(holder);
  const { database } = server.services;
  const orderId = await idOf(holder.quote.id);
  const [invoice] = await database.select().from(invoices).where(eq(invoices.orderId, orderId));
  const { id: invoiceId = "", number = "", issuedAt = new Date() } = invoice ?? {};
  const late = { ackAt: new Date(issuedAt.getTime() - 300_000), cancelledAt: new Date(issuedAt.getTime() - 200_000) };
  const signed = { irn: "a".repeat(64), ackNumber: "1", signedQr: "q", signedInvoice: "i" };
  await database
    .insert(eInvoices)
    .values({ invoiceId, number, state: "cancelled", dueAt: issuedAt, ...signed, ...late });
  const namesOf = async () => (await asBuyer(holder)).steps.map(({ name }) => name);
  expect((await namesOf()).slice(3)).toEqual(["confirmed", "invoiced", "registered", "invoice_cancelled", "mailed"]);
  // Also for an order against invoice that nobody has paid.
  await database
    .update(orders)
    .set({ paymentId: null, state: "closed", updatedAt: new Date() })
    .where(eq(orders.id, orderId));
  expect((await namesOf()).slice(-4)).toEqual(["invoiced", "registered", "invoice_cancelled", "closed"]);
});

it("A payment that is with the bank says not to pay again, and goes on by itself", async () => {
  const holder = await quoteHolder(server);
  await comeBack(holder, { status: "pending", unmappedstatus: "pending" });
  const { steps, is_moving, advice } = await asBuyer(holder);
  expect(steps.map(({ name }) => name)).toEqual([
    "started",
    "at_gateway",
    "returned",
    "pending",
    "confirmed",
    "invoiced",
  ]);
  expect(is_moving).toBe(true);
  expect(advice).toMatch(/^Please do not pay again/);
});

it("A try that failed says why, before the one that paid; the gateway's own words are for administrators", async () => {
  const holder = await quoteHolder(server);
  const form = (await holder.start()).body;
  const failed = { status: "failure", unmappedstatus: "failed" };
  await standInGateway(server, (asked) => ({
    status: 1,
    transaction_details: {
      [asked]: { mihpayid: "1", txnid: asked, ...failed, error_code: "E311", error_Message: "Card expired" },
    },
  }));
  await sayByReturn(server, answerTo(server, form, failed));
  await standInGateway(server, books.react, answersMs);
  await comeBack(holder);
  const own = await asBuyer(holder);
  expect(own.steps.map(({ name }) => name).filter((name) => /failed|confirmed/.test(name))).toEqual([
    "failed",
    "confirmed",
  ]);
  const why = own.steps.find(({ name }) => name === "failed");
  expect(why).toMatchObject({ says: expect.stringContaining("The card has expired"), gateway_words: null });
  const staff = (await server.call("admin/order", { id: await idOf(holder.quote.id) }, admin.token)).body;
  expect(staff.steps.find(({ name }) => name === "failed")).toMatchObject({
    says: "The card has expired.",
    gateway_words: "E311: Card expired",
  });
  const asPartner = (await askAsPartner(holder)).body;
  expect(asPartner.steps.find(({ name }) => name === "failed")).toMatchObject({
    says: "The card has expired.",
    gateway_words: null,
  });
});

it("Every failure is told to partners and our own people without what whoever paid should do", () => {
  const told = Object.values(failures).map((said) => reasonForOthers(said) ?? "");
  expect(told.filter((sentence) => sentence === "" || /please|\byour?\b/i.test(sentence))).toEqual([]);
});

it("A partner reads how an order of a customer stands, and nothing that only the customer can do", async () => {
  const holder = await quoteHolder(server);
  await holder.start();
  const id = await idOf(holder.quote.id);
  const standsAs = async (state: "review" | "expired" | "awaiting_transfer" | "closed" | "refund_pending") => {
    await server.services.database.update(orders).set({ state }).where(eq(orders.id, id));
    return { buyer: (await asBuyer(holder)).advice, partner: (await askAsPartner(holder)).body.advice };
  };
  expect(await standsAs("review")).toEqual({
    buyer: "Please do not pay again: something about this payment needs a person's look. We will write to you.",
    partner:
      "Something about this payment needs a person's look; until then the customer should not pay again. We will write to the customer.",
  });
  expect((await standsAs("expired")).partner).toMatch(/^This order is not paid\. The customer can try again/);
  for (const state of ["review", "expired", "awaiting_transfer", "closed", "refund_pending"] as const)
    expect((await standsAs(state)).partner).not.toMatch(/please|\byour?\b|Payments Due/i);
});

it("The partner of the customer reads it, and no other partner and no other customer does", async () => {
  const holder = await quoteHolder(server);
  await comeBack(holder);
  const id = await idOf(holder.quote.id);
  const partner = await member(server, "partner");
  const ask = (by: Member) => server.call("partner/order", { id }, by.token);
  expect((await ask(partner)).status).toBe(404);
  await server.services.database
    .update(organisations)
    .set({ partnerId: partner.organisationId })
    .where(eq(organisations.id, holder.person.organisationId));
  expect((await ask(partner)).body.order.id).toBe(id);
  expect((await ask(await member(server, "partner"))).status).toBe(404);
  const other = await member(server, "user");
  expect((await server.call("user/order", { id }, other.token)).status).toBe(404);
});
