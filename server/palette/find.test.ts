import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OperationName } from "../../contract/operations.ts";
import { contractNumber, incidentNumber, leadNumber, orderNumber, quoteNumber } from "../../contract/numbers.ts";
import type { Found } from "../../contract/palette.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { insertOrder, insertQuote } from "../../tests/paid-order.ts";
import { member, type Member } from "../../tests/people.ts";
import { contracts, incidents, invoices, leads, proformas, quotes } from "../database/schema/index.ts";
import { isOnlyNumber, readNumber } from "./numbers.ts";

let server: TestServer;
let admin: Member;
let adminChild: Member;
let partner: Member;
let partnerChild: Member;
let otherPartner: Member;
let customer: Member;
let child: Member;
let stranger: Member;
let debtor: Member;
let order: Awaited<ReturnType<typeof insertOrder>>;
let made: Awaited<ReturnType<typeof insertQuote>>;
let visitors: Awaited<ReturnType<typeof insertQuote>>;
let invoice: string;
let contract: typeof contracts.$inferSelect;
let unpaid: Awaited<ReturnType<typeof insertOrder>>;
beforeAll(async () => {
  server = await startTestServer({ work: false });
  admin = await member(server, "admin", { organizationName: "Provider" });
  adminChild = await member(server, "adminChild", { organisationId: admin.organisationId });
  partner = await member(server, "partner", { organizationName: "Malabar Networks" });
  partnerChild = await member(server, "partnerChild", { organisationId: partner.organisationId });
  otherPartner = await member(server, "partner", { organizationName: "Konkan Systems" });
  customer = await member(server, "user", {
    organizationName: "Kaveri Textiles",
    partnerId: partner.organisationId,
    firstName: "Chitra",
    lastName: "Sen",
    email: "chitra.sen@kaveri.example",
  });
  child = await member(server, "userChild", { organisationId: customer.organisationId });
  stranger = await member(server, "user", { organizationName: "Deccan Foods" });
  order = await insertOrder(server, customer);
  const byPartner = { organizationName: "Kaveri Textiles", partnerId: partner.organisationId, madeBy: partner.id };
  made = await insertQuote(server, customer, byPartner);
  visitors = await insertQuote(server, null, { organizationName: "Kaveri Mills" });
  const [row] = await server.services.database.select().from(invoices).where(eq(invoices.orderId, order.id));
  invoice = row?.number ?? "";
  debtor = await member(server, "user", { organizationName: "Godavari Rice" });
  unpaid = await insertOrder(server, debtor, { state: "awaiting_transfer", paymentId: null, paidAt: null });
  const { database } = server.services;
  const dated = { financialYear: "26-27", serial: 1, number: "PF/26-27/0001", reference: "PF2627000001" };
  await database.insert(proformas).values({
    ...dated,
    orderId: unpaid.id,
    payPaise: 100,
    content: {} as never,
    dueOn: "2026-12-22",
    issuedAt: new Date(),
  });
  const [begun] = await database
    .insert(contracts)
    .values({
      organisationId: debtor.organisationId,
      orderId: unpaid.id,
      startsOn: "2026-11-22",
      endsOn: "2027-11-21",
      organisationName: "Godavari Rice",
    })
    .returning();
  if (!begun) throw new Error("No contract was made");
  contract = begun;
});
afterAll(() => server.stop());

type Find = Extract<OperationName, `${string}/find`>;
async function find(name: Find, { token }: Member, words: string): Promise<Found[]> {
  const { status, body } = await server.call(name, { words }, token);
  expect([status, body.error]).toEqual([200, undefined]);
  return body.found;
}
const told = (found: Found[]) => found.map(({ kind, title }) => `${kind}: ${title}`);
const opening = (email: string) => encodeURIComponent(email);

describe("An administrator, and their child account,", () => {
  it.each([() => admin, () => adminChild])("find everybody's by name, organisation and e-mail prefix", async (who) => {
    for (const words of ["kaveri", "Chitra", "chitra.sen@kav"]) {
      const found = await find("admin/find", who(), words);
      expect(found[0]).toMatchObject({
        kind: "customer",
        title: "Kaveri Textiles",
        detail: "Chitra Sen, chitra.sen@kaveri.example",
        path: `/admin/customerList?open=${opening("chitra.sen@kaveri.example")}`,
      });
    }
    const found = await find("admin/find", who(), "malabar");
    // A customer is also found by its partner's name.
    expect(told(found)).toEqual(["customer: Kaveri Textiles", "partner: Malabar Networks"]);
    expect(found[1]?.path).toBe(`/admin/partnerList?open=${opening(partner.email)}`);
  });

  it("find a quote by its number in every spelling, first, and open its lead", async () => {
    const number = quoteNumber(visitors.serial);
    const [lead] = await server.services.database.select().from(leads).where(eq(leads.quoteId, visitors.id));
    for (const words of [number, number.toLowerCase(), `Q${visitors.serial}`, `q-${visitors.serial}`, ` ${number} `]) {
      const [first] = await find("admin/find", admin, words);
      expect(first).toMatchObject({ kind: "number", title: `Quote ${number}` });
      expect(first?.path).toBe(`/admin/estimateOrder?lead=${lead?.id}`);
    }
  });

  it("find by bare digits whatever has that number", async () => {
    const { database } = server.services;
    await database.update(quotes).set({ organizationName: "Narmada Dyes" }).where(eq(quotes.id, made.id));
    const [lead] = await database.select().from(leads).where(eq(leads.serial, order.serial));
    const titles = told(await find("admin/find", admin, String(order.serial)));
    expect(titles).toEqual(expect.arrayContaining([`number: Order ${orderNumber(order.serial)}`]));
    expect(titles).toEqual(expect.arrayContaining([`number: Lead ${leadNumber(lead?.serial ?? 0)}`]));
    await database.update(quotes).set({ organizationName: "Kaveri Textiles" }).where(eq(quotes.id, made.id));
  });

  it("find an order by the number of its invoice, whole or its last digits", async () => {
    for (const words of [invoice, invoice.toLowerCase(), invoice.slice(-6), String(Number(invoice.slice(-6)))]) {
      const found = await find("admin/find", admin, words);
      expect(found.find(({ detail }) => detail.endsWith(`invoice ${invoice}`))).toMatchObject({
        kind: "number",
        path: `/admin/orderData?search=${orderNumber(order.serial)}`,
      });
    }
  });

  it("find a contract by its number and its customer, and open the list with it", async () => {
    const number = contractNumber(contract.serial);
    for (const words of [number, `c${contract.serial}`, "godavari"]) {
      const found = await find("admin/find", admin, words);
      expect(found.find(({ title }) => title === `Contract ${number}`)).toMatchObject({
        path: `/admin/contracts?search=${number}`,
        detail: expect.stringContaining("Godavari Rice, "),
      });
    }
    expect(await find("user/find", debtor, number)).toMatchObject([{ path: `/user/contract?contract=${number}` }]);
    expect(await find("user/find", customer, number)).toEqual([]);
    expect(await find("partner/find", partner, number)).toEqual([]);
  });

  it("find what is to be paid by the number of its proforma, its reference, or its order's", async () => {
    for (const words of ["PF/26-27/0001", "pf/26-27/0001", "PF2627000001", orderNumber(unpaid.serial)])
      expect(await find("admin/find", admin, words)).toMatchObject([
        { kind: "number", path: `/admin/receivables?search=${orderNumber(unpaid.serial)}` },
      ]);
    expect(await find("user/find", customer, "PF2627000001")).toEqual([]);
    expect(await find("admin/find", admin, "PF2627000002")).toEqual([]);
  });

  it("find each thing once", async () => {
    const found = await find("admin/find", admin, orderNumber(order.serial));
    expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
  });
});

describe("A partner, and its child account,", () => {
  it.each([() => partner, () => partnerChild])(
    "find its customers, what it made for them and their orders",
    async (who) => {
      const found = await find("partner/find", who(), "kaveri");
      expect(told(found)).toEqual([
        "customer: Kaveri Textiles",
        `quote: Quote ${quoteNumber(made.serial)}`,
        `order: Order ${orderNumber(order.serial)}`,
        `contract: Contract ${contractNumber(order.serial)}`,
      ]);
      const path = `/partner/listuser?open=${opening(customer.email)}`;
      const contracts = `/partner/contracts?search=${contractNumber(order.serial)}`;
      expect(found.map((each) => each.path)).toEqual([path, path, path, contracts]);
    },
  );

  it("find nothing of another partner's, nor the quotes that its customer asked for alone", async () => {
    const own = quoteNumber(visitors.serial);
    for (const words of [
      "kaveri",
      "chitra",
      invoice,
      quoteNumber(made.serial),
      orderNumber(order.serial),
      "1",
      "2",
      "3",
    ])
      expect([words, await find("partner/find", otherPartner, words)]).toEqual([words, []]);
    expect(await find("partner/find", partner, own)).toEqual([]);
  });
});

describe("A customer's people", () => {
  it.each([() => customer, () => child])("find their own quotes, orders and invoices", async (who) => {
    const number = orderNumber(order.serial);
    for (const words of [number, invoice]) {
      const [first] = await find("user/find", who(), words);
      expect(first).toMatchObject({ kind: "number", path: `/user/orderhistory?search=${number}` });
    }
    const [quoted] = await find("user/find", who(), quoteNumber(made.serial));
    expect(quoted?.path).toBe(`/user/myquote?search=${quoteNumber(made.serial)}`);
  });

  it("find nothing of another customer's", async () => {
    for (const words of [
      "kaveri",
      "chitra",
      invoice,
      quoteNumber(made.serial),
      orderNumber(order.serial),
      "1",
      "2",
      "3",
    ])
      expect([words, await find("user/find", stranger, words)]).toEqual([words, []]);
  });
});

it("An incident is found by its number and its words, by whoever may read it, and opens there", async () => {
  const shielded = await member(server, "user", {
    organizationName: "Periyar Looms",
    partnerId: partner.organisationId,
  });
  const theirChild = await member(server, "userChild", { organisationId: shielded.organisationId });
  const [incident] = await server.services.database
    .insert(incidents)
    .values({
      organisationId: shielded.organisationId,
      title: "Ransom note on a file server",
      source: "analyst",
      severity: "P1",
      openedAt: new Date(),
      changedAt: new Date(),
    })
    .returning();
  const { id = "", serial = 0 } = incident ?? {};
  const number = incidentNumber(serial);
  const readers = [
    ["admin/find", admin, "admin"],
    ["admin/find", adminChild, "admin"],
    ["partner/find", partner, "partner"],
    ["partner/find", partnerChild, "partner"],
    ["user/find", shielded, "user"],
    ["user/find", theirChild, "user"],
  ] as const;
  for (const [name, who, area] of readers) {
    const shown = {
      title: `Incident ${number}`,
      detail: "Ransom note on a file server, Periyar Looms",
      path: `/${area}/incidents/${id}`,
    };
    for (const words of [number, number.toLowerCase(), `I ${serial}`])
      expect([words, await find(name, who, words)]).toMatchObject([words, [{ kind: "number", ...shown }]]);
    for (const words of [`i${serial}`, String(serial)])
      expect(await find(name, who, words)).toContainEqual({ id, kind: "number", ...shown });
    expect(await find(name, who, "ransom note")).toEqual([{ id, kind: "incident", ...shown }]);
    expect(await find(name, who, `Q-${serial + 1000}`)).toEqual([]);
  }
  for (const words of [number, String(serial), "ransom note"]) {
    const seen = [
      ...(await find("user/find", customer, words)),
      ...(await find("user/find", stranger, words)),
      ...(await find("partner/find", otherPartner, words)),
    ];
    expect([words, seen.filter((each) => each.id === id)]).toEqual([words, []]);
  }
});

it("What is no word at all is found nowhere, and does no harm", async () => {
  for (const words of ["", "   ", "%", "_", "\\", "'", "-", "9".repeat(60), "q-", "SOC/", "𝒜", "k"]) {
    const { status } = await server.call("admin/find", { words }, admin.token);
    expect([words, status]).toEqual([words, 200]);
  }
  expect(await find("admin/find", admin, "%")).toEqual([]);
  expect((await server.send("admin/find", { words: "a".repeat(2000) }, admin.token)).status).toBe(422);
});

it("Numbers are read as people type them", () => {
  expect(["Q-000026", "o 11", "L7", "i-000005", "26", "26a", "SOC/26", "", "0", "9876543210"].map(readNumber)).toEqual([
    { letter: "q", serial: 26 },
    { letter: "o", serial: 11 },
    { letter: "l", serial: 7 },
    { letter: "i", serial: 5 },
    { letter: null, serial: 26 },
    null,
    null,
    null,
    { letter: null, serial: 0 },
    null,
  ]);
});

it("A phone number is looked for as it was typed", async () => {
  const phone = "9123450987";
  await insertQuote(server, null, { organizationName: "Pamba Spices", phoneNumber: `+91${phone}` });
  expect((await find("admin/find", admin, phone)).map(({ detail }) => detail).join()).toContain("Pamba Spices");
  for (const [operation, reader] of [["user/find", customer] as const, ["partner/find", partner] as const])
    expect((await server.call(operation, { words: phone }, reader.token)).status).toBe(200);
});

it("What can be nothing but a number is looked for among the numbers alone; what may be a name everywhere", async () => {
  const typed = [
    "Q-000026",
    "o-77",
    "L 7",
    "soc/26-27/000005",
    "O2",
    "q26",
    "26",
    "Q-Tech",
    "Q-7 Labs",
    "AC/DC",
    "I-5",
    "i7",
    "-",
  ];
  expect(typed.filter(isOnlyNumber)).toEqual(["Q-000026", "o-77", "L 7", "soc/26-27/000005", "I-5"]);
  const named = await member(server, "user", { organizationName: "O-987654 and O987654 Traders" });
  expect(await find("admin/find", admin, "O-987654")).toEqual([]);
  expect(told(await find("admin/find", admin, "O987654"))).toEqual(["customer: O-987654 and O987654 Traders"]);
  expect(await find("user/find", named, "Q-1")).toEqual([]);
});
