import { and, eq, inArray } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { randomUUID } from "node:crypto";
import { mkdirSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { writtenDay } from "../../contract/india-time.ts";
import { sweptData, type SweptName } from "../../contract/retention.ts";
import { password, quoteRequest, registration } from "../../tests/factories.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { insertOrder, insertQuote } from "../../tests/paid-order.ts";
import { member, organisation } from "../../tests/people.ts";
import {
  actionItems,
  attempts,
  auditEntries,
  consents,
  contracts,
  coverageDays,
  dataRequests,
  customerTools,
  demoMailbox,
  engineBindings,
  engineFindings,
  findingDecisions,
  incidents,
  invoices,
  leads,
  mails,
  notices,
  orders,
  organisations,
  paymentEvents,
  people,
  quotes,
  rateLimits,
  sandboxTransactions,
  sessions,
  signInCodes,
  singleUseLinks,
} from "../database/schema/index.ts";
import { rules } from "../protection/limiter.ts";
import { forgetAudit } from "../../tests/forget-audit.ts";
import { applyRetention } from "./retention.ts";
import { sweep } from "./jobs.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ work: false });
});
afterAll(() => server.stop());
beforeEach(async () => {
  await forgetAudit(server);
});

const day = 24 * 3_600_000;
const database = () => server.services.database;
const daysAgo = (days: number) => new Date(server.services.now().getTime() - days * day);
const run = () => applyRetention(server.services);
const isThere = async (key: PgColumn, value: string) => (await database().$count(key.table, eq(key, value))) === 1;

/** Makes a record of this age. Answers a function that tells whether it still exists. */
type Maker = (at: Date) => Promise<() => Promise<boolean>>;

const person = async (over: Partial<typeof people.$inferInsert>, home?: string) => {
  const organisationId = home ?? (await organisation(server, "user"));
  const email = `p-${randomUUID().slice(0, 13)}@example.in`;
  const named = { role: "user" as const, firstName: "Asha", lastName: "Rao", phone: "+919876543210", email };
  const [made] = await database()
    .insert(people)
    .values({ ...named, organisationId, ...over })
    .returning();
  return made ?? expect.fail();
};
const unpaidOrder = async (updatedAt: Date, over: Partial<typeof orders.$inferInsert> = {}) => {
  const order = await insertOrder(server, await member(server, "user"), { state: "failure", updatedAt, ...over });
  const [attempt] = await database()
    .insert(attempts)
    .values({
      orderId: order.id,
      gateway: "sandbox",
      reference: randomUUID().slice(0, 13),
      amountPaise: order.amountPaise,
      state: "failure",
      form: { action: "https://pay.example", fields: {} },
      expiresAt: updatedAt,
    })
    .returning();
  const event = { source: "webhook" as const, outcome: "said failure" as const, raw: { email: "asha@example.in" } };
  await database()
    .insert(paymentEvents)
    .values({ ...event, eventKey: randomUUID(), attemptId: attempt?.id });
  return order;
};

const makers: Record<Exclude<SweptName, "tasks">, Maker> = {
  async signInCodes(expiresAt) {
    const { id } = await member(server, "user");
    await database().insert(signInCodes).values({ personId: id, codeHash: "x", expiresAt });
    return () => isThere(signInCodes.personId, id);
  },
  async links(expiresAt) {
    const { id: personId } = await member(server, "user");
    const secretHash = randomUUID();
    await database().insert(singleUseLinks).values({ personId, purpose: "reset", secretHash, expiresAt });
    return () => isThere(singleUseLinks.secretHash, secretHash);
  },
  async sessions(expiresAt) {
    const { id: personId } = await member(server, "user");
    const id = randomUUID();
    await database().insert(sessions).values({ id, personId, expiresAt, address: "203.0.113.9" });
    return () => isThere(sessions.id, id);
  },
  async dataExports(fileUntil) {
    const [file, id] = [`data-${randomUUID()}.zip`, randomUUID()];
    await server.services.files.write(file, Buffer.from("PK"));
    const { id: askedBy } = await member(server, "admin");
    const request = { id, kind: "export" as const, askedBy, state: "done" as const, file, fileUntil };
    await database().insert(dataRequests).values(request);
    return () =>
      server.services.files.read(file).then(
        () => true,
        () => false,
      );
  },
  async dataRequests(doneAt) {
    const { id: askedBy } = await member(server, "admin");
    const id = randomUUID();
    await database().insert(dataRequests).values({ id, kind: "erasure", askedBy, state: "done", doneAt });
    return () => isThere(dataRequests.id, id);
  },
  async mails(createdAt) {
    const eventKey = randomUUID();
    await database().insert(mails).values({ eventKey, recipient: "asha@example.in", attachments: [], createdAt });
    return () => isThere(mails.eventKey, eventKey);
  },
  async closedActions(closedAt) {
    const subjectId = randomUUID();
    const told = { about: "O-000001", who: "Kaveri Textiles", problem: "Paid twice.", since: closedAt };
    await database()
      .insert(actionItems)
      .values({ queue: "payments", subjectId, ...told, closedAt });
    return () => isThere(actionItems.subjectId, subjectId);
  },
  async engineFindings(at) {
    const organisationId = await organisation(server, "user");
    const place = { kind: "wazuh4" as const, address: "https://wazuh.example.in", nextPollAt: at };
    const [binding] = await database()
      .insert(engineBindings)
      .values({ organisationId, ...place })
      .returning();
    const externalId = randomUUID();
    const found = { externalId, title: "A finding", severity: "high", rawSeverity: "10", state: "closed" } as const;
    await database()
      .insert(engineFindings)
      .values({ bindingId: binding?.id ?? "", organisationId, ...found, at, attack: [] });
    return () => isThere(engineFindings.externalId, externalId);
  },
  async coverageDays(at) {
    const organisationId = await organisation(server, "user");
    const counted = { lines: [], notContracted: 0, unmatched: 0 };
    await database()
      .insert(coverageDays)
      .values({ organisationId, day: writtenDay(at), timeZone: "Asia/Kolkata", takenAt: at, ...counted });
    return () => isThere(coverageDays.organisationId, organisationId);
  },
  async notices(createdAt) {
    const { id: personId } = await member(server, "user");
    const told = { kind: "announcement", eventKey: randomUUID(), title: "Maintenance", text: "On Sunday.", link: "" };
    await database()
      .insert(notices)
      .values({ ...told, personId, createdAt });
    return () => isThere(notices.eventKey, told.eventKey);
  },
  async contactRequests(createdAt) {
    const id = randomUUID();
    const said = { userName: "Asha", phone: "+919876543210", organization: "K", organizationSize: 1, message: "Hi" };
    await database()
      .insert(leads)
      .values({ id, userEmail: "asha@example.in", ...said, createdAt });
    await database().insert(consents).values({ purpose: "contact", leadId: id, givenAt: createdAt });
    return async () => {
      const kept = [await isThere(leads.id, id), await isThere(consents.leadId, id)];
      expect(new Set(kept).size).toBe(1);
      return kept[0] ?? false;
    };
  },
  async visitorsEstimates(createdAt) {
    const file = `proposal-${randomUUID()}.pdf`;
    await server.services.files.write(file, Buffer.from("%PDF"));
    const { id } = await insertQuote(server, null, { createdAt, proposalFile: file });
    return async () => {
      const fileKept = await server.services.files.read(file).then(
        () => true,
        () => false,
      );
      expect(await isThere(quotes.id, id)).toBe(fileKept);
      return fileKept;
    };
  },
  async unconfirmedRegistrations(createdAt) {
    const { id, organisationId } = await person({ passwordHash: "x", createdAt });
    return async () => {
      expect(await isThere(organisations.id, organisationId)).toBe(await isThere(people.id, id));
      return isThere(people.id, id);
    };
  },
  async unansweredInvitations(createdAt) {
    const { id, organisationId } = await person({ createdAt });
    return async () => {
      expect(await isThere(organisations.id, organisationId)).toBe(await isThere(people.id, id));
      return isThere(people.id, id);
    };
  },
  async unpaidOrders(updatedAt) {
    const { id, quoteId } = await unpaidOrder(updatedAt);
    return async () => {
      expect(await isThere(attempts.orderId, id)).toBe(await isThere(orders.id, id));
      expect(await isThere(quotes.id, quoteId)).toBe(true);
      return isThere(orders.id, id);
    };
  },
  async strayPaymentMessages(receivedAt) {
    const eventKey = randomUUID();
    const raw = { email: "asha@example.in" };
    await database()
      .insert(paymentEvents)
      .values({ eventKey, source: "webhook", outcome: "said nothing", raw, receivedAt });
    return () => isThere(paymentEvents.eventKey, eventKey);
  },
  async auditEntries(at) {
    const id = randomUUID();
    await database().insert(auditEntries).values({ id, at, action: "sign-in", subject: "session:x" });
    return () => isThere(auditEntries.id, id);
  },
  async counters(at) {
    const key = randomUUID();
    await database().insert(rateLimits).values({ key, expire: at.getTime() });
    return () => isThere(rateLimits.key, key);
  },
  async demoMails(createdAt) {
    const id = randomUUID();
    const mail = { recipient: "asha@example.in", subject: "Hi", html: "", text: "", attachments: [] };
    await database()
      .insert(demoMailbox)
      .values({ id, ...mail, createdAt });
    return () => isThere(demoMailbox.id, id);
  },
  async trialPayments(createdAt) {
    const reference = randomUUID();
    const payment = { gatewayPaymentId: reference, status: "success" as const, unmappedStatus: "captured", form: {} };
    await database()
      .insert(sandboxTransactions)
      .values({ reference, ...payment, createdAt });
    return () => isThere(sandboxTransactions.reference, reference);
  },
};
const entries = Object.entries(makers) as [keyof typeof makers, Maker][];

it.each(entries)("%s: what is too old goes, what is a minute younger stays", async (name, make) => {
  const limit = daysAgo(sweptData[name].days).getTime();
  const old = await make(new Date(limit - 60_000));
  const young = await make(new Date(limit + 60_000));
  expect([await old(), await young()]).toEqual([true, true]);
  await run();
  expect([await old(), await young()]).toEqual([false, true]);
  const [entry] = await database().select().from(auditEntries).where(eq(auditEntries.action, "apply retention"));
  expect(entry).toMatchObject({ actorId: null, subject: "retention", detail: { [name]: 1 } });
  await run();
  expect(await young()).toBe(true);
});

describe("what is still of use stays, however old", () => {
  const ancient = () => daysAgo(3000);
  it("paid orders and those with an open question of money, with their messages and audit entries", async () => {
    const buyer = await member(server, "user");
    const paid = await insertOrder(server, buyer);
    await database().update(orders).set({ updatedAt: ancient() }).where(eq(orders.id, paid.id));
    const unsettled = await Promise.all(
      (["initiated", "pending", "review"] as const).map((state) => unpaidOrder(ancient(), { state })),
    );
    const kept = [
      paid,
      ...unsettled,
      await unpaidOrder(ancient(), { paymentId: "403993715" }),
      await unpaidOrder(ancient(), { reviewReason: "Another amount" }),
    ].map(({ id }) => id);
    for (const subject of [`order:${paid.id}`, "invoice:SOC/20-21/000001"])
      await database().insert(auditEntries).values({ at: ancient(), action: "payment success", subject });
    await run();
    expect(await database().$count(orders, inArray(orders.id, kept))).toBe(kept.length);
    expect(await isThere(invoices.orderId, paid.id)).toBe(true);
    const books = eq(auditEntries.action, "payment success");
    expect(await database().$count(auditEntries, books)).toBe(2);
    const tries = await database().select().from(attempts).where(inArray(attempts.orderId, kept));
    expect(tries).toHaveLength(kept.length - 1);
    for (const { id } of tries) expect(await isThere(paymentEvents.attemptId, id)).toBe(true);
  });
  it("findings that an incident was made of, with what became of them", async () => {
    const organisationId = await organisation(server, "user");
    const [binding] = await database()
      .insert(engineBindings)
      .values({ organisationId, kind: "wazuh4", address: "https://wazuh.example.in", nextPollAt: ancient() })
      .returning();
    const of = { bindingId: binding?.id ?? "", organisationId, title: "A finding", severity: "high" } as const;
    const told = { ...of, externalId: randomUUID(), rawSeverity: "10", state: "closed" as const, at: ancient() };
    const [attached, alone] = await database()
      .insert(engineFindings)
      .values([told, { ...told, externalId: randomUUID() }].map((each) => ({ ...each, attack: [] })))
      .returning();
    const [incident] = await database()
      .insert(incidents)
      .values({
        organisationId,
        title: "Beacon",
        source: "analyst",
        severity: "P1",
        openedAt: ancient(),
        changedAt: ancient(),
      })
      .returning();
    await database()
      .insert(findingDecisions)
      .values({
        findingId: attached?.id ?? "",
        organisationId,
        fate: "attached",
        incidentId: incident?.id ?? null,
        reason: "",
        decidedAt: ancient(),
      });
    await run();
    expect(await isThere(engineFindings.id, attached?.id ?? "")).toBe(true);
    expect(await isThere(engineFindings.id, alone?.id ?? "")).toBe(false);
  });
  it("an organisation's estimates", async () => {
    const owner = await member(server, "user");
    const { id } = await insertQuote(server, owner, { createdAt: ancient() });
    await run();
    expect(await isThere(quotes.id, id)).toBe(true);
  });
  it("people who proved to own their address, and those with an open invitation", async () => {
    const proved = await person({ passwordHash: "x", createdAt: ancient(), emailVerifiedAt: ancient() });
    const invited = await person({ createdAt: ancient() });
    await database()
      .insert(singleUseLinks)
      .values({ personId: invited.id, purpose: "invite", secretHash: randomUUID(), expiresAt: daysAgo(-1) });
    await run();
    expect([await isThere(people.id, proved.id), await isThere(people.id, invited.id)]).toEqual([true, true]);
  });
  it("the organisation of somebody who goes, if it has anybody or anything else", async () => {
    const withPeople = await member(server, "user");
    const withTools = await organisation(server, "user");
    await database().insert(customerTools).values({ organisationId: withTools });
    const withCustomers = await organisation(server, "partner");
    await organisation(server, "user", "Kaveri Textiles", withCustomers);
    const withEngine = await organisation(server, "user");
    const engine = { kind: "wazuh4", address: "https://wazuh.example.in", nextPollAt: server.services.now() } as const;
    await database()
      .insert(engineBindings)
      .values({ organisationId: withEngine, ...engine });
    const homes = [withPeople.organisationId, withTools, withCustomers, withEngine];
    const gone = await Promise.all(homes.map((home) => person({ createdAt: ancient() }, home)));
    await run();
    for (const { id } of gone) expect(await isThere(people.id, id)).toBe(false);
    for (const home of homes) expect(await isThere(organisations.id, home)).toBe(true);
  });
});

it("more than a batch goes in one run, and two runs at once delete each record once", async () => {
  const at = daysAgo(sweptData.contactRequests.days + 1);
  const lead = { userName: "A", phone: "+919876543210", organization: "K", organizationSize: 1, message: "Hi" };
  await database()
    .insert(leads)
    .values(Array.from({ length: 2500 }, () => ({ ...lead, userEmail: "many@example.in", createdAt: at })));
  for (let made = 0; made < 3; made++)
    await insertQuote(server, null, { createdAt: daysAgo(sweptData.visitorsEstimates.days + 1) });
  await Promise.all([run(), run(), run()]);
  const counted = await database().select().from(auditEntries).where(eq(auditEntries.action, "apply retention"));
  const sum = (name: string) => counted.reduce((total, { detail }) => total + Number(detail[name] ?? 0), 0);
  expect([sum("contactRequests"), sum("visitorsEstimates")]).toEqual([2500, 3]);
});

it("one kind that can't be deleted holds up no other, and is logged", async () => {
  const at = daysAgo(5000);
  const file = `proposal-${randomUUID()}.pdf`;
  await insertQuote(server, null, { createdAt: at, proposalFile: file });
  const request = await makers.contactRequests(at);
  // A folder of that name can't be deleted as a file.
  const inTheWay = join(server.services.env.dataDir, "files", file);
  mkdirSync(inTheWay, { recursive: true });
  await run();
  rmdirSync(inTheWay);
  expect(await request()).toBe(false);
  expect(server.log.join("")).toContain('"data":"visitorsEstimates"');
  expect(await database().$count(quotes, eq(quotes.createdAt, at))).toBe(1);
  await run();
  expect(await database().$count(quotes, eq(quotes.createdAt, at))).toBe(0);
});

it("no counter lasts longer than the day that the notice names", () => {
  expect(
    Math.max(...Object.values(rules).map((rule) => ("seconds" in rule ? rule.seconds : rule.forgottenAfterSeconds))),
  ).toBeLessThanOrEqual(24 * 3600);
});

it("what came from others and was deleted can come again", async () => {
  const { email } = await person({ createdAt: daysAgo(3000) });
  await run();
  const { status } = await server.call("auth/register", registration({ email }));
  expect(status).toBe(201);
  expect((await server.call("auth/login", { email, password })).status).toBe(200);
});

it("sweeping often asks for one run a day, which a started product makes; the queue forgets the task in time", async () => {
  const isOldThere = await makers.contactRequests(daysAgo(3000));
  await Promise.all([sweep(server.services), sweep(server.services), sweep(server.services)]);
  const { rows } = await database().execute(`select deletion_seconds from jobs.job where name = 'apply-retention'`);
  expect(rows).toEqual([{ deletion_seconds: sweptData.tasks.days * 24 * 3600 }]);
  await server.services.work();
  await expect.poll(isOldThere).toBe(false);
});

it("with the clock turned, what came by the forms is deleted when the notice says so, and an account in use never", async () => {
  const user = await member(server, "user", { emailVerifiedAt: server.services.now() });
  const visitor = quoteRequest();
  const stranger = registration();
  await server.call("estimator", visitor);
  await server.call("auth/register", stranger);
  await server.call("contact", {
    userName: "Asha Rao",
    userEmail: visitor.userEmail,
    phone: "9876543210",
    organization: "Kaveri Textiles",
    organizationSize: 120,
    message: "Please call.",
  });
  const found = async () => [
    await database().$count(quotes, eq(quotes.userEmail, visitor.userEmail)),
    await database().$count(leads, and(eq(leads.userEmail, visitor.userEmail), eq(leads.source, "contact"))),
    await database().$count(people, eq(people.email, stranger.email)),
    await database().$count(people, eq(people.email, user.email)),
  ];
  const pass = async (days: number) => {
    server.passTime(days * 24 * 3600);
    await run();
    return found();
  };
  expect(await pass(364)).toEqual([1, 1, 1, 1]);
  expect(await pass(2)).toEqual([1, 1, 0, 1]);
  expect(await pass(363)).toEqual([1, 1, 0, 1]);
  expect(await pass(2)).toEqual([0, 0, 0, 1]);
});

it("a registration that nobody has confirmed goes, too, once its customer was merged and it is a child account", async () => {
  const ancientAt = daysAgo(sweptData.unconfirmedRegistrations.days + 1);
  const { id } = await member(server, "userChild", { emailVerifiedAt: null, createdAt: ancientAt });
  await run();
  expect(await isThere(people.id, id)).toBe(false);
});

it("registering again begins the time anew", async () => {
  const form = registration();
  await server.call("auth/register", form);
  server.passTime(300 * 24 * 3600);
  await server.call("auth/register", form);
  server.passTime(100 * 24 * 3600);
  await run();
  expect(await isThere(people.email, form.email)).toBe(true);
});

it("The coverage of a day stays for a year after the contract that held it", async () => {
  const customer = await member(server, "user");
  const begun = daysAgo(500);
  await insertOrder(server, customer, { state: "success", paymentId: "P1", paidAt: begun });
  const [contract] = await database()
    .select()
    .from(contracts)
    .where(eq(contracts.organisationId, customer.organisationId));
  expect(contract?.startsOn).toBe(writtenDay(begun));
  const of = { organisationId: customer.organisationId, timeZone: "Asia/Kolkata", takenAt: begun };
  const counted = { lines: [], notContracted: 0, unmatched: 0 };
  const [before, within] = [writtenDay(daysAgo(501)), writtenDay(daysAgo(499))];
  await database()
    .insert(coverageDays)
    .values([before, within].map((each) => ({ ...of, ...counted, day: each })));
  await run();
  const kept = await database()
    .select()
    .from(coverageDays)
    .where(eq(coverageDays.organisationId, customer.organisationId));
  expect(kept.map((row) => row.day)).toEqual([within]);
});
