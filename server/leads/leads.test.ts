import { randomInt, randomUUID } from "node:crypto";
import { eq, inArray, sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, test } from "vitest";
import type { LeadChange } from "../../contract/lead-inbox.ts";
import type { Lead } from "../../contract/lead-list.ts";
import { writtenDay } from "../../contract/india-time.ts";
import { later } from "../../contract/durations.ts";
import { quoteNumber } from "../../contract/numbers.ts";
import { giveBilling, letterOfSeller, sellerIs } from "../../tests/billing.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { insertOrder, insertQuote } from "../../tests/paid-order.ts";
import { member, type Member } from "../../tests/people.ts";
import { whileHeld } from "../../tests/while-held.ts";
import {
  auditEntries,
  leads,
  mails,
  orders,
  organisations,
  people,
  quoteDecisions,
  type quotes,
  rateLimits,
} from "../database/schema/index.ts";
import { audit } from "../audit/audit.ts";
import { workFrom } from "../audit/origin.ts";
import { foldLeadFigures } from "./funnel.ts";
import { remindOwners } from "./remind.ts";

let server: TestServer;
let admin: Member;
let child: Member;
beforeAll(async () => {
  server = await startTestServer({ work: false });
  admin = await member(server, "admin", { organizationName: "Provider", firstName: "Meera", lastName: "Iyer" });
  const ofProvider = { organisationId: admin.organisationId };
  child = await member(server, "adminChild", { ...ofProvider, firstName: "Rohan", lastName: "Das" });
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.services.database.delete(rateLimits);
});

const database = () => server.services.database;
const inDays = (days: number) => writtenDay(later(server.services.now(), { days }));

/** A contact request with an e-mail of its own. Answers its lead's id. */
async function contact(over: Record<string, unknown> = {}): Promise<string> {
  const userEmail = `asha-${randomUUID().slice(0, 8)}@kaveri-${randomUUID().slice(0, 8)}.in`;
  const form = {
    userName: "Asha Rao",
    userEmail,
    phone: "9876543210",
    organization: "Kaveri Textiles",
    organizationSize: "120",
    message: "Please call in the morning.",
    ...over,
  };
  expect((await server.send("contact", form)).status).toBe(200);
  const [lead] = await database().select().from(leads).where(eq(leads.userEmail, form.userEmail));
  return lead?.id ?? "";
}

/** An estimate. Answers its lead's id and its quote. */
async function estimate(owner: Member | null = null, over: Partial<typeof quotes.$inferInsert> = {}) {
  const quote = await insertQuote(server, owner, over);
  const [lead] = await database().select().from(leads).where(eq(leads.quoteId, quote.id));
  return { id: lead?.id ?? "", quote };
}

const list = async (query: object, reader = admin) => {
  const { status, body } = await server.send("admin/leads", query, reader.token);
  expect([status, body.fields]).toEqual([200, undefined]);
  return body["leads"] as Lead[];
};
const idsOf = (found: Lead[]) => found.map(({ id }) => id);
const open = async (id: string, reader = admin) => (await server.call("admin/leads/lead", { id }, reader.token)).body;
const rowOf = async (id: string) => {
  const [row] = await database().select().from(leads).where(eq(leads.id, id));
  if (!row) throw new Error("There is no lead");
  return row;
};

const unchanged: Omit<LeadChange, "id"> = {
  version: 1,
  state: "new",
  lost_reason: "",
  owner_id: null,
  next_step: "",
  next_step_on: null,
  gstin: null,
};
const change = (id: string, over: Partial<Omit<LeadChange, "gstin">> & { gstin?: string | null } = {}, by = admin) =>
  server.send("admin/leads/update", { id, ...unchanged, ...over }, by.token);

test("A day of a year that no calendar of ours has is refused, wherever days are typed", async () => {
  const [from, to] = ["0000-01-01", "9999-12-31"];
  const undertaking = { number: "LUT-1", date: from, validTo: to };
  const asked: [name: string, input: object][] = [
    ["admin/leads", { from }],
    ["admin/leads", { to }],
    ["admin/leads/save-view", { name: "Old", filters: { from } }],
    ["admin/audit", { from }],
    ["admin/register", { from, to: from, format: "csv" }],
    ["admin/rates/publish", { id: randomUUID(), from: to }],
    ["admin/settings/proofs/add", { validUntil: from }],
    ["admin/billing/save", { undertaking }],
  ];
  for (const [name, input] of asked) {
    const { status, body } = await server.send(name, input, admin.token);
    expect([name, status, Object.values(body.fields ?? {})]).toEqual([
      name,
      422,
      expect.arrayContaining(["Please check the year"]),
    ]);
  }
});

describe("The list of leads", () => {
  it("has estimates and contact requests together, the newest first, and each page goes on where the last ended", async () => {
    const asked = await contact();
    const { id: sent, quote } = await estimate();
    const [first, second] = await list({});
    expect(first).toMatchObject({
      id: sent,
      source: "estimate",
      quote_number: quoteNumber(quote.serial),
      organization_name: "Kaveri Textiles",
      state: "new",
      owner_name: null,
    });
    expect(second).toMatchObject({ id: asked, source: "contact", quote_id: null, total_cost: null, pdf_url: null });
    const { body } = await server.call("admin/leads", { limit: 1 }, admin.token);
    const next = await server.call("admin/leads", { limit: 1, cursor: body.nextCursor ?? "" }, admin.token);
    expect(idsOf([...body.leads, ...next.body.leads])).toEqual([sent, asked]);
  });

  it("is narrowed by state, owner, source, due day, rates and days, and searched beside that", async () => {
    const asked = await contact({ organization: "Narmada Mills" });
    const waiting = await estimate(null, {
      lines: [
        {
          service: "Customization",
          deviceType: "SCADA gateway",
          number: 1,
          unit: "device",
          ratePaise: 100,
          amountPaise: 100,
          subjectToConfirmation: true,
        },
      ],
    });
    const step = { next_step: "Call", next_step_on: inDays(0) };
    await change(asked, { state: "contacted", owner_id: child.id, ...step });
    expect(idsOf(await list({ state: "contacted" }))).toEqual([asked]);
    expect(idsOf(await list({ owner: child.id }))).toEqual([asked]);
    expect(idsOf(await list({ owner: "nobody" }))).not.toContain(asked);
    expect(idsOf(await list({ due: "today" }))).toEqual([asked]);
    expect(idsOf(await list({ rates: "waiting" }))).toEqual([waiting.id]);
    expect(idsOf(await list({ source: "contact", search: "narmada", state: "open" }))).toEqual([asked]);
    expect(await list({ from: inDays(1) })).toEqual([]);
    expect(idsOf(await list({ from: inDays(0), to: inDays(0), search: "narmada" }))).toEqual([asked]);
    expect((await list({ sort: "next_step_on" }))[0]?.id).toBe(asked);
    for (const query of [{ state: "sold" }, { owner: "me" }, { from: "yesterday" }, { due: "never" }])
      expect((await server.send("admin/leads", query, admin.token)).status, JSON.stringify(query)).toBe(422);
  });

  it("has what came in the last millisecond of a day in India in the list of that day, and of no other", async () => {
    const id = await contact({ organization: "Tapti Looms" });
    await database()
      .update(leads)
      .set({ createdAt: new Date("2026-03-31T18:29:59.999Z") })
      .where(eq(leads.id, id));
    const ofDay = async (day: string) => idsOf(await list({ from: day, to: day, search: "tapti" }));
    expect([await ofDay("2026-03-31"), await ofDay("2026-04-01")]).toEqual([[id], []]);
  });
});

it("A lead shows every mail about its quote and order, and none about another's", async () => {
  const customer = await member(server, "user");
  const { id, quote } = await estimate(customer);
  const other = await estimate(customer);
  const billTo = {
    organizationName: "Kaveri Textiles",
    name: "Asha Rao",
    email: customer.email,
    phone: "+919876543210",
  };
  const [order] = await database()
    .insert(orders)
    .values({
      quoteId: quote.id,
      organisationId: customer.organisationId,
      buyerId: customer.id,
      billTo,
      amountPaise: 1,
    })
    .returning();
  const { rows: proformas } = await database().execute<{ id: string }>(
    sql`insert into proformas (order_id, financial_year, serial, number, reference, pay_paise, content, due_on, issued_at)
      values (${order?.id}, '26-27', 1, 'PF/26-27/000001', 'PF2627000001', 1, '{}', current_date, now()) returning id`,
  );
  const decided = { personId: customer.id, email: customer.email, kind: "accepted", revision: 1 } as const;
  const evidence = { name: "Asha Rao", designation: "", terms: [], termsHash: "", address: "", userAgent: "" };
  const decisions = await database()
    .insert(quoteDecisions)
    .values(
      [quote.id, other.quote.id].map((quoteId) => ({
        ...decided,
        ...evidence,
        quoteId,
        decidedAt: server.services.now(),
      })),
    )
    .returning();
  const keys = [
    `proposal:${quote.id}`,
    `invoice-due:${order?.id}`,
    `receipt:${order?.id}`,
    `proforma:${proformas[0]?.id}`,
    ...decisions.map((decision) => `acceptance:${decision.id}`),
  ];
  const sentTo = { recipient: customer.email, attachments: [] };
  await database()
    .insert(mails)
    .values(keys.map((eventKey) => ({ ...sentTo, eventKey })));
  const kinds = (await open(id)).mails.map(({ kind }) => kind);
  expect(kinds.toSorted()).toEqual(["acceptance", "invoice", "proforma", "proposal", "receipt"]);
});

describe("A lead is worked on", () => {
  it("by an administrator: state, owner, next step and notes, all in its history", async () => {
    const id = await contact();
    const step = { next_step: "Send the proposal", next_step_on: inDays(2) };
    expect((await change(id, { state: "contacted", owner_id: child.id, ...step })).status).toBe(200);
    const note = { id, note_id: randomUUID(), text: "Wants two plants first." };
    for (const status of [201, 201])
      expect((await server.send("admin/leads/add-note", note, admin.token)).status).toBe(status);
    const { lead, events, mails: sent } = await open(id);
    expect(lead).toMatchObject({ state: "contacted", owner_name: "Rohan Das", ...step, version: 2 });
    expect(events).toMatchObject([
      { who: "Meera Iyer", by: "person", note: "Wants two plants first." },
      {
        action: "change lead",
        about: lead.number,
        // PostgreSQL stores them in an order of its own.
        facts: expect.arrayContaining([
          { name: "State", before: "New", value: "Contacted" },
          { name: "Owner", before: "nobody", value: "Rohan Das" },
          { name: "Next step", before: "–", value: "Send the proposal" },
          { name: "Next step on", before: "–", value: expect.stringMatching(/^\d{1,2} \w{3,4} \d{4}$/) },
        ]),
      },
    ]);
    expect(sent).toMatchObject([{ kind: "contact request" }]);
  });

  it("and whose history says who did what has no name: a visitor, the software, or somebody who is gone", async () => {
    const { id } = await estimate();
    const note = (actorId: string | null) => audit(database(), actorId, "remind of lead", `lead:${id}`);
    await note(null);
    await workFrom("203.0.113.9", () => note(null));
    await note(randomUUID());
    const { events } = await open(id);
    expect(events.map(({ who, by }) => [who, by])).toEqual([
      [null, "person"],
      [null, "visitor"],
      [null, "software"],
    ]);
  });

  it("with a note whose id was sent before for another lead or text: it is refused, and nothing changes", async () => {
    const [id, other] = [await contact(), await contact()];
    const note = { id, note_id: randomUUID(), text: "Wants two plants first." };
    await server.call("admin/leads/add-note", note, admin.token);
    for (const over of [{ id: other }, { text: "Wants three." }])
      expect((await server.send("admin/leads/add-note", { ...note, ...over }, admin.token)).status).toBe(409);
    expect((await open(id)).events).toMatchObject([{ note: note.text }]);
    expect((await open(other)).events).toEqual([]);
  });

  it("by the child account that owns it, who can't pass it on, and by no other child account", async () => {
    const id = await contact();
    const refused = await change(id, { state: "contacted" }, child);
    expect([refused.status, refused.body.error]).toEqual([403, "You can change only leads that are assigned to you."]);
    const note = { id, note_id: randomUUID(), text: "Mine?" };
    expect((await server.send("admin/leads/add-note", note, child.token)).status).toBe(403);
    await change(id, { owner_id: child.id });
    const own = { version: 2, owner_id: child.id };
    expect((await change(id, { ...own, owner_id: admin.id }, child)).status).toBe(403);
    expect((await change(id, { ...own, state: "contacted" }, child)).status).toBe(200);
    expect((await server.send("admin/leads/add-note", note, child.token)).status).toBe(201);
    expect((await server.send("admin/leads/join", { id, into: randomUUID() }, child.token)).status).toBe(403);
  });

  it("by two at once: the second is told what the first has changed, and changes nothing", async () => {
    const id = await contact();
    const [one, other] = await Promise.all([
      change(id, { state: "contacted" }),
      change(id, { next_step: "Call", next_step_on: inDays(1) }),
    ]);
    expect(new Set([one.status, other.status])).toEqual(new Set([200, 409]));
    const told = one.status === 409 ? one : other;
    expect(told.body.error).toBe("Meera Iyer has changed this lead meanwhile.");
    expect(told.body.fields).toEqual(
      one.status === 409 ? { next_step: "Now: Call", next_step_on: `Now: ${inDays(1)}` } : { state: "Now: Contacted" },
    );
    expect((await rowOf(id)).version).toBe(2);
  });

  it("saved twice as it is, without a change or a trace", async () => {
    const id = await contact();
    const step = { state: "contacted" as const };
    await change(id, step);
    expect((await change(id, { ...step, version: 2 })).status).toBe(200);
    expect((await rowOf(id)).version).toBe(2);
    expect(await database().$count(auditEntries, eq(auditEntries.subject, `lead:${id}`))).toBe(1);
  });

  test.each([
    ["lost_reason", { state: "lost" }],
    ["state", { state: "sold" }],
    ["next_step", { next_step_on: "2030-01-01" }],
    ["next_step_on", { next_step: "Call" }],
    ["next_step_on", { next_step: "Call", next_step_on: "2020-01-01" }],
    ["next_step", { next_step: "a".repeat(201), next_step_on: "2030-01-01" }],
    ["next_step", { next_step: "Call\nBcc: all", next_step_on: "2030-01-01" }],
    ["owner_id", { owner_id: randomUUID() }],
    ["gstin", { gstin: "29ABCDE1234F1Z0" }],
  ])("%s is refused in %j, and nothing changes", async (field, over) => {
    const id = await contact();
    const { status, body } = await server.send("admin/leads/update", { id, ...unchanged, ...over }, admin.token);
    expect([status, Object.keys(body.fields ?? {})]).toEqual([422, [field]]);
    expect((await rowOf(id)).version).toBe(1);
  });

  it("never for somebody who is no administrator, or is suspended", async () => {
    const id = await contact();
    const left = await member(server, "adminChild", { organisationId: admin.organisationId, suspendedAt: new Date() });
    const customer = await member(server, "user");
    for (const owner of [left, customer]) expect((await change(id, { owner_id: owner.id })).status).toBe(422);
    const owners = (await server.call("admin/leads/owners", {}, child.token)).body.owners;
    expect(owners.map(({ id: owner }) => owner).toSorted()).toEqual([admin.id, child.id].toSorted());
  });

  it("whoever has left, and owns some still, is named as a former owner until somebody else has them", async () => {
    const [id, leaver] = [
      await contact(),
      await member(server, "adminChild", { organisationId: admin.organisationId }),
    ];
    await change(id, { owner_id: leaver.id });
    const former = async () => (await server.call("admin/leads/owners", {}, admin.token)).body.former;
    expect(await former()).toEqual([]);
    await server.call("admin/suspend", { email: leaver.email, what: "person" }, admin.token);
    expect(await former()).toEqual([{ id: leaver.id, name: "Asha Rao", email: leaver.email }]);
    await change(id, { owner_id: admin.id, version: 2 });
    expect(await former()).toEqual([]);
  });

  it("handed over with all other open ones of somebody who has left: each tells it, and the new owner is told once", async () => {
    const { organisationId } = admin;
    const leaver = await member(server, "adminChild", { organisationId, firstName: "Kiran", lastName: "Nair" });
    const heir = await member(server, "adminChild", { organisationId });
    const [first, second, won, joined, others] = [
      await contact(),
      await contact(),
      await contact(),
      await contact(),
      await contact(),
    ];
    for (const id of [first, second, won, joined]) await change(id, { owner_id: leaver.id });
    await change(won, { owner_id: leaver.id, state: "won", version: 2 });
    expect((await server.call("admin/leads/join", { id: joined, into: second }, admin.token)).status).toBe(200);
    await change(others, { owner_id: child.id });
    await server.call("admin/suspend", { email: leaver.email, what: "person" }, admin.token);
    const handOver = (to: Member, from = leaver, by = admin) =>
      server.call("admin/leads/hand-over", { from: from.id, to: to.id }, by.token);
    expect((await handOver(heir, leaver, child)).status).toBe(403);
    expect((await handOver(leaver, child)).status).toBe(422);
    const given = await Promise.all([handOver(heir), handOver(heir)]);
    expect(given.map(({ body }) => body.message).toSorted()).toEqual([
      "2 leads are handed over.",
      "No open lead was left to hand over.",
    ]);
    const owners = await database()
      .select()
      .from(leads)
      .where(inArray(leads.id, [first, second, won, joined, others]));
    expect(Object.fromEntries(owners.map(({ id, ownerId }) => [id, ownerId]))).toEqual({
      [first]: heir.id,
      [second]: heir.id,
      [won]: leaver.id,
      [joined]: leaver.id,
      [others]: child.id,
    });
    const { events, lead } = await open(first);
    expect(events).toMatchObject([
      { who: "Meera Iyer", facts: [{ name: "Owner", before: "Kiran Nair", value: "Asha Rao" }] },
      { who: "Meera Iyer", facts: [{ name: "Owner", before: "nobody", value: "Kiran Nair" }] },
    ]);
    // Whoever had it open is told that it has changed.
    expect(
      (await change(first, { owner_id: heir.id, version: 2, next_step: "Call", next_step_on: inDays(1) })).status,
    ).toBe(409);
    expect(lead.version).toBe(3);
    const { notices } = (await server.call("notices", {}, heir.token)).body;
    expect(notices).toMatchObject([
      { title: "2 more leads are yours", link: `/admin/estimateOrder?state=open&owner=${heir.id}` },
    ]);
  });
});

describe("A lead that was changed while somebody typed", () => {
  it("by a quote that a colleague has made or revised: who, and which one, is told", async () => {
    const offer = { numberOfUsers: 10, note: "", discountPercent: null };
    const devices = [{ service: "Server", deviceType: "Prod Server", number: 10, option: false, yearly: null }];
    const priced = { quote_id: null, devices, discountPercent: null };
    const { total } = (await server.call("admin/leads/price-quote", priced, admin.token)).body;
    const to = { userName: "Asha Rao", organizationName: "Kaveri Textiles", phoneNumber: "+919876543210" };
    const colleague = await member(server, "admin", { firstName: "Ravi", lastName: "Nair" });
    const id = await contact();
    await change(id, { state: "contacted" });
    const quoteId = randomUUID();
    const { userEmail } = await rowOf(id);
    const made = { quote_id: quoteId, lead_id: id, userEmail, ...to, ...offer, devices, total_cost: total };
    expect((await server.call("admin/leads/make-quote", made, colleague.token)).status).toBe(201);
    const number = (await rowOf(id)).quoteNumber;
    const late = await change(id, { version: 2, state: "contacted", next_step: "Call", next_step_on: inDays(1) });
    expect([late.status, late.body.error, late.body.fields]).toEqual([
      409,
      `Ravi Nair has changed this lead meanwhile: ${number} was made.`,
      { state: "Now: Proposal sent" },
    ]);
    const { version } = await rowOf(id);
    await change(id, { version, state: "negotiation" });
    const revised = { quote_id: quoteId, revision: 1, devices, note: "", discountPercent: null, total_cost: total };
    expect((await server.call("admin/leads/revise-quote", revised, colleague.token)).status).toBe(200);
    const later = await change(id, { version, state: "contacted" });
    expect([later.body.error, later.body.fields]).toEqual([
      `Meera Iyer and Ravi Nair have changed this lead meanwhile: ${number} was revised.`,
      { state: "Now: Negotiation" },
    ]);
    const last = await change(id, { version: version + 1, state: "contacted" });
    expect(last.body.error).toBe(`Ravi Nair has changed this lead meanwhile: ${number} was revised.`);
  });

  it("by another lead that a colleague has joined into it, or separated from it: who, and where it stands, is told", async () => {
    const [id, other] = [await contact(), await contact()];
    await change(other, { state: "lost", lost_reason: "No answer" });
    const colleague = await member(server, "admin", { firstName: "Ravi", lastName: "Nair" });
    expect((await server.call("admin/leads/join", { id: other, into: id }, colleague.token)).status).toBe(200);
    const told = { error: "Ravi Nair has changed this lead meanwhile.", fields: { state: "Now: New" } };
    expect((await change(id, { state: "contacted" })).body).toMatchObject(told);
    expect((await server.call("admin/leads/separate", { id: other }, colleague.token)).status).toBe(200);
    const separated = await change(other, { version: 2, state: "contacted" });
    expect(separated.body).toMatchObject({ error: told.error, fields: { state: "Now: Lost" } });
  });
});

test("What is shown of a lead's quote adds up: its lines, less the discount, with the taxes that its customer pays are its total", async () => {
  const customer = await member(server, "user");
  const sums = { subtotalPaise: 1_000_000, discountBasisPoints: 500, discountPaise: 50_000, gstPaise: 171_000 };
  const { id: quoteId } = await insertQuote(server, customer, { ...sums, totalPaise: 1_121_000 });
  const [row] = await database().select().from(leads).where(eq(leads.quoteId, quoteId));
  const quote = async () => (await open(row?.id ?? "")).requests[0]?.quote;
  const tax = { taxes: [{ name: "GST", percent: 18, amount: "1710.00" }], total: "11210.00" };
  expect(await quote()).toMatchObject({ discountPercent: 5, discount: "500.00", tax });
  await sellerIs(server, { undertaking: letterOfSeller });
  onTestFinished(() => sellerIs(server, {}));
  await giveBilling(server, customer.email, { billingKind: "abroad", billingCountry: "AE", billingState: null });
  expect(await quote()).toMatchObject({ tax: { taxes: [], total: "9500.00" } });
});

describe("A lead that buys", () => {
  it("is won by itself with its order, whatever it was before", async () => {
    const customer = await member(server, "user");
    const order = await insertOrder(server, customer);
    const [row] = await database().select().from(leads).where(eq(leads.quoteId, order.quoteId));
    const { lead, requests, events } = await open(row?.id ?? "");
    expect(lead).toMatchObject({ state: "won", quote_state: "bought", version: 2 });
    expect(requests[0]?.quote?.order).toMatchObject({ number: expect.stringMatching(/^O-/), status: "success" });
    expect(events).toEqual([]);
    const late = await change(row?.id ?? "", { state: "lost", lost_reason: "No answer" });
    expect([late.status, late.body.fields]).toEqual([409, { state: "Now: Won" }]);
  });
});

describe("Leads about the same", () => {
  it("are found by e-mail, domain and GSTIN, and not by a domain where anybody can have an address", async () => {
    const domain = `mills-${randomUUID().slice(0, 8)}.example`;
    const gstin = "29AAGCB7383J1Z4";
    const first = await contact({ userEmail: `asha@${domain}` });
    const sameEmail = await estimate(null, { userEmail: `Asha@${domain}` });
    const sameDomain = await contact({ userEmail: `ravi@${domain}` });
    const customer = await member(server, "user");
    await database().update(organisations).set({ gstin }).where(eq(organisations.id, customer.organisationId));
    const sameGstin = await estimate(customer);
    await change(first, { gstin });
    const because = Object.fromEntries((await open(first)).duplicates.map((found) => [found.id, found.because]));
    expect(because).toEqual({
      [sameEmail.id]: ["e-mail"],
      [sameDomain]: ["domain"],
      [sameGstin.id]: ["GSTIN"],
    });
    const atGmail = await contact({ userEmail: `a${randomUUID().slice(0, 8)}@gmail.com` });
    await contact({ userEmail: `b${randomUUID().slice(0, 8)}@gmail.com` });
    expect((await open(atGmail)).duplicates).toEqual([]);
  });

  it.each(["e-mail", "domain", "GSTIN", "GSTIN of the organization"])(
    "are, of many by one %s, the newest",
    async (what) => {
      const domain = `many-${randomUUID().slice(0, 8)}.example`;
      const gstin = `29AAGCB${randomInt(1000, 9999)}J1Z4`;
      const customer = what === "GSTIN of the organization" ? await member(server, "user") : null;
      if (customer)
        await database().update(organisations).set({ gstin }).where(eq(organisations.id, customer.organisationId));
      const ids: string[] = [];
      for (let day = 1; day <= 30; day++) {
        const createdAt = new Date(Date.UTC(2026, 5, day));
        const name = what === "e-mail" ? "asha" : randomUUID();
        const userEmail = `${name}@${what.startsWith("GSTIN") ? "gmail.com" : domain}`;
        const said = {
          userName: "Asha Rao",
          userEmail,
          phone: "",
          organization: "Kaveri",
          organizationSize: 3,
          message: "",
        };
        const [made] = customer
          ? [await estimate(customer, { userEmail, createdAt })]
          : await database()
              .insert(leads)
              .values({ ...said, gstin: what === "GSTIN" ? gstin : null, createdAt })
              .returning();
        ids.push(made?.id ?? "");
      }
      const shown = (await open(ids[0] ?? "")).duplicates.map(({ id }) => id);
      expect(shown).toEqual(ids.toReversed().slice(0, 20));
    },
  );

  it("are not found by what is left of erased people", async () => {
    const first = await estimate(null, { userEmail: "erased-1a2b3c@erased.invalid" });
    await estimate(null, { userEmail: "erased-4d5e6f@erased.invalid" });
    expect((await open(first.id)).duplicates).toEqual([]);
  });

  it("are joined with both histories and separated again, and a repeated call changes nothing", async () => {
    const asked = await contact({ message: "By the form." });
    const { id: sent, quote } = await estimate(null, { message: "By the estimator." });
    await server.call("admin/leads/add-note", { id: asked, note_id: randomUUID(), text: "Called them." }, admin.token);
    const join = () => server.send("admin/leads/join", { id: asked, into: sent }, admin.token);
    const joined = await Promise.all([join(), join()]);
    expect(joined.map(({ status }) => status)).toEqual([200, 200]);
    const main = await open(asked);
    expect(main.lead.id).toBe(sent);
    expect(main.requests.map(({ message }) => message)).toEqual(["By the estimator.", "By the form."]);
    expect(main.events.map(({ note, action }) => note ?? action)).toEqual(
      expect.arrayContaining(["Called them.", "join lead", "take in lead"]),
    );
    expect(idsOf(await list({}))).not.toContain(asked);
    expect((await change(asked, { version: 2 })).status).toBe(409);
    expect((await server.send("admin/leads/join", { id: sent, into: asked }, admin.token)).status).toBe(409);
    expect((await server.send("admin/leads/join", { id: sent, into: sent }, admin.token)).status).toBe(409);

    await database().update(leads).set({ state: "contacted" }).where(eq(leads.id, sent));
    expect((await server.send("admin/leads/separate", { id: asked }, admin.token)).status).toBe(200);
    expect((await open(asked)).lead).toMatchObject({ id: asked, state: "new" });
    expect((await open(sent)).requests).toHaveLength(1);
    expect(quote.id).toBe((await open(sent)).lead.quote_id);
  });

  const leadOf = async ({ quoteId }: { quoteId: string }): Promise<string> => {
    const [lead] = await database().select().from(leads).where(eq(leads.quoteId, quoteId));
    return lead?.id ?? "";
  };
  /** A lead that was won by its order. */
  const wonLead = async () => leadOf(await insertOrder(server, await member(server, "user")));
  const setOrder = (id: string, state: string) =>
    database().$client.query("update orders set state = $2 where id = $1", [id, state]);
  const join = async (id: string, into: string) =>
    expect((await server.send("admin/leads/join", { id, into }, admin.token)).status).toBe(200);
  const separate = async (id: string) =>
    expect((await server.send("admin/leads/separate", { id }, admin.token)).status).toBe(200);
  const standingOf = async (id: string) => {
    const { state, lostReason, furthest } = await rowOf(id);
    return { state, lostReason, furthest };
  };
  const call = () => ({ next_step: "Call", next_step_on: inDays(1) });
  /** Our own quote for a lead, which shows it from then on. */
  async function makeQuoteFor(lead_id: string): Promise<void> {
    const servers = { service: "Server", deviceType: "Prod Server", number: 4, option: false, yearly: null };
    const terms = { devices: [servers], discountPercent: null };
    const asked = { quote_id: null, ...terms };
    const { total } = (await server.call("admin/leads/price-quote", asked, admin.token)).body;
    const { userName, userEmail, organization: organizationName } = await rowOf(lead_id);
    const person = { userName, userEmail, organizationName, phoneNumber: "+919876543210", numberOfUsers: 120 };
    const quote = { ...terms, ...person, quote_id: randomUUID(), lead_id, note: "", total_cost: total };
    expect((await server.send("admin/leads/make-quote", quote, admin.token)).status).toBe(201);
  }
  const waitingForLocks = async () => {
    const waiting = sql`datname = current_database() and wait_event_type = 'Lock'`;
    const { rows } = await database().execute(sql`select from pg_stat_activity where ${waiting}`);
    return rows.length;
  };
  const joinAndSeparate = async (id: string, into: string, meanwhile: () => Promise<unknown> = async () => {}) => {
    await join(id, into);
    expect((await open(into)).lead.state).toBe("won");
    await meanwhile();
    await separate(id);
    return standingOf(into);
  };

  it("separated: the one that bought nothing is no longer won, and the other one still is", async () => {
    const main = await contact();
    await change(main, { state: "contacted" });
    await change(main, { version: 2, state: "lost", lost_reason: "Too dear" });
    const bought = await wonLead();
    expect(await joinAndSeparate(bought, main)).toEqual({ state: "lost", lostReason: "Too dear", furthest: 1 });
    expect((await open(bought)).lead.state).toBe("won");
    const { events, lead } = await open(main);
    expect(lead.lost_reason).toBe("Too dear");
    expect(events[0]).toMatchObject({
      action: "change lead",
      facts: expect.arrayContaining([{ name: "State", before: "Won", value: "Lost" }]),
    });
    // A second time; the repeated call then changes nothing.
    expect(await joinAndSeparate(bought, main)).toEqual({ state: "lost", lostReason: "Too dear", furthest: 1 });
    await server.call("admin/leads/separate", { id: bought }, admin.token);
    expect((await open(main)).lead.version).toBe(lead.version + 2);
  });

  it("separated: what somebody has set meanwhile stays", async () => {
    const main = await contact();
    const noted = async () => {
      expect((await change(main, { version: 2, state: "won", ...call() })).status).toBe(200);
      expect((await change(main, { version: 3, state: "negotiation", ...call() })).status).toBe(200);
      expect((await change(main, { version: 4, state: "contacted", ...call() })).status).toBe(200);
    };
    expect(await joinAndSeparate(await wonLead(), main, noted)).toMatchObject({ state: "contacted", furthest: 3 });
  });

  it("won: stay what somebody made of them since when a refund fails, and are won when the money of an invoice comes", async () => {
    const order = await insertOrder(server, await member(server, "user"));
    const id = await leadOf(order);
    const lost = { state: "lost", lost_reason: "Called off after the payment" } as const;
    expect((await change(id, { version: 2, ...lost })).status).toBe(200);
    for (const state of ["refund_pending", "success", "closed", "invoiced"]) {
      // oxlint-disable-next-line no-await-in-loop -- in sequence
      await setOrder(order.id, state);
      // oxlint-disable-next-line no-await-in-loop
      expect(await standingOf(id)).toMatchObject({ state: "lost", lostReason: lost.lost_reason });
    }
    await setOrder(order.id, "success");
    expect(await standingOf(id)).toMatchObject({ state: "won" });
  });

  it.each(["success", "invoiced"])("separated: one whose own order became %s stays won", async (state) => {
    const order = await insertOrder(server, await member(server, "user"), { state: "pending" });
    const buy = () => setOrder(order.id, state);
    expect(await joinAndSeparate(await wonLead(), await leadOf(order), buy)).toMatchObject({
      state: "won",
      furthest: 4,
    });
  });

  it.each([
    ["in the order in which they were joined", [0, 1]],
    ["the other way round", [1, 0]],
  ])("separated: of two that bought, the last one leaves the other as it was, %s", async (_which, order) => {
    const won = [await wonLead(), await wonLead()];
    const main = await contact();
    await change(main, { state: "lost", lost_reason: "Too dear" });
    for (const id of won) await join(id, main);
    await change(main, { version: 4, state: "won", ...call() });
    const [first = "", last = ""] = order.map((index) => won[index] ?? "");
    await separate(first);
    expect(await standingOf(main)).toEqual({ state: "won", lostReason: "", furthest: 4 });
    await separate(last);
    expect(await standingOf(main)).toEqual({ state: "lost", lostReason: "Too dear", furthest: 0 });
    for (const id of won) expect((await standingOf(id)).state).toBe("won");
  });

  it("separated: one that was won by what was joined into it, and bought later, is what it was before", async () => {
    const order = await insertOrder(server, await member(server, "user"), { state: "pending" });
    const [asked, main] = [await leadOf(order), await contact()];
    await join(asked, main);
    await change(main, { version: 2, ...call() });
    await setOrder(order.id, "success");
    expect((await standingOf(main)).state).toBe("won");
    await separate(asked);
    expect(await standingOf(main)).toMatchObject({ state: "new", furthest: 0 });
    expect(await standingOf(asked)).toMatchObject({ state: "won", furthest: 4 });
  });

  it("separated: one that got its proposal meanwhile has it still, though another one was won", async () => {
    const order = await insertOrder(server, await member(server, "user"), { state: "pending" });
    const [asked, main] = [await leadOf(order), await contact()];
    await join(asked, main);
    await makeQuoteFor(main);
    expect(await standingOf(main)).toMatchObject({ state: "proposal_sent", furthest: 2 });
    await setOrder(order.id, "success");
    await separate(asked);
    expect(await standingOf(main)).toMatchObject({ state: "proposal_sent", furthest: 2 });
  });

  it("separated: the estimate before a quote of ours, which was bought, leaves that one with its proposal", async () => {
    const order = await insertOrder(server, await member(server, "user"), { state: "pending" });
    const main = await leadOf(order);
    await makeQuoteFor(main);
    const before = await leadOf(order);
    expect(before).not.toBe(main);
    await setOrder(order.id, "success");
    expect(await standingOf(main)).toMatchObject({ state: "won", furthest: 4 });
    await separate(before);
    expect(await standingOf(main)).toMatchObject({ state: "proposal_sent", furthest: 2 });
    expect(await standingOf(before)).toMatchObject({ state: "won", furthest: 4 });
  });

  it("separated: what was bought before a newer quote of ours is won by itself", async () => {
    const main = await wonLead();
    const { quoteId } = await rowOf(main);
    await makeQuoteFor(main);
    const before = await leadOf({ quoteId: quoteId ?? "" });
    await separate(before);
    expect(await standingOf(before)).toMatchObject({ state: "won", furthest: 4 });
  });

  it.each([
    ["the one that came further first", (further: string, won: string) => [further, won]],
    ["the one that bought first", (further: string, won: string) => [won, further]],
  ])("separated: each gives back how far it alone had come, %s", async (_which, order) => {
    const [main, further, won] = [await contact(), await contact(), await wonLead()];
    await change(further, { state: "negotiation" });
    for (const id of [further, won]) await join(id, main);
    const [first = "", last = ""] = order(further, won);
    await separate(first);
    expect(await standingOf(main)).toMatchObject(
      first === won ? { state: "new", furthest: 3 } : { state: "won", furthest: 4 },
    );
    await separate(last);
    expect(await standingOf(main)).toMatchObject({ state: "new", furthest: 0 });
  });

  it("separated: of one that was joined with its own, each is what it was by itself", async () => {
    const [won, between, main] = [await wonLead(), await contact(), await contact()];
    await change(between, { state: "contacted" });
    await join(won, between);
    await join(between, main);
    expect(await standingOf(main)).toMatchObject({ state: "won", furthest: 4 });
    expect(await standingOf(between)).toMatchObject({ state: "contacted", furthest: 1 });
    await separate(won);
    expect(await standingOf(main)).toMatchObject({ state: "new", furthest: 1 });
    await separate(between);
    expect(await standingOf(main)).toMatchObject({ state: "new", furthest: 0 });
    expect(await standingOf(between)).toMatchObject({ state: "contacted", furthest: 1 });
    // Once more, the other way round.
    await join(won, between);
    await join(between, main);
    await separate(between);
    expect(await standingOf(between)).toMatchObject({ state: "contacted", furthest: 1 });
    expect(await standingOf(main)).toMatchObject({ state: "won", furthest: 4 });
    await separate(won);
    expect(await standingOf(main)).toMatchObject({ state: "new", furthest: 0 });
  });

  it("separated: the funnel counts as won what bought, and nothing else", async () => {
    const count = async () => {
      const { rows } = (await server.call("admin/leads/funnel", {}, admin.token)).body;
      return rows.reduce((sum, { won }) => sum + won, 0);
    };
    const [main, ...won] = [await contact(), await wonLead(), await wonLead()];
    const before = await count();
    for (const id of won) await join(id, main);
    expect(await count()).toBe(before - 1);
    for (const id of won) await separate(id);
    expect(await count()).toBe(before);
  });

  it.each(["separated", "bought"])(
    "one that is being %s is waited for by who joins the one that shows it into another",
    async (how) => {
      const order = await insertOrder(server, await member(server, "user"), { state: "pending" });
      const [asked, main, other] = [await leadOf(order), await contact(), await contact()];
      await join(asked, main);
      const meanwhile = async () => {
        await expect.poll(waitingForLocks).toBe(1);
        await (how === "bought" ? setOrder(order.id, "success") : separate(asked));
      };
      const hold = `select from leads where id = '${other}' for update`;
      await whileHeld(server, hold, () => [join(main, other), meanwhile()]);
      expect((await rowOf(main)).joinedTo).toBe(other);
      expect((await standingOf(other)).state).toBe(how === "bought" ? "won" : "new");
    },
  );

  it("joined: the one that shows them is won when any of them buys", async () => {
    const asked = await contact();
    const customer = await member(server, "user");
    const order = await insertOrder(server, customer, { state: "pending" });
    const [bought] = await database().select().from(leads).where(eq(leads.quoteId, order.quoteId));
    await server.call("admin/leads/join", { id: bought?.id ?? "", into: asked }, admin.token);
    await database().$client.query("update orders set state = 'success' where id = $1", [order.id]);
    expect((await open(asked)).lead.state).toBe("won");
  });
});

describe("The owner of a lead", () => {
  let daysPassed = 0;
  const dayPasses = () => {
    daysPassed++;
    server.passTime(24 * 3600);
  };
  // Turns the clock back, so that the sessions of the other tests stay valid.
  afterEach(() => {
    server.passTime(-24 * 3600 * daysPassed);
    daysPassed = 0;
  });
  const remindersTo = async (email: string) =>
    (await database().select().from(mails).where(eq(mails.recipient, email))).filter(({ eventKey }) =>
      eventKey.startsWith("lead-reminder:"),
    );
  const ownedBy = async (owner: Member, over: Partial<Pick<LeadChange, "state">> = {}) => {
    const id = await contact();
    await change(id, {
      owner_id: owner.id,
      next_step: "Call",
      next_step_on: inDays(1),
      ...over,
    });
    return id;
  };

  it("is reminded on the day of its next step, once, however often and by how many copies it is asked for", async () => {
    const owner = await member(server, "adminChild", { organisationId: admin.organisationId });
    const id = await ownedBy(owner);
    await remindOwners(server.services);
    expect(await remindersTo(owner.email)).toEqual([]);
    dayPasses();
    await Promise.all([remindOwners(server.services), remindOwners(server.services)]);
    await remindOwners(server.services);
    expect(await remindersTo(owner.email)).toMatchObject([{ content: { template: "leadReminder", nextStep: "Call" } }]);
    const nextDay = await member(server, "admin", { organisationId: admin.organisationId });
    expect((await open(id, nextDay)).mails.map(({ kind }) => kind)).toContain("reminder");
    await change(id, { version: 2, owner_id: owner.id, next_step: "Call again", next_step_on: inDays(1) }, nextDay);
    dayPasses();
    await remindOwners(server.services);
    expect(await remindersTo(owner.email)).toHaveLength(2);
  });

  it("is not reminded of what is closed, nor when suspended", async () => {
    const owner = await member(server, "adminChild", { organisationId: admin.organisationId });
    await ownedBy(owner, { state: "junk" });
    const gone = await member(server, "adminChild", { organisationId: admin.organisationId });
    await ownedBy(gone);
    await database().update(people).set({ suspendedAt: new Date() }).where(eq(people.id, gone.id));
    dayPasses();
    await remindOwners(server.services);
    expect([...(await remindersTo(owner.email)), ...(await remindersTo(gone.email))]).toEqual([]);
  });
});

describe("A view of the leads", () => {
  it("is kept for whoever saved it, replaced by its name, and deleted by nobody else", async () => {
    const save = (name: string, filters: object) =>
      server.send("admin/leads/save-view", { name, filters }, child.token);
    const views = async (reader: Member) => (await server.call("admin/leads/views", {}, reader.token)).body.views;
    expect((await save("Mine", { state: "open", owner: child.id })).status).toBe(200);
    await save("Mine", { state: "won" });
    const [view] = await views(child);
    expect(view).toMatchObject({ name: "Mine", filters: { state: "won" } });
    expect(await views(admin)).toEqual([]);
    const remove = (by: Member) => server.send("admin/leads/delete-view", { id: view?.id }, by.token);
    expect((await remove(admin)).status).toBe(404);
    expect((await remove(child)).status).toBe(200);
    expect(await views(child)).toEqual([]);
    expect((await save("", {})).status).toBe(422);
    expect((await save("Odd", { state: "sold" })).status).toBe(422);
  });
});

test("The funnel counts by month and source how far the leads came", async () => {
  const month = (rows: { month: string; source: string }[]) =>
    rows.filter(({ source, month: name }) => source === "contact" && name === inDays(0).slice(0, 7));
  const read = async () => (await server.call("admin/leads/funnel", {}, child.token)).body.rows;
  const [before] = month(await read()) as Awaited<ReturnType<typeof read>>;
  const id = await contact();
  // The request was stored with the database's clock; this sets the product's.
  await database().update(leads).set({ createdAt: server.services.now() }).where(eq(leads.id, id));
  await change(id, { state: "negotiation" });
  await change(id, { version: 2, state: "lost", lost_reason: "Too dear" });
  const [after] = month(await read()) as Awaited<ReturnType<typeof read>>;
  const grown = (name: "came" | "contacted" | "negotiation" | "won" | "lost") =>
    (after?.[name] ?? 0) - (before?.[name] ?? 0);
  expect([grown("came"), grown("contacted"), grown("negotiation"), grown("won"), grown("lost")]).toEqual([
    1, 1, 1, 0, 1,
  ]);
});

test("The funnel's figures are those of the leads, whatever became of them", async () => {
  const [joined, kept] = [await contact(), await contact()];
  const stages = sql`month_in_india(created_at) as month, source, count(*)::int as came,
    count(*) filter (where furthest >= 1)::int as contacted, count(*) filter (where furthest >= 2)::int as proposal_sent,
    count(*) filter (where furthest >= 3)::int as negotiation, count(*) filter (where furthest >= 4)::int as won,
    count(*) filter (where state = 'lost')::int as lost, count(*) filter (where state = 'junk')::int as junk`;
  const counted = async () =>
    (
      await database().execute(
        sql`select ${stages} from leads where joined_to is null
          and month_in_india(created_at) > month_in_india(now() - interval '1 year')
          group by 1, 2 order by month desc, source`,
      )
    ).rows;
  const read = async () =>
    (await server.call("admin/leads/funnel", {}, child.token)).body.rows.toSorted(
      (one, other) => other.month.localeCompare(one.month) || one.source.localeCompare(other.source),
    );
  expect(await read()).toEqual(await counted());
  await database().update(leads).set({ joinedTo: kept }).where(eq(leads.id, joined));
  expect(await read()).toEqual(await counted());
  await foldLeadFigures(database());
  expect(await read()).toEqual(await counted());
  await database().delete(leads).where(eq(leads.id, kept));
  expect(await read()).toEqual(await counted());
});

test("From the millionth on, a quote's number is whole on its lead and in searches", async () => {
  await database().execute(sql`alter table quotes alter column serial restart with 1000001`);
  const quote = await insertQuote(server, null);
  const number = quoteNumber(quote.serial);
  expect(number).toBe("Q-1000001");
  const search = (words: string) => server.call("admin/leads", { search: words, limit: 10 }, admin.token);
  const found = await search(number);
  expect(found.body.leads.map(({ quote_number }) => quote_number)).toEqual([number]);
  const quotesFound = await server.call("admin/getEstimationByAdmin", { search: number, limit: 10 }, admin.token);
  expect(quotesFound.body.estimation).toHaveLength(1);
});
