import { and, eq } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { writtenDay } from "../../contract/india-time.ts";
import { formatRupees, paiseFrom, rupees } from "../../contract/money.ts";
import { sellerIs } from "../../tests/billing.ts";
import { answerTo, comeBack, orderOf } from "../../tests/buyer.ts";
import { contractOf } from "../../tests/contract.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { member, type Member } from "../../tests/people.ts";
import { bankOfTests, newUtr, seenCertificate, transferBuyer } from "../../tests/transfers.ts";
import { whileHeld } from "../../tests/while-held.ts";
import {
  actionItems,
  auditEntries,
  creditNotes,
  findings,
  ledgerEntries,
  quotes,
  rateLimits,
  taxDeductions,
} from "../database/schema/index.ts";
import { issueCreditNote } from "../billing/credit-notes.ts";
import { claimLoweredPaise } from "../ledger/lower-claim.ts";
import { paperDay } from "../outside/documents/paper.ts";
import { settleRefunds } from "./settle-refunds.ts";

const limitPaise = 10_000_00;

let server: TestServer;
let asha: Member;
let ravi: Member;
beforeAll(async () => {
  server = await startTestServer({ env: { refundApprovalPaise: limitPaise } });
  asha = await member(server, "admin");
  ravi = await member(server, "admin", { organisationId: asha.organisationId, firstName: "Ravi" });
  await sellerIs(server, { bank: bankOfTests, creditDays: 30 });
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.services.database.delete(rateLimits);
});

const db = () => server.services.database;
const today = () => writtenDay(server.services.now());
const record = (amount: string, pays: string) =>
  server.call(
    "admin/transfers/record",
    { utr: newUtr(), received_on: today(), payer: "Periyar Spices", amount, pays },
    asha.token,
  );
const ask = (payment: string, amount: string, { by = asha, id = randomUUID() } = {}) =>
  server.call("admin/refunds/ask", { id, payment, amount, reason: "Bought by mistake" }, by.token);
const paidOut = (id: string, reference = newUtr(), by = asha) =>
  server.call("admin/refunds/paid-out", { id, bank_reference: reference, paid_on: today() }, by.token);
const refundOf = async (payment: string, amount: string) => {
  const id = randomUUID();
  await ask(payment, amount, { id });
  expect((await paidOut(id)).status).toBe(200);
};
const details = async (orderId: string) => (await server.call("admin/order", { id: orderId }, asha.token)).body;
const balanceOf = async ({ token }: Member) => (await server.call("user/payments-due", {}, token)).body.balance;
const creditsOf = async (orderId: string) => {
  const rows = await db()
    .select({ amountPaise: ledgerEntries.amountPaise })
    .from(ledgerEntries)
    .where(and(eq(ledgerEntries.orderId, orderId), eq(ledgerEntries.kind, "credit note")))
    .orderBy(ledgerEntries.id);
  return rows.map(({ amountPaise }) => -amountPaise);
};

/** An order paid by transfer, with this much in excess. */
async function paidByTransfer(onTopPaise = 0) {
  const made = await transferBuyer(server);
  const { body } = await made.choose();
  await record(rupees(paiseFrom(body.pay) + onTopPaise), body.document);
  return { ...made, orderId: body.order_id, number: body.order_number, pay: paiseFrom(body.pay) };
}

it("What came by transfer goes back when two have agreed and somebody has paid it out, with ledger, credit note, mail and history", async () => {
  const { orderId, pay, person, quote } = await paidByTransfer();
  expect(pay).toBeGreaterThan(limitPaise);
  const id = randomUUID();
  expect((await ask(orderId, rupees(pay), { id })).body.message).toMatch(/another main administrator, who finds/);
  expect((await paidOut(id)).body.error).toMatch(/Another main administrator/);
  expect((await server.call("admin/refunds/approve", { id }, asha.token)).status).toBe(409);
  expect((await server.call("admin/refunds/approve", { id }, ravi.token)).body.message).toMatch(/transferred back/);
  // The gateway is not involved.
  await settleRefunds(server.services);
  expect((await orderOf(server, quote.id))?.state).toBe("refund_pending");
  const [item] = await db().select().from(actionItems).where(eq(actionItems.subjectId, id));
  expect(item).toMatchObject({ queue: "refunds", closedAt: null });
  const seen = (await server.call("user/order", { id: orderId }, person.token)).body;
  expect(seen.advice).toMatch(/by bank transfer/);

  const reference = newUtr();
  const [other, ...same] = await Promise.all([paidOut(id), paidOut(id, reference), paidOut(id, reference)]);
  const { refunds, payments, steps } = await details(orderId);
  const known = refunds[0]?.bank_reference ?? "";
  // The first entry counts: repeating it gets the same answer, another reference is refused.
  const isSame = known === reference;
  expect(other?.status).toBe(isSame ? 409 : 200);
  expect(same.map(({ status }) => status)).toEqual(isSame ? [200, 200] : [409, 409]);
  expect(refunds).toMatchObject([{ state: "done", by: "transfer", paid_on: today(), paid_out_by: "Asha Rao" }]);
  expect(payments).toMatchObject([{ by: "transfer", refundable: "0.00", captured: rupees(pay) }]);
  expect(steps.filter(({ name }) => name.startsWith("refund")).map(({ name, is_done }) => [name, is_done])).toEqual([
    ["refund_asked", true],
    ["refund_approved", true],
    ["refund_done", true],
  ]);
  expect(steps.find(({ name }) => name === "refund_done")?.says).toContain(known);
  expect(await orderOf(server, quote.id)).toMatchObject({ state: "refunded", owedPaise: 0 });
  expect(await creditsOf(orderId)).toEqual([pay]);
  expect((await server.mailbox.take(person.email, /given back/)).text).toContain(known);
  const statement = { from: today(), to: today(), format: "csv" } as const;
  const { content } = (await server.call("user/statement", statement, person.token)).body;
  expect(Buffer.from(content, "base64").toString()).toContain(`${known}, at the bank on ${paperDay(today())}`);
  await server.mailbox.take(person.email, /credit note/i);
  const said = await db()
    .select({ action: auditEntries.action })
    .from(auditEntries)
    .where(eq(auditEntries.subject, `order:${orderId}`));
  expect(said.map(({ action }) => action)).toEqual(
    expect.arrayContaining(["ask refund", "approve refund", "pay out refund"]),
  );
  const [settled] = await db().select().from(actionItems).where(eq(actionItems.subjectId, id));
  expect(settled?.closedAt).not.toBeNull();
});

it("Never more goes back than came, however many ask at once, and a bank reference pays out one refund", async () => {
  const [{ orderId, pay }, other] = [await paidByTransfer(), await paidByTransfer()];
  const part = Math.floor(pay / 3);
  const asked = await Promise.all([asha, ravi, asha, ravi, asha].map((by) => ask(orderId, rupees(part), { by })));
  expect(asked.filter(({ status }) => status === 200)).toHaveLength(3);
  expect((await ask(orderId, rupees(pay))).body.error).toMatch(/left|on its way/);
  const { refunds: three } = await details(orderId);
  const waiting = three.filter(({ state }) => state === "asked");
  for (const { id, asked_by } of waiting)
    // oxlint-disable-next-line no-await-in-loop -- in sequence
    await server.call("admin/refunds/approve", { id }, asked_by === "Ravi Rao" ? asha.token : ravi.token);
  const id = randomUUID();
  await ask(other.orderId, "1.00", { id });
  const [first] = (await details(orderId)).refunds;
  const reference = newUtr();
  const both = await Promise.all([paidOut(first?.id ?? "", reference), paidOut(id, reference)]);
  expect(both.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
  const open = [...(await details(orderId)).refunds, ...(await details(other.orderId)).refunds].filter(
    ({ state }) => state === "approved",
  );
  for (const { id: each } of open)
    // oxlint-disable-next-line no-await-in-loop
    expect((await paidOut(each)).status).toBe(200);
  expect(await creditsOf(orderId)).toEqual([part, part, part]);
  expect(await creditsOf(other.orderId)).toEqual([100]);
  expect(await orderOf(server, other.quote.id)).toMatchObject({ state: "partially_refunded", owedPaise: 0 });
});

it("What came on top goes back without a credit note, and what is more than that with one over the rest", async () => {
  const { orderId, person, quote } = await paidByTransfer(50_00);
  expect(await balanceOf(person)).toBe("-50.00");
  const excess = async () => {
    const { transfers } = (await server.call("user/payments-due", {}, person.token)).body;
    return transfers.map((each) => [each.excess, each.excess_here]);
  };
  expect(await excess()).toEqual([["50.00", "50.00"]]);
  expect((await details(orderId)).payments).toMatchObject([{ on_top: "50.00", pays_the_order: true }]);
  const noted = { id: randomUUID(), order_id: orderId, kind: "given back" as const, amount: "50.00", reason: "NEFT" };
  expect((await server.call("admin/receivables/settle", noted, asha.token)).body.error).toMatch(/History/);
  const id = randomUUID();
  expect((await ask(orderId, "40.00", { id })).body.message).toMatch(/transferred back/);
  expect((await orderOf(server, quote.id))?.state).toBe("success");
  expect((await details(orderId)).payments).toMatchObject([{ on_top: "10.00" }]);
  expect((await paidOut(id, newUtr(), ravi)).status).toBe(200);
  expect(await creditsOf(orderId)).toEqual([]);
  expect(await orderOf(server, quote.id)).toMatchObject({ state: "success", owedPaise: -10_00 });
  const rest = randomUUID();
  await ask(orderId, "15.00", { id: rest });
  expect(await excess()).toEqual([["50.00", "10.00"]]);
  await paidOut(rest);
  expect(await excess()).toEqual([["50.00", "0.00"]]);
  expect(await creditsOf(orderId)).toEqual([5_00]);
  const [over] = await db().select().from(findings).where(eq(findings.orderId, orderId));
  expect(over).toMatchObject({ kind: "transfer over", resolution: expect.stringContaining("Given back by transfer") });
  expect(await orderOf(server, quote.id)).toMatchObject({ state: "partially_refunded", owedPaise: 0 });
});

it("What is here of what came on top is what went last into the order, and no credit of another kind", async () => {
  const { orderId, number, person } = await paidByTransfer(50_00);
  const excess = async () => {
    const { transfers } = (await server.call("user/payments-due", {}, person.token)).body;
    return transfers.map((each) => [each.excess, each.excess_here]);
  };
  const id = randomUUID();
  await ask(orderId, "50.00", { id });
  expect((await paidOut(id, newUtr(), ravi)).status).toBe(200);
  expect(await excess()).toEqual([["50.00", "0.00"]]);
  await db().transaction((transaction) =>
    issueCreditNote(server.services, transaction, { orderId, amountPaise: 118_00, reason: "Called off" }),
  );
  expect(await excess()).toEqual([["50.00", "0.00"]]);
  expect((await details(orderId)).payments).toMatchObject([{ on_top: "0.00" }]);
  const again = { id: randomUUID(), payment: orderId, amount: "50.00", reason: "More came", is_on_top: true };
  expect((await server.call("admin/refunds/ask", again, ravi.token)).status).toBe(409);
  await record("30.00", number);
  await record("40.00", number);
  expect(await excess()).toEqual([
    ["40.00", "40.00"],
    ["30.00", "30.00"],
    ["50.00", "0.00"],
  ]);
});

it("What came on top goes back once, however many pages offer it, and the second is told who asked for it", async () => {
  const { orderId, quote } = await paidByTransfer(957_74);
  const onTop = (by: Member, id = randomUUID() as string, amount = "957.74") =>
    server.call("admin/refunds/ask", { id, payment: orderId, amount, reason: "More came", is_on_top: true }, by.token);
  const lock = `select from orders where id = '${orderId}' for update`;
  const both = await whileHeld<Awaited<ReturnType<typeof onTop>>>(server, lock, () => [onTop(asha), onTop(ravi)]);
  expect(both.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
  const { refunds } = await details(orderId);
  expect(refunds).toMatchObject([{ amount: "957.74", state: "approved" }]);
  const [first] = refunds;
  const who = first?.asked_by;
  const day = paperDay(today());
  const refused = await onTop(ravi);
  expect([refused.status, refused.body.error]).toEqual([
    409,
    `${who} asked for ₹957.74 on ${day}, which are under way. No more of what came on top is left: please look at the order’s History.`,
  ]);
  // The same page again makes the same refund; an explicit request may exceed what came on top.
  expect((await onTop(asha, first?.id)).status).toBe(200);
  expect((await ask(orderId, "10.00")).status).toBe(200);
  expect(
    (await server.call("admin/refunds/decline", { id: first?.id ?? "", reason: "Not now" }, asha.token)).status,
  ).toBe(200);
  expect((await onTop(ravi)).body.error).toMatch(/₹947\.74 of what came on top are left/);
  expect((await onTop(ravi, randomUUID(), "947.74")).status).toBe(200);
  expect((await orderOf(server, quote.id))?.owedPaise).toBe(-957_74);
});

it("A credit that is on its way back is not given back by hand as well", async () => {
  const { orderId } = await paidByTransfer(50_00);
  const byHand = () => {
    const noted = { id: randomUUID(), order_id: orderId, kind: "given back" as const, amount: "50.00", reason: "NEFT" };
    return server.call("admin/receivables/settle", noted, asha.token);
  };
  expect((await byHand()).body.error).toMatch(/came by transfer/);
  const asRead = async () => {
    const { receivables } = (await server.call("admin/receivables", { limit: 100 }, asha.token)).body;
    return receivables.find((each) => each.order_id === orderId);
  };
  expect(await asRead()).toMatchObject({ open: "-50.00", going_back: "0.00" });
  await ask(orderId, "50.00");
  expect(await asRead()).toMatchObject({ open: "-50.00", going_back: "50.00" });
  const refused = await byHand();
  expect([refused.status, refused.body.error]).toEqual([
    409,
    expect.stringMatching(/^₹50\.00 of O-\d+ are on their way back already\. .*History/),
  ]);
});

it("A refund that is not to be paid out after all is called off once", async () => {
  const { orderId, quote } = await paidByTransfer();
  const id = randomUUID();
  await ask(orderId, "25.00", { id });
  const off = { id, reason: "The customer keeps it" };
  const tries = await Promise.all([
    server.call("admin/refunds/decline", off, ravi.token),
    server.call("admin/refunds/decline", off, asha.token),
  ]);
  expect(tries.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
  expect((await paidOut(id)).status).toBe(409);
  // Of two opposite calls at once, one succeeds.
  const other = randomUUID();
  await ask(orderId, "25.00", { id: other });
  const opposite = await Promise.all([
    paidOut(other),
    server.call("admin/refunds/decline", { ...off, id: other }, ravi.token),
  ]);
  expect(opposite.map(({ status }) => status).toSorted((one, second) => one - second)).toEqual([200, 409]);
  const { refunds } = await details(orderId);
  const isBack = refunds.find((each) => each.id === other)?.state === "done";
  expect(await creditsOf(orderId)).toEqual(isBack ? [25_00] : []);
  expect((await orderOf(server, quote.id))?.owedPaise).toBe(0);
});

it("A refund that was called off is told to no customer, and an order without money has none", async () => {
  const { orderId, person, quote } = await paidByTransfer();
  const id = randomUUID();
  await ask(orderId, "25.00", { id });
  await server.call("admin/refunds/decline", { id, reason: "The customer keeps it" }, asha.token);
  const unpaid = (await (await transferBuyer(server)).choose()).body;
  expect((await ask(unpaid.order_id, "1.00")).body.error).toMatch(/No money has come/);
  expect((await ask(randomUUID(), "1.00")).status).toBe(404);
  expect((await orderOf(server, quote.id))?.state).toBe("success");
  expect((await server.call("user/order", { id: orderId }, person.token)).body.refunds).toEqual([]);
});

it("A reference of money that came, a day to come or before it came, another day the second time, and a refund of the gateway's are refused", async () => {
  const { orderId } = await paidByTransfer();
  const id = randomUUID();
  await ask(orderId, "25.00", { id });
  const came = (await details(orderId)).payments[0]?.payment_id ?? "";
  expect((await paidOut(id, came)).body.error).toMatch(/that came/);
  const late = { id, bank_reference: newUtr(), paid_on: "2099-01-01" };
  expect((await server.call("admin/refunds/paid-out", late, asha.token)).status).toBe(422);
  const early = await server.call("admin/refunds/paid-out", { ...late, paid_on: "2016-01-02" }, asha.token);
  expect(early.body).toMatchObject({ fields: { paid_on: expect.stringMatching(/^The money came on/) } });
  expect(
    (await server.call("admin/refunds/ask", { ...late, payment: orderId, amount: "0.00", reason: "x" }, asha.token))
      .status,
  ).toBe(422);
  const noted = { ...late, paid_on: today() };
  const statusOf = async (sent: typeof noted) => (await server.call("admin/refunds/paid-out", sent, asha.token)).status;
  expect(await Promise.all([statusOf(noted), statusOf(noted)])).toEqual([200, 200]);
  expect(await statusOf({ ...noted, paid_on: "2026-01-02" })).toBe(409);
});

it("A bank reference is of money that went out or of money that came, also of two who enter it at once", async () => {
  const { orderId } = await paidByTransfer();
  const id = randomUUID();
  await ask(orderId, "25.00", { id });
  const utr = newUtr();
  const came = { utr, received_on: today(), payer: "Periyar Spices", amount: "25.00", pays: null };
  // Both have begun before either is done.
  const both = await whileHeld<{ status: number }>(server, "lock table refunds, transfers in share mode", () => [
    paidOut(id, utr),
    server.call("admin/transfers/record", came, asha.token),
  ]);
  expect(both.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
});

it("An advance on a proforma goes back without a credit note, and all of the order is to be paid again", async () => {
  const { choose, quote } = await transferBuyer(server);
  const { body } = await choose();
  await record("100.00", body.document);
  const id = randomUUID();
  await ask(body.order_id, "100.00", { id });
  expect((await paidOut(id)).status).toBe(200);
  expect(await db().$count(creditNotes, eq(creditNotes.cause, `refund:${id}`))).toBe(0);
  expect(await orderOf(server, quote.id)).toMatchObject({ state: "awaiting_transfer", owedPaise: 0 });
  expect((await record(body.pay, body.document)).body.message).toMatch(/is paid/);
  // Money returned before the invoice is not part of it.
  expect(await orderOf(server, quote.id)).toMatchObject({ state: "success", owedPaise: 0 });
  const off = { id: randomUUID(), reason: "The customer keeps it" };
  await ask(body.order_id, "25.00", off);
  await server.call("admin/refunds/decline", off, ravi.token);
  expect((await orderOf(server, quote.id))?.state).toBe("success");
  await refundOf(body.order_id, "25.00");
  expect((await orderOf(server, quote.id))?.state).toBe("partially_refunded");
});

it("An order against invoice of which a part went back before all had come shows so once it is paid", async () => {
  const bought = async () => {
    const made = await transferBuyer(server);
    await db().update(quotes).set({ decision: "accepted" }).where(eq(quotes.id, made.quote.id));
    const { body } = await made.choose({ way: "invoice" });
    await record("200.00", body.document);
    return { ...made, body, rest: rupees(paiseFrom(body.pay) - 200_00) };
  };
  const shown = async ({ quote }: Awaited<ReturnType<typeof bought>>) => (await orderOf(server, quote.id))?.state;
  const back = await bought();
  await refundOf(back.body.order_id, "40.00");
  expect(await shown(back)).toBe("invoiced");
  // What went back is credited: the rest of the invoice is still to come.
  expect(await creditsOf(back.body.order_id)).toEqual([40_00]);
  expect((await record(back.rest, back.body.document)).body.message).toMatch(/is paid/);
  expect(await orderOf(server, back.quote.id)).toMatchObject({ state: "partially_refunded", owedPaise: 0 });

  const underWay = await bought();
  const id = randomUUID();
  await ask(underWay.body.order_id, "40.00", { id });
  await record(underWay.rest, underWay.body.document);
  expect(await shown(underWay)).toBe("refund_pending");
  await paidOut(id);
  expect(await orderOf(server, underWay.quote.id)).toMatchObject({ state: "partially_refunded", owedPaise: 0 });
});

/** An order against invoice whose devices are reduced. */
async function fewer(state: "paid" | "unpaid" | "written off", deducts = {}) {
  const made = await transferBuyer(server);
  await db().update(quotes).set({ decision: "accepted" }).where(eq(quotes.id, made.quote.id));
  const { body } = await made.choose({ way: "invoice", ...deducts });
  if (state === "paid") await record(body.pay, body.document);
  const writeOff = { id: randomUUID(), order_id: body.order_id, kind: "write-off" as const, reason: "Insolvent" };
  if (state === "written off") {
    await server.call("admin/receivables/settle", { ...writeOff, amount: body.pay }, asha.token);
    await server.call("admin/write-offs/agree", { id: writeOff.id }, ravi.token);
  }
  return { ...made, orderId: body.order_id, pay: paiseFrom(body.pay), ...(await takeAway(made.person)) };
}

async function takeAway(person: Member, quantity = 1) {
  const contract = await contractOf(server, person);
  const asked = {
    id: randomUUID(),
    contract_id: contract.id,
    series: contract.lines[0]?.series ?? 0,
    quantity,
    wished_on: today(),
    reason: "Switched off",
  };
  expect((await server.call("user/contracts/ask-less", asked, person.token)).status).toBe(201);
  const on = { id: asked.id, effective_on: today() };
  const preview = (await server.call("admin/contracts/preview-less", on, asha.token)).body;
  const decided = await server.call(
    "admin/contracts/decide-less",
    { ...on, agreed: true, answer: "As you wish" },
    asha.token,
  );
  return { preview, message: decided.body.message };
}

it("Fewer devices of what was paid by transfer are credited and transferred back; of what is not paid they lower the debt", async () => {
  const unpaid = await fewer("unpaid");
  const credit = paiseFrom(unpaid.preview.credit);
  expect(unpaid.preview).toMatchObject({ lowers: unpaid.preview.credit, refundable: "0.00" });
  expect(unpaid.message).toMatch(/lowers what is still to be paid/);
  expect((await orderOf(server, unpaid.quote.id))?.owedPaise).toBe(unpaid.pay - credit);
  // The written-off part was never paid: the credit reduces it, and nobody is owed anything.
  const givenUp = await fewer("written off");
  expect(givenUp.preview).toMatchObject({ lowers: givenUp.preview.credit, refundable: "0.00" });
  expect(await orderOf(server, givenUp.quote.id)).toMatchObject({ state: "closed", owedPaise: 0 });
  expect((await details(givenUp.orderId)).refunds).toEqual([]);
  const paid = await fewer("paid");
  expect(paid.preview).toMatchObject({ lowers: "0.00", refundable: paid.preview.credit, by_hand: true });
  const [refund] = (await details(paid.orderId)).refunds;
  if (refund?.state === "asked") await server.call("admin/refunds/approve", { id: refund.id }, ravi.token);
  expect((await paidOut(refund?.id ?? "")).status).toBe(200);
  expect(await creditsOf(paid.orderId)).toEqual([paiseFrom(paid.preview.credit)]);
  expect((await orderOf(server, paid.quote.id))?.owedPaise).toBe(0);
});

const deducting = { deducts: { section: "194J", percent: 10 } };

it("Fewer devices lower the claim of deducted tax by its share before anything is paid, and leave it once it was deducted", async () => {
  const { orderId, quote, preview, message, person } = await fewer("unpaid", deducting);
  expect(preview).toMatchObject({ lowers: preview.credit, refundable: "0.00" });
  expect(message).toMatch(/lowers what is still to be paid/);
  const order = await orderOf(server, quote.id);
  const total = order?.amountPaise ?? 0;
  const left = total - paiseFrom(preview.credit);
  const claimed = Math.round(((order?.deducts?.amountPaise ?? 0) * left) / total / 100) * 100;
  expect(order).toMatchObject({ owedPaise: left - claimed, taxOpenPaise: claimed });
  expect(claimed).toBeLessThan(order?.deducts?.amountPaise ?? 0);
  const { documents, certificates } = (await server.call("user/payments-due", {}, person.token)).body;
  expect([documents[0]?.open, certificates[0]?.amount]).toEqual([rupees(left - claimed), rupees(claimed)]);
  // A claim on the whole rest gets all of it, and no more.
  expect(await claimLoweredPaise(db(), orderId, left)).toBe(claimed);
  const paid = await fewer("paid", deducting);
  const whole = (await orderOf(server, paid.quote.id))?.deducts?.amountPaise;
  expect(await orderOf(server, paid.quote.id)).toMatchObject({ taxOpenPaise: whole });
});

/** An order against invoice that is paid net of tax, with devices removed before and after the payment. */
async function paidNet(isSaidAtFirst: boolean, before: number, after: number) {
  const { choose, person, quote } = await transferBuyer(server);
  await db().update(quotes).set({ decision: "accepted" }).where(eq(quotes.id, quote.id));
  const { order_id: orderId, document } = (await choose({ way: "invoice" })).body;
  const say = (percent = 10) =>
    server.call("user/transfers/deduct", { order_id: orderId, section: "194J", percent }, person.token);
  const dueOf = async () => (await server.call("user/payments-due", {}, person.token)).body.documents[0];
  if (isSaidAtFirst) await say();
  if (before > 0) await takeAway(person, before);
  const due = await dueOf();
  const taxPaise = Math.round(paiseFrom(due?.deductible_of ?? "0") / 1000) * 100;
  await record(rupees(paiseFrom(due?.open ?? "0") - taxPaise), document);
  const { preview } = await takeAway(person, after);
  return { orderId, document, quote, credit: paiseFrom(preview.credit), say, dueOf };
}

/** The books once all of the last credit has gone back, including what was not refunded automatically. */
async function booksAfter({ orderId, quote, credit }: Awaited<ReturnType<typeof paidNet>>) {
  const asked = (await details(orderId)).refunds.reduce((sum, { amount }) => sum + paiseFrom(amount), 0);
  if (asked < credit) await ask(orderId, rupees(credit - asked));
  for (const { id, state } of (await details(orderId)).refunds) {
    // oxlint-disable-next-line no-await-in-loop -- in sequence
    if (state === "asked") await server.call("admin/refunds/approve", { id }, ravi.token);
    // oxlint-disable-next-line no-await-in-loop
    await paidOut(id);
  }
  const found = await db().select().from(findings).where(eq(findings.orderId, orderId));
  const { state, owedPaise, taxOpenPaise } = { ...(await orderOf(server, quote.id)) };
  const isOpen = found.some(({ resolvedAt }) => resolvedAt === null);
  return { state, owedPaise, taxOpenPaise, credits: await creditsOf(orderId), isOpen };
}

it.each([
  [0, 1],
  [0, 2],
  [1, 1],
])(
  "To who paid net of tax, after %i and before %i devices less, the same goes back whether it said so at first or at last",
  async (before, after) => {
    const first = await paidNet(true, before, after);
    const last = await paidNet(false, before, after);
    expect((await last.dueOf())?.deductible_of).toMatch(/^[1-9]/);
    expect((await last.say(20)).body.error).toMatch(/check the rate/);
    const askedPaise = (await details(last.orderId)).refunds.reduce((sum, { amount }) => sum + paiseFrom(amount), 0);
    expect((await last.say()).body.message).toMatch(/more than that has come: it stands as your credit/);
    expect(await db().select().from(findings).where(eq(findings.orderId, last.orderId))).toMatchObject([
      {
        kind: "transfer over",
        key: last.document,
        says: expect.stringContaining(formatRupees(last.credit - askedPaise)),
      },
    ]);
    const books = await booksAfter(first);
    expect(books).toMatchObject({ owedPaise: 0, isOpen: false });
    expect(await booksAfter(last)).toEqual(books);
  },
);

it("Of an invoice that was paid net of tax and then credited in full the tax can be said all the same, and not without money", async () => {
  const books = async (isPaid: boolean) => {
    const { choose, person, quote } = await transferBuyer(server);
    await db().update(quotes).set({ decision: "accepted" }).where(eq(quotes.id, quote.id));
    const { order_id: orderId, pay, document } = (await choose({ way: "invoice" })).body;
    const taxPaise = Math.round(((await orderOf(server, quote.id))?.tax?.taxablePaise ?? 0) / 1000) * 100;
    if (isPaid) await record(rupees(paiseFrom(pay) - taxPaise), document);
    const whole = { orderId, amountPaise: paiseFrom(pay), reason: "Called off" };
    await db().transaction((transaction) => issueCreditNote(server.services, transaction, whole));
    const asked = { order_id: orderId, section: "194J", percent: 10 };
    const { status } = await server.call("user/transfers/deduct", asked, person.token);
    const { owedPaise, taxOpenPaise } = { ...(await orderOf(server, quote.id)) };
    return { status, isCredit: owedPaise === -paiseFrom(pay), isClaimed: taxOpenPaise === taxPaise };
  };
  expect(await books(true)).toEqual({ status: 200, isCredit: true, isClaimed: true });
  expect(await books(false)).toEqual({ status: 409, isCredit: false, isClaimed: false });
});

it("A credit without any money that came can't be noted as given back", async () => {
  const made = await transferBuyer(server);
  await db().update(quotes).set({ decision: "accepted" }).where(eq(quotes.id, made.quote.id));
  const { order_id: orderId } = (await made.choose({ way: "invoice", ...deducting })).body;
  const credit = {
    orderId,
    amountPaise: (await orderOf(server, made.quote.id))?.amountPaise ?? 0,
    reason: "Called off",
  };
  await db().transaction((transaction) => issueCreditNote(server.services, transaction, credit));
  const noted = { id: randomUUID(), order_id: orderId, kind: "given back" as const, amount: "1.00", reason: "Cheque" };
  const { status, body } = await server.call("admin/receivables/settle", noted, asha.token);
  expect([status, body]).toMatchObject([409, { error: expect.stringMatching(/no credit/) }]);
});

it("A transfer whose invoice was credited for fewer devices goes back in full: the credit first, then by a credit note of the rest", async () => {
  const { orderId, pay, preview, quote } = await fewer("paid");
  const credit = paiseFrom(preview.credit);
  const agreed = async (id: string) => {
    await server.call("admin/refunds/approve", { id }, ravi.token);
    expect((await paidOut(id)).status).toBe(200);
  };
  // Requested while the refund for the removed devices is still to be paid out.
  const id = randomUUID();
  expect((await ask(orderId, rupees(pay))).status).toBe(409);
  expect((await ask(orderId, rupees(pay - credit), { id })).status).toBe(200);
  await agreed(id);
  expect(await creditsOf(orderId)).toEqual([credit, pay - credit]);
  const [ofFewer] = (await details(orderId)).refunds.filter((refund) => refund.id !== id);
  await agreed(ofFewer?.id ?? "");
  expect(await creditsOf(orderId)).toEqual([credit, pay - credit]);
  expect(await orderOf(server, quote.id)).toMatchObject({ state: "refunded", owedPaise: 0 });
  expect((await ask(orderId, "0.01")).status).toBe(409);
});

it("A transfer for an order that the gateway was paid is a credit, and goes back beside the payment, which stands", async () => {
  const { choose, start, person, quote } = await transferBuyer(server);
  const { body } = await choose();
  const form = (await start({ takeOver: true })).body;
  await comeBack(server, answerTo(server, form));
  await expect.poll(async () => (await orderOf(server, quote.id))?.state).toBe("success");
  const paymentId = (await orderOf(server, quote.id))?.paymentId;
  expect((await record(body.pay, body.reference)).body.message).toMatch(/for which nothing was to be paid/);
  const pay = paiseFrom(body.pay);
  expect(await orderOf(server, quote.id)).toMatchObject({ state: "success", paymentId, owedPaise: -pay });
  expect(await balanceOf(person)).toBe(`-${body.pay}`);
  const { payments } = await details(body.order_id);
  expect(payments).toMatchObject([
    { by: "gateway", pays_the_order: true, on_top: "0.00" },
    { by: "transfer", pays_the_order: false, on_top: body.pay },
  ]);
  const id = randomUUID();
  await ask(body.order_id, body.pay, { id });
  await server.call("admin/refunds/approve", { id }, ravi.token);
  expect((await paidOut(id)).status).toBe(200);
  // One invoice, no receipt, no credit note, no voucher; the payment can still be refunded by itself.
  expect(await creditsOf(body.order_id)).toEqual([]);
  expect(await orderOf(server, quote.id)).toMatchObject({ state: "success", paymentId, owedPaise: 0 });
  expect((await details(body.order_id)).payments).toMatchObject([{ refundable: body.pay }, { refundable: "0.00" }]);
  const [over] = await db().select().from(findings).where(eq(findings.orderId, body.order_id));
  expect(over).toMatchObject({ kind: "transfer over", resolution: expect.stringContaining("Given back by transfer") });
});

it("Tax that was certified makes no more of an order go back beside a payment that pays nothing", async () => {
  const { choose, start, person, quote } = await transferBuyer(server);
  await db().update(quotes).set({ decision: "accepted" }).where(eq(quotes.id, quote.id));
  const form = (await start()).body;
  const deducts = { section: "194J", percent: 10 };
  const { body } = await choose({ way: "invoice", takeOver: true, deducts });
  expect((await record(body.pay, body.document)).body.message).toMatch(/is paid/);
  const [claim] = await db().select().from(taxDeductions).where(eq(taxDeductions.orderId, body.order_id));
  const id = claim?.id ?? "";
  const file = Buffer.from("%PDF-1.7").toString("base64");
  const certificate = { id, number: "A1", quarter: "2026-27 Q3", amount: rupees(claim?.amountPaise ?? 0), file };
  expect((await server.call("user/certificates/upload", certificate, person.token)).status).toBe(200);
  const matched = { ...(await seenCertificate(server, id)), decision: "matched" as const };
  expect((await server.call("admin/certificates/decide", matched, asha.token)).status).toBe(200);
  const more = rupees(paiseFrom(body.pay) + 100);
  expect((await ask(body.order_id, more)).status).toBe(409);
  await comeBack(server, answerTo(server, form));
  await expect.poll(async () => (await orderOf(server, quote.id))?.amissPaise).toBeGreaterThan(0);
  expect((await ask(body.order_id, more)).status).toBe(409);
  expect((await details(body.order_id)).payments).toMatchObject([{ by: "gateway" }, { refundable: body.pay }]);
});

it("What came on top is no finding any more once it is back, also beside a payment that pays nothing", async () => {
  const { choose, start, quote } = await transferBuyer(server);
  const form = (await start()).body;
  const { body } = await choose({ takeOver: true });
  await record(rupees(paiseFrom(body.pay) + 50_00), body.document);
  await comeBack(server, answerTo(server, form));
  await expect.poll(async () => (await orderOf(server, quote.id))?.amissPaise).toBeGreaterThan(0);
  const { payments } = await details(body.order_id);
  expect(payments).toMatchObject([
    { by: "gateway", pays_the_order: false },
    { by: "transfer", on_top: "50.00" },
  ]);
  await refundOf(body.order_id, "50.00");
  expect((await details(body.order_id)).payments[1]).toMatchObject({ on_top: "0.00" });
  const found = await db().select().from(findings).where(eq(findings.orderId, body.order_id));
  expect(found.find(({ kind }) => kind === "transfer over")?.resolution).toMatch(/^Given back by transfer/);
});
