import { and, asc, eq } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startOfWrittenDay, writtenDay } from "../../contract/india-time.ts";
import { amountInWords } from "../../contract/amount-in-words.ts";
import { paiseFrom, rupees } from "../../contract/money.ts";
import { contractYear, daysAfter, daysFrom, priceOfDays } from "../../contract/proration.ts";
import { attemptsOf, buyer } from "../../tests/buyer.ts";
import { again, buyQuote, contractHolder, contractOf, pay } from "../../tests/contract.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { readPdf } from "../../tests/read-pdf.ts";
import { type Member, member } from "../../tests/people.ts";
import { sellerIs } from "../../tests/billing.ts";
import { bankOfTests, newUtr, transferBuyer } from "../../tests/transfers.ts";
import {
  attempts,
  auditEntries,
  contractChanges,
  contractLines,
  contracts,
  creditNotes,
  eInvoices,
  invoices,
  notices,
  orders,
  quotes,
  refunds,
} from "../database/schema/index.ts";
import { settleEInvoices } from "../e-invoices/settle-e-invoices.ts";
import { settleRefunds } from "../refunds/settle-refunds.ts";
import { paperAmount, paperDay } from "../outside/documents/paper.ts";
import { deliverProposal } from "../quotes/deliver-proposal.ts";
import { proposalData } from "../quotes/proposal.ts";
import { proformaData } from "../billing/proforma-document.ts";
import { invoiceData } from "../billing/invoice-document.ts";

let server: TestServer;
let admin: Member;
let second: Member;
beforeAll(async () => {
  server = await startTestServer({ work: false, env: { refundApprovalPaise: 5_000_000_00 } });
  admin = await member(server, "admin");
  second = await member(server, "admin", { organisationId: admin.organisationId });
});
afterAll(() => server.stop());

const database = () => server.services.database;
const today = () => writtenDay(server.services.now());
const servers = (number: number) => [{ service: "Server", deviceType: "Prod Server", number }];

/** Asks for the price of additional devices and makes the quote. */
async function add(person: Member, contractId: string, number: number, from = today()) {
  const asked = { contract_id: contractId, selectedDevices: servers(number), from };
  const { body: price } = await server.call("user/contracts/price-addition", asked, person.token);
  const made = { ...asked, quote_id: randomUUID(), total_cost: price.total };
  return { price, made, answer: await server.call("user/contracts/add-devices", made, person.token) };
}

const orderIdOf = async (contractId: string) =>
  (await database().select().from(contracts).where(eq(contracts.id, contractId)))[0]?.orderId ?? "";

/**
 * The number of open decisions on a contract, from the list of contracts that wait for staff; empty if it is not
 * listed.
 */
const decisionsIn = async (id: string) => {
  const { body } = await server.call("admin/contracts", { show: "to_decide" }, admin.token);
  return body.contracts.flatMap((each) => (each.id === id ? [each.to_decide] : []));
};

const ask = (contract: { id: string; lines: { series: number }[] }, over: object = {}) => ({
  id: randomUUID(),
  contract_id: contract.id,
  series: contract.lines[0]?.series ?? 0,
  quantity: 2,
  wished_on: today(),
  reason: "Two were switched off",
  ...over,
});

const decision = (id: string, over: object = {}) => ({
  id,
  agreed: true,
  effective_on: today(),
  answer: "As you asked",
  ...over,
});

describe("The first order of a customer", () => {
  it("begins a contract of a year from its service start, with the lines that it froze", async () => {
    const serviceStart = daysAfter(today(), 10);
    const { contract } = await contractHolder(server, undefined, { serviceStart });
    const { to } = contractYear(serviceStart);
    expect(contract).toMatchObject({
      starts_on: serviceStart,
      ends_on: to,
      state: "coming",
      renewal: "none",
      devices: 12,
    });
    expect(contract.lines).toMatchObject([
      { device_type: "Prod Server", quantity: 10, from: serviceStart, to },
      { device_type: "Firewall", quantity: 2, from: serviceStart, to },
    ]);
    expect(contract.changes).toMatchObject([{ kind: "start", devices: ["10 × Prod Server", "2 × Firewall"] }]);
  });

  it("begins one contract, however often and side by side its payment is told", async () => {
    const bought = await buyer(server);
    const { body: form } = await bought.start();
    await Promise.all(Array.from({ length: 5 }, () => pay(server, form)));
    await pay(server, form);
    expect(await database().$count(contracts, eq(contracts.organisationId, bought.person.organisationId))).toBe(1);
  });

  it("divides what was invoiced among its lines, to the paisa of the taxable value", async () => {
    const devices = [...servers(120), { service: "Network", deviceType: "Router", number: 7 }];
    const { contract } = await contractHolder(server, devices);
    const [row] = await database()
      .select({ content: invoices.content })
      .from(contracts)
      .innerJoin(invoices, eq(invoices.orderId, contracts.orderId))
      .where(eq(contracts.id, contract.id));
    const lines = await database().select().from(contractLines).where(eq(contractLines.contractId, contract.id));
    expect(lines.map(({ discountBasisPoints }) => discountBasisPoints)).toEqual([800, 800]);
    expect(lines.reduce((sum, { invoicedPaise }) => sum + invoicedPaise, 0)).toBe(row?.content.taxablePaise);
  });
});

describe("Devices added to a contract", () => {
  it("cost their days of its year, said line by line, on the proposal and on the invoice", async () => {
    const { person, contract } = await contractHolder(server);
    const from = daysAfter(today(), 20);
    const { price, answer } = await add(person, contract.id, 3, from);
    const days = daysFrom(from, contract.ends_on);
    const year = contractYear(contract.starts_on).days;
    const rate = paiseFrom(price.lines[0]?.rate ?? "");
    // Rounded half up, computed in whole paise.
    const amount = Math.floor((2 * 3 * rate * days + year) / (2 * year));
    expect(price).toMatchObject({ from, to: contract.ends_on, days, days_of_year: year });
    expect(paiseFrom(price.lines[0]?.amount ?? "")).toBe(amount);
    expect(answer.status).toBe(201);
    const [quote] = await database().select().from(quotes).where(eq(quotes.id, answer.body.quote_id));
    if (!quote) throw new Error("No quote");
    const paper = proposalData(quote);
    expect(paper.part).toMatchObject({
      period: `${days} of ${year} days`,
      contract: { days: `${days} of ${year} days` },
    });
    expect(paper.terms.join(" ")).toContain(`added to the contract ${contract.number}`);
    expect(paper.terms.join(" ")).not.toContain("12 months");
    await buyQuote(server, person, quote.id);
    const [invoice] = await database()
      .select({ invoice: invoices })
      .from(invoices)
      .innerJoin(orders, eq(orders.id, invoices.orderId))
      .where(eq(orders.quoteId, quote.id));
    expect(invoice?.invoice.content).toMatchObject({ period: { from, to: contract.ends_on }, taxablePaise: amount });
    const data = invoice && invoiceData(invoice.invoice);
    expect(data?.lines[0]?.description).toBe(`Server: Prod Server, ${days} of ${year} days`);
    expect(data?.subscription).toContain(contract.number);
    if (!invoice) throw new Error("No invoice");
    const asked = { number: "PF/26-27/0001", reference: "PF2627000001", issuedAt: new Date(), dueOn: from };
    const content = { ...invoice.invoice.content, bank: bankOfTests, payPaise: 1_00 };
    const proforma = await readPdf(
      await server.services.documents.render("proforma", proformaData({ ...asked, content })),
    );
    expect(proforma.text).toContain(`subscription ${contract.number} from ${paperDay(from)} to its end`);
    expect(proforma.text).not.toContain("12 months");
    const after = await contractOf(server, person);
    expect(after.lines.filter(({ from: first }) => first === from)).toMatchObject([
      { device_type: "Prod Server", quantity: 3, to: contract.ends_on },
    ]);
    expect(after.devices).toBe(15);
  });

  it("are told by the PDF of their proposal in words, days and sums", async () => {
    // 116 devices get a discount, which the contract applies to each line.
    const { person, contract } = await contractHolder(server, [
      { service: "Server", deviceType: "Prod Server", number: 116 },
    ]);
    const from = daysAfter(today(), 20);
    const { price, answer } = await add(person, contract.id, 3, from);
    await deliverProposal(server.services, answer.body.quote_id);
    const [quote] = await database().select().from(quotes).where(eq(quotes.id, answer.body.quote_id));
    const { text } = await readPdf(await server.services.files.read(quote?.proposalFile ?? ""));
    expect(price.discount_percent).toBeGreaterThan(0);
    for (const said of [
      contract.number,
      `${price.days} of ${price.days_of_year} days`,
      `added to the contract ${contract.number} from ${paperDay(from)} and end with it on ${paperDay(contract.ends_on)}`,
      `÷ ${price.days_of_year} days of the contract's year × ${price.days} days, rounded once to the paisa`,
      "Prod Server",
      `${price.discount_percent}%`,
      paperAmount(paiseFrom(price.lines[0]?.rate ?? "")),
      paperAmount(paiseFrom(price.lines[0]?.amount ?? "")),
      paperAmount(paiseFrom(price.taxable)),
      paperAmount(paiseFrom(price.tax.total)),
      amountInWords(paiseFrom(price.tax.total)),
    ])
      expect(text).toContain(said);
    expect(text).not.toContain("The contract runs for 12 months");
  });

  it("typed in by hand are quoted at a default rate, and bought by days at the rate that an administrator confirms", async () => {
    const { person, contract } = await contractHolder(server);
    const from = daysAfter(today(), 10);
    const mainframes = { service: "Customization", deviceType: "Mainframe", number: 3 };
    const asked = { contract_id: contract.id, selectedDevices: [...servers(1), mainframes], from };
    const { body: price } = await server.call("user/contracts/price-addition", asked, person.token);
    expect(price.lines.map(({ subjectToConfirmation }) => subjectToConfirmation)).toEqual([false, true]);
    const made = { ...asked, quote_id: randomUUID(), total_cost: price.total };
    expect((await server.call("user/contracts/add-devices", made, person.token)).status).toBe(201);
    const early = {
      email: person.email,
      quote_id: made.quote_id,
      amount: price.total,
      name: "Asha",
      phone: "+919876543210",
    };
    expect((await server.call("user/orders", early, person.token)).status).toBe(409);

    const { body: open } = await server.call("admin/getQuoteRates", { quote_id: made.quote_id }, admin.token);
    const [days, year] = [daysFrom(from, contract.ends_on), contractYear(contract.starts_on).days];
    expect(open.part_of_year).toEqual({ days, days_of_year: year, discount_percent: price.discount_percent });
    const amount = priceOfDays(
      { quantity: 3, ratePaise: 123_456_79, discountBasisPoints: Math.round(price.discount_percent * 100) },
      days,
      year,
    );
    const listed = paiseFrom(price.lines[0]?.amount ?? "");
    const rates = [{ service: mainframes.service, deviceType: mainframes.deviceType, yearly: "123456.79" }];
    const total = listed + amount + Math.round((listed + amount) * 0.18);
    const confirm = (total_cost: string) =>
      server.call("admin/confirmQuoteRates", { quote_id: made.quote_id, rates, total_cost }, admin.token);
    // Administrators see it with the contract.
    const shown = (await server.call("admin/contracts/contract", { id: contract.id }, admin.token)).body;
    expect(shown.quotes).toMatchObject([{ id: made.quote_id, rates_to_confirm: true }]);
    expect(await decisionsIn(contract.id)).toEqual([1]);
    expect(await database().$count(notices, eq(notices.kind, "rates to confirm"))).toBeGreaterThan(0);
    // The price of a whole year is refused.
    expect((await confirm(rupees(listed + 3 * 123_456_79))).status).toBe(409);
    const both = await Promise.all([confirm(rupees(total)), confirm(rupees(total))]);
    expect(both.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
    expect(await decisionsIn(contract.id)).toEqual([]);
    await buyQuote(server, person, made.quote_id);
    const after = await contractOf(server, person);
    expect(after.lines.find(({ device_type }) => device_type === "Mainframe")).toMatchObject({
      quantity: 3,
      from,
      to: contract.ends_on,
    });
    const [line] = await database().select().from(contractLines).where(eq(contractLines.deviceType, "Mainframe"));
    expect(line).toMatchObject({ ratePaise: 123_456_79, invoicedPaise: amount });
  });

  it("are nothing to decide any more once their quote has expired", async () => {
    const { person, contract } = await contractHolder(server);
    const asked = {
      contract_id: contract.id,
      selectedDevices: [{ service: "Customization", deviceType: "Tape robot", number: 1 }],
      from: today(),
    };
    const { body: price } = await server.call("user/contracts/price-addition", asked, person.token);
    const made = { ...asked, quote_id: randomUUID(), total_cost: price.total };
    expect((await server.call("user/contracts/add-devices", made, person.token)).status).toBe(201);
    expect(await decisionsIn(contract.id)).toEqual([1]);
    await database()
      .update(quotes)
      .set({ validUntil: new Date(server.services.now().getTime() - 1000) })
      .where(eq(quotes.id, made.quote_id));
    expect(await decisionsIn(contract.id)).toEqual([]);
    const { body: all } = await server.call("admin/contracts", { search: contract.number }, admin.token);
    expect(all.contracts.map(({ to_decide }) => to_decide)).toEqual([0]);
  });

  it("are open to be bought until they are, against an invoice that is not paid yet, too", async () => {
    const { person, contract } = await contractHolder(server);
    const { made } = await add(person, contract.id, 1);
    expect((await contractOf(server, person)).quotes).toMatchObject([{ id: made.quote_id, kind: "add" }]);
    await buyQuote(server, person, made.quote_id);
    for (const state of ["success", "invoiced"] as const) {
      await database().update(orders).set({ state }).where(eq(orders.quoteId, made.quote_id));
      expect([state, (await contractOf(server, person)).quotes]).toEqual([state, []]);
    }
  });

  it("have their first day and price for good: paid days later they begin when they were quoted for", async () => {
    const own = await startTestServer({ work: false });
    const { person, contract } = await contractHolder(own);
    const day = writtenDay(own.services.now());
    const asked = { contract_id: contract.id, selectedDevices: servers(1), from: day };
    const { body: price } = await own.call("user/contracts/price-addition", asked, person.token);
    const made = { ...asked, quote_id: randomUUID(), total_cost: price.total };
    await own.call("user/contracts/add-devices", made, person.token);
    own.passTime(5 * 24 * 3600);
    await buyQuote(own, person, made.quote_id);
    const [, , added] = (await contractOf(own, person)).lines;
    expect(added).toMatchObject({ quantity: 1, from: day });
    own.passTime(4 * 24 * 3600);
    const late = { ...made, quote_id: randomUUID(), from: writtenDay(own.services.now()) };
    const { token } = await again(own, person);
    const { body } = await own.call("user/contracts/price-addition", late, token);
    await own.call("user/contracts/add-devices", { ...late, total_cost: body.total }, token);
    own.passTime(9 * 24 * 3600);
    await expect(buyQuote(own, person, late.quote_id)).rejects.toThrow(/expired/);
    await own.stop();
  });

  it("are quoted for a first day that is over by when a lost answer is asked for again", async () => {
    const own = await startTestServer({ work: false });
    const { person, contract } = await contractHolder(own);
    const from = writtenDay(own.services.now());
    const tomorrow = startOfWrittenDay(daysAfter(from, 1)).getTime();
    own.passTime((tomorrow - own.services.now().getTime()) / 1000 - 60);
    const { token } = await again(own, person);
    const asked = { contract_id: contract.id, selectedDevices: servers(1), from };
    const { body: price } = await own.call("user/contracts/price-addition", asked, token);
    const made = { ...asked, quote_id: randomUUID(), total_cost: price.total };
    const send = (over: object = {}) => own.call("user/contracts/add-devices", { ...made, ...over }, token);
    const kept = await send();
    own.passTime(120);
    expect(await send()).toMatchObject({ status: 201, body: kept.body });
    for (const over of [{ selectedDevices: servers(2) }, { from: daysAfter(from, 1) }, { total_cost: "1.00" }]) {
      const other = await send(over);
      expect([other.status, other.body.error]).toEqual([409, expect.stringMatching(/something else in it/)]);
    }
    expect((await send({ quote_id: randomUUID() })).body.fields).toHaveProperty("from");
    await own.stop();
  });

  it("are quoted once for one id, also side by side, and at the total that was shown", async () => {
    const { person, contract } = await contractHolder(server);
    const { made } = await add(person, contract.id, 4);
    const repeated = await Promise.all(
      Array.from({ length: 4 }, () => server.call("user/contracts/add-devices", made, person.token)),
    );
    expect(new Set(repeated.map(({ status, body }) => `${status} ${body.quote_id}`))).toEqual(
      new Set([`201 ${made.quote_id}`]),
    );
    expect(await database().$count(quotes, eq(quotes.contractId, contract.id))).toBe(1);
    const other = { ...made, quote_id: randomUUID(), total_cost: "1.00" };
    expect((await server.call("user/contracts/add-devices", other, person.token)).status).toBe(409);
    const more = { ...made, selectedDevices: servers(5) };
    const { body: price } = await server.call("user/contracts/price-addition", more, person.token);
    const corrected = { ...more, total_cost: price.total };
    const refused = await server.call("user/contracts/add-devices", corrected, person.token);
    expect([refused.status, refused.body.error]).toEqual([409, expect.stringMatching(/something else in it/)]);
    const stranger = await contractHolder(server);
    const theirs = { ...made, contract_id: stranger.contract.id };
    expect((await server.call("user/contracts/add-devices", theirs, stranger.person.token)).status).toBe(409);
  });

  it.each([
    ["before today", () => ({ from: daysAfter(today(), -1) })],
    ["after the contract", () => ({ from: daysAfter(today(), 400) })],
    [
      "of a type that the card does not have",
      () => ({ selectedDevices: [{ service: "Server", deviceType: "Abacus", number: 1 }] }),
    ],
  ])("are refused %s", async (_what, over) => {
    const { person, contract } = await contractHolder(server);
    const asked = { contract_id: contract.id, selectedDevices: servers(1), from: today(), ...over() };
    expect((await server.call("user/contracts/price-addition", asked, person.token)).status).toBe(422);
  });

  it("can't be revised into a year's price, nor bought with another first day", async () => {
    const { person, contract } = await contractHolder(server);
    const { made, price } = await add(person, contract.id, 2);
    const device = { ...servers(2)[0], option: false, yearly: null };
    const revision = {
      quote_id: made.quote_id,
      revision: 1,
      devices: [device],
      discountPercent: null,
      note: "",
      total_cost: "1.00",
    };
    const revised = await server.send("admin/leads/revise-quote", revision, admin.token);
    expect([revised.status, revised.body.error]).toEqual([409, expect.stringContaining(contract.number)]);
    const { estimation } = (await server.call("user/get-estimation", {}, person.token)).body;
    const amount = estimation.find(({ id }) => id === made.quote_id)?.total_cost ?? "";
    const asked = { email: person.email, quote_id: made.quote_id, amount, name: "Asha Rao", phone: "+919876543210" };
    const start = { ...asked, serviceStart: daysAfter(today(), 3) };
    expect((await server.call("user/orders", start, person.token)).body.fields).toHaveProperty("serviceStart");
    expect(price.total).toBe(amount);
  });

  it("can be quoted by the customer's partner, by nobody else's, and by administrators", async () => {
    const partner = await member(server, "partner");
    const bought = await contractHolder(server);
    await server.services.database.execute(
      `update organisations set partner_id = '${partner.organisationId}' where id = '${bought.person.organisationId}'`,
    );
    const asked = { contract_id: bought.contract.id, selectedDevices: servers(1), from: today() };
    const stranger = await member(server, "partner");
    expect((await server.call("partner/contracts/price-addition", asked, stranger.token)).status).toBe(404);
    const { body: price } = await server.call("partner/contracts/price-addition", asked, partner.token);
    const made = { ...asked, quote_id: randomUUID(), total_cost: price.total };
    expect((await server.call("partner/contracts/add-devices", made, partner.token)).status).toBe(201);
    const [quote] = await database().select().from(quotes).where(eq(quotes.id, made.quote_id));
    expect(quote).toMatchObject({ partnerId: partner.organisationId, organisationId: bought.person.organisationId });
    const byUs = { ...made, quote_id: randomUUID() };
    expect((await server.call("admin/contracts/add-devices", byUs, admin.token)).status).toBe(201);
    const listed = await server.call("partner/contracts", {}, partner.token);
    expect(listed.body.contracts.map(({ id }) => id)).toEqual([bought.contract.id]);
    expect((await server.call("partner/contracts", {}, stranger.token)).body.contracts).toEqual([]);
    const read = { id: bought.contract.id };
    expect((await server.call("partner/contracts/contract", read, stranger.token)).status).toBe(404);
    const shown = (await server.call("partner/contracts/contract", read, partner.token)).body;
    expect(shown.number).toBe(bought.contract.number);
    // The partner sees the quote that it made itself, not those that another seller made or the customer asked for.
    const own = { ...made, quote_id: randomUUID() };
    expect((await server.call("user/contracts/add-devices", own, bought.person.token)).status).toBe(201);
    const open = (await server.call("partner/contracts/contract", read, partner.token)).body.quotes;
    expect(open.map(({ id }) => id)).toEqual([made.quote_id]);
    expect((await contractOf(server, bought.person)).quotes).toHaveLength(3);
  });
});

describe("Fewer devices", () => {
  it("are credited by days from what was invoiced, given back, and leave the rows of days that have passed", async () => {
    const { person, contract } = await contractHolder(server);
    const asked = ask(contract, { wished_on: daysAfter(today(), 30) });
    expect((await server.call("user/contracts/ask-less", asked, person.token)).status).toBe(201);
    const from = daysAfter(today(), 30);
    const preview = await server.call(
      "admin/contracts/preview-less",
      { id: asked.id, effective_on: from },
      admin.token,
    );
    const decided = await server.call(
      "admin/contracts/decide-less",
      decision(asked.id, { effective_on: from }),
      admin.token,
    );
    expect(decided.body.message).toContain(" go back. The order shows");
    const after = await contractOf(server, person);
    expect(after.lines.filter(({ device_type }) => device_type === "Prod Server")).toMatchObject([
      { quantity: 10, from: contract.starts_on, to: daysAfter(from, -1) },
      { quantity: 8, from, to: contract.ends_on },
    ]);
    const [change] = await database()
      .select()
      .from(contractChanges)
      .where(and(eq(contractChanges.contractId, contract.id), eq(contractChanges.kind, "remove")));
    const [note] = await database()
      .select()
      .from(creditNotes)
      .where(eq(creditNotes.id, change?.creditNoteId ?? ""));
    const isServers = and(eq(contractLines.contractId, contract.id), eq(contractLines.deviceType, "Prod Server"));
    const [row] = await database().select().from(contractLines).where(isServers);
    const year = contractYear(contract.starts_on).days;
    const exact = Math.floor((2 * 2 * (row?.ratePaise ?? 0) * daysFrom(from, contract.ends_on) + year) / (2 * year));
    expect([change?.creditedPaise, note?.content.taxablePaise]).toEqual([exact, exact]);
    expect(paiseFrom(preview.body.credit)).toBe(note?.amountPaise);
    // The refund is paid out, and makes no second credit note.
    server.passTime(10);
    await settleRefunds(server.services);
    server.passTime(120);
    await settleRefunds(server.services);
    const [refund] = await database()
      .select()
      .from(refunds)
      .where(eq(refunds.creditNoteId, note?.id ?? ""));
    expect(refund).toMatchObject({ state: "done", amountPaise: note?.amountPaise });
    expect(await database().$count(creditNotes, eq(creditNotes.invoiceId, note?.invoiceId ?? ""))).toBe(1);
  });

  it("of a line that has not begun are fewer, and credited, from its first day on, whatever day was chosen", async () => {
    const serviceStart = daysAfter(today(), 10);
    const { person, contract } = await contractHolder(server, undefined, { serviceStart });
    const asked = ask(contract);
    expect((await server.call("user/contracts/ask-less", asked, person.token)).status).toBe(201);
    const on = { id: asked.id, effective_on: today() };
    const preview = await server.call("admin/contracts/preview-less", on, admin.token);
    const days = daysFrom(serviceStart, contract.ends_on);
    expect(preview.body.days).toBe(days);
    expect((await server.call("admin/contracts/decide-less", decision(asked.id), admin.token)).status).toBe(200);
    const [change] = await database()
      .select()
      .from(contractChanges)
      .where(and(eq(contractChanges.contractId, contract.id), eq(contractChanges.kind, "remove")));
    expect(change?.effectiveOn).toBe(serviceStart);
    const [note] = await database()
      .select()
      .from(creditNotes)
      .where(eq(creditNotes.id, change?.creditNoteId ?? ""));
    expect(JSON.stringify(note?.content)).toContain(
      `less from ${paperDay(serviceStart)} on, ${days} days to the end of the contract.`,
    );
  });

  it.each([
    ["all", 0],
    ["all but ₹18", 18_00],
  ])(
    "leave the contract whose invoice was credited with %s before, by what is left of it",
    async (_what, leftPaise) => {
      const { person, contract } = await contractHolder(server);
      const [bought] = await database()
        .select({ orderId: contracts.orderId, invoice: invoices, attemptId: attempts.id })
        .from(contracts)
        .innerJoin(invoices, eq(invoices.orderId, contracts.orderId))
        .innerJoin(attempts, eq(attempts.orderId, contracts.orderId))
        .where(eq(contracts.id, contract.id));
      if (!bought) throw new Error("It has no invoice");
      const wholePaise = bought.invoice.content.totalPaise;
      const goodwill = { payment: bought.attemptId, amount: rupees(wholePaise - leftPaise), reason: "Goodwill" };
      expect((await server.call("admin/refunds/ask", { id: randomUUID(), ...goodwill }, admin.token)).status).toBe(200);
      server.passTime(10);
      await settleRefunds(server.services);
      server.passTime(120);
      await settleRefunds(server.services);
      const notes = () => database().select().from(creditNotes).where(eq(creditNotes.invoiceId, bought.invoice.id));
      expect((await notes()).map(({ amountPaise }) => amountPaise)).toEqual([wholePaise - leftPaise]);

      const asked = ask(contract);
      expect((await server.call("user/contracts/ask-less", asked, person.token)).status).toBe(201);
      const on = { id: asked.id, effective_on: today() };
      const preview = await server.call("admin/contracts/preview-less", on, admin.token);
      expect(preview.body).toMatchObject({ credit: rupees(leftPaise), refundable: rupees(leftPaise) });
      const decided = await server.call("admin/contracts/decide-less", decision(asked.id), admin.token);
      const said =
        leftPaise === 0
          ? /^Agreed\. Nothing was left to be credited for it\.$/
          : /^Agreed\. Credit note CN\S+ over ₹18\.00 is issued\. ₹18\.00 go back/;
      expect([decided.status, decided.body.message]).toEqual([200, expect.stringMatching(said)]);
      expect((await contractOf(server, person)).devices).toBe(contract.devices - 2);
      const [change] = await database()
        .select()
        .from(contractChanges)
        .where(and(eq(contractChanges.contractId, contract.id), eq(contractChanges.kind, "remove")));
      const note = (await notes()).find(({ id }) => id === change?.creditNoteId);
      expect([note?.amountPaise ?? 0, change?.creditedPaise]).toEqual([leftPaise, note?.content.taxablePaise ?? 0]);
      expect(await database().$count(refunds, eq(refunds.id, change?.refundId ?? randomUUID()))).toBe(
        leftPaise ? 1 : 0,
      );
    },
  );

  it("are asked for and agreed to once, however many do so at the same time", async () => {
    const { person, contract } = await contractHolder(server);
    const asked = ask(contract);
    const answers = await Promise.all([
      ...Array.from({ length: 3 }, () => server.call("user/contracts/ask-less", asked, person.token)),
      ...Array.from({ length: 3 }, () =>
        server.call("user/contracts/ask-less", { ...asked, id: randomUUID() }, person.token),
      ),
    ]);
    const open = (await contractOf(server, person)).requests;
    expect(open).toHaveLength(1);
    const corrected = { ...asked, id: open[0]?.id ?? "" };
    expect((await server.call("user/contracts/ask-less", corrected, person.token)).status).toBe(201);
    corrected.reason = "Another one";
    expect((await server.call("user/contracts/ask-less", corrected, person.token)).status).toBe(409);
    expect(answers.filter(({ status }) => status === 409).length).toBeGreaterThanOrEqual(2);
    const id = open[0]?.id ?? "";
    const decided = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        server.call("admin/contracts/decide-less", decision(id), (index % 2 ? admin : second).token),
      ),
    );
    expect(decided.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      200, 409, 409, 409, 409, 409,
    ]);
    const [order] = await database().select().from(contracts).where(eq(contracts.id, contract.id));
    const [invoice] = await database()
      .select()
      .from(invoices)
      .where(eq(invoices.orderId, order?.orderId ?? ""));
    expect(await database().$count(creditNotes, eq(creditNotes.invoiceId, invoice?.id ?? ""))).toBe(1);
    expect(await database().$count(refunds, eq(refunds.orderId, order?.orderId ?? ""))).toBe(1);
  });

  it("are refused before today, for more than there are, of a stranger's contract; and refused ones change nothing", async () => {
    const { person, contract } = await contractHolder(server);
    const tooMany = await server.call("user/contracts/ask-less", ask(contract, { quantity: 11 }), person.token);
    expect([tooMany.status, tooMany.body.error]).toEqual([409, "At most 10 can be taken away"]);
    const early = ask(contract, { wished_on: daysAfter(today(), -1) });
    expect((await server.call("user/contracts/ask-less", early, person.token)).status).toBe(422);
    const stranger = await contractHolder(server);
    const foreign = ask(contract);
    expect((await server.call("user/contracts/ask-less", foreign, stranger.person.token)).status).toBe(404);
    await server.call("user/contracts/ask-less", foreign, person.token);
    expect((await server.call("user/contracts/withdraw-less", { id: foreign.id }, stranger.person.token)).status).toBe(
      404,
    );
    const yesterday = decision(foreign.id, { effective_on: daysAfter(today(), -1) });
    expect((await server.call("admin/contracts/decide-less", yesterday, admin.token)).status).toBe(422);
    const no = decision(foreign.id, { agreed: false, effective_on: null, answer: "They still send logs" });
    expect((await server.call("admin/contracts/decide-less", no, admin.token)).status).toBe(200);
    const after = await contractOf(server, person);
    expect([after.devices, after.requests[0]?.state, after.requests[0]?.answer]).toEqual([
      12,
      "refused",
      "They still send logs",
    ]);
    expect((await server.call("user/contracts/withdraw-less", { id: foreign.id }, person.token)).status).toBe(409);
  });

  it("are taken away by administrators where no customer asks for it, who can't take that back", async () => {
    const { person, contract } = await contractHolder(server);
    const asked = ask(contract, { reason: "Not paid, and its invoice was cancelled" });
    const both = await Promise.all([
      server.call("admin/contracts/ask-less", asked, admin.token),
      server.call("admin/contracts/ask-less", { ...asked, id: randomUUID() }, second.token),
    ]);
    expect(both.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([201, 409]);
    const [request] = (await contractOf(server, person)).requests;
    expect(request).toMatchObject({ state: "asked", asked_by_us: true, reason: asked.reason });
    expect(await decisionsIn(contract.id)).toEqual([1]);
    const own = await server.call("user/contracts/ask-less", ask(contract), person.token);
    expect([own.status, own.body.error]).toEqual([409, expect.stringContaining("asked for already")]);
    const withdrawn = await server.call("user/contracts/withdraw-less", { id: request?.id ?? "" }, person.token);
    expect([withdrawn.status, withdrawn.body.error]).toEqual([409, expect.stringContaining("We asked for this")]);
    const agreed = await server.call("admin/contracts/decide-less", decision(request?.id ?? ""), admin.token);
    expect([agreed.status, agreed.body.message]).toEqual([200, expect.stringContaining(" go back. The order shows")]);
    const after = await contractOf(server, person);
    expect([after.devices, after.requests[0]?.state]).toEqual([contract.devices - 2, "agreed"]);
    const subject = eq(auditEntries.subject, `contract:${contract.id}`);
    expect(await database().$count(auditEntries, and(subject, eq(auditEntries.action, "ask for less")))).toBe(1);
    // Everybody is told but the person who asked.
    const told = await database()
      .select()
      .from(notices)
      .where(eq(notices.eventKey, `less asked:${request?.id}`));
    expect(told.map(({ title }) => title)).toContain(`Devices of ${contract.organization_name} are to be taken away`);
    const asker = both[0].status === 201 ? admin : second;
    expect(told.map(({ personId }) => personId)).not.toContain(asker.id);
  });

  it("above the limit wait for another main administrator; refused by them, the money can be sent once more", async () => {
    const own = await startTestServer({ work: false, env: { refundApprovalPaise: 0 } });
    const { person, contract } = await contractHolder(own);
    const one = await member(own, "admin");
    const asked = ask(contract);
    await own.call("user/contracts/ask-less", asked, person.token);
    const decided = await own.call("admin/contracts/decide-less", decision(asked.id), one.token);
    expect(decided.body.message).toContain("another main administrator, and there is none");
    const two = await member(own, "admin");
    const [change] = (await contractOf(own, person)).changes;
    const refundOf = async () => {
      const rows = await own.services.database.select().from(refunds).orderBy(asc(refunds.askedAt));
      return rows.at(-1);
    };
    const sendAgain = () => own.call("admin/contracts/refund-again", { change_id: change?.id ?? "" }, one.token);
    expect((await sendAgain()).status).toBe(409);
    await own.call("admin/refunds/decline", { id: (await refundOf())?.id ?? "", reason: "Not now" }, two.token);
    const both = await Promise.all([sendAgain(), sendAgain()]);
    expect(both.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
    expect(await refundOf()).toMatchObject({ state: "asked", creditNoteId: expect.any(String) });
    expect(await own.services.database.$count(creditNotes)).toBe(1);
    await own.stop();
  });

  it.each([
    ["the order's History", ["failed", "done"]],
    ["Receivables", ["failed"]],
  ])("whose money failed to go back is not paid out again once it went back by %s", async (way, ended) => {
    const { person, contract } = await contractHolder(server);
    const asked = ask(contract);
    await server.call("user/contracts/ask-less", asked, person.token);
    await server.call("admin/contracts/decide-less", decision(asked.id), admin.token);
    const changeOf = async () => (await contractOf(server, person)).changes.find(({ kind }) => kind === "remove");
    const refundsOf = async () =>
      database()
        .select()
        .from(refunds)
        .where(eq(refunds.orderId, await orderIdOf(contract.id)))
        .orderBy(asc(refunds.askedAt));
    const failed = (await refundsOf()).at(0);
    // As if the gateway had lacked the money that day.
    await database()
      .update(refunds)
      .set({ state: "failed" })
      .where(eq(refunds.id, failed?.id ?? ""));
    expect(await changeOf()).toMatchObject({ refund: "failed", may_refund_again: true });
    const { orderId = "", attemptId, amountPaise = 0 } = failed ?? {};
    const amount = rupees(amountPaise);
    const id = randomUUID();
    const given = { id, amount, reason: "It failed" };
    const { status } = await (way === "Receivables"
      ? server.call("admin/receivables/settle", { ...given, order_id: orderId, kind: "given back" }, admin.token)
      : server.call("admin/refunds/ask", { ...given, payment: attemptId ?? "" }, admin.token));
    expect(status).toBe(200);
    const sendAgain = async () => {
      const { id: change_id = "" } = (await changeOf()) ?? {};
      return (await server.call("admin/contracts/refund-again", { change_id }, admin.token)).body.error;
    };
    expect(await sendAgain()).toMatch(/it went back in another way/);
    server.passTime(10);
    await settleRefunds(server.services);
    server.passTime(120);
    await settleRefunds(server.services);
    expect((await refundsOf()).map(({ state }) => state)).toEqual(ended);
    expect(await sendAgain()).toMatch(/it went back in another way/);
    expect(await changeOf()).toMatchObject({ refund: "failed", may_refund_again: false });
    const [order] = await database().select().from(orders).where(eq(orders.id, orderId));
    expect(order?.owedPaise).toBe(0);
  });

  it.each([
    ["unpaid", "closed", 0],
    ["paid", "success", -1],
    ["given back", "refunded", 0],
  ])(
    "leave the contract of a cancelled invoice that is %s, and nothing is credited or given back",
    async (state, shown, owed) => {
      const own = await startTestServer({ work: false, env: { refundApprovalPaise: 5_000_000_00 } });
      const { database: books } = own.services;
      const { token } = await member(own, "admin");
      const eInvoicing = { from: "2020-04-01", place: "Bengaluru", pinCode: "560025" };
      await sellerIs(own, { bank: bankOfTests, creditDays: 30, eInvoices: eInvoicing });
      const { person, quote, choose } = await transferBuyer(own);
      await books.update(quotes).set({ decision: "accepted" }).where(eq(quotes.id, quote.id));
      const { body: bought } = await choose({ way: "invoice" });
      const day = writtenDay(own.services.now());
      const came = { utr: newUtr(), received_on: day, payer: "Periyar", amount: bought.pay, pays: bought.document };
      if (state !== "unpaid") await own.call("admin/transfers/record", came, token);
      await settleEInvoices(own.services);
      const eInvoice = async () => (await books.select().from(eInvoices))[0];
      const cancel = { id: (await eInvoice())?.id ?? "", reason: "3" as const, remark: "Called off" };
      expect((await own.call("admin/e-invoices/cancel", cancel, token)).status).toBe(200);
      await settleEInvoices(own.services);
      expect((await eInvoice())?.state).toBe("cancelled");
      const back = { id: randomUUID(), payment: bought.order_id, amount: bought.pay, reason: "Called off" };
      const paidOut = { id: back.id, bank_reference: newUtr(), paid_on: day };
      if (state === "given back") {
        await own.call("admin/refunds/ask", back, token);
        await own.call("admin/refunds/paid-out", paidOut, token);
      }
      const problem = (await eInvoice())?.problem;
      const [before] = await books.select().from(orders).where(eq(orders.id, bought.order_id));
      expect([before?.state, Math.sign(before?.owedPaise ?? 1)]).toEqual([shown, owed]);

      const contract = await contractOf(own, person);
      const asked = ask(contract);
      expect((await own.call("user/contracts/ask-less", asked, person.token)).status).toBe(201);
      const on = { id: asked.id, effective_on: day };
      const preview = await own.call("admin/contracts/preview-less", on, token);
      expect(preview.body).toMatchObject({ credit: "0.00", lowers: "0.00", refundable: "0.00" });
      const decided = await own.call("admin/contracts/decide-less", decision(asked.id), token);
      expect([decided.status, decided.body.message]).toEqual([
        200,
        "Agreed. Its invoice was cancelled: there is nothing to credit.",
      ]);
      expect((await contractOf(own, person)).devices).toBe(contract.devices - 2);
      const isRemoved = eq(contractChanges.kind, "remove");
      const [told] = await books
        .select()
        .from(notices)
        .where(eq(notices.eventKey, `less agreed:${asked.id}`));
      expect(told?.text).not.toContain("credit note");
      expect(await books.select().from(contractChanges).where(isRemoved)).toMatchObject([
        { creditedPaise: 0, creditNoteId: null, refundId: null },
      ]);
      expect(await books.$count(creditNotes)).toBe(0);
      expect(await books.$count(refunds)).toBe(state === "given back" ? 1 : 0);
      const [after] = await books.select().from(orders).where(eq(orders.id, bought.order_id));
      expect([after?.owedPaise, after?.state]).toEqual([before?.owedPaise, before?.state]);
      expect(await books.$count(auditEntries, eq(auditEntries.action, "agree to less"))).toBe(1);
      // Its money is still to be returned, or its replacement to be recorded: fewer devices settle neither.
      expect((await eInvoice())?.problem).toBe(problem);
      await own.stop();
    },
  );
});

describe("The database", () => {
  it("refuses rows of a series that overlap, that are changed, or that lie outside their contract", async () => {
    const { contract } = await contractHolder(server);
    const [row] = await database().select().from(contractLines).where(eq(contractLines.contractId, contract.id));
    if (!row) throw new Error("No row");
    const { id: _id, ...same } = row;
    const because = async (act: PromiseLike<unknown>) => {
      const error: unknown = await Promise.resolve(act).then(
        () => null,
        (caught: unknown) => caught,
      );
      return error instanceof Error ? ((error.cause as Error | undefined)?.message ?? error.message) : "nothing";
    };
    const where = eq(contractLines.id, row.id);
    expect(await because(database().insert(contractLines).values(same))).toContain("contract_lines_never_overlap");
    expect(await because(database().update(contractLines).set({ quantity: 1 }).where(where))).toContain(
      "never changed",
    );
    expect(
      await because(
        database()
          .update(contractLines)
          .set({ endsOn: daysAfter(row.startsOn, -30) })
          .where(where),
      ),
    ).toContain("never changed");
    expect(await because(database().delete(contractLines).where(where))).toContain("never changed");
    const outside = { ...same, series: row.series + 1_000_000, endsOn: daysAfter(contract.ends_on, 1) };
    expect(await because(database().insert(contractLines).values(outside))).toContain("within its contract");
    expect(
      await because(database().update(contracts).set({ endsOn: row.startsOn }).where(eq(contracts.id, contract.id))),
    ).toContain("not changed");
  });
});

it("A second payment for an order, or one that fails, makes no contract", async () => {
  const bought = await buyer(server);
  await bought.start();
  expect(await attemptsOf(server, bought.quote.id)).toHaveLength(1);
  expect(await database().$count(contracts, eq(contracts.organisationId, bought.person.organisationId))).toBe(0);
});

it("What was paid before contracts were kept gets the same contracts by the migration", async () => {
  const own = await startTestServer({ work: false });
  const devices = [...servers(120), { service: "Network", deviceType: "Router", number: 7 }];
  const start = { serviceStart: daysAfter(writtenDay(own.services.now()), 5) };
  const [one, two] = [await contractHolder(own, devices, start), await contractHolder(own)];
  const read = async () => {
    const { rows } = await own.services.database.$client.query(
      `select contracts.order_id, contracts.organisation_id, contracts.organisation_name, contracts.starts_on::text,
         contracts.ends_on::text, kind, effective_on::text, key, service, device_type, unit, contract_lines.quantity, rate_paise,
         discount_basis_points, contract_lines.starts_on::text as first, contract_lines.ends_on::text as last, invoiced_paise
       from contracts join contract_changes on contract_changes.contract_id = contracts.id
         join contract_lines on contract_lines.change_id = contract_changes.id
       order by contracts.order_id, contract_lines.series`,
    );
    return rows;
  };
  const before = await read();
  expect(before).toHaveLength(one.contract.lines.length + two.contract.lines.length);
  const [file = ""] = globSync("server/database/migrations/*_contracts_that_change.sql");
  const statements = readFileSync(file, "utf8").split("--> statement-breakpoint");
  const backfill = statements.slice(
    statements.findIndex((text) => text.includes("The contracts of what was paid before")),
  );
  expect(backfill).toHaveLength(3);
  // The trigger keeps contract lines from being deleted in any other way.
  await own.services.database.$client.query(`alter table contract_lines disable trigger contract_lines_guarded;
    delete from contract_lines; delete from contract_changes; delete from contracts;
    alter table contract_lines enable trigger contract_lines_guarded`);
  expect(await read()).toEqual([]);
  for (const statement of backfill) await own.services.database.$client.query(statement);
  expect(await read()).toEqual(before);
  await own.stop();
});
