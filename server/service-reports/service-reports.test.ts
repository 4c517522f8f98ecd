import { execFileSync } from "node:child_process";
import { and, eq, inArray, like } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { IncidentNews } from "../../contract/incident-states.ts";
import { contractYear, daysAfter } from "../../contract/proration.ts";
import { earlier, later } from "../../contract/durations.ts";
import { contractNumber } from "../../contract/numbers.ts";
import type { ReportData } from "../../contract/report-data.ts";
import { sellerIs } from "../../tests/billing.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { insertOrder } from "../../tests/paid-order.ts";
import { overtaken } from "../../tests/overtaken.ts";
import { member, type Member } from "../../tests/people.ts";
import { readPdf } from "../../tests/read-pdf.ts";
import { inTurn } from "../../tests/while-held.ts";
import {
  contractChanges,
  contractLines,
  contracts,
  coverageDays,
  engineBindings,
  engineDevices,
  engineFindings,
  engineStreams,
  heldSources,
  incidentBreaches,
  incidentFacts,
  incidents,
  mails,
  onboardings,
  organisations,
  serviceReports,
  sourceGaps,
} from "../database/schema/index.ts";
import { dayIn } from "../accounts/time-zones.ts";
import { actionsAskedOf, countOpenIncidents } from "../incidents/open-incidents.ts";
import { boardFigures } from "./close-month.ts";
import { sendQueuedMails } from "../mail/outbox.ts";
import { deliverServiceReport } from "./deliver-report.ts";
import { readComing, readOpenActions } from "./facts-of-contract.ts";
import { coverageOfMonth } from "./facts-of-coverage.ts";
import { readIncidentsOfMonth } from "./facts-of-incidents.ts";
import { makeReport, makeServiceReports } from "./make-reports.ts";
import { monthBefore, monthOf } from "./month-of.ts";
import { noteSources } from "./note-sources.ts";
import { reportPaper } from "./report-document.ts";

let server: TestServer;
let partner: Member;
let customer: Member;
let stranger: Member;
let bindingId: string;
const database = () => server.services.database;
const zone = "Asia/Kolkata";
const now = () => server.services.now();
/** The month that has ended. */
const month = () => monthBefore(earlier(now(), { hours: 2 }), zone);
const line = (over: object) => ({
  service: "Server",
  deviceType: "Prod Server",
  name: "Prod Server",
  contracted: 10,
  connected: 7,
  silent: 1,
  neverConnected: 1,
  unknown: 0,
  missing: 1,
  unknownSince: null,
  silenceMinutes: 60,
  reasons: [{ reason: "no_events" as const, devices: 1 }],
  ...over,
});

beforeAll(async () => {
  server = await startTestServer({ work: false });
  partner = await member(server, "partner", { organizationName: "Malabar Networks" });
  customer = await member(server, "user", { organizationName: "Betwa Mills", partnerId: partner.organisationId });
  stranger = await member(server, "user", { organizationName: "Other Mills" });
  bindingId = await bind(customer.organisationId);
});
afterAll(() => server.stop());

async function bind(organisationId: string): Promise<string> {
  const [made] = await database()
    .insert(engineBindings)
    .values({
      organisationId,
      kind: "wazuh4",
      address: "https://wazuh.example.in",
      nextPollAt: now(),
      createdAt: earlier(now(), { days: 400 }),
    })
    .returning();
  return made?.id ?? "";
}

/** An incident whose news happened at these times. */
async function addIncident(
  organisationId: string,
  openedAt: Date,
  news: { seen?: Date; contained?: Date; resolved?: Date } = {},
  { facts = true, ...over }: Partial<typeof incidents.$inferInsert> & { facts?: boolean } = {},
): Promise<string> {
  const severity = over.severity ?? "P2";
  const [made] = await database()
    .insert(incidents)
    .values({
      organisationId,
      title: "Sign-ins from two countries",
      source: "analyst",
      severity,
      openedAt,
      changedAt: openedAt,
      resolvedAt: news.resolved ?? null,
      ...over,
    })
    .returning();
  const incidentId = made?.id ?? "";
  if (!facts) return incidentId;
  const told = Object.entries({ detected: openedAt, ...news }) as [IncidentNews, Date][];
  await database()
    .insert(incidentFacts)
    .values(
      told.map(([each, at]) => ({
        incidentId,
        news: each,
        occurredAt: at,
        recordedAt: at,
        by: "us" as const,
        eventKey: each,
        payload: each === "detected" ? { severity } : {},
      })),
    );
  return incidentId;
}

const reportOf = async ({ organisationId }: Member) => {
  const [report] = await database()
    .select()
    .from(serviceReports)
    .where(eq(serviceReports.organisationId, organisationId));
  return report;
};

describe("A month", () => {
  it("begins and ends by the customer's calendar, also where clocks are changed in it", () => {
    const at = (instant: string, timeZone: string) => monthBefore(new Date(instant), timeZone);
    // Half past midnight in Kolkata, and still October elsewhere.
    expect(at("2026-10-31T19:00:00Z", zone)).toMatchObject({
      day: "2026-10-01",
      from: new Date("2026-09-30T18:30:00Z"),
      until: new Date("2026-10-31T18:30:00Z"),
    });
    expect(at("2026-10-31T19:00:00Z", "Europe/Berlin").day).toBe("2026-09-01");
    expect(at("2026-11-05T00:00:00Z", "Europe/Berlin")).toMatchObject({
      from: new Date("2026-09-30T22:00:00Z"),
      until: new Date("2026-10-31T23:00:00Z"),
    });
    expect(at("2026-01-10T00:00:00Z", "Pacific/Kiritimati")).toMatchObject({
      day: "2025-12-01",
      from: new Date("2025-11-30T10:00:00Z"),
    });
    // Beirut's clocks skipped the midnight of this day.
    expect(monthOf(2026, 3, "Asia/Beirut").until).toEqual(new Date("2026-03-31T21:00:00Z"));
    expect(dayIn(zone, new Date("2026-10-31T18:30:00Z"))).toBe("2026-11-01");
  });
});

describe("The report of a month", () => {
  it("is made for whoever had an engine in its first hour, by the customer's own calendar", async () => {
    const people = [await member(server, "user"), await member(server, "user")];
    const made = people.map(async ({ organisationId }, index) => {
      const id = await bind(organisationId);
      // In India a month begins while UTC still has the last day of the month before.
      const removedAt = later(month().from, { minutes: index === 0 ? 30 : -30 });
      await database().update(engineBindings).set({ removedAt }).where(eq(engineBindings.id, id));
      return makeReport(server.services, { id: organisationId, name: "Betwa", partner: null }, month());
    });
    expect(await Promise.all(made)).toEqual([true, false]);
  });

  it("has as open what was asked and not answered by its close, whatever came between the close and the report", async () => {
    const { organisationId } = await member(server, "user");
    const { until } = month();
    const opened = earlier(until, { days: 2 });
    const incidentId = await addIncident(
      organisationId,
      opened,
      { seen: opened },
      { changedAt: later(until, { hours: 1 }), asks: 1 },
    );
    const [early, late] = [randomUUID(), randomUUID()];
    const fact = { incidentId, by: "us" as const, recordedAt: until };
    await database()
      .insert(incidentFacts)
      .values([
        {
          ...fact,
          id: early,
          news: "asked",
          occurredAt: earlier(until, { hours: 5 }),
          eventKey: early,
          payload: { text: "Which hosts?" },
        },
        {
          ...fact,
          id: late,
          news: "asked",
          occurredAt: later(until, { minutes: 5 }),
          eventKey: late,
          payload: { text: "Who signed in?" },
        },
        {
          ...fact,
          by: "customer",
          news: "answered",
          occurredAt: later(until, { hours: 1 }),
          eventKey: "a",
          payload: { ask: early, text: "Two" },
        },
      ]);
    const actions = await readOpenActions(database(), { id: organisationId, name: "Betwa" }, "Us", month(), undefined);
    expect(actions.map(({ what }) => what.split(": ")[1])).toEqual(["Which hosts?"]);
  });

  it("has as open also what was asked in the mildest of many incidents, whatever came after the close", async () => {
    const { organisationId } = await member(server, "user");
    const { until } = month();
    const opened = earlier(until, { days: 2 });
    const asked = earlier(until, { hours: 5 });
    const ask = async (over: Partial<typeof incidents.$inferInsert>, text: string) => {
      const id = await addIncident(organisationId, opened, { seen: opened }, { ...over, asks: 1 });
      const fact = { incidentId: id, news: "asked" as const, by: "us" as const, occurredAt: asked, recordedAt: asked };
      await database()
        .insert(incidentFacts)
        .values({ ...fact, eventKey: "asked", payload: { text } });
    };
    const dayAfter = later(until, { days: 1 });
    // These have no questions, and something happened in each after the close.
    for (let count = 0; count < 50; count++)
      await addIncident(organisationId, opened, { seen: opened }, { severity: "P3", rank: 5, changedAt: dayAfter });
    await ask({ severity: "P4", rank: 7 }, "Was it you?");
    const whatOf = async () => {
      const organization = { id: organisationId, name: "Betwa" };
      const actions = await readOpenActions(database(), organization, "Us", month(), undefined);
      return actions.map(({ what }) => what.split(": ")[1]);
    };
    expect(await whatOf()).toEqual(["Was it you?"]);
    for (let count = 0; count < 51; count++) await ask({ severity: "P3", rank: 5 }, "Which hosts?");
    expect(await whatOf()).toHaveLength(52);
    const { asks } = await countOpenIncidents(database(), eq(incidents.organisationId, organisationId));
    expect([asks, (await actionsAskedOf(database(), organisationId)).length]).toEqual([52, 52]);
  });

  describe("agrees with its figures about what was open at its close", () => {
    /** An incident with a question asked before the close, further news, and its present state. */
    async function askedBefore(
      news: (Partial<typeof incidentFacts.$inferInsert> & { news: IncidentNews; occurredAt: Date })[],
      over: Partial<typeof incidents.$inferInsert>,
    ) {
      const { organisationId } = await member(server, "user");
      const { until } = month();
      const opened = earlier(until, { days: 2 });
      const incidentId = await addIncident(organisationId, opened, { seen: opened }, over);
      const asked = {
        news: "asked" as const,
        occurredAt: earlier(until, { hours: 5 }),
        payload: { text: "Was it you?" },
      };
      const facts = [asked, ...news].map((fact) => {
        const id = randomUUID();
        return { id, incidentId, by: "us" as const, recordedAt: fact.occurredAt, payload: {}, eventKey: id, ...fact };
      });
      await database().insert(incidentFacts).values(facts);
      const organization = { id: organisationId, name: "Betwa" };
      const actions = await readOpenActions(database(), organization, "Us", month(), undefined);
      const { incidents: figures } = await readIncidentsOfMonth(database(), organisationId, month());
      return [figures.open, actions.length];
    }
    const ended = { state: "resolved" as const, rank: 104 };

    it("where an end was corrected in time to after it", async () => {
      const { until } = month();
      const [resolved, after] = [randomUUID(), later(until, { minutes: 30 })];
      const news = [
        { id: resolved, news: "resolved" as const, occurredAt: earlier(until, { hours: 1 }) },
        {
          news: "resolved" as const,
          occurredAt: after,
          recordedAt: later(until, { hours: 1 }),
          corrects: resolved,
        },
      ];
      expect(await askedBefore(news, { ...ended, changedAt: after, resolvedAt: after })).toEqual([1, 1]);
    });

    it("where its end was told too late for it", async () => {
      const { until } = month();
      const before = earlier(until, { hours: 1 });
      const news = [{ news: "resolved" as const, occurredAt: before, recordedAt: later(until, { hours: 3 }) }];
      expect(await askedBefore(news, { ...ended, changedAt: before, resolvedAt: before })).toEqual([1, 1]);
    });

    it("where the question was worded anew twice and answered in between", async () => {
      const { until } = month();
      const at = (hours: number) => earlier(until, { hours });
      const ids = [randomUUID(), randomUUID(), randomUUID()] as const;
      const asked = { news: "asked" as const, occurredAt: at(4), payload: { text: "Was it they?" } };
      const news = [
        { ...asked, id: ids[0] },
        { ...asked, id: ids[1], recordedAt: at(3), corrects: ids[0] },
        { news: "answered" as const, by: "customer" as const, occurredAt: at(2), payload: { ask: ids[1], text: "No" } },
        { ...asked, id: ids[2], recordedAt: at(1), corrects: ids[1] },
      ];
      // Only the first question stays open.
      expect(await askedBefore(news, { changedAt: at(2), asks: 1 })).toEqual([1, 1]);
    });
  });

  it("has the figures that the rows have at its close, and those of nobody else", async () => {
    const { organisationId } = customer;
    const { from, until, day } = month();
    const dayOf = (index: number) => daysAfter(day, index);
    await database()
      .insert(coverageDays)
      .values(
        [line({ silent: 0, connected: 8 }), line({}), line({ silent: 2, connected: 5, unknown: 1 })].map(
          (lines, index) => ({
            organisationId,
            day: index === 2 ? dayIn(zone, until) : dayOf(index + 4),
            timeZone: zone,
            takenAt: now(),
            lines: [lines],
            notContracted: 3,
            unmatched: 0,
          }),
        ),
      );
    const opened = later(from, { days: 3 });
    const kept = await addIncident(organisationId, opened, {
      seen: later(opened, { minutes: 10 }),
      contained: later(opened, { hours: 2 }),
      resolved: later(opened, { hours: 6 }),
    });
    const ofP1 = { severity: "P1", title: "Ransom note" } as const;
    // Seen too late, and resolved after the close: at the close it was open.
    await addIncident(
      organisationId,
      opened,
      { seen: later(opened, { minutes: 20 }), resolved: later(until, { hours: 1 }) },
      ofP1,
    );
    await addIncident(organisationId, earlier(from, { days: 9 }), {
      seen: earlier(from, { days: 9 }),
      resolved: earlier(from, { days: 1 }),
    });
    await addIncident(organisationId, later(until, { minutes: 1 }));
    await addIncident(stranger.organisationId, opened, {}, ofP1);
    await database().insert(incidentBreaches).values({
      incidentId: kept,
      clock: "contain",
      dueAt: opened,
      severity: "P2",
      recordedAt: opened,
      undoneAt: opened,
    });
    const found = (["benign", "open"] as const).map((fate, index) => ({
      bindingId,
      organisationId,
      externalId: fate,
      title: fate,
      severity: "low" as const,
      rawSeverity: "3",
      fate,
      state: fate === "benign" ? ("closed" as const) : ("open" as const),
      at: later(from, { days: index + 1 }),
      createdAt: later(from, { days: index + 1 }),
      attack: [],
    }));
    await database().insert(engineFindings).values(found);
    await makeServiceReports(server.services);
    const report = await reportOf(customer);
    expect(report?.data).toMatchObject({
      customer: "Betwa Mills",
      partner: "Malabar Networks",
      month: day,
      coverage: {
        countedOn: dayIn(zone, until),
        daysCounted: 2,
        lines: [{ contracted: 10, connected: 5, silent: 2, unknown: 1, daysSilent: 1, daysUnknown: 0 }],
      },
      incidents: { opened: { P1: 1, P2: 1, P3: 0, P4: 0, unknown: 0 }, resolved: 1, open: 1, more: 0 },
      findings: { suppressed: 0, benign: 1, attached: 0, open: 1 },
      before: null,
    });
    expect(report?.data.incidents.rows.map(({ title, broken }) => [title, broken])).toEqual([
      ["Ransom note", ["acknowledge", "contain", "resolve"]],
      ["Sign-ins from two countries", []],
    ]);
    expect(report?.data.promises.rows).toEqual([
      { clock: "acknowledge", kept: 1, broken: 1, undone: 0 },
      { clock: "contain", kept: 1, broken: 1, undone: 1 },
      { clock: "resolve", kept: 1, broken: 1, undone: 0 },
    ]);
    expect(report?.data.actions).toEqual([
      { what: expect.stringContaining("1 × Prod Server"), side: "customer", owner: "Betwa Mills", since: null },
    ]);
    expect(await reportOf(stranger)).toBeUndefined();
  });

  /** A customer whose month closes with two counts: that of its last day, and that of the first day after it. */
  async function closedBy(last: { lines: object[]; notContracted: number }, close: typeof last) {
    const { organisationId } = await member(server, "user");
    await bind(organisationId);
    const days = [
      { day: daysAfter(month().next, -1), ...last },
      { day: month().next, ...close },
    ];
    const of = { organisationId, timeZone: zone, takenAt: now(), unmatched: 0 };
    await database()
      .insert(coverageDays)
      .values(days.map((day) => ({ ...of, ...day, lines: day.lines.map(line) })));
    const made = await makeReport(server.services, { id: organisationId, name: "Betwa", partner: null }, month());
    expect(made).toBe(true);
    const [report] = await database()
      .select()
      .from(serviceReports)
      .where(eq(serviceReports.organisationId, organisationId));
    if (!report) throw new Error("There is no report");
    return report;
  }

  it("has the lines of a contract that ended with the month, as they were on its last day", async () => {
    const { data, certificate } = await closedBy({ lines: [{}], notContracted: 1 }, { lines: [], notContracted: 9 });
    expect(data.coverage).toEqual({
      countedOn: daysAfter(month().next, -1),
      lines: [expect.objectContaining({ contracted: 10, connected: 7, silent: 1, missing: 1, daysSilent: 1 })],
      notContracted: 1,
      daysCounted: 1,
      daysOfMonth: expect.any(Number),
    });
    expect(certificate.notCovered).toMatchObject([{ name: "1 × Prod Server", because: "unmet" }]);
    expect(data.actions).toEqual([expect.objectContaining({ what: expect.stringContaining("1 × Prod Server") })]);
    expect(reportPaper(data, now(), null, "").board[0]?.[3]).toContain("7 of 10 contracted devices were connected");
  });

  it("has no line that begins after the month, and of the others what their devices were like at its close", async () => {
    const begun = { deviceType: "Router", name: "Router" };
    const { data, certificate } = await closedBy(
      { lines: [{}], notContracted: 4 },
      { lines: [{ connected: 8, silent: 0 }, begun], notContracted: 1 },
    );
    expect(data.coverage).toMatchObject({
      countedOn: month().next,
      lines: [{ name: "Prod Server", contracted: 10, connected: 8, silent: 0, daysSilent: 1 }],
      notContracted: 4,
    });
    expect(certificate.notCovered.map(({ name }) => name)).toEqual(["1 × Prod Server"]);
    expect(data.actions).toHaveLength(1);
  });

  it("has a line as the month had it where another number is contracted after it, so that its counts add up", async () => {
    const stays = {
      deviceType: "Router",
      name: "Router",
      contracted: 2,
      connected: 2,
      silent: 0,
      neverConnected: 0,
      missing: 0,
    };
    const { data } = await closedBy(
      { lines: [{}, { ...stays, connected: 1, silent: 1 }], notContracted: 0 },
      { lines: [{ contracted: 20, connected: 17 }, stays], notContracted: 6 },
    );
    expect(data.coverage).toMatchObject({
      countedOn: daysAfter(month().next, -1),
      lines: [
        { name: "Prod Server", contracted: 10, connected: 7 },
        { name: "Router", contracted: 2, connected: 2, silent: 0, daysSilent: 1 },
      ],
      notContracted: 0,
    });
  });

  it("has what was counted at its close where none of its own days was", () => {
    const close = { day: month().next, lines: [line({})], notContracted: 3 };
    expect(coverageOfMonth([close], month())).toMatchObject({
      countedOn: month().next,
      lines: [{ contracted: 10, connected: 7, daysSilent: 0 }],
      notContracted: 3,
      daysCounted: 0,
    });
    expect(coverageOfMonth([], month())).toBeNull();
  });

  it("says of devices that they begin once: neither what goes on with fewer, nor what was taken away before its first day", async () => {
    const person = await member(server, "user");
    const open = { state: "awaiting_transfer", paymentId: null, paidAt: null } as const;
    const { id: orderId } = await insertOrder(server, person, open);
    const { next } = month();
    const span = contractYear(next);
    const [contract] = await database()
      .insert(contracts)
      .values({ organisationId: person.organisationId, orderId, startsOn: span.from, endsOn: span.to })
      .returning();
    const contractId = contract?.id ?? "";
    const [change] = await database()
      .insert(contractChanges)
      .values({ contractId, kind: "start", effectiveOn: next, orderId })
      .returning();
    const type = { service: "Server", deviceType: "Prod Server" };
    const line = (quantity: number, startsOn: string, endsOn: string, series: number) => ({
      ...type,
      key: type,
      contractId,
      changeId: change?.id ?? "",
      series,
      quantity,
      startsOn,
      endsOn,
      unit: "device",
      ratePaise: 100,
      discountBasisPoints: 0,
    });
    const fewerOn = daysAfter(next, 30);
    await database()
      .insert(contractLines)
      .values([
        line(30, next, daysAfter(fewerOn, -1), 900_001),
        line(25, fewerOn, span.to, 900_001),
        line(45, fewerOn, daysAfter(fewerOn, -1), 900_002),
        line(43, fewerOn, span.to, 900_002),
      ]);
    const coming = await readComing(database(), person.organisationId, month());
    expect(coming.map(({ what }) => what).filter((what) => what.includes("begin"))).toEqual([
      "30 × Prod Server begin.",
      "43 × Prod Server begin.",
    ]);
  });

  it("says how a contract that ends soon goes on, as it was known at the close, and nothing of one that has ended", async () => {
    const person = await member(server, "user");
    const begin = async (from: string, over: Partial<typeof contracts.$inferInsert> = {}) => {
      const { id } = await insertOrder(server, person, { state: "awaiting_transfer", paymentId: null, paidAt: null });
      const { organisationId } = person;
      const span = { startsOn: contractYear(from).from, endsOn: contractYear(from).to };
      const [made] = await database()
        .insert(contracts)
        .values({ organisationId, orderId: id, ...span, ...over })
        .returning();
      return { id: made?.id ?? "", number: contractNumber(made?.serial ?? 0) };
    };
    const ends = async (of = month()) =>
      (await readComing(database(), person.organisationId, of)).flatMap(({ what }) =>
        what.includes(" ends. ") ? [what] : [],
      );
    const after = daysAfter(month().next, 16);
    const first = await begin(`${Number(after.slice(0, 4)) - 1}${after.slice(4)}`);
    const unless = `${first.number} ends. Nothing renews unless somebody buys it.`;
    expect(await ends()).toEqual([unless]);
    const second = await begin(after, { renews: first.id, createdAt: later(month().until, { hours: 1 }) });
    expect(await ends()).toEqual([unless]);
    await database()
      .update(contracts)
      .set({ createdAt: earlier(month().until, { hours: 1 }) })
      .where(eq(contracts.id, second.id));
    expect(await ends()).toEqual([`${first.number} ends. It goes on in ${second.number}.`]);
    const [year = 0, number = 0] = month().next.split("-").map(Number);
    expect(await ends(monthOf(year, number, zone))).toEqual([]);
  });

  it("says that a contract renews by itself where that was chosen by the close", async () => {
    const person = await member(server, "user");
    const after = daysAfter(month().next, 16);
    const serviceStart = `${Number(after.slice(0, 4)) - 1}${after.slice(4)}`;
    const billTo = {
      organizationName: "Kaveri",
      name: "Asha",
      email: person.email,
      phone: "+919876543210",
      serviceStart,
    };
    const order = await insertOrder(server, person, { billTo });
    const chosenAt = async (renewalChosenAt: Date) => {
      const ofOrder = eq(contracts.orderId, order.id);
      const by = { renewalChosenBy: person.id, renewalChosenAt };
      const [contract] = await database().update(contracts).set(by).where(ofOrder).returning();
      const coming = await readComing(database(), person.organisationId, month());
      return coming.map(({ what }) => what.replace(contractNumber(contract?.serial ?? 0), "It"));
    };
    expect(await chosenAt(later(month().until, { hours: 1 }))).toEqual([
      "It ends. Nothing renews unless somebody buys it.",
    ]);
    expect(await chosenAt(earlier(month().until, { hours: 1 }))).toEqual([
      "It ends. It renews by itself, as was chosen, once that is paid.",
    ]);
  });

  it("is made once, on any number of copies, and is never changed", async () => {
    const other = await member(server, "user");
    await bind(other.organisationId);
    await Promise.all(Array.from({ length: 5 }, () => makeServiceReports(server.services)));
    const made = and(eq(serviceReports.organisationId, other.organisationId));
    expect(await database().$count(serviceReports, made)).toBe(1);
    await expect(database().update(serviceReports).set({ certificateHash: "0" }).where(made)).rejects.toThrow(
      "Failed query",
    );
  });

  it("is the new partner's, where its customer is moved while it is made", async () => {
    const [former, next] = [await member(server, "partner"), await member(server, "partner")];
    const { organisationId } = await member(server, "user", { partnerId: former.organisationId });
    const admin = await member(server, "admin");
    await bind(organisationId);
    const seen = { id: organisationId, name: "Betwa", partner: { id: former.organisationId, name: "Former" } };
    const move = { id: organisationId, version: 1, partner_email: next.email };
    const [made, moved] = await inTurn(
      server,
      "lock table audit_entries in share mode",
      () => makeReport(server.services, seen, month()),
      () => server.call("admin/people/move-customer", move, admin.token),
    );
    expect([made, moved.status]).toEqual([true, 200]);
    const readBy = async ({ token }: Member) =>
      (await server.call("partner/reports", {}, token)).body.reports.map(({ month: of }) => of);
    expect([await readBy(former), await readBy(next)]).toEqual([[], [month().day]]);
  });

  it("is made for everybody, also where one goes by a time zone that PostgreSQL or nobody knows", async () => {
    const goingBy = async (timeZone: string) => {
      const person = await member(server, "user");
      await bind(person.organisationId);
      await database().update(organisations).set({ timeZone }).where(eq(organisations.id, person.organisationId));
      return person;
    };
    const zones = ["AET", "Nowhere/Else"];
    const strange = await Promise.all(zones.map(goingBy));
    for (const person of strange) {
      const { organisationId } = person;
      // oxlint-disable-next-line no-await-in-loop -- only two
      const { id: orderId } = await insertOrder(server, person);
      // oxlint-disable-next-line no-await-in-loop
      await database().insert(onboardings).values({ organisationId, orderId, openedAt: new Date() });
    }
    try {
      await makeServiceReports(server.services);
      const other = await goingBy("Asia/Dubai");
      await makeServiceReports(server.services);
      const made = await Promise.all([...strange, other].map(reportOf));
      // An invalid time zone counts as India's.
      expect(made.map((report) => report?.data.timeZone)).toEqual(["AET", zone, "Asia/Dubai"]);
    } finally {
      await database().update(organisations).set({ timeZone: zone }).where(inArray(organisations.timeZone, zones));
    }
  });

  it.each([
    [zone, "America/New_York"],
    ["America/New_York", zone],
  ])(
    "begins where the one before ended, also where that was in %s and this is in %s",
    async (zoneBefore, zoneAfter) => {
      const { organisationId } = await member(server, "user");
      await bind(organisationId);
      const [year = 0, number = 0] = month().day.split("-").map(Number);
      const first = monthOf(year, number - 1, zoneBefore);
      const second = monthOf(year, number, zoneAfter);
      // In the hours between the two midnights.
      const between = new Date((first.until.getTime() + second.from.getTime()) / 2);
      await addIncident(organisationId, between);
      for (const each of [first, second])
        expect(await makeReport(server.services, { id: organisationId, name: "Betwa", partner: null }, each)).toBe(
          true,
        );
      const made = await database()
        .select({ data: serviceReports.data })
        .from(serviceReports)
        .where(eq(serviceReports.organisationId, organisationId))
        .orderBy(serviceReports.month);
      expect(made.map(({ data }) => data.from)).toEqual([first.from.toISOString(), first.until.toISOString()]);
      expect(made.reduce((sum, { data }) => sum + boardFigures(data).incidents, 0)).toBe(1);
    },
  );

  it("has what was told later than two hours after a close in the next one, and nothing in two", async () => {
    const { organisationId } = await member(server, "user");
    const before = monthBefore(month().from, zone);
    const { until } = before;
    const [inTime, late] = [later(until, { hours: 1 }), later(until, { hours: 5 })];
    const known = earlier(until, { days: 1 });
    const tell = (incidentId: string, recordedAt: Date) => ({ incidentId, by: "us" as const, recordedAt, payload: {} });
    const resolved = earlier(until, { hours: 20 });
    const [one, other] = [
      await addIncident(organisationId, known, { seen: known }, { severity: "P4", resolvedAt: resolved }),
      await addIncident(organisationId, known, { seen: known }, { severity: "P3", resolvedAt: resolved }),
    ];
    await database()
      .insert(incidentFacts)
      .values([
        { ...tell(one, late), news: "resolved", occurredAt: resolved, eventKey: "resolved" },
        { ...tell(other, inTime), news: "resolved", occurredAt: resolved, eventKey: "resolved" },
      ]);
    // Nobody knew of this one before the month was closed, and it was seen too late.
    const untold = await addIncident(organisationId, known, {}, { severity: "P1", resolvedAt: resolved, facts: false });
    await database()
      .insert(incidentFacts)
      .values([
        { ...tell(untold, late), news: "detected", occurredAt: known, eventKey: "d", payload: { severity: "P1" } },
        { ...tell(untold, late), news: "resolved", occurredAt: resolved, eventKey: "r" },
      ]);
    const undone = { incidentId: one, clock: "contain" as const, severity: "P4" as const, recordedAt: known };
    await database()
      .insert(incidentBreaches)
      .values([
        { ...undone, dueAt: known, undoneAt: late },
        { ...undone, dueAt: later(known, { hours: 1 }), undoneAt: inTime },
      ]);
    const next = monthOf(Number(month().day.slice(0, 4)), Number(month().day.slice(5, 7)) + 1, zone);
    const read = async (of: ReturnType<typeof month>) => {
      const { incidents: told, promises } = await readIncidentsOfMonth(database(), organisationId, of);
      const { opened, resolved: ended, open } = told;
      const [acknowledge, contain, resolve] = promises.rows;
      return {
        opened: [opened.P1, opened.P3, opened.P4],
        ended: [ended, open],
        acknowledge: [acknowledge?.kept, acknowledge?.broken],
        undone: contain?.undone,
        resolve: [resolve?.kept, resolve?.broken],
        rows: told.rows.length,
      };
    };
    expect([await read(before), await read(month()), await read(next)]).toEqual([
      { opened: [0, 1, 1], ended: [1, 1], acknowledge: [2, 0], undone: 1, resolve: [1, 0], rows: 2 },
      { opened: [1, 0, 0], ended: [2, 0], acknowledge: [0, 1], undone: 1, resolve: [2, 0], rows: 2 },
      { opened: [0, 0, 0], ended: [0, 0], acknowledge: [0, 0], undone: 0, resolve: [0, 0], rows: 0 },
    ]);
  });

  describe("has once", () => {
    const sinceClose = (hours: number) => later(month().from, { hours });
    const both = async (organisationId: string, clock: number) => {
      const read = async (of: ReturnType<typeof month>) => {
        const { incidents: those, promises } = await readIncidentsOfMonth(database(), organisationId, of);
        const { kept, broken } = promises.rows[clock] ?? {};
        return [those.resolved, those.open, those.rows.length, kept, broken];
      };
      return [await read(monthBefore(month().from, zone)), await read(month())];
    };

    it("what was resolved in the month before and is corrected into this one after the close, until it is opened again", async () => {
      const [opened, told, meant, late] = [-4, -2, 3, 5].map(sinceClose) as [Date, Date, Date, Date];
      const { organisationId } = await member(server, "user");
      const more = { severity: "P4" as const, resolvedAt: meant };
      const incidentId = await addIncident(organisationId, opened, { seen: opened }, more);
      const id = randomUUID();
      const fact = { incidentId, by: "us" as const, payload: {}, recordedAt: late };
      const resolved = { ...fact, news: "resolved" as const };
      await database()
        .insert(incidentFacts)
        .values([
          { ...resolved, id, occurredAt: told, recordedAt: told, eventKey: "told" },
          { ...resolved, occurredAt: meant, eventKey: "meant", corrects: id },
        ]);
      expect(await both(organisationId, 2)).toEqual([
        [1, 0, 1, 1, 0],
        [0, 0, 0, 0, 0],
      ]);
      await database()
        .insert(incidentFacts)
        .values([
          { ...fact, news: "reopened", occurredAt: later(meant, { hours: 1 }), eventKey: "again" },
          { ...resolved, occurredAt: later(meant, { hours: 2 }), eventKey: "once more" },
        ]);
      expect(await both(organisationId, 2)).toEqual([
        [1, 0, 1, 1, 0],
        [1, 0, 1, 1, 0],
      ]);
    });

    it("what an engine told after the close, also where its address is another one since", async () => {
      const [opened, told, late] = [-4, -2, 5].map(sinceClose) as [Date, Date, Date];
      const { organisationId } = await member(server, "user");
      const bindingId = await bind(organisationId);
      const connectedAt = sinceClose(9 * 24);
      await database().update(engineBindings).set({ connectedAt }).where(eq(engineBindings.id, bindingId));
      const more = { severity: "P4" as const, resolvedAt: told, bindingId, facts: false };
      const incidentId = await addIncident(organisationId, opened, {}, more);
      const fact = { incidentId, by: "engine" as const };
      await database()
        .insert(incidentFacts)
        .values([
          {
            ...fact,
            news: "detected",
            occurredAt: opened,
            recordedAt: opened,
            eventKey: "d",
            payload: { severity: "P4" },
          },
          { ...fact, news: "resolved", occurredAt: told, recordedAt: late, eventKey: "r", payload: {} },
        ]);
      expect(await both(organisationId, 2)).toEqual([
        [0, 1, 1, 0, 0],
        [1, 0, 1, 1, 0],
      ]);
    });

    it("a promise that was broken, also where what it counts from is corrected afterwards", async () => {
      const { organisationId } = await member(server, "user");
      const id = randomUUID();
      const long = sinceClose(-9 * 24);
      const incidentId = await addIncident(organisationId, long, {}, { severity: "P1" });
      const seen = { incidentId, by: "us" as const, news: "seen" as const, payload: {} };
      await database()
        .insert(incidentFacts)
        .values([
          { ...seen, id, occurredAt: long, recordedAt: long, eventKey: "seen" },
          {
            ...seen,
            occurredAt: later(long, { minutes: 5 }),
            recordedAt: sinceClose(5),
            eventKey: "seen then",
            corrects: id,
          },
        ]);
      expect((await both(organisationId, 1)).map((figures) => figures.at(-1))).toEqual([1, 0]);
    });

    it("a promise that was broken as P1 and as P2, where it was lowered in time by what is told afterwards", async () => {
      const { organisationId } = await member(server, "user");
      const long = sinceClose(-9 * 24);
      const at = (count: number) => later(long, { minutes: count });
      const news = { seen: at(5), contained: at(300), resolved: at(400) };
      const incidentId = await addIncident(organisationId, long, news, { severity: "P1" });
      const id = randomUUID();
      const lowered = {
        incidentId,
        by: "us" as const,
        news: "severity" as const,
        payload: { severity: "P2" as const },
      };
      await database()
        .insert(incidentFacts)
        .values([
          { ...lowered, id, occurredAt: at(120), recordedAt: at(120), eventKey: "lowered" },
          { ...lowered, occurredAt: at(30), recordedAt: sinceClose(48), eventKey: "lowered then", corrects: id },
        ]);
      expect((await both(organisationId, 1)).map((figures) => figures.at(-1))).toEqual([1, 0]);
    });

    it("a promise that was broken before its severity was known, also where that is told afterwards", async () => {
      const { organisationId } = await member(server, "user");
      const long = sinceClose(-9 * 24);
      const incidentId = await addIncident(organisationId, long, { seen: long }, { severity: "unknown" });
      const told = { incidentId, by: "us" as const, news: "severity" as const, payload: { severity: "P1" as const } };
      await database()
        .insert(incidentFacts)
        .values({ ...told, occurredAt: sinceClose(48), recordedAt: sinceClose(48), eventKey: "known" });
      expect((await both(organisationId, 1)).map((figures) => figures.at(-1))).toEqual([1, 0]);
    });
  });

  it("has none of the years before that an engine tells of which was just bound", async () => {
    const { organisationId } = await member(server, "user");
    const { from } = month();
    const [long, ended] = [earlier(from, { days: 200 }), earlier(from, { days: 190 })];
    const more = { severity: "P1" as const, resolvedAt: ended, facts: false };
    const incidentId = await addIncident(organisationId, long, {}, more);
    const tell = { incidentId, by: "engine" as const, recordedAt: later(from, { days: 3 }) };
    await database()
      .insert(incidentFacts)
      .values([
        { ...tell, news: "detected", occurredAt: long, eventKey: "d", payload: { severity: "P1" } },
        { ...tell, news: "resolved", occurredAt: ended, eventKey: "r", payload: {} },
      ]);
    const { incidents: told, promises } = await readIncidentsOfMonth(database(), organisationId, month());
    expect([told.opened.P1, told.resolved, told.rows.length]).toEqual([0, 0, 0]);
    expect(promises.rows.map(({ kept, broken }) => [kept, broken])).toEqual([
      [0, 0],
      [0, 0],
      [0, 0],
    ]);
  });

  it("has a promise that was broken the month before not again where its limit is another one by now", async () => {
    const { organisationId } = await member(server, "user");
    const before = monthBefore(month().from, zone);
    const opened = earlier(before.until, { days: 9 });
    const incidentId = await addIncident(organisationId, opened, { seen: opened }, { severity: "P1" });
    const lowered = later(month().from, { days: 2 });
    const fact = { incidentId, by: "us" as const, news: "severity" as const, eventKey: "lowered" };
    await database()
      .insert(incidentFacts)
      .values({ ...fact, occurredAt: lowered, recordedAt: lowered, payload: { severity: "P2" } });
    const brokenIn = async (of: ReturnType<typeof month>) =>
      (await readIncidentsOfMonth(database(), organisationId, of)).promises.rows.map(({ broken }) => broken);
    expect([await brokenIn(before), await brokenIn(month())]).toEqual([
      [0, 1, 1],
      [0, 0, 0],
    ]);
  });

  it("comes as two tagged PDFs by mail, once to each who wants them, and stays listed", async () => {
    const off = await member(server, "userChild", { organisationId: customer.organisationId });
    await server.call("notices/choose", { kind: "reports", wanted: false }, off.token);
    const { id = "" } = (await reportOf(customer)) ?? {};
    const cin = "U72900KA2020PTC123456";
    await sellerIs(server, { cin });
    await deliverServiceReport(server.services, id);
    await deliverServiceReport(server.services, id);
    const told = await database().select().from(mails).where(eq(mails.recipient, customer.email));
    expect(told.map(({ eventKey }) => eventKey)).toEqual([`service-report:${id}:${customer.id}`]);
    expect(await database().$count(mails, eq(mails.recipient, off.email))).toBe(0);
    expect(await database().$count(mails, eq(mails.recipient, partner.email))).toBe(1);
    const { reports } = (await server.call("user/reports", {}, customer.token)).body;
    expect(reports).toMatchObject([{ watched: 50, incidents: 2, promises_broken: 3, open_actions: 1 }]);
    const pdf = await readPdf(await server.services.files.read(reports[0]?.pdf_url ?? ""));
    expect(pdf).toMatchObject({ tagged: true, accessible: true });
    expect(pdf.pages[0]).toContain("5 of 10 contracted devices were connected");
    expect(pdf.pages[0]).not.toContain("Incidents and their clocks");
    expect(pdf.text).toContain("Ransom note");
    const theirs = (await server.call("partner/reports", { email: customer.email }, partner.token)).body.reports[0];
    const inTheirName = await readPdf(await server.services.files.read(theirs?.pdf_url ?? ""));
    expect(inTheirName.pages[0]).toContain("Malabar Networks");
    const certificate = await readPdf(await server.services.files.read(theirs?.certificate_url ?? ""));
    expect(certificate.accessible).toBe(true);
    for (const { pages } of [pdf, inTheirName, certificate]) expect(pages[0]).toContain(`CIN ${cin}`);
  });

  it("comes in the name of the partner of its close to that partner alone, in ours to whoever came after", async () => {
    // Two companies may have one name.
    const organizationName = "Former Networks";
    const former = await member(server, "partner", { organizationName });
    const next = await member(server, "partner", { organizationName });
    const theirs = await member(server, "user", { partnerId: former.organisationId });
    const { organisationId } = theirs;
    await bind(organisationId);
    const closed = {
      id: organisationId,
      name: "Betwa",
      partner: { id: former.organisationId, name: "Former Networks" },
    };
    expect(await makeReport(server.services, closed, month())).toBe(true);
    const give = (partnerId: string) =>
      database().update(organisations).set({ partnerId }).where(eq(organisations.id, organisationId));
    await give(next.organisationId);
    const { id = "" } = (await reportOf(theirs)) ?? {};
    const { files } = server.services;
    const read = async () => {
      const { file, certificateFile, partnerFile } = (await reportOf(theirs)) ?? {};
      return await Promise.all([file, certificateFile, partnerFile].map((name) => files.read(name ?? "")));
    };
    let kept: Uint8Array[] = [];
    const faster = async () => {
      await deliverServiceReport(server.services, id);
      kept = await read();
    };
    // What was stored and mailed stays the same when a slower worker finishes later.
    await deliverServiceReport(overtaken(server.services, faster), id);
    expect((await read()).map((bytes, at) => Buffer.compare(bytes, kept[at] ?? Buffer.alloc(0)))).toEqual([0, 0, 0]);
    const { file, partnerFile } = (await reportOf(theirs)) ?? {};
    expect(partnerFile).toContain("partner");
    const [mailed] = await database().select().from(mails).where(eq(mails.recipient, next.email));
    expect(mailed?.attachments.map((each) => each.file)).toEqual([file, expect.stringContaining("retention")]);
    const listed = async ({ token }: Member) =>
      (await server.call("partner/reports", {}, token)).body.reports.map(({ pdf_url }) => pdf_url);
    expect([await listed(former), await listed(next)]).toEqual([[], [file]]);
    const open = async ({ token }: Member) =>
      (await server.call("partner/get-signed-url", { fileName: partnerFile ?? "" }, token)).status;
    expect([await open(former), await open(next)]).toEqual([404, 404]);
    await give(former.organisationId);
    expect([await listed(former), await listed(next)]).toEqual([[partnerFile], []]);
    expect([await open(former), await open(next)]).toEqual([200, 404]);
    const renamed = { name: "Former & Sons Networks" };
    await database().update(organisations).set(renamed).where(eq(organisations.id, former.organisationId));
    expect([await listed(former), await open(former)]).toEqual([[partnerFile], 200]);
  });

  it("goes to no partner of before, where the customer moves while it is made", async () => {
    const [former, next] = [
      await member(server, "partner", { organizationName: "Former Networks" }),
      await member(server, "partner"),
    ];
    const theirs = await member(server, "user", { partnerId: former.organisationId });
    await bind(theirs.organisationId);
    expect(
      await makeReport(
        server.services,
        { id: theirs.organisationId, name: "Betwa", partner: { id: former.organisationId, name: "Former Networks" } },
        month(),
      ),
    ).toBe(true);
    const { id = "" } = (await reportOf(theirs)) ?? {};
    const { documents } = server.services;
    const render: typeof documents.render = async (...of) => {
      const moved = { partnerId: next.organisationId };
      await database().update(organisations).set(moved).where(eq(organisations.id, theirs.organisationId));
      return documents.render(...of);
    };
    await deliverServiceReport({ ...server.services, documents: { ...documents, render } }, id);
    const mailed = await Promise.all(
      [former, next].map(({ email }) => database().$count(mails, eq(mails.recipient, email))),
    );
    expect(mailed).toEqual([0, 1]);
  });

  it.each(["moved to another partner", "merged into the customer of another partner"] as const)(
    "that waits in the outbox goes to no partner of before, where the customer is %s",
    async (how) => {
      const { services } = server;
      const [former, next, admin] = [
        await member(server, "partner", { organizationName: "Former Networks" }),
        await member(server, "partner"),
        await member(server, "admin"),
      ];
      const [theirs, others, into] = [
        await member(server, "user", { partnerId: former.organisationId }),
        await member(server, "user", { partnerId: former.organisationId }),
        await member(server, "user", { partnerId: next.organisationId }),
      ];
      for (const { organisationId: id } of [theirs, others]) {
        await bind(id);
        expect(
          await makeReport(
            services,
            { id, name: "Betwa", partner: { id: former.organisationId, name: "Former Networks" } },
            month(),
          ),
        ).toBe(true);
      }
      const reports = [(await reportOf(theirs))?.id ?? "", (await reportOf(others))?.id ?? ""];
      for (const id of reports) await deliverServiceReport(services, id);
      const mailsOf = (id = "") =>
        database()
          .select()
          .from(mails)
          .where(like(mails.eventKey, `service-report:${id}:%`));
      const { organisationId: id } = theirs;
      const taken =
        how === "moved to another partner"
          ? await server.call("admin/people/move-customer", { id, version: 1, partner_email: next.email }, admin.token)
          : await server.call(
              "admin/people/merge",
              { from: { id, version: 1 }, into: { id: into.organisationId, version: 1 } },
              admin.token,
            );
      expect(taken.status).toBe(200);
      const [moved, stayed] = [await mailsOf(reports[0]), await mailsOf(reports[1])];
      expect([moved.length, stayed.length]).toEqual([2, 2]);
      expect(
        await sendQueuedMails(
          services,
          [...moved, ...stayed].map((mail) => mail.id),
        ),
      ).toEqual([null, null, null, null]);
      const came = async (...to: [string | undefined, Member]) =>
        (await mailsOf(to[0])).find(({ recipient }) => recipient === to[1].email)?.sentAt !== null;
      expect([await came(reports[0], former), await came(reports[0], theirs)]).toEqual([false, true]);
      expect([await came(reports[1], former), await came(reports[1], others)]).toEqual([true, true]);
    },
  );

  it("made again from what was kept is the same but for its date", async () => {
    const { data } = (await reportOf(customer)) ?? {};
    if (!data) throw new Error("There is no report");
    await addIncident(customer.organisationId, later(month().from, { days: 2 }), {}, { severity: "P1" });
    const [first, second] = await Promise.all(
      [now(), later(now(), { days: 40 })].map(async (at) => {
        const pdf = await readPdf(
          await server.services.documents.render("serviceReport", reportPaper(data, at, null, "")),
        );
        return pdf.text.replace(/Written on \d+ \w+ \d{4}/, "");
      }),
    );
    expect(first).toBe(second);
    expect(first).toContain(`(${data.timeZone})`);
    const many = reportPaper({ ...data, findings: { ...data.findings, open: 120_000 } }, now(), null, "");
    expect(many.findings.rows.map(([, findings]) => findings)).toContain("1,20,000");
  });

  it("and its PDFs are unknown to another customer and another partner", async () => {
    const { reports } = (await server.call("user/reports", {}, customer.token)).body;
    const files = [reports[0]?.pdf_url, reports[0]?.certificate_url, (await reportOf(customer))?.partnerFile];
    const otherPartner = await member(server, "partner");
    for (const file of files) {
      const asked = { fileName: file ?? "" };
      expect((await server.call("user/get-signed-url", asked, customer.token)).status).toBe(200);
      expect((await server.call("user/get-signed-url", asked, stranger.token)).status).toBe(404);
      expect((await server.call("partner/get-signed-url", asked, partner.token)).status).toBe(200);
      expect((await server.call("partner/get-signed-url", asked, otherPartner.token)).status).toBe(404);
    }
    expect((await server.call("user/reports", {}, stranger.token)).body.reports).toEqual([]);
    expect((await server.call("partner/reports", { email: customer.email }, otherPartner.token)).body.reports).toEqual(
      [],
    );
  });

  it("has the figures of the month before beside its own", async () => {
    const [organisation] = await database()
      .select()
      .from(organisations)
      .where(eq(organisations.id, customer.organisationId));
    const next = monthOf(Number(month().day.slice(0, 4)), Number(month().day.slice(5, 7)) + 1, zone);
    expect(
      await makeReport(
        server.services,
        { id: customer.organisationId, name: organisation?.name ?? "", partner: null },
        next,
      ),
    ).toBe(true);
    const made = and(eq(serviceReports.organisationId, customer.organisationId), eq(serviceReports.month, next.day));
    const [report] = await database().select().from(serviceReports).where(made);
    expect(report?.data.before).toMatchObject({ watchedPercent: 50, incidents: 2, promisesBroken: 3 });
    // Closed while no engine answered: no device's state is known, which does not make the devices unwatched.
    const closedWith = (told: object) => {
      const line = {
        ...report?.data.coverage?.lines[0],
        contracted: 4,
        connected: 0,
        silent: 0,
        neverConnected: 0,
        ...told,
      };
      return boardFigures({ ...report?.data, coverage: { lines: [line] } } as ReportData).watchedPercent;
    };
    expect(closedWith({ missing: 1, unknown: 3 })).toBeNull();
    expect(closedWith({ missing: 0, unknown: 3, silent: 1 })).toBe(0);
    expect(closedWith({ missing: 4, unknown: 0 })).toBe(0);
    await database().delete(serviceReports).where(made);
  });
});

describe("A retention certificate", () => {
  const device = (externalId: string, lastEventAt: Date | null, over: object = {}) => ({
    bindingId,
    organisationId: customer.organisationId,
    externalId,
    identity: externalId,
    name: `fw-${externalId}`,
    groups: [],
    state: "active" as const,
    lastEventAt,
    lastEventBasis: "events" as const,
    createdAt: earlier(now(), { days: 100 }),
    ...over,
  });
  /** The engine reports each device's last event at an instant; nothing while it fails. */
  async function tell(at: Date, events: Record<string, Date>, failing = false) {
    for (const [externalId, lastEventAt] of Object.entries(events))
      await database()
        .insert(engineDevices)
        .values(device(externalId, lastEventAt))
        .onConflictDoUpdate({ target: [engineDevices.bindingId, engineDevices.externalId], set: { lastEventAt } });
    const answer = { lastAnswerAt: at, failingSince: failing ? at : null };
    await database()
      .insert(engineStreams)
      .values({ bindingId, stream: "events", ...answer })
      .onConflictDoUpdate({ target: [engineStreams.bindingId, engineStreams.stream], set: answer });
    await noteSources(server.services);
    await noteSources(server.services);
  }

  it("tells a gap that was watched from one of which nothing is known, once", async () => {
    const start = later(month().from, { days: 5 });
    const at = (days: number, hours = 0) => later(start, { days, hours });
    await tell(at(0), { a: at(0), b: at(0) });
    await tell(at(0, 20), { a: at(0, 20), b: at(0) });
    // b is asked about and silent; then the engine fails for two days, and a is not known either.
    await tell(at(2), { a: at(2), b: at(0) });
    await tell(at(3), { a: at(3) }, true);
    await tell(at(5), { a: at(5), b: at(5) });
    const gaps = await database()
      .select({
        source: heldSources.externalId,
        from: sourceGaps.fromAt,
        until: sourceGaps.untilAt,
        watched: sourceGaps.watchedUntil,
      })
      .from(sourceGaps)
      .innerJoin(heldSources, eq(heldSources.id, sourceGaps.sourceId));
    expect(
      gaps.toSorted((one, other) =>
        `${one.source}${one.from.toISOString()}`.localeCompare(`${other.source}${other.from.toISOString()}`),
      ),
    ).toEqual([
      { source: "a", from: at(0, 20), until: at(2), watched: at(0, 20) },
      { source: "a", from: at(2), until: at(5), watched: at(2) },
      { source: "b", from: at(0), until: at(5), watched: at(2) },
    ]);
  });

  it("names what it does not cover, and its PDF fails the check when a byte of it is changed", async () => {
    const own = await member(server, "user", { organizationName: "Narmada Mills" });
    const ownBinding = await bind(own.organisationId);
    const of = { bindingId: ownBinding, organisationId: own.organisationId };
    await database()
      .insert(engineDevices)
      .values([
        device("never", null, of),
        device("untold", now(), { ...of, lastEventBasis: "findings" }),
        device("heard", now(), of),
        device("replaced", null, { ...of, goneAt: earlier(month().until, { days: 9 }) }),
        device("outdated", null, of),
      ]);
    const removedBinding = await bind(own.organisationId);
    const removedAt = earlier(month().until, { days: 9 });
    await database().update(engineBindings).set({ removedAt }).where(eq(engineBindings.id, removedBinding));
    const long = { firstEventAt: earlier(now(), { days: 900 }), watchedUntil: now() };
    await database()
      .insert(heldSources)
      .values([
        { ...of, ...long, externalId: "replaced", name: "fw-replaced", lastEventAt: removedAt },
        { ...of, ...long, bindingId: removedBinding, externalId: "x", name: "fw-unbound", lastEventAt: removedAt },
        { ...of, ...long, externalId: "outdated", name: "fw-outdated", lastEventAt: earlier(now(), { days: 600 }) },
      ]);
    await database()
      .insert(heldSources)
      .values([
        {
          ...of,
          externalId: "heard",
          name: "fw-heard",
          firstEventAt: earlier(month().until, { days: 200 }),
          lastEventAt: now(),
          watchedUntil: now(),
        },
        {
          ...of,
          externalId: "gone",
          name: "fw-gone",
          firstEventAt: earlier(month().from, { days: 20 }),
          lastEventAt: earlier(month().from, { days: 2 }),
          watchedUntil: now(),
        },
      ]);
    await makeServiceReports(server.services);
    const report = await reportOf(own);
    expect(report?.certificate).toMatchObject({
      stated: null,
      sources: [
        { name: "fw-gone", removed: false, gaps: [{ until: month().until.toISOString() }] },
        { name: "fw-heard", removed: false, days: 200, gaps: [] },
        { name: "fw-replaced", removed: true, gaps: [] },
        { name: "fw-unbound", removed: true, gaps: [] },
      ],
      notCovered: [
        { name: "fw-gone", because: "silent" },
        { name: "fw-never", because: "never" },
        { name: "fw-outdated", because: "outdated" },
        { name: "fw-untold", because: "untold" },
      ],
    });
    expect(report?.data.retention).toMatchObject({ sources: 5, known: 2, held180: 1, held365: 0, gaps: 1 });
    await deliverServiceReport(server.services, report?.id ?? "");
    const { certificateFile, certificateHash } = (await reportOf(own)) ?? {};
    const pdf = await server.services.files.read(certificateFile ?? "");
    const { text } = await readPdf(pdf);
    expect(text.replaceAll(" ", "")).toContain(certificateHash);
    expect(text).toContain("Not stated by the operator");
    expect(text).toContain("not connected any more");
    const folder = mkdtempSync(join(tmpdir(), "verify-"));
    const verify = (bytes: Uint8Array) => {
      const file = join(folder, `${randomUUID()}.pdf`);
      writeFileSync(file, bytes);
      try {
        return {
          code: 0,
          said: execFileSync(process.execPath, ["server/commands/verify.ts", file], {
            encoding: "utf8",
            stdio: "pipe",
          }),
        };
      } catch (error) {
        const { status, stdout } = error as { status: number; stdout: string };
        return { code: status, said: stdout };
      }
    };
    expect(verify(pdf)).toEqual({ code: 0, said: expect.stringContaining(certificateHash ?? "") });
    const changed = new Uint8Array(pdf);
    const place = Math.floor(changed.length / 3);
    changed[place] = (changed[place] ?? 0) ^ 1;
    expect(verify(changed).code).toBe(1);
    rmSync(folder, { recursive: true });
  });

  /** A source with first and last events at these times. Answers its id. */
  async function hold({ organisationId }: Member, heard: { firstEventAt: Date; lastEventAt: Date }) {
    const of = { organisationId, bindingId: await bind(organisationId), externalId: "own", name: "fw-own" };
    const [source] = await database()
      .insert(heldSources)
      .values({ ...of, ...heard, watchedUntil: now() })
      .returning({ id: heldSources.id });
    return source?.id ?? "";
  }

  it("counts no days and no gaps of which no log is kept any more", async () => {
    const own = await member(server, "user", { organizationName: "Narmada Mills" });
    const days = (count: number) => earlier(now(), { days: count });
    const source = await hold(own, { firstEventAt: days(900), lastEventAt: now() });
    const gap = (from: number, until: number) => {
      return { sourceId: source, fromAt: days(from), untilAt: days(until), watchedUntil: days(until) };
    };
    const [before, within] = [gap(800, 795), gap(100, 95)];
    await database().insert(sourceGaps).values([before, within]);
    await makeServiceReports(server.services);
    const report = await reportOf(own);
    expect(report?.certificate.sources).toMatchObject([{ days: 365, gaps: [{ from: within.fromAt.toISOString() }] }]);
  });

  it("counts of what fell silent long ago only the days that are kept", async () => {
    const own = await member(server, "user");
    const before = (count: number) => earlier(month().until, { days: count });
    await hold(own, { firstEventAt: before(600), lastEventAt: before(340) });
    await makeServiceReports(server.services);
    const report = await reportOf(own);
    expect(report?.certificate.sources).toMatchObject([{ days: 25 }]);
    expect(report?.data.retention).toMatchObject({ held180: 0 });
  });
});
