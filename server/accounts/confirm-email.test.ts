import { eq, inArray } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { messages } from "../../contract/messages.ts";
import { customer, customerEstimate, password, quoteRequest, registration, signIn } from "../../tests/factories.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { insertOrder, insertQuote, quoteHolder } from "../../tests/paid-order.ts";
import { member, type Member } from "../../tests/people.ts";
import { inTurn } from "../../tests/while-held.ts";
import {
  contactLadders,
  incidents,
  ladderCalls,
  leads,
  mails,
  orders,
  people,
  quotes,
  rateLimits,
} from "../database/schema/index.ts";

let server: TestServer;
let admin: Member;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.services.database.delete(rateLimits);
  admin = await member(server, "admin");
});

const database = () => server.services.database;
const fresh = () => registration().email;
const correct = (id: string, email: string) => server.call("admin/people/correct-email", { id, email }, admin.token);
const confirm = (token: string) => server.call("auth/confirm-email", { token });
const isLetIn = async (token: string) => (await server.call("user/me", {}, token)).status === 200;
const linkTo = async (email: string) => {
  const { text = "" } = await server.mailbox.take(email, /confirm your e-mail/i);
  return /\/confirm-email#token=([\w-]+)/.exec(text)?.[1] ?? "";
};
async function personBy(email: string) {
  const [row] = await database().select().from(people).where(eq(people.email, email));
  if (!row) throw new Error(`Nobody has ${email}`);
  return row;
}

describe("A corrected e-mail address", () => {
  it("holds once its owner confirms it; the old one is told, sessions end, and what was sent to it follows", async () => {
    const person = await customer(server);
    const { id, organisationId } = await personBy(person.email);
    const owner = { id, organisationId, email: person.email, token: person.token };
    const quote = await insertQuote(server, owner);
    const order = await insertOrder(server, owner);
    const email = fresh();
    expect((await correct(id, email)).status).toBe(200);

    const announced = await server.mailbox.take(person.email, /another e-mail address/i);
    expect(announced.text).toMatch(/as soon as somebody confirms it/);
    expect(announced.text).not.toContain(email);
    const token = await linkTo(email);
    // Nothing has changed before the confirmation.
    expect([await isLetIn(person.token), (await personBy(person.email)).id]).toEqual([true, id]);

    expect((await confirm(token)).status).toBe(200);
    const told = await server.mailbox.take(person.email, /has changed/i);
    expect(told.text).toMatch(/signed out everywhere/);
    expect(await isLetIn(person.token)).toBe(false);
    expect((await server.call("auth/login", { email: person.email, password })).status).toBe(401);
    const session = await signIn(server, email);
    expect((await server.call("user/me", {}, session)).body.user).toMatchObject({ email });
    const estimates = await server.call("user/get-estimation", {}, session);
    expect(estimates.body.estimation.map((each) => each.id)).toContain(quote.id);
    const [followed] = await database().select().from(quotes).where(eq(quotes.id, quote.id));
    const [lead] = await database().select().from(leads).where(eq(leads.quoteId, quote.id));
    const [bought] = await database().select().from(orders).where(eq(orders.id, order.id));
    expect([followed?.userEmail, lead?.userEmail, bought?.buyerEmail]).toEqual([email, email, email]);
    expect(bought?.billTo.email).toBe(person.email);
    // Nothing is stored about a used link, so the message must also fit somebody who never got the response.
    const again = await confirm(token);
    expect([again.status, again.body.error]).toEqual([
      422,
      "This link has expired or was already used. If you have confirmed this address before, please sign in with it; otherwise ask our support to send a new one.",
    ]);
    const { entries } = (await server.call("admin/audit", { subject: `person:${id}`, limit: 2 }, admin.token)).body;
    expect(entries.map(({ action }) => action)).toContain("correct email");
  });

  it("is called and mailed in an attack, counts as reached there, and leaves other contacts and other ladders alone", async () => {
    const [person, stranger] = [await personBy((await customer(server)).email), await member(server, "user")];
    const at = server.services.now();
    const told = { title: "Ransomware", source: "analyst", severity: "P1", openedAt: at, changedAt: at } as const;
    const [incident] = await database()
      .insert(incidents)
      .values({ organisationId: person.organisationId, ...told })
      .returning();
    const incidentId = incident?.id ?? "";
    const contact = (name: string, email: string) => ({ name, says: "", phone: "+919811122233", email });
    const contacts = [contact("Nalini Shenoy", person.email.toUpperCase()), contact("Ravi Nair", stranger.email)];
    await database()
      .insert(contactLadders)
      .values([person, stranger].map(({ organisationId }) => ({ organisationId, contacts, changedAt: at })));
    await database()
      .insert(ladderCalls)
      .values(contacts.map(({ says: _says, ...called }, position) => ({ incidentId, position, ...called, dueAt: at })));
    const email = fresh();
    await correct(person.id, email);
    expect((await confirm(await linkTo(email))).status).toBe(200);
    const ladderOf = async ({ organisationId }: { organisationId: string }) => {
      const [kept] = await database()
        .select()
        .from(contactLadders)
        .where(eq(contactLadders.organisationId, organisationId));
      return kept;
    };
    const followed = [{ ...contacts[0], email }, contacts[1]];
    // The new version keeps an editor that is still open from saving the old address over it.
    expect(await ladderOf(person)).toMatchObject({ contacts: followed, version: 2 });
    expect(await ladderOf(stranger)).toMatchObject({ contacts, version: 1 });
    const session = await signIn(server, email);
    expect((await server.call("user/incidents/{id}", { id: incidentId }, session)).status).toBe(200);
    const calls = await database().select().from(ladderCalls).where(eq(ladderCalls.incidentId, incidentId));
    const reached = calls.toSorted((one, other) => one.position - other.position);
    expect(reached.map((call) => [call.email, call.reachedBy])).toEqual([
      [email, "portal"],
      [stranger.email, null],
    ]);
  });

  it("has what waits to be sent, but for what opens an account or is about the address before", async () => {
    const { id, email: before } = await member(server, "user");
    const waits = async (templates: string[]) => {
      const rows = templates.map((template) => ({ eventKey: `${template}:${id}`, content: { template } }));
      await database()
        .insert(mails)
        .values(rows.map((row) => ({ ...row, recipient: before, attachments: [] })));
      return rows.map(({ eventKey }) => eventKey);
    };
    const papers = ["acceptance", "receipt", "creditNote", "invoiceCancelled", "refund", "proforma", "advance"];
    const told = ["advanceBack", "invoiceDue", "taxOwed", "due", "renewal", "serviceReport", "incident", "attack"];
    const follow = await waits([...papers, ...told]);
    const opens = ["signInCode", "acceptanceCode", "invitation", "passwordReset", "confirmEmail"];
    const stay = await waits([...opens, "passwordChanged", "emailCorrected", "alreadyRegistered", "lead"]);
    const email = fresh();
    await correct(id, email);
    expect((await confirm(await linkTo(email))).status).toBe(200);
    const keys = [...follow, ...stay];
    const found = await database().select().from(mails).where(inArray(mails.eventKey, keys));
    const to = new Map(found.map(({ eventKey, recipient }) => [eventKey, recipient]));
    expect(keys.map((key) => [key, to.get(key)])).toEqual([
      ...follow.map((key) => [key, email]),
      ...stay.map((key) => [key, before]),
    ]);
  });

  it("is void after its time, after another one, and after it was taken back", async () => {
    const { id } = await member(server, "partner");
    const [first, second] = [fresh(), fresh()];
    await correct(id, first);
    const early = await linkTo(first);
    await correct(id, second);
    const late = await linkTo(second);
    expect((await confirm(early)).status).toBe(422);
    expect((await server.call("admin/people/keep-email", { id }, admin.token)).status).toBe(200);
    expect((await confirm(late)).status).toBe(422);
    await correct(id, first);
    const last = await linkTo(first);
    server.passTime(25 * 3600);
    expect((await confirm(last)).status).toBe(422);
    server.passTime(-25 * 3600);
    expect((await confirm(last)).status).toBe(200);
  });

  it("can be nobody else's: an administrator is told, and whoever confirms too late as well", async () => {
    const [one, other] = [await member(server, "user"), await member(server, "user")];
    const taken = await correct(one.id, other.email);
    expect([taken.status, Object.keys(taken.body.fields ?? {})]).toEqual([422, ["email"]]);
    const email = fresh();
    await correct(one.id, email);
    const token = await linkTo(email);
    await member(server, "partner", { email });
    const late = await confirm(token);
    expect([late.status, late.body.error]).toEqual([
      422,
      "This e-mail address has an account of its own. Please sign in with that one.",
    ]);
    expect((await personBy(one.email)).id).toBe(one.id);
  });

  it("takes the place of a registration that nobody has proved, and of invitations", async () => {
    const one = await member(server, "user");
    const email = fresh();
    await correct(one.id, email);
    const token = await linkTo(email);
    await server.call("auth/register", { ...registration(), email });
    const child = { firstName: "Ravi", lastName: "Nair", email, phoneNo: "9800000001" };
    expect((await server.call("user/create-child-user", child, one.token)).status).toBe(201);
    expect((await confirm(token)).status).toBe(200);
    const rows = await database().select().from(people).where(eq(people.email, email));
    expect(rows.map(({ id }) => id)).toEqual([one.id]);
  });

  it("that was asked for while nobody had proved the old one is void once somebody does, or registers anew", async () => {
    for (const provesBy of ["signing in", "registering"]) {
      const owned = registration();
      await server.call("auth/register", owned);
      const { id } = await personBy(owned.email);
      const email = fresh();
      expect((await correct(id, email)).status).toBe(200);
      const token = await linkTo(email);
      if (provesBy === "registering") await server.call("auth/register", { ...owned, organizationName: "Its owner's" });
      else await signIn(server, owned.email);
      expect([provesBy, (await confirm(token)).status]).toEqual([provesBy, 422]);
      expect((await personBy(owned.email)).id).toBe(id);
    }
  });

  it("of one is confirmed once however often, and of two who ask for the same only one has it", async () => {
    const pair = [await member(server, "user"), await member(server, "user")];
    const email = fresh();
    for (const { id } of pair) expect((await correct(id, email)).status).toBe(200);
    const tokens = [await linkTo(email), await linkTo(email)];
    const answers = await Promise.all([...tokens, ...tokens].map(confirm));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await database().$count(people, eq(people.email, email))).toBe(1);
  });

  it("lets two exchange their addresses over a third", async () => {
    const [one, other] = [await member(server, "user"), await member(server, "user")];
    const third = fresh();
    await correct(one.id, third);
    await confirm(await linkTo(third));
    await correct(other.id, one.email);
    await confirm(await linkTo(one.email));
    await correct(one.id, other.email);
    expect((await confirm(await linkTo(other.email))).status).toBe(200);
    expect([(await personBy(other.email)).id, (await personBy(one.email)).id]).toEqual([one.id, other.id]);
  });

  it.each(["declines a quote", "buys"])("waits for its owner, who %s meanwhile, in one order", async (what) => {
    const { person, quote, start } = await quoteHolder(server);
    const email = fresh();
    await correct(person.id, email);
    const token = await linkTo(email);
    const declined = { quote_id: quote.id, revision: 1, reason: "Too dear" };
    const decline = () => server.call("user/quotes/decline", declined, person.token);
    const answers = await inTurn<{ status: number }, { status: number }>(
      server,
      `select from quotes where id = '${quote.id}' for update`,
      what === "buys" ? start : decline,
      () => confirm(token),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const [followed] = await database().select().from(quotes).where(eq(quotes.id, quote.id));
    expect(followed?.userEmail).toBe(email);
  });

  it("comes before its owner, who declines a quote meanwhile by the session that it ends", async () => {
    const { person, quote } = await quoteHolder(server);
    const email = fresh();
    await correct(person.id, email);
    const token = await linkTo(email);
    const declined = { quote_id: quote.id, revision: 1, reason: "Too dear" };
    const [confirmed, late] = await inTurn(
      server,
      `select from people where id = '${person.id}' for update`,
      () => confirm(token),
      () => server.call("user/quotes/decline", declined, person.token),
    );
    expect([confirmed.status, late.status]).toEqual([200, 401]);
    const [followed] = await database().select().from(quotes).where(eq(quotes.id, quote.id));
    expect(followed).toMatchObject({ userEmail: email, decision: null });
  });

  it("and a merge of its owner's customer wait for each other in one order, and the quotes follow", async () => {
    const [from, into] = [await member(server, "user"), await member(server, "user")];
    const order = await insertOrder(server, from, { state: "expired" });
    const email = fresh();
    await correct(from.id, email);
    const token = await linkTo(email);
    const seen = { from: { id: from.organisationId, version: 1 }, into: { id: into.organisationId, version: 1 } };
    const [merged, confirmed] = await inTurn(
      server,
      `select from orders where id = '${order.id}' for update`,
      () => server.call("admin/people/merge", seen, admin.token),
      () => confirm(token),
    );
    expect([merged.status, confirmed.status]).toEqual([200, 200]);
    const [followed] = await database().select().from(quotes).where(eq(quotes.id, order.quoteId));
    expect(followed).toMatchObject({ userEmail: email, organisationId: into.organisationId });
  });

  it("stands once in a partner's list, to which its owner's customer is moved meanwhile", async () => {
    const [person, partner] = [await member(server, "user"), await member(server, "partner")];
    const { email, firstName, lastName, phoneNo, organizationName } = registration();
    const invited = { email, firstName, lastName, phoneNo, organizationName };
    expect((await server.call("partner/create-user", invited, partner.token)).status).toBe(201);
    await correct(person.id, email);
    const token = await linkTo(email);
    const move = { id: person.organisationId, version: 1, partner_email: partner.email };
    const [confirmed, moved] = await inTurn(
      server,
      `select pg_advisory_xact_lock(72177, hashtext('${person.email}'))`,
      () => confirm(token),
      () => server.call("admin/people/move-customer", move, admin.token),
    );
    expect([confirmed.status, moved.status]).toEqual([200, 409]);
    const listed = (await server.call("partner/users", {}, partner.token)).body.users;
    expect(listed.map((each) => each.email)).toEqual([email]);
  });

  it("of an invitation is invited anew; the old link works no more", async () => {
    const parent = await member(server, "user");
    const [wrong, right] = [fresh(), fresh()];
    const child = { firstName: "Ravi", lastName: "Nair", email: wrong, phoneNo: "9800000001" };
    await server.call("user/create-child-user", child, parent.token);
    const tokenIn = async (email: string) =>
      /#token=([\w-]+)/.exec((await server.mailbox.take(email, /invited/i)).text ?? "")?.[1] ?? "";
    const old = await tokenIn(wrong);
    expect((await correct((await personBy(wrong)).id, right)).status).toBe(200);
    const choose = { password, confirmPassword: password };
    expect((await server.call("auth/accept-invite", { token: old, ...choose })).status).toBe(422);
    expect((await server.call("auth/accept-invite", { token: await tokenIn(right), ...choose })).status).toBe(200);
  });

  it("of an invitation takes along what a partner made for it, which whoever has the mistyped one can't claim", async () => {
    const partner = await member(server, "partner");
    const [wrong, right] = [fresh(), fresh()];
    const invited = { firstName: "Ravi", lastName: "Nair", phoneNo: "9800000001", organizationName: "Kaveri Mills" };
    expect((await server.call("partner/create-user", { ...invited, email: wrong }, partner.token)).status).toBe(201);
    const made = await server.call("partner/create-estimate", { ...customerEstimate(), email: wrong }, partner.token);
    expect(made.status).toBe(201);
    const { id, organisationId } = await personBy(wrong);
    expect((await correct(id, right)).status).toBe(200);
    await customer(server, { email: wrong });
    const [quote] = await database().select().from(quotes).where(eq(quotes.id, made.body.quoteId));
    const [lead] = await database().select().from(leads).where(eq(leads.quoteId, made.body.quoteId));
    expect([quote, lead]).toMatchObject([{ userEmail: right, organisationId }, { userEmail: right }]);
  });

  it("of an invitation is refused where it stands in the same list already, of a partner's customers or of partners", async () => {
    const partner = await member(server, "partner");
    const form = (email: string) => {
      const { firstName, lastName, phoneNo, organizationName } = registration();
      return { firstName, lastName, phoneNo, organizationName, email };
    };
    for (const [add, by] of [
      ["partner/create-user", partner],
      ["admin/createPartnerByAdmin", admin],
    ] as const) {
      const [one, other] = [fresh(), fresh()];
      for (const email of [one, other]) expect((await server.call(add, form(email), by.token)).status).toBe(201);
      const refused = await correct((await personBy(one)).id, other);
      expect([refused.status, refused.body.fields]).toEqual([422, { email: messages.alreadyInvited }]);
      expect((await personBy(one)).email).toBe(one);
    }
    // Another partner's list may contain it as well.
    const email = fresh();
    await server.call("partner/create-user", form(email), partner.token);
    const elsewhere = fresh();
    await server.call("partner/create-user", form(elsewhere), (await member(server, "partner")).token);
    expect((await correct((await personBy(elsewhere)).id, email)).status).toBe(200);
  });

  it("of an invitation to a suspended organisation is refused, and invites nobody", async () => {
    const parent = await member(server, "user");
    const [wrong, right] = [fresh(), fresh()];
    const child = { firstName: "Ravi", lastName: "Nair", email: wrong, phoneNo: "9800000001" };
    await server.call("user/create-child-user", child, parent.token);
    await server.call("admin/suspend", { email: parent.email, what: "organisation" }, admin.token);
    const refused = await correct((await personBy(wrong)).id, right);
    expect([refused.status, refused.body.error]).toEqual([
      409,
      "This organization is suspended: nobody can join it now.",
    ]);
    expect(await database().$count(people, eq(people.email, right))).toBe(0);
  });

  it("leaves what a stranger asked for at an address that was never proved", async () => {
    const form = registration();
    await server.call("auth/register", form);
    const { id } = await personBy(form.email);
    const strangers = quoteRequest({ userEmail: form.email });
    const { body } = await server.call("estimator", strangers);
    const email = fresh();
    await correct(id, email);
    await confirm(await linkTo(email));
    const [quote] = await database().select().from(quotes).where(eq(quotes.id, body.quoteId));
    expect(quote?.userEmail).toBe(form.email);
  });

  it("takes along only mails of its own organisation while nobody had proved the old one", async () => {
    const form = registration();
    await server.call("auth/register", form);
    const { id, organisationId } = await personBy(form.email);
    const own = await insertQuote(server, { id, organisationId, email: form.email, token: "" });
    const order = await insertOrder(server, { id, organisationId, email: form.email, token: "" });
    const strangers = await insertQuote(server, null, { userEmail: form.email });
    const keys = [`proposal:${own.id}:2`, `receipt:${order.id}`, `proposal:${strangers.id}`];
    const content = { template: "proposal" };
    const sendAfter = { recipient: form.email, content, attachments: [] };
    await database()
      .insert(mails)
      .values(keys.map((eventKey) => ({ ...sendAfter, eventKey })));
    const email = fresh();
    await correct(id, email);
    await confirm(await linkTo(email));
    const found = await database().select().from(mails).where(inArray(mails.eventKey, keys));
    const to = new Map(found.map(({ eventKey, recipient }) => [eventKey, recipient]));
    expect(keys.map((key) => to.get(key))).toEqual([email, email, form.email]);
  });

  it("takes along what is written to the person or about their organisation's attack, though nobody had proved the old one", async () => {
    const form = registration();
    await server.call("auth/register", form);
    const { id, organisationId } = await personBy(form.email);
    const at = server.services.now();
    const told = { title: "Ransomware", source: "analyst", severity: "P1", openedAt: at, changedAt: at } as const;
    const [incident] = await database()
      .insert(incidents)
      .values({ organisationId, ...told })
      .returning();
    const strangers = await insertQuote(server, null, { userEmail: form.email });
    const waiting = [
      { eventKey: `service-report:${strangers.id}:${id}`, content: { template: "serviceReport" }, personId: id },
      { eventKey: `attack:${incident?.id}:0`, content: { template: "attack" } },
      // Made for the owner of the mailbox: the account was looked up by the address alone.
      { eventKey: `proposal:${strangers.id}`, content: { template: "proposal" }, personId: id },
      { eventKey: `acceptance:${strangers.id}`, content: { template: "acceptance" } },
    ];
    await database()
      .insert(mails)
      .values(waiting.map((mail) => ({ ...mail, recipient: form.email, attachments: [] })));
    const email = fresh();
    await correct(id, email);
    await confirm(await linkTo(email));
    const keys = waiting.map(({ eventKey }) => eventKey);
    const found = await database().select().from(mails).where(inArray(mails.eventKey, keys));
    const to = new Map(found.map(({ eventKey, recipient }) => [eventKey, recipient]));
    expect(keys.map((key) => to.get(key))).toEqual([email, email, form.email, form.email]);
  });
});
