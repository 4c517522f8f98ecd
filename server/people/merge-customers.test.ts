import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { setTimeout } from "node:timers/promises";
import { messages } from "../../contract/messages.ts";
import { later } from "../../contract/durations.ts";
import { password, quoteRequest, registration } from "../../tests/factories.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { sellerIs } from "../../tests/billing.ts";
import { orderOf } from "../../tests/buyer.ts";
import { insertOrder, insertQuote } from "../../tests/paid-order.ts";
import { member, type Member } from "../../tests/people.ts";
import { bankOfTests, bankStatement, newUtr, transferBuyer, today } from "../../tests/transfers.ts";
import { countWaiting, inTurn, whileHeld } from "../../tests/while-held.ts";
import { newSecret } from "../accounts/links.ts";
import { lockEmail } from "../accounts/queries.ts";
import {
  actionItems,
  coverageDays,
  customerTools,
  deviceDecisions,
  engineBindings,
  engineFindings,
  incidents,
  invoices,
  matchRules,
  monthlyFigures,
  onboardingItems,
  onboardings,
  organisations,
  people,
  rateLimits,
  silenceLimits,
  singleUseLinks,
} from "../database/schema/index.ts";

let server: TestServer;
let admin: Member;
beforeAll(async () => {
  server = await startTestServer({ work: false });
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.services.database.delete(rateLimits);
  admin = await member(server, "admin");
});

const database = () => server.services.database;
const isLetIn = async ({ token }: Member) => (await server.call("user/me", {}, token)).status === 200;

async function preview(from: Member, into: Member) {
  const query = { from: from.email, into: into.email };
  return (await server.call("admin/people/merge-preview", query, admin.token)).body.merge;
}
async function merge(from: Member, into: Member) {
  const { from: first, into: second } = await preview(from, into);
  return server.call("admin/people/merge", { from: first, into: second }, admin.token);
}
/** A customer with a main account and a child account. */
async function family(name: string) {
  const parent = await member(server, "user", { organizationName: name });
  const child = await member(server, "userChild", { organisationId: parent.organisationId });
  return { parent, child, id: parent.organisationId };
}

describe("Two customers that are one company", () => {
  it("become one: people sign in, quotes and orders come along, invoices keep what they say", async () => {
    const [from, into] = [await family("Kaveri Mills"), await family("Kaveri Textiles")];
    const quote = await insertQuote(server, from.parent);
    const order = await insertOrder(server, from.parent);
    await database().insert(customerTools).values({ organisationId: from.id, siemUrl: "https://siem.example.in/1" });
    const invoiceOf = async () =>
      (await database().select().from(invoices).where(eq(invoices.orderId, order.id)))[0]?.content;
    const before = await invoiceOf();

    const shown = await preview(from.parent, into.parent);
    expect(shown.refusal).toBeNull();
    expect(shown.moves).toEqual([
      "2 people of Kaveri Mills keep signing in as before, as child accounts of Kaveri Textiles.",
      "2 quotes and 1 order with their invoices, which say what they said.",
      "The addresses of the dashboards.",
    ]);
    const merged = await merge(from.parent, into.parent);
    expect([merged.status, merged.body.message]).toEqual([200, "Kaveri Mills is part of Kaveri Textiles now."]);

    expect([await isLetIn(from.child), await isLetIn(from.parent), await isLetIn(into.parent)]).toEqual([
      true,
      false,
      true,
    ]);
    const payments = await server.call("user/get-payment-by-email", {}, from.child.token);
    expect(payments.body.paymentDetails).toHaveLength(1);
    expect(await invoiceOf()).toEqual(before);
    const estimates = await server.send("user/get-estimation", {}, into.parent.token);
    expect(JSON.stringify(estimates.body)).toContain(quote.id);
    const tools = await database()
      .select()
      .from(customerTools)
      .where(inArray(customerTools.organisationId, [from.id, into.id]));
    expect(tools).toMatchObject([{ organisationId: into.id, siemUrl: "https://siem.example.in/1" }]);
    const main = await database()
      .select({ id: people.id })
      .from(people)
      .where(and(eq(people.organisationId, into.id), eq(people.role, "user")));
    expect(main).toEqual([{ id: into.parent.id }]);
    expect(await database().$count(organisations, eq(organisations.id, from.id))).toBe(0);
    const query = { subject: `organisation:${into.id}`, action: "merge organisation" } as const;
    const [entry] = (await server.call("admin/audit", query, admin.token)).body.entries;
    expect(entry?.facts.find(({ name }) => name === "Merged")?.value).toBe("Kaveri Mills");
  });

  it("keep their name when one of their addresses is registered anew by whoever knows it", async () => {
    const into = await family("Kaveri Textiles");
    const again = registration();
    await server.call("auth/register", again);
    const [person] = await database().select().from(people).where(eq(people.email, again.email));
    const from = { ...into.parent, id: person?.id ?? "", email: again.email };
    expect((await merge(from, into.parent)).status).toBe(200);
    await server.call("auth/register", { ...again, organizationName: "A stranger's words" });
    const [merged] = await database().select().from(organisations).where(eq(organisations.id, into.id));
    expect(merged?.name).toBe("Kaveri Textiles");
  });

  it("count as one from then on", async () => {
    const customers = async () =>
      (await database().select().from(monthlyFigures)).reduce(
        (sum, row) => sum + (row.partnerId ? 0 : row.customers),
        0,
      );
    const [from, into] = [await family("A Mills"), await family("B Mills")];
    const before = await customers();
    await merge(from.parent, into.parent);
    expect(await customers()).toBe(before - 1);
  });

  it("have an e-mail once: whoever has joined stays, of two invitations the one that was there", async () => {
    const [from, into] = [await family("Kaveri Mills"), await family("Kaveri Textiles")];
    const invite = (email: string, by: Member) =>
      server.call("user/create-child-user", { firstName: "R", lastName: "N", email, phoneNo: "9800000001" }, by.token);
    const twice = registration().email;
    await invite(twice, from.parent);
    await invite(twice, into.parent);
    // Invited by one and joined with the other, as old records may have it.
    const joined = registration().email;
    await member(server, "userChild", { organisationId: from.id, email: joined });
    await member(server, "userChild", { organisationId: into.id, email: joined, joinedAt: null, passwordHash: null });
    expect((await merge(from.parent, into.parent)).status).toBe(200);
    for (const [email, hasJoined] of [
      [twice, false],
      [joined, true],
    ] as const) {
      const rows = await database().select().from(people).where(eq(people.email, email));
      expect(rows.map((row) => [row.organisationId, row.joinedAt !== null])).toEqual([[into.id, hasJoined]]);
    }
  });

  it.each(["first", "second"] as const)(
    "keep whoever accepts the invitation of the %s one in that moment, and not the other invitation",
    async (accepted) => {
      const [from, into] = [await family("Kaveri Mills"), await family("Kaveri Textiles")];
      const { email } = registration();
      const invite = async ({ id: organisationId }: { id: string }) =>
        (await member(server, "userChild", { organisationId, email, joinedAt: null, passwordHash: null })).id;
      const ids = { first: await invite(from), second: await invite(into) };
      const [merged] = await whileHeld(
        server,
        `update people set joined_at = now(), password_hash = 'chosen' where id = '${ids[accepted]}'`,
        () => [merge(from.parent, into.parent)],
        1,
        "commit",
      );
      expect(merged?.status).toBe(200);
      const rows = await database().select().from(people).where(eq(people.email, email));
      expect(rows.map((row) => [row.id, row.organisationId, row.passwordHash])).toEqual([
        [ids[accepted], into.id, "chosen"],
      ]);
    },
  );

  it("keep whoever accepts while they become one, whichever comes first", async () => {
    for (let round = 0; round < 4; round++) {
      const [from, into] = [await family("Kaveri Mills"), await family("Kaveri Textiles")];
      const { email } = registration();
      const { secret, secretHash } = newSecret();
      const expiresAt = later(server.services.now(), { hours: 1 });
      const invite = ({ id: organisationId }: { id: string }) =>
        member(server, "userChild", {
          organisationId,
          email,
          joinedAt: null,
          emailVerifiedAt: null,
          passwordHash: null,
          invitedUntil: expiresAt,
        });
      const { id: personId } = await invite(round % 2 ? from : into);
      await invite(round % 2 ? into : from);
      await database().insert(singleUseLinks).values({ personId, purpose: "invite", secretHash, expiresAt });
      const { from: first, into: second } = await preview(from.parent, into.parent);
      const [joined, merged] = await Promise.all([
        server.call("auth/accept-invite", { token: secret, password, confirmPassword: password }),
        server.call("admin/people/merge", { from: first, into: second }, admin.token),
      ]);
      expect(merged.status).toBe(200);
      expect([200, 422]).toContain(joined.status);
      const rows = await database().select().from(people).where(eq(people.email, email));
      expect(rows.map((row) => [row.organisationId, row.joinedAt !== null])).toEqual([
        [into.id, joined.status === 200],
      ]);
    }
  });

  it("wait for dashboards as the one did, which has paid and has none, and not once one of them has", async () => {
    const waits = (ids: string[]) =>
      database()
        .select({ organisationId: actionItems.subjectId, who: actionItems.who })
        .from(actionItems)
        .where(and(inArray(actionItems.subjectId, ids), isNull(actionItems.closedAt)));
    for (const [intoBuys, isServed] of [
      [false, false],
      [true, false],
      [false, true],
    ]) {
      const [from, into] = [await family("Kaveri Mills"), await family("Kaveri Textiles")];
      await insertOrder(server, from.parent);
      if (intoBuys) await insertOrder(server, into.parent);
      if (isServed) await database().insert(customerTools).values({ organisationId: into.id });
      expect((await merge(from.parent, into.parent)).status).toBe(200);
      expect(await waits([from.id, into.id])).toEqual(
        isServed ? [] : [{ organisationId: into.id, who: "Kaveri Textiles" }],
      );
    }
  });

  it("have lines of a checklist to do that the one brings, though the other had done all", async () => {
    const [from, into] = [await family("Kaveri Mills"), await family("Kaveri Textiles")];
    const opened = { orderId: (await insertOrder(server, into.parent)).id, openedAt: new Date() };
    const line = { side: "ours", dueOn: "2026-12-31", createdAt: new Date() } as const;
    const isDone = { doneAt: new Date() };
    const settled = { ...line, kind: "contacts", key: "", tickedAt: new Date(), tickedBy: admin.id } as const;
    await database()
      .insert(onboardings)
      .values([
        { ...opened, organisationId: from.id },
        { ...opened, ...isDone, organisationId: into.id },
      ]);
    await database()
      .insert(onboardingItems)
      .values([
        { ...settled, organisationId: into.id },
        { ...settled, organisationId: from.id },
        { ...line, kind: "log source", key: "Other thing", organisationId: from.id },
      ]);
    expect((await merge(from.parent, into.parent)).status).toBe(200);
    const [list] = await database().select().from(onboardings).where(eq(onboardings.organisationId, into.id));
    expect(list?.doneAt).toBeNull();
  });

  it("keep the dashboards of the one they become", async () => {
    const [from, into] = [await family("Kaveri Mills"), await family("Kaveri Textiles")];
    for (const { id } of [from, into])
      await database()
        .insert(customerTools)
        .values({ organisationId: id, siemUrl: `https://siem.example.in/${id}` });
    const { stays } = await preview(from.parent, into.parent);
    expect(stays.join(" ")).toMatch(/The dashboards of Kaveri Textiles\. Those of Kaveri Mills are shown to nobody/);
    await merge(from.parent, into.parent);
    const tools = await database().select().from(customerTools).where(eq(customerTools.organisationId, into.id));
    expect(tools[0]?.siemUrl).toBe(`https://siem.example.in/${into.id}`);
  });

  it("keep what was said of their devices, and their days; where both have one, that of the one they become", async () => {
    const [from, into] = [await family("Kaveri Mills"), await family("Kaveri Textiles")];
    const at = server.services.now();
    const type = { service: "Server", deviceType: "Prod Server" };
    const said = ({ id }: { id: string }, own: string, minutes: number) => ({
      rules: { organisationId: id, kind: "name" as const, pattern: `${own}-*`, ...type, place: 100, changedAt: at },
      decisions: ["shared", own].map((identity) => {
        return { organisationId: id, identity, silenceMinutes: minutes, decidedAt: at };
      }),
      limits: { organisationId: id, ...type, minutes, changedAt: at },
      days: ["2026-11-01", own === "mills" ? "2026-10-31" : "2026-11-02"].map((day) => {
        const counted = { lines: [], notContracted: minutes, unmatched: 0 };
        return { organisationId: id, day, timeZone: "Asia/Kolkata", takenAt: at, ...counted };
      }),
    });
    for (const { rules, decisions, limits, days } of [said(from, "mills", 5), said(into, "textiles", 10)]) {
      await database().insert(matchRules).values(rules);
      await database().insert(deviceDecisions).values(decisions);
      await database().insert(silenceLimits).values(limits);
      await database().insert(coverageDays).values(days);
    }
    expect((await merge(from.parent, into.parent)).status).toBe(200);
    const ofInto = ({ organisationId }: { organisationId: PgColumn }) => eq(organisationId, into.id);
    const rules = await database().select().from(matchRules).where(ofInto(matchRules)).orderBy(matchRules.place);
    expect(rules.map(({ pattern, place }) => [pattern, place])).toEqual([
      ["textiles-*", 100],
      ["mills-*", 200],
    ]);
    const decisions = await database().select().from(deviceDecisions).where(ofInto(deviceDecisions));
    expect(Object.fromEntries(decisions.map((each) => [each.identity, each.silenceMinutes]))).toEqual({
      mills: 5,
      shared: 10,
      textiles: 10,
    });
    const limits = await database().select().from(silenceLimits).where(ofInto(silenceLimits));
    expect(limits.map(({ minutes }) => minutes)).toEqual([10]);
    const days = await database().select().from(coverageDays).where(ofInto(coverageDays)).orderBy(coverageDays.day);
    expect(days.map(({ day, notContracted }) => [day, notContracted])).toEqual([
      ["2026-10-31", 5],
      ["2026-11-01", 10],
      ["2026-11-02", 10],
    ]);
  });

  it("leave nothing behind: each table that names a customer is thought of", async () => {
    const { rows } = await database().$client.query<{ name: string }>(
      "select distinct conrelid::regclass::text as name from pg_constraint where contype = 'f' and confrelid = 'organisations'::regclass",
    );
    const moved = [
      "people quotes orders contracts usage_snapshots customer_tools tiles held_sources service_reports",
      "engine_bindings engine_devices engine_findings engine_incidents",
      "match_rules device_decisions silence_limits coverage_days",
      "incidents suppression_rules finding_decisions contact_ladders",
      "onboardings onboarding_items sites entity_class_versions regulator_facts obligation_filings obligation_warnings",
    ];
    const others = ["organisations", "covered_devices", "coverage_figures"];
    const known = new Set([...others, ...moved.flatMap((names) => names.split(" "))]);
    expect(rows.map(({ name }) => name).filter((name) => !known.has(name))).toEqual([]);
  });
});

describe("Whoever is at work in the moment in which their organisation becomes another's", () => {
  const work: [what: string, act: (by: Member) => Promise<{ status: number; body: { error?: string } }>][] = [
    [
      "invites somebody",
      ({ token }) => {
        const { email } = registration();
        const form = { firstName: "R", lastName: "N", email, phoneNo: "9800000001" };
        return server.call("user/create-child-user", form, token);
      },
    ],
    [
      "reports an attack",
      ({ token }) => {
        const report = { id: randomUUID(), what: "Files are being encrypted", since: "noon", call: "Asha" };
        return server.call("user/under-attack/post", report, token);
      },
    ],
    ["sends an estimate", ({ token, email }) => server.call("estimator", quoteRequest({ userEmail: email }), token)],
    ["sets its time zone", ({ token }) => server.call("user/onboarding/time-zone", { timeZone: "Asia/Dubai" }, token)],
  ];
  it.each(work)("and %s is told so, and nothing breaks", async (_what, act) => {
    const [from, into] = [await family("Kaveri Mills"), await family("Kaveri Textiles")];
    const seen = await preview(from.parent, into.parent);
    const merging = () =>
      server.call("admin/people/merge", { from: seen.from, into: seen.into }, admin.token).then(({ status }) => status);
    // The merge holds both organisations and waits; then the other call comes.
    const [merged, answer] = await whileHeld<unknown>(server, "lock table audit_entries in share mode", () => [
      merging(),
      setTimeout(500).then(() => act(from.parent)),
    ]);
    expect(merged).toBe(200);
    const { status, body } = answer as { status: number; body: { error?: string } };
    expect([status, body.error]).toEqual([409, messages.organizationMerged]);
  });
});

describe("Money that comes while its customer becomes another's", () => {
  /** Two customers who are to transfer, and the calls for it. */
  async function twoWhoPay() {
    await sellerIs(server, { bank: bankOfTests });
    const [one, two] = [await transferBuyer(server), await transferBuyer(server)];
    const asked = [(await one.choose()).body, (await two.choose()).body];
    const file = bankStatement(
      asked.map(({ pay, reference }) => ({ utr: newUtr(), credit: pay, narration: reference })),
    );
    const { document = "", pay = "" } = asked[1] ?? {};
    const came = { utr: newUtr(), received_on: today(server), payer: "Periyar Spices", amount: pay, pays: document };
    const into = await member(server, "user");
    const { from, into: other } = await preview(two.person, into);
    return {
      bought: [one.quote.id, two.quote.id],
      into: into.organisationId,
      "a transfer": () => server.call("admin/transfers/record", came, admin.token),
      "a statement": () => server.call("admin/transfers/import", { file, name: "both.csv" }, admin.token),
      merge: () => server.call("admin/people/merge", { from, into: other }, admin.token),
    };
  }
  const waiting = () =>
    expect.poll(async () => {
      const locks = sql`select count(*)::int as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`;
      return (await database().execute<{ count: number }>(locks)).rows[0]?.count;
    });
  const theSeries = "select pg_advisory_xact_lock(hashtextextended('invoice_series', 0))";
  const ways = ["a transfer", "a statement"] as const;

  it.each(ways)("%s first: it is entered, and then they become one", async (way) => {
    const { [way]: enter, bought, into, merge: join } = await twoWhoPay();
    // The entry holds the order and waits for a number; the merge wants that order.
    const answers = await whileHeld<{ status: number }>(server, theSeries, () => [
      enter(),
      waiting()
        .toBe(1)
        .then(() => join()),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await orderOf(server, bought[1] ?? "")).toMatchObject({ state: "success", organisationId: into });
  });

  it.each(ways)("%s second: they become one, and then it is entered", async (way) => {
    const { [way]: enter, bought, into, merge: join } = await twoWhoPay();
    // The merge has moved everything and waits for its audit entry.
    const answers = await whileHeld<{ status: number }>(server, "lock table audit_entries in share mode", () => [
      join(),
      waiting()
        .toBe(1)
        .then(() => enter()),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await orderOf(server, bought[1] ?? "")).toMatchObject({ state: "success", organisationId: into });
  });

  it("and whoever joins in that moment comes along", async () => {
    const [from, into, other] = [await family("Kaveri Mills"), await family("Kaveri Textiles"), await family("Other")];
    const seen = await preview(from.parent, into.parent);
    const comes = `update people set organisation_id = '${from.id}' where email = '${other.child.email}'`;
    const join = () => server.call("admin/people/merge", { from: seen.from, into: seen.into }, admin.token);
    const [joined] = await whileHeld(server, comes, () => [join()], 1, "commit");
    expect(joined?.status).toBe(200);
    const [person] = await database().select().from(people).where(eq(people.email, other.child.email));
    expect(person?.organisationId).toBe(into.id);
  });
});

describe("A merge of customers and", () => {
  /** A customer with an engine's finding and an incident, and the call that merges it into another. */
  async function watched() {
    const [from, into] = [await family("Kaveri Mills"), await family("Kaveri Textiles")];
    const now = server.services.now();
    const bindingId = randomUUID();
    await database()
      .insert(engineBindings)
      .values({
        id: bindingId,
        organisationId: from.id,
        kind: "wazuh4",
        address: `https://${bindingId}.example.in`,
        nextPollAt: now,
      });
    const [finding] = await database()
      .insert(engineFindings)
      .values({
        bindingId,
        organisationId: from.id,
        externalId: "1",
        title: "Many failed sign-ins",
        severity: "low",
        rawSeverity: "3",
        state: "open",
        at: now,
        attack: [],
      })
      .returning();
    const incident = { email: from.parent.email, title: "A stranger signed in", severity: "P1" as const };
    const open = (more: object = {}) =>
      server.send("admin/incidents/open", { id: randomUUID(), ...incident, ...more }, admin.token);
    const incidentId = String((await open()).body["incident_id"]);
    const seen = await preview(from.parent, into.parent);
    const join = () => server.call("admin/people/merge", { from: seen.from, into: seen.into }, admin.token);
    return { from, into, findingId: finding?.id ?? "", incidentId, open, join };
  }
  const statusesOf = (answers: { status: number }[]) => answers.map(({ status }) => status);

  it("who decides about its finding don't wait for each other", async () => {
    const { findingId, into, join } = await watched();
    const decision = { findings: [findingId], fate: "benign", reason: "Nightly backup" };
    const answers = await inTurn(
      server,
      "lock table finding_decisions in exclusive mode",
      () => server.send("admin/findings/decide", decision, admin.token),
      join,
    );
    expect(statusesOf(answers)).toEqual([200, 200]);
    const [moved] = await database().select().from(engineFindings).where(eq(engineFindings.id, findingId));
    expect(moved).toMatchObject({ organisationId: into.id, fate: "benign" });
  });

  it("who tells of its incident don't wait for each other", async () => {
    const { incidentId, into, join } = await watched();
    const told = { id: incidentId, fact_id: randomUUID(), news: "commented", text: "We look at it" };
    const answers = await inTurn(
      server,
      "lock table incident_facts in exclusive mode",
      () => server.send("admin/incidents/tell", told, admin.token),
      join,
    );
    expect(statusesOf(answers)).toEqual([200, 200]);
    const [moved] = await database().select().from(incidents).where(eq(incidents.id, incidentId));
    expect(moved?.organisationId).toBe(into.id);
  });

  it("who opens an incident of its finding don't wait for each other", async () => {
    const { incidentId, findingId, open, join } = await watched();
    const [merged, opened] = await inTurn(
      server,
      `select from incidents where id = '${incidentId}' for update`,
      join,
      () => open({ findings: [findingId] }),
    );
    expect([merged.status, opened.status, opened.body.error]).toEqual([200, 409, messages.organizationMerged]);
  });

  it("whoever has what it locks last end well: it gives way, and comes again", async () => {
    const { from, into, join } = await watched();
    const now = server.services.now();
    const fact = { organisationId: from.id, identity: "erp|10.0.0.1", notOurs: true, decidedAt: now };
    await database().insert(deviceDecisions).values(fact);
    let merging: ReturnType<typeof join> | undefined;
    await database().transaction(async (transaction) => {
      await transaction.select().from(deviceDecisions).where(eq(deviceDecisions.organisationId, from.id)).for("update");
      merging = join();
      await expect.poll(() => countWaiting(server), { interval: 20 }).toBe(1);
      await transaction.insert(deviceDecisions).values({ ...fact, identity: "erp|10.0.0.2" });
    });
    expect((await merging)?.status).toBe(200);
    const moved = eq(deviceDecisions.organisationId, into.id);
    expect(await database().$count(deviceDecisions, moved)).toBe(2);
  });
});

describe("A merge is refused", () => {
  it.each([
    ["of a customer with itself", async () => family("One").then((one) => [one, one] as const)],
    [
      "while one is suspended",
      async () => {
        const pair = [await family("One"), await family("Two")] as const;
        await server.call("admin/suspend", { email: pair[0].parent.email, what: "organisation" }, admin.token);
        return pair;
      },
    ],
    [
      "while whoever answers for the first is suspended, whose child accounts are out too",
      async () => {
        const pair = [await family("One"), await family("Two")] as const;
        await server.call("admin/suspend", { email: pair[0].parent.email, what: "person" }, admin.token);
        return pair;
      },
    ],
    [
      "while whoever answers for the second is suspended, where nobody would get in any more",
      async () => {
        const pair = [await family("One"), await family("Two")] as const;
        await server.call("admin/suspend", { email: pair[1].parent.email, what: "person" }, admin.token);
        return pair;
      },
    ],
    [
      "while nobody who answers for the second has signed in",
      async () => {
        const pair = [await family("One"), await family("Two")] as const;
        await database().update(people).set({ emailVerifiedAt: null }).where(eq(people.id, pair[1].parent.id));
        return pair;
      },
    ],
    [
      "while one is paying",
      async () => {
        const pair = [await family("One"), await family("Two")] as const;
        await insertOrder(server, pair[1].parent, { state: "pending" });
        return pair;
      },
    ],
  ])("%s, with a sentence that the preview shows too", async (_when, make) => {
    const [from, into] = await make();
    const { refusal } = await preview(from.parent, into.parent);
    const refused = await merge(from.parent, into.parent);
    expect([refused.status, refused.body.error]).toEqual([409, refusal]);
  });

  it("when one has changed since it was seen, and for whoever is no customer", async () => {
    const [from, into] = [await family("One"), await family("Two")];
    const seen = await preview(from.parent, into.parent);
    await database().update(organisations).set({ version: 2 }).where(eq(organisations.id, into.id));
    const call = (body: object) => server.send("admin/people/merge", body, admin.token);
    expect((await call({ from: seen.from, into: seen.into })).status).toBe(409);
    const partner = await member(server, "partner");
    expect((await call({ from: seen.from, into: { id: partner.organisationId, version: 1 } })).status).toBe(404);
    expect((await call({ from: seen.from, into: { id: randomUUID(), version: 1 } })).status).toBe(404);
  });

  it("to all but one of those who merge two both ways at once", async () => {
    const [one, other] = [await family("One"), await family("Two")];
    const { from, into } = await preview(one.parent, other.parent);
    const answers = await Promise.all([
      server.call("admin/people/merge", { from, into }, admin.token),
      server.call("admin/people/merge", { from: into, into: from }, admin.token),
      server.call("admin/people/merge", { from, into }, admin.token),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.map(({ status }) => status).every((status) => [200, 404, 409].includes(status))).toBe(true);
    const left = await database()
      .select()
      .from(people)
      .where(inArray(people.email, [one.child.email, other.child.email]));
    expect(new Set(left.map(({ organisationId }) => organisationId)).size).toBe(1);
  });
});

it.each(["merged", "moved"])(
  "A customer who is %s while an address is corrected waits for it, and it for nobody: both lock e-mails in one order",
  async (how) => {
    const { parent, id } = await family("One");
    const into = await family("Two");
    const partner = await member(server, "partner");
    const found = await preview(parent, into.parent);
    // The database and JavaScript sort these two differently.
    const [first, second] = ["Z", "a"].map((letter) => `${letter}-${randomUUID()}@example.in`) as [string, string];
    for (const email of [first, second])
      await member(server, "user", { organisationId: id, email, joinedAt: null, emailVerifiedAt: null });
    const act = () =>
      how === "merged"
        ? server.call("admin/people/merge", { from: found.from, into: found.into }, admin.token)
        : server.call("admin/people/move-customer", { id, version: 1, partner_email: partner.email }, admin.token);
    let acting: ReturnType<typeof act> | undefined;
    await database().transaction(async (transaction) => {
      await lockEmail(transaction, first);
      acting = act();
      const waiting = sql`select from pg_locks where locktype = 'advisory' and classid = 72177 and not granted`;
      await expect.poll(async () => (await database().execute(waiting)).rows.length).toBe(1);
      await lockEmail(transaction, second);
    });
    expect((await acting)?.status).toBe(200);
  },
);
