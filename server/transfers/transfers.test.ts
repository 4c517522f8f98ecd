import { and, eq, like, sql } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { writtenDay } from "../../contract/india-time.ts";
import { limits } from "../../contract/limits.ts";
import { formatRupees, paiseFrom, rupees } from "../../contract/money.ts";
import { orderNumber } from "../../contract/numbers.ts";
import type { Sent } from "../../contract/operations.ts";
import { billingOf, giveBilling, letterOfSeller, sellerIs } from "../../tests/billing.ts";
import { answerTo, attemptsOf, comeBack, invoicesOf, orderOf, webhook } from "../../tests/buyer.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { jobsDone } from "../../tests/jobs-done.ts";
import { member, type Member } from "../../tests/people.ts";
import { readPdf } from "../../tests/read-pdf.ts";
import { bankOfTests, bankStatement, newUtr, seenCertificate, transferBuyer, today } from "../../tests/transfers.ts";
import { inTurn, whileHeld } from "../../tests/while-held.ts";
import {
  findings,
  ledgerEntries,
  mails,
  notices,
  orders,
  people,
  proformas,
  quotes,
  rateLimits,
  receipts,
  transfers,
} from "../database/schema/index.ts";
import { issueCreditNote } from "../billing/credit-notes.ts";
import { findByNarration } from "./match-transfer.ts";
import { lockUtrs } from "./record-transfer.ts";
import { expireProformas } from "./expire-proformas.ts";
import { remindOfDues } from "../ledger/remind-of-dues.ts";
import { paperDay } from "../outside/documents/paper.ts";

let server: TestServer;
let admin: Member;
beforeAll(async () => {
  server = await startTestServer({ env: { refundApprovalPaise: 100_000_000_00 } });
  admin = await member(server, "admin");
  await sellerIs(server, { bank: bankOfTests, creditDays: 30 });
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.services.database.delete(rateLimits);
});

const db = () => server.services.database;
const record = (over: Partial<Sent<"admin/transfers/record">> & { amount: string; pays: string | null }) =>
  server.call(
    "admin/transfers/record",
    { utr: newUtr(), received_on: today(server), payer: "Periyar Spices", ...over },
    admin.token,
  );
const less = (amount: string, paise: number) => rupees(paiseFrom(amount) - paise);
const entriesOf = (orderId: string) =>
  db().select().from(ledgerEntries).where(eq(ledgerEntries.orderId, orderId)).orderBy(ledgerEntries.id);
const proformasOf = (orderId: string) =>
  db().select().from(proformas).where(eq(proformas.orderId, orderId)).orderBy(proformas.serial);
const dueOf = async ({ token }: Member) => (await server.call("user/payments-due", {}, token)).body;

describe("a proforma", () => {
  it("says where to, how much and with which reference, in its PDF and its mail, once for two clicks", async () => {
    const { choose, person, quote } = await transferBuyer(server);
    const [one, other] = await Promise.all([choose(), choose()]);
    expect([one.status, other.status]).toEqual([200, 200]);
    expect(other.body).toEqual(one.body);
    const mail = await server.mailbox.take(person.email, /proforma/);
    expect(mail.text).toContain(one.body.reference);
    const [proforma] = await proformasOf(one.body.order_id);
    const { text } = await readPdf(await server.services.files.read(proforma?.file ?? ""));
    for (const said of [
      one.body.reference,
      one.body.document,
      bankOfTests.accountNumber,
      bankOfTests.ifsc,
      formatRupees(paiseFrom(one.body.pay)),
    ])
      expect(text).toContain(said);
    expect(await orderOf(server, quote.id)).toMatchObject({ state: "awaiting_transfer", paymentId: null });
    const due = await dueOf(person);
    expect(due).toMatchObject({ balance: "0.00", to_pay: one.body.pay, documents: [{ number: one.body.document }] });
  });

  it("is not made where the operator offers no transfer, nor without billing details", async () => {
    const { choose, person } = await transferBuyer(server);
    await db().execute(sql`update organisations set billing_kind = null where id = ${person.organisationId}`);
    expect((await choose()).body.error).toMatch(/billing details/);
    await sellerIs(server, {});
    expect((await choose()).body.error).toMatch(/not offered/);
    await sellerIs(server, { bank: bankOfTests, creditDays: 30 });
  });

  it("is replaced by one with other details on purpose only, and by none with the same", async () => {
    const { choose } = await transferBuyer(server);
    const { body } = await choose();
    expect((await choose()).body.document).toBe(body.document);
    const other = { deducts: { section: "194J", percent: 10 } };
    const asked = await choose(other);
    expect(asked.body).toMatchObject({
      code: "payment_in_progress",
      error: expect.stringContaining(`${body.document} over ${formatRupees(paiseFrom(body.pay))} asks for this quote`),
    });
    expect((await proformasOf(body.order_id)).map(({ state }) => state)).toEqual(["open"]);
    expect((await choose({ ...other, takeOver: true })).body.document).not.toBe(body.document);
    expect((await proformasOf(body.order_id)).map(({ state }) => state)).toEqual(["void", "open"]);
  });

  it("gives way to paying online on purpose only, and then is void", async () => {
    const { choose, start } = await transferBuyer(server);
    const { body } = await choose();
    expect((await start()).body).toMatchObject({ code: "payment_in_progress" });
    expect((await start({ takeOver: true })).status).toBe(200);
    expect((await proformasOf(body.order_id)).map(({ state }) => state)).toEqual(["void"]);
    const again = await choose({ takeOver: true });
    expect(again.body.document).not.toBe(body.document);
    expect((await orderOf(server, again.body.order_id === "" ? "" : await quoteOf(body.order_id)))?.state).toBe(
      "awaiting_transfer",
    );
    // The abandoned payment form is not handed out again without confirmation, though it could still be paid.
    expect((await start()).body).toMatchObject({ code: "payment_in_progress" });
    expect((await proformasOf(body.order_id)).map(({ state }) => state)).toEqual(["void", "open"]);
  });

  it("is void once its quote is declined, which waits where a part of it has come", async () => {
    const { choose, person, quote } = await transferBuyer(server);
    const { body } = await choose();
    const declined = { quote_id: quote.id, revision: 1, reason: "Too dear" };
    expect((await server.call("user/quotes/decline", declined, person.token)).status).toBe(200);
    expect(await proformasOf(body.order_id)).toMatchObject([
      { state: "void", closedBecause: expect.stringMatching(/was declined/) },
    ]);
    expect(await orderOf(server, quote.id)).toMatchObject({ state: "expired", isUnsettled: false, expectedPaise: 0 });
    expect((await dueOf(person)).documents).toEqual([]);
    const other = await transferBuyer(server);
    const asked = (await other.choose()).body;
    await record({ amount: "100.00", pays: asked.document });
    const late = await server.call(
      "user/quotes/decline",
      { ...declined, quote_id: other.quote.id },
      other.person.token,
    );
    expect([late.status, late.body.error]).toEqual([409, expect.stringMatching(/has come already/)]);
    expect(await proformasOf(asked.order_id)).toMatchObject([{ state: "open" }]);
  });

  it("leaves to a person what an older form takes beside a part that came by transfer", async () => {
    const { choose, start, quote } = await transferBuyer(server);
    const form = (await start()).body;
    const { body } = await choose();
    await record({ amount: "500.00", pays: body.document });
    await webhook(server, answerTo(server, form));
    await expect.poll(async () => (await orderOf(server, quote.id))?.state).toBe("success");
    const found = await db().select().from(findings).where(eq(findings.orderId, body.order_id));
    expect(found).toMatchObject([
      { kind: "amount differs", says: expect.stringContaining("₹500.00 more than was owed") },
    ]);
  });

  it("is void once the gateway confirms a payment that was begun before", async () => {
    const { choose, start, quote } = await transferBuyer(server);
    const form = (await start()).body;
    const { body } = await choose();
    await webhook(server, answerTo(server, form));
    await expect.poll(async () => (await orderOf(server, quote.id))?.state).toBe("success");
    expect((await proformasOf(body.order_id)).map(({ state }) => state)).toEqual(["void"]);
    // A transfer that comes nevertheless is a credit for staff to look at.
    const { body: recorded } = await record({ amount: body.pay, pays: body.document });
    expect(recorded.message).toMatch(/for which nothing was to be paid: all of it stands as a credit/);
    const found = await db().select().from(findings).where(eq(findings.kind, "transfer over"));
    expect(found.some(({ orderId }) => orderId === body.order_id)).toBe(true);
  });
});

const quoteOf = async (orderId: string) => {
  const { rows } = await db().execute<{ quote_id: string }>(sql`select quote_id from orders where id = ${orderId}`);
  return rows[0]?.quote_id ?? "";
};

it("A proforma that nobody pays is void 45 days after its due day, and its money is found all the same", async () => {
  const { choose, quote } = await transferBuyer(server);
  const { body } = await choose();
  server.passTime(74 * 86_400);
  await expireProformas(server.services);
  expect((await orderOf(server, quote.id))?.state).toBe("awaiting_transfer");
  server.passTime(3 * 86_400);
  await Promise.all([expireProformas(server.services), expireProformas(server.services)]);
  expect(await orderOf(server, quote.id)).toMatchObject({ state: "expired", expectedPaise: 0, isUnsettled: false });
  server.passTime(-77 * 86_400);
  expect((await record({ amount: body.pay, pays: body.reference })).body.message).toMatch(/is paid/);
});

describe("a transfer that came", () => {
  it("pays the order, makes the invoice and leaves nothing open", async () => {
    const { choose, person, quote } = await transferBuyer(server);
    const { body } = await choose();
    const utr = newUtr();
    expect((await record({ utr, amount: body.pay, pays: body.reference })).body.message).toMatch(/is paid/);
    expect(await orderOf(server, quote.id)).toMatchObject({
      state: "success",
      paymentId: utr,
      owedPaise: 0,
      expectedPaise: 0,
    });
    const [invoice] = await invoicesOf(server, quote.id);
    expect(invoice?.content).toMatchObject({ paymentId: utr, totalPaise: paiseFrom(body.pay) });
    expect((await entriesOf(body.order_id)).map(({ kind, amountPaise }) => [kind, amountPaise])).toEqual([
      ["payment", -paiseFrom(body.pay)],
      ["invoice", paiseFrom(body.pay)],
    ]);
    await server.mailbox.take(person.email, /invoice SOC/);
    expect(await dueOf(person)).toMatchObject({ balance: "0.00", to_pay: "0.00", documents: [] });
  });

  it("is entered once, however often and at the same time it is recorded", async () => {
    const { choose } = await transferBuyer(server);
    const { body } = await choose();
    const utr = newUtr();
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => record({ utr, amount: body.pay, pays: body.document })),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(7);
    expect((await entriesOf(body.order_id)).filter(({ kind }) => kind === "payment")).toHaveLength(1);
  });

  it("gets a receipt where it is a part, and the rest makes the invoice", async () => {
    const { choose, person, quote } = await transferBuyer(server);
    const { body } = await choose();
    await record({ amount: "100.00", pays: body.document });
    expect(await orderOf(server, quote.id)).toMatchObject({ state: "awaiting_transfer" });
    const mail = await server.mailbox.take(person.email, /receipt RV/);
    expect(mail.attachments).toHaveLength(1);
    const [receipt] = await db().select().from(receipts).where(eq(receipts.orderId, body.order_id));
    const { text } = await readPdf(await server.services.files.read(receipt?.file ?? ""));
    expect(text).toContain(receipt?.number);
    expect(text).toContain("₹100.00");
    expect(receipt?.content.totalPaise).toBe(10_000);
    expect((await dueOf(person)).to_pay).toBe(less(body.pay, 10_000));
    expect((await record({ amount: less(body.pay, 10_000), pays: body.document })).body.message).toMatch(/is paid/);
    expect(await invoicesOf(server, quote.id)).toHaveLength(1);
    expect(await orderOf(server, quote.id)).toMatchObject({ state: "success", owedPaise: 0 });
  });

  it("short by what banks kept pays the order once that small rest is given up, and what comes of it later is no credit", async () => {
    const { choose, person, quote } = await transferBuyer(server);
    const { body } = await choose();
    const id = randomUUID();
    const giveUp = (amount: string, by = admin) =>
      server.call(
        "admin/receivables/settle",
        { id, order_id: body.order_id, kind: "write-off", amount, reason: "Charges of the bank" },
        by.token,
      );
    expect((await giveUp(body.pay)).body.error).toMatch(/nothing that is owed/);
    await record({ amount: "100.00", pays: body.document });
    expect((await giveUp(less(body.pay, 100_00))).body.error).toMatch(/more than the 5%/);
    await record({ amount: less(body.pay, 112_00), pays: body.document });
    expect((await giveUp("11.00")).body.error).toMatch(/₹12.00 are still to come. Before its invoice all/);
    expect((await giveUp("12.00", person)).status).toBe(403);
    const both = await Promise.all([giveUp("12.00"), giveUp("12.00")]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(await orderOf(server, quote.id)).toMatchObject({ state: "success", owedPaise: 0, expectedPaise: 0 });
    expect(await invoicesOf(server, quote.id)).toHaveLength(1);
    expect((await proformasOf(body.order_id)).map(({ state }) => state)).toEqual(["paid"]);
    expect((await entriesOf(body.order_id)).map(({ kind, amountPaise }) => [kind, amountPaise])).toEqual([
      ["payment", -100_00],
      ["payment", 112_00 - paiseFrom(body.pay)],
      ["invoice", paiseFrom(body.pay)],
      ["write-off", -12_00],
    ]);
    await record({ amount: "12.00", pays: body.document });
    expect((await dueOf(person)).balance).toBe("0.00");
    const other = await transferBuyer(server);
    const asked = (await other.choose()).body;
    await record({ amount: less(asked.pay, 12_00), pays: asked.document });
    const reused = { id, order_id: asked.order_id, kind: "write-off" as const, amount: "12.00", reason: "Charges" };
    expect((await server.call("admin/receivables/settle", reused, admin.token)).status).toBe(409);
    expect(await orderOf(server, other.quote.id)).toMatchObject({ paymentId: null });
  });

  it("waits where nothing says what it pays, until somebody matches it", async () => {
    const { choose, quote } = await transferBuyer(server);
    const { body } = await choose();
    const utr = newUtr();
    await record({ utr, amount: body.pay, pays: null });
    const { transfers: open } = (await server.call("admin/transfers", { open: "true" }, admin.token)).body;
    const waiting = open.find((each) => each.utr === utr);
    expect(waiting).toMatchObject({ state: "seen", order_id: null });
    const match = { id: waiting?.id ?? "", pays: body.document };
    expect((await server.call("admin/transfers/match", match, admin.token)).body.message).toMatch(/is paid/);
    expect((await server.call("admin/transfers/match", match, admin.token)).status).toBe(409);
    expect((await orderOf(server, quote.id))?.state).toBe("success");
    const [finding] = await db().select().from(findings).where(eq(findings.key, utr));
    expect(finding?.resolvedAt).not.toBeNull();
  });

  it("announced by a customer is nothing but its word: a person matches it, and until then it reads no more than it typed", async () => {
    const [one, other] = [await transferBuyer(server), await transferBuyer(server)];
    const [mine, theirs] = [(await one.choose()).body, (await other.choose()).body];
    const announce = (who: typeof one, orderId: string, utr: string, amount: string) =>
      server.call(
        "user/transfers/announce",
        { order_id: orderId, utr, amount, sent_on: "2026-01-01" },
        who.person.token,
      );
    const utr = newUtr();
    expect((await announce(other, mine.order_id, utr, mine.pay)).status).toBe(404);
    expect((await announce(one, mine.order_id, utr, mine.pay)).status).toBe(200);
    expect((await announce(other, theirs.order_id, utr, theirs.pay)).status).toBe(409);
    expect((await record({ utr, amount: mine.pay, pays: null })).body.message).toMatch(/They wait/);
    const toMatch = async (sought: string) => {
      const { body } = await server.call("admin/transfers", { open: "true" }, admin.token);
      return body.transfers.find((transfer) => transfer.utr === sought);
    };
    const waiting = await toMatch(utr);
    expect(waiting).toMatchObject({ state: "seen", payer: "Periyar Spices", order_id: mine.order_id });
    expect((await dueOf(one.person)).transfers).toMatchObject([{ utr, state: "announced", payer: "", narration: "" }]);
    const match = { id: waiting?.id ?? "", pays: waiting?.order_number ?? "" };
    expect((await server.call("admin/transfers/match", match, admin.token)).body.message).toMatch(/is paid/);
    const corrects = await transferBuyer(server);
    const [corrected, { body: its }] = [newUtr(), await corrects.choose()];
    await announce(corrects, its.order_id, corrected, "1.00");
    expect((await announce(corrects, its.order_id, corrected, its.pay)).status).toBe(200);
    await record({ utr: corrected, amount: its.pay, pays: null });
    expect(await toMatch(corrected)).toMatchObject({ state: "seen", order_id: its.order_id });
    const second = newUtr();
    await announce(other, theirs.order_id, second, theirs.pay);
    await record({ utr: second, amount: "1.00", pays: null });
    expect(await toMatch(second)).toMatchObject({ state: "seen", order_id: null });
    expect((await dueOf(other.person)).transfers).toEqual([]);
  });

  it("announced can be taken back until it is matched, by its own customer alone, and what came meanwhile waits for a person", async () => {
    const [one, other] = [await transferBuyer(server), await transferBuyer(server)];
    const { body } = await one.choose();
    const announce = (utr: string) =>
      server.call(
        "user/transfers/announce",
        { order_id: body.order_id, utr, amount: body.pay, sent_on: today(server) },
        one.person.token,
      );
    const shown = async () => (await dueOf(one.person)).transfers;
    const idOf = async (utr: string) => (await shown()).find((each) => each.utr === utr)?.id ?? "";
    const withdraw = async (id: string, { person } = one) =>
      (await server.call("user/transfers/withdraw", { id }, person.token)).status;

    const mistyped = newUtr();
    await announce(mistyped);
    const announced = await idOf(mistyped);
    expect(await withdraw(announced, other)).toBe(404);
    expect([await withdraw(announced), await withdraw(announced)]).toEqual([200, 404]);
    expect(await shown()).toEqual([]);
    // As if it had never been said: it can be said again.
    expect((await announce(mistyped)).status).toBe(200);

    const came = newUtr();
    await announce(came);
    await record({ utr: came, amount: body.pay, pays: null });
    const seen = await idOf(came);
    expect(await withdraw(seen)).toBe(200);
    expect((await shown()).map(({ utr }) => utr)).toEqual([mistyped]);
    const [kept] = await db().select().from(transfers).where(eq(transfers.id, seen));
    expect(kept).toMatchObject({ state: "seen", orderId: null, orderNumber: "", announcedBy: null });

    await record({ utr: mistyped, amount: body.pay, pays: body.document });
    expect(await withdraw(await idOf(mistyped))).toBe(409);
  });

  it("announced stays with its order where it is matched while its customer takes it back", async () => {
    const { choose, person } = await transferBuyer(server);
    const [utr, { body }] = [newUtr(), await choose()];
    const told = { order_id: body.order_id, utr, amount: body.pay, sent_on: today(server) };
    await server.call("user/transfers/announce", told, person.token);
    await record({ utr, amount: body.pay, pays: null });
    const id = (await dueOf(person)).transfers[0]?.id ?? "";
    const [matched, withdrawn] = await inTurn(
      server,
      `select from transfers where id = '${id}' for update`,
      () => server.call("admin/transfers/match", { id, pays: body.document }, admin.token),
      () => server.call("user/transfers/withdraw", { id }, person.token),
    );
    expect([matched.status, withdrawn.status]).toEqual([200, 409]);
    expect((await dueOf(person)).transfers).toMatchObject([{ utr, state: "matched" }]);
  });

  it("announced under a mistyped reference waits for nobody once its order is paid by another", async () => {
    const { choose, person } = await transferBuyer(server);
    const { body } = await choose();
    const [mistyped, right] = [newUtr(), newUtr()];
    for (const utr of [mistyped, right]) {
      const told = { order_id: body.order_id, utr, amount: body.pay, sent_on: today(server) };
      expect((await server.call("user/transfers/announce", told, person.token)).status).toBe(200);
    }
    const listed = async (open: "true" | "false") => {
      const found = (await server.call("admin/transfers", { open, search: mistyped }, admin.token)).body;
      return [found.total, ...found.transfers.map(({ state }) => state)];
    };
    const shown = async () => (await dueOf(person)).transfers.map(({ utr, state }) => [utr, state]);
    expect(await listed("true")).toEqual([1, "announced"]);
    expect(await shown()).toEqual([
      [right, "announced"],
      [mistyped, "announced"],
    ]);
    await record({ utr: right, amount: body.pay, pays: body.document });
    expect(await listed("true")).toEqual([0]);
    expect(await shown()).toEqual([[right, "matched"]]);
    // It is kept: should money come under it all the same, its order is known.
    expect(await listed("false")).toEqual([1, "announced"]);
    expect((await record({ utr: mistyped, amount: body.pay, pays: null })).body.message).toMatch(/They wait/);
    expect(await listed("true")).toEqual([1, "seen"]);
  });
});

it("What has come of a proforma is neither asked for any more nor a credit of the customer's", async () => {
  const owed = async () => (await server.call("admin/receivables/ageing", {}, admin.token)).body;
  const { choose } = await transferBuyer(server);
  const { document } = (await choose()).body;
  const before = await owed();
  expect((await record({ amount: "100.00", pays: document })).status).toBe(200);
  const after = await owed();
  expect([after.expected, after.credits]).toEqual([less(before.expected, 100_00), before.credits]);
});

it("More than twice what is open is asked about before a person enters it, and entered where it is meant", async () => {
  const { choose, quote } = await transferBuyer(server);
  const { body } = await choose();
  const tenfold = rupees(paiseFrom(body.pay) * 10);
  const utr = newUtr();
  const asked = await record({ utr, amount: tenfold, pays: body.document });
  expect([asked.status, asked.body.error, asked.body.fields]).toEqual([
    409,
    expect.stringContaining(`Only ${formatRupees(paiseFrom(body.pay))} are to be paid for ${body.document}`),
    { is_meant: "Please confirm the sum" },
  ]);
  expect(await db().$count(transfers, eq(transfers.utr, utr))).toBe(0);
  await record({ utr, amount: tenfold, pays: null });
  const [kept] = await db().select().from(transfers).where(eq(transfers.utr, utr));
  const match = (over: object = {}) =>
    server.call("admin/transfers/match", { id: kept?.id ?? "", pays: body.document, ...over }, admin.token);
  expect((await match()).body.fields).toEqual({ is_meant: "Please confirm the sum" });
  expect((await match({ is_meant: true })).status).toBe(200);
  expect((await orderOf(server, quote.id))?.state).toBe("success");
});

it("What is paid in part costs everywhere what was ordered, whatever billing details say since", async () => {
  await sellerIs(server, { bank: bankOfTests, creditDays: 30, undertaking: letterOfSeller });
  const { choose, person, quote } = await transferBuyer(server);
  const { body } = await choose();
  await record({ amount: "1000.00", pays: body.document });
  const { undertaking, gstin } = billingOf.sez;
  await giveBilling(server, person.email, { billingKind: "sez", gstin, undertaking, billingState: "32" });
  const { estimation } = (await server.call("user/get-estimation", {}, person.token)).body;
  const terms = (await server.call("user/quotes/terms", { quote_id: quote.id }, person.token)).body;
  const amount = (await dueOf(person)).documents[0]?.amount;
  expect([estimation.find(({ id }) => id === quote.id)?.tax?.total, terms.tax?.total]).toEqual([amount, amount]);
  await sellerIs(server, { bank: bankOfTests, creditDays: 30 });
});

it("A day before the order that is paid is asked about, with the sum where that is unlikely too", async () => {
  const { choose, quote } = await transferBuyer(server);
  const { body } = await choose();
  const lastYear = `${Number(today(server).slice(0, 4)) - 1}-12-31`;
  const typed = { utr: newUtr(), amount: body.pay, pays: body.document, received_on: lastYear };
  const tenfold = await record({ ...typed, amount: rupees(paiseFrom(body.pay) * 10) });
  expect([tenfold.status, tenfold.body.fields]).toEqual([409, { is_meant: "Please confirm the sum and the day" }]);
  const asked = await record(typed);
  expect([asked.status, asked.body.error, asked.body.fields]).toEqual([
    409,
    expect.stringContaining(`${body.document} belongs to an order of`),
    { is_meant: "Please confirm the day" },
  ]);
  expect((await record({ ...typed, pays: null })).status).toBe(200);
  const [kept] = await db().select().from(transfers).where(eq(transfers.utr, typed.utr));
  const match = (over: object = {}) =>
    server.call("admin/transfers/match", { id: kept?.id ?? "", pays: body.document, ...over }, admin.token);
  expect((await match()).body.fields).toEqual({ is_meant: "Please confirm the day" });
  expect((await match({ is_meant: true })).status).toBe(200);
  expect((await orderOf(server, quote.id))?.state).toBe("success");
});

it("A bank's reference that is typed as the amount is refused, by hand and in a statement", async () => {
  const { choose } = await transferBuyer(server);
  const { document } = (await choose()).body;
  const { status, body } = await record({ amount: "999999999999.99", pays: document });
  expect([status, body]).toMatchObject([422, { fields: { amount: expect.stringMatching(/check the amount/) } }]);
  const file = bankStatement([{ utr: newUtr(), credit: "999999999999.99" }]);
  const preview = (await server.call("admin/transfers/preview", { file }, admin.token)).body;
  expect(preview.wrong).toMatchObject([{ error: expect.stringMatching(/^Credit: .*check the amount/) }]);
});

describe("A bank reference by which money went out", () => {
  async function paidOut() {
    const { choose, quote } = await transferBuyer(server);
    const { document, order_id: payment, pay, reference } = (await choose()).body;
    await record({ amount: "500.00", pays: document });
    const id = randomUUID();
    const utr = newUtr();
    await server.call("admin/refunds/ask", { id, payment, amount: "500.00", reason: "Mistaken" }, admin.token);
    const noted = { id, bank_reference: utr, paid_on: today(server) };
    expect((await server.call("admin/refunds/paid-out", noted, admin.token)).status).toBe(200);
    const owedPaise = async () => (await orderOf(server, quote.id))?.owedPaise;
    return { document, pay, reference, utr, owedPaise };
  }

  it("is recorded as one that came only by who confirms that it came back", async () => {
    const { document, owedPaise, utr } = await paidOut();
    const typed = { utr, amount: "500.00", pays: document };
    const refused = await record(typed);
    expect([refused.status, refused.body.error, refused.body.fields]).toEqual([
      409,
      expect.stringMatching(
        new RegExp(
          `^By TESTN\\d+ ₹500\\.00 of O-\\d+ were given back on ${paperDay(today(server))}\\. If the bank sent it back`,
        ),
      ),
      { utr: "Money went out by this one", is_meant: "Please confirm that it came back" },
    ]);
    expect(await owedPaise()).toBe(0);
    expect((await record({ ...typed, is_meant: true })).status).toBe(200);
    expect(await owedPaise()).toBe(-500_00);
  });

  it("is taken in from a statement for a person to match, whatever its narration names", async () => {
    const { document, owedPaise, pay, reference, utr } = await paidOut();
    const file = bankStatement([{ utr, credit: pay, narration: reference }]);
    const preview = (await server.call("admin/transfers/preview", { file }, admin.token)).body;
    expect(preview.matched).toBe(0);
    expect(preview.found).toMatchObject([
      { says: expect.stringContaining(`were given back on ${paperDay(today(server))}`) },
    ]);
    const taken = await server.call("admin/transfers/import", { file, name: "back.csv" }, admin.token);
    expect(taken.body.message).toMatch(/^1 transfer imported, 0 of them matched/);
    expect(await owedPaise()).toBe(0);
    const [kept] = await db().select().from(transfers).where(eq(transfers.utr, utr));
    expect(kept).toMatchObject({ state: "seen", orderId: null });
    const [found] = await db().select().from(findings).where(eq(findings.key, utr));
    expect(found?.says).toMatch(/By this bank reference ₹500\.00 of O-\d+ were given back/);
    const match = await server.call("admin/transfers/match", { id: kept?.id ?? "", pays: document }, admin.token);
    expect(match.status).toBe(200);
  });
});

describe("a bank statement", () => {
  it("and a recording by hand of one of its lines wait for each other in one order", async () => {
    const { choose } = await transferBuyer(server);
    const { order_id, reference, document, pay } = (await choose()).body;
    const [first, second] = [newUtr(), newUtr()];
    const file = bankStatement([
      { utr: first, credit: pay, narration: `NEFT ${reference}` },
      { utr: second, credit: "118.00" },
    ]);
    const answers = await whileHeld(server, `select from orders where id = '${order_id}' for update`, () => [
      server.call("admin/transfers/import", { file, name: "both.csv" }, admin.token),
      sleep(500).then(() => record({ utr: second, amount: "118.00", pays: document })),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 409]);
  });

  it("of the most rows there may be leaves room for the locks of others", async () => {
    const utrs = Array.from({ length: 20_000 }, newUtr);
    const held = await db().transaction(async (transaction) => {
      await lockUtrs(transaction, utrs);
      const ofMine = sql`select count(*)::int as held from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()`;
      return (await transaction.execute<{ held: number }>(ofMine)).rows[0]?.held;
    });
    expect(held).toBeLessThanOrEqual(1024);
  });

  it("is matched by the reference in its narration, as a whole, and once", async () => {
    const { choose, quote } = await transferBuyer(server);
    const { body } = await choose();
    const rows = [
      { utr: newUtr(), credit: body.pay, narration: `NEFT/${body.reference}/PERIYAR` },
      { utr: newUtr(), credit: "7.00", narration: "NEFT somebody" },
      { utr: newUtr(), credit: "", narration: "Charges" },
    ];
    const file = bankStatement(rows);
    const narrated = (narration: string) => findByNarration(db(), narration);
    const [year, serial] = [body.reference.slice(2, 6), body.reference.slice(6)];
    for (const written of [
      `pf${year}${serial}`,
      `PF ${year} ${serial}X`,
      `PF-${year.slice(0, 2)}-${year.slice(2)}/${serial} 05 JAN`,
    ])
      expect([written, await narrated(`NEFT ${written}`)]).toEqual([written, body.order_id]);
    // Its number before a date, so that six digits look like another proforma's, and its number with one digit more.
    const dated = `PF/${year.slice(0, 2)}-${year.slice(2)}/${serial.slice(0, 4)} ${serial.slice(4)} JAN 2026`;
    for (const other of [dated, `PF${year}${serial}7`]) expect([other, await narrated(other)]).toEqual([other, null]);
    const preview = (await server.call("admin/transfers/preview", { file }, admin.token)).body;
    expect(preview).toMatchObject({ rows: 2, skipped: 1, known: 0, matched: 1, errors: 0 });
    const take = (bytes: string) =>
      server.call("admin/transfers/import", { file: bytes, name: "january.csv" }, admin.token);
    const both = await Promise.all([take(file), take(file)]);
    expect(both.map((reply) => reply.body.message).toSorted()[0]).toMatch(/^2 transfers imported, 1 of them matched/);
    expect((await take(file)).body.message).toMatch(/imported before/);
    expect((await orderOf(server, quote.id))?.state).toBe("success");
    // Another file with the same rows and one more.
    const more = bankStatement([...rows, { utr: newUtr(), credit: "8.00" }]);
    expect((await take(more)).body.message).toMatch(/^1 transfer imported, 0 of them matched; 2 known before/);
  });

  it("with a line that is wrong is not taken in at all, and says which", async () => {
    const utr = newUtr();
    const file = bankStatement([
      { utr, credit: "10.00" },
      { utr: newUtr(), credit: "ten" },
      { utr, credit: "10.00" },
    ]);
    const preview = (await server.call("admin/transfers/preview", { file }, admin.token)).body;
    expect(preview.wrong.map(({ line }) => line)).toEqual([3, 4]);
    const { status } = await server.call("admin/transfers/import", { file, name: "wrong.csv" }, admin.token);
    expect(status).toBe(422);
    expect(await db().$count(transfers, eq(transfers.utr, utr))).toBe(0);
    const headless = Buffer.from("Date,Narration\n2026-01-01,x\n").toString("base64");
    expect((await server.call("admin/transfers/preview", { file: headless }, admin.token)).body.error).toMatch(
      /lacks the column Credit/,
    );
  });
});

describe("a customer who deducts tax", () => {
  const deducts = { section: "194J", percent: 10 };
  const certificate = (id: string, over: object = {}) => ({
    id,
    number: "ABCDEFG",
    quarter: "2026-27 Q3",
    amount: "1.00",
    file: Buffer.from("%PDF-1.7 certificate").toString("base64"),
    ...over,
  });

  it("pays net of it, and the rest stays open until the certificate is matched", async () => {
    const { choose, person, quote } = await transferBuyer(server);
    const { body } = await choose({ deducts });
    const order = await orderOf(server, quote.id);
    const deducted = order?.deducts?.amountPaise ?? 0;
    expect(deducted).toBe(Math.round((order?.tax?.taxablePaise ?? 0) / 10 / 100) * 100);
    expect(paiseFrom(body.pay)).toBe((order?.amountPaise ?? 0) - deducted);
    await record({ amount: body.pay, pays: body.document });
    expect(await orderOf(server, quote.id)).toMatchObject({ state: "success", owedPaise: 0, taxOpenPaise: deducted });
    const [claim] = (await dueOf(person)).certificates;
    expect(claim).toMatchObject({ state: "awaited", amount: rupees(deducted) });
    const upload = (over: object = {}, who: Member = person) =>
      server.call(
        "user/certificates/upload",
        certificate(claim?.id ?? "", { amount: rupees(deducted), ...over }),
        who.token,
      );
    const seen = () => seenCertificate(server, claim?.id ?? "");
    const decide = async (decision: object) =>
      server.call("admin/certificates/decide", { ...(await seen()), ...decision } as never, admin.token);
    expect((await decide({ decision: "matched" })).status).toBe(409);
    expect((await upload({}, await member(server, "user"))).status).toBe(404);
    expect((await upload({ file: Buffer.from("MZ").toString("base64") })).status).toBe(422);
    expect((await upload({ amount: "1.00" })).status).toBe(200);
    expect((await decide({ decision: "matched" })).body.error).toMatch(/were claimed/);
    expect((await decide({ decision: "refused", reason: "Another quarter" })).status).toBe(200);
    expect((await dueOf(person)).certificates[0]).toMatchObject({ state: "refused", refusal: "Another quarter" });
    const { deductedRoundingPaiseMax } = limits;
    expect((await upload({ amount: rupees(deducted - deductedRoundingPaiseMax - 1) })).status).toBe(200);
    expect((await decide({ decision: "matched" })).body.error).toMatch(/were claimed/);
    expect((await decide({ decision: "refused", reason: "Too little" })).status).toBe(200);
    expect((await upload({ amount: rupees(deducted - deductedRoundingPaiseMax) })).status).toBe(200);
    const lookedAt = await seen();
    expect((await upload()).status).toBe(200);
    const late = await decide({ ...lookedAt, decision: "matched" });
    expect([late.status, late.body.error]).toEqual([409, expect.stringMatching(/uploaded another certificate/)]);
    const both = await Promise.all([decide({ decision: "matched" }), decide({ decision: "matched" })]);
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 409]));
    const told = and(eq(notices.personId, person.id), eq(notices.kind, "certificate refused"));
    const rung = await db().select().from(notices).where(told).orderBy(notices.id);
    const title = `The certificate of the tax deducted of ${orderNumber(order?.serial ?? 0)} was refused`;
    expect(rung).toMatchObject([
      { title, text: "Please upload another one. Why: Another quarter", link: "/user/payments-due" },
      { title, text: "Please upload another one. Why: Too little" },
    ]);
    expect(await dueOf(person)).toMatchObject({ balance: "0.00", certificates_open: "0.00" });
    expect((await upload()).status).toBe(409);
  });

  it("leaves no certificate in the store that is refused for what was decided, also while it came", async () => {
    const { choose, person } = await transferBuyer(server);
    const { body } = await choose({ deducts });
    await record({ amount: body.pay, pays: body.document });
    const [claim] = (await dueOf(person)).certificates;
    const { id, amount } = { id: "", amount: "", ...claim };
    const { files } = server.services;
    const stored = async () => {
      const names: string[] = [];
      for await (const name of files.list()) if (name.startsWith("tax-certificate-")) names.push(name);
      return names.toSorted();
    };
    const upload = () => server.call("user/certificates/upload", certificate(id, { amount }), person.token);
    expect((await upload()).status).toBe(200);
    const kept = await stored();
    const meanwhile = `update tax_deductions set state = 'matched' where id = '${id}'`;
    const [overtaken] = await whileHeld(server, meanwhile, () => [upload()], 1, "commit");
    expect([overtaken?.status, overtaken?.body.error]).toEqual([409, expect.stringContaining("matched already")]);
    expect(await stored()).toEqual(kept);
    expect((await upload()).status).toBe(409);
    expect(await stored()).toEqual(kept);
  });

  it("owes it again when no certificate comes in time, is reminded of it, and a late certificate settles it once more", async () => {
    const { choose, person, quote } = await transferBuyer(server);
    const { body } = await choose({ deducts });
    await record({ amount: body.pay, pays: body.document });
    const deducted = (await orderOf(server, quote.id))?.deducts?.amountPaise ?? 0;
    const [claim] = (await dueOf(person)).certificates;
    const id = claim?.id ?? "";
    const owe = () =>
      server.call("admin/certificates/owe-again", { id, reason: "None since August" }, adminAgain.token);
    let adminAgain = admin;
    expect((await owe()).body.error).toMatch(/is due on/);
    server.passTime(260 * 86_400);
    adminAgain = await member(server, "admin", { organisationId: admin.organisationId });
    const buyerAgain = await member(server, "user", { organisationId: person.organisationId });
    expect((await Promise.all([owe(), owe(), owe()])).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await orderOf(server, quote.id)).toMatchObject({ owedPaise: deducted, taxOpenPaise: 0, state: "success" });
    const told = await server.mailbox.take(person.email, /without a certificate/);
    expect(told.text).toContain("None since August");
    const open = await dueOf(buyerAgain);
    expect(open).toMatchObject({
      balance: rupees(deducted),
      certificates_open: "0.00",
      certificates: [{ state: "awaited", owed_again_because: "None since August" }],
    });
    expect(open.documents).toMatchObject([{ kind: "invoice", open: rupees(deducted), days_overdue: 0 }]);
    server.passTime(20 * 86_400);
    await remindOfDues(server.services);
    await server.mailbox.take(person.email, /is overdue/);
    const { body: ageing } = await server.call(
      "admin/receivables/ageing",
      {},
      (await member(server, "admin", { organisationId: admin.organisationId })).token,
    );
    expect(paiseFrom(ageing.days_1_30)).toBeGreaterThanOrEqual(deducted);
    const late = await member(server, "user", { organisationId: person.organisationId });
    const amount = rupees(deducted);
    expect((await server.call("user/certificates/upload", certificate(id, { amount }), late.token)).status).toBe(200);
    adminAgain = await member(server, "admin", { organisationId: admin.organisationId });
    expect((await owe()).status).toBe(200);
    const matched = { ...(await seenCertificate(server, id)), decision: "matched" as const };
    expect((await server.call("admin/certificates/decide", matched, adminAgain.token)).status).toBe(200);
    expect((await owe()).status).toBe(409);
    expect(await orderOf(server, quote.id)).toMatchObject({ owedPaise: 0, taxOpenPaise: 0 });
    expect((await entriesOf(body.order_id)).map(({ kind, amountPaise }) => [kind, amountPaise]).slice(-3)).toEqual([
      ["tax deducted", -deducted],
      ["tax not certified", deducted],
      ["tax certified", -deducted],
    ]);
    const today = writtenDay(server.services.now());
    const csv = await server.call("user/statement", { from: "2026-01-01", to: today, format: "csv" }, late.token);
    const written = Buffer.from(csv.body.content, "base64").toString();
    expect(written).toContain("Deducted tax without a certificate");
    expect(written).toMatch(/Closing balance,,,,,0\r\n/);
    server.passTime(-280 * 86_400);
  });

  it("is corrected where the buyer mistook it: less is owed and told, more must be open, and the same again changes nothing", async () => {
    const { choose, person, quote } = await transferBuyer(server);
    const { body } = await choose({ deducts: { section: "194J", percent: 10 } });
    await record({ amount: body.pay, pays: body.document });
    const before = (await orderOf(server, quote.id))?.deducts?.amountPaise ?? 0;
    const id = (await dueOf(person)).certificates[0]?.id ?? "";
    const correct = (percent: number, who = admin) =>
      server.call("admin/certificates/correct", { id, section: "194C", percent, reason: "Two percent" }, who.token);
    const child = await member(server, "adminChild", { organisationId: admin.organisationId });
    expect((await correct(2, child)).status).toBe(403);
    expect((await correct(20)).body).toMatchObject({ code: "conflict", fields: { percent: expect.anything() } });
    expect((await correct(41)).status).toBe(422);
    const replies = await Promise.all([correct(2), correct(2), correct(2)]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    const after = Math.round(before / 5 / 100) * 100;
    const less = before - after;
    expect(await orderOf(server, quote.id)).toMatchObject({ owedPaise: less, taxOpenPaise: after, state: "success" });
    expect(await dueOf(person)).toMatchObject({
      balance: rupees(less),
      certificates: [{ section: "194C", percent: 2, amount: rupees(after) }],
    });
    const told = await server.mailbox.take(person.email, /was corrected/);
    expect(told.text).toContain("Two percent");
    expect(told.text).toContain(formatRupees(less));
    // The open amount can be deducted after all, and not a rupee more.
    expect((await correct(10.5)).status).toBe(409);
    expect((await correct(10)).status).toBe(200);
    expect(await orderOf(server, quote.id)).toMatchObject({ owedPaise: 0, taxOpenPaise: before });
    const kinds = (await entriesOf(body.order_id)).map(({ kind, amountPaise }) => [kind, amountPaise]);
    expect(kinds.slice(-3)).toEqual([
      ["tax deducted", -before],
      ["tax not certified", less],
      ["tax deducted", -less],
    ]);
    expect((await correct(0)).status).toBe(200);
    expect(await orderOf(server, quote.id)).toMatchObject({ owedPaise: before, taxOpenPaise: 0 });
    const [nothing] = (await dueOf(person)).certificates;
    expect(nothing).toMatchObject({ section: "194C", percent: 0, amount: rupees(before), state: "awaited" });
    expect((await correct(0)).body.message).toBe("Nothing is deducted under section 194C, as it stands already.");
    // A 0 may have been mistyped.
    expect((await correct(10.5)).status).toBe(409);
    expect((await correct(10)).body.message).toMatch(/ now, where it was ₹0\.00\. Nothing of it is to be paid\./);
    expect(await orderOf(server, quote.id)).toMatchObject({ owedPaise: 0, taxOpenPaise: before });
    expect((await dueOf(person)).certificates).toMatchObject([
      { percent: 10, amount: rupees(before), owed_again_since: null, owed_again_because: "" },
    ]);
    await db().execute(sql`update tax_deductions set claimed_at = claimed_at - interval '1 year' where id = ${id}`);
    await server.call("admin/certificates/owe-again", { id, reason: "None came" }, admin.token);
    expect((await correct(10)).body.error).toMatch(/Nothing of it is deducted/);
  });

  it("is corrected to no less where an order has a credit and only its section was mistaken", async () => {
    const { choose, person, quote } = await transferBuyer(server);
    const { body } = await choose({ deducts });
    await record({ amount: body.pay, pays: body.document });
    await record({ amount: "2.00", pays: body.document });
    const id = (await dueOf(person)).certificates[0]?.id ?? "";
    const rounded = ((await orderOf(server, quote.id))?.deducts?.amountPaise ?? 0) - 100;
    await db().execute(sql`update tax_deductions set amount_paise = ${rounded} where id = ${id}`);
    const corrected = { id, section: "194C", percent: deducts.percent, reason: "Another section" };
    expect((await server.call("admin/certificates/correct", corrected, admin.token)).status).toBe(200);
    const [claim] = (await dueOf(person)).certificates;
    expect(claim).toMatchObject({ section: "194C", amount: rupees(rounded) });
  });

  it("that paid the debt, or had it written off, has a credit of what it paid when the certificate comes, and of no more", async () => {
    const settledBy = async (how: "transfer" | "write-off") => {
      const { choose, person, quote } = await transferBuyer(server);
      const { body } = await choose({ deducts });
      await record({ amount: body.pay, pays: body.document });
      const deducted = (await orderOf(server, quote.id))?.deducts?.amountPaise ?? 0;
      const id = (await dueOf(person)).certificates[0]?.id ?? "";
      await db().execute(sql`update tax_deductions set claimed_at = claimed_at - interval '1 year' where id = ${id}`);
      await server.call("admin/certificates/owe-again", { id, reason: "None came" }, admin.token);
      const amount = rupees(deducted);
      if (how === "transfer") await record({ amount, pays: body.document });
      else {
        const asked = { id: randomUUID(), order_id: body.order_id, kind: how, amount, reason: "Given up" };
        await server.call("admin/receivables/settle", asked, admin.token);
      }
      expect((await orderOf(server, quote.id))?.owedPaise).toBe(0);
      await server.call("user/certificates/upload", certificate(id, { amount }), person.token);
      const matched = { ...(await seenCertificate(server, id)), decision: "matched" as const };
      await server.call("admin/certificates/decide", matched, admin.token);
      return { owed: (await orderOf(server, quote.id))?.owedPaise, deducted };
    };
    const paid = await settledBy("transfer");
    expect(paid.owed).toBe(-paid.deducted);
    expect((await settledBy("write-off")).owed).toBe(0);
  });

  it("is paid once it says afterwards that the rest was deducted, and by no other rest", async () => {
    const { choose, quote } = await transferBuyer(server);
    const plain = (await choose()).body;
    const said = await transferBuyer(server);
    const netPaise = paiseFrom((await said.choose({ deducts })).body.pay);
    await record({ amount: rupees(netPaise - 1000), pays: plain.document });
    expect((await choose({ deducts })).body.error).toMatch(/₹10.00 are still to come: please transfer/);
    expect((await choose({ deducts: { ...deducts, percent: 20 } })).body.error).toMatch(/check the rate/);
    const utr = newUtr();
    await record({ utr, amount: "10.00", pays: plain.document });
    expect(await orderOf(server, quote.id)).toMatchObject({ state: "awaiting_transfer", paymentId: null });
    const both = await Promise.all([choose({ deducts }), choose({ deducts })]);
    expect(both.find(({ status }) => status === 200)?.body.pay).toBe("0.00");
    expect((await orderOf(server, quote.id))?.paymentId).toBe(utr);
    const deductedPaise = paiseFrom(plain.pay) - netPaise;
    expect(await orderOf(server, quote.id)).toMatchObject({
      state: "success",
      owedPaise: 0,
      taxOpenPaise: deductedPaise,
    });
    expect(await invoicesOf(server, quote.id)).toHaveLength(1);
    expect((await proformasOf(plain.order_id)).map(({ state }) => state)).toEqual(["paid"]);
  });

  it("says so after the quote's days, as a colleague, without its purchase order, and rounded by some paise", async () => {
    const { choose, person, quote, request } = await transferBuyer(server);
    const serviceStart = writtenDay(server.services.now());
    const plain = (await choose({ purchaseOrder: "PO-7", serviceStart })).body;
    const said = await transferBuyer(server);
    const netPaise = paiseFrom((await said.choose({ deducts })).body.pay);
    await record({ amount: rupees(netPaise - 40), pays: plain.document });
    server.passTime(35 * 86_400);
    const colleague = await member(server, "user", { organisationId: person.organisationId });
    const asked = { ...request, email: colleague.email, way: "transfer" as const, deducts, serviceStart };
    const { body } = await server.call("user/orders/transfer", asked, colleague.token);
    server.passTime(-35 * 86_400);
    expect(body).toMatchObject({ document: plain.document, pay: "0.00" });
    const deductedPaise = paiseFrom(plain.pay) - netPaise + 40;
    expect(await orderOf(server, quote.id)).toMatchObject({
      state: "success",
      owedPaise: 0,
      taxOpenPaise: deductedPaise,
      buyerId: person.id,
    });
    const [invoice] = await invoicesOf(server, quote.id);
    expect(invoice?.content).toMatchObject({
      billTo: { purchaseOrder: "PO-7", serviceStart },
      taxDeducted: { section: "194J", amountPaise: deductedPaise },
    });
  });

  it("deducts nothing where it pays online in the end", async () => {
    const { choose, start, quote } = await transferBuyer(server);
    await choose({ deducts });
    const form = (await start({ takeOver: true })).body;
    await comeBack(server, answerTo(server, form));
    await expect.poll(async () => (await orderOf(server, quote.id))?.state).toBe("success");
    expect(await orderOf(server, quote.id)).toMatchObject({ deducts: null, owedPaise: 0, taxOpenPaise: 0 });
  });
});

describe("against invoice", () => {
  it("a quote is bought once it is accepted; the invoice is due after the credit days and ages until it is paid", async () => {
    const { choose, person, quote, start } = await transferBuyer(server);
    expect((await choose({ way: "invoice" })).body.error).toMatch(/accept the proposal/);
    await db().update(quotes).set({ decision: "accepted" }).where(eq(quotes.id, quote.id));
    const [first, second] = await Promise.all([choose({ way: "invoice" }), choose({ way: "invoice" })]);
    expect(first.body).toEqual(second.body);
    expect(await invoicesOf(server, quote.id)).toHaveLength(1);
    const late = await choose({ way: "invoice", deducts: { section: "194J", percent: 10 } });
    expect([late.status, late.body.error]).toEqual([409, expect.stringMatching(/another deduction or none/)]);
    const owed = paiseFrom(first.body.pay);
    expect(await orderOf(server, quote.id)).toMatchObject({ state: "invoiced", owedPaise: owed, paymentId: null });
    const mail = await server.mailbox.take(person.email, /invoice SOC/);
    expect(mail.text).toContain(bankOfTests.accountNumber);
    const [invoice] = await invoicesOf(server, quote.id);
    const { text } = await readPdf(await server.services.files.read(invoice?.file ?? ""));
    expect(text).toContain("TO BE PAID");
    expect(text).not.toContain("Paid in full");
    await jobsDone(server, "send-mail");
    const { steps } = (await server.call("user/order", { id: first.body.order_id }, person.token)).body;
    expect(steps.map(({ name, is_done }) => `${name}${is_done ? "" : " to come"}`)).toEqual([
      "invoiced",
      "mailed",
      "confirmed to come",
    ]);
    expect((await start()).body.error).toMatch(/against invoice/);
    const ageing = (await server.call("admin/receivables/ageing", {}, admin.token)).body;
    expect(paiseFrom(ageing.not_due)).toBeGreaterThanOrEqual(owed);
    await record({ amount: "500.00", pays: first.body.document });
    expect(await db().$count(receipts, eq(receipts.orderId, first.body.order_id))).toBe(0);
    await record({ amount: rupees(owed - 50_000), pays: first.body.document });
    expect(await orderOf(server, quote.id)).toMatchObject({ state: "success", owedPaise: 0 });
    expect(await invoicesOf(server, quote.id)).toHaveLength(1);
  });

  /** The receipt of an invoice that was sent and then paid by an older payment form. */
  async function receiptBesideForm(before: (made: Awaited<ReturnType<typeof transferBuyer>>) => Promise<void>) {
    const made = await transferBuyer(server);
    const form = (await made.start()).body;
    await db().update(quotes).set({ decision: "accepted" }).where(eq(quotes.id, made.quote.id));
    await before(made);
    const order = await orderOf(server, made.quote.id);
    await server.mailbox.take(made.person.email, /invoice SOC/);
    expect((await webhook(server, answerTo(server, form))).status).toBe(200);
    const { text } = await server.mailbox.take(made.person.email, /payment and invoice/);
    return { text, total: formatRupees(order?.amountPaise ?? 0) };
  }

  it("and paid online in full all the same tells of no deduction, and of nothing written off", async () => {
    const deducted = await receiptBesideForm(async ({ choose }) => {
      await choose({ way: "invoice", takeOver: true, deducts: { section: "194J", percent: 10 } });
    });
    const givenUp = await receiptBesideForm(async ({ choose }) => {
      const { body } = await choose({ way: "invoice", takeOver: true });
      const writeOff = { id: randomUUID(), order_id: body.order_id, kind: "write-off" as const, reason: "Given up" };
      await server.call("admin/receivables/settle", { ...writeOff, amount: "5000.00" }, admin.token);
    });
    for (const { text, total } of [deducted, givenUp]) {
      expect(text).toContain(`Paid: ${total}`);
      expect(text).not.toMatch(/Tax deducted|Written off|More than/);
    }
  });

  it("and paid by a transfer in part and then online in full tells of both, and of what was too much", async () => {
    const utr = newUtr();
    const { text, total } = await receiptBesideForm(async ({ choose }) => {
      const { body } = await choose({ way: "invoice", takeOver: true });
      await record({ utr, amount: "1000.00", pays: body.document });
    });
    expect(text).toContain(`Paid: ${total}`);
    expect(text).toContain(`More than was to be paid: ${formatRupees(1000_00)}`);
    expect(text).toMatch(new RegExp(`Payment: ${utr}, .`));
  });

  it("says nothing of what was bought to whoever is suspended while they ask for it again", async () => {
    const { choose, person, quote } = await transferBuyer(server);
    await db().update(quotes).set({ decision: "accepted" }).where(eq(quotes.id, quote.id));
    expect((await choose({ way: "invoice" })).status).toBe(200);
    const suspend = `select from organisations where id = '${person.organisationId}' for no key update;
      update people set suspended_at = now() where id = '${person.id}'`;
    const [again] = await whileHeld(server, suspend, () => [choose({ way: "invoice" })], 1, "commit");
    expect(again?.status).toBe(401);
  });

  it("more than it asks for is a credit, which is never overdue", async () => {
    const { choose, person, quote } = await transferBuyer(server);
    await db().update(quotes).set({ decision: "accepted" }).where(eq(quotes.id, quote.id));
    const { body } = await choose({ way: "invoice" });
    const longAgo = { dueOn: "2026-01-03" };
    await db().update(orders).set(longAgo).where(eq(orders.id, body.order_id));
    expect((await dueOf(person)).documents[0]?.days_overdue).toBeGreaterThan(0);
    await record({ amount: less(body.pay, -50_00), pays: body.document });
    await db().update(orders).set(longAgo).where(eq(orders.id, body.order_id));
    expect((await dueOf(person)).documents).toMatchObject([{ open: "-50.00", days_overdue: 0 }]);
  });

  const invoiced = async (over: object = {}) => {
    const made = await transferBuyer(server);
    await db().update(quotes).set({ decision: "accepted" }).where(eq(quotes.id, made.quote.id));
    const { body } = await made.choose({ way: "invoice", ...over });
    const deduct = (percent: number, { token }: Member = made.person, section = "194J") =>
      server.call("user/transfers/deduct", { order_id: body.order_id, section, percent }, token);
    return { ...made, body, deduct };
  };

  it("tax that is deducted is corrected to all that is still open, which its transfers then pay", async () => {
    const { body, person, quote } = await invoiced({ deducts: { section: "194C", percent: 2 } });
    const { amountPaise: total = 0, deducts } = { ...(await orderOf(server, quote.id)) };
    const two = deducts?.amountPaise ?? 0;
    await record({ amount: rupees(total - 5 * two), pays: body.document });
    expect(await orderOf(server, quote.id)).toMatchObject({ state: "invoiced", owedPaise: 4 * two });
    const id = (await dueOf(person)).certificates[0]?.id ?? "";
    const corrected = { id, section: "194J", percent: 10, reason: "Ten percent" };
    const { body: done } = await server.call("admin/certificates/correct", corrected, admin.token);
    expect(done.message).toMatch(/Nothing of it is to be paid/);
    expect(await orderOf(server, quote.id)).toMatchObject({ state: "success", owedPaise: 0, taxOpenPaise: 5 * two });
  });

  it("tax that is corrected to less falls due with the invoice, and not before", async () => {
    const { body, person, quote } = await invoiced({ deducts: { section: "194J", percent: 10 } });
    const dueOn = (await orderOf(server, quote.id))?.dueOn ?? "";
    const id = (await dueOf(person)).certificates[0]?.id ?? "";
    await server.mailbox.take(person.email, /invoice SOC/);
    const corrected = { id, section: "194C", percent: 2, reason: "Two percent" };
    expect((await server.call("admin/certificates/correct", corrected, admin.token)).status).toBe(200);
    expect(await orderOf(server, quote.id)).toMatchObject({ state: "invoiced", dueOn });
    expect((await dueOf(person)).documents).toMatchObject([{ number: body.document, due_on: dueOn }]);
    expect((await server.mailbox.take(person.email, /was corrected/)).text).toContain(paperDay(dueOn));
  });

  it("tax is said to be deducted also once all but that has come, to some rupees, once, and pays the order", async () => {
    const { body, deduct, person, quote } = await invoiced();
    const [document] = (await dueOf(person)).documents;
    const taxablePaise = (await orderOf(server, quote.id))?.tax?.taxablePaise ?? 0;
    expect(document?.deductible_of).toBe(rupees(taxablePaise));
    const deductedPaise = Math.round(taxablePaise / 1000) * 100;
    const utr = newUtr();
    await record({ utr, amount: less(body.pay, deductedPaise + 200), pays: body.document });
    expect((await deduct(10, await member(server, "user"))).status).toBe(404);
    const over = await deduct(20);
    expect([over.status, over.body.error, over.body.fields?.["percent"]]).toEqual([
      409,
      expect.stringMatching(/check the rate/),
      "More than is still to be paid",
    ]);
    const both = await Promise.all([deduct(10), deduct(10)]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(await orderOf(server, quote.id)).toMatchObject({
      state: "success",
      paymentId: utr,
      owedPaise: 0,
      taxOpenPaise: deductedPaise + 200,
      deducts: { section: "194J", basisPoints: 1000, amountPaise: deductedPaise + 200 },
    });
    expect(await dueOf(person)).toMatchObject({
      to_pay: "0.00",
      documents: [],
      certificates: [{ state: "awaited", amount: rupees(deductedPaise + 200) }],
    });
    expect((await deduct(2)).body.error).toMatch(/as was said before. Please write to us/);
    expect(await invoicesOf(server, quote.id)).toHaveLength(1);
  });

  it("tax that is said to be deducted before anything comes leaves the rest to be transferred, of what is not credited", async () => {
    const { body, deduct, person, quote } = await invoiced();
    const credit = {
      orderId: body.order_id,
      amountPaise: Math.round(paiseFrom(body.pay) / 2),
      reason: "Fewer devices",
    };
    await db().transaction((transaction) => issueCreditNote(server.services, transaction, credit));
    const [document] = (await dueOf(person)).documents;
    const taxablePaise = (await orderOf(server, quote.id))?.tax?.taxablePaise ?? 0;
    expect(Math.abs(paiseFrom(document?.deductible_of ?? "0") - taxablePaise / 2)).toBeLessThanOrEqual(1);
    const openPaise = paiseFrom(document?.open ?? "0");
    const said = await deduct(10);
    const deductedPaise = Math.round(taxablePaise / 2000) * 100;
    expect(said.body.message).toContain(`please transfer the other ${formatRupees(openPaise - deductedPaise)}`);
    expect((await dueOf(person)).documents).toMatchObject([
      { open: rupees(openPaise - deductedPaise), deductible_of: null },
    ]);
    await record({ amount: rupees(openPaise - deductedPaise), pays: body.document });
    expect(await orderOf(server, quote.id)).toMatchObject({
      state: "success",
      owedPaise: 0,
      taxOpenPaise: deductedPaise,
    });
    const paid = await invoiced({ deducts: { section: "194J", percent: 10 } });
    expect((await paid.deduct(10)).status).toBe(200);
    expect((await dueOf(paid.person)).documents).toMatchObject([{ open: paid.body.pay, deductible_of: null }]);
    expect((await paid.deduct(10, paid.person, "194C")).status).toBe(409);
  });

  it("a second click after tax was said to be deducted tells what is to be paid without it", async () => {
    const { body, choose, deduct, quote } = await invoiced();
    await deduct(10);
    const { body: again } = await choose({ way: "invoice" });
    const owedPaise = (await orderOf(server, quote.id))?.owedPaise ?? 0;
    expect(owedPaise).toBeLessThan(paiseFrom(body.pay));
    expect(again).toEqual({ ...body, pay: rupees(owedPaise) });
  });

  it("a deduction that comes to less than half a rupee is refused, however it is said", async () => {
    const { body, deduct, quote } = await invoiced();
    const { choose, quote: other } = await transferBuyer(server);
    const { body: plain } = await choose();
    await record({ amount: less(plain.pay, 100), pays: plain.document });
    // A hundredth of a per cent of ₹4,000 is 40 paise.
    const tiny = { section: "194J", percent: 0.01 };
    await db().execute(sql`update orders set tax = jsonb_set(tax, '{taxablePaise}', '400000')
      where quote_id in (${quote.id}, ${other.id})`);
    const answers = [await deduct(tiny.percent), await choose({ deducts: tiny })];
    expect(answers.map(({ status, body: { error, fields } }) => [status, error, fields?.["percent"]])).toEqual(
      answers.map(() => [409, expect.stringMatching(/comes to nothing.*check the rate/), "Comes to nothing"]),
    );
    expect(await orderOf(server, quote.id)).toMatchObject({ deducts: null, owedPaise: paiseFrom(body.pay) });
    expect(await orderOf(server, other.id)).toMatchObject({ deducts: null, state: "awaiting_transfer" });
  });

  it("tax that is owed again is not answered as deducted", async () => {
    const { body, deduct, person } = await invoiced();
    await deduct(10);
    const id = (await dueOf(person)).certificates[0]?.id ?? "";
    await db().$client.query("update tax_deductions set claimed_at = claimed_at - interval '1 year' where id = $1", [
      id,
    ]);
    await server.call("admin/certificates/owe-again", { id, reason: "None came" }, admin.token);
    const again = await deduct(10);
    expect([again.status, again.body.error]).toEqual([409, expect.stringMatching(/no longer count as deducted/)]);
    expect((await dueOf(person)).documents).toMatchObject([{ open: body.pay }]);
  });

  it("no tax is deducted of what nothing is to be paid of any more, and what was written off stays so", async () => {
    const { body, deduct, person, quote } = await invoiced();
    const writeOff = ({ order_id }: { order_id: string }, amount: string) => {
      const asked = { id: randomUUID(), order_id, kind: "write-off" as const, amount, reason: "Insolvent" };
      return server.call("admin/receivables/settle", asked, admin.token);
    };
    await writeOff(body, "1000.00");
    const [document] = (await dueOf(person)).documents;
    const deductedPaise = Math.round(paiseFrom(document?.deductible_of ?? "0") / 1000) * 100;
    await record({ amount: less(document?.open ?? "0", deductedPaise), pays: body.document });
    expect((await deduct(10)).status).toBe(200);
    expect(await orderOf(server, quote.id)).toMatchObject({ state: "closed", paymentId: null, owedPaise: 0 });
    const other = await invoiced();
    await writeOff(other.body, other.body.pay);
    const late = await other.deduct(10);
    expect([late.status, late.body.error]).toEqual([409, expect.stringMatching(/no invoice is to be paid/)]);
    expect(await orderOf(server, other.quote.id)).toMatchObject({ deducts: null });
  });

  it("what is not paid can be written off with a reason, and no more than that", async () => {
    const { choose, person, quote, start } = await transferBuyer(server);
    await db().update(quotes).set({ decision: "accepted" }).where(eq(quotes.id, quote.id));
    const { body } = await choose({ way: "invoice" });
    // History is in order of time: the invoice was sent before anything was waived.
    await server.mailbox.take(person.email, /invoice SOC/);
    await jobsDone(server, "send-mail");
    await record({ amount: less(body.pay, 100), pays: body.document });
    const writeOff = { id: randomUUID(), order_id: body.order_id, kind: "write-off" as const, reason: "Bank charges" };
    const settle = (amount: string) => server.call("admin/receivables/settle", { ...writeOff, amount }, admin.token);
    expect((await settle("1.01")).status).toBe(409);
    expect((await settle("1.00")).status).toBe(200);
    expect((await settle("1.00")).status).toBe(200);
    // Corrected after the response was lost: nobody may be told that another sum was written off.
    expect((await settle("0.90")).body.error).toMatch(/has entered ₹1\.00 already/);
    const otherReason = { ...writeOff, amount: "1.00", reason: "Waived" };
    const refused = await server.call("admin/receivables/settle", otherReason, admin.token);
    expect(refused.body.error).toMatch(/has entered ₹1\.00 already, as “Bank charges”/);
    expect((await dueOf(person)).balance).toBe("0.00");
    // It was not paid and nothing more is due: it is not an open invoice, and it is still what was bought.
    expect(await orderOf(server, quote.id)).toMatchObject({ state: "closed", paymentId: null });
    const shown = (await server.call("user/order", { id: body.order_id }, person.token)).body;
    expect(shown.steps.filter(({ is_done }) => !is_done)).toEqual([]);
    const written = { name: "written_off", by: null, says: "₹1.00" };
    expect(shown.steps.find(({ name }) => name === "written_off")).toMatchObject(written);
    const { steps } = (await server.call("admin/order", { id: body.order_id }, admin.token)).body;
    const known = { by: expect.stringMatching(/\w \w/), says: "₹1.00: Bank charges" };
    expect(steps.find(({ name }) => name === "written_off")).toMatchObject(known);
    expect([shown.steps.at(-1)?.name, shown.advice]).toEqual(["closed", expect.stringMatching(/^Nothing is to be/)]);
    expect((await start()).body.error).toMatch(/nothing is to be paid/);
    const { estimation } = (await server.call("user/get-estimation", {}, person.token)).body;
    expect(estimation.map(({ state }) => state)).toEqual(["bought"]);
  });

  it("what comes online after it was written off takes the write-off back, too, and is no credit", async () => {
    const { choose, quote, start } = await transferBuyer(server);
    const form = (await start()).body;
    await db().update(quotes).set({ decision: "accepted" }).where(eq(quotes.id, quote.id));
    const { body } = await choose({ way: "invoice", takeOver: true });
    const writeOff = { id: randomUUID(), order_id: body.order_id, kind: "write-off" as const, reason: "Agreed" };
    await server.call("admin/receivables/settle", { ...writeOff, amount: "5000.00" }, admin.token);
    await webhook(server, answerTo(server, form));
    await expect.poll(async () => (await orderOf(server, quote.id))?.state).toBe("success");
    expect(await orderOf(server, quote.id)).toMatchObject({ owedPaise: 0 });
    const { findings } = (
      await server.call("admin/reconcile", { state: "open", search: body.order_number }, admin.token)
    ).body;
    expect(findings).toEqual([]);
  });

  it("who pays it online in full has deducted nothing, whatever was said", async () => {
    const { choose, quote, start, person } = await transferBuyer(server);
    const form = (await start()).body;
    await db().update(quotes).set({ decision: "accepted" }).where(eq(quotes.id, quote.id));
    await choose({ way: "invoice", takeOver: true, deducts: { section: "194J", percent: 10 } });
    await webhook(server, answerTo(server, form));
    await expect.poll(async () => (await orderOf(server, quote.id))?.state).toBe("success");
    expect(await orderOf(server, quote.id)).toMatchObject({ owedPaise: 0, taxOpenPaise: 0 });
    expect(await dueOf(person)).toMatchObject({ balance: "0.00", to_pay: "0.00", certificates_open: "0.00" });
  });

  it("an overdue invoice stays overdue where a form of before takes money that pays nothing", async () => {
    const { choose, quote, start, person } = await transferBuyer(server);
    const form = (await start()).body;
    await db().update(quotes).set({ decision: "accepted" }).where(eq(quotes.id, quote.id));
    await choose({ way: "invoice", takeOver: true, deducts: { section: "194J", percent: 10 } });
    const order = await orderOf(server, quote.id);
    // The ledger is not changed otherwise: its triggers are off for this once.
    await db().$client.query(`set session_replication_role = replica;
      update ledger_entries set due_on = due_on - 90 where order_id = '${order?.id}';
      set session_replication_role = default;
      update orders set due_on = due_on - 90 where id = '${order?.id}'`);
    const dueOn = (await orderOf(server, quote.id))?.dueOn;
    await webhook(server, answerTo(server, form, { amount: "300000.00", transaction_amount: "300000.00" }));
    await expect.poll(async () => (await orderOf(server, quote.id))?.state).toBe("review");
    const id = (await dueOf(person)).certificates[0]?.id ?? "";
    const nothing = { id, section: "194J", percent: 0, reason: "None is deducted" };
    expect((await server.call("admin/certificates/correct", nothing, admin.token)).status).toBe(200);
    expect((await orderOf(server, quote.id))?.dueOn).toBe(dueOn);
  });

  it("tax that is owed again is not due before the invoice that it was deducted from", async () => {
    const { choose, quote, person } = await transferBuyer(server);
    await db().update(quotes).set({ decision: "accepted" }).where(eq(quotes.id, quote.id));
    await choose({ way: "invoice", deducts: { section: "194J", percent: 10 } });
    await db().$client.query("update orders set due_on = due_on + 300 where quote_id = $1", [quote.id]);
    const before = await orderOf(server, quote.id);
    const id = (await dueOf(person)).certificates[0]?.id ?? "";
    await db().$client.query("update tax_deductions set claimed_at = claimed_at - interval '1 year' where id = $1", [
      id,
    ]);
    const answer = await server.call("admin/certificates/owe-again", { id, reason: "None came" }, admin.token);
    expect([answer.status, (await orderOf(server, quote.id))?.dueOn]).toEqual([200, before?.dueOn]);
  });

  it("what comes after it was written off takes the write-off back, and only what is beyond it is a credit", async () => {
    const { choose, person, quote } = await transferBuyer(server);
    await db().update(quotes).set({ decision: "accepted" }).where(eq(quotes.id, quote.id));
    const { body } = await choose({ way: "invoice" });
    const writeOff = { id: randomUUID(), order_id: body.order_id, kind: "write-off" as const, reason: "Insolvent" };
    await server.call("admin/receivables/settle", { ...writeOff, amount: body.pay }, admin.token);
    const utr = newUtr();
    // No two readings of the clock are equal.
    const { now } = server.services;
    let ticks = 0;
    server.services.now = () => new Date(now().getTime() + ++ticks);
    const parallel = await Promise.all([1, 2].map(() => record({ utr, amount: "100.00", pays: body.document })));
    server.services.now = now;
    expect(parallel.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
    expect((await dueOf(person)).balance).toBe("0.00");
    const { steps } = (await server.call("user/order", { id: body.order_id }, person.token)).body;
    const names = steps.map(({ name }) => name).filter((name) => name !== "mailed");
    expect(names.slice(-3)).toEqual(["transferred", "owed_after_all", "closed"]);
    expect((await orderOf(server, quote.id))?.state).toBe("closed");
    const rest = await record({ amount: less(body.pay, 90_00), pays: body.document });
    expect(rest.body.message).toMatch(/10\.00 more came/);
    expect((await orderOf(server, quote.id))?.state).toBe("success");
    expect((await dueOf(person)).balance).toBe("-10.00");
  });
});

it("An invoice that is owed beside money that pays nothing is paid by a right payment online", async () => {
  const { choose, start, quote } = await transferBuyer(server);
  await db().update(quotes).set({ decision: "accepted" }).where(eq(quotes.id, quote.id));
  const wrong = (await start()).body;
  const right = (await start({ name: "Somebody Else" })).body;
  const { pay } = (await choose({ way: "invoice", takeOver: true })).body;
  const more = rupees(paiseFrom(pay) + 100_00);
  await webhook(server, answerTo(server, wrong, { amount: more, net_amount_debit: more }));
  await expect.poll(async () => (await orderOf(server, quote.id))?.state).toBe("review");
  expect(await orderOf(server, quote.id)).toMatchObject({ amissPaise: paiseFrom(more), owedPaise: -100_00 });
  await webhook(server, answerTo(server, right));
  await expect.poll(async () => (await attemptsOf(server, quote.id))[1]?.state).not.toBe("pending");
  expect(await attemptsOf(server, quote.id)).toMatchObject([
    { state: "review", reviewReason: expect.stringMatching(/^The gateway took/) },
    { state: "success", reviewReason: null },
  ]);
});

describe("of an order of which nothing is owed any more", () => {
  it("a transfer that comes all the same is a credit, leaves it closed, and goes back", async () => {
    const { choose, person, quote } = await transferBuyer(server);
    await db().update(quotes).set({ decision: "accepted" }).where(eq(quotes.id, quote.id));
    const { body } = await choose({ way: "invoice" });
    const credit = { orderId: body.order_id, amountPaise: paiseFrom(body.pay), reason: "Called off" };
    await db().transaction((transaction) => issueCreditNote(server.services, transaction, credit));
    expect((await orderOf(server, quote.id))?.state).toBe("closed");
    const came = await record({ amount: body.pay, pays: body.document });
    expect(came.body.message).toMatch(/nothing was to be paid: all of it stands as a credit/);
    const isClosed = { state: "closed", paymentId: null, paidAt: null };
    expect(await orderOf(server, quote.id)).toMatchObject({ ...isClosed, owedPaise: -paiseFrom(body.pay) });
    const [over] = await db().select().from(findings).where(eq(findings.orderId, body.order_id));
    expect(over?.kind).toBe("transfer over");
    const titles = (await server.call("notices", {}, person.token)).body.notices.map(({ title }) => title);
    expect(titles.filter((title) => /payment/i.test(title))).toEqual([]);
    const back = { id: randomUUID(), payment: body.order_id, amount: body.pay, reason: "Paid for nothing" };
    expect((await server.call("admin/refunds/ask", back, admin.token)).status).toBe(200);
    const second = await member(server, "admin", { organisationId: admin.organisationId });
    await server.call("admin/refunds/approve", { id: back.id }, second.token);
    const paidOut = { id: back.id, bank_reference: newUtr(), paid_on: writtenDay(server.services.now()) };
    expect((await server.call("admin/refunds/paid-out", paidOut, admin.token)).status).toBe(200);
    expect(await orderOf(server, quote.id)).toMatchObject({ ...isClosed, owedPaise: 0 });
    expect((await invoicesOf(server, quote.id)).length).toBe(1);
  });
});

describe("the ledger", () => {
  it("refuses to be changed, and to lose an entry", async () => {
    const refused = "a ledger entry is not changed";
    await expect(db().$client.query("update ledger_entries set amount_paise = 1")).rejects.toThrow(refused);
    await expect(db().$client.query("delete from ledger_entries")).rejects.toThrow(refused);
  });

  it("gives a statement of account as CSV and as PDF, to the customer, its partner and administrators alone", async () => {
    const { choose, person } = await transferBuyer(server);
    const { body } = await choose();
    await record({ amount: body.pay, pays: body.document, received_on: "2026-01-02", is_meant: true });
    const period = { from: today(server), to: today(server) };
    const csv = (await server.call("user/statement", { ...period, format: "csv" }, person.token)).body;
    const written = Buffer.from(csv.content, "base64").toString();
    expect(written).toContain(`,${Number(body.pay)},,`);
    expect(written).toMatch(/Closing balance,,,,,0\r\n/);
    // The line has the day of its entry, and names the bank's.
    expect(written).toMatch(/,Payment,.*at the bank on 2 January 2026/);
    const pdf = (await server.call("admin/statement", { ...period, format: "pdf", email: person.email }, admin.token))
      .body;
    expect((await readPdf(Buffer.from(pdf.content, "base64"))).text).toContain("Closing balance");
    const stranger = await member(server, "partner");
    const asked = await server.call(
      "partner/statement",
      { ...period, format: "csv", email: person.email },
      stranger.token,
    );
    expect(asked.status).toBe(404);
  });
});

describe("reminders", () => {
  it("come before it is due, on the day, and twice after it, each once", async () => {
    const { choose, person, quote } = await transferBuyer(server);
    await db().update(quotes).set({ decision: "accepted" }).where(eq(quotes.id, quote.id));
    await choose({ way: "invoice" });
    const remind = async () => {
      await Promise.all([remindOfDues(server.services), remindOfDues(server.services)]);
      await jobsDone(server, "send-mail");
      return server.mailbox.mails.filter(
        ({ to, subject }) => to?.[0]?.address === person.email && /is due|is overdue/.test(subject ?? ""),
      ).length;
    };
    const counts = [await remind()];
    for (const days of [27, 3, 7, 23, 5]) {
      server.passTime(days * 86_400);
      // oxlint-disable-next-line no-await-in-loop -- one day at a time
      counts.push(await remind());
    }
    expect(counts).toEqual([0, 1, 2, 3, 4, 4]);
    // Mails are deleted after a year; that they were sent is still known.
    await db().execute(sql`delete from mails where event_key like 'due:%'`);
    expect(await remind()).toBe(4);
    server.passTime(-65 * 86_400);
  });

  it("go to who answers now where the buyer was suspended", async () => {
    const { choose, person, quote } = await transferBuyer(server);
    await db().update(quotes).set({ decision: "accepted" }).where(eq(quotes.id, quote.id));
    await choose({ way: "invoice" });
    const other = await member(server, "user", { organisationId: person.organisationId });
    await db().update(people).set({ suspendedAt: new Date() }).where(eq(people.id, person.id));
    server.passTime(28 * 86_400);
    await remindOfDues(server.services);
    server.passTime(-28 * 86_400);
    expect((await server.mailbox.take(other.email, /is due/)).to).toMatchObject([{ address: other.email }]);
    expect(await db().$count(mails, and(eq(mails.recipient, person.email), like(mails.eventKey, "due:%")))).toBe(0);
  });

  it("go to a child account that bought, as long as it is there", async () => {
    const { choose, person, quote } = await transferBuyer(server);
    await db().update(quotes).set({ decision: "accepted" }).where(eq(quotes.id, quote.id));
    await choose({ way: "invoice" });
    await member(server, "user", { organisationId: person.organisationId });
    await db().update(people).set({ role: "userChild" }).where(eq(people.id, person.id));
    server.passTime(28 * 86_400);
    await remindOfDues(server.services);
    server.passTime(-28 * 86_400);
    expect((await server.mailbox.take(person.email, /is due/)).to).toMatchObject([{ address: person.email }]);
  });

  it("one that fails holds up no other", async () => {
    const owing = async () => {
      const { choose, person, quote } = await transferBuyer(server);
      await db().update(quotes).set({ decision: "accepted" }).where(eq(quotes.id, quote.id));
      return { person, orderId: (await choose({ way: "invoice" })).body.order_id };
    };
    const [broken, sound] = [await owing(), await owing()];
    const refused = sql.raw(`check (event_key not like 'due:${broken.orderId}:%')`);
    await db().execute(sql`alter table mails add constraint no_reminder ${refused} not valid`);
    server.passTime(30 * 86_400);
    await remindOfDues(server.services);
    await server.mailbox.take(sound.person.email, /is due today/);
    await db().execute(sql`alter table mails drop constraint no_reminder`);
    await remindOfDues(server.services);
    expect((await server.mailbox.take(broken.person.email, /is due today/)).text).toContain("O-");
    server.passTime(-30 * 86_400);
  });
});
