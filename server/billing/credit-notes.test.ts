import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { rupees } from "../../contract/money.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { insertOrder } from "../../tests/paid-order.ts";
import { member } from "../../tests/people.ts";
import { readPdf } from "../../tests/read-pdf.ts";
import { creditNotes, invoices } from "../database/schema/index.ts";
import { type Credit, deliverCreditNote, issueCreditNote } from "./credit-notes.ts";
import { shareOf } from "./credit-share.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const issue = (credit: Credit, now = server.services.now()) =>
  server.services.database.transaction((transaction) =>
    issueCreditNote({ ...server.services, now: () => now }, transaction, credit),
  );

async function paid() {
  const person = await member(server, "user");
  const order = await insertOrder(server, person);
  const [invoice] = await server.services.database.select().from(invoices).where(eq(invoices.orderId, order.id));
  if (!invoice) throw new Error("There is no invoice");
  const notes = () =>
    server.services.database
      .select()
      .from(creditNotes)
      .where(eq(creditNotes.invoiceId, invoice.id))
      .orderBy(creditNotes.id);
  return { person, order, invoice, notes };
}

describe("A credit note", () => {
  it("has a number of its own series, the invoice's taxes in proportion, and reaches the buyer as PDF and mail", async () => {
    const { person, order, invoice, notes } = await paid();
    const { number } = await issue({ orderId: order.id, amountPaise: 11_800, reason: "Two servers fewer" });
    expect(number).toMatch(/^CN\/\d\d-\d\d\/00001$/);
    const mail = await server.mailbox.take(person.email, /credit note CN\//);
    expect(mail.attachments[0]?.filename).toMatch(/^Prahari-credit-note-CN-\d\d-\d\d-00001\.pdf$/);
    const { text, title } = await readPdf(new Uint8Array(mail.attachments[0]?.content as ArrayBuffer));
    expect(title).toBe(`Credit note ${number}`);
    for (const part of [
      `For invoice ${invoice.number}`,
      "Taxable value 100.00",
      "CGST 9% 9.00",
      "SGST 9% 9.00",
      "Total credited ₹118.00",
      "Why: Two servers fewer",
    ])
      expect(text).toContain(part);
    const [note] = await notes();
    expect(note?.content.taxes.map(({ amountPaise }) => amountPaise)).toEqual([900, 900]);
    const { body } = await server.call("user/get-payment-by-email", {}, person.token);
    expect(body.paymentDetails[0]?.credit_notes).toEqual([
      { number, amount: "118.00", reason: "Two servers fewer", issued_at: expect.any(String), pdf_url: note?.file },
    ]);
    const address = (token: string) => server.send("user/get-signed-url", { fileName: note?.file ?? "" }, token);
    const own = await address(person.token);
    expect((await fetch(String(own.body["signedUrl"]))).status).toBe(200);
    expect((await address((await member(server, "user")).token)).status).toBe(404);
  });

  it("is never for more than is left of the invoice, whatever comes at once", async () => {
    const { order, invoice, notes } = await paid();
    const { totalPaise } = invoice.content;
    const part = Math.floor(totalPaise / 3);
    const asked = await Promise.allSettled(
      Array.from({ length: 8 }, () => issue({ orderId: order.id, amountPaise: part, reason: "Once more" })),
    );
    expect(asked.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
    const left = totalPaise - 3 * part;
    await expect(issue({ orderId: order.id, amountPaise: left + 1, reason: "Too much" })).rejects.toThrow(
      left === 0 ? "credited in full" : "is left to be credited",
    );
    for (const amountPaise of [0, -1, 0.5])
      await expect(issue({ orderId: order.id, amountPaise, reason: "x" })).rejects.toMatchObject({ code: "conflict" });
    if (left > 0) await issue({ invoiceId: invoice.id, amountPaise: left, reason: "The rest" });
    const all = await notes();
    const sum = (of: (note: (typeof all)[number]) => number) => all.reduce((total, note) => total + of(note), 0);
    expect(sum(({ content }) => content.taxablePaise)).toBe(invoice.content.taxablePaise);
    for (const [index, tax] of invoice.content.taxes.entries())
      expect(sum(({ content }) => content.taxes[index]?.amountPaise ?? 0)).toBe(tax.amountPaise);
    expect(new Set(all.map(({ number }) => number)).size).toBe(all.length);
  });

  it("for one cause is one, however often it is asked for", async () => {
    const { order, notes } = await paid();
    const credit = { orderId: order.id, amountPaise: 100, reason: "Refund", cause: `refund:${order.id}` };
    const [first, second] = await Promise.all([issue(credit), issue(credit)]);
    expect((await issue(credit)).number).toBe(first.number);
    expect(second.number).toBe(first.number);
    expect(await notes()).toHaveLength(1);
  });

  it("begins a new series at midnight of 1 April in India, and leaves no gap when it is rolled back", async () => {
    const { order } = await paid();
    const at = (instant: string, reason: string) =>
      issue({ orderId: order.id, amountPaise: 100, reason }, new Date(instant));
    const old = await at("2031-03-31T18:29:59Z", "Old");
    await expect(
      server.services.database.transaction(async (transaction) => {
        const then = { ...server.services, now: () => new Date("2031-03-31T18:29:59Z") };
        await issueCreditNote(then, transaction, { orderId: order.id, amountPaise: 100, reason: "Undone" });
        throw new Error("the refund could not be written");
      }),
    ).rejects.toThrow("could not be written");
    const [next, fresh] = [await at("2031-03-31T18:29:59Z", "Next"), await at("2031-03-31T18:30:00Z", "New")];
    expect([old.number, next.number, fresh.number]).toEqual(["CN/30-31/00001", "CN/30-31/00002", "CN/31-32/00001"]);
  });

  it("done twice at once is one file and one mail, and says for ever what it says", async () => {
    const { order, notes } = await paid();
    const { id } = await issue({ orderId: order.id, amountPaise: 500, reason: "Goodwill" });
    await Promise.all([deliverCreditNote(server.services, id), deliverCreditNote(server.services, id)]);
    const [note] = await notes();
    expect(note?.file).toMatch(/^credit-note-[0-9a-f-]{36}\.pdf$/);
    const { database } = server.services;
    const changes = database.update(creditNotes).set({ amountPaise: 1 }).where(eq(creditNotes.id, id));
    const frozen = { cause: expect.objectContaining({ message: "a numbered document is not changed" }) };
    await expect(changes).rejects.toMatchObject(frozen);
    await expect(database.delete(creditNotes).where(eq(creditNotes.id, id))).rejects.toMatchObject(frozen);
  });

  it("is about an invoice that is there", async () => {
    const nobody = "019b0000-0000-7000-8000-000000000001";
    await expect(issue({ invoiceId: nobody, amountPaise: 100, reason: "x" })).rejects.toThrow("was not found");
  });
});

it("Any parts of an invoice add up to it, to the paisa in each tax", () => {
  const whole = {
    taxablePaise: 1_000_001,
    taxes: [
      { name: "CGST" as const, basisPoints: 900, amountPaise: 90_000 },
      { name: "SGST" as const, basisPoints: 900, amountPaise: 90_000 },
    ],
    roundOffPaise: -1,
    totalPaise: 1_180_000,
  };
  for (const size of [1, 7, 333, 99_991]) {
    const parts: ReturnType<typeof shareOf>[] = [];
    let left = whole.totalPaise;
    while (left > 0 && parts.length < 400) {
      const amount = parts.length === 399 ? left : Math.min(left, size);
      parts.push(shareOf(whole, parts, amount));
      left -= amount;
    }
    const sum = (of: (part: (typeof parts)[number]) => number) => parts.reduce((total, part) => total + of(part), 0);
    expect(
      sum(({ taxablePaise }) => taxablePaise),
      rupees(size),
    ).toBe(whole.taxablePaise);
    expect(sum(({ roundOffPaise }) => roundOffPaise)).toBe(-1);
    for (const index of [0, 1]) expect(sum(({ taxes }) => taxes[index]?.amountPaise ?? 0)).toBe(90_000);
    for (const { taxes } of parts) expect(taxes[0]?.amountPaise).toBe(taxes[1]?.amountPaise);
    expect(parts.filter(({ taxablePaise }) => taxablePaise < 0)).toEqual([]);
  }
});
