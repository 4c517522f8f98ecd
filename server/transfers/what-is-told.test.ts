import { eq } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { formatRupees, paiseFrom, rupees } from "../../contract/money.ts";
import { billingOf, giveBilling, letterOfSeller, sellerIs } from "../../tests/billing.ts";
import { answerTo, invoicesOf, orderOf, webhook } from "../../tests/buyer.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { jobsDone } from "../../tests/jobs-done.ts";
import { member, type Member } from "../../tests/people.ts";
import { readPdf } from "../../tests/read-pdf.ts";
import { bankOfTests, newUtr, transferBuyer, today } from "../../tests/transfers.ts";
import { issueCreditNote } from "../billing/credit-notes.ts";
import { findings, mails, people, proformas, quotes, rateLimits } from "../database/schema/index.ts";

let server: TestServer;
let admin: Member;
beforeAll(async () => {
  server = await startTestServer();
  admin = await member(server, "admin");
  await sellerIs(server, { bank: bankOfTests, creditDays: 30 });
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.services.database.delete(rateLimits);
});

const db = () => server.services.database;
const deducts = { section: "194J", percent: 10 };
const record = (paise: number, pays: string) =>
  server.call(
    "admin/transfers/record",
    { utr: newUtr(), received_on: today(server), payer: "Periyar Spices", amount: rupees(paise), pays },
    admin.token,
  );
const bellOf = async ({ token }: Member) =>
  (await server.call("notices", {}, token)).body.notices.find(({ title }) => title.startsWith("Payment of"))?.text;
const receiptOf = (person: Member) => server.mailbox.take(person.email, /payment and invoice/);
const credit = (orderId: string, amountPaise: number) =>
  db().transaction((transaction) =>
    issueCreditNote(server.services, transaction, { orderId, amountPaise, reason: "Called off" }),
  );

async function againstInvoice(over: object = {}) {
  const made = await transferBuyer(server);
  await db().update(quotes).set({ decision: "accepted" }).where(eq(quotes.id, made.quote.id));
  const { body } = await made.choose({ way: "invoice", ...over });
  return { ...made, ...body, orderId: body.order_id, payPaise: paiseFrom(body.pay) };
}

describe("A customer is told what came", () => {
  it("and what was deducted, in the mail and by the bell, where it deducts tax", async () => {
    const { choose, person, quote } = await transferBuyer(server);
    const { body } = await choose({ deducts });
    await record(paiseFrom(body.pay), body.document);
    const { amountPaise = 0, deducts: deducted } = (await orderOf(server, quote.id)) ?? {};
    const [came, kept] = [formatRupees(paiseFrom(body.pay)), formatRupees(deducted?.amountPaise ?? 0)];
    const { text = "", html } = await receiptOf(person);
    expect(text).toMatch(new RegExp(`Paid:? +${came}`));
    expect(text).toMatch(new RegExp(`Tax deducted:? +${kept}`));
    expect(`${text}${String(html)}`).not.toContain(formatRupees(amountPaise));
    expect(await bellOf(person)).toBe(
      `${came} arrived; ${kept} were deducted as tax. The tax invoice is with the order.`,
    );
    const ofOurs = (await server.call("notices", {}, admin.token)).body.notices[0]?.text;
    expect(ofOurs).toBe(`${came} for the order ${body.order_number}; ${kept} were deducted as tax.`);
  });

  it("and what of it was more than was to be paid", async () => {
    const { choose, person } = await transferBuyer(server);
    const { body } = await choose();
    await record(paiseFrom(body.pay) + 50_00, body.document);
    const came = formatRupees(paiseFrom(body.pay) + 50_00);
    expect(await bellOf(person)).toBe(
      `${came} arrived; ₹50.00 of it are more than was to be paid, and stand as your credit. The tax invoice is with the order.`,
    );
    const ofOurs = (await server.call("notices", {}, admin.token)).body.notices[0]?.text;
    expect(ofOurs).toBe(`${formatRupees(paiseFrom(body.pay))} for the order ${body.order_number}.`);
    const { text = "" } = await receiptOf(person);
    expect(text).toMatch(new RegExp(`Paid:? +${formatRupees(paiseFrom(body.pay))}`));
    expect(text).toMatch(/More than was to be paid:? +₹50\.00/);
  });

  it("and what was written off, also on the invoice, where a small rest was given up", async () => {
    const { choose, person, quote } = await transferBuyer(server);
    const { body } = await choose();
    const camePaise = paiseFrom(body.pay) - 12_00;
    await record(camePaise, body.document);
    const rest = { order_id: body.order_id, kind: "write-off" as const, amount: "12.00", reason: "Charges" };
    await server.call("admin/receivables/settle", { id: randomUUID(), ...rest }, admin.token);
    const { text = "" } = await receiptOf(person);
    expect(text).toMatch(new RegExp(`Paid:? +${formatRupees(camePaise)}`));
    expect(text).toMatch(/Written off:? +₹12\.00/);
    expect(await bellOf(person)).toContain(`${formatRupees(camePaise)} arrived.`);
    const [invoice] = await invoicesOf(server, quote.id);
    const pdf = await readPdf(await server.services.files.read(invoice?.file ?? ""));
    expect(pdf.text).toContain("without ₹12.00 that did not arrive and are written off.");
    expect(pdf.text).not.toContain("Paid in full");
  });

  it("for an invoice that a credit note has lowered, once its last part has come", async () => {
    const { document, orderId, payPaise, person, quote } = await againstInvoice();
    await expect.poll(async () => (await invoicesOf(server, quote.id))[0]?.file ?? null).not.toBeNull();
    await record(50_00, document);
    await credit(orderId, 118_00);
    await record(payPaise - 168_00, document);
    expect(await bellOf(person)).toContain(`${formatRupees(payPaise - 118_00)} arrived.`);
    const { text = "", attachments } = await receiptOf(person);
    expect(text).toMatch(new RegExp(`Paid:? +${formatRupees(payPaise - 118_00)}`));
    expect(attachments).toHaveLength(1);
  });
});

it("What is mailed about money reaches who may enter, where whoever bought may not any more", async () => {
  const { choose, person } = await transferBuyer(server);
  const main = await member(server, "user", { organisationId: person.organisationId });
  const { body } = await choose({ deducts });
  const suspended = { role: "userChild" as const, suspendedAt: server.services.now() };
  await db().update(people).set(suspended).where(eq(people.id, person.id));
  await record(paiseFrom(body.pay), body.document);
  await receiptOf(main);
  const [claim] = (await server.call("user/payments-due", {}, main.token)).body.certificates;
  const id = claim?.id ?? "";
  await db().$client.query("update tax_deductions set claimed_at = claimed_at - interval '1 year' where id = $1", [id]);
  await server.call("admin/certificates/owe-again", { id, reason: "None came" }, admin.token);
  await server.mailbox.take(main.email, /without a certificate/);
  await credit(body.order_id, 118_00);
  await server.mailbox.take(main.email, /credit note/);
  const toSuspended = await db().select().from(mails).where(eq(mails.recipient, person.email));
  expect(toSuspended.filter(({ eventKey }) => !eventKey.startsWith("proforma:"))).toEqual([]);
});

it("A receipt that follows an invoice says what came on top, and History keeps when the invoice went out", async () => {
  const { document, orderId, payPaise, person, quote } = await againstInvoice();
  await expect.poll(async () => (await invoicesOf(server, quote.id))[0]?.file ?? null).not.toBeNull();
  await server.mailbox.take(person.email, /invoice SOC/);
  await jobsDone(server, "send-mail");
  const mailedAt = async () =>
    (await server.call("user/order", { id: orderId }, person.token)).body.steps.find(({ name }) => name === "mailed")
      ?.at;
  const first = await mailedAt();
  await record(payPaise + 50_00, document);
  const { text = "" } = await receiptOf(person);
  expect(text).toMatch(new RegExp(`Paid:? +${formatRupees(payPaise)}`));
  expect(text).toMatch(/More than was to be paid:? +₹50\.00/);
  await jobsDone(server, "send-mail");
  const { steps, is_moving } = (await server.call("user/order", { id: orderId }, person.token)).body;
  expect([first, await mailedAt(), is_moving]).toEqual([expect.any(String), first, false]);
  expect(steps.map(({ name, is_done }) => [name, is_done]).slice(-2)).toEqual([
    ["confirmed", true],
    ["receipt_mailed", true],
  ]);
});

describe("What happens before a PDF is made is told by its mail", () => {
  /** Runs `act` while no PDF is made. */
  const beforeItsPdf = async <Result>(act: () => Promise<Result>): Promise<Result> => {
    const { documents } = server.services;
    const { render } = documents;
    const { promise: done, resolve: release } = Promise.withResolvers<void>();
    documents.render = async (...asked) => {
      await done;
      return render(...asked);
    };
    try {
      return await act();
    } finally {
      documents.render = render;
      release();
    }
  };
  const mailOf = async (eventKey: string) =>
    (await db().select().from(mails).where(eq(mails.eventKey, eventKey)))[0] ?? null;
  const keptProformas = async (orderId: string) => {
    const ofOrder = () => db().select().from(proformas).where(eq(proformas.orderId, orderId)).orderBy(proformas.serial);
    await expect.poll(async () => (await ofOrder()).every(({ file }) => file !== null), { timeout: 20_000 }).toBe(true);
    return ofOrder();
  };
  const askedBy = async (orderId: string) => {
    const kept = await keptProformas(orderId);
    return Promise.all(kept.map(async ({ id }) => (await mailOf(`proforma:${id}`)) !== null));
  };

  it("a proforma that is replaced, paid or of a declined quote is kept, and asks nobody to pay", async () => {
    const [replaced, paid, declined] = [
      await transferBuyer(server),
      await transferBuyer(server),
      await transferBuyer(server),
    ];
    const ids = await beforeItsPdf(async () => {
      const { body } = await replaced.choose();
      await replaced.choose({ deducts, takeOver: true });
      const { body: asked } = await paid.choose();
      await record(paiseFrom(asked.pay), asked.document);
      const { body: void_ } = await declined.choose();
      const decline = { quote_id: declined.quote.id, revision: 1, reason: "Too dear" };
      expect((await server.call("user/quotes/decline", decline, declined.person.token)).status).toBe(200);
      return [body, asked, void_].map(({ order_id: id }) => id);
    });
    expect(await Promise.all(ids.map(askedBy))).toEqual([[false, true], [false], [false]]);
  });

  it("a proforma asks for what is left once a part has come", async () => {
    const { body, person } = await beforeItsPdf(async () => {
      const { person: buyer, choose } = await transferBuyer(server);
      const chosen = await choose();
      await record(100_00, chosen.body.document);
      return { body: chosen.body, person: buyer };
    });
    const { text } = await server.mailbox.take(person.email, /proforma invoice/);
    const left = formatRupees(paiseFrom(body.pay) - 100_00);
    expect(text).toMatch(new RegExp(`Asked for:? +${formatRupees(paiseFrom(body.pay))}`));
    expect(text).toMatch(/Arrived:? +₹100\.00/);
    expect(text).toMatch(new RegExp(`To pay:? +${left}`));
  });

  it("an invoice asks for what is left once tax was said to be deducted and a part has come", async () => {
    const { orderId, document, person, quote } = await beforeItsPdf(async () => {
      const made = await againstInvoice();
      await server.call("user/transfers/deduct", { order_id: made.orderId, ...deducts }, made.person.token);
      await record(100_00, made.document);
      return made;
    });
    const { owedPaise = 0 } = (await orderOf(server, quote.id)) ?? {};
    const { subject, text } = await server.mailbox.take(person.email, new RegExp(document));
    expect(subject).toMatch(/to be paid|invoice/);
    expect(text).toMatch(new RegExp(`To pay:? +${formatRupees(owedPaise)}`));
    expect(await mailOf(`invoice-due:${orderId}`)).not.toBeNull();
  });

  it("an invoice that is paid goes out with the receipt of what came, and of what was deducted", async () => {
    const { document, person, payPaise, quote } = await beforeItsPdf(async () => {
      const made = await againstInvoice({ deducts });
      await credit(made.orderId, 118_00);
      await record(made.payPaise - 118_00, made.document);
      return made;
    });
    const order = await orderOf(server, quote.id);
    const { text } = await receiptOf(person);
    expect(text).toMatch(new RegExp(`Paid:? +${formatRupees(payPaise - 118_00)}`));
    expect(text).toMatch(new RegExp(`Tax deducted:? +${formatRupees(order?.deducts?.amountPaise ?? 0)}`));
    expect(text).toContain(order?.paymentId ?? "none");
    expect(text).toContain(document);
  });

  it("an invoice of which nothing came and nothing is to be paid any more says so", async () => {
    const { document, person } = await beforeItsPdf(async () => {
      const made = await againstInvoice();
      await credit(made.orderId, made.payPaise);
      return made;
    });
    const { text } = await server.mailbox.take(person.email, new RegExp(`invoice ${document}`));
    expect(text).toContain("Nothing of it is to be paid any more.");
    expect(text).not.toMatch(/To pay|payment arrived/);
  });
});

describe("Deducted tax that is owed again", () => {
  const owe = async (person: Member) => {
    const id = (await server.call("user/payments-due", {}, person.token)).body.certificates[0]?.id ?? "";
    await db().$client.query("update tax_deductions set claimed_at = claimed_at - interval '1 year' where id = $1", [
      id,
    ]);
    const { body } = await server.call("admin/certificates/owe-again", { id, reason: "None came" }, admin.token);
    const [mail] = await db()
      .select()
      .from(mails)
      .where(eq(mails.eventKey, `tax-owed:${id}`));
    return { message: body.message, mail };
  };

  it("is asked for as far as no credit of the order pays it, and nobody is mailed where one pays all of it", async () => {
    const whole = await againstInvoice({ deducts });
    await record(whole.payPaise, whole.document);
    const order = await orderOf(server, whole.quote.id);
    const deductedPaise = order?.deducts?.amountPaise ?? 0;
    await credit(whole.orderId, order?.amountPaise ?? 0);
    const back = await owe(whole.person);
    expect(back.mail).toBeUndefined();
    expect(back.message).toMatch(/nothing is to be paid/);

    const part = await againstInvoice({ deducts });
    await record(part.payPaise, part.document);
    await credit(part.orderId, 100_00);
    const asked = await owe(part.person);
    expect(asked.message).toMatch(/told why/);
    const { text } = await server.mailbox.take(part.person.email, /without a certificate/);
    expect(text).toContain(formatRupees(deductedPaise - 100_00));
  });
});

it("A form of before the purchase against invoice that takes less than the invoice is a person's to look at", async () => {
  await sellerIs(server, { bank: bankOfTests, creditDays: 30, undertaking: letterOfSeller });
  const { choose, person, quote, request, start } = await transferBuyer(server);
  const { kerala } = billingOf;
  const asked = async () => {
    const { estimation } = (await server.call("user/get-estimation", {}, person.token)).body;
    return { ...request, amount: estimation.find(({ id }) => id === quote.id)?.tax?.total ?? "" };
  };
  await giveBilling(server, person.email, {
    billingKind: "abroad",
    gstin: null,
    billingState: null,
    billingCountry: "AE",
  });
  const form = (await start(await asked())).body;
  const second = (await start({ ...(await asked()), name: "Somebody Else" })).body;
  await giveBilling(server, person.email, {
    billingKind: "registered",
    gstin: kerala.gstin,
    billingState: kerala.stateCode,
  });
  await db().update(quotes).set({ decision: "accepted" }).where(eq(quotes.id, quote.id));
  const { body } = await choose({ ...(await asked()), way: "invoice", takeOver: true });
  await webhook(server, answerTo(server, form));
  await expect.poll(async () => (await orderOf(server, quote.id))?.paymentId).toBeTruthy();
  const owed = (await orderOf(server, quote.id))?.owedPaise ?? 0;
  expect(owed).toBeGreaterThan(0);
  expect(await db().select().from(findings).where(eq(findings.orderId, body.order_id))).toMatchObject([
    { kind: "amount differs", says: expect.stringContaining(`${formatRupees(owed)} less than was owed`) },
  ]);
  const settle = (paise: number) =>
    server.call(
      "admin/receivables/settle",
      { id: randomUUID(), order_id: body.order_id, kind: "write-off", amount: rupees(paise), reason: "Bank charges" },
      admin.token,
    );
  const resolution = async () =>
    (await db().select().from(findings).where(eq(findings.orderId, body.order_id)).orderBy(findings.id))[0]?.resolution;
  // A second payment does not settle the debt: the finding stays until nothing is left.
  await webhook(server, answerTo(server, second));
  await expect.poll(async () => (await orderOf(server, quote.id))?.amissPaise).toBeGreaterThan(owed);
  expect((await settle(owed - 100)).status).toBe(200);
  expect(await resolution()).toBe("");
  expect((await settle(100)).status).toBe(200);
  expect(await resolution()).toBe("The rest was written off.");
});
