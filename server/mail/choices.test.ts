import { and, eq } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it, test } from "vitest";
import { roles } from "../../contract/roles.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { member, type Member } from "../../tests/people.ts";
import { sendMailNow } from "../../tests/send-mail-now.ts";
import { auditEntries, mails, mailsTurnedOff } from "../database/schema/index.ts";
import { type MailContent } from "./templates.ts";
import { queueMail } from "./outbox.ts";
import { unsubscribeToken } from "./unsubscribe.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ work: false });
});
afterAll(() => server.stop());

const link = "https://prahari.example/user/myquote";
const proposal = (over: object = {}): MailContent => ({
  template: "proposal",
  organizationName: "Kaveri Textiles",
  quoteNumber: "Q-000001",
  totalPaise: 100,
  validUntil: "2026-12-22T18:29:59Z",
  link,
  ...over,
});
const fromPartner = proposal({ partner: "Malabar Networks" });
const asked = proposal();
const announced: MailContent = { template: "announcement", title: "Maintenance", text: "On Sunday.", link };

/** Queues a mail as its cause would. Answers the row, if there is one. */
async function write(to: string, content: MailContent) {
  const eventKey = `test:${randomUUID()}`;
  const { services } = server;
  await services.database.transaction((transaction) => queueMail(services, transaction, { eventKey, to, content }));
  return (await services.database.select().from(mails).where(eq(mails.eventKey, eventKey)))[0];
}
const choose = ({ token }: Member, kind: string, wanted: boolean) =>
  server.send("notices/choose", { kind, wanted }, token);
const isOff = async ({ id }: Member, kind: "proposals" | "announcements" = "proposals") =>
  (await server.services.database.$count(
    mailsTurnedOff,
    and(eq(mailsTurnedOff.personId, id), eq(mailsTurnedOff.kind, kind)),
  )) === 1;
const traces = ({ id }: Member) =>
  server.services.database.$count(
    auditEntries,
    and(eq(auditEntries.subject, `person:${id}`), eq(auditEntries.action, "choose mails")),
  );

const ofIncidents = ["incidentsP1", "incidentsP2", "incidentsP3", "incidentsP4"];

it.each(roles)("Somebody with the role %s chooses among the mails that reach them", async (role) => {
  const person = await member(server, role);
  const { body } = await server.call("notices/choices", {}, person.token);
  const optional = body.choices.filter((choice) => choice.can_be_turned_off).map(({ kind }) => kind);
  const own = role.startsWith("user")
    ? ["dues", "proposals", "renewals", "reports", "onboarding", "regulators", ...ofIncidents]
    : role.startsWith("admin")
      ? [...ofIncidents, "reminders"]
      : ["reports"];
  expect(optional).toEqual([...own, "announcements"]);
  for (const { can_be_turned_off, wanted, about } of body.choices)
    expect([wanted, can_be_turned_off]).toEqual([true, !about.startsWith("Always sent: ")]);
});

test("codes, changed passwords and invoices can't be turned off", async () => {
  const person = await member(server, "user");
  for (const kind of ["codes", "account", "payments", "nothing of ours"]) {
    const { status, body } = await choose(person, kind, false);
    expect([status, body.fields]).toEqual([422, { kind: "These mails can't be turned off" }]);
  }
  expect(await traces(person)).toBe(0);
});

test("a mail of a kind that is turned off is not written, one of another kind is, and it can be turned on again", async () => {
  const person = await member(server, "user");
  const other = await member(server, "user", { organisationId: person.organisationId });
  expect((await choose(person, "proposals", false)).status).toBe(200);
  // Turning off what is off already leaves no second audit entry.
  await Promise.all([choose(person, "proposals", false), choose(person, "proposals", false)]);
  expect(await traces(person)).toBe(1);
  expect(await write(person.email, fromPartner)).toBeUndefined();
  expect(await write(other.email, fromPartner)).toBeDefined();
  for (const content of [asked, announced, { template: "signInCode", code: "482915", minutes: 10 } as const])
    expect(await write(person.email, content)).toBeDefined();
  await choose(person, "proposals", true);
  expect(await write(person.email, fromPartner)).toBeDefined();
  expect(await traces(person)).toBe(2);
});

test("an address without an account gets what it gets: there is nobody who could choose", async () => {
  const mail = await write("visitor@example.in", fromPartner);
  expect(mail?.personId).toBeNull();
});

/** Queues and sends a mail. Answers it as it arrived. */
async function arrives(to: string, content: MailContent) {
  const mail = await write(to, content);
  await sendMailNow(server.services, mail?.id ?? "");
  return server.mailbox.take(to);
}
const headerOf = (mail: Awaited<ReturnType<typeof arrives>>, name: string) =>
  mail.headers.find(({ key }) => key === name)?.value;
const addressIn = (mail: Awaited<ReturnType<typeof arrives>>) =>
  /^<(.+)>$/.exec(headerOf(mail, "list-unsubscribe") ?? "")?.[1] ?? "";

test("a mail that can be turned off carries how; one that can't carries no such header", async () => {
  const person = await member(server, "partner");
  const mail = await arrives(person.email, announced);
  expect(headerOf(mail, "list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click");
  expect(addressIn(mail)).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/unsubscribe\/announcements\./);
  expect(mail.text).toContain("/partner/account-settings?show=mails");
  expect(mail.text).toContain(addressIn(mail));
  const code = await arrives(person.email, { template: "signInCode", code: "482915", minutes: 10 });
  expect([addressIn(code), headerOf(code, "list-unsubscribe-post")]).toEqual(["", undefined]);
});

test("the address turns the kind off by one click of the mail program, signed out, and says so again", async () => {
  const person = await member(server, "user");
  const address = addressIn(await arrives(person.email, fromPartner));
  // Merely opening the address changes nothing.
  const looked = await fetch(address);
  expect([looked.status, await looked.text()]).toEqual([200, expect.stringContaining("Stop these mails?")]);
  expect(await isOff(person)).toBe(false);
  for (let times = 0; times < 2; times++) {
    const answer = await fetch(address, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: "List-Unsubscribe=One-Click",
      redirect: "error",
    });
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining("These mails are stopped")]);
  }
  expect([await isOff(person), await isOff(person, "announcements"), await traces(person)]).toEqual([true, false, 1]);
  // Opened again, the page says so and links to where mails are turned on again.
  const used = await (await fetch(address)).text();
  expect(used).toContain("These mails are stopped");
  expect(used).toContain('href="/user/account-settings?show=mails"');
  await choose(person, "proposals", true);
  expect(await (await fetch(address)).text()).toContain("Stop these mails?");
});

test("a token that is forged, or made for somebody or something else, turns nothing off", async () => {
  const [person, other] = [await member(server, "user"), await member(server, "user")];
  const token = unsubscribeToken(server.services.env.tokenSecret, { personId: person.id, kind: "proposals" });
  const [kind, id, signature] = token.split(".");
  const foreign = [
    `${kind}.${other.id}.${signature}`,
    `announcements.${id}.${signature}`,
    `codes.${id}.${signature}`,
    `${kind}.${id}.${"A".repeat(43)}`,
    `${kind}.${id}.`,
    `${token}.more`,
    unsubscribeToken("another secret of thirty-two letters", { personId: person.id, kind: "proposals" }),
    "garbage",
    "__proto__.constructor.x",
  ];
  for (const each of [...foreign.map(encodeURIComponent), "%E0%A4%A"]) {
    for (const method of ["GET", "POST"]) {
      const answer = await fetch(`${server.url}/unsubscribe/${each}`, { method });
      expect([each, answer.status]).toEqual([each, 404]);
      expect(await answer.text()).toContain("This link is not complete");
    }
  }
  expect([await isOff(person), await isOff(other), await isOff(person, "announcements")]).toEqual([
    false,
    false,
    false,
  ]);
});

test("the token of somebody who is gone is answered like any other, and writes nothing", async () => {
  const token = unsubscribeToken(server.services.env.tokenSecret, { personId: randomUUID(), kind: "proposals" });
  const before = await server.services.database.$count(mailsTurnedOff);
  for (const method of ["GET", "POST"]) {
    const answer = await fetch(`${server.url}/unsubscribe/${token}`, { method });
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('href="/login"')]);
  }
  expect(await server.services.database.$count(mailsTurnedOff)).toBe(before);
});
