import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { paiseFrom, rupees } from "../../contract/money.ts";
import { messages } from "../../contract/messages.ts";
import type { SelectedDevice } from "../../contract/quotes.ts";
import { totalsOf } from "../../contract/totals.ts";
import { invoicesOf, orderOf } from "../../tests/buyer.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { insertQuote } from "../../tests/paid-order.ts";
import { member, type Member } from "../../tests/people.ts";
import { readPdf } from "../../tests/read-pdf.ts";
import { settleAtSandbox } from "../../tests/sandbox.ts";
import { auditEntries, mails, quotes, rateLimits } from "../database/schema/index.ts";
import { deliverProposal } from "./deliver-proposal.ts";
import { edited, publishCard, withType } from "../../tests/rate-card.ts";
import { priceDevices } from "../rates/pricing.ts";
import { currentRateCard } from "../rates/rate-card.ts";

let server: TestServer;
let admin: Member;
beforeAll(async () => {
  server = await startTestServer();
  admin = await member(server, "admin", { firstName: "Meera", lastName: "Iyer" });
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.services.database.delete(rateLimits);
});

const custom = (deviceType: string, number: number) => ({ service: "Customization", deviceType, number });
const servers = { service: "Server", deviceType: "Prod Server", number: 60 };
const some: SelectedDevice[] = [servers, custom("SCADA gateway", 3), custom("Weighbridge", 2)];

/** A person's quote with two custom devices, whose first proposal was mailed. */
async function waiting(devices = some, over: Partial<typeof quotes.$inferInsert> = {}) {
  const person = await member(server, "user");
  const priced = priceDevices(await currentRateCard(server.services), devices);
  const quote = await insertQuote(server, person, { ...priced, proposalFile: null, ...over });
  await deliverProposal(server.services, quote.id);
  return { person, quote };
}

const rate = (deviceType: string, yearly: string) => ({ service: "Customization", deviceType, yearly });
const both = [rate("Weighbridge", "9000.00"), rate("SCADA gateway", "123456.78")];
const yearlyPaise = new Map(both.map(({ deviceType, yearly }) => [deviceType, paiseFrom(yearly)]));

/** A quote's total at the rates of `both`. */
function totalOf({ lines, ...quote }: typeof quotes.$inferSelect): string {
  const priced = lines.map((line) => ({
    amountPaise: (yearlyPaise.get(line.deviceType) ?? line.ratePaise) * line.number,
  }));
  return rupees(totalsOf(priced, quote).totalPaise);
}

const rowOf = async (id: string) => {
  const [row] = await server.services.database.select().from(quotes).where(eq(quotes.id, id));
  if (!row) throw new Error("There is no quote");
  return row;
};
const confirm = (quote: typeof quotes.$inferSelect, over: object = {}, by = admin) =>
  server.send(
    "admin/confirmQuoteRates",
    { quote_id: quote.id, rates: both, total_cost: totalOf(quote), ...over },
    by.token,
  );
const listedFor = async ({ token }: Member) => (await server.call("user/get-estimation", {}, token)).body.estimation[0];
const buy = ({ email, token }: Member, quoteId: string, amount: string) =>
  server.call("user/orders", { email, quote_id: quoteId, amount, name: "Asha Rao", phone: "+919876543210" }, token);

describe("a quote with devices typed in by hand", () => {
  it("waits for its rates: it is marked so, and nobody can buy it", async () => {
    const { person, quote } = await waiting();
    expect(await listedFor(person)).toMatchObject({ state: "rates_to_confirm", order_id: null });
    const { status, body } = await buy(person, quote.id, rupees(quote.totalPaise));
    expect([status, body.code, body.error]).toEqual([409, "conflict", expect.stringContaining("are being confirmed")]);
    expect(await orderOf(server, quote.id)).toBeUndefined();
    const mail = await server.mailbox.take(person.email, /proposal Q-\d{6}$/);
    expect(mail.text?.replace(/\s+/g, " ")).toContain("our team confirms their rates and mails you the final proposal");
  });

  it("is found by administrators among those that wait, with its lines, until it has expired or is confirmed", async () => {
    const { quote } = await waiting();
    const old = await waiting(some, { validUntil: new Date(Date.now() - 1000) });
    const plain = await insertQuote(server, null);
    const child = await member(server, "adminChild", { organisationId: admin.organisationId });
    const list = async () => {
      const asked = { state: "rates_to_confirm", limit: 100 } as const;
      const { body } = await server.call("admin/getEstimationByAdmin", asked, child.token);
      return body.estimation.map(({ id }) => id);
    };
    expect(await list()).toContain(quote.id);
    for (const other of [old.quote, plain]) expect(await list()).not.toContain(other.id);
    const { body } = await server.call("admin/getQuoteRates", { quote_id: quote.id }, child.token);
    expect(body).toMatchObject({
      number: `Q-${String(quote.serial).padStart(6, "0")}`,
      user_email: quote.userEmail,
      price: { total: rupees(quote.totalPaise), discountPercent: 5 },
    });
    expect(body.price.lines.map(({ subjectToConfirmation }) => subjectToConfirmation)).toEqual([false, true, true]);
    await confirm(quote);
    expect(await list()).not.toContain(quote.id);
    const unknown = { quote_id: "019b0000-0000-7000-8000-000000000001" };
    expect((await server.call("admin/getQuoteRates", unknown, child.token)).status).toBe(404);
  });
});

describe("confirming its rates", () => {
  it("prices it anew by its own discount, and mails a new proposal, from which it can be bought and paid", async () => {
    const { person, quote } = await waiting();
    const first = (await rowOf(quote.id)).proposalFile;
    await server.mailbox.take(person.email, /proposal/);
    const { status, body } = await confirm(quote);
    expect([status, body["message"]]).toEqual([200, messages.ratesConfirmed]);

    const mail = await server.mailbox.take(person.email, /proposal Q-\d{6} with confirmed rates/);
    expect(mail.attachments[0]?.filename).toMatch(/^Prahari-proposal-Q-\d{6}-revision-2\.pdf$/);
    expect(mail.text).toContain("We have confirmed the rates");
    const { text, title } = await readPdf(new Uint8Array(mail.attachments[0]?.content as ArrayBuffer));
    expect(title).toMatch(/^Proposal Q-\d{6}, revision 2$/);
    expect(text).toContain("SCADA gateway 3 device 1,23,456.78 3,70,370.34");
    expect(text).toContain("Weighbridge 2 device 9,000.00 18,000.00");
    expect(text).not.toContain("subject to confirmation");

    const listed = await listedFor(person);
    expect(listed).toMatchObject({ state: "open", total_cost: totalOf(quote), pdf_url: `proposal-${quote.id}-2.pdf` });
    const address = async (fileName: string) =>
      (await server.call("user/get-signed-url", { fileName }, person.token)).body.signedUrl;
    const shown = await fetch(await address(String(listed?.pdf_url)));
    expect([shown.status, shown.headers.get("content-type")]).toEqual([200, "application/pdf"]);
    expect(await address(String(first))).toBeUndefined();
    const stale = await buy(person, quote.id, rupees(quote.totalPaise));
    expect([stale.status, stale.body.error]).toEqual([409, expect.stringContaining("amount is not the quote's")]);
    const form = await buy(person, quote.id, totalOf(quote));
    await settleAtSandbox(form.body, "success");
    await expect.poll(async () => (await orderOf(server, quote.id))?.state).toBe("success");
    const [invoice] = await invoicesOf(server, quote.id);
    expect(rupees(invoice?.content.totalPaise ?? 0)).toBe(totalOf(quote));
  });

  it("keeps the prices of its other devices and its discount, whatever rate card is in force now", async () => {
    const { quote } = await waiting();
    const { content } = await edited(server, admin);
    await publishCard(server, admin, (card) => ({
      ...withType("Prod Server", { yearly: "1.00" })(card),
      tiers: [],
      gstPercent: 5,
    }));
    expect((await confirm(quote)).status).toBe(200);
    const confirmed = await rowOf(quote.id);
    expect(confirmed.lines[0]).toEqual(quote.lines[0]);
    expect(confirmed).toMatchObject({ discountBasisPoints: 500, gstBasisPoints: 1800, rateCardId: quote.rateCardId });
    expect(confirmed.lines.map(({ ratePaise }) => ratePaise)).toEqual([quote.lines[0]?.ratePaise, 12345678, 900000]);
    await publishCard(server, admin, () => content);
  });

  it("makes it valid for 30 days from then on, and is written down with what was before", async () => {
    const { quote } = await waiting(some, { validUntil: new Date(Date.now() + 3_600_000) });
    await confirm(quote);
    const confirmed = await rowOf(quote.id);
    expect(confirmed).toMatchObject({ ratesConfirmedBy: admin.id, revision: 2, ratesToConfirm: false });
    const days = (confirmed.validUntil.getTime() - (confirmed.ratesConfirmedAt?.getTime() ?? 0)) / (24 * 3_600_000);
    expect(Math.floor(days)).toBe(30);
    const entries = await server.services.database
      .select()
      .from(auditEntries)
      .where(eq(auditEntries.subject, `quote:${quote.id}`));
    expect(entries).toMatchObject([
      {
        actorId: admin.id,
        action: "confirm quote rates",
        detail: {
          revision: 2,
          before: {
            totalPaise: quote.totalPaise,
            rates: [
              { deviceType: "SCADA gateway", ratePaise: quote.lines[1]?.ratePaise },
              { deviceType: "Weighbridge", ratePaise: quote.lines[2]?.ratePaise },
            ],
          },
          after: {
            totalPaise: confirmed.totalPaise,
            rates: [
              { deviceType: "SCADA gateway", ratePaise: 12345678 },
              { deviceType: "Weighbridge", ratePaise: 900000 },
            ],
          },
        },
      },
    ]);
  });

  it("works for a visitor's quote too, at the very rates that were proposed", async () => {
    const { quote } = await waiting(some, { organisationId: null, userEmail: "visitor@example.in" });
    const rates = quote.lines.slice(1).map((line) => rate(line.deviceType, rupees(line.ratePaise)));
    expect((await confirm(quote, { rates, total_cost: rupees(quote.totalPaise) })).status).toBe(200);
    await server.mailbox.take("visitor@example.in", /with confirmed rates/);
    expect((await rowOf(quote.id)).totalPaise).toBe(quote.totalPaise);
  });

  it("happens once: of ten administrators at once the others read who has done it", async () => {
    const { person, quote } = await waiting();
    const replies = await Promise.all(Array.from({ length: 10 }, () => confirm(quote)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(9);
    const again = await confirm(quote, { total_cost: "1.00" });
    expect([again.status, again.body.error]).toEqual([
      409,
      "Meera Iyer has confirmed the rates of this quote already.",
    ]);
    await server.mailbox.take(person.email, /with confirmed rates/);
    expect((await rowOf(quote.id)).revision).toBe(2);
    expect(await server.services.database.$count(mails, eq(mails.recipient, person.email))).toBe(2);
  });

  it("is too late once the quote has expired", async () => {
    const { quote } = await waiting(some, { validUntil: new Date(Date.now() - 1000) });
    const { status, body } = await confirm(quote);
    expect([status, body.error]).toEqual([409, expect.stringContaining("expired")]);
  });

  it.each<[string, object, number]>([
    ["a different total from the one shown", { total_cost: "1.00" }, 409],
    ["a rate missing", { rates: both.slice(1) }, 422],
    ["no rate", { rates: [] }, 422],
    ["a rate twice", { rates: [both[0], both[0]] }, 422],
    ["a rate too many", { rates: [...both, { ...both[0], deviceType: "Router" }] }, 422],
    ["the rate of a listed device", { rates: [both[0], { ...servers, yearly: "1.00" }] }, 422],
    ["a negative rate", { rates: [both[0], rate("SCADA gateway", "-1.00")] }, 422],
    ["a rate beyond any price", { rates: [both[0], rate("SCADA gateway", "10000000.00")] }, 422],
    ["a rate that is no amount", { rates: [both[0], rate("SCADA gateway", "1e3")] }, 422],
  ])("is refused with %s, and changes nothing", async (_what, over, expected) => {
    const { quote } = await waiting();
    const before = await rowOf(quote.id);
    expect((await confirm(quote, over)).status).toBe(expected);
    expect(await rowOf(quote.id)).toEqual(before);
  });

  it("is for quotes that wait for it, and for administrators: their child accounts and others may not", async () => {
    const plain = await insertQuote(server, null);
    const { status, body } = await confirm(plain);
    expect([status, body.error]).toEqual([409, "Nothing in this quote is subject to confirmation."]);
    const { person, quote } = await waiting();
    const child = await member(server, "adminChild", { organisationId: admin.organisationId });
    for (const other of [child, person, await member(server, "partner")])
      expect((await confirm(quote, {}, other)).status).toBe(403);
    expect((await rowOf(quote.id)).ratesToConfirm).toBe(true);
    expect((await confirm({ ...quote, id: "019b0000-0000-7000-8000-000000000001" })).status).toBe(404);
  });
});

it("A first proposal that is late does not pass for the confirmed one", async () => {
  const person = await member(server, "user");
  const priced = priceDevices(await currentRateCard(server.services), some);
  const quote = await insertQuote(server, person, { ...priced, proposalFile: null });
  const { documents } = server.services;
  // The rates are confirmed while the first proposal is being rendered.
  const slow: typeof documents.render = async (...document) => {
    const pdf = await documents.render(...document);
    await confirm(quote);
    await server.mailbox.take(person.email, /with confirmed rates/);
    return pdf;
  };
  await deliverProposal({ ...server.services, documents: { ...documents, render: slow } }, quote.id);
  expect((await rowOf(quote.id)).proposalFile).toBe(`proposal-${quote.id}-2.pdf`);
  expect(await server.services.database.$count(mails, eq(mails.eventKey, `proposal:${quote.id}`))).toBe(0);
});
