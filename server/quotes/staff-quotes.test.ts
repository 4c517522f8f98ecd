import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import { quoteNumber } from "../../contract/numbers.ts";
import { formatRupees, rupees } from "../../contract/money.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { insertQuote } from "../../tests/paid-order.ts";
import { member, type Member } from "../../tests/people.ts";
import { readPdf } from "../../tests/read-pdf.ts";
import { auditEntries, leads, people, quoteRevisions, quotes, rateLimits } from "../database/schema/index.ts";
import { deliverProposal } from "./deliver-proposal.ts";

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

const database = () => server.services.database;
const device = (service: string, deviceType: string, number: number, more: object = {}) => ({
  service,
  deviceType,
  number,
  option: false,
  yearly: null,
  ...more,
});
const servers = device("Server", "Prod Server", 10);
const firewallsAsOption = device("Network & Security Solutions", "Firewall", 2, { option: true });
const scada = device("Customization", "SCADA gateway", 1, { yearly: "5000.00" });
const terms = { devices: [servers, firewallsAsOption, scada], discountPercent: 12.5 };

async function priceOf(asked: object, quoteId: string | null = null) {
  const { status, body } = await server.send("admin/leads/price-quote", { quote_id: quoteId, ...asked }, admin.token);
  expect([status, body.fields]).toEqual([200, undefined]);
  return body as unknown as { total: string; subtotal: string; discount: string; options: object[]; lines: object[] };
}

async function newQuote(over: object = {}) {
  return {
    quote_id: randomUUID(),
    lead_id: null,
    userName: "Asha Rao",
    userEmail: `asha-${randomUUID().slice(0, 13)}@example.in`,
    organizationName: "Kaveri Textiles",
    phoneNumber: "+919876543210",
    numberOfUsers: 120,
    note: "As we said on the phone.",
    ...terms,
    total_cost: (await priceOf(terms)).total,
    ...over,
  };
}
const make = (asked: object, by = admin) => server.send("admin/leads/make-quote", asked, by.token);
const revise = (asked: object, by = admin) => server.send("admin/leads/revise-quote", asked, by.token);
const rowOf = async (id: string) => {
  const [row] = await database().select().from(quotes).where(eq(quotes.id, id));
  if (!row) throw new Error("There is no quote");
  return row;
};
const leadOf = async (quoteId: string) => {
  const [lead] = await database().select().from(leads).where(eq(leads.quoteId, quoteId));
  return lead;
};
const fileAt = async (fileName: string, { token }: Member, name = "admin/getSignedUrlByAdmin") => {
  const { status, body } = await server.send(name, { fileName }, token);
  return status === 200 ? fetch(String(body["signedUrl"])) : null;
};

describe("A quote that an administrator makes for somebody", () => {
  it("is at once the customer's who has the e-mail, with its tax and its bell, and nobody's who has not shown to", async () => {
    const customer = await member(server, "user");
    const made = async (userEmail: string) => {
      const asked = await newQuote({ userEmail });
      expect((await make(asked)).status).toBe(201);
      return rowOf(asked.quote_id);
    };
    const quote = await made(customer.email);
    expect(quote.organisationId).toBe(customer.organisationId);
    const { estimation } = (await server.call("user/get-estimation", {}, customer.token)).body;
    expect(estimation).toMatchObject([{ id: quote.id }]);
    expect((await server.call("notices", {}, customer.token)).body.notices).toMatchObject([
      { title: `A quote was made for you: ${quoteNumber(quote.serial)}` },
    ]);
    const unproved = await member(server, "user");
    await database().update(people).set({ emailVerifiedAt: null }).where(eq(people.id, unproved.id));
    expect((await made(unproved.email)).organisationId).toBeNull();
  });

  it("has a discount, options and a note, is mailed, and is a lead whose proposal is sent", async () => {
    const asked = await newQuote();
    const { status, body } = await make(asked);
    expect(status).toBe(201);
    const quote = await rowOf(asked.quote_id);
    expect(quote).toMatchObject({
      discountBasisPoints: 1250,
      ownDiscount: true,
      madeBy: admin.id,
      ratesToConfirm: false,
    });
    expect(quote.lines.map(({ deviceType }) => deviceType)).toEqual(["Prod Server", "SCADA gateway"]);
    expect(quote.options.map(({ deviceType }) => deviceType)).toEqual(["Firewall"]);
    expect(rupees(quote.totalPaise)).toBe(asked.total_cost);
    expect(await leadOf(asked.quote_id)).toMatchObject({
      id: body["lead_id"],
      source: "staff",
      state: "proposal_sent",
      totalPaise: quote.totalPaise,
    });
    const mail = await server.mailbox.take(asked.userEmail, /proposal Q-\d{6}$/);
    expect(mail.text).toContain("Our team has put together a proposal for you.");
    const { text } = await readPdf(new Uint8Array(mail.attachments[0]?.content as ArrayBuffer));
    expect(text).toContain("Discount 12.5%");
    expect(text).not.toContain("Volume discount");
    for (const said of ["Options, not in the total", "Firewall", "As we said on the phone."])
      expect(text).toContain(said);
  });

  it("comes once, however often it is sent", async () => {
    const asked = await newQuote();
    const answers = await Promise.all([make(asked), make(asked)]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(answers[0]?.body["lead_id"]).toBe(answers[1]?.body["lead_id"]);
    expect(await database().$count(leads, eq(leads.userEmail, asked.userEmail))).toBe(1);
    expect(await database().$count(auditEntries, eq(auditEntries.subject, `quote:${asked.quote_id}`))).toBe(1);
  });

  it("is refused where its id has another already, which is named; the customer gets no second mail", async () => {
    const asked = await newQuote();
    expect((await make(asked)).status).toBe(201);
    const { serial, totalPaise } = await rowOf(asked.quote_id);
    const cheaper = { ...terms, discountPercent: 15 };
    const corrected = [
      { ...asked, ...cheaper, total_cost: (await priceOf(cheaper)).total },
      { ...asked, note: "As we wrote." },
      { ...asked, userEmail: "other@example.in" },
    ];
    for (const again of corrected) {
      const { status, body } = await make(again);
      expect([status, body["error"]]).toEqual([
        409,
        expect.stringContaining(
          `${quoteNumber(serial)} of ${formatRupees(totalPaise)} was made for ${asked.userEmail}`,
        ),
      ]);
    }
    expect(await rowOf(asked.quote_id)).toMatchObject({ totalPaise, note: asked.note, revision: 1 });
    expect(await database().$count(quotes, eq(quotes.userEmail, "other@example.in"))).toBe(0);
    expect((await make(asked)).status).toBe(201);
  });

  it("for a lead is shown by it; a quote that the lead had before goes on beside it", async () => {
    const [asker] = await database()
      .insert(leads)
      .values({
        userName: "Asha Rao",
        userEmail: "asha.rao@example.in",
        phone: "+919876543210",
        organization: "Kaveri Textiles",
        organizationSize: 120,
        message: "Please call.",
      })
      .returning();
    const lead_id = asker?.id ?? "";
    const [first, second] = [await newQuote({ lead_id }), await newQuote({ lead_id })];
    expect((await make(first)).body["lead_id"]).toBe(lead_id);
    expect((await make(second)).body["lead_id"]).toBe(lead_id);
    const { body } = await server.call("admin/leads/lead", { id: lead_id }, admin.token);
    expect(body.lead).toMatchObject({ source: "contact", quote_id: second.quote_id, state: "proposal_sent" });
    expect(body.requests.map(({ quote }) => quote?.id)).toEqual([second.quote_id, first.quote_id]);
    expect((await make(await newQuote({ lead_id: randomUUID() }))).status).toBe(404);
    const again = await newQuote({ lead_id });
    const repeated = await Promise.all([make(again), make(again)]);
    expect(repeated.map(({ status }) => status)).toEqual([201, 201]);
    const others = await Promise.all([make(await newQuote({ lead_id })), make(await newQuote({ lead_id }))]);
    for (const { status } of others) expect([201, 409]).toContain(status);
    expect((await server.call("admin/leads/lead", { id: lead_id }, admin.token)).body.requests.length).toBe(
      3 + others.filter(({ status: made }) => made === 201).length,
    );
  });

  test.each([
    ["devices", { devices: [] }],
    ["devices", { devices: [firewallsAsOption] }],
    ["devices", { devices: [servers, servers] }],
    ["devices", { devices: [{ ...servers, yearly: "1.00" }] }],
    ["devices.0.deviceType", { devices: [device("Server", "Abacus", 1)] }],
    ["discountPercent", { discountPercent: 91 }],
    ["discountPercent", { discountPercent: -1 }],
    ["discountPercent", { discountPercent: 1.234 }],
    ["note", { note: "a".repeat(2001) }],
    ["userEmail", { userEmail: "nobody" }],
  ])("is refused with %s as in %j", async (field, over) => {
    const asked = await newQuote(over);
    const { status, body } = await make(asked);
    expect([status, Object.keys(body.fields ?? {})]).toEqual([422, [field]]);
  });

  it("is refused at another total than was shown, and to whoever is not a full administrator", async () => {
    expect((await make(await newQuote({ total_cost: "1.00" }))).status).toBe(409);
    const child = await member(server, "adminChild", { organisationId: admin.organisationId });
    const customer = await member(server, "user");
    for (const who of [child, customer]) {
      expect((await make(await newQuote(), who)).status).toBe(403);
      expect((await revise({}, who)).status).toBe(403);
    }
  });
});

describe("A quote that an administrator revises", () => {
  async function sent(owner: Member | null = null) {
    const quote = await insertQuote(server, owner, { proposalFile: null });
    await deliverProposal(server.services, quote.id);
    return rowOf(quote.id);
  }
  const revision = async (quote: typeof quotes.$inferSelect, over: object = {}) => ({
    quote_id: quote.id,
    revision: quote.revision,
    note: "With the discount that we agreed on.",
    ...terms,
    total_cost: (await priceOf(terms, quote.id)).total,
    ...over,
  });

  it("is mailed anew, its earlier proposal is superseded and says so, and only administrators can still read it", async () => {
    const customer = await member(server, "user");
    const quote = await sent(customer);
    expect((await revise(await revision(quote))).status).toBe(200);
    const mail = await server.mailbox.take(customer.email, /, revised$/);
    const { text } = await readPdf(new Uint8Array(mail.attachments[0]?.content as ArrayBuffer));
    expect(text.replace(/\s+/g, " ")).toContain("This proposal replaces revision 1, which is superseded.");
    const { body } = await server.call("admin/leads/lead", { id: (await leadOf(quote.id))?.id ?? "" }, admin.token);
    expect(body.lead).toMatchObject({ state: "proposal_sent", quote_number: quoteNumber(quote.serial) });
    expect(body.requests[0]?.quote).toMatchObject({
      revision: 2,
      discountPercent: 12.5,
      devices: [servers, scada, firewallsAsOption],
      earlier: [{ revision: 1, total_cost: rupees(quote.totalPaise), pdf_url: quote.proposalFile }],
    });
    const file = quote.proposalFile ?? "";
    const answer = await fileAt(file, admin);
    expect(answer?.headers.get("content-disposition")).toContain("-superseded.pdf");
    expect(await fileAt(file, customer, "user/get-signed-url")).toBeNull();
  });

  it("keeps the rates of the lines that it had, whatever the card says by now", async () => {
    const quote = await sent();
    const [line] = quote.lines;
    await database()
      .update(quotes)
      .set({ lines: quote.lines.map((each) => ({ ...each, ratePaise: 100, amountPaise: 100 * each.number })) })
      .where(eq(quotes.id, quote.id));
    const price = await priceOf({ devices: [{ ...servers, number: 20 }], discountPercent: null }, quote.id);
    expect(line?.deviceType).toBe("Prod Server");
    expect(price.lines).toMatchObject([{ rate: "1.00", amount: "20.00" }]);
  });

  it("leaves its lead on the day on which it came, though another quote was made for it since", async () => {
    const came = new Date("2026-02-11T06:00:00Z");
    const first = await insertQuote(server, null, { createdAt: came });
    const lead = await leadOf(first.id);
    const second = await newQuote({ lead_id: lead?.id });
    expect((await make(second)).status).toBe(201);
    const quote = await rowOf(second.quote_id);
    const agreed = { devices: [{ ...servers, number: 12 }], discountPercent: null };
    const asked = await revision(quote, { ...agreed, total_cost: (await priceOf(agreed, quote.id)).total });
    expect((await revise(asked)).status).toBe(200);
    const revised = await rowOf(quote.id);
    expect(revised.totalPaise).not.toBe(quote.totalPaise);
    const shown = await leadOf(quote.id);
    expect(shown).toMatchObject({ id: lead?.id, createdAt: came, totalPaise: revised.totalPaise });
  });

  it("by two at once is revised once: the second is told", async () => {
    const quote = await sent();
    const asked = await revision(quote);
    const answers = await Promise.all([revise(asked), revise(asked)]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
    expect(answers.find(({ status }) => status === 409)?.body.error).toContain("it is revision 2 now");
    expect(await database().$count(quoteRevisions, eq(quoteRevisions.quoteId, quote.id))).toBe(1);
  });

  it("stays as it is once somebody has begun to pay it", async () => {
    const customer = await member(server, "user");
    const quote = await sent(customer);
    const amount = rupees(quote.totalPaise);
    const form = { email: customer.email, quote_id: quote.id, amount, name: "Asha Rao", phone: "+919876543210" };
    expect((await server.call("user/orders", form, customer.token)).status).toBe(200);
    const { status, body } = await revise(await revision(quote));
    expect([status, body.error]).toEqual([409, expect.stringContaining("Please make a new one instead")]);
    expect((await rowOf(quote.id)).revision).toBe(1);
  });

  it("answers 404 where there is none", async () => {
    const quote = await sent();
    expect((await revise(await revision(quote, { quote_id: randomUUID() }))).status).toBe(404);
  });
});
