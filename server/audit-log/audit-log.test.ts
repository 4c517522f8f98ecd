import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import { type AuditAction, auditActions } from "../../contract/audit.ts";
import type { AuditEntry } from "../../contract/audit-log.ts";
import { limits } from "../../contract/limits.ts";
import { forgetAudit } from "../../tests/forget-audit.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { insertOrder } from "../../tests/paid-order.ts";
import { listOperations } from "../../tests/list-calls.ts";
import { member, type Member } from "../../tests/people.ts";
import { audit } from "../audit/audit.ts";
import { sealEntries } from "../audit/chain.ts";
import { listNames } from "./list-names.ts";
import { auditEntries, customerTools, rateLimits } from "../database/schema/index.ts";

type Log = "admin/audit" | "user/audit" | "partner/audit";

let server: TestServer;
let admin: Member;
let partner: Member;
let customer: Member;
let stranger: Member;
let otherPartner: Member;
beforeAll(async () => {
  server = await startTestServer({ work: false, env: { trustProxy: 1 } });
  admin = await member(server, "admin", { organizationName: "Provider", firstName: "Meera", lastName: "Iyer" });
  partner = await member(server, "partner", { organizationName: "Malabar Networks", firstName: "Farah" });
  const ofPartner = { organizationName: "Kaveri Textiles", partnerId: partner.organisationId };
  customer = await member(server, "user", ofPartner);
  stranger = await member(server, "user", { organizationName: "Deccan Foods" });
  otherPartner = await member(server, "partner", { organizationName: "Konkan Systems" });
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.services.database.delete(rateLimits);
  await forgetAudit(server);
});

const from = { "x-forwarded-for": "203.0.113.9" };
const send = (name: string, input: object, { token }: Member) => server.send(name, input, token, from);

async function read(name: Log, reader: Member, query: object = {}): Promise<AuditEntry[]> {
  const { status, body } = await send(name, query, reader);
  expect([status, body.error]).toEqual([200, undefined]);
  return body["entries"] as AuditEntry[];
}
const actionsIn = (entries: AuditEntry[]) => entries.map(({ action }) => action);

async function changeSiem(url: string): Promise<void> {
  await server.services.database
    .insert(customerTools)
    .values({ organisationId: customer.organisationId })
    .onConflictDoNothing();
  const change = { email: customer.email, siemURL: url, siemStatus: true };
  expect((await send("admin/updateCustomerToolSiemByAdmin", change, admin)).status).toBe(200);
}

describe("What an administrator changes", () => {
  it("is read by the customer it was done to, with what was there before, and by nobody else's customer", async () => {
    await changeSiem("https://siem.example.in/one");
    await changeSiem("https://siem.example.in/two");
    const [last] = await read("user/audit", customer);
    expect(last).toMatchObject({
      actor_name: "Meera Iyer",
      actor_organization: "Provider",
      action: "update siem",
      subject_name: "Kaveri Textiles",
      subject_kind: "customer",
      facts: [
        { name: "Url", before: "https://siem.example.in/one", value: "https://siem.example.in/two" },
        { name: "Enabled", before: "yes", value: "yes" },
      ],
    });
    expect(await read("user/audit", stranger)).toEqual([]);
    expect(await read("partner/audit", partner)).toEqual([]);
  });

  it("tells the customer no address of the administrator, and the administrator every one", async () => {
    await changeSiem("https://siem.example.in/one");
    expect((await read("user/audit", customer))[0]?.address).toBe("");
    expect((await read("admin/audit", admin))[0]?.address).toBe("203.0.113.9");
    expect(await read("user/audit", customer, { search: "203.0.113" })).toEqual([]);
  });

  it("comes with its place in the chain as soon as it is sealed", async () => {
    await changeSiem("https://siem.example.in/one");
    expect((await read("admin/audit", admin))[0]).toMatchObject({ number: null, hash: null });
    await sealEntries(server.services.database);
    expect((await read("admin/audit", admin))[0]).toMatchObject({
      number: 1,
      hash: expect.stringMatching(/^[\da-f]{64}$/),
    });
  });
});

describe("What a partner does to a customer", () => {
  it("is read by both, and by no other partner", async () => {
    const form = {
      organizationName: "Godavari Foods",
      firstName: "Ravi",
      lastName: "Nair",
      email: `ravi-${randomUUID().slice(0, 13)}@example.in`,
      phoneNo: "+919800000001",
    };
    expect((await send("partner/create-user", form, partner)).status).toBe(201);
    const [entry] = await read("partner/audit", partner);
    expect(entry).toMatchObject({ action: "add customer", subject_name: "Godavari Foods", address: "203.0.113.9" });
    const made = { ...customer, organisationId: entry?.subject.split(":")[1] ?? "" };
    const reader = await member(server, "user", { organisationId: made.organisationId });
    expect((await read("user/audit", reader))[0]).toMatchObject({ action: "add customer", address: "" });
    expect(await read("partner/audit", otherPartner)).toEqual([]);
  });
});

describe("What is done to an order's documents and to an incident", () => {
  it("is read by the customer whose it is, whoever did it, and by no other", async () => {
    const { services } = server;
    const order = await insertOrder(server, customer);
    const money = { transfer: randomUUID(), refund: randomUUID(), receipt: randomUUID(), incident: randomUUID() };
    const told = "'26-27', 1, $2 || '/1', '{}', now()";
    const { $client } = services.database;
    const insert = (statement: string, values: unknown[]) => $client.query(statement, values);
    await insert(
      `insert into transfers (id, utr, state, order_id, amount_paise, received_on)
        values ($1, 'UTR-1', 'matched', $2, 100, now())`,
      [money.transfer, order.id],
    );
    await insert(
      `insert into proformas (order_id, financial_year, serial, number, content, issued_at, reference, pay_paise, due_on)
        values ($1, ${told}, 'PF1', 100, now())`,
      [order.id, "PF"],
    );
    await insert(
      `insert into receipts (order_id, financial_year, serial, number, content, issued_at, id, transfer_id)
        values ($1, ${told}, $3, $4)`,
      [order.id, "RV", money.receipt, money.transfer],
    );
    await insert(
      `insert into credit_notes (invoice_id, financial_year, serial, number, content, issued_at, amount_paise)
        values ((select id from invoices where order_id = $1), ${told}, 100)`,
      [order.id, "CN"],
    );
    await insert(
      `insert into refunds (id, order_id, amount_paise, token, reason, state, asked_at, needs_second)
        values ($1, $2, 100, 't', 'r', 'asked', now(), false)`,
      [money.refund, order.id],
    );
    await insert(
      `insert into refund_vouchers (order_id, financial_year, serial, number, content, issued_at, receipt_id, refund_id)
        values ($1, ${told}, $3, $4)`,
      [order.id, "RF", money.receipt, money.refund],
    );
    await insert(
      `insert into incidents (id, organisation_id, title, source, severity, opened_at, changed_at)
        values ($1, $2, 'Ransomware', 'analyst', 'P1', now(), now())`,
      [money.incident, customer.organisationId],
    );
    const done: [AuditAction, string][] = [
      ["match transfer", `transfer:${money.transfer}`],
      ["issue proforma", "proforma:PF/1"],
      ["issue receipt", "receipt:RV/1"],
      ["issue credit note", "credit note:CN/1"],
      ["issue refund voucher", "refund voucher:RF/1"],
      ["make dossier", `incident:${money.incident}`],
    ];
    for (const [action, subject] of done) await audit(services.database, admin.id, action, subject);
    const entries = await read("user/audit", customer);
    expect(actionsIn(entries)).toEqual(expect.arrayContaining(done.map(([action]) => action)));
    const names = [
      "transfer UTR-1",
      "proforma invoice PF/1",
      "receipt RV/1",
      "credit note CN/1",
      "refund voucher RF/1",
    ];
    const incident = expect.stringMatching(/^I-\d{6}$/);
    expect(entries.map(({ subject_name }) => subject_name)).toEqual(expect.arrayContaining([...names, incident]));
    for (const [log, reader] of [
      ["user/audit", stranger],
      ["partner/audit", otherPartner],
    ] as const)
      expect(await read(log, reader)).toEqual([]);
    await audit(services.database, partner.id, "make dossier", `incident:${money.incident}`, { files: 3 });
    expect(await read("user/audit", customer, { action: "make dossier" })).toHaveLength(2);
    expect(await read("partner/audit", partner, { action: "make dossier" })).toHaveLength(1);
  });
});

it("A day, a month or a time in an entry is written as the screens write it, and other text as it was typed", async () => {
  const dates = { month: "2026-11-01", chosenAt: "2026-12-01T18:30:00.000Z" };
  const [before, after] = [{ on: "2026-12-02" }, { on: "2026-13-02" }];
  await audit(server.services.database, admin.id, "change lead", `lead:${randomUUID()}`, { before, after, ...dates });
  const [entry] = await read("admin/audit", admin, { action: "change lead" });
  expect(entry?.facts).toEqual([
    { name: "On", before: "2 Dec 2026", value: "2026-13-02" },
    { name: "Month", before: null, value: "November 2026" },
    { name: "Chosen at", before: null, value: "2 Dec 2026, 00:00" },
  ]);
});

it("Money in an entry is written as the screens write it", async () => {
  const [before, after] = [{ totalPaise: 2_15_46_847_20 }, { totalPaise: 2_09_36_480_40 }];
  await audit(server.services.database, admin.id, "revise quote", `quote:${randomUUID()}`, { before, after });
  const [entry] = await read("admin/audit", admin, { action: "revise quote" });
  expect(entry?.facts).toEqual([{ name: "Total", before: "₹2,15,46,847.20", value: "₹2,09,36,480.40" }]);
});

describe("What staff say among themselves", () => {
  const words = "They pay late every year";
  const note = (action: AuditAction, detail: object, reader = customer) =>
    audit(server.services.database, admin.id, action, `organisation:${reader.organisationId}`, { ...detail });
  /** Notes each action with every text that staff can type. */
  async function noteAll(reader: Member): Promise<void> {
    for (const action of Object.keys(auditActions) as AuditAction[])
      await note(action, { amountPaise: 100_00, reason: words, remark: words, after: { answer: words } }, reader);
    await sealEntries(server.services.database);
  }
  async function readAll(name: Log, { token }: Member) {
    const found: AuditEntry[] = [];
    const totals = new Set<number>();
    let cursor: string | null = null;
    do {
      const query: { limit: number; cursor?: string } = {
        limit: limits.listLimitMax,
        ...(cursor !== null && { cursor }),
      };
      const { body } = await server.call(name, query, token);
      found.push(...body.entries);
      totals.add(body.total);
      cursor = body.nextCursor;
    } while (cursor !== null);
    return { found, totals: [...totals] };
  }

  it.each<[Log, () => Member]>([
    ["user/audit", () => customer],
    ["partner/audit", () => partner],
  ])("is in %s of no action but those that say it to the customer", async (name, reader) => {
    await noteAll(reader());
    const { found, totals } = await readAll(name, reader());
    const read = found.filter(({ facts }) => JSON.stringify(facts).includes(words));
    // Anybody who adds an action with a reason that customers may read adds it here, and says so next to the field.
    expect(actionsIn(read).toSorted()).toEqual([
      "correct deducted tax",
      "decline quote",
      "drop true-up",
      "owe tax again",
      "refuse less",
      "refuse tax certificate",
      "suppress findings",
      "void proforma",
    ]);
    const left = new Set(actionsIn(found));
    expect(Object.keys(auditActions).filter((action) => !left.has(action))).toEqual([
      "ask write-off",
      "decline write-off",
      "ask refund",
      "approve refund",
      "decline refund",
    ]);
    expect(totals).toEqual([found.length]);
    expect(JSON.stringify(found)).toContain("₹100.00");
    const { found: all } = await readAll("admin/audit", admin);
    expect(JSON.stringify(all.find(({ action }) => action === "ask refund")?.facts)).toContain(words);
  });

  it.each<object>([{ search: "ask refund" }, { search: "late every" }, { search: "ne" }, { action: "decline refund" }])(
    "is neither found nor counted by %j",
    async (query) => {
      await note("ask refund", { reason: words });
      await note("decline refund", { reason: words });
      await sealEntries(server.services.database);
      const { body } = await send("user/audit", query, customer);
      expect(body).toMatchObject({ entries: [], total: 0, totalIsCapped: false, nextCursor: null });
    },
  );

  it("and where an engine is stay with administrators", async () => {
    const engine = { engine: "Wazuh 4", address: "https://10.0.3.7:55000", indexerAddress: "https://10.0.3.7:9200" };
    const at = { ...engine, tenantKey: "kaveri-7", dashboardAddress: "https://10.0.3.7", opensToCustomer: false };
    await note("bind engine", { after: at });
    await note("change engine", { before: at, after: at, hasNewSecret: true });
    await note("test engine", at);
    await note("remove engine", { before: at, after: {} });
    const read = await readAll("user/audit", customer);
    expect(JSON.stringify(read.found)).not.toMatch(/10\.0\.3\.7|kaveri-7/);
    expect(read.found.map(({ facts }) => facts[0])).toEqual([
      { name: "Engine", before: "Wazuh 4", value: "–" },
      { name: "Engine", before: null, value: "Wazuh 4" },
      { name: "Engine", before: "Wazuh 4", value: "Wazuh 4" },
      { name: "Engine", before: "–", value: "Wazuh 4" },
    ]);
    expect(JSON.stringify((await readAll("admin/audit", admin)).found)).toContain("https://10.0.3.7:9200");
  });
});

describe("Whoever only looks", () => {
  const look = (name: string, looker: Member) => send(name, { email: customer.email }, looker);

  it("at a customer's records is noted once an hour, however often and by whatever way", async () => {
    await Promise.all([
      look("admin/getUserByEmailforAdmin", admin),
      look("admin/getPaymentDetailsByEmailforAdmin", admin),
      look("admin/getcustomertToolByEmailApi", admin),
      look("partner/get-payment-details", partner),
    ]);
    const seen = await read("user/audit", customer);
    expect(actionsIn(seen)).toEqual(["view organisation", "view organisation"]);
    expect(seen.map(({ actor_organization }) => String(actor_organization)).toSorted()).toEqual([
      "Malabar Networks",
      "Provider",
    ]);
    expect(await read("user/audit", stranger)).toEqual([]);
  });

  it("is noted for a list that is exported, too", async () => {
    const child = await member(server, "adminChild", { organisationId: admin.organisationId });
    const { email } = await member(server, "user");
    expect((await send("admin/people", { email, export: "csv" }, child)).status).toBe(200);
    const own = await read("admin/audit", admin, { actor: child.email });
    expect(actionsIn(own).toSorted()).toEqual(["export list", "view organisation"]);
  });

  it("is noted as a child administrator too, and for a file", async () => {
    const child = await member(server, "adminChild", { organisationId: admin.organisationId });
    const { id } = await insertOrder(server, customer);
    await server.services.database.$client.query(
      "update invoices set file = 'invoice-kaveri.pdf' where order_id = $1",
      [id],
    );
    expect((await send("admin/getSignedUrlByAdmin", { fileName: "invoice-kaveri.pdf" }, child)).status).toBe(200);
    const looks = await read("user/audit", customer, { action: "view organisation" });
    expect(looks).toMatchObject([{ actor_organization: "Provider", subject_name: "Kaveri Textiles" }]);
  });

  it("at their own is not noted, nor is a change told twice", async () => {
    await send("user/get-estimation", {}, customer);
    await changeSiem("https://siem.example.in/one");
    expect(actionsIn(await read("admin/audit", admin))).toEqual(["update siem"]);
  });
});

test("every list has a name that people know", () => {
  expect(listOperations.filter((operation) => !(operation in listNames))).toEqual([]);
});

test("an export leaves one entry, whatever its pages, with how many rows and by what it was narrowed", async () => {
  for (let made = 0; made < 3; made++) await changeSiem(`https://siem.example.in/${made}`);
  const query = { export: "jsonl", limit: 2, person: admin.email };
  const { body } = await send("admin/audit", query, admin);
  await send("admin/audit", { ...query, cursor: body["nextCursor"] }, admin);
  await send("admin/getUserByAdmin", { role: "user", export: "csv" }, admin);
  const exports = await read("admin/audit", admin, { action: "export list" });
  const told = exports.map(({ subject_name: name, facts }) => [name, facts.map(({ value }) => value).toSorted()]);
  expect(told).toEqual([
    ["customers or partners", [expect.any(String), "csv", "role"]],
    ["the audit log", ["3", "jsonl", "person"]],
  ]);
  expect(JSON.stringify(exports)).not.toContain(admin.email);
});

test.each([
  ["csv", "the register as CSV"],
  ["gstr1", "GSTR-1"],
])("a register that is exported as %s is called by its name", async (format, name) => {
  await send("admin/register", { from: "2031-05-01", to: "2031-05-31", format }, admin);
  const [exported] = await read("admin/audit", admin, { action: "export register" });
  expect([exported?.subject_name, exported?.facts.map(({ value }) => value).toSorted()]).toEqual([
    name,
    ["1 May 2031", "31 May 2031"],
  ]);
});

describe("The log is narrowed", () => {
  beforeEach(async () => {
    await server.services.database.insert(auditEntries).values([
      // The last instant of a day in India, and the first of the next.
      { at: new Date("2026-10-01T18:29:59.999Z"), action: "sign-in", subject: "session:x", actorId: admin.id },
      { at: new Date("2026-10-01T18:30:00Z"), action: "sign-out", subject: "session:x", actorId: admin.id },
      { at: new Date("2026-10-03T06:00:00Z"), action: "sign-in", subject: "session:y", actorId: partner.id },
    ]);
  });
  const found = async (query: object) => actionsIn(await read("admin/audit", admin, query));

  it.each([
    [{}, ["sign-in", "sign-out", "sign-in"]],
    [{ sort: "at", limit: 2 }, ["sign-in", "sign-out"]],
    [{ action: "sign-out" }, ["sign-out"]],
    [{ subject: "session:x" }, ["sign-out", "sign-in"]],
    [{ to: "2026-10-01" }, ["sign-in"]],
    [{ from: "2026-10-02", to: "2026-10-02" }, ["sign-out"]],
    [{ from: "2026-10-02" }, ["sign-in", "sign-out"]],
    [{ person: "nobody@example.in" }, []],
    [{ search: "session:y", action: "sign-in" }, ["sign-in"]],
    // A word may begin after any sign; the middle of a word does not match.
    [{ search: "Y" }, ["sign-in"]],
    [{ search: "g" }, []],
    [{ search: ":y" }, ["sign-in"]],
    [{ search: "n:" }, []],
  ])("by %j", async (query, actions) => {
    expect(await found(query)).toEqual(actions);
  });

  it("by who did it, page after page, with how many there are", async () => {
    const query = { person: admin.email, limit: 1 };
    const first = await send("admin/audit", query, admin);
    expect(first.body).toMatchObject({ total: 2, entries: [{ action: "sign-out" }] });
    const next = await send("admin/audit", { ...query, cursor: first.body["nextCursor"] }, admin);
    expect(next.body).toMatchObject({ total: 2, entries: [{ action: "sign-in" }], nextCursor: null });
  });

  it("by a customer and a partner to their own people: no e-mail of others is confirmed", async () => {
    await changeSiem("https://siem.example.in/one");
    expect((await send("admin/audit", {}, customer)).status).toBe(403);
    expect((await send("admin/audit", {}, partner)).status).toBe(403);
    await server.services.denials.flush();
    expect(actionsIn(await read("admin/audit", admin, { person: customer.email }))).toEqual(["refuse role"]);
    expect(actionsIn(await read("user/audit", customer))).toEqual(["refuse role", "update siem"]);
    expect(await read("user/audit", customer, { person: admin.email })).toEqual([]);
    expect(actionsIn(await read("user/audit", customer, { person: customer.email }))).toEqual(["refuse role"]);
    expect(actionsIn(await read("partner/audit", partner, { person: partner.email }))).toContain("refuse role");
  });

  it("by what is none of it: a sentence says so", async () => {
    for (const query of [{ action: "x" }, { from: "yesterday" }, { person: "x" }])
      expect((await send("admin/audit", query, admin)).status).toBe(422);
  });
});

test("a refusal is read by those of the person who was refused", async () => {
  expect((await send("admin/audit", {}, customer)).status).toBe(403);
  await server.services.denials.flush();
  expect(await read("user/audit", customer)).toMatchObject([
    { action: "refuse role", subject: "operation:admin/audit", address: "203.0.113.9" },
  ]);
  expect(await read("user/audit", stranger)).toEqual([]);
});

it("A subject with characters that no entry can have is refused, or looked for without them", async () => {
  const reader = await member(server, "admin");
  const statusFor = async (subject: string) => (await server.call("admin/audit", { subject }, reader.token)).status;
  expect([await statusFor("person:\0"), await statusFor("person:\uD800")]).toEqual([422, 200]);
});
