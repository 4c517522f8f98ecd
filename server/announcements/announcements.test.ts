import { and, eq, inArray, isNotNull, sql } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Announcement, NewAnnouncement } from "../../contract/announcements.ts";
import { announcement, registration } from "../../tests/factories.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { member, type Member, scopeFor } from "../../tests/people.ts";
import { inTurn } from "../../tests/while-held.ts";
import { removeEmptyOrganisations } from "../accounts/empty-organisations.ts";
import {
  announcements,
  auditEntries,
  mails,
  mailsTurnedOff,
  notices,
  people,
  rateLimits,
} from "../database/schema/index.ts";
import type { Services } from "../services.ts";
import { deliverAnnouncement } from "./deliver.ts";
import { audienceOf } from "./whom.ts";

// Its job queues are not processed: each test does a worker's part itself.
let server: TestServer;
let admin: Member;
let partner: Member;
let ofPartner: Member;
let customer: Member;
let child: Member;
beforeAll(async () => {
  server = await startTestServer({ work: false });
  admin = await member(server, "admin", { organizationName: "Provider", firstName: "Meera", lastName: "Iyer" });
  partner = await member(server, "partner", { organizationName: "Malabar Networks" });
  ofPartner = await member(server, "user", { organizationName: "Kaveri Textiles", partnerId: partner.organisationId });
  customer = await member(server, "user", { organizationName: "Deccan Foods" });
  child = await member(server, "userChild", { organisationId: customer.organisationId });
});
afterAll(() => server.stop());
beforeEach(async () => {
  const { database } = server.services;
  await database.delete(announcements);
  await database.delete(mails);
  await database.delete(rateLimits);
});

const inHours = (hours: number) => new Date(server.services.now().getTime() + hours * 3_600_000).toISOString();
const current = (over: Partial<NewAnnouncement> = {}) =>
  announcement({ shown_from: inHours(0), shown_until: inHours(48), ...over });

async function add(over: Partial<NewAnnouncement> = {}, id: string = randomUUID()): Promise<string> {
  const { status, body } = await server.call("admin/announcements/add", { ...current(over), id }, admin.token);
  expect([status, body.error]).toEqual([201, undefined]);
  return id;
}
async function delivered(over: Partial<NewAnnouncement> = {}): Promise<string> {
  const id = await add(over);
  await deliverAnnouncement(server.services, id);
  return id;
}
async function read(id: string): Promise<Announcement> {
  const { body } = await server.call("admin/announcements", {}, admin.token);
  const found = body.announcements.find((each) => each.id === id);
  if (!found) throw new Error("The announcement is not listed");
  return found;
}
/** An announcement as the editor sends it back, with changes. */
const edited = async (id: string, over: object = {}) => {
  const { organizations, state: _state, delivered: _delivered, created_by: _by, ...row } = await read(id);
  return { ...row, emails: organizations.map(({ email }) => email), ...over };
};
const change = async (id: string, over: object) =>
  server.send("admin/announcements/change", await edited(id, over), admin.token);
const withdraw = (id: string, version = 1) => server.call("admin/announcements/withdraw", { id, version }, admin.token);

const everybody = () => ({ admin, partner, ofPartner, customer, child });
/** The people who see it as a banner, and those who have it among their notices. */
async function seenBy(id: string) {
  const seen = { banner: [] as string[], bell: [] as string[] };
  for (const [name, { id: personId, token }] of Object.entries(everybody())) {
    const { body } = await server.call("notices/news", {}, token);
    if (body.banners.some((banner) => banner.id === id)) seen.banner.push(name);
    const told = and(eq(notices.personId, personId), eq(notices.announcementId, id));
    if ((await server.services.database.$count(notices, told)) === 1) seen.bell.push(name);
  }
  return seen;
}

describe("An announcement reaches", () => {
  const cases: [string, () => Partial<NewAnnouncement>, string[]][] = [
    ["everybody", () => ({}), ["admin", "partner", "ofPartner", "customer", "child"]],
    ["some roles", () => ({ audience: "roles", roles: ["partner", "userChild"] }), ["partner", "child"]],
    ["a partner and its customers", () => ({ audience: "partner", emails: [partner.email] }), ["partner", "ofPartner"]],
    ["named customers", () => ({ audience: "customers", emails: [customer.email] }), ["customer", "child"]],
  ];
  it.each(cases)("%s, and nobody else, by banner and bell", async (_name, over, names) => {
    const id = await delivered(over());
    expect(await seenBy(id)).toEqual({ banner: names, bell: names });
    expect(await read(id)).toMatchObject({ state: "shown", delivered: true, created_by: "Meera Iyer" });
    const { body } = await server.call("admin/announcements/preview", current(over()), admin.token);
    expect(body).toEqual({ people: names.length, mailed: 0, mail: null });
  });

  it("the customer whose an e-mail is, and none that merely invited it", async () => {
    const { database } = server.services;
    const inviting = await member(server, "user");
    const child = await member(server, "userChild", { organisationId: customer.organisationId });
    const invite = (email: string) =>
      member(server, "userChild", {
        organisationId: inviting.organisationId,
        email,
        joinedAt: null,
        emailVerifiedAt: null,
        invitedUntil: new Date(inHours(24)),
      });
    const newcomer = "newcomer@deccan.example";
    const invited = await Promise.all([child.email, newcomer].map(invite));
    const scope = await scopeFor(server, "admin/announcements/add", admin);
    const reachedBy = async (email: string) =>
      (await audienceOf(database, scope, { audience: "customers", roles: [], emails: [email] })).organisationIds;
    expect(await reachedBy(child.email)).toEqual([customer.organisationId]);
    // Until somebody has joined, their e-mail stands for the organisation that invited it.
    expect(await reachedBy(newcomer)).toEqual([inviting.organisationId]);
    const made = [inviting, child, ...invited].map(({ id }) => id);
    await database.delete(people).where(inArray(people.id, made));
  });

  it("nobody before its beginning or after its end", async () => {
    const id = await delivered({ shown_from: inHours(0.2), shown_until: inHours(0.5) });
    expect([await seenBy(id), (await read(id)).state]).toEqual([{ banner: [], bell: [] }, "planned"]);
    server.passTime(900);
    await deliverAnnouncement(server.services, id);
    const names = Object.keys(everybody());
    expect([await seenBy(id), (await read(id)).state]).toEqual([{ banner: names, bell: names }, "shown"]);
    server.passTime(1200);
    expect([await seenBy(id), (await read(id)).state]).toEqual([{ banner: [], bell: names }, "over"]);
    server.passTime(-2100);
  });
});

it("Closed by one person on one device, the banner is closed for them on all, and for nobody else", async () => {
  const id = await delivered();
  const close = ({ token }: Member, which = id) => server.call("notices/dismiss", { id: which }, token);
  expect((await Promise.all([close(customer), close(customer)])).map(({ status }) => status)).toEqual([200, 200]);
  expect((await seenBy(id)).banner).toEqual(["admin", "partner", "ofPartner", "child"]);
  const { body } = await server.call("notices/news", {}, customer.token);
  expect(body.latest.filter(({ read: isRead }) => !isRead)).toEqual([]);
});

it("A banner that is closed before its notice came stays closed; one for others is not there", async () => {
  const id = await add();
  expect((await server.call("notices/dismiss", { id }, customer.token)).status).toBe(200);
  await deliverAnnouncement(server.services, id);
  expect((await seenBy(id)).banner).not.toContain("customer");
  const foreign = await delivered({ audience: "partner", emails: [partner.email] });
  expect((await server.call("notices/dismiss", { id: foreign }, customer.token)).status).toBe(404);
});

it("By mail it reaches who wants such mails and has shown to own the address, each once", async () => {
  await server.services.database.insert(mailsTurnedOff).values({ personId: child.id, kind: "announcements" });
  const unproved = await member(server, "user", { emailVerifiedAt: null });
  const asked = current({ mailed: true });
  const { body } = await server.call("admin/announcements/preview", asked, admin.token);
  expect(body).toMatchObject({
    people: 6,
    mailed: 4,
    mail: { subject: "Prahari: Planned maintenance", text: expect.stringContaining("rest on Sunday") },
  });
  const id = await delivered({ mailed: true });
  await deliverAnnouncement(server.services, id);
  const rows = await server.services.database.select().from(mails);
  const names = [admin, partner, ofPartner, customer].map(({ email }) => email);
  expect(rows.map(({ recipient }) => recipient).toSorted()).toEqual(names.toSorted());
  expect(rows.every(({ personId }) => personId !== null)).toBe(true);
  await server.services.database.delete(mailsTurnedOff);
  await server.services.database.delete(people).where(eq(people.id, unproved.id));
});

it("The same id again makes no second one", async () => {
  const id = randomUUID();
  const same = current();
  await Promise.all([add(same, id), add(same, id), add(same, id)]);
  const traces = await server.services.database.$count(auditEntries, eq(auditEntries.subject, `announcement:${id}`));
  expect([await server.services.database.$count(announcements), traces]).toEqual([1, 1]);
});

it("Another one with an id that is known is refused, and what is kept is named", async () => {
  const id = randomUUID();
  const asked = { ...current(), id };
  const send = (over: object) => server.send("admin/announcements/add", { ...asked, ...over }, admin.token);
  expect((await send({})).status).toBe(201);
  server.passTime(60);
  expect((await send({})).status).toBe(201);
  for (const over of [
    { text: "Something else." },
    { shown_until: inHours(60) },
    { shown_from: inHours(3) },
    { mailed: true },
    { audience: "roles", roles: ["partner"] },
  ]) {
    const { status, body } = await send(over);
    expect([status, body.error]).toEqual([409, expect.stringContaining(`“${asked.title}” is kept`)]);
  }
  server.passTime(-60);
  expect(await read(id)).toMatchObject({ version: 1, text: asked.text, mailed: false, audience: "all" });
  const later = { id: randomUUID(), shown_from: inHours(3) };
  expect([(await send(later)).status, (await send(later)).status]).toEqual([201, 201]);
});

describe("Once it is shown", () => {
  it("its words change in bells and banners, and what went out by mail stays one mail", async () => {
    const id = await delivered({ mailed: true });
    const { status, body } = await change(id, { title: "Maintenance moved", text: "To Monday." });
    expect([status, body.error]).toEqual([200, undefined]);
    await deliverAnnouncement(server.services, id);
    const news = await server.call("notices/news", {}, customer.token);
    expect(news.body.banners).toMatchObject([{ id, title: "Maintenance moved", text: "To Monday." }]);
    expect(news.body.latest[0]).toMatchObject({ title: "Maintenance moved", text: "To Monday." });
    expect(await server.services.database.$count(mails)).toBe(5);
    expect(await read(id)).toMatchObject({ version: 2, delivered: true });
  });

  it.each([
    ["whom it is for", { audience: "roles", roles: ["partner"], emails: [] }],
    ["whether it is mailed", { mailed: true }],
  ])("%s stays", async (_what, over) => {
    const id = await delivered();
    const { status, body } = await change(id, over);
    expect([status, body.error]).toEqual([409, expect.stringContaining("only its words and its end can change")]);
  });

  it("what has not gone out by mail says what it says now, and goes with it when it is withdrawn", async () => {
    const { database } = server.services;
    const id = await delivered({ mailed: true });
    const all = await database.select().from(mails);
    const [first, second] = all;
    if (!first || !second) throw new Error("There are no mails");
    await database.update(mails).set({ sentAt: new Date(), content: null }).where(eq(mails.id, first.id));
    const waiting = () => database.select().from(mails).where(isNotNull(mails.content));
    await change(id, { title: "Maintenance moved", text: "To Monday.", shown_until: inHours(50) });
    const words = new Set((await waiting()).map(({ content }) => JSON.stringify(content).includes("To Monday.")));
    expect([await database.$count(mails), (await waiting()).length, words]).toEqual([5, 4, new Set([true])]);
    // A worker is just sending this one, and will fail.
    const worker = await database.$client.connect();
    await worker.query("begin");
    await worker.query("select from mails where id = $1 for update", [second.id]);
    expect((await withdraw(id, 2)).status).toBe(200);
    expect((await waiting()).map((mail) => mail.id)).toEqual([second.id]);
    await worker.query("rollback");
    worker.release();
    await deliverAnnouncement(server.services, id);
    expect(await waiting()).toEqual([]);
    expect((await database.select().from(mails).where(eq(mails.id, first.id)))[0]?.lastError).toBeNull();
  });

  it("names two customers that become one once, beside others, and its words still change", async () => {
    const [from, into, third] = [
      await member(server, "user"),
      await member(server, "user"),
      await member(server, "user"),
    ];
    const named = [from, into, third];
    const id = await delivered({ audience: "customers", emails: named.map(({ email }) => email) });
    const idsNow = async () => {
      const [row] = await server.services.database.select().from(announcements).where(eq(announcements.id, id));
      return row?.organisationIds ?? [];
    };
    const before = await idsNow();
    const seen = { from: { id: from.organisationId, version: 1 }, into: { id: into.organisationId, version: 1 } };
    expect((await server.call("admin/people/merge", seen, admin.token)).status).toBe(200);
    const moved = before.map((each) => (each === from.organisationId ? into.organisationId : each));
    expect(await idsNow()).toEqual([...new Set(moved)]);
    expect((await read(id)).organizations).toHaveLength(2);
    const changed = await change(id, { text: "The dashboards rest on Monday." });
    expect([changed.status, changed.body.error]).toEqual([200, undefined]);
  });

  it("names the customer that remains, where one that it names becomes another while it is written", async () => {
    const into = await member(server, "user");
    const { email, firstName, lastName, phoneNo, organizationName } = registration();
    const invited = { email, firstName, lastName, phoneNo, organizationName };
    expect((await server.call("partner/create-user", invited, partner.token)).status).toBe(201);
    const [from] = await server.services.database.select().from(people).where(eq(people.email, email));
    const seen = {
      from: { id: from?.organisationId ?? "", version: 1 },
      into: { id: into.organisationId, version: 1 },
    };
    const [id, merged] = await inTurn(
      server,
      "lock table audit_entries in share mode",
      () => add({ audience: "customers", emails: [email] }),
      () => server.call("admin/people/merge", seen, admin.token),
    );
    expect(merged.status).toBe(200);
    const [row] = await server.services.database.select().from(announcements).where(eq(announcements.id, id));
    expect(row?.organisationIds).toEqual([into.organisationId]);
  });

  it("its words still change once one of the customers that it names is erased, and it names that one no more", async () => {
    const { database } = server.services;
    const [one, other] = [await member(server, "user"), await member(server, "user")];
    const id = await delivered({ audience: "customers", emails: [one.email, other.email] });
    // As an erasure does with a person whom no order names.
    await database.transaction(async (transaction) => {
      await transaction.delete(people).where(eq(people.id, other.id));
      await removeEmptyOrganisations(transaction, [other.organisationId]);
    });
    const changed = await change(id, { text: "The dashboards rest on Monday." });
    expect([changed.status, changed.body.error]).toEqual([200, undefined]);
    const [row] = await database.select().from(announcements).where(eq(announcements.id, id));
    expect(row?.organisationIds).toEqual([one.organisationId]);
    const another = await change(id, { emails: [one.email, customer.email] });
    expect(another.status).toBe(409);
  });

  it("withdrawn, it leaves every bell and banner, and changes no more", async () => {
    const id = await delivered();
    expect((await withdraw(id)).status).toBe(200);
    expect((await seenBy(id)).banner).toEqual([]);
    await deliverAnnouncement(server.services, id);
    expect(await seenBy(id)).toEqual({ banner: [], bell: [] });
    expect(await read(id)).toMatchObject({ state: "withdrawn", delivered: true });
    expect((await change(id, { title: "Back again" })).status).toBe(409);
    expect((await withdraw(id, 2)).status).toBe(409);
  });
});

it("Before it is shown everything of it can change", async () => {
  const id = await add({ shown_from: inHours(3) });
  const { status } = await change(id, { audience: "customers", emails: [customer.email], shown_from: inHours(-1) });
  expect(status).toBe(200);
  await deliverAnnouncement(server.services, id);
  expect((await seenBy(id)).bell).toEqual(["customer", "child"]);
});

it("Of two who change it at once the second is told, and one of them is kept", async () => {
  const id = await add();
  const seen = await edited(id);
  const both = await Promise.all(
    ["One", "Other"].map((title) => server.send("admin/announcements/change", { ...seen, title }, admin.token)),
  );
  expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 409]));
  expect((await read(id)).version).toBe(2);
});

it.each([
  ["an end before its beginning", () => ({ shown_until: inHours(-1) }), "shown_until"],
  ["an end that is over", () => ({ shown_from: inHours(-9), shown_until: inHours(-1) }), "shown_until"],
  ["an end in a year", () => ({ shown_until: inHours(9000) }), "shown_until"],
  ["no roles", () => ({ audience: "roles" as const }), "roles"],
  ["a customer that is not there", () => ({ audience: "customers" as const, emails: ["no@example.in"] }), "emails"],
  ["a partner that is a customer", () => ({ audience: "partner" as const, emails: [customer.email] }), "emails"],
  ["no title", () => ({ title: " " }), "title"],
])("One with %s is refused at its field", async (_what, over, field) => {
  const sent = { ...current(over()), id: randomUUID() };
  const { status, body } = await server.call("admin/announcements/add", sent, admin.token);
  expect([status, Object.keys(body.fields ?? {})]).toEqual([422, [field]]);
  expect(await server.services.database.$count(announcements)).toBe(0);
});

it("10,000 people get it in portions: killed half-way it goes on, and each gets notice and mail once", async () => {
  const { database } = server.services;
  await database.execute(sql`insert into people
    (organisation_id, role, first_name, last_name, email, phone, joined_at, email_verified_at)
    select ${customer.organisationId}, 'userChild', 'Asha', 'Rao', 'crowd-' || n || '@example.in', '+919876543210', now(), now()
    from generate_series(1, 10000) as n`);
  const id = await add({ audience: "customers", emails: [customer.email], mailed: true });
  let portions = 0;
  const dying: Services = {
    ...server.services,
    jobs: {
      ...server.services.jobs,
      // As if the process were killed during its eighth batch.
      addAll: (...added) => {
        portions += 1;
        if (portions === 8) throw new Error("killed");
        return server.services.jobs.addAll(...added);
      },
    },
  };
  await expect(deliverAnnouncement(dying, id)).rejects.toThrow("killed");
  expect(await database.$count(notices, eq(notices.announcementId, id))).toBe(7 * 500);
  // Two at once, as after a restart with a job that was thought lost.
  await Promise.all([deliverAnnouncement(server.services, id), deliverAnnouncement(server.services, id)]);
  await deliverAnnouncement(server.services, id);
  const { rows } = await database.execute<{
    notices: number;
    mails: number;
    receivers: number;
    jobs: number;
  }>(sql`select
    (select count(distinct person_id)::int from notices where announcement_id = ${id}) as notices,
    (select count(*)::int from mails) as mails, (select count(distinct recipient)::int from mails) as receivers,
    (select count(distinct data->>'mailId')::int from jobs.job
      where name = 'send-mail' and data->>'mailId' in (select id::text from mails)) as jobs`);
  expect(rows).toEqual([{ notices: 10_002, mails: 10_002, receivers: 10_002, jobs: 10_002 }]);
  expect(await read(id)).toMatchObject({ delivered: true });
  await withdraw(id);
  await deliverAnnouncement(server.services, id);
  await deliverAnnouncement(server.services, id);
  expect(await database.$count(notices, eq(notices.announcementId, id))).toBe(0);
}, 120_000);
