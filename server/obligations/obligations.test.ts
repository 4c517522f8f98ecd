import { and, eq, sql } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { EntityClass } from "../../contract/entity-classes.ts";
import { writtenDay } from "../../contract/india-time.ts";
import { incidentNumber } from "../../contract/numbers.ts";
import type { FactValue, RegulatorFactKind } from "../../contract/regulator-facts.ts";
import { sellerIs } from "../../tests/billing.ts";
import { countStatements } from "../../tests/count-statements.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { type Member, member } from "../../tests/people.ts";
import { readPdf } from "../../tests/read-pdf.ts";
import { inTurn } from "../../tests/while-held.ts";
import {
  entityClassVersions,
  incidentFacts,
  incidents,
  mails,
  notices,
  obligationFilings,
  obligationVersions,
  people,
  regulatorFacts,
} from "../database/schema/index.ts";
import { rules } from "../protection/limiter.ts";
import { obligationsMetIn, openObligationsOf } from "./open-obligations.ts";
import { shippedObligations } from "./shipped.ts";
import { warnOfClocks } from "./warn-of-clocks.ts";

let server: TestServer;
let admin: Member;
beforeAll(async () => {
  server = await startTestServer({ work: false });
  admin = await member(server, "admin");
});
afterAll(() => server.stop());

const database = () => server.services.database;
const minutesAgo = (minutes: number) => new Date(server.services.now().getTime() - minutes * 60_000);

/** A customer with an incident that was opened this many minutes ago. */
async function incidentHolder(minutes = 60, over: Parameters<typeof member>[2] = {}) {
  const person = await member(server, "user", over);
  const openedAt = minutesAgo(minutes);
  const [incident] = await database()
    .insert(incidents)
    .values({
      organisationId: person.organisationId,
      title: "Ransomware on a file server",
      source: "analyst",
      severity: "P2",
      openedAt,
      changedAt: openedAt,
    })
    .returning();
  if (!incident) throw new Error("There is no incident");
  const clocks = async (token = person.token) => {
    const { body } = await server.call("user/incidents/{id}/obligations", { id: incident.id }, token);
    return { ...body, clock: (key: string) => body.clocks.find((each) => each.key === key) };
  };
  const attest = (kind: RegulatorFactKind, value: FactValue, factId = randomUUID(), by = person) =>
    server.call("user/incidents/{id}/facts", { id: incident.id, factId, kind, value }, by.token);
  const say = (classes: EntityClass[], version = 0) =>
    server.call("user/obligations/classes", { classes, version }, person.token);
  /** The input that records a report filed at that time. */
  const filing = (key: string, filedAt: Date, reference: string) => ({
    id: incident.id,
    filingId: randomUUID(),
    key,
    version: 0,
    filedBy: person.id,
    filedAt: filedAt.toISOString(),
    reference,
  });
  return { person, incident, clocks, attest, say, filing };
}

const at = (minutes: number) => ({ at: minutesAgo(minutes).toISOString() });
const timeOf = (value: { at: string }) => Date.parse(value.at);

it("A partner reads the clocks of its customer's incident, without the names of its people", async () => {
  const partner = await member(server, "partner");
  const { incident, person } = await incidentHolder(60, { partnerId: partner.organisationId });
  const read = async (area: "user" | "partner", { token }: Member) =>
    (await server.call(`${area}/incidents/{id}/obligations`, { id: incident.id }, token)).body;
  const [own, theirs] = [await read("user", person), await read("partner", partner)];
  expect(own.people.length).toBeGreaterThan(0);
  expect([theirs.people, theirs.clocks.length]).toEqual([[], own.clocks.length]);
});

describe("The regulators' clocks of an incident", () => {
  it("may apply until the customer says what it is, and count from what is attested, with who and when", async () => {
    const { person, clocks, attest, say } = await incidentHolder();
    const unknown = await clocks();
    expect(unknown.entity).toEqual({ classes: [], version: 0, set: null });
    const beforeDpdp = writtenDay(new Date()) < "2027-05-13";
    const states = new Set(unknown.clocks.map(({ state }) => state));
    expect(states).toEqual(new Set(["may apply", ...(beforeDpdp ? ["not in force"] : [])]));
    const onDashboard = async () => {
      const { clocks: shown } = (await server.call("user/service", {}, person.token)).body;
      return shown.flatMap((each) => (each.of === "regulator" ? [[each.state, each.dueAt]] : []));
    };
    const ends = unknown.clocks.flatMap(({ dueAt }) => dueAt ?? []).toSorted();
    expect(await onDashboard()).toEqual([["may apply", ends[0]]]);
    expect((await say(["body corporate"])).status).toBe(200);
    expect((await attest("types", { types: [5, 11] })).status).toBe(201);
    const noticed = at(90);
    await attest("noticed", noticed);
    const { clock, facts, entity } = await clocks();
    expect(entity).toMatchObject({ classes: ["body corporate"], version: 1, set: { name: "Asha Rao" } });
    expect(clock("cert-in")).toMatchObject({ state: "running", started: { fact: "noticed" } });
    expect(Date.parse(clock("cert-in")?.dueAt ?? "") - timeOf(noticed)).toBe(6 * 3_600_000);
    expect(clock("rbi")?.state).toBe("not");
    expect(facts.filter(({ holds }) => holds).map(({ kind, by }) => [kind, by])).toEqual(
      expect.arrayContaining([
        ["types", "Asha Rao"],
        ["noticed", "Asha Rao"],
      ]),
    );
    expect(person.id).toBeTruthy();
  });

  it("count the first look of a person of the customer as being told, at the latest", async () => {
    const { person, clocks, attest } = await incidentHolder();
    const child = await member(server, "userChild", { organisationId: person.organisationId, firstName: "Ravi" });
    const first = await clocks(child.token);
    expect(first.firstSeen?.name).toBe("Ravi Rao");
    const seenAt = first.firstSeen?.at;
    await clocks();
    await attest("brought to notice", { at: server.services.now().toISOString() });
    const later = await clocks();
    expect(later.firstSeen).toEqual(first.firstSeen);
    expect(later.clock("cert-in")?.started).toEqual({ fact: "brought to notice", at: seenAt });
    await attest("brought to notice", at(30));
    expect(Date.parse((await clocks()).clock("cert-in")?.started?.at ?? "")).toBeLessThan(Date.parse(seenAt ?? ""));
  });

  it("are not started by a look of ours, and take over when an engine detected it", async () => {
    const { person, incident, say, clocks } = await incidentHolder();
    await say(["bank"]);
    const { body } = await server.call("admin/incidents/{id}/obligations", { id: incident.id }, admin.token);
    expect(body.firstSeen).toBeNull();
    expect(body.clocks.find(({ key }) => key === "rbi")?.state).toBe("waiting");
    await database()
      .insert(incidentFacts)
      .values({
        incidentId: incident.id,
        news: "detected",
        occurredAt: minutesAgo(50),
        recordedAt: minutesAgo(49),
        by: "engine",
        payload: {},
        eventKey: "detected",
      });
    expect((await clocks()).clock("rbi")).toMatchObject({ state: "running", started: { fact: "detected" } });
    expect(person.organisationId).toBe(incident.organisationId);
  });

  it("keep every entry: the newest of a kind counts, a repeated one is kept once, and nobody changes one", async () => {
    const { incident, attest, clocks } = await incidentHolder();
    const factId = randomUUID();
    const sent = await Promise.all([1, 2, 3].map(() => attest("types", { types: [3] }, factId)));
    expect(sent.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect((await attest("types", { types: [4] }, factId)).status).toBe(409);
    await Promise.all([attest("symptoms", { words: "Files renamed" }), attest("affected systems", { words: "FS-01" })]);
    await attest("types", { types: [] });
    const { facts, clock } = await clocks();
    expect(facts.filter(({ kind }) => kind === "types").map(({ holds }) => holds)).toEqual([false, true]);
    expect(clock("sebi-other")?.state).toBe("may apply");
    expect(clock("cert-in")?.state).toBe("not");
    for (const change of [
      database().update(regulatorFacts).set({ kind: "noticed" }).where(eq(regulatorFacts.incidentId, incident.id)),
      database().delete(regulatorFacts).where(eq(regulatorFacts.incidentId, incident.id)),
    ])
      await expect(change).rejects.toMatchObject({ cause: { code: "42501" } });
  });

  it("refuse times that have not come, and answers that are none to the question", async () => {
    const { attest } = await incidentHolder();
    expect((await attest("noticed", at(-5))).body.fields).toEqual({ value: "This time has not come yet" });
    expect((await attest("noticed", { at: "1970-01-01T00:00:00Z" })).status).toBe(422);
    expect((await attest("noticed", { yes: true })).status).toBe(422);
    expect((await attest("severity", { choice: "terrible" })).status).toBe(422);
    expect((await attest("types", { types: [21] } as never)).status).toBe(422);
  });

  it("are another tenant's to nobody", async () => {
    const { incident } = await incidentHolder();
    const stranger = await member(server, "user");
    const id = incident.id;
    const asked = [
      await server.call("user/incidents/{id}/obligations", { id }, stranger.token),
      await server.call(
        "user/incidents/{id}/facts",
        { id, factId: randomUUID(), kind: "types", value: { types: [1] } },
        stranger.token,
      ),
      await server.call("user/incidents/{id}/draft", { id, key: "cert-in", format: "text" }, stranger.token),
    ];
    expect(asked.map(({ status }) => status)).toEqual([404, 404, 404]);
  });
});

describe("A draft", () => {
  it("stands in the order of the form, says who attested what, and who can say what is missing", async () => {
    const { incident, attest, person } = await incidentHolder();
    await attest("types", { types: [5] });
    await attest("symptoms", { words: "Files renamed to .lock\nA note on the desktop" });
    const ask = (format: "text" | "pdf") =>
      server.call("user/incidents/{id}/draft", { id: incident.id, key: "cert-in", format }, person.token);
    const { body } = await ask("text");
    const labels = [
      "Kind of incident",
      "Time of occurrence",
      "Affected system",
      "Symptoms",
      "Security systems",
      "Actions taken",
    ];
    const places = labels.map((label) => body.text.indexOf(label));
    expect(places.every((place) => place > 0)).toBe(true);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(body.text).toContain("5 Malicious code");
    expect(body.text).toContain("(Asha Rao, entered on ");
    expect(body.text).toContain("NOT KNOWN");
    expect(body.text).toContain("Nobody has filed this");
    const pdf = (await ask("pdf")).body;
    expect(Buffer.from(pdf.content, "base64").subarray(0, 5).toString()).toBe("%PDF-");
    expect(pdf.fileName).toMatch(/^draft-I-\d{6}-cert-in\.pdf$/);
  });
});

describe("A filing", () => {
  it("is kept with who filed and what, ends the clock, starts those that follow, and is never changed", async () => {
    const { attest, clocks, say, person, filing } = await incidentHolder();
    const child = await member(server, "userChild", { organisationId: person.organisationId, firstName: "Ravi" });
    await say(["sebi regulated"]);
    await attest("types", { types: [5] });
    await attest("noticed", at(120));
    const filed = { ...filing("sebi-mail", minutesAgo(10), "SEBI-2026-17"), filedBy: child.id };
    const record = (over: object = {}) =>
      server.call("user/incidents/{id}/filings", { ...filed, ...over }, person.token);
    expect((await record()).status).toBe(201);
    expect((await record()).status).toBe(201);
    const other = { reference: "SEBI-2026-18" };
    for (const over of [other, { filedBy: person.id }, { filedAt: minutesAgo(9).toISOString() }]) {
      const { status, body } = await record(over);
      expect([status, body.error]).toEqual([
        409,
        expect.stringMatching(/Ravi Rao filed it on .* IST, with the reference SEBI-2026-17, and this stays/),
      ]);
    }
    const { filings, clock } = await clocks();
    expect(filings).toHaveLength(1);
    expect(filings[0]).toMatchObject({
      filedBy: "Ravi Rao",
      reference: "SEBI-2026-17",
      recorded: { name: "Asha Rao" },
    });
    expect(clock("sebi-mail")?.state).toBe("filed");
    const { started } = clock("sebi-mitigation") ?? {};
    expect(started?.fact).toBe("reported to sebi");
    await expect(
      database().update(obligationFilings).set({ reference: "x" }).where(eq(obligationFilings.id, filed.filingId)),
    ).rejects.toMatchObject({ cause: { code: "42501" } });
    expect((await record({ filingId: randomUUID(), filedBy: admin.id })).status).toBe(404);
    expect((await record({ filingId: randomUUID(), filedAt: minutesAgo(-5).toISOString() })).status).toBe(422);
    expect((await record({ filingId: randomUUID(), filedAt: "0000-01-01T00:00:00Z" })).status).toBe(422);
    const early = await record({ filingId: randomUUID(), filedAt: minutesAgo(125).toISOString() });
    expect(early.body.fields).toEqual({ filedAt: expect.stringContaining("Attest first when it occurred") });
    await attest("occurred", at(600));
    expect((await record({ filingId: randomUUID(), filedAt: minutesAgo(125).toISOString() })).status).toBe(201);
    expect((await record({ filingId: randomUUID(), version: 3 })).status).toBe(409);
    const met = await obligationsMetIn(database(), person.organisationId, minutesAgo(60), minutesAgo(-1));
    expect(met).toMatchObject([{ reference: "SEBI-2026-17", late: false }]);
    const open = await openObligationsOf(database(), person.organisationId, server.services.now());
    expect(open.map(({ key }) => key)).toContain("sebi-portal");
    expect(open.map(({ key }) => key)).not.toContain("sebi-mail");
  });

  it("is late where it came first and after the end; what is filed after it adds to it", async () => {
    const { attest, say, person, filing } = await incidentHolder(3 * 24 * 60);
    await say(["body corporate"]);
    await attest("types", { types: [5] });
    await attest("noticed", at(48 * 60));
    const file = async (minutes: number, reference: string) => {
      const { status } = await server.call(
        "user/incidents/{id}/filings",
        filing("cert-in", minutesAgo(minutes), reference),
        person.token,
      );
      expect(status).toBe(201);
    };
    const met = async () =>
      (await obligationsMetIn(database(), person.organisationId, minutesAgo(72 * 60), server.services.now())).map(
        ({ reference, late }) => [reference, late],
      );
    await file(38 * 60, "late");
    expect(await met()).toEqual([["late", true]]);
    await file(44 * 60, "in time");
    await file(60, "supplement");
    expect(await met()).toEqual([
      ["in time", false],
      ["late", false],
      ["supplement", false],
    ]);
  });

  it("counts in one span: that of its own time, or where it was recorded too late for that, the next one", async () => {
    const { attest, person, filing } = await incidentHolder(60);
    await attest("noticed", at(48 * 60));
    const file = (filedAt: Date, reference: string) =>
      server.call("user/incidents/{id}/filings", filing("cert-in", filedAt, reference), person.token);
    const [long, short, start] = [minutesAgo(180), minutesAgo(60), minutesAgo(72 * 60)];
    expect((await file(minutesAgo(200), "told late")).status).toBe(201);
    expect((await file(minutesAgo(90), "told in time")).status).toBe(201);
    const metIn = async (from: Date, to: Date) =>
      (await obligationsMetIn(database(), person.organisationId, from, to)).map(({ reference }) => reference);
    const end = minutesAgo(-1);
    // For a span that ended three hours ago, everything told today is late; for one that ended an hour ago it is still
    // in time.
    expect([await metIn(start, long), await metIn(long, end)]).toEqual([[], ["told late", "told in time"]]);
    expect([await metIn(start, short), await metIn(short, end)]).toEqual([["told late", "told in time"], []]);
  });

  it("is known again after its answer was lost, whatever has changed meanwhile", async () => {
    const { incident, attest, person, filing } = await incidentHolder();
    await attest("noticed", at(120));
    const filed = filing("cert-in", minutesAgo(10), "CERT-17");
    const record = (over: object = {}) =>
      server.call("user/incidents/{id}/filings", { ...filed, ...over }, person.token);
    expect((await record()).status).toBe(201);
    // As after an edit of the obligation: the call names a version that is no longer current.
    const later = { version: 7 };
    expect((await record(later)).status).toBe(201);
    expect((await record({ ...later, reference: "CERT-18" })).body.error).toContain("with the reference CERT-17");
    expect((await record({ ...later, filingId: randomUUID() })).status).toBe(409);
    const other = await incidentHolder();
    expect((await record({ id: other.incident.id })).status).toBe(404);
    expect(await database().$count(obligationFilings, eq(obligationFilings.incidentId, incident.id))).toBe(1);
  });

  it("and what is attested are taken from clocks that are a little ahead, and kept as of now", async () => {
    const { incident, attest, person } = await incidentHolder();
    const ahead = at(-1.5);
    const factId = randomUUID();
    expect([(await attest("noticed", ahead, factId)).status, (await attest("noticed", ahead, factId)).status]).toEqual([
      201, 201,
    ]);
    expect((await attest("noticed", at(30), factId)).status).toBe(409);
    const filed = { id: incident.id, filingId: randomUUID(), key: "cert-in", version: 0, filedBy: person.id };
    const record = () =>
      server.call("user/incidents/{id}/filings", { ...filed, filedAt: ahead.at, reference: "" }, person.token);
    expect([(await record()).status, (await record()).status]).toEqual([201, 201]);
    const [fact] = await database().select().from(regulatorFacts).where(eq(regulatorFacts.id, factId));
    expect(fact?.value).toEqual({ at: fact?.createdAt.toISOString() });
    const [filing] = await database().select().from(obligationFilings).where(eq(obligationFilings.id, filed.filingId));
    expect(filing?.filedAt).toEqual(filing?.createdAt);
  });

  it("keeps the clocks that it started in sight after the incident was closed, though nobody attested a fact", async () => {
    const { incident, say, person, filing } = await incidentHolder(3 * 24 * 60);
    await say(["sebi regulated"]);
    const filed = await server.call(
      "user/incidents/{id}/filings",
      filing("sebi-mail", minutesAgo(60 * 60), "SEBI-2026-18"),
      person.token,
    );
    expect(filed.status).toBe(201);
    const other = await incidentHolder();
    for (const { id } of [incident, other.incident])
      await database()
        .update(incidents)
        .set({ state: "closed", closedAt: minutesAgo(1) })
        .where(eq(incidents.id, id));
    const { body } = await server.call("user/obligations", {}, person.token);
    expect(body.open.map(({ key }) => key)).toEqual(
      expect.arrayContaining(["sebi-interim", "sebi-mitigation", "sebi-root-cause"]),
    );
    expect((await server.call("user/obligations", {}, other.person.token)).body.open).toEqual([]);
    await warnOfClocks(server.services);
    const told = await database().select().from(notices).where(eq(notices.personId, person.id));
    expect(told.map(({ text }) => text)).toEqual([expect.stringContaining("Interim report to SEBI")]);
  });
});

describe("Incidents that are merged", () => {
  const opened = async (person: Member) => {
    const openedAt = minutesAgo(30);
    const [row] = await database()
      .insert(incidents)
      .values({
        organisationId: person.organisationId,
        title: "A case",
        source: "analyst",
        severity: "P3",
        openedAt,
        changedAt: openedAt,
      })
      .returning();
    if (!row) throw new Error("There is no incident");
    return { id: row.id, number: incidentNumber(row.serial) };
  };
  const merge = async (id: string, into: string) => {
    const merged = await server.call("admin/incidents/merge", { id, fact_id: randomUUID(), into }, admin.token);
    expect(merged.status).toBe(200);
  };
  const read = async (id: string, person: Member) => {
    const { body } = await server.call("user/incidents/{id}/obligations", { id }, person.token);
    return { ...body, clock: (key: string) => body.clocks.find((each) => each.key === key) };
  };

  it("have one clock, from the earliest that is known of any, and count as one in every view", async () => {
    const { person, say } = await incidentHolder(60 * 24 * 3);
    await say(["body corporate"]);
    const report = { id: randomUUID(), what: "Files are renamed", since: "Since today", call: "+91 98450 11111" };
    const attack = (await server.call("user/under-attack/post", report, person.token)).body.incident_id;
    const [between, last] = [await opened(person), await opened(person)];
    const attest = (id: string, kind: RegulatorFactKind, value: FactValue) =>
      server.call("user/incidents/{id}/facts", { id, factId: randomUUID(), kind, value }, person.token);
    await attest(attack, "types", { types: [5] });
    await attest(attack, "noticed", at(5 * 60));
    const before = await read(attack, person);
    await warnOfClocks(server.services);
    await attest(between.id, "types", { types: [] });
    await attest(between.id, "noticed", at(20));
    await merge(attack, between.number);
    await merge(between.id, last.number);
    const after = await read(last.id, person);
    expect(after.clock("cert-in")).toMatchObject({
      state: "running",
      dueAt: before.clock("cert-in")?.dueAt,
      started: { fact: "noticed" },
    });
    expect(after.firstSeen).toEqual(before.firstSeen);
    expect((await read(attack, person)).clocks).toEqual(after.clocks);
    const open = await openObligationsOf(database(), person.organisationId, server.services.now());
    expect(open.filter(({ key, state }) => key === "cert-in" && state === "running")).toMatchObject([
      { incidentId: last.id, dueAt: after.clock("cert-in")?.dueAt },
    ]);
    await warnOfClocks(server.services);
    const told = await database().$count(notices, and(eq(notices.personId, person.id), eq(notices.kind, "clock ends")));
    expect(told).toBe(1);
    const corrected = at(4 * 60);
    await attest(last.id, "noticed", corrected);
    const later = await read(last.id, person);
    expect(later.clock("cert-in")?.started).toEqual({ fact: "noticed", at: corrected.at });
  });

  it("keep what was filed of any, also when the one that is left is closed", async () => {
    const { incident, person, attest, say, filing } = await incidentHolder(3 * 24 * 60);
    await say(["sebi regulated"]);
    await attest("noticed", at(62 * 60));
    const filed = filing("sebi-mail", minutesAgo(60 * 60), "SEBI-2026-19");
    expect((await server.call("user/incidents/{id}/filings", filed, person.token)).status).toBe(201);
    const last = await opened(person);
    await merge(incident.id, last.number);
    await database()
      .update(incidents)
      .set({ state: "closed", closedAt: minutesAgo(1) })
      .where(eq(incidents.id, last.id));
    expect((await read(last.id, person)).clock("sebi-mail")?.state).toBe("filed");
    const { body } = await server.call("user/obligations", {}, person.token);
    expect(body.open.map(({ key, incidentId }) => [key, incidentId])).toContainEqual(["sebi-interim", last.id]);
    const late = { ...filed, id: last.id, filingId: randomUUID(), filedAt: minutesAgo(61 * 60).toISOString() };
    expect((await server.call("user/incidents/{id}/filings", late, person.token)).status).toBe(201);
  });
});

it("A draft of a report is a paper of ours, which has the company's CIN at its foot", async () => {
  const cin = "U72900KA2020PTC123456";
  await sellerIs(server, { cin });
  const { incident, person } = await incidentHolder();
  const asked = { id: incident.id, key: "cert-in", format: "pdf" as const };
  const { body } = await server.call("user/incidents/{id}/draft", asked, person.token);
  expect((await readPdf(new Uint8Array(Buffer.from(body.content, "base64")))).pages[0]).toContain(`CIN ${cin}`);
});

describe("What customers keep with an incident", () => {
  it("is counted: facts and PDFs of drafts come to an end for a while", async () => {
    const { incident, attest, person } = await incidentHolder();
    const { limiter } = server.services;
    const draft = { id: incident.id, key: "cert-in", format: "pdf" as const };
    const drafted = () => server.call("user/incidents/{id}/draft", draft, person.token);
    expect([(await attest("types", { types: [5] })).status, (await drafted()).status]).toEqual([201, 200]);
    for (const rule of ["incidentByAccount", "paperByAccount"] as const)
      for (let used = 1; used < rules[rule].points; used++) await limiter.consume(rule, person.id);
    expect([(await attest("types", { types: [5] })).status, (await drafted()).status]).toEqual([429, 429]);
  });
});

describe("What an organisation is to regulators", () => {
  it("is said by its main user in versions, of two at once by one", async () => {
    const { person, say } = await incidentHolder();
    const answers = await Promise.all([say(["bank"]), say(["insurer"])]);
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
    expect((await say(["listed", "data fiduciary"], 1)).status).toBe(200);
    const { body } = await server.call("user/obligations", {}, person.token);
    expect(body.entity).toMatchObject({ classes: ["data fiduciary", "listed"], version: 2 });
    expect(body.calendar.map(({ key, applies, dueOn }) => [key, applies, dueOn])).toEqual([
      ["lodr-quarterly", true, null],
    ]);
    const ofOwn = eq(entityClassVersions.organisationId, person.organisationId);
    expect(await database().$count(entityClassVersions, ofOwn)).toBe(2);
    await expect(database().delete(entityClassVersions).where(ofOwn)).rejects.toMatchObject({
      cause: { code: "42501" },
    });
  });
});

describe("Obligations", () => {
  it("are edited in versions, verified by name, and not verified any more once they change", async () => {
    const key = "nciipc";
    const current = async () => {
      const { body } = await server.call("admin/obligations", {}, admin.token);
      const found = body.obligations.find((each) => each.key === key);
      if (!found) throw new Error("It is gone");
      return found;
    };
    const shipped = await current();
    expect(shipped).toMatchObject({ version: 0, verified: null, words: { on: false, confidence: "L" } });
    const write = (version: number, over: object = {}) =>
      server.call(
        "admin/obligations/post",
        { key, version, words: { ...shipped.words, on: true, ...over } },
        admin.token,
      );
    const both = await Promise.all([write(0), write(0, { title: "Another" })]);
    expect(both.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
    const verify = (version: number, verified = true) =>
      server.call("admin/obligations/verify", { key, version, verified }, admin.token);
    expect((await verify(0)).status).toBe(409);
    expect((await verify(1)).status).toBe(200);
    expect((await current()).verified).toMatchObject({ by: "Asha Rao" });
    expect((await write(2, { validFrom: "2026-02-01", validTo: "2026-01-01" })).body.fields).toHaveProperty("validTo");
    expect((await write(2)).status).toBe(200);
    expect(await current()).toMatchObject({ version: 3, verified: null, words: { on: true } });
    const { body } = await server.call("admin/obligations/history", { key }, admin.token);
    expect(body.versions.map(({ version }) => version)).toEqual([3, 2, 1, 0]);
    await expect(database().update(obligationVersions).set({ version: 9 })).rejects.toMatchObject({
      cause: { code: "42501" },
    });
  });

  it("can be added, as the hours of a regulator abroad, with a source", async () => {
    const words = {
      ...shippedObligations[0],
      title: "Report to a regulator abroad",
      classes: ["uae bank"],
      confidence: "U",
      source: "A letter of our counsel",
    };
    const { key: _key, version: _version, ...written } = words as typeof words & { key: string; version: number };
    const add = () =>
      server.call("admin/obligations/post", { key: "uae-own", version: null, words: written as never }, admin.token);
    expect((await add()).status).toBe(200);
    expect((await add()).status).toBe(409);
    const { clocks, say } = await incidentHolder();
    await say(["uae bank"]);
    expect((await clocks()).clock("uae-own")?.state).toBe("may apply");
  });
});

describe("A clock that is about to end", () => {
  const toldTo = async (person: Member) => ({
    mails: await database().$count(mails, sql`event_key like 'clock-ends:%' and recipient = ${person.email}`),
    notices: await database().$count(notices, eq(notices.personId, person.id)),
  });
  const warnOnCopies = () => Promise.all([1, 2, 3].map(() => warnOfClocks(server.services)));

  it("is told once by bell and mail, and to nobody after it was filed", async () => {
    const { person, attest, say } = await incidentHolder();
    await say(["body corporate"]);
    await attest("types", { types: [5] });
    await attest("noticed", at(3 * 60));
    await warnOfClocks(server.services);
    expect(await toldTo(person)).toEqual({ mails: 0, notices: 0 });
    await attest("noticed", at(5 * 60));
    await warnOnCopies();
    await warnOfClocks(server.services);
    expect(await toldTo(person)).toEqual({ mails: 1, notices: 1 });
  });

  it("is told to nobody where its report is recorded while that is about to be done", async () => {
    const { person, incident, attest, say, filing } = await incidentHolder();
    await say(["body corporate"]);
    await attest("types", { types: [5] });
    await attest("noticed", at(5 * 60));
    const filed = filing("cert-in", minutesAgo(1), "CERT-2026-7");
    const [recorded] = await inTurn(
      server,
      `select from incidents where id = '${incident.id}' for update`,
      () => server.call("user/incidents/{id}/filings", filed, person.token),
      () => warnOfClocks(server.services),
    );
    expect([recorded.status, await toldTo(person)]).toEqual([201, { mails: 0, notices: 0 }]);
  });

  it("is told however long ago its incident was opened, and of a closed one where it was reported of late", async () => {
    const days = (count: number) => count * 24 * 60;
    const old = await incidentHolder(days(300));
    await old.say(["body corporate"]);
    await old.attest("types", { types: [5] });
    await old.attest("noticed", at(5 * 60));
    const closed = await incidentHolder(days(150));
    await closed.say(["sebi regulated"]);
    const report = closed.filing("sebi-mail", minutesAgo(days(74.5)), "SEBI-2026-19");
    expect((await server.call("user/incidents/{id}/filings", report, closed.person.token)).status).toBe(201);
    await database()
      .update(incidents)
      .set({ state: "closed", closedAt: minutesAgo(days(70)), rank: 203 })
      .where(eq(incidents.id, closed.incident.id));
    await warnOfClocks(server.services);
    expect(await toldTo(old.person)).toEqual({ mails: 1, notices: 1 });
    const told = await database().select().from(notices).where(eq(notices.personId, closed.person.id));
    expect(told.map(({ text }) => text)).toEqual([expect.stringContaining("Forensic report to SEBI")]);
  });

  it("is told to nobody who is shut out with their main account", async () => {
    const { person, attest, say } = await incidentHolder();
    const child = await member(server, "userChild", { organisationId: person.organisationId });
    await say(["body corporate"]);
    await attest("types", { types: [5] });
    await attest("noticed", at(5 * 60));
    await database()
      .update(people)
      .set({ suspendedAt: minutesAgo(1) })
      .where(eq(people.id, person.id));
    await warnOfClocks(server.services);
    expect((await toldTo(child)).mails).toBe(0);
  });

  it("is told by mail once it runs, though the bell told of it while it only might apply", async () => {
    const { person, attest, say } = await incidentHolder();
    await say(["body corporate"]);
    await attest("noticed", at(5 * 60));
    await warnOfClocks(server.services);
    expect(await toldTo(person)).toEqual({ mails: 0, notices: 1 });
    await attest("types", { types: [5] });
    await warnOnCopies();
    await warnOfClocks(server.services);
    expect(await toldTo(person)).toEqual({ mails: 1, notices: 1 });
  });

  it("is told again when its end has moved by more than a minute, and never twice of one end", async () => {
    const { person, attest, say } = await incidentHolder();
    await say(["body corporate"]);
    await attest("types", { types: [5] });
    const noticed = minutesAgo(5 * 60);
    const told = async (secondsLater: number) => {
      await attest("noticed", { at: new Date(noticed.getTime() + secondsLater * 1000).toISOString() });
      await warnOnCopies();
      return toldTo(person);
    };
    expect(await told(0)).toEqual({ mails: 1, notices: 1 });
    expect(await told(60)).toEqual({ mails: 1, notices: 1 });
    expect(await told(30 * 60)).toEqual({ mails: 2, notices: 2 });
    expect(await told(0)).toEqual({ mails: 2, notices: 2 });
  });

  it("counts as told by both where people were told of it before the channels were kept apart", async () => {
    const { person, incident, attest, say, clocks } = await incidentHolder();
    await say(["body corporate"]);
    await attest("types", { types: [5] });
    await attest("noticed", at(5 * 60));
    const { dueAt } = (await clocks()).clock("cert-in") ?? {};
    const [file = ""] = globSync("server/database/migrations/*_warned_clocks.sql");
    const client = database().$client;
    await client.query(`delete from obligation_warnings;
      alter table obligation_warnings drop constraint obligation_warnings_once, drop column channel,
        add constraint obligation_warnings_incident_id_obligation_key_pk primary key (incident_id, obligation_key)`);
    await client.query("insert into obligation_warnings values ($1, $2, 'cert-in', $3)", [
      person.organisationId,
      incident.id,
      dueAt,
    ]);
    await client.query(readFileSync(file, "utf8"));
    await warnOfClocks(server.services);
    expect(await toldTo(person)).toEqual({ mails: 0, notices: 0 });
  });

  it("is looked for by as many statements among many incidents as among few", async () => {
    const look = () => countStatements(server, () => warnOfClocks(server.services));
    await look();
    const ofFew = await look();
    for (const { say, attest } of [await incidentHolder(), await incidentHolder(), await incidentHolder()]) {
      await say(["body corporate"]);
      await attest("noticed", at(10));
    }
    expect(await look()).toBe(ofFew);
  });

  it("is told although the clocks of another customer can't be counted", async () => {
    const [broken, ...others] = [await incidentHolder(), await incidentHolder(), await incidentHolder()];
    await database()
      .insert(regulatorFacts)
      .values({
        organisationId: broken.person.organisationId,
        incidentId: broken.incident.id,
        kind: "noticed",
        value: { at: "never" },
        enteredBy: broken.person.id,
        id: randomUUID(),
        createdAt: server.services.now(),
      });
    for (const { attest, say } of others) {
      await say(["body corporate"]);
      await attest("types", { types: [5] });
      await attest("noticed", at(5 * 60));
    }
    await warnOfClocks(server.services);
    for (const { person } of others) expect(await database().$count(notices, eq(notices.personId, person.id))).toBe(1);
  });
});
