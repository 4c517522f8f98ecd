import { and, eq, inArray, sql } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { shippedAgreement } from "../../contract/incident-agreement.ts";
import { inMilliseconds } from "../../contract/durations.ts";
import { limits } from "../../contract/limits.ts";
import { countStatements } from "../../tests/count-statements.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { member, type Member } from "../../tests/people.ts";
import { inTurn, whileHeld } from "../../tests/while-held.ts";
import {
  engineBindings,
  engineFindings,
  findingDecisions,
  engineIncidents,
  engineRemarks,
  incidentFacts,
  incidentFiles,
  incidents,
  ladderCalls,
  mails,
  notices,
  people,
  organisations,
  suppressionRules,
} from "../database/schema/index.ts";
import type { BindingRow } from "../engines/open-binding.ts";
import { storeIncidents } from "../engines/store.ts";
import type { Incident } from "../outside/engines/engine.ts";
import { rules } from "../protection/limiter.ts";
import { sendRemark } from "./engine-remarks.ts";
import { readIncidentFigures } from "./figures.ts";
import { climbLadders } from "./ladder.ts";
import { actionsAskedOf, openIncidentsOf, runningClocksOf } from "./open-incidents.ts";
import { takeEngineIncidents } from "./take-engine-incidents.ts";
import { watchIncidents } from "./watch-incidents.ts";

// Its job queues are not processed: each test does a worker's part itself.
let server: TestServer;
let admin: Member;
let analyst: Member;
beforeAll(async () => {
  server = await startTestServer({ work: false });
  admin = await member(server, "admin");
  analyst = await member(server, "adminChild", { organisationId: admin.organisationId, firstName: "Nila" });
});
afterAll(() => server.stop());

const database = () => server.services.database;
const minutes = (count: number) => server.passTime(count * 60);

async function customer() {
  const partner = await member(server, "partner");
  const main = await member(server, "user", { partnerId: partner.organisationId });
  return { partner, main };
}

async function opened(main: Member, more: object = {}, who = analyst) {
  const asked = {
    id: randomUUID(),
    email: main.email,
    title: "A stranger signed in",
    severity: "P1" as const,
    ...more,
  };
  const { status, body } = await server.call("admin/incidents/open", asked, who.token);
  expect([status, body.error]).toEqual([201, undefined]);
  return body.incident_id;
}

const tell = (id: string, news: string, more: object = {}, who = analyst) =>
  server.send("admin/incidents/tell", { id, fact_id: randomUUID(), news, ...more }, who.token);
const room = async (id: string, who: Member, area: "user" | "partner" | "admin" = "user") =>
  (await server.call(`${area}/incidents/{id}`, { id }, who.token)).body;
const rung = (id: string, who: Member, kind: string) =>
  database().$count(
    notices,
    and(eq(notices.personId, who.id), eq(notices.kind, kind), sql`${notices.link} like ${`%${id}`}`),
  );
/** The instant this many minutes from now. */
const at = (count: number) => new Date(server.services.now().getTime() + count * 60_000).toISOString();
const clockOf = async (id: string, name: string) =>
  (await room(id, admin, "admin")).clocks.find(({ clock }) => clock === name);

describe("An incident", () => {
  it("is worked from opening to closing, and the customer reads each step", async () => {
    const { main, partner } = await customer();
    const id = await opened(main);
    expect(await room(id, main)).toMatchObject({ state: "acknowledged", severity: "P1", can: [] });
    const asked = await tell(id, "asked", {
      text: "May we lock the account?",
      waits_for: "customer",
      reason: "Only they may lock it",
    });
    expect(asked.status).toBe(200);
    const [question] = (await room(id, main)).questions;
    expect(question).toMatchObject({ text: "May we lock the account?", pauses: true, answer: null });
    expect(await clockOf(id, "contain")).toMatchObject({ state: "paused", due_at: null });
    expect(await actionsAskedOf(database(), main.organisationId)).toMatchObject([{ incidentId: id }]);
    minutes(30);
    const answer = { id, fact_id: randomUUID(), ask: question?.id ?? "", text: "Yes" };
    const first = await server.call("user/incidents/answer", answer, main.token);
    const again = await server.call("user/incidents/answer", answer, main.token);
    const other = await server.call("user/incidents/answer", { ...answer, fact_id: randomUUID() }, main.token);
    expect([first.status, again.status, other.status]).toEqual([200, 200, 409]);
    expect(await clockOf(id, "contain")).toMatchObject({ state: "running" });
    await tell(id, "contained", { text: "The account is locked" });
    await tell(id, "commented", { text: "Ask the day shift", internal: true });
    await tell(id, "resolved", { text: "The password is new" });
    expect((await tell(id, "contained")).status).toBe(409);
    await tell(id, "closed", { verdict: "true_positive" });
    const closed = await room(id, main);
    expect(closed).toMatchObject({ state: "closed", asks: 0, next_due_at: null });
    expect(closed.clocks.map(({ state }) => state)).toEqual(["kept", "kept", "kept"]);
    expect(JSON.stringify(closed)).not.toContain("Ask the day shift");
    expect(JSON.stringify(await room(id, partner, "partner"))).not.toContain("Ask the day shift");
    expect(JSON.stringify(await room(id, admin, "admin"))).toContain("Ask the day shift");
  });

  it("tells our team, and nobody else, by which e-mail address its owner is found", async () => {
    const { main, partner } = await customer();
    const id = await opened(main);
    await tell(id, "owner", { owner_email: admin.email });
    expect((await room(id, analyst, "admin")).timeline).toContainEqual(
      expect.objectContaining({ news: "owner", owner_email: admin.email }),
    );
    for (const shown of [await room(id, main), await room(id, partner, "partner")]) {
      expect(shown.timeline.map(({ news }) => news)).toContain("owner");
      expect(JSON.stringify(shown)).not.toContain(admin.email);
    }
  });

  it("is mailed to nobody who is shut out with their main account", async () => {
    const { main } = await customer();
    const child = await member(server, "userChild", { organisationId: main.organisationId });
    const mailed = () => database().$count(mails, eq(mails.recipient, child.email));
    await opened(main);
    expect(await mailed()).toBe(1);
    await database().update(people).set({ suspendedAt: server.services.now() }).where(eq(people.id, main.id));
    await opened(main);
    expect(await mailed()).toBe(1);
  });

  it("counts as ended since it was resolved, however long people go on writing about it", async () => {
    const { main } = await customer();
    const ended = async () => (await server.call("user/incidents", {}, main.token)).body.counts.closed_last_30_days;
    const ids = [await opened(main), await opened(main)];
    for (const id of ids) await tell(id, "resolved");
    expect(await ended()).toBe(2);
    const resolvedAt = new Date(at(-31 * 1440));
    await database()
      .update(incidents)
      .set({ resolvedAt })
      .where(eq(incidents.id, ids[0] ?? ""));
    expect(await ended()).toBe(1);
  });

  it("keeps from the customer what only ours read, also when it is corrected or taken back", async () => {
    const { main } = await customer();
    const id = await opened(main);
    const [first, second] = [randomUUID(), randomUUID()];
    await tell(id, "commented", { fact_id: first, text: "Their boss is a suspect", internal: true });
    // A client that omits `internal` makes nothing public.
    await tell(id, "commented", { fact_id: second, corrects: first, text: "Their deputy is a suspect" });
    await tell(id, "commented", { corrects: second, withdrawn: true });
    expect((await room(id, main)).timeline.map(({ news }) => news)).not.toContain("commented");
    expect((await room(id, admin, "admin")).timeline.filter(({ internal }) => internal)).toHaveLength(3);
    const told = await database().select().from(notices).where(eq(notices.personId, main.id));
    expect(told.map(({ kind }) => kind)).toEqual(["incident opened"]);
  });

  it("shows the customer that a comment was taken back, where what it was corrected to is for ours alone", async () => {
    const { main, partner } = await customer();
    const id = await opened(main);
    const [first, second] = [randomUUID(), randomUUID()];
    await tell(id, "commented", { fact_id: first, text: "It came in by the VPN" });
    await tell(id, "commented", { fact_id: second, corrects: first, text: "Their boss is a suspect", internal: true });
    await tell(id, "commented", { corrects: second, text: "Their deputy is a suspect" });
    const comments = async (who: Member, area: "user" | "partner" | "admin") =>
      (await room(id, who, area)).timeline
        .filter(({ news }) => news === "commented")
        .map(({ text, stands, withdrawn, internal }) => ({ text, stands, withdrawn, internal }));
    const takenBack = [
      { text: "", stands: false, withdrawn: true, internal: false },
      { text: "It came in by the VPN", stands: false, withdrawn: false, internal: false },
    ];
    expect(await comments(main, "user")).toEqual(takenBack);
    expect(await comments(partner, "partner")).toEqual(takenBack);
    expect((await comments(admin, "admin")).map(({ text, stands }) => [text, stands])).toEqual([
      ["Their deputy is a suspect", true],
      ["Their boss is a suspect", false],
      ["It came in by the VPN", false],
    ]);
  });

  it("is told of no time that no calendar here has", async () => {
    const { main } = await customer();
    const id = await opened(main);
    const answers = [
      await tell(id, "contained", { occurred_at: "0000-01-01T00:00:00Z" }),
      await server.send("user/findings", { day: "0000-01-01" }, main.token),
      await server.send("user/findings", { day: "9999-12-31" }, main.token),
    ];
    expect(answers.map(({ status }) => status)).toEqual([422, 422, 422]);
  });

  it("is told of nothing from before it began, and of nothing to come, whichever clock that would stop", async () => {
    const { main } = await customer();
    const detected_at = at(-30);
    const id = await opened(main, { detected_at });
    const early = await tell(id, "contained", { occurred_at: at(-32) });
    const ahead = await tell(id, "contained", { occurred_at: at(5) });
    expect([early, ahead].map(({ status, body }) => [status, Object.keys(body["fields"] ?? {})])).toEqual([
      [422, ["occurred_at"]],
      [422, ["occurred_at"]],
    ]);
    expect(early.body.error).toContain("before the incident was detected");
    expect(await clockOf(id, "contain")).toMatchObject({ state: "running", ended_at: null });
    // Typed to the minute, the minute of detection does not count as before it.
    const minute = `${detected_at.slice(0, 16)}:00.000Z`;
    expect((await tell(id, "commented", { text: "It began there", occurred_at: minute })).status).toBe(200);
    const comment = (await room(id, main)).timeline.find(({ news }) => news === "commented");
    expect(comment?.occurred_at).toBe(detected_at);
  });

  it("is answered after its question and goes on after its wait, also where both are typed as of one minute", async () => {
    const { main } = await customer();
    const id = await opened(main, { detected_at: at(-60) });
    const toldLast = async (news: string) =>
      (await room(id, admin, "admin")).timeline.find((each) => each.news === news)?.occurred_at ?? "";
    const typed = (instant: string) => `${instant.slice(0, 16)}:00.000Z`;
    const ofWait = { waits_for: "third_party", reason: "The CERT looks" };
    await tell(id, "waiting", { ...ofWait, occurred_at: at(-20) });
    const resume = (occurred_at: string, more: object = {}) =>
      tell(id, "resumed", { waits_for: "third_party", occurred_at, ...more });
    const beforeWait = await resume(at(-22));
    expect([beforeWait.status, beforeWait.body["fields"]]).toEqual([
      422,
      { occurred_at: expect.stringContaining("before the wait") },
    ]);
    const resumed = randomUUID();
    expect((await resume(typed(await toldLast("waiting")), { fact_id: resumed })).status).toBe(200);
    expect((await room(id, main)).waits_for).toBe(null);
    expect(await toldLast("resumed")).toBe(await toldLast("waiting"));
    expect((await resume(at(-22), { corrects: resumed })).status).toBe(422);
    await tell(id, "asked", { text: "May we?", waits_for: "customer", reason: "It is theirs", occurred_at: at(-10) });
    const ask = (await room(id, main)).questions[0]?.id;
    const answer = (occurred_at: string, more: object = {}) =>
      tell(id, "answered", { ask, text: "Yes", occurred_at, ...more });
    const beforeQuestion = await answer(at(-12));
    expect([beforeQuestion.status, beforeQuestion.body["fields"]]).toEqual([
      422,
      { occurred_at: expect.stringContaining("before the question") },
    ]);
    const answered = randomUUID();
    const statuses = [
      await answer(typed(await toldLast("asked")), { fact_id: answered }),
      await answer(typed(await toldLast("asked")), { fact_id: answered }),
      await answer(at(-12), { corrects: answered }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([200, 200, 422]);
    expect(await room(id, main)).toMatchObject({ waits_for: null, questions: [{ answer: "Yes" }] });
    // A withdrawn fact has no time that could be wrong.
    expect((await answer(at(-12), { corrects: answered, withdrawn: true })).status).toBe(200);
    expect(await room(id, main)).toMatchObject({ waits_for: "customer", questions: [{ answer: null }] });
  });

  it("shows a question as answered, however often its words are corrected afterwards", async () => {
    const { main } = await customer();
    const id = await opened(main);
    const [asked, second, third] = [randomUUID(), randomUUID(), randomUUID()];
    await tell(id, "asked", { fact_id: asked, text: "May we lock it?" });
    const answer = { id, fact_id: randomUUID(), ask: asked, text: "Yes" };
    expect((await server.call("user/incidents/answer", answer, main.token)).status).toBe(200);
    await tell(id, "asked", { fact_id: second, corrects: asked, text: "May we lock the account?" });
    await tell(id, "asked", { fact_id: third, corrects: second, text: "May we lock the account of the director?" });
    expect(await room(id, main)).toMatchObject({ asks: 0, questions: [{ id: third, root: asked, answer: "Yes" }] });
    // With a second question open, a correction of the first one's answer does not answer the second.
    await tell(id, "asked", { text: "May we look into the mailbox?" });
    const corrected = { fact_id: randomUUID(), corrects: answer.fact_id, text: "Yes, at once" };
    expect((await tell(id, "answered", corrected)).status).toBe(200);
    expect((await room(id, main)).questions.map((question) => question.answer)).toEqual(["Yes, at once", null]);
  });

  it("is opened once when it is sent again, and what was corrected meanwhile is refused instead of lost", async () => {
    const { main } = await customer();
    const asked = { id: randomUUID(), email: main.email, title: "Stranger", severity: "P2" as const, text: "At night" };
    const open = (more: object) => server.call("admin/incidents/open", { ...asked, ...more }, analyst.token);
    const answers = [
      await open({}),
      await open({}),
      await open({ title: "A stranger" }),
      await open({ text: "At noon" }),
      await open({ detected_at: new Date(Date.now() - 3_600_000).toISOString() }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 409, 409, 409]);
    const timed = { id: randomUUID(), detected_at: new Date(Date.now() - 7_200_000).toISOString() };
    const tries = [await open(timed), await open(timed), await open({ id: timed.id })];
    expect(tries.map(({ status }) => status)).toEqual([201, 201, 409]);
    expect(answers[3]?.body.error).toMatch(/^An earlier try of this form has opened I-\d+/);
  });

  it("is opened for what was detected in the last year, and for nothing that is older or to come", async () => {
    const { main } = await customer();
    const statuses = [-1440 * (limits.incidentDaysBackMax + 1), 5, -1440].map(async (minutesFromNow) => {
      const asked = {
        id: randomUUID(),
        email: main.email,
        title: "Late",
        severity: "P3",
        detected_at: at(minutesFromNow),
      };
      return (await server.send("admin/incidents/open", asked, analyst.token)).status;
    });
    expect(await Promise.all(statuses)).toEqual([422, 422, 201]);
  });

  it("is told to its people by bell and mail, and to nobody who turned mails of its severity off", async () => {
    const { main } = await customer();
    const quiet = await member(server, "userChild", { organisationId: main.organisationId });
    await server.call("notices/choose", { kind: "incidentsP1", wanted: false }, quiet.token);
    await opened(main);
    const sent = async ({ email }: Member) => database().select().from(mails).where(eq(mails.recipient, email));
    expect(await sent(main)).toMatchObject([{ content: { template: "incident", about: "opened" } }]);
    expect(await sent(quiet)).toEqual([]);
    const told = await database().select().from(notices).where(eq(notices.personId, quiet.id));
    expect(told.map(({ kind }) => kind)).toEqual(["incident opened"]);
  });

  it("that waits for the customer says so to them, by bell, mail and among their actions, until the wait ends", async () => {
    const { main, partner } = await customer();
    const id = await opened(main);
    const told = (who: Member, kind: string) => rung(id, who, kind);
    const mailed = () =>
      database().$count(mails, and(eq(mails.recipient, main.email), sql`${mails.content}->>'about' = 'asked'`));
    const actions = async () => (await server.call("user/service", {}, main.token)).body.actions;
    const wait = (more: object) => tell(id, "waiting", { reason: "Please approve the reboot", ...more });
    const first = randomUUID();
    await wait({ fact_id: first, waits_for: "third_party" });
    expect([await told(main, "incident asks"), await mailed(), (await room(id, main)).waits]).toEqual([0, 0, []]);
    // A wait corrected to be the customer's is news to them; a change of its words alone is not.
    const second = randomUUID();
    await wait({ fact_id: second, corrects: first, waits_for: "customer" });
    await wait({ corrects: second, waits_for: "customer", text: "Tell us here once it is done" });
    expect([await told(main, "incident asks"), await told(partner, "incident asks"), await mailed()]).toEqual([
      1, 1, 1,
    ]);
    const { number, asks, waits } = await room(id, main);
    expect([asks, waits]).toMatchObject([1, [{ text: "Please approve the reboot – Tell us here once it is done" }]]);
    expect(await actions()).toMatchObject([
      { what: `${number}: Please approve the reboot – Tell us here once it is done`, place: "incident", id },
    ]);
    await server.call("user/incidents/comment", { id, fact_id: randomUUID(), text: "It is approved" }, main.token);
    expect([await told(analyst, "incident answered"), (await room(id, main)).waits_for]).toEqual([1, "customer"]);
    await tell(id, "resumed", { waits_for: "customer" });
    expect([await actions(), (await room(id, main)).waits, (await room(id, main)).asks]).toEqual([[], [], 0]);
    await wait({ waits_for: "customer" });
    await tell(id, "resolved");
    expect([await told(main, "incident asks"), await mailed(), await actions()]).toEqual([2, 2, []]);
  });

  it("whose end is taken back is told as one that was reopened", async () => {
    const { main } = await customer();
    const id = await opened(main);
    const titles = async () => {
      const rows = await database().select().from(notices).where(eq(notices.personId, main.id)).orderBy(notices.id);
      return rows.filter(({ kind }) => kind === "incident moved").map(({ title }) => title.split(": ")[1]);
    };
    const mailed = (about: string) =>
      database().$count(mails, and(eq(mails.recipient, main.email), sql`${mails.content}->>'about' = ${about}`));
    const [resolved, closed] = [randomUUID(), randomUUID()];
    await tell(id, "resolved", { fact_id: resolved });
    await tell(id, "closed", { fact_id: closed });
    // The incident returns to its state before it was closed: resolved.
    await tell(id, "closed", { corrects: closed, withdrawn: true });
    expect(await titles()).toEqual(["resolved", "closed", "resolved"]);
    await tell(id, "resolved", { corrects: resolved, withdrawn: true });
    expect(await room(id, main)).toMatchObject({ state: "acknowledged" });
    expect(await titles()).toEqual(["resolved", "closed", "resolved", "reopened"]);
    expect([await mailed("resolved"), await mailed("reopened")]).toEqual([2, 1]);
    // A fact that changes nothing notifies nobody.
    const again = randomUUID();
    await tell(id, "closed", { fact_id: again });
    await tell(id, "closed", { corrects: again, text: "A word was missing" });
    expect(await titles()).toEqual(["resolved", "closed", "resolved", "reopened", "closed"]);
  });

  it("that is not contained after all is told so", async () => {
    const { main } = await customer();
    const id = await opened(main);
    const contained = randomUUID();
    await tell(id, "contained", { fact_id: contained });
    await tell(id, "contained", { corrects: contained, withdrawn: true });
    expect(await room(id, main)).toMatchObject({ state: "acknowledged" });
    const told = await database().select().from(notices).where(eq(notices.personId, main.id)).orderBy(notices.id);
    expect(told.at(-1)?.title).toMatch(/^I-\d+: not contained after all$/);
    const mailed = and(eq(mails.recipient, main.email), sql`${mails.content}->>'about' = 'spreads'`);
    expect(await database().$count(mails, mailed)).toBe(1);
  });

  it("waits no longer only where it waits", async () => {
    const { main } = await customer();
    const id = await opened(main);
    const resumed = (more: object = {}) => tell(id, "resumed", { waits_for: "customer", ...more });
    expect((await resumed()).status).toBe(409);
    await tell(id, "waiting", { waits_for: "third_party", reason: "The provider looks" });
    expect((await resumed()).status).toBe(409);
    await tell(id, "waiting", { waits_for: "customer", reason: "Their change" });
    const fact_id = randomUUID();
    expect((await resumed({ fact_id })).status).toBe(200);
    expect([(await resumed({ fact_id })).status, (await resumed()).status]).toEqual([200, 409]);
    expect((await resumed({ corrects: fact_id, text: "They called" })).status).toBe(200);
    expect((await room(id, main)).waits_for).toBe("third_party");
    // A fact told too late counts by its own time.
    const late = await opened(main, { detected_at: at(-60) });
    await tell(late, "waiting", { waits_for: "customer", reason: "Their change", occurred_at: at(-40) });
    await tell(late, "resolved", { occurred_at: at(-20) });
    const ended = async (minutes: number) =>
      (await tell(late, "resumed", { waits_for: "customer", occurred_at: at(minutes) })).status;
    expect([await ended(-10), await ended(-30), await ended(-25)]).toEqual([409, 200, 409]);
  });

  it("tells of a wait that is corrected only where it waits by that", async () => {
    const { main } = await customer();
    const id = await opened(main, { detected_at: at(-60) });
    const asked = () => rung(id, main, "incident asks");
    const [wait, end] = [randomUUID(), randomUUID()];
    const ofCustomer = { waits_for: "customer", reason: "Their change" };
    await tell(id, "waiting", { ...ofCustomer, fact_id: wait, occurred_at: at(-40) });
    await tell(id, "resumed", { ...ofCustomer, fact_id: end, occurred_at: at(-20) });
    await tell(id, "waiting", { ...ofCustomer, reason: "Their VPN", corrects: wait, occurred_at: at(-41) });
    expect([(await room(id, main)).waits_for, await asked()]).toEqual([null, 1]);
    await tell(id, "resumed", { corrects: end, withdrawn: true });
    expect([(await room(id, main)).waits_for, await asked()]).toEqual(["customer", 2]);
  });

  it("is there for nobody of another customer or partner, whatever they do with its id", async () => {
    const [own, other] = [await customer(), await customer()];
    const id = await opened(own.main);
    const fact_id = randomUUID();
    const file = Buffer.from("%PDF-1.7").toString("base64");
    const tries = [
      ["user/incidents/{id}", { id }, other.main],
      ["user/incidents/comment", { id, fact_id, text: "Hello" }, other.main],
      ["user/incidents/answer", { id, fact_id, ask: fact_id, text: "Hello" }, other.main],
      ["user/incidents/attach", { id, file_id: fact_id, name: "a.pdf", file }, other.main],
      ["user/incidents/file", { id, file_id: fact_id }, other.main],
      ["partner/incidents/{id}", { id }, other.partner],
      ["partner/incidents/comment", { id, fact_id, text: "Hello" }, other.partner],
    ] as const;
    for (const [name, input, who] of tries) {
      const { status } = await server.send(name, input, who.token);
      expect([name, status]).toEqual([name, 404]);
    }
    // Reporting its id as one's own attack opens nothing either.
    const report = { id, what: "Mine now", since: "noon", call: "me" };
    expect((await server.call("user/under-attack/post", report, other.main.token)).status).toBe(404);
    expect((await room(id, own.partner, "partner")).id).toBe(id);
  });

  it("is acknowledged once by two who press at the same time", async () => {
    const { main } = await customer();
    const { body } = await server.call(
      "user/under-attack/post",
      { id: randomUUID(), what: "Files are encrypted", since: "10 minutes", call: "Asha" },
      main.token,
    );
    const answers = await Promise.all([tell(body.incident_id, "seen", {}, admin), tell(body.incident_id, "seen", {})]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const { clocks, timeline, state } = await room(body.incident_id, admin, "admin");
    expect(state).toBe("acknowledged");
    const firstSeen = timeline.filter(({ news }) => news === "seen").at(-1);
    expect(clocks[0]).toMatchObject({ state: "kept", ended_at: firstSeen?.occurred_at });
  });

  it("keeps a broken promise, also when a correction undoes it", async () => {
    const { main } = await customer();
    const report = { id: randomUUID(), what: "Files are encrypted", since: "now", call: "Asha" };
    const { body } = await server.call("user/under-attack/post", report, main.token);
    const id = body.incident_id;
    minutes(16);
    await watchIncidents(server.services);
    await watchIncidents(server.services);
    expect((await room(id, main)).breaches).toMatchObject([{ clock: "acknowledge", undone_at: null }]);
    const [told] = await database().select().from(notices).where(eq(notices.kind, "promise broken")).limit(1);
    expect(told?.title).toContain("acknowledge is late");
    const late = randomUUID();
    await tell(id, "seen", { fact_id: late });
    const earlier = new Date(server.services.now().getTime() - inMilliseconds({ minutes: 10 })).toISOString();
    const corrected = await tell(id, "seen", { corrects: late, occurred_at: earlier });
    expect(corrected.status).toBe(200);
    const after = await room(id, main);
    expect(after.clocks[0]?.state).toBe("kept");
    expect(after.breaches).toMatchObject([{ clock: "acknowledge", undone_at: expect.any(String) }]);
    expect(after.broken).toBe(1);
    expect(
      after.timeline
        .filter(({ news }) => news === "seen")
        .map(({ stands }) => String(stands))
        .toSorted(),
    ).toEqual(["false", "true"]);
    expect((await tell(id, "seen", { corrects: late, occurred_at: earlier })).status).toBe(409);
  });

  it("has facts that nobody can change", async () => {
    const { main } = await customer();
    const id = await opened(main);
    const change = database().update(incidentFacts).set({ withdrawn: true }).where(eq(incidentFacts.incidentId, id));
    await expect(change).rejects.toMatchObject({ cause: { message: expect.stringContaining("never changed") } });
  });

  it("goes by the levels that held when it began, and computes the same after everything cached is gone", async () => {
    const { main } = await customer();
    const id = await opened(main);
    await tell(id, "severity", { severity: "P3" });
    const before = await room(id, main);
    const changed = { ...shippedAgreement.limits, P3: { acknowledge: null, contain: null, resolve: null } };
    const refused = await server.call(
      "admin/service-levels/post",
      { after: 0, agreement: { ...shippedAgreement, limits: changed } },
      analyst.token,
    );
    expect(refused.status).toBe(403);
    const published = await server.call(
      "admin/service-levels/post",
      { after: 0, agreement: { ...shippedAgreement, limits: changed } },
      admin.token,
    );
    const twice = await server.call(
      "admin/service-levels/post",
      { after: 0, agreement: shippedAgreement },
      admin.token,
    );
    expect([published.status, twice.status]).toEqual([201, 409]);
    await database()
      .update(incidents)
      .set({ state: "new", severity: "P4", acknowledgedAt: null, nextDueAt: null, broken: 9 })
      .where(eq(incidents.id, id));
    expect((await room(id, main)).clocks).toEqual(before.clocks);
    minutes(1);
    const later = await opened(main);
    await tell(later, "severity", { severity: "P3" });
    expect((await room(later, main)).clocks.at(-1)).toMatchObject({ promised: null, state: "none" });
    expect((await room(later, main)).levels).toEqual({ number: 1, is_sample: false });
    const sample = { after: 1, agreement: shippedAgreement };
    expect((await server.call("admin/service-levels/post", sample, admin.token)).status).toBe(201);
  });

  it("goes on in another one of the same customer, whose clocks stay", async () => {
    const [own, other] = [await customer(), await customer()];
    const [from, into, foreign] = [await opened(own.main), await opened(own.main), await opened(other.main)];
    const numberOf = async (id: string) => (await room(id, admin, "admin")).number;
    const merge = async (to: string) =>
      server.send(
        "admin/incidents/merge",
        { id: from, fact_id: randomUUID(), into: await numberOf(to) },
        analyst.token,
      );
    expect((await merge(foreign)).status).toBe(404);
    expect((await merge(from)).status).toBe(409);
    const ended = await opened(own.main);
    await tell(ended, "resolved", { text: "It was a drill" });
    expect((await merge(ended)).body).toMatchObject({ error: expect.stringContaining("has ended. Reopen it first") });
    expect((await room(from, own.main)).merged_into).toBe(null);
    const [fact] = await database().select().from(incidentFacts).where(eq(incidentFacts.incidentId, foreign)).limit(1);
    const reused = { id: from, fact_id: fact?.id ?? "", into: await numberOf(into) };
    expect((await server.send("admin/incidents/merge", reused, analyst.token)).status).toBe(409);
    expect((await room(from, own.main)).merged_into).toBe(null);
    // A merge would lose a question, and the answer that is being typed.
    await tell(from, "asked", { text: "Who works on this server?" });
    expect((await merge(into)).body).toMatchObject({
      error: expect.stringContaining("waits for the customer’s answer"),
    });
    const [asked] = (await room(from, admin, "admin")).questions;
    const answer = { id: from, fact_id: randomUUID(), ask: asked?.id ?? "", text: "Nobody" };
    expect((await server.send("user/incidents/answer", answer, own.main.token)).status).toBe(200);
    expect((await merge(into)).status).toBe(200);
    const merged = await room(from, own.main);
    expect(merged).toMatchObject({ state: "merged", merged_into: { id: into }, next_due_at: null });
    const { counts } = (await server.call("user/incidents", {}, own.main.token)).body;
    expect(counts.closed_last_30_days).toBe(1);
    expect((await room(into, own.main)).state).toBe("acknowledged");
  });

  it("keeps files that are what they may be, and gives them to whoever may read it", async () => {
    const { main } = await customer();
    const id = await opened(main);
    const file_id = randomUUID();
    const attach = (bytes: Buffer) =>
      server.send(
        "user/incidents/attach",
        { id, file_id, name: "evidence.exe", file: bytes.toString("base64") },
        main.token,
      );
    expect((await attach(Buffer.from([0x4d, 0x5a, 0, 1, 2]))).status).toBe(422);
    expect((await attach(Buffer.from("%PDF-1.7 evidence"))).status).toBe(201);
    expect((await attach(Buffer.from("%PDF-1.7 evidence"))).status).toBe(201);
    expect((await attach(Buffer.from("%PDF-1.7 other evidence"))).status).toBe(409);
    expect((await room(id, main)).files).toHaveLength(1);
    const { body } = await server.call("admin/incidents/file", { id, file_id }, analyst.token);
    const answer = await fetch(new URL(body.signedUrl, server.url));
    expect([answer.status, await answer.text()]).toEqual([200, "%PDF-1.7 evidence"]);
    expect(answer.headers.get("content-disposition")).toBe('attachment; filename="evidence.pdf"');
  });

  it.each([
    ["two blanks", "Audit: command  was run"],
    ["a blank at its end", "Office 365: "],
    ["a line break", "SCA summary:\n CIS benchmark"],
    ["a bar", "Sigma | suspicious process"],
    ["an accent of its own", "Acce\u0301s refused"],
  ])("is suppressed by its very title, also one with %s", async (_what, title) => {
    const { main } = await customer();
    const now = server.services.now();
    const organisationId = main.organisationId;
    // Findings are listed by the day of their arrival, and this test may run over midnight.
    const day = "2026-03-02";
    const address = `https://${randomUUID()}.example.in`;
    const [binding] = await database()
      .insert(engineBindings)
      .values({ organisationId, kind: "iris", address, nextPollAt: now })
      .returning();
    await database()
      .insert(engineFindings)
      .values({
        bindingId: binding?.id ?? "",
        organisationId,
        externalId: "1",
        title,
        severity: "low",
        rawSeverity: "3",
        state: "open",
        at: now,
        attack: [],
        createdAt: new Date(`${day}T12:00Z`),
      });
    const { findings } = (await server.call("admin/findings", { email: main.email, day }, analyst.token)).body;
    const rule = { email: main.email, title: findings[0]?.title ?? "", reason: "Nightly", on_word_of: "Asha Rao" };
    const { status } = await server.call("admin/findings/suppress", { ...rule, id: randomUUID() }, analyst.token);
    const [row] = await database().select().from(engineFindings).where(eq(engineFindings.title, title));
    expect([status, row?.fate]).toEqual([201, "suppressed"]);
    for (const never of ["a\0b", "half \ud800 a character"]) {
      const asked = { ...rule, title: never, id: randomUUID() };
      // oxlint-disable-next-line no-await-in-loop -- only two
      expect((await server.call("admin/findings/suppress", asked, analyst.token)).status).toBe(422);
    }
  });

  it("is suppressed no more once a rule is ended, with those that were equal to it, but for a later one", async () => {
    const { main } = await customer();
    const rule = { email: main.email, title: "Backup read everything", reason: "Nightly", on_word_of: "Asha Rao" };
    const make = async () => {
      const id = randomUUID();
      expect((await server.call("admin/findings/suppress", { ...rule, id }, analyst.token)).status).toBe(201);
      return id;
    };
    const standing = async () =>
      (await server.call("admin/findings", { email: main.email }, analyst.token)).body.about.rules.filter(
        ({ ended_at: endedAt }) => endedAt === null,
      ).length;
    const end = async (id: string) => (await server.call("admin/findings/end-rule", { id }, analyst.token)).status;
    const first = await make();
    const [before] = await database().select().from(suppressionRules).where(eq(suppressionRules.id, first));
    if (!before) throw new Error("There is no rule");
    // As rules could be made before duplicates were refused.
    await database()
      .insert(suppressionRules)
      .values({ ...before, id: randomUUID() });
    expect(await standing()).toBe(2);
    expect([await end(first), await standing()]).toEqual([200, 0]);
    await make();
    expect([await end(first), await standing()]).toEqual([200, 1]);
  });

  it("is suppressed by a rule that is shown while it stands, however many were made and ended since", async () => {
    const { main } = await customer();
    const rule = { email: main.email, title: "Backup read everything", reason: "Nightly", on_word_of: "Asha Rao" };
    expect((await server.call("admin/findings/suppress", { ...rule, id: randomUUID() }, analyst.token)).status).toBe(
      201,
    );
    minutes(1);
    const now = server.services.now();
    await database()
      .insert(suppressionRules)
      .values(
        Array.from({ length: 200 }, (_, index) => ({
          organisationId: main.organisationId,
          title: `Noise ${index}`,
          reason: "For a week",
          onWordOf: "Asha Rao",
          createdBy: analyst.id,
          createdAt: now,
          endedAt: now,
          endedBy: analyst.id,
        })),
      );
    const { about } = (await server.call("admin/findings", { email: main.email }, analyst.token)).body;
    const standing = about.rules.filter(({ ended_at: endedAt }) => endedAt === null);
    expect([standing.map(({ title }) => title), about.rules.length]).toEqual([[rule.title], 200]);
  });

  it("counts files that are sent for incidents of others too", async () => {
    const [own, other] = [await customer(), await customer()];
    const { points } = rules.incidentByAccount;
    for (let count = 0; count < points; count++)
      await server.services.limiter.consume("incidentByAccount", other.main.id);
    const file = Buffer.from("%PDF-1.7").toString("base64");
    const sent = { id: await opened(own.main), file_id: randomUUID(), name: "a.pdf", file };
    expect((await server.send("user/incidents/attach", sent, other.main.token)).status).toBe(429);
  });

  it("leaves no file in the store that nobody can open", async () => {
    const { main } = await customer();
    const id = await opened(main);
    const stored = async () => (await readdir(join(server.services.env.dataDir, "files"))).length;
    const attach = (file_id = randomUUID(), content = "%PDF-1.7 evidence") =>
      server.send(
        "user/incidents/attach",
        { id, file_id, name: "a.pdf", file: Buffer.from(content).toString("base64") },
        main.token,
      );
    await attach();
    const before = await stored();
    const same = randomUUID();
    const atOnce = await Promise.all([attach(same), attach(same), attach(same)]);
    expect(atOnce.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(await stored()).toBe(before + 1);
    const other = randomUUID();
    const apart = await Promise.all([attach(other), attach(other, "%PDF-1.7 other evidence")]);
    expect(apart.map(({ status }) => status).toSorted((one, another) => one - another)).toEqual([201, 409]);
    expect(await stored()).toBe(before + 2);
    await database()
      .insert(incidentFiles)
      .values(
        Array.from({ length: limits.filesOfIncidentMax - 4 }, () => {
          const row = { id: randomUUID(), incidentId: id, name: "a", file: "", type: "pdf", bytes: 1, sha256: "" };
          return { ...row, by: "us" as const };
        }),
      );
    const last = await Promise.all([attach(), attach(), attach()]);
    expect(last.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(await stored()).toBe(before + 3);
  });

  it("takes only so many bytes of a customer in a day, however many incidents it has; ours attach what they need", async () => {
    const { main } = await customer();
    const child = await member(server, "userChild", { organisationId: main.organisationId });
    const [full, id] = [await opened(main), await opened(main)];
    const attach = (area: "user" | "admin", who: Member) =>
      server.send(
        `${area}/incidents/attach`,
        { id, file_id: randomUUID(), name: "a.txt", file: Buffer.from("evidence").toString("base64") },
        who.token,
      );
    const row = {
      id: randomUUID(),
      incidentId: full,
      name: "a",
      file: "",
      type: "zip",
      sha256: "",
      by: "customer" as const,
    };
    const bytes = limits.attachedMegabytesOfDay * 1024 ** 2 - "evidence".length;
    await database()
      .insert(incidentFiles)
      .values({ ...row, bytes, createdAt: server.services.now() });
    expect((await attach("user", main)).status).toBe(201);
    const refused = await attach("user", child);
    expect([refused.status, refused.body.error]).toEqual([429, expect.stringContaining("attached 100 MB in 24 hours")]);
    expect((await attach("admin", analyst)).status).toBe(201);
    await database()
      .update(incidentFiles)
      .set({ createdAt: new Date(at(-1441)) })
      .where(eq(incidentFiles.id, row.id));
    expect((await attach("user", main)).status).toBe(201);
  });

  it("notes who of the customer saw it first, and nobody after that", async () => {
    const { main, partner } = await customer();
    const child = await member(server, "userChild", { organisationId: main.organisationId, firstName: "Ravi" });
    const id = await opened(main);
    await room(id, partner, "partner");
    expect((await room(id, admin, "admin")).first_seen).toBe(null);
    await room(id, child);
    minutes(1);
    await room(id, main);
    await room(id, child);
    expect((await room(id, admin, "admin")).first_seen?.by).toBe("Ravi Rao");
  });
});

describe("Cases of an engine", () => {
  it("become incidents, and their changes news; what had ended before the engine was connected does not", async () => {
    const { main } = await customer();
    const now = server.services.now();
    const [binding] = await database()
      .insert(engineBindings)
      .values({
        organisationId: main.organisationId,
        kind: "iris",
        address: "https://iris.example.in",
        connectedAt: new Date(now.getTime() - inMilliseconds({ hours: 5 })),
        nextPollAt: now,
      })
      .returning();
    const bindingId = binding?.id ?? "";
    const at = (minutesAgo: number) => new Date(server.services.now().getTime() - minutesAgo * 60_000);
    const made = {
      bindingId,
      organisationId: main.organisationId,
      severity: "high" as const,
      rawSeverity: "High",
      state: "new" as const,
      rawState: "New",
      timeline: [],
      figures: {},
      changedAt: at(20),
    };
    const old = {
      ...made,
      externalId: "1",
      title: "Old",
      state: "closed" as const,
      openedAt: at(900),
      closedAt: at(600),
    };
    const [told] = await database()
      .insert(engineIncidents)
      .values([{ ...made, externalId: "2", title: "#2 - Beacon", openedAt: at(20) }, old])
      .returning();
    await takeEngineIncidents(server.services, bindingId);
    await takeEngineIncidents(server.services, bindingId);
    const [incident, ...more] = await openIncidentsOf(database(), main.organisationId);
    expect([incident?.title, incident?.severity, incident?.state, more]).toEqual(["#2 - Beacon", "P2", "new", []]);
    const id = incident?.id ?? "";
    // However many worse incidents there are whose promises are broken already.
    const broken = { organisationId: main.organisationId, title: "Broken", source: "analyst", severity: "P1" } as const;
    const noted = { openedAt: at(30), changedAt: at(30), rank: 0, broken: 3 };
    const worse = await database()
      .insert(incidents)
      .values(Array.from({ length: 50 }, () => ({ ...broken, ...noted })))
      .returning({ id: incidents.id });
    expect(await runningClocksOf(database(), main.organisationId)).toMatchObject([
      { incidentId: id, clock: "acknowledge" },
    ]);
    const worseOnes = worse.map((each) => each.id);
    await database().delete(incidents).where(inArray(incidents.id, worseOnes));
    const change = async (set: Partial<typeof engineIncidents.$inferInsert>) => {
      await database()
        .update(engineIncidents)
        .set({ ...set, changedAt: server.services.now() })
        .where(eq(engineIncidents.id, told?.id ?? ""));
      await takeEngineIncidents(server.services, bindingId);
    };
    minutes(5);
    await change({ state: "in_progress", firstResponseAt: at(2), severity: "critical" });
    expect(await room(id, main)).toMatchObject({
      state: "investigating",
      severity: "P1",
      clocks: [{ state: "kept" }, {}, {}],
    });
    // An analyst sets another severity: the engine's unchanged one does not undo it.
    await tell(id, "severity", { severity: "P3" });
    minutes(1);
    await change({ title: "#2 - Beacon to a stranger" });
    expect(await room(id, main)).toMatchObject({ severity: "P3", title: "#2 - Beacon to a stranger" });
    minutes(1);
    await change({ state: "closed", closedAt: server.services.now(), verdict: "false_positive" });
    expect(await room(id, main)).toMatchObject({ state: "closed" });
    minutes(1);
    await change({ state: "in_progress", closedAt: null });
    expect(await room(id, main)).toMatchObject({ state: "investigating" });
    // What people told here goes into the engine's case; what the engine told, and what is internal, does not.
    await tell(id, "commented", { text: "Ask the day shift", internal: true });
    await tell(id, "action", { text: "The address is blocked" });
    const remarks = await database().select().from(engineRemarks).where(eq(engineRemarks.bindingId, bindingId));
    expect(remarks.map(({ text, externalId }) => [externalId, text.split("\n")[0]])).toEqual([
      ["2", "Our analyst: Severity changed"],
      ["2", "Our analyst: Action taken"],
    ]);
    // Closed again by an engine whose clock is behind: its latest state counts.
    const behind = new Date(server.services.now().getTime() - 30_000);
    await change({ state: "closed", closedAt: behind });
    expect(await room(id, main)).toMatchObject({ state: "closed" });
  });
});

describe("Cases of two engines", () => {
  const bindingOf = async (main: Member, kind: "iris" | "thehive") => {
    const now = server.services.now();
    const [binding] = await database()
      .insert(engineBindings)
      .values({
        organisationId: main.organisationId,
        kind,
        address: `https://${kind}.example.in`,
        connectedAt: new Date(now.getTime() - inMilliseconds({ hours: 5 })),
        nextPollAt: now,
      })
      .returning();
    return binding?.id ?? "";
  };
  const caseOf = (main: Member, bindingId: string, number: number) => ({
    bindingId,
    organisationId: main.organisationId,
    externalId: String(number),
    title: `#${number} - Beacon`,
    severity: "high" as const,
    rawSeverity: "High",
    state: "new" as const,
    rawState: "New",
    openedAt: server.services.now(),
    timeline: [],
    figures: {},
    changedAt: server.services.now(),
  });

  it("are taken, however many stand before them that never become incidents", async () => {
    const { main } = await customer();
    const bindingId = await bindingOf(main, "iris");
    const long = new Date(server.services.now().getTime() - inMilliseconds({ days: 100 }));
    const ended = Array.from({ length: 250 }, (_, number) => {
      // Closed, and the engine does not say when.
      return { ...caseOf(main, bindingId, number), state: "closed" as const, openedAt: long, closedAt: null };
    });
    await database().insert(engineIncidents).values(ended);
    await database()
      .insert(engineIncidents)
      .values(caseOf(main, bindingId, 999));
    await takeEngineIncidents(server.services, bindingId);
    expect((await openIncidentsOf(database(), main.organisationId)).map(({ title }) => title)).toEqual([
      "#999 - Beacon",
    ]);
  });

  it("from before their engine was connected begin when it tells of them as open, however late that is", async () => {
    const { main } = await customer();
    const bindingId = await bindingOf(main, "thehive");
    const openedAt = new Date(server.services.now().getTime() - inMilliseconds({ days: 300 }));
    const ended = { ...caseOf(main, bindingId, 1), openedAt, closedAt: openedAt, state: "closed" as const };
    const [told] = await database().insert(engineIncidents).values(ended).returning();
    await takeEngineIncidents(server.services, bindingId);
    minutes(60);
    const changedAt = server.services.now();
    await database()
      .update(engineIncidents)
      .set({ state: "new", closedAt: null, changedAt })
      .where(eq(engineIncidents.id, told?.id ?? ""));
    await database()
      .insert(engineIncidents)
      .values({ ...caseOf(main, bindingId, 2), title: "#2 - Phishing", openedAt, changedAt });
    await takeEngineIncidents(server.services, bindingId);
    const found = await database().select().from(incidents).where(eq(incidents.bindingId, bindingId));
    expect(found.map((each) => [each.openedAt, each.broken])).toEqual([
      [changedAt, 0],
      [changedAt, 0],
    ]);
  });

  it("go on in the incident that they were, once their engine was removed and is bound anew", async () => {
    const { main } = await customer();
    const removed = await bindingOf(main, "iris");
    const openedAt = server.services.now();
    const told = [caseOf(main, removed, 1), { ...caseOf(main, removed, 2), title: "#2 - Phishing" }];
    // Two with the same title and minute are distinguished by their numbers.
    const twin = { ...caseOf(main, removed, 3), title: "#3 - Phishing" };
    await database()
      .insert(engineIncidents)
      .values([...told, twin]);
    await takeEngineIncidents(server.services, removed);
    const before = await database().select().from(incidents).where(eq(incidents.bindingId, removed));
    expect(before).toHaveLength(3);
    await database().update(engineBindings).set({ removedAt: openedAt }).where(eq(engineBindings.id, removed));
    minutes(30);
    const again = await bindingOf(main, "iris");
    await database()
      .update(engineBindings)
      .set({ connectedAt: server.services.now() })
      .where(eq(engineBindings.id, again));
    const changedAt = server.services.now();
    const closed = { state: "closed" as const, severity: "critical" as const, verdict: "true_positive" as const };
    await database()
      .insert(engineIncidents)
      .values([...told, twin].map((each) => ({ ...each, ...closed, openedAt, changedAt, bindingId: again })));
    const take = () => takeEngineIncidents(server.services, again);
    await Promise.all([take(), take(), take()]);
    await take();
    const after = await database().select().from(incidents).where(eq(incidents.organisationId, main.organisationId));
    expect(after.map(({ state, severity, bindingId }) => [state, severity, bindingId])).toEqual(
      Array.from({ length: 3 }, () => ["closed", "P1", again]),
    );
    const numbersOf = (rows: typeof before) => new Map(rows.map(({ id, externalId }) => [id, externalId]));
    expect(numbersOf(after)).toEqual(numbersOf(before));
    const facts = await database()
      .select()
      .from(incidentFacts)
      .where(eq(incidentFacts.incidentId, before[0]?.id ?? ""));
    expect(facts.map(({ news }) => news).toSorted()).toEqual(["closed", "detected", "severity"]);
    // What people tell goes to where the engine is now.
    await tell(before[0]?.id ?? "", "reopened", { reason: "It came back" });
    const remarks = await database().select().from(engineRemarks).where(eq(engineRemarks.bindingId, again));
    expect(remarks.map(({ externalId }) => externalId)).toEqual([before[0]?.externalId]);
  });

  it("stay the first one's while it is bound, and go on with the second when it is removed", async () => {
    const { main } = await customer();
    const [first, second] = [await bindingOf(main, "iris"), await bindingOf(main, "thehive")];
    await database()
      .insert(engineIncidents)
      .values([caseOf(main, first, 1), { ...caseOf(main, second, 7), severity: "critical" }]);
    for (const bindingId of [first, second]) await takeEngineIncidents(server.services, bindingId);
    const shown = async () =>
      (await database().select().from(incidents).where(eq(incidents.organisationId, main.organisationId))).map(
        ({ bindingId, externalId, severity }) => [bindingId, externalId, severity],
      );
    expect(await shown()).toEqual([[first, "1", "P2"]]);
    await database()
      .update(engineBindings)
      .set({ removedAt: server.services.now() })
      .where(eq(engineBindings.id, first));
    for (const bindingId of [first, second, first]) await takeEngineIncidents(server.services, bindingId);
    expect(await shown()).toEqual([[second, "7", "P1"]]);
  });

  it("become one incident where both tell the same at once", async () => {
    const { main } = await customer();
    const bindings = [await bindingOf(main, "iris"), await bindingOf(main, "thehive")];
    await database()
      .insert(engineIncidents)
      .values(bindings.map((bindingId, number) => caseOf(main, bindingId, number)));
    await Promise.all(bindings.map((bindingId) => takeEngineIncidents(server.services, bindingId)));
    for (const bindingId of bindings) await takeEngineIncidents(server.services, bindingId);
    expect(await openIncidentsOf(database(), main.organisationId)).toHaveLength(1);
  });
});

describe("Cases of an engine that counts anew", () => {
  const binding = async (main: Member, kind: "iris" | "thehive" = "iris") => {
    const now = server.services.now();
    const [row] = await database()
      .insert(engineBindings)
      .values({ organisationId: main.organisationId, kind, address: "https://iris.example.in", nextPollAt: now })
      .returning();
    if (!row) throw new Error("not bound");
    return row;
  };
  const told = (id: string, title: string, over: Partial<Incident> = {}): Incident => ({
    id,
    title,
    severity: "high",
    rawSeverity: "High",
    state: "in_progress",
    rawState: "Open",
    openedAt: server.services.now(),
    firstResponseAt: null,
    closedAt: null,
    verdict: null,
    timeline: [],
    figures: {},
    ...over,
  });
  const take = async (row: BindingRow, cases: Incident[], skewSeconds: number | null = null) => {
    await database().transaction((transaction) =>
      storeIncidents(transaction, row, cases, { now: server.services.now(), skewSeconds }),
    );
    await takeEngineIncidents(server.services, row.id);
  };
  const incidentsOf = (main: Member) =>
    database()
      .select()
      .from(incidents)
      .where(eq(incidents.organisationId, main.organisationId))
      .orderBy(incidents.serial);

  it("become incidents of their own, and leave those alone that had their numbers", async () => {
    const { main } = await customer();
    const row = await binding(main);
    const first = told("1", "#1 - Beacon");
    await take(row, [first]);
    minutes(1);
    await take(row, [{ ...first, state: "closed" }]);
    const before = (await incidentsOf(main))[0]?.id ?? "";
    await tell(before, "commented", { text: "Thank you" });
    minutes(30);
    const second = told("1", "#1 - Ransomware");
    await take(row, [second]);
    await take(row, [second]);
    const all = await incidentsOf(main);
    expect(all.map(({ title, state }) => [title, state])).toEqual([
      ["#1 - Beacon", "closed"],
      ["#1 - Ransomware", "investigating"],
    ]);
    const facts = await database().select().from(incidentFacts).where(eq(incidentFacts.incidentId, before));
    expect(facts.map(({ news }) => news)).not.toContain("reopened");
    // Nothing about the old incident is written into the case that has its number now, and no link leads there.
    await tell(before, "reopened", { reason: "It came back" });
    const remarks = () => database().select().from(engineRemarks).where(eq(engineRemarks.bindingId, row.id));
    expect((await remarks()).map(({ externalId }) => externalId)).toEqual([expect.stringMatching(/^old:.+:1$/)]);
    await sendRemark(server.services, (await remarks())[0]?.id ?? "");
    expect((await remarks())[0]).toMatchObject({ sentAt: null, givenUpAt: expect.any(Date) });
    expect((await room(before, admin, "admin")).engine?.link).toBeNull();
    const [, after] = all;
    expect((await room(after?.id ?? "", admin, "admin")).engine).toMatchObject({
      external_id: "1",
      remarks_failed: null,
    });
    // If the first one's engine is bound again, both incidents are updated.
    minutes(5);
    await take(row, [{ ...first, severity: "critical" }]);
    await take(row, [{ ...second, state: "closed" }]);
    expect((await incidentsOf(main)).map(({ title, severity, state }) => [title, severity, state])).toEqual([
      ["#1 - Beacon", "P1", "investigating"],
      ["#1 - Ransomware", "P2", "closed"],
    ]);
  });

  it("keep the promises that they kept, where the engine's clock is set right", async () => {
    const { main } = await customer();
    const row = await binding(main, "thehive");
    const by = (ahead: number) => new Date(server.services.now().getTime() + ahead * 60_000);
    const opened = told("~4128", "Beacon", { severity: "critical", openedAt: by(10), state: "new" });
    await take(row, [opened], 600);
    minutes(10);
    const acknowledgedAt = by(0);
    const firstResponseAt = new Date(acknowledgedAt.getTime() + 600_000);
    minutes(10);
    const answered = { ...opened, state: "closed" as const, firstResponseAt, closedAt: by(10) };
    await take(row, [answered], 600);
    expect(await incidentsOf(main)).toMatchObject([{ title: "Beacon", acknowledgedAt, broken: 0 }]);
    minutes(20);
    const changed = { ...answered, title: "Beacon to a stranger" };
    await take(row, [changed], null);
    expect(await incidentsOf(main)).toMatchObject([{ title: "Beacon to a stranger", acknowledgedAt, broken: 0 }]);
    const moved = new Date(acknowledgedAt.getTime() - 300_000);
    await take(row, [{ ...changed, firstResponseAt: moved }], null);
    expect(await incidentsOf(main)).toMatchObject([{ acknowledgedAt: moved }]);
  });

  it("are broken where the engine sets a first response right to later than was promised", async () => {
    const { main } = await customer();
    const row = await binding(main, "thehive");
    const openedAt = new Date(server.services.now().getTime() + 60_000);
    minutes(60);
    const responded = (minute: number) => {
      const firstResponseAt = new Date(openedAt.getTime() + minute * 60_000);
      return told("~4129", "Case", { openedAt, firstResponseAt, rawState: String(minute) });
    };
    await take(row, [responded(10)], null);
    minutes(1);
    await take(row, [responded(40)], null);
    const acknowledgedAt = new Date(openedAt.getTime() + 40 * 60_000);
    expect(await incidentsOf(main)).toMatchObject([{ acknowledgedAt, broken: 1 }]);
    // Changed back again.
    minutes(1);
    await take(row, [{ ...responded(10), rawState: "again" }], null);
    expect(await incidentsOf(main)).toMatchObject([{ acknowledgedAt: new Date(openedAt.getTime() + 600_000) }]);
    // Turns the clock back, so that the other tests' sessions stay valid.
    minutes(-62);
  });

  it("are not meant where people give a case another date, another title, or the engine its clock", async () => {
    const { main } = await customer();
    const row = await binding(main, "thehive");
    const first = told("~4128", "Beacon", { openedAt: new Date(at(-60)) });
    await take(row, [first], 600);
    const earlier = { ...first, openedAt: new Date(at(-600)) };
    await take(row, [earlier], 600);
    await take(row, [{ ...earlier, title: "Ransomware" }], null);
    // The engine's clock is ahead, so its times are capped at now.
    await take(row, [{ ...earlier, title: "Ransomware", openedAt: new Date(at(300)) }], null);
    minutes(5);
    await take(row, [{ ...earlier, title: "Worm", openedAt: new Date(at(295)) }], null);
    expect((await incidentsOf(main)).map(({ title, externalId }) => [title, externalId])).toEqual([["Worm", "~4128"]]);
  });
});

describe("The glass box", () => {
  it("adds up: each finding received is suppressed, benign, attached or open", async () => {
    const { main } = await customer();
    const other = await customer();
    const now = server.services.now();
    const [binding] = await database()
      .insert(engineBindings)
      .values({
        organisationId: main.organisationId,
        kind: "wazuh4",
        address: "https://wazuh.example.in",
        nextPollAt: now,
      })
      .returning();
    const finding = (number: number) => ({
      bindingId: binding?.id ?? "",
      organisationId: main.organisationId,
      externalId: String(number),
      title: ["Backup read everything", "Many failed sign-ins", "A new service"][number % 3] ?? "",
      severity: "low" as const,
      rawSeverity: "3",
      state: number === 11 ? ("closed" as const) : ("open" as const),
      at: now,
      attack: [],
      createdAt: now,
    });
    const rows = await database()
      .insert(engineFindings)
      .values(Array.from({ length: 12 }, (_, number) => finding(number)))
      .returning();
    const idsOf = (title: string) =>
      rows.filter((row) => row.title === title && row.state === "open").map(({ id }) => id);
    const rule = {
      id: randomUUID(),
      email: main.email,
      title: "Backup read everything",
      reason: "It is the nightly backup",
      on_word_of: "Asha Rao",
    };
    await server.call("admin/findings/suppress", rule, analyst.token);
    await server.call("admin/findings/suppress", rule, analyst.token);
    const elsewhere = { ...rule, email: other.main.email };
    expect((await server.call("admin/findings/suppress", elsewhere, analyst.token)).status).toBe(409);
    for (const corrected of [{ reason: "It is the weekly backup" }, { device_id: "of one server alone" }])
      expect((await server.call("admin/findings/suppress", { ...rule, ...corrected }, analyst.token)).status).toBe(409);
    const twin = await server.call("admin/findings/suppress", { ...rule, id: randomUUID() }, analyst.token);
    expect([twin.status, twin.body.error]).toEqual([
      409,
      expect.stringContaining("There is already a rule for exactly this"),
    ]);
    const { about } = (await server.call("admin/findings", { email: main.email }, analyst.token)).body;
    expect(about.rules).toMatchObject([{ title: rule.title, made_by: "Nila Rao", findings: 4 }]);
    const [benign, ...signIns] = idsOf("Many failed sign-ins");
    const asBenign = { findings: [benign ?? ""], fate: "benign" as const, reason: "A forgotten password" };
    const decisions = () => database().$count(findingDecisions, eq(findingDecisions.findingId, benign ?? ""));
    await server.call("admin/findings/decide", asBenign, analyst.token);
    expect((await server.call("admin/findings/decide", asBenign, analyst.token)).status).toBe(200);
    expect(await decisions()).toBe(1);
    const incident = await opened(main, { findings: signIns });
    const box = async () => (await server.call("user/findings", {}, main.token)).body;
    const shown = await box();
    expect(shown.glass_box).toMatchObject({ received: 12, suppressed: 4, benign: 2, attached: 3, open: 3 });
    expect(shown.glass_box.by_rule).toEqual([
      { rule: rule.id, title: rule.title, on_word_of: "Asha Rao", findings: 4 },
    ]);
    expect(shown.glass_box.by_person.map(({ name }) => name).toSorted()).toEqual(["In the engine", "Nila Rao"]);
    expect(shown.findings).toHaveLength(12);
    expect((await room(incident, main)).findings).toHaveLength(3);
    // The rule also applies to what comes later.
    await database().insert(engineFindings).values(finding(12));
    await watchIncidents(server.services);
    expect((await box()).glass_box).toMatchObject({ received: 13, suppressed: 5 });
    const dispute = { id: benign ?? "", reason: "Nobody forgot a password" };
    const answers = [
      await server.call("user/findings/dispute", dispute, main.token),
      await server.call("user/findings/dispute", dispute, main.token),
      await server.call("user/findings/dispute", dispute, other.main.token),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 409, 404]);
    expect((await box()).glass_box).toMatchObject({ disputed: 1 });
    // A finding closed in the engine stays closed, even if its customer disputes it.
    const ofEngine = rows.find(({ state }) => state === "closed")?.id ?? "";
    await server.call("user/findings/dispute", { id: ofEngine, reason: "We see it differently" }, main.token);
    const disputed = await box();
    expect(disputed.glass_box.by_person.map(({ name }) => name).toSorted()).toEqual(["In the engine", "Nila Rao"]);
    expect(disputed.findings.find(({ id }) => id === ofEngine)).toMatchObject({ by: "In the engine" });
    await server.call(
      "admin/findings/decide",
      { findings: [ofEngine], fate: "benign", reason: "Looked at it again" },
      admin.token,
    );
    // A finding that the customer disputed is decided anew, even with the same words.
    await server.call("admin/findings/decide", asBenign, analyst.token);
    expect(await decisions()).toBe(2);
    await server.call(
      "admin/findings/decide",
      { findings: [benign ?? ""], fate: "open", reason: "Looking again" },
      admin.token,
    );
    const after = (await box()).glass_box;
    expect(after).toMatchObject({ received: 13, benign: 1, open: 4, disputed: 0 });
    expect(after.suppressed + after.benign + after.attached + after.open).toBe(after.received);
    const foreign = await opened(other.main);
    const number = (await room(foreign, admin, "admin")).number;
    const crossed = { findings: [benign ?? ""], fate: "attached" as const, incident: number, reason: "Wrong one" };
    expect((await server.call("admin/findings/decide", crossed, analyst.token)).status).toBe(422);
  });

  it("goes by the customer's own days", async () => {
    const { main } = await customer();
    const days = [];
    // In these two zones it is never the same day.
    for (const timeZone of ["Pacific/Kiritimati", "Pacific/Pago_Pago"]) {
      await database().update(organisations).set({ timeZone }).where(eq(organisations.id, main.organisationId));
      days.push((await server.call("user/findings", {}, main.token)).body.about.day);
    }
    expect(new Set(days).size).toBe(2);
  });
});

describe("Under attack", () => {
  it("opens one P1 however often it is pressed, and calls the ladder in turn until somebody is reached", async () => {
    const { main } = await customer();
    const child = await member(server, "userChild", { organisationId: main.organisationId });
    const contacts = ["Kiran", "Leela", "Mohan"].map((name) => ({
      name: `${name} Das`,
      says: "",
      phone: "+919876543210",
      email: `${name.toLowerCase()}-${randomUUID().slice(0, 6)}@example.in`,
    }));
    const refused = await server.call("user/ladder/save", { contacts, version: 0 }, child.token);
    const saved = await server.call("user/ladder/save", { contacts, version: 0 }, main.token);
    const overtaken = await server.call("user/ladder/save", { contacts: [], version: 0 }, main.token);
    // Larger than PostgreSQL's integer.
    const tooLarge = await server.call("user/ladder/save", { contacts: [], version: 2 ** 31 }, main.token);
    expect([refused, saved, overtaken, tooLarge].map(({ status }) => status)).toEqual([403, 200, 409, 422]);
    const report = { what: "Files are being encrypted", since: "since 10:00", call: "Kiran" };
    const id = randomUUID();
    const answers = await Promise.all([
      server.call("user/under-attack/post", { id, ...report }, main.token),
      server.call("user/under-attack/post", { id, ...report }, main.token),
      server.call("user/under-attack/post", { id: randomUUID(), ...report }, child.token),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    const [incidentId, ...same] = new Set(answers.map(({ body }) => body.incident_id));
    expect(same).toEqual([]);
    const calls = async () => (await server.call("user/under-attack", {}, main.token)).body.calls;
    expect((await calls()).map(({ mail }) => mail)).toEqual(["queued", "waiting", "waiting"]);
    minutes(6);
    await watchIncidents(server.services);
    expect((await calls()).map(({ mail }) => mail)).toEqual(["queued", "queued", "waiting"]);
    const noted = await server.call(
      "admin/incidents/telephone",
      { id: incidentId ?? "", position: 1, reached: true },
      analyst.token,
    );
    const nobodys = { id: incidentId ?? "", position: 2 ** 31, reached: true };
    const outOfRange = await server.call("admin/incidents/telephone", nobodys, analyst.token);
    expect([noted.status, outOfRange.status]).toEqual([200, 422]);
    minutes(10);
    await watchIncidents(server.services);
    expect((await calls()).map(({ reached_by, mail }) => [reached_by, mail])).toEqual([
      [null, "queued"],
      ["telephone", "queued"],
      [null, "waiting"],
    ]);
    const attack = await database()
      .select({ content: mails.content })
      .from(mails)
      .where(eq(mails.recipient, contacts[0]?.email ?? ""));
    // It goes to people who may have no account, so it contains nothing that somebody typed.
    expect(JSON.stringify(attack)).not.toContain("encrypted");
  });

  it("leads whom the ladder names of the partner to the incident in the partner's own area", async () => {
    const { main, partner } = await customer();
    const [stranger, colleague] = ["stranger@example.in", partner.email.toUpperCase()];
    const contacts = [colleague, stranger].map((email) => ({
      name: "Leela Das",
      says: "",
      phone: "+919876543210",
      email,
    }));
    await server.call("user/ladder/save", { contacts, version: 0 }, main.token);
    const report = { id: randomUUID(), what: "Files are being encrypted", since: "now", call: "Leela" };
    const { body } = await server.call("user/under-attack/post", report, main.token);
    minutes(6);
    await watchIncidents(server.services);
    const sent = await database()
      .select({ link: sql<string>`${mails.content}->>'link'` })
      .from(mails)
      .where(sql`${mails.eventKey} like ${`attack:${body.incident_id}:%`}`)
      .orderBy(mails.eventKey);
    expect(sent.map(({ link }) => link)).toEqual(
      ["partner", "user"].map((area) => `${server.url}/${area}/incidents/${body.incident_id}`),
    );
    expect(await room(body.incident_id, partner, "partner")).toMatchObject({ id: body.incident_id });
  });

  it("reported once more is a P1 again, and our team hears of it as of a new one", async () => {
    const { main } = await customer();
    const child = await member(server, "userChild", { organisationId: main.organisationId });
    const press = async (who: Member, id: string, what: string) =>
      (await server.call("user/under-attack/post", { id, what, since: "now", call: "Asha" }, who.token)).body;
    const told = (who: Member) => rung(id, who, "attack goes on");
    const mailed = (who: Member) =>
      database().$count(mails, and(eq(mails.recipient, who.email), sql`${mails.content}->>'about' = 'reported'`));
    const shown = async () => (await server.call("user/under-attack", {}, main.token)).body.incident;
    const { incident_id: id, number } = await press(main, randomUUID(), "Files are encrypted");
    await tell(id, "severity", { severity: "P4" });
    expect(await shown()).toMatchObject({ severity: "P4" });
    const report = randomUUID();
    const again = await press(child, report, "It has spread to the ERP");
    expect(again).toMatchObject({ incident_id: id, message: `${number} is open as a P1. We are on it.` });
    expect(await shown()).toMatchObject({ severity: "P1" });
    expect(await room(id, admin, "admin")).toMatchObject({ severity: "P1" });
    expect([await told(analyst), await mailed(analyst), await told(main), await told(child)]).toEqual([1, 1, 1, 0]);
    // A repeated call is recorded once, and answers the present state.
    await tell(id, "severity", { severity: "P2" });
    expect((await press(child, report, "It has spread to the ERP")).message).toContain("is open as a P2.");
    expect([await told(analyst), await mailed(analyst)]).toEqual([1, 1]);
    // For what is already a P1, mails went out a moment ago: a notice is enough.
    await press(child, randomUUID(), "It has spread to the mill");
    await press(child, randomUUID(), "It has spread to the gate");
    expect([await told(analyst), await mailed(analyst)]).toEqual([3, 2]);
  });

  it("is opened by no report that was taken before, whenever it is sent again, and says how its incident stands", async () => {
    const { main } = await customer();
    const child = await member(server, "userChild", { organisationId: main.organisationId });
    const press = async (who: Member, id: string) => {
      const report = { id, what: "Files are encrypted", since: "now", call: "Asha" };
      return (await server.call("user/under-attack/post", report, who.token)).body;
    };
    const [first, second] = [randomUUID(), randomUUID()];
    const { incident_id, number, message } = await press(main, first);
    await press(child, second);
    minutes(limits.attackOnceMinutes + 1);
    expect(await press(main, first)).toEqual({ incident_id, number, message });
    expect(await press(child, second)).toEqual({ incident_id, number, message });
    await tell(first, "resolved", { text: "It was a drill" });
    const over = (state: string) => ({
      incident_id,
      number,
      message: `This report is part of ${number}, which is ${state}. If the attack goes on, telephone us and report it anew.`,
    });
    expect([await press(main, first), await press(child, second)]).toEqual([over("resolved"), over("resolved")]);
    await tell(first, "closed", { verdict: "false_positive" });
    expect([await press(main, first), await press(child, second)]).toEqual([over("closed"), over("closed")]);
    expect(await database().$count(incidents, eq(incidents.organisationId, main.organisationId))).toBe(1);
    // A new report is an attack of its own.
    expect((await press(child, randomUUID())).incident_id).not.toBe(incident_id);
  });

  it("that was merged is what it goes on in, also for the report that is sent again", async () => {
    const { main } = await customer();
    const report = { id: randomUUID(), what: "Files are encrypted", since: "now", call: "Asha" };
    const press = async () => (await server.call("user/under-attack/post", report, main.token)).body;
    await press();
    const into = await opened(main, { severity: "P2" });
    const { number } = await room(into, main);
    await server.send("admin/incidents/telephone", { id: report.id, position: 0, reached: true }, analyst.token);
    const merge = { id: report.id, fact_id: randomUUID(), into: number };
    expect((await server.send("admin/incidents/merge", merge, analyst.token)).status).toBe(200);
    expect(await press()).toEqual({
      incident_id: into,
      number,
      message: `${number} is open as a P2. We are on it.`,
    });
    const shown = async () => (await server.call("user/under-attack", {}, main.token)).body;
    const attack = { id: into, number, severity: "P2", opened_at: (await room(report.id, main)).opened_at };
    expect(await shown()).toMatchObject({ incident: attack, calls: [{ reached_by: "telephone" }] });
    await tell(into, "closed", { verdict: "false_positive" });
    expect(await press()).toMatchObject({ incident_id: into, message: expect.stringContaining("which is closed.") });
    expect(await shown()).toMatchObject({ incident: null, calls: [] });
  });

  it("is in what is open once it is told, though the incident of before ends or is merged meanwhile", async () => {
    const { main } = await customer();
    const child = await member(server, "userChild", { organisationId: main.organisationId });
    const press = async (who: Member) => {
      const report = { id: randomUUID(), what: "Files are encrypted", since: "now", call: "Asha" };
      return (await server.call("user/under-attack/post", report, who.token)).body;
    };
    /** A colleague reports while one of our staff ends the open attack. */
    const pressWhile = async (id: string, news: "closed" | "merged", into: string | null) => {
      const [told] = await whileHeld(
        server,
        `update incidents set state = '${news}', rank = 200, merged_into = ${into && `'${into}'`} where id = '${id}';
         insert into incident_facts (incident_id, news, occurred_at, recorded_at, by, payload, event_key)
           select id, '${news}', opened_at, opened_at, 'us', '{}', 'ended here' from incidents where id = '${id}'`,
        () => [press(child)],
        1,
        "commit",
      );
      return told;
    };
    const first = await press(main);
    const second = await pressWhile(first.incident_id, "closed", null);
    expect(second?.incident_id).not.toBe(first.incident_id);
    const anew = await room(second?.incident_id ?? "", analyst, "admin");
    expect([anew.state, anew.ladder.length]).toEqual(["new", 2]);
    const into = await opened(main, { severity: "P3" });
    const third = await pressWhile(second?.incident_id ?? "", "merged", into);
    expect(third).toMatchObject({ incident_id: into, message: expect.stringContaining("is open as a P1.") });
    expect((await room(into, main)).timeline.map(({ news }) => news)).toContain("reported");
  });

  it("takes back that somebody was reached by telephone, and mails the next; what the portal saw stays", async () => {
    const { main } = await customer();
    const child = await member(server, "userChild", { organisationId: main.organisationId });
    const report = { id: randomUUID(), what: "Files are encrypted", since: "now", call: "Asha" };
    const { incident_id: id } = (await server.call("user/under-attack/post", report, main.token)).body;
    const note = async (position: number, reached: boolean) => {
      const noted = await server.send("admin/incidents/telephone", { id, position, reached }, analyst.token);
      return [noted.status, noted.body["message"] ?? noted.body.error];
    };
    const calls = async () => (await room(id, admin, "admin")).ladder;
    expect((await note(0, true))[0]).toBe(200);
    minutes(6);
    await watchIncidents(server.services);
    expect(await calls()).toMatchObject([{ reached_by: "telephone" }, { mail: "waiting" }]);
    expect(await note(0, false)).toEqual([200, expect.stringContaining("did not answer. Try the next one.")]);
    await watchIncidents(server.services);
    expect(await calls()).toMatchObject([{ reached_at: null, reached_by: null }, { mail: "queued" }]);
    await room(id, child);
    expect(await note(1, false)).toEqual([409, expect.stringContaining("has opened the incident")]);
    expect(await calls()).toMatchObject([{}, { reached_by: "portal", tried_at: null }]);
  });

  it("counts who opened the incident as reached where a telephone note from before is taken back", async () => {
    const { main } = await customer();
    const child = await member(server, "userChild", { organisationId: main.organisationId });
    const report = { id: randomUUID(), what: "Files are encrypted", since: "now", call: "Asha" };
    const { incident_id: id } = (await server.call("user/under-attack/post", report, main.token)).body;
    const note = (position: number, reached: boolean) =>
      server.send("admin/incidents/telephone", { id, position, reached }, analyst.token);
    await note(1, true);
    const openedAt = server.services.now();
    await room(id, child);
    minutes(3);
    expect((await note(1, false)).body["message"]).toMatch(/did not answer, but has opened the incident/);
    const [, call] = (await room(id, admin, "admin")).ladder;
    expect(call).toMatchObject({ email: child.email, reached_by: "portal" });
    expect(Math.abs(Date.parse(call?.reached_at ?? "") - openedAt.getTime())).toBeLessThan(60_000);
  });

  it("says that mail does not go out, and counts whoever opens the incident as reached, but for who reported it", async () => {
    const { main } = await customer();
    const child = await member(server, "userChild", { organisationId: main.organisationId });
    const { body } = await server.call(
      "user/under-attack/post",
      { id: randomUUID(), what: "Files are encrypted", since: "now", call: "Asha" },
      child.token,
    );
    await database()
      .update(mails)
      .set({ tries: 2, lastError: "connect ECONNREFUSED", createdAt: server.services.now() })
      .where(sql`${mails.eventKey} like ${`attack:${body.incident_id}:%`}`);
    const shown = async () => (await server.call("user/under-attack", {}, main.token)).body;
    await room(body.incident_id, child);
    expect(await shown()).toMatchObject({
      mail_is_down: true,
      calls: [{ mail: "failing", reached_by: null }, { reached_by: null }],
    });
    // Whichever of its pages they open first.
    await server.call("user/incidents/{id}/obligations", { id: body.incident_id }, main.token);
    expect((await shown()).calls).toMatchObject([{ reached_by: "portal" }, { reached_by: null }]);
  });

  it("counts whoever opens the incident as reached at their next look, where the first one was cut off", async () => {
    const { main } = await customer();
    const child = await member(server, "userChild", { organisationId: main.organisationId });
    const report = { id: randomUUID(), what: "Files are encrypted", since: "now", call: "Asha" };
    await server.call("user/under-attack/post", report, child.token);
    const look = async () => (await server.call("user/incidents/{id}", { id: report.id }, main.token)).status;
    await database().execute(sql`create function cut_off() returns trigger language plpgsql as
      $$ begin raise exception 'cut off'; end $$`);
    await database().execute(sql`create trigger cut_off before update on ladder_calls for each row
      when (old.incident_id = ${sql.raw(`'${report.id}'`)}) execute function cut_off()`);
    try {
      expect(await look()).toBe(500);
    } finally {
      await database().execute(sql`drop function cut_off cascade`);
    }
    expect(await look()).toBe(200);
    expect((await room(report.id, admin, "admin")).ladder).toMatchObject([{ reached_by: "portal" }, {}]);
  });
});

describe("A ladder", () => {
  const ladderOf = async (main: Member, names: string[]) => {
    const contacts = names.map((name) => ({
      name,
      says: "",
      phone: "+919876543210",
      email: `${name.toLowerCase()}-${randomUUID().slice(0, 6)}@example.in`,
    }));
    const { version } = (await server.call("user/ladder", {}, main.token)).body;
    await server.call("user/ladder/save", { contacts, version }, main.token);
    return contacts;
  };
  const press = async (main: Member) => {
    const report = { id: randomUUID(), what: "Files are encrypted", since: "now", call: "Asha" };
    return (await server.call("user/under-attack/post", report, main.token)).body.incident_id;
  };
  const mailsOf = (incidentId: string) =>
    database()
      .select()
      .from(mails)
      .where(sql`${mails.eventKey} like ${`attack:${incidentId}:%`}`);

  it("mails only so many strangers in a day, however often the button is pressed", async () => {
    const { main } = await customer();
    const incidentIds: string[] = [];
    for (let pressed = 0; pressed < 6; pressed++) {
      await ladderOf(main, ["Anu", "Bela", "Charu", "Deepa", "Esha", "Farid", "Gita", "Hari"]);
      incidentIds.push(await press(main));
      minutes(60);
      await watchIncidents(server.services);
    }
    const sent = await Promise.all(incidentIds.map(mailsOf));
    expect(sent.map(({ length }) => length)).toEqual([8, 8, 8, 8, 8, 0]);
    const { calls } = (await server.call("user/under-attack", {}, main.token)).body;
    expect(new Set(calls.map(({ mail }) => mail))).toEqual(new Set(["none"]));
  });

  it("that still runs keeps its attack from being merged, and goes on where that nobody was reached is noted later", async () => {
    const { main } = await customer();
    await ladderOf(main, ["Anu", "Bela", "Charu"]);
    // The progress of another attack's ladder does not matter.
    const other = await press(main);
    await server.send("admin/incidents/telephone", { id: other, position: 0, reached: true }, analyst.token);
    minutes(limits.attackOnceMinutes + 1);
    const [id, into] = [await press(main), await opened(main, { title: "Ransomware on FS01" })];
    const [attack, target] = [await room(id, analyst, "admin"), await room(into, analyst, "admin")];
    const merge = async () => {
      const merged = { id, fact_id: randomUUID(), into: target.number };
      const { status, body } = await server.send("admin/incidents/merge", merged, analyst.token);
      return [status, body["message"] ?? body.error];
    };
    const note = (reached: boolean) =>
      server.send("admin/incidents/telephone", { id, position: 0, reached }, analyst.token);
    expect(await merge()).toEqual([
      409,
      `Nobody of the ladder of ${attack.number} was reached yet, and not everybody was mailed. Note in its room whom you reach by telephone, or merge ${target.number} into it.`,
    ]);
    minutes(6);
    await watchIncidents(server.services);
    expect((await mailsOf(id)).length).toBe(2);
    await note(true);
    expect(await merge()).toEqual([200, `It goes on in ${target.number}.`]);
    minutes(6);
    await watchIncidents(server.services);
    expect((await mailsOf(id)).length).toBe(2);
    await note(false);
    await watchIncidents(server.services);
    expect((await mailsOf(id)).length).toBe(3);
  });

  it("is not climbed any more once its attack has ended, also where that goes on in another one", async () => {
    const { main } = await customer();
    await ladderOf(main, ["Anu", "Bela"]);
    const id = await press(main);
    const into = await opened(main);
    const note = (reached: boolean) =>
      server.send("admin/incidents/telephone", { id, position: 0, reached }, analyst.token);
    await note(true);
    const merged = { id, fact_id: randomUUID(), into: (await room(into, main)).number };
    expect((await server.send("admin/incidents/merge", merged, analyst.token)).status).toBe(200);
    await tell(into, "closed", { verdict: "false_positive" });
    await note(false);
    minutes(6);
    await watchIncidents(server.services);
    expect((await mailsOf(id)).length).toBe(1);
  });

  it("is not climbed where its attack ends while that is about to be done", async () => {
    const { main } = await customer();
    await ladderOf(main, ["Anu", "Bela"]);
    const id = await press(main);
    minutes(6);
    const [closed] = await inTurn(
      server,
      `select from incidents where id = '${id}' for update`,
      () => tell(id, "closed", { verdict: "false_positive" }),
      () => climbLadders(server.services),
    );
    expect([closed.status, (await mailsOf(id)).length]).toEqual([200, 1]);
  });

  it("of which everybody was mailed keeps nothing from being merged", async () => {
    const { main } = await customer();
    await ladderOf(main, ["Anu", "Bela"]);
    const [id, into] = [await press(main), await opened(main)];
    minutes(6);
    await watchIncidents(server.services);
    const merged = { id, fact_id: randomUUID(), into: (await room(into, main)).number };
    expect((await server.send("admin/incidents/merge", merged, analyst.token)).status).toBe(200);
  });

  it("passes over whoever was erased, and one incident that fails holds up no other", async () => {
    const [{ main }, other] = [await customer(), await customer()];
    await ladderOf(main, ["Anu", "Bela", "Charu"]);
    await ladderOf(other.main, ["Anu", "Bela"]);
    const [id, broken] = [await press(main), await press(other.main)];
    const erased = and(eq(ladderCalls.incidentId, id), eq(ladderCalls.position, 1));
    await database().update(ladderCalls).set({ name: "Erased person", phone: "", email: "" }).where(erased);
    await database().execute(sql`create function fail_here() returns trigger language plpgsql as
      $$ begin raise exception 'cut off'; end $$`);
    await database().execute(sql`create trigger fail_here before update on incidents for each row
      when (old.id = ${sql.raw(`'${broken}'`)}) execute function fail_here()`);
    try {
      minutes(16);
      await watchIncidents(server.services);
    } finally {
      await database().execute(sql`drop function fail_here cascade`);
    }
    const mailed = (await mailsOf(id)).map(({ recipient }) => recipient.split("-")[0]);
    expect([mailed.length, mailed.includes("anu"), mailed.includes("charu")]).toEqual([2, true, true]);
    expect((await room(id, main)).broken).toBe(1);
  });
});

describe("The figures of a month", () => {
  it("are those of its end, whenever they are asked for", async () => {
    const { main } = await customer();
    const from = server.services.now();
    minutes(1);
    const id = await opened(main);
    minutes(10);
    await tell(id, "contained");
    minutes(10);
    await tell(id, "resolved");
    const open = await opened(main, { severity: "P2" });
    minutes(1);
    const to = server.services.now();
    const figures = () => readIncidentFigures(database(), main.organisationId, from, to);
    const before = await figures();
    expect(before.promises).toEqual([
      { clock: "acknowledge", kept: 2, broken: 0 },
      { clock: "contain", kept: 1, broken: 0 },
      { clock: "resolve", kept: 1, broken: 0 },
    ]);
    expect(before.medianMinutes).toEqual({ acknowledge: 0, contain: 10, resolve: 20 });
    minutes(600);
    await tell(open, "closed", { verdict: "false_positive" });
    expect(await figures()).toEqual(before);
  });

  it("have the promises that an incident broke before it was merged, and count it as no incident", async () => {
    const { main } = await customer();
    // The clock has been turned far, so this needs a new session.
    const fresh = await member(server, "adminChild", { organisationId: admin.organisationId });
    const from = server.services.now();
    const open = () => opened(main, {}, fresh);
    const [one, other, into] = [await open(), await open(), await open()];
    minutes(90);
    for (const id of [one, other])
      await server.send(
        "admin/incidents/merge",
        { id, fact_id: randomUUID(), into: (await room(into, fresh, "admin")).number },
        fresh.token,
      );
    minutes(1);
    const {
      promises,
      incidents: shown,
      bySeverity,
    } = await readIncidentFigures(database(), main.organisationId, from, server.services.now());
    expect(promises.find(({ clock }) => clock === "contain")).toMatchObject({ kept: 0, broken: 3 });
    expect(shown.map(({ state }) => state).toSorted()).toEqual(["acknowledged", "merged", "merged"]);
    expect(bySeverity.find(({ severity }) => severity === "P1")).toMatchObject({ opened: 1, closed: 0, openAtEnd: 1 });
  });

  it("and what is asked take as many statements for many incidents as for one", async () => {
    const { main } = await customer();
    // The clock has been turned far, so this needs a new session.
    const fresh = await member(server, "adminChild", { organisationId: admin.organisationId });
    const from = server.services.now();
    const read = async () => {
      const to = server.services.now();
      const figures = await countStatements(server, () =>
        readIncidentFigures(database(), main.organisationId, from, to),
      );
      const actions = await countStatements(server, () => actionsAskedOf(database(), main.organisationId));
      return [figures, actions];
    };
    const open = async () => {
      minutes(1);
      await tell(await opened(main, {}, fresh), "asked", { text: "May we lock the account?" }, fresh);
      minutes(1);
    };
    await open();
    const ofOne = await read();
    await open();
    await open();
    expect(await read()).toEqual(ofOne);
    expect(await actionsAskedOf(database(), main.organisationId)).toHaveLength(3);
  });
});

describe("A broken promise whose end a correction moves", () => {
  it("is counted and told once", async () => {
    const { main } = await customer();
    // The clock has been turned far, so this needs a new session.
    const fresh = await member(server, "adminChild", { organisationId: admin.organisationId });
    const from = server.services.now();
    const id = await opened(main, {}, fresh);
    const seen = (await room(id, fresh, "admin")).timeline.find(({ news }) => news === "seen");
    minutes(300);
    await watchIncidents(server.services);
    const before = await room(id, main);
    expect(before.breaches.map(({ clock }) => clock)).toEqual(["contain", "resolve"]);
    const fiveLater = (time = "") => new Date(Date.parse(time) + inMilliseconds({ minutes: 5 })).toISOString();
    const correction = { corrects: seen?.id, occurred_at: fiveLater(seen?.occurred_at) };
    expect((await tell(id, "seen", correction, fresh)).status).toBe(200);
    const after = await room(id, main);
    expect(after.breaches).toEqual(before.breaches.map((breach) => ({ ...breach, due_at: fiveLater(breach.due_at) })));
    expect(after.broken).toBe(2);
    expect(await rung(id, fresh, "promise broken")).toBe(2);
    minutes(1);
    const { promises } = await readIncidentFigures(database(), main.organisationId, from, server.services.now());
    expect(promises.slice(1)).toEqual([
      { clock: "contain", kept: 0, broken: 1 },
      { clock: "resolve", kept: 0, broken: 1 },
    ]);
  });

  it("is not noted as kept, beside one that is", async () => {
    const { main } = await customer();
    const fresh = await member(server, "adminChild", { organisationId: admin.organisationId });
    const id = await opened(main, {}, fresh);
    const seen = (await room(id, fresh, "admin")).timeline.find(({ news }) => news === "seen");
    minutes(300);
    await watchIncidents(server.services);
    // Contained before its limit, the promise is kept; the one to resolve is late all the same.
    expect((await tell(id, "contained", { occurred_at: at(-250) }, fresh)).status).toBe(200);
    expect((await tell(id, "seen", { corrects: seen?.id, occurred_at: at(-295) }, fresh)).status).toBe(200);
    const { breaches, broken } = await room(id, main);
    expect(breaches).toMatchObject([
      { clock: "contain", undone_at: expect.any(String) },
      { clock: "resolve", undone_at: null },
    ]);
    expect(broken).toBe(2);
  });
});
