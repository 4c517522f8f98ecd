import { eq, like } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { earlier } from "../../contract/durations.ts";
import { writtenDay } from "../../contract/india-time.ts";
import { paiseFrom, rupees } from "../../contract/money.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { billingOf, letterOfSeller, sellerIs } from "../../tests/billing.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { member, type Member } from "../../tests/people.ts";
import { readPdf } from "../../tests/read-pdf.ts";
import { sellOrder } from "../../tests/sold-order.ts";
import { inTurn, whileHeld } from "../../tests/while-held.ts";
import { bankOfTests, newUtr, seenCertificate, transferBuyer, today } from "../../tests/transfers.ts";
import { deliverCreditNote, issueCreditNote } from "../billing/credit-notes.ts";
import { deliverInvoice } from "../billing/invoices.ts";
import {
  actionItems,
  creditNotes,
  eInvoices,
  invoices,
  ledgerEntries,
  mails,
  orders,
  organisations,
  quotes,
  sandboxEInvoices,
} from "../database/schema/index.ts";
import { remindOfDues } from "../ledger/remind-of-dues.ts";
import { findFaults } from "../demo/inv-01-faults.ts";
import type { Inv01 } from "../outside/e-invoices/inv-01.ts";
import { nicRegistrar } from "../outside/e-invoices/nic-registrar.ts";
import type { InvoiceRegistrar } from "../outside/e-invoices/registrar.ts";
import { sweep } from "../upkeep/jobs.ts";
import { noteSilence } from "./next-ask.ts";
import { settleEInvoices } from "./settle-e-invoices.ts";

let server: TestServer;
let admin: Member;
/** The real adapter, talking to the stand-in over HTTP. */
let portal: InvoiceRegistrar;
const place = { place: "Bengaluru", pinCode: "560025" };
beforeAll(async () => {
  server = await startTestServer({ work: false, env: { refundApprovalPaise: 100_000_000_00 } });
  admin = await member(server, "admin");
  if (!server.services.registrar) throw new Error("Demo mode has no portal");
  portal = server.services.registrar;
  await sellerIs(server, { undertaking: letterOfSeller, eInvoices: { from: "2020-04-01", ...place } });
});
afterAll(() => server.stop());
beforeEach(() => {
  server.services.registrar = portal;
});

const database = () => server.services.database;
type Kind = keyof typeof billingOf | "karnataka";
const given = (kind: Kind) =>
  kind === "karnataka"
    ? { ...billingOf.kerala, stateCode: "29", gstin: "29AAGCG6253J1Z8", pinCode: "560001" }
    : billingOf[kind];

/** A paid order of a buyer of this kind, with its invoice. */
async function sold(
  kind: Kind,
  over: Partial<typeof organisations.$inferInsert> = {},
  quoteOver: Partial<typeof quotes.$inferInsert> = {},
) {
  const buyer = await member(server, "user");
  const details = given(kind);
  await database()
    .update(organisations)
    .set({
      billingKind: details.kind,
      legalName: details.legalName,
      billingAddress: details.address,
      pinCode: "pinCode" in details ? details.pinCode : null,
      billingState: "stateCode" in details ? details.stateCode : null,
      billingCountry: "country" in details ? details.country : "IN",
      gstin: "gstin" in details ? details.gstin : null,
      undertaking: "undertaking" in details ? details.undertaking : null,
      ...over,
    })
    .where(eq(organisations.id, buyer.organisationId));
  return sellOrder(server, buyer, quoteOver);
}

const credited = (orderId: string, amountPaise: number) =>
  database().transaction((transaction) =>
    issueCreditNote(server.services, transaction, { orderId, amountPaise, reason: "A part of it was not wanted." }),
  );

async function eInvoiceOf(number: string) {
  const [row] = await database().select().from(eInvoices).where(eq(eInvoices.number, number));
  return row;
}
const settle = () => settleEInvoices(server.services);
const fileOf = async (id: string) => (await database().select().from(invoices).where(eq(invoices.id, id)))[0]?.file;
const mailed = (orderId: string) => database().$count(mails, eq(mails.eventKey, `receipt:${orderId}`));
const waiting = async (id: string) =>
  (await database().select().from(actionItems).where(eq(actionItems.subjectId, id))).filter(
    ({ closedAt }) => closedAt === null,
  );
const refusalOf = (code: string, text: string): InvoiceRegistrar => ({
  ...portal,
  register: async () => ({ refused: [{ code, text }] }),
});

/** Records what is sent to the portal, in order. */
function watched(over: Partial<InvoiceRegistrar> = {}) {
  const sent: Inv01[] = [];
  server.services.registrar = {
    ...portal,
    register: (document) => {
      sent.push(document);
      return portal.register(document);
    },
    ...over,
  };
  return sent;
}

describe("An invoice to", () => {
  it.each([
    ["kerala", "B2B", "32", 18],
    ["karnataka", "B2B", "29", 18],
    ["sez", "SEZWOP", "32", 0],
    ["dubai", "EXPWOP", "96", 0],
  ] as const)("%s is registered as %s, and its credit note too", async (kind, supply, pos, rate) => {
    const sent = watched();
    const { order, invoice } = await sold(kind);
    const note = await credited(order.id, 123_456);
    await settle();
    expect(
      sent.map(({ TranDtls, DocDtls, BuyerDtls, ItemList }) => [
        DocDtls.No,
        DocDtls.Typ,
        TranDtls.SupTyp,
        BuyerDtls.Pos,
        ItemList[0]?.GstRt,
      ]),
    ).toEqual([
      [invoice.number, "INV", supply, pos, rate],
      [note.number, "CRN", supply, pos, rate],
    ]);
    const [document, credit] = sent;
    expect(document?.ValDtls.TotInvVal).toBe(invoice.content.totalPaise / 100);
    expect(credit?.RefDtls?.PrecDocDtls?.[0]?.InvNo).toBe(invoice.number);
    for (const { number } of [invoice, note])
      expect(await eInvoiceOf(number)).toMatchObject({
        state: "registered",
        irn: expect.stringMatching(/^[0-9a-f]{64}$/),
        ackNumber: expect.stringMatching(/^\d{15}$/),
        problem: null,
        nextAskAt: null,
      });
  });

  it("somebody unregistered is not registered, nor is any while the turnover is below the threshold", async () => {
    const { invoice, order } = await sold("unregistered");
    await credited(order.id, 10_000);
    await sellerIs(server, { undertaking: letterOfSeller });
    const below = await sold("kerala");
    await sellerIs(server, { undertaking: letterOfSeller, eInvoices: { from: "2099-04-01", ...place } });
    const early = await sold("kerala");
    await sellerIs(server, { undertaking: letterOfSeller, eInvoices: { from: "2020-04-01", ...place } });
    for (const { number } of [invoice, below.invoice, early.invoice]) expect(await eInvoiceOf(number)).toBeUndefined();
    await deliverInvoice(server.services, invoice.id);
    expect(await fileOf(invoice.id)).toBeTruthy();
  });
});

it("What is billed for a part of a year is registered too, with a discount to the paisa", async () => {
  const line = { service: "Server", deviceType: "Prod Server", unit: "device", subjectToConfirmation: false };
  const lines = [
    { ...line, number: 7, ratePaise: 1_234_567, amountPaise: 3_251_003 },
    { ...line, number: 3, ratePaise: 99_999, amountPaise: 112_601 },
  ];
  const sent = watched();
  const { invoice } = await sold("karnataka", {}, { lines, subtotalPaise: 3_363_604, discountPaise: 33_637 });
  await settle();
  expect(await eInvoiceOf(invoice.number)).toMatchObject({ state: "registered", problem: null });
  const [document] = sent;
  expect(document?.ItemList.map(({ PrdDesc, Qty }) => [PrdDesc.slice(0, 3), Qty])).toEqual([
    ["7 ×", 1],
    ["3 ×", 1],
  ]);
  expect(document?.ValDtls.AssVal).toBe(33_299.67);
});

it("A document waits for its number, is made and mailed once it has it, and none is called late meanwhile", async () => {
  const { order, invoice } = await sold("kerala");
  const note = await credited(order.id, 5000);
  await deliverInvoice(server.services, invoice.id);
  await deliverCreditNote(server.services, note.id);
  server.passTime(3600);
  await sweep(server.services);
  server.passTime(-3600);
  expect([await fileOf(invoice.id), await mailed(order.id), await waiting(invoice.id)]).toEqual([null, 0, []]);
  await settle();
  await deliverInvoice(server.services, invoice.id);
  await deliverCreditNote(server.services, note.id);
  expect([await fileOf(invoice.id), await mailed(order.id)]).toEqual([expect.stringMatching(/^invoice-/), 1]);
  const [made] = await database().select().from(creditNotes).where(eq(creditNotes.id, note.id));
  expect(made?.file).toMatch(/^credit-note-/);
});

it("A document is sent once, however many look for it at the same time", async () => {
  const sent = watched();
  const made = [await sold("kerala"), await sold("sez"), await sold("dubai")];
  await Promise.all(Array.from({ length: 5 }, settle));
  expect(sent.map(({ DocDtls }) => DocDtls.No).toSorted()).toEqual(
    made.map(({ invoice }) => invoice.number).toSorted(),
  );
});

it("A lost answer is asked after by the document's number before anything is sent again", async () => {
  const { invoice } = await sold("kerala");
  server.services.registrar = {
    ...portal,
    register: async (document) => {
      await portal.register(document);
      throw new Error("the connection was cut");
    },
  };
  await settle();
  expect(await eInvoiceOf(invoice.number)).toMatchObject({ state: "sent", failures: 1, irn: null });
  const sent = watched();
  server.passTime(300);
  await settle();
  server.passTime(-300);
  expect(sent).toEqual([]);
  expect(await eInvoiceOf(invoice.number)).toMatchObject({ state: "registered", failures: 0 });
});

it("What the portal calls a duplicate is taken by its number, also where it is not found by its document", async () => {
  const { invoice } = await sold("kerala");
  const sent = watched();
  await settle();
  const registered = await eInvoiceOf(invoice.number);
  await database().execute(`alter table e_invoices disable trigger e_invoices_never_changed`);
  await database()
    .update(eInvoices)
    .set({ state: "due", irn: null, signedQr: null, sentAt: null, nextAskAt: server.services.now() })
    .where(eq(eInvoices.number, invoice.number));
  await database().execute(`alter table e_invoices enable trigger e_invoices_never_changed`);
  watched({ findByDocument: async () => null });
  await settle();
  expect(await eInvoiceOf(invoice.number)).toMatchObject({ state: "registered", irn: registered?.irn });
  expect(sent).toHaveLength(1);
});

it("Another document under the same number is not taken for ours", async () => {
  const { invoice } = await sold("kerala");
  watched({
    register: (document) =>
      portal.register({ ...document, ValDtls: { ...document.ValDtls, TotInvVal: document.ValDtls.TotInvVal + 1 } }),
  });
  await settle();
  const row = await eInvoiceOf(invoice.number);
  expect(row).toMatchObject({ state: "refused", irn: null });
  expect(row?.problem).toContain("another document under this number: its total is");
});

describe("What the portal refuses", () => {
  it("and is sent again is noted as sent before it is, and asked after once its answer is lost", async () => {
    const { invoice } = await sold("kerala");
    server.services.registrar = refusalOf("3029", "GSTIN is not active");
    await settle();
    const row = await eInvoiceOf(invoice.number);
    const [item] = await waiting(row?.id ?? "");
    await server.call("admin/actions/retry", { id: item?.id ?? "" }, admin.token);
    server.passTime(60);
    watched({ register: () => Promise.reject(new Error("the connection was cut")) });
    await settle();
    server.passTime(-60);
    const sent = await eInvoiceOf(invoice.number);
    expect(sent).toMatchObject({ state: "sent", failures: 1 });
    expect(sent?.sentAt?.getTime()).toBeGreaterThan(row?.sentAt?.getTime() ?? 0);
  });

  it("waits for an administrator with its reasons, who corrects what is missing and has it sent again", async () => {
    const { buyer, invoice } = await sold("kerala", { pinCode: null });
    await settle();
    const row = await eInvoiceOf(invoice.number);
    const [item] = await waiting(row?.id ?? "");
    expect(item).toMatchObject({ queue: "eInvoices", about: invoice.number });
    expect(item?.problem).toContain("PIN code is missing");
    const seen = await server.call("admin/actions/item", { id: item?.id ?? "" }, admin.token);
    expect(seen.body).toMatchObject({ no_retry_because: null, order: { invoice_number: invoice.number } });
    await database().update(organisations).set({ pinCode: "682031" }).where(eq(organisations.id, buyer.organisationId));
    expect((await server.call("admin/actions/retry", { id: item?.id ?? "" }, admin.token)).status).toBe(200);
    await settle();
    expect(await eInvoiceOf(invoice.number)).toMatchObject({ state: "registered", reasons: [], problem: null });
    expect(await waiting(row?.id ?? "")).toEqual([]);
  });

  it("is registered by an answer that comes while an administrator asks again", async () => {
    const { invoice } = await sold("kerala");
    server.services.registrar = refusalOf("3029", "GSTIN is not active");
    await settle();
    server.services.registrar = portal;
    const row = await eInvoiceOf(invoice.number);
    await database()
      .update(eInvoices)
      .set({ nextAskAt: server.services.now() })
      .where(eq(eInvoices.id, row?.id ?? ""));
    const [item] = await waiting(row?.id ?? "");
    const [asked] = await inTurn(
      server,
      `select from action_items where id = '${item?.id}' for update`,
      () => server.call("admin/actions/retry", { id: item?.id ?? "" }, admin.token),
      settle,
    );
    expect(asked.status).toBe(200);
    expect(await eInvoiceOf(invoice.number)).toMatchObject({ state: "registered", problem: null });
    expect(await waiting(row?.id ?? "")).toEqual([]);
  });

  it("is told with the portal's code, and the customer reads of none of it", async () => {
    const { buyer, order, invoice } = await sold("kerala");
    server.services.registrar = refusalOf("3029", "GSTIN is not active");
    await settle();
    expect(await eInvoiceOf(invoice.number)).toMatchObject({ problem: "GSTIN is not active (3029)" });
    const ours = (await server.call("admin/order", { id: order.id }, admin.token)).body;
    expect(ours.e_invoices).toMatchObject([{ state: "refused", reasons: ["GSTIN is not active (3029)"] }]);
    const theirs = (await server.call("user/order", { id: order.id }, buyer.token)).body;
    expect(JSON.stringify(theirs)).not.toContain("3029");
    expect(theirs.steps.filter(({ is_done }) => !is_done).map(({ name, says }) => [name, says])).toEqual([
      ["registered", null],
      ["mailed", null],
    ]);
  });
});

it("A portal that is down is asked ever less often, and a person is told once it has lasted an hour", async () => {
  const { invoice } = await sold("kerala");
  server.services.registrar = nicRegistrar({ url: "http://127.0.0.1:9", headers: {} }, () => "");
  await settle();
  const row = await eInvoiceOf(invoice.number);
  expect(row).toMatchObject({ state: "sent", failures: 1, problem: null });
  await settle();
  expect((await eInvoiceOf(invoice.number))?.failures).toBe(1);
  server.passTime(3700);
  await settle();
  expect((await eInvoiceOf(invoice.number))?.problem).toContain("gives no answer");
  server.services.registrar = portal;
  server.passTime(3700);
  await settle();
  server.passTime(-7400);
  expect(await eInvoiceOf(invoice.number)).toMatchObject({ state: "registered", problem: null });
});

it("A portal that was down while our clock was ahead is asked once it is right", async () => {
  const { invoice } = await sold("kerala");
  server.services.registrar = nicRegistrar({ url: "http://127.0.0.1:9", headers: {} }, () => "");
  server.passTime(30 * 86_400);
  await settle();
  server.passTime(-30 * 86_400);
  server.services.registrar = portal;
  await settle();
  expect((await eInvoiceOf(invoice.number))?.state).toBe("registered");
});

it("Where no portal is configured, an administrator is told which settings are missing", async () => {
  const { invoice } = await sold("kerala");
  server.services.registrar = null;
  await settle();
  expect(await eInvoiceOf(invoice.number)).toMatchObject({
    state: "due",
    problem: expect.stringContaining("EINVOICE_URL"),
  });
});

describe("An administrator cancels", () => {
  const cancel = (id: string, token = admin.token) =>
    server.call("admin/e-invoices/cancel", { id, reason: "3", remark: "Not wanted any more" }, token);
  const registered = async (kind: Kind = "kerala") => {
    const made = await sold(kind);
    await settle();
    const row = await eInvoiceOf(made.invoice.number);
    if (!row) throw new Error("It is not due");
    return { ...made, row };
  };

  const acknowledgedBefore = (id: string, hours: number) =>
    // In a transaction of its own: the trigger that protects rows is disabled only for this change.
    database().transaction(async (transaction) => {
      await transaction.execute(`alter table e_invoices disable trigger e_invoices_never_changed`);
      const ackAt = earlier(server.services.now(), { hours });
      await transaction.update(eInvoices).set({ ackAt }).where(eq(eInvoices.id, id));
      await transaction.execute(`alter table e_invoices enable trigger e_invoices_never_changed`);
    });

  it("an invoice within 24 hours, once; then there is nothing to credit, and it counts for nothing", async () => {
    const { order, invoice, row } = await registered();
    const answers = await Promise.all([cancel(row.id), cancel(row.id)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    await settle();
    expect(await eInvoiceOf(invoice.number)).toMatchObject({ state: "cancelled", cancelledAt: expect.any(Date) });
    expect((await cancel(row.id)).status).toBe(200);
    const [kept] = await database()
      .select()
      .from(sandboxEInvoices)
      .where(eq(sandboxEInvoices.irn, row.irn ?? ""));
    expect(kept?.cancelledAt).not.toBeNull();
    const { steps } = (await server.call("admin/order", { id: order.id }, admin.token)).body;
    expect(steps.map(({ name }) => name)).toContain("invoice_cancelled");
    await expect(credited(order.id, 1000)).rejects.toThrow("was cancelled");
    expect(await waiting(row.id)).toMatchObject([{ problem: expect.stringContaining("give the money back") }]);
    const now = server.services.now();
    const csv = await server.call(
      "admin/register",
      { from: writtenDay(earlier(now, { days: 2 })), to: writtenDay(now), format: "csv" },
      admin.token,
    );
    const line = csv.body.text.split("\r\n").find((each) => each.includes(invoice.number)) ?? "";
    expect(line).toContain(row.irn);
    expect(line).toMatch(/,0(\.00)?,.*,Yes,\w{15}$/);
  });

  it("an invoice that has gone out: its buyer is mailed so, once", async () => {
    const { buyer, invoice, row } = await registered();
    await deliverInvoice(server.services, invoice.id);
    await Promise.all([cancel(row.id), cancel(row.id)]);
    await Promise.all([settle(), settle()]);
    const mailedOnes = await database()
      .select({ recipient: mails.recipient, content: mails.content })
      .from(mails)
      .where(eq(mails.eventKey, `invoice-cancelled:${invoice.id}`));
    expect(mailedOnes).toEqual([
      { recipient: buyer.email, content: expect.objectContaining({ invoiceNumber: invoice.number }) },
    ]);
  });

  it("what was paid online: noted as given back by hand, it waits for nobody any more", async () => {
    const { order, row } = await registered();
    const payment = { orderId: order.id, kind: "payment" as const, eventId: randomUUID(), about: "403993715531" };
    await database()
      .insert(ledgerEntries)
      .values({ ...payment, amountPaise: -order.amountPaise, at: server.services.now() });
    await cancel(row.id);
    await settle();
    expect(await waiting(row.id)).toHaveLength(1);
    const amount = rupees(order.amountPaise);
    const noted = {
      id: randomUUID(),
      order_id: order.id,
      kind: "given back" as const,
      amount,
      reason: "At the gateway",
    };
    const { status, body } = await server.call("admin/receivables/settle", noted, admin.token);
    expect([status, body.error]).toEqual([200, undefined]);
    expect(await waiting(row.id)).toEqual([]);
  });

  it("what another run has settled stays settled, however late a first one hears nothing", async () => {
    const { invoice, row } = await registered();
    const before = await eInvoiceOf(invoice.number);
    await noteSilence(server.services, { ...row, state: "sent" }, new Error("The portal hung"));
    expect(await eInvoiceOf(invoice.number)).toEqual(before);
    await cancel(row.id);
    await settle();
    const cancelledRow = await eInvoiceOf(invoice.number);
    await noteSilence(server.services, row, new Error("The portal hung"));
    expect(await eInvoiceOf(invoice.number)).toEqual(cancelledRow);
  });

  it("at the portal itself what was just sent: it is cancelled here too, owed by nobody, and not sent again", async () => {
    const { order, invoice } = await sold("kerala");
    watched({
      register: async (document) => {
        const answer = await portal.register(document);
        if ("registered" in answer) await portal.cancel(answer.registered.irn, "3", "At the portal");
        throw new Error("the connection was cut");
      },
    });
    await settle();
    expect(await eInvoiceOf(invoice.number)).toMatchObject({ state: "sent", irn: null });
    const sent = watched();
    server.passTime(300);
    await settle();
    server.passTime(-300);
    const row = await eInvoiceOf(invoice.number);
    expect(row).toMatchObject({
      state: "cancelled",
      irn: expect.any(String),
      cancelledAt: expect.any(Date),
      problem: expect.stringContaining("its order was paid, all or a part: give the money back"),
    });
    expect(sent).toEqual([]);
    const entries = await database().select().from(ledgerEntries).where(eq(ledgerEntries.orderId, order.id));
    expect(entries).toContainEqual(
      expect.objectContaining({ kind: "invoice cancelled", amountPaise: -invoice.content.totalPaise }),
    );
  });

  it("also after a lost answer: the portal's own word counts", async () => {
    const { invoice, row } = await registered();
    await cancel(row.id);
    watched({
      cancel: async (...asked) => {
        await portal.cancel(...asked);
        throw new Error("the connection was cut");
      },
    });
    await settle();
    expect(await eInvoiceOf(invoice.number)).toMatchObject({ state: "registered", failures: 1 });
    server.services.registrar = portal;
    server.passTime(300);
    await settle();
    server.passTime(-300);
    expect(await eInvoiceOf(invoice.number)).toMatchObject({ state: "cancelled" });
  });

  it("none after 24 hours, none with a credit note, no credit note itself, and nobody else does", async () => {
    const { order, row } = await registered();
    const { token } = await member(server, "adminChild");
    expect((await cancel(row.id, token)).status).toBe(403);
    expect((await cancel(randomUUID())).status).toBe(404);
    const note = await credited(order.id, 1000);
    expect((await cancel(row.id)).status).toBe(409);
    await settle();
    const ofNote = await eInvoiceOf(note.number);
    expect((await cancel(ofNote?.id ?? "")).status).toBe(404);
    const late = await registered();
    await acknowledgedBefore(late.row.id, 48);
    const answer = await cancel(late.row.id);
    expect([answer.status, answer.body.error]).toEqual([409, expect.stringContaining("within 24 hours only")]);
  });

  it("after 24 hours what the portal says was cancelled there, and nothing else", async () => {
    const elsewhere = await registered();
    await portal.cancel(elsewhere.row.irn ?? "", "3", "At the portal");
    const standing = await registered();
    await Promise.all([elsewhere, standing].map(({ row }) => acknowledgedBefore(row.id, 30)));
    const { e_invoices: shown } = (await server.call("admin/order", { id: standing.order.id }, admin.token)).body;
    expect(shown[0]).toMatchObject({ cancel_until: null, record_until: expect.any(String) });
    const asked = await Promise.all([elsewhere, standing].map(({ row }) => cancel(row.id)));
    expect(asked.map(({ status }) => status)).toEqual([200, 200]);
    watched({
      cancel: async (irn, code, remark) => {
        const { isCancelled } = (await portal.findByIrn(irn)) ?? {};
        return isCancelled ? portal.cancel(irn, code, remark) : { refused: [{ code: "2270", text: "Too late" }] };
      },
    });
    await settle();
    server.services.registrar = portal;
    expect(await eInvoiceOf(elsewhere.invoice.number)).toMatchObject({ state: "cancelled" });
    expect(await eInvoiceOf(standing.invoice.number)).toMatchObject({ state: "registered", cancelAskedAt: null });
    expect(await waiting(standing.row.id)).toMatchObject([{ problem: expect.stringContaining("Too late") }]);
  });
});

describe("An invoice that is to be paid later", () => {
  beforeAll(async () => {
    const eInvoicing = { from: "2020-04-01", ...place };
    await sellerIs(server, { eInvoices: eInvoicing, bank: bankOfTests, creditDays: 30 });
  });
  const againstInvoice = async () => {
    const made = await transferBuyer(server);
    await database().update(quotes).set({ decision: "accepted" }).where(eq(quotes.id, made.quote.id));
    const { body } = await made.choose({ way: "invoice", deducts: { section: "194J", percent: 10 } });
    const [invoice] = await database().select().from(invoices).where(eq(invoices.orderId, body.order_id));
    if (!invoice) throw new Error("There is no invoice");
    return { ...made, pay: body.pay, orderId: body.order_id, invoice };
  };
  const owedOf = async (orderId: string) => {
    const [order] = await database().select().from(orders).where(eq(orders.id, orderId));
    return { owed: order?.owedPaise, taxOpen: order?.taxOpenPaise };
  };
  const cancelled = async (number: string) => {
    const row = await eInvoiceOf(number);
    const asked = { id: row?.id ?? "", reason: "3" as const, remark: "Called off" };
    expect((await server.call("admin/e-invoices/cancel", asked, admin.token)).status).toBe(200);
    await settle();
    expect(await eInvoiceOf(number)).toMatchObject({ state: "cancelled" });
  };

  it("waits for its number with PDF and mail, and tells both how to pay and its IRN", async () => {
    const { invoice, orderId } = await againstInvoice();
    await deliverInvoice(server.services, invoice.id);
    expect(await fileOf(invoice.id)).toBeNull();
    const told = () => database().$count(mails, eq(mails.eventKey, `invoice-due:${orderId}`));
    expect(await told()).toBe(0);
    await settle();
    await deliverInvoice(server.services, invoice.id);
    expect(await told()).toBe(1);
    const { text } = await readPdf(await server.services.files.read((await fileOf(invoice.id)) ?? ""));
    expect(text).toContain("TO BE PAID");
    expect(text.replaceAll(" ", "")).toContain((await eInvoiceOf(invoice.number))?.irn);
  });

  it("is owed by nobody once it is cancelled, and is reminded of no more", async () => {
    const { invoice, orderId, person } = await againstInvoice();
    await settle();
    const { owed } = await owedOf(orderId);
    expect(owed).toBeGreaterThan(0);
    const writeOff = {
      id: randomUUID(),
      order_id: orderId,
      kind: "write-off" as const,
      amount: "1.00",
      reason: "Charges",
    };
    expect((await server.call("admin/receivables/settle", writeOff, admin.token)).status).toBe(200);
    await cancelled(invoice.number);
    expect(await owedOf(orderId)).toEqual({ owed: 0, taxOpen: 0 });
    const { certificates } = (await server.call("user/payments-due", {}, person.token)).body;
    expect(certificates).toMatchObject([
      { state: "awaited", is_cancelled: true, owed_again_since: null, owed_again_because: "" },
    ]);
    const waitingFor = (await server.call("admin/certificates", {}, admin.token)).body.certificates;
    expect(waitingFor.filter(({ invoice_number }) => invoice_number === invoice.number)).toEqual([]);
    const today = writtenDay(server.services.now());
    const asked = { from: today, to: today, format: "csv" as const };
    const statement = (await server.call("user/statement", asked, person.token)).body.content;
    expect(Buffer.from(statement, "base64").toString()).toContain("Deducted tax that is claimed no more");
    const owe = { id: certificates[0]?.id ?? "", reason: "None came" };
    expect((await server.call("admin/certificates/owe-again", owe, admin.token)).body.error).toMatch(/was cancelled/);
    const [item] = await waiting((await eInvoiceOf(invoice.number))?.id ?? "");
    expect(item?.problem).toContain("nothing is owed by it any more");
    const { notices } = (await server.call("notices", {}, person.token)).body;
    expect(notices.filter(({ title }) => title === `The invoice ${invoice.number} is cancelled`)).toHaveLength(1);
    server.passTime(31 * 86_400);
    await remindOfDues(server.services);
    expect(await database().$count(mails, like(mails.eventKey, `due:${orderId}:%`))).toBe(0);
    server.passTime(-31 * 86_400);
  });

  it("and was cancelled before it went out is mailed as cancelled, and not as one to pay", async () => {
    const { invoice, orderId } = await againstInvoice();
    await settle();
    await database().update(invoices).set({ file: null }).where(eq(invoices.id, invoice.id));
    await database()
      .delete(mails)
      .where(eq(mails.eventKey, `invoice-due:${orderId}`));
    await cancelled(invoice.number);
    await deliverInvoice(server.services, invoice.id);
    await deliverInvoice(server.services, invoice.id);
    const told = async (key: string) => database().$count(mails, eq(mails.eventKey, key));
    expect([await told(`invoice-due:${orderId}`), await told(`invoice-cancelled:${invoice.id}`)]).toEqual([0, 1]);
    expect(await fileOf(invoice.id)).not.toBeNull();
  });

  it("and goes out while its cancellation waits for the order is mailed as cancelled after that", async () => {
    const { invoice, orderId } = await againstInvoice();
    await settle();
    const { id = "" } = (await eInvoiceOf(invoice.number)) ?? {};
    await database().update(invoices).set({ file: null }).where(eq(invoices.id, invoice.id));
    const asked = { id, reason: "3" as const, remark: "Called off" };
    expect((await server.call("admin/e-invoices/cancel", asked, admin.token)).status).toBe(200);
    const goesOut = `select from orders where id = '${orderId}' for update;
      update invoices set file = 'invoice-${randomUUID()}.pdf' where id = '${invoice.id}'`;
    await whileHeld(server, goesOut, () => [settle()], 1, "commit");
    expect(await eInvoiceOf(invoice.number)).toMatchObject({ state: "cancelled" });
    expect(await database().$count(mails, eq(mails.eventKey, `invoice-cancelled:${invoice.id}`))).toBe(1);
  });

  it("and was paid, cancelled and given back leaves nothing owed, and no credit note", async () => {
    const { choose } = await transferBuyer(server);
    const { body } = await choose();
    const came = { utr: newUtr(), received_on: today(server), payer: "Periyar", amount: body.pay, pays: body.document };
    await server.call("admin/transfers/record", came, admin.token);
    const [invoice] = await database().select().from(invoices).where(eq(invoices.orderId, body.order_id));
    await settle();
    await cancelled(invoice?.number ?? "");
    expect((await owedOf(body.order_id)).owed).toBeLessThan(0);
    const second = await member(server, "admin", { organisationId: admin.organisationId });
    const giveBack = async (amount: string) => {
      const id = randomUUID();
      const back = { id, payment: body.order_id, amount, reason: "Called off" };
      await server.call("admin/refunds/ask", back, admin.token);
      await server.call("admin/refunds/approve", { id }, second.token);
      const paidOut = { id, bank_reference: newUtr(), paid_on: today(server) };
      expect((await server.call("admin/refunds/paid-out", paidOut, admin.token)).status).toBe(200);
    };
    const { id: eInvoiceId = "" } = (await eInvoiceOf(invoice?.number ?? "")) ?? {};
    await giveBack("100.00");
    expect(await waiting(eInvoiceId)).toHaveLength(1);
    await giveBack(rupees(paiseFrom(body.pay) - 10_000));
    expect(await waiting(eInvoiceId)).toEqual([]);
    expect(await owedOf(body.order_id)).toMatchObject({ owed: 0 });
    expect(await database().$count(creditNotes, eq(creditNotes.invoiceId, invoice?.id ?? ""))).toBe(0);
  });

  it("and was cancelled after its certificate was matched gives back what came and what was certified, and no more", async () => {
    const { choose, person } = await transferBuyer(server);
    const { body } = await choose({ deducts: { section: "194J", percent: 10 } });
    const came = { utr: newUtr(), received_on: today(server), payer: "Periyar", amount: body.pay, pays: body.document };
    await server.call("admin/transfers/record", came, admin.token);
    const [claim] = (await server.call("user/payments-due", {}, person.token)).body.certificates;
    const id = claim?.id ?? "";
    const file = Buffer.from("%PDF-1.7").toString("base64");
    const sent = { id, number: "A", quarter: "2026-27 Q3", amount: claim?.amount ?? "", file };
    await server.call("user/certificates/upload", sent, person.token);
    const matched = { ...(await seenCertificate(server, id)), decision: "matched" as const };
    await server.call("admin/certificates/decide", matched, admin.token);
    const [invoice] = await database().select().from(invoices).where(eq(invoices.orderId, body.order_id));
    await settle();
    await cancelled(invoice?.number ?? "");
    const totalPaise = invoice?.content.totalPaise ?? 0;
    expect(await owedOf(body.order_id)).toEqual({ owed: -totalPaise, taxOpen: 0 });
    const { payments } = (await server.call("admin/order", { id: body.order_id }, admin.token)).body;
    expect(payments).toMatchObject([{ captured: body.pay, refundable: rupees(totalPaise) }]);
    const second = await member(server, "admin", { organisationId: admin.organisationId });
    const giveBack = async (amount: string) => {
      const refund = randomUUID();
      const asked = { id: refund, payment: body.order_id, amount, reason: "Called off" };
      const { status } = await server.call("admin/refunds/ask", asked, admin.token);
      await server.call("admin/refunds/approve", { id: refund }, second.token);
      const paidOut = { id: refund, bank_reference: newUtr(), paid_on: today(server) };
      await server.call("admin/refunds/paid-out", paidOut, admin.token);
      return status;
    };
    expect(await giveBack(body.pay)).toBe(200);
    expect(await giveBack(rupees(totalPaise - paiseFrom(body.pay) + 1))).toBe(409);
    expect(await giveBack(rupees(totalPaise - paiseFrom(body.pay)))).toBe(200);
    expect((await owedOf(body.order_id)).owed).toBe(0);
    expect(await giveBack("0.01")).toBe(409);
    expect(await database().$count(creditNotes, eq(creditNotes.invoiceId, invoice?.id ?? ""))).toBe(0);
  });
});

it("What is registered is never changed, whoever asks the database", async () => {
  const { invoice } = await sold("kerala");
  await settle();
  const change = database()
    .update(eInvoices)
    .set({ irn: "0".repeat(64) })
    .where(eq(eInvoices.number, invoice.number));
  await expect(
    change.then(
      () => "changed",
      (error: Error) => String(error.cause),
    ),
  ).resolves.toContain("not changed");
});

it("The stand-in refuses what the published schema and rules refuse", async () => {
  const sent = watched();
  await sold("kerala");
  await settle();
  const [good] = sent;
  if (!good) throw new Error("Nothing was sent");
  const now = server.services.now();
  expect(findFaults(good, now)).toEqual([]);
  const [item] = good.ItemList;
  const wrong: [object, string][] = [
    [{ ...good, Version: "1.0" }, "2140"],
    [{ ...good, DocDtls: { ...good.DocDtls, No: "/26-27/1" } }, "2140"],
    [{ ...good, DocDtls: { ...good.DocDtls, Dt: "31/12/2099" } }, "2163"],
    [{ ...good, BuyerDtls: { ...good.BuyerDtls, Pin: 560001 } }, "3039"],
    [{ ...good, BuyerDtls: { ...good.BuyerDtls, Addr1: 'A "quoted" street' } }, "2140"],
    [{ ...good, BuyerDtls: { ...good.BuyerDtls, Stcd: "27" } }, "2265"],
    [{ ...good, ItemList: [{ ...item, IgstAmt: 0, CgstAmt: 9, SgstAmt: 9 }] }, "2174"],
    [{ ...good, ItemList: [{ ...item, HsnCd: "847130" }] }, "2176"],
    [{ ...good, ValDtls: { ...good.ValDtls, TotInvVal: good.ValDtls.TotInvVal + 5 } }, "2188"],
  ];
  for (const [document, code] of wrong) expect(findFaults(document, now).map((fault) => fault.code)).toContain(code);
  // A violation of the schema is a refusal for a person to read, not something to send again and again.
  const answer = await portal.register({ ...good, DocDtls: { ...good.DocDtls, No: "/26-27/1" } });
  expect(answer).toEqual({ refused: [{ code: "2140", text: expect.stringContaining("DocDtls.No") }] });
});
