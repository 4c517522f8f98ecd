import { and, eq, isNull, like, sql } from "drizzle-orm";
import { strFromU8, unzipSync } from "fflate";
import { randomUUID } from "node:crypto";
import type { Readable } from "node:stream";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { rupees } from "../../contract/money.ts";
import { totalsOf } from "../../contract/totals.ts";
import { answerTo, attemptsOf, comeBack, orderOf } from "../../tests/buyer.ts";
import { quoteRequest, registration } from "../../tests/factories.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { paperDay } from "../outside/documents/paper.ts";
import { insertOrder, insertQuote, quoteHolder } from "../../tests/paid-order.ts";
import { member, type Member } from "../../tests/people.ts";
import { readPdf } from "../../tests/read-pdf.ts";
import { inTurn as takeTurns } from "../../tests/while-held.ts";
import { createAdministrator } from "../accounts/administrators.ts";
import { sealEntries } from "../audit/chain.ts";
import { verifyChain } from "../audit/verify.ts";
import {
  actionItems,
  attempts,
  auditEntries,
  auditValues,
  contactLadders,
  contracts,
  dataRequests,
  emailCorrections,
  incidentFiles,
  incidents,
  invoices,
  ladderCalls,
  leadNotes,
  leads,
  mails,
  orders,
  organisations,
  people,
  quoteDecisions,
  quotes,
  rateLimits,
  sessions,
  singleUseLinks,
  transfers,
  trueUps,
} from "../database/schema/index.ts";
import { remindOwners } from "../leads/remind.ts";
import { deliverProposal } from "../quotes/deliver-proposal.ts";
import { priceDevices } from "../rates/pricing.ts";
import { currentRateCard } from "../rates/rate-card.ts";
import type { Services } from "../services.ts";
import { applyRetention } from "../upkeep/retention.ts";
import { answerDataRequest } from "./answer-data-request.ts";
import { dataSections } from "./data-sections.ts";

// Its job queues are not processed: each test does a worker's part itself.
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
const longAgo = () => new Date(server.services.now().getTime() - 500 * 24 * 3_600_000);

async function ask(kind: "export" | "erasure", email: string, over: object = {}) {
  const id = randomUUID();
  const body = { id, kind, email, ...(kind === "erasure" && { confirm: email }), ...over };
  return { id, ...(await server.send("admin/people/request-data", body, admin.token)) };
}
async function requestNow(id: string) {
  const [row] = await database().select().from(dataRequests).where(eq(dataRequests.id, id));
  if (!row) throw new Error("There is no such request");
  return row;
}
/** Makes a request and carries it out. */
async function done(kind: "export" | "erasure", email: string) {
  const { id, status } = await ask(kind, email);
  expect(status).toBe(201);
  await answerDataRequest(server.services, id);
  return requestNow(id);
}
const isStored = (file: string) =>
  server.services.files.read(file).then(
    () => true,
    () => false,
  );
/** The machine's part of a data copy, as text. */
const copyIn = async ({ file }: { file: string | null }) =>
  strFromU8(unzipSync(await server.services.files.read(file ?? ""))["data.json"] ?? new Uint8Array());
async function store(file: string) {
  await server.services.files.write(file, Buffer.from("%PDF-1.7 a proposal"));
  return file;
}
async function contactRequest() {
  const said = {
    userName: "Ravi Nair",
    userEmail: registration().email,
    phone: "+919812345678",
    organization: "Kaveri",
  };
  const [lead] = await database()
    .insert(leads)
    .values({ ...said, organizationSize: 12, message: "Please call me" })
    .returning();
  if (!lead) throw new Error("There is no such lead");
  return lead;
}
const leadNow = async (id: string) => (await database().select().from(leads).where(eq(leads.id, id)))[0];
/** An administrator makes a quote in a lead, addressed to somebody other than the first person who asked. */
async function makeQuoteIn(leadId: string, organizationName: string) {
  const devices = [{ service: "Server", deviceType: "Prod Server", number: 10, option: false, yearly: null }];
  const priced = { quote_id: null, devices, discountPercent: null };
  const { total } = (await server.call("admin/leads/price-quote", priced, admin.token)).body;
  const [id, { email }] = [randomUUID(), registration()];
  const to = { userName: "Boss Rao", userEmail: email, organizationName, phoneNumber: "+919876543210" };
  const offer = { numberOfUsers: 10, note: "", devices, discountPercent: null, total_cost: total };
  const made = { quote_id: id, lead_id: leadId, ...to, ...offer };
  expect((await server.call("admin/leads/make-quote", made, admin.token)).status).toBe(201);
  return { id, email };
}
const inTurn = <First, Second>(lock: string, first: () => Promise<First>, second: () => Promise<Second>) =>
  takeTurns(server, lock, first, second);
/** The services of a worker; `happens` runs during its first rendering. */
function whileRendering(happens: () => Promise<unknown>): Services {
  const { documents } = server.services;
  let hasHappened = false;
  const render: typeof documents.render = async (...document) => {
    const pdf = await documents.render(...document);
    if (!hasHappened) {
      hasHappened = true;
      await happens();
    }
    return pdf;
  };
  return { ...server.services, documents: { ...documents, render } };
}
/** The names of all tables with a row that contains a text. */
async function tablesWith(text: string): Promise<string[]> {
  const { $client } = database();
  const { rows } = await $client.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public'",
  );
  const found = [];
  for (const { name } of rows) {
    const { rowCount } = await $client.query(`select from "${name}" as it where it::text ilike $1`, [`%${text}%`]);
    if ((rowCount ?? 0) > 0) found.push(name);
  }
  return found.toSorted();
}
async function verified() {
  await sealEntries(database());
  return (await verifyChain(database())).fault;
}
/** Corrects a person's address: an administrator asks and its owner confirms. Answers the new address. */
async function corrected(id: string): Promise<string> {
  const { email } = registration();
  expect((await server.call("admin/people/correct-email", { id, email }, admin.token)).status).toBe(200);
  const [mail] = await database()
    .select({ link: sql<string>`${mails.content}->>'link'` })
    .from(mails)
    .where(eq(mails.recipient, email));
  const token = /#token=([\w-]+)/.exec(mail?.link ?? "")?.[1] ?? "";
  expect((await server.call("auth/confirm-email", { token })).status).toBe(200);
  return email;
}

async function insertIncident(organisationId: string) {
  const at = server.services.now();
  const [incident] = await database()
    .insert(incidents)
    .values({ organisationId, title: "Ransomware", source: "analyst", severity: "P1", openedAt: at, changedAt: at })
    .returning();
  return incident?.id ?? "";
}
/** A decision about a quote, under the person's address at that time. */
async function decide(quoteId: string, person: Member, over: Partial<typeof quoteDecisions.$inferInsert> = {}) {
  const evidence = { terms: [], termsHash: "0", address: "203.0.113.8", userAgent: "Firefox" };
  const who = { personId: person.id, email: person.email, name: "Asha Rao", designation: "Director" };
  const told = { ...evidence, ...who, decidedAt: server.services.now(), ...over };
  await database()
    .insert(quoteDecisions)
    .values({ quoteId, revision: 1, kind: "declined", ...told });
}
async function invited(email: string) {
  const isTheirs = and(eq(people.email, email), isNull(people.joinedAt));
  const [row] = await database().select().from(people).where(isTheirs);
  if (!row) throw new Error("Nobody is invited");
  return row;
}
async function invite(inviter: Member, email: string) {
  const form = { firstName: "Ravi", lastName: "Nair", email, phoneNo: "9800000001" };
  expect((await server.call("user/create-child-user", form, inviter.token)).status).toBe(201);
  return invited(email);
}
const changeName = async (id: string, firstName: string) =>
  server.call(
    "admin/people/change",
    { id, version: 1, firstName, lastName: "Rao", phoneNo: "9876543210" },
    admin.token,
  );

/** The columns that no section covers, and why. */
const toldOtherwise = new Map([
  // The person acted on somebody else's record: their audit entries say so.
  ...[
    "attempts.superseded_by",
    "contact_ladders.changed_by",
    "e_invoices.cancel_asked_by",
    "email_corrections.asked_by",
    "incidents.opened_by",
    "incidents.owner_id",
    "ladder_calls.person_id",
    "leads.owner_id",
    "people.invited_by",
    "quotes.rates_confirmed_by",
  ].map((name) => [name, "another's"] as const),
  // Our own texts, files and rates, which say nothing about the person who saved them last.
  ...[
    "article_versions.saved_by",
    "articles.updated_by",
    "article_images.uploaded_by",
    "rate_card_drafts.saved_by",
    "service_level_versions.created_by",
    "settlement_files.uploaded_by",
    "site_texts.saved_by",
  ].map((name) => [name, "ours"] as const),
  // Looked up by id, after `findOwner` has found the row by these columns.
  ...["attempts.started_by", "orders.buyer_id"].map((name) => [name, "found before"] as const),
  // Secrets that expire within minutes.
  ["sign_in_codes.person_id", "a secret"],
]);

describe("An export", () => {
  it("is a ZIP with all that is known of a person, to read and for machines, with their PDFs", async () => {
    const email = registration().email;
    const person = await member(server, "user", { email, firstName: "Lakshmi <b>" });
    const quote = await insertQuote(server, person, { proposalFile: await store(`proposal-${randomUUID()}.pdf`) });
    const order = await insertOrder(server, person);
    await database()
      .update(invoices)
      .set({ file: await store(`invoice-${randomUUID()}.pdf`) })
      .where(eq(invoices.orderId, order.id));
    await database().insert(leads).values({
      userName: "Lakshmi",
      userEmail: email,
      phone: "+919876543210",
      organization: "K",
      organizationSize: 1,
      message: "Please call after five.",
    });
    await database()
      .insert(sessions)
      .values({ personId: person.id, expiresAt: server.services.now(), address: "203.0.113.77" });
    await changeName(person.id, "Lakshmi");
    const stranger = await member(server, "user");
    await insertQuote(server, stranger);

    const request = await done("export", email);
    expect(request).toMatchObject({ state: "done", file: `data-${request.id}.zip` });
    const { body } = await server.call("admin/people/data-file", { id: request.id }, admin.token);
    const answer = await fetch(body.signedUrl);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/zip"]);
    expect(answer.headers.get("content-disposition")).toMatch(/^attachment; filename="Prahari-data-[\d-]+\.zip"$/);
    const entries = unzipSync(new Uint8Array(await answer.arrayBuffer()));
    const names = Object.keys(entries).toSorted();
    expect(names).toEqual(expect.arrayContaining(["data.json", "index.html"]));
    const pdfs = names.filter((name) => name.startsWith("files/"));
    expect(pdfs).toHaveLength(2);
    for (const name of pdfs) expect(strFromU8(entries[name] ?? new Uint8Array())).toBe("%PDF-1.7 a proposal");
    const data = JSON.parse(strFromU8(entries["data.json"] ?? new Uint8Array())) as Record<string, object[]>;
    expect(data["accounts"]).toMatchObject([{ id: person.id, email, firstName: "Lakshmi" }]);
    expect(data["quotes"]?.map((each) => (each as { id: string }).id)).toContain(quote.id);
    expect([data["orders"]?.length, data["invoices"]?.length]).toEqual([1, 1]);
    const text = JSON.stringify(data);
    for (const known of ["Please call after five.", "203.0.113.77", "Lakshmi <b>"]) expect(text).toContain(known);
    for (const secret of ["passwordHash", "secretHash", stranger.email, admin.email])
      expect(text).not.toContain(secret);
    const page = strFromU8(entries["index.html"] ?? new Uint8Array());
    expect(page).toContain("Please call after five.");
    expect(page).not.toContain("<b>");

    const { entries: traces } = (await server.call("admin/audit", { subject: `person:${person.id}` }, admin.token))
      .body;
    expect(traces.map(({ action }) => action)).toEqual(
      expect.arrayContaining(["ask for data export", "make data export", "fetch data export"]),
    );
  });

  it("is for whoever has no account too, and for nobody of whom nothing is known", async () => {
    const email = registration().email;
    await insertQuote(server, null, { userEmail: email });
    expect((await done("export", email)).state).toBe("done");
    expect((await ask("export", registration().email)).status).toBe(404);
  });

  it("of somebody who was invited and has not come tells nothing of the organisation that invited them", async () => {
    const main = await member(server, "user");
    const billing = { billingAddress: "14 Dyers' Lane" };
    await database().update(organisations).set(billing).where(eq(organisations.id, main.organisationId));
    const { email } = registration();
    const invited = { firstName: "Ravi", lastName: "Nair", email, phoneNo: "9800000001" };
    expect((await server.call("user/create-child-user", invited, main.token)).status).toBe(201);
    const { file } = await done("export", email);
    const zip = unzipSync(await server.services.files.read(file ?? ""));
    const texts = Object.values(zip).map((bytes) => strFromU8(bytes));
    expect(texts.join("")).toContain("Ravi");
    expect(texts.join("")).not.toContain(billing.billingAddress);
  });

  it("has the mails that went to the person's address before it was corrected", async () => {
    const { id, email: before } = await member(server, "user");
    await database()
      .insert(mails)
      .values({ eventKey: randomUUID(), about: "renewal", recipient: before, personId: id, attachments: [] });
    const { file } = await done("export", await corrected(id));
    const zip = unzipSync(await server.services.files.read(file ?? ""));
    expect(strFromU8(zip["data.json"] ?? new Uint8Array())).toContain(before);
  });

  it("has what the person typed and signed: a disputed true-up, an accepted proposal, files of incidents", async () => {
    const person = await member(server, "user");
    const order = await insertOrder(server, person);
    const accepted = await store(`accepted-${randomUUID()}.pdf`);
    await decide(order.quoteId, person, { kind: "accepted", proposalHash: "0", file: accepted });
    const attached = { name: "ransom note.png", file: await store(`${randomUUID()}.png`), type: "png", bytes: 19 };
    await database()
      .insert(incidentFiles)
      .values({
        ...attached,
        id: randomUUID(),
        incidentId: await insertIncident(person.organisationId),
        sha256: "0",
        personId: person.id,
        by: "customer",
      });
    const [contract] = await database().select().from(contracts).where(eq(contracts.orderId, order.id));
    await database()
      .insert(trueUps)
      .values({
        contractId: contract?.id ?? "",
        month: "2026-08-01",
        service: "siem",
        deviceType: "server",
        connected: 12,
        contracted: 10,
        extra: 2,
        announcedAt: server.services.now(),
        billOn: "2026-09-20",
        state: "disputed",
        dispute: "Two of them stood in a lab.",
        disputedBy: person.id,
      });
    const { file } = await done("export", person.email);
    const zip = unzipSync(await server.services.files.read(file ?? ""));
    expect(strFromU8(zip["data.json"] ?? new Uint8Array())).toContain("Two of them stood in a lab.");
    const names = Object.keys(zip);
    expect(names.filter((name) => name.endsWith("-accepted.pdf"))).toHaveLength(1);
    expect(names.filter((name) => /ransom.note\.png$/.test(name))).toHaveLength(1);
  });

  it("looks wherever a person is referred to, unless that tells nothing of them", async () => {
    const { rows } = await database().$client.query<{ name: string }>(
      `select conrelid::regclass || '.' || attname as name from pg_constraint
        join pg_attribute on attrelid = conrelid and attnum = any(conkey)
        where contype = 'f' and confrelid = 'people'::regclass`,
    );
    const nobody = { people: [], organisations: [], quotes: [], leads: [], orders: [], attempts: [], email: "" };
    const looked = await database().transaction(async (transaction) =>
      dataSections.map(({ rows: read }) => transaction.select().from(read(transaction, nobody).getSQL()).toSQL().sql),
    );
    const conditions = looked.map((statement) => statement.slice(statement.indexOf(" where ")));
    const isLookedFor = (name: string) =>
      conditions.some((condition) => condition.includes(`"${name.replace(".", '"."')}"`));
    expect(rows.map(({ name }) => name).filter((name) => !isLookedFor(name) && !toldOtherwise.has(name))).toEqual([]);
  });

  it("is made once, however often it is asked for with one id, and goes on after a crash half-way", async () => {
    const { email } = await member(server, "partner");
    const id = randomUUID();
    const both = await Promise.all([ask("export", email, { id }), ask("export", email, { id })]);
    expect(both.map(({ status }) => status)).toEqual([201, 201]);
    expect((await ask("export", email)).status).toBe(409);
    const { files } = server.services;
    const dying = {
      ...server.services,
      files: {
        ...files,
        writeStream: async (name: string, bytes: Readable) => {
          await files.writeStream(name, bytes);
          throw new Error("the process is killed");
        },
      },
    };
    await expect(answerDataRequest(dying, id)).rejects.toThrow("killed");
    expect((await requestNow(id)).state).toBe("waiting");
    await Promise.all([answerDataRequest(server.services, id), answerDataRequest(server.services, id)]);
    expect(await requestNow(id)).toMatchObject({ state: "done" });
    const made = await database().select().from(auditEntries).where(eq(auditEntries.action, "make data export"));
    expect(made.filter(({ detail }) => detail["request"] === id)).toHaveLength(1);
  });

  it("under an id that was sent for something else is refused, also after an erasure has taken the e-mail", async () => {
    const [{ email }, other] = [await member(server, "user"), await member(server, "user")];
    const { id } = await ask("export", email);
    const again = (kind: "export" | "erasure", whose: string) => ask(kind, whose, { id });
    expect((await again("export", email)).status).toBe(201);
    expect([(await again("export", other.email)).status, (await again("erasure", email)).status]).toEqual([409, 409]);
    const erased = await done("erasure", email);
    expect((await requestNow(id)).email).toBeNull();
    const repeated = [await again("export", email), await ask("erasure", email, { id: erased.id })];
    expect(repeated.map(({ status }) => status)).toEqual([201, 201]);
    expect((await again("erasure", email)).status).toBe(409);
    expect(await database().$count(dataRequests, eq(dataRequests.email, other.email))).toBe(0);
  });

  it("of somebody of ours tells nothing of those whom they have changed", async () => {
    const person = await member(server, "user", { firstName: "Gayatri" });
    await changeName(person.id, "Meera");
    const text = await copyIn(await done("export", admin.email));
    expect(text).toContain("change person");
    expect(text).not.toContain("Gayatri");
  });

  it("of whoever made a quote for a customer has that they did, and neither the customer's contact nor its proposal", async () => {
    const partner = await member(server, "partner");
    const customer = await member(server, "user", { partnerId: partner.organisationId });
    const proposalFile = await store(`proposal-${randomUUID()}.pdf`);
    const made = { partnerId: partner.organisationId, madeBy: partner.id, proposalFile };
    const contact = { userName: "Sumathi Bhat", phoneNumber: "+919811198111" };
    const quote = await insertQuote(server, customer, { ...made, ...contact });
    const request = await done("export", partner.email);
    const copy = await copyIn(request);
    expect([quote.id, ...Object.values(contact)].map((known) => copy.includes(known))).toEqual([true, false, false]);
    const names = Object.keys(unzipSync(await server.services.files.read(request.file ?? "")));
    expect(names.filter((name) => name.endsWith(".pdf"))).toEqual([]);
  });

  it("of whoever took over a payment has their own tries to pay, and not the details of the colleague before", async () => {
    const { person, quote, total, start } = await quoteHolder(server);
    const child = await member(server, "userChild", { organisationId: person.organisationId });
    const phone = "+919811198112";
    const first = await start({ name: "Devaki Rau", phone });
    await comeBack(server, answerTo(server, first.body, { status: "failure", unmappedstatus: "failed" }));
    const own = { email: child.email, quote_id: quote.id, amount: total, name: "Ravi Nair", phone: "+919811198113" };
    const second = await server.call("user/orders", { ...own, takeOver: true }, child.token);
    expect([first.status, second.status]).toEqual([200, 200]);
    const copy = await copyIn(await done("export", child.email));
    expect(["Ravi Nair", "Devaki Rau", phone].map((known) => copy.includes(known))).toEqual([true, false, false]);
  });

  it("of whoever named the bank reference of another's transfer tells neither who paid nor what for", async () => {
    const [guesser, payer] = [await member(server, "user"), await member(server, "user")];
    const paid = await insertOrder(server, payer);
    const utr = `CITIN${randomUUID().replaceAll("-", "").slice(0, 11)}`.toUpperCase();
    await database().insert(transfers).values({
      utr,
      state: "matched",
      orderId: paid.id,
      amountPaise: 4_321_00,
      receivedOn: "2026-01-02",
      payer: "Ganga Textiles",
      narration: "NEFT Ganga",
      announcedBy: guesser.id,
      createdAt: server.services.now(),
    });
    const named = await copyIn(await done("export", guesser.email));
    expect(named).toContain(utr);
    for (const theirs of ["Ganga", "432100", paid.id]) expect(named).not.toContain(theirs);
    expect(await copyIn(await done("export", payer.email))).toContain("NEFT Ganga");
  });

  it("under an address that somebody else has by now has nothing of that person", async () => {
    const person = await member(server, "user", { firstName: "Leela" });
    const asked = await ask("export", person.email);
    const email = await corrected(person.id);
    await member(server, "user", { email: person.email, firstName: "Sarala" });
    await answerDataRequest(server.services, asked.id);
    const copy = await copyIn(await requestNow(asked.id));
    expect([copy.includes("Leela"), copy.includes(email), copy.includes("Sarala")]).toEqual([true, true, false]);
  });

  it("has no mail that went to the address while somebody else had it", async () => {
    const former = await member(server, "user");
    const mailed = (about: string) =>
      database().insert(mails).values({ eventKey: randomUUID(), about, recipient: former.email, attachments: [] });
    await mailed("Invoice of Leela");
    await corrected(former.id);
    const next = await member(server, "user", { email: former.email });
    await mailed("Invoice of Sarala");
    const copy = await copyIn(await done("export", next.email));
    expect([copy.includes("Invoice of Leela"), copy.includes("Invoice of Sarala")]).toEqual([false, true]);
  });

  it("is kept for a week, then its address and its file are gone", async () => {
    const { email } = await member(server, "user");
    const { id, file } = await done("export", email);
    const fetched = () => server.call("admin/people/data-file", { id }, admin.token);
    server.passTime(7 * 24 * 3600 + 60);
    admin = await member(server, "admin");
    expect((await fetched()).status).toBe(404);
    await applyRetention(server.services);
    expect([await isStored(file ?? ""), (await requestNow(id)).file]).toEqual([false, null]);
    server.passTime(-7 * 24 * 3600 - 60);
  });
});

describe("An erasure", () => {
  it("leaves nothing of a customer who never bought: rows, files and history", async () => {
    const email = `lakshmi.${randomUUID().slice(0, 8)}@example.in`;
    const person = await member(server, "user", { email, firstName: "Lakshmiprabha", phone: "+919812345678" });
    await changeName(person.id, "Lakshmikanta");
    const file = await store(`proposal-${randomUUID()}.pdf`);
    const quote = await insertQuote(server, person, { proposalFile: file, userName: "Lakshmiprabha Rao" });
    const [lead] = await database().select().from(leads).where(eq(leads.quoteId, quote.id));
    await database()
      .insert(leadNotes)
      .values({ leadId: lead?.id ?? "", text: "Lakshmiprabha is on leave." });
    await database().insert(mails).values({ eventKey: randomUUID(), recipient: email, attachments: [] });
    await insertOrder(server, person, { state: "failure" });
    const zip = (await done("export", email)).file ?? "";

    expect(await done("erasure", email)).toMatchObject({ state: "done", email: null, filesToRemove: [] });
    for (const known of [email, "Lakshmiprabha", "Lakshmikanta", "9812345678"])
      expect([known, await tablesWith(known)]).toEqual([known, []]);
    expect([await isStored(file), await isStored(zip)]).toEqual([false, false]);
    expect(await database().$count(people, eq(people.id, person.id))).toBe(0);
    expect(await database().$count(organisations, eq(organisations.id, person.organisationId))).toBe(0);
    expect((await server.call("user/me", {}, person.token)).status).toBe(401);
    expect(await verified()).toBeNull();
    const { entries } = (await server.call("admin/audit", { subject: `person:${person.id}` }, admin.token)).body;
    expect(entries.find(({ action }) => action === "change person")?.facts).toEqual([
      { name: "Details", before: null, value: "erased with the person" },
    ]);
  });

  it("keeps what the books must hold of a customer whose contract is over, and a row without a name", async () => {
    const email = registration().email;
    const person = await member(server, "user", { email, firstName: "Lakshmiprabha" });
    const order = await insertOrder(server, person, { paidAt: longAgo() });
    await database().update(quotes).set({ userName: "Lakshmiprabha Rao" }).where(eq(quotes.id, order.quoteId));
    const [invoice] = await database().select().from(invoices).where(eq(invoices.orderId, order.id));
    await done("erasure", email);
    const [kept] = await database().select().from(orders).where(eq(orders.id, order.id));
    expect(kept).toMatchObject({ billTo: order.billTo, buyerName: "Erased person" });
    expect((await database().select().from(invoices).where(eq(invoices.orderId, order.id)))[0]).toEqual(invoice);
    const [row] = await database().select().from(people).where(eq(people.id, person.id));
    expect(row).toMatchObject({ firstName: "Erased", phone: "", passwordHash: null, erasedAt: expect.any(Date) });
    expect(await tablesWith(email)).toEqual(["invoices", "orders"]);
    const listed = await server.call("admin/getUserByAdmin", { role: "user", search: row?.email ?? "" }, admin.token);
    expect(listed.body.users).toMatchObject([{ status: "erased" }]);
    // Restoring access lets nobody in.
    await server.call("admin/restore", { email: row?.email ?? "", what: "person" }, admin.token);
    expect((await database().select().from(people).where(eq(people.id, person.id)))[0]?.suspendedAt).not.toBeNull();
    expect(await verified()).toBeNull();
  });

  it("of a child account passes its open estimates to whoever answers, whose proposal is made anew", async () => {
    const parent = await member(server, "user", { firstName: "Meera", lastName: "Iyer" });
    const child = await member(server, "userChild", { organisationId: parent.organisationId });
    const quote = await insertQuote(server, child);
    await done("erasure", child.email);
    const [passed] = await database().select().from(quotes).where(eq(quotes.id, quote.id));
    expect(passed).toMatchObject({ userName: "Meera Iyer", userEmail: parent.email, proposalFile: null, message: "" });
    expect(await database().$count(people, eq(people.id, child.id))).toBe(0);
    expect((await server.call("user/me", {}, parent.token)).status).toBe(200);
  });

  it("leaves no proposal of a visitor that was being rendered at that moment", async () => {
    const request = quoteRequest();
    const { quoteId } = (await server.call("estimator", request)).body;
    await deliverProposal(
      whileRendering(() => done("erasure", request.userEmail)),
      quoteId,
    );
    expect(await isStored(`proposal-${quoteId}.pdf`)).toBe(false);
    expect(await tablesWith(request.userEmail)).toEqual([]);
  });

  it("of a child account gives a proposal that was being rendered the name of whoever answers, and mails it there", async () => {
    const parent = await member(server, "user", { firstName: "Meera", lastName: "Iyer" });
    const child = await member(server, "userChild", { organisationId: parent.organisationId, firstName: "Zubeida" });
    const { quoteId } = (await server.call("estimator", quoteRequest(), child.token)).body;
    await deliverProposal(
      whileRendering(() => done("erasure", child.email)),
      quoteId,
    );
    const { text } = await readPdf(await server.services.files.read(`proposal-${quoteId}.pdf`));
    expect([text.includes("Meera Iyer"), text.includes("Zubeida"), text.includes(child.email)]).toEqual([
      true,
      false,
      false,
    ]);
    const mailed = await database()
      .select()
      .from(mails)
      .where(eq(mails.eventKey, `proposal:${quoteId}`));
    expect(mailed.map(({ recipient }) => recipient)).toEqual([parent.email]);
    expect(await tablesWith(child.email)).toEqual([]);
  });

  it("leaves the lead of somebody else's quote that was made in it, with their contact and nothing of who first asked", async () => {
    const asked = quoteRequest({ userName: "Lakshmiprabha Rao" });
    const { quoteId } = (await server.call("estimator", asked)).body;
    const [lead = expect.fail()] = await database().select().from(leads).where(eq(leads.quoteId, quoteId));
    const made = await makeQuoteIn(lead.id, "Kaveri Mills");
    await done("erasure", asked.userEmail);
    expect(await leadNow(lead.id)).toMatchObject({
      quoteId: made.id,
      userName: "Boss Rao",
      userEmail: made.email,
      phone: "+919876543210",
      organization: "Kaveri Mills",
      organizationSize: 10,
      message: "",
      source: "estimate",
    });
    expect(await tablesWith(asked.userEmail)).toEqual([]);
    expect(await tablesWith("Lakshmiprabha")).toEqual([]);
    const listed = (await server.call("admin/leads", { search: made.email }, admin.token)).body.leads;
    expect(listed.map(({ id }) => id)).toEqual([lead.id]);
  });

  it("leaves somebody's contact request when a quote that was made in it for another one goes", async () => {
    const wish = await contactRequest();
    const { email, id } = await makeQuoteIn(wish.id, wish.organization);
    await done("erasure", email);
    expect(await database().$count(quotes, eq(quotes.id, id))).toBe(0);
    const { version: _version, state: _state, furthest: _furthest, ...said } = wish;
    expect(await leadNow(wish.id)).toMatchObject({
      ...said,
      source: "contact",
      quoteId: null,
      quoteNumber: "",
      totalPaise: 0,
      ratesToConfirmUntil: null,
    });
    expect(await tablesWith(email)).toEqual([]);
    const { lead } = (await server.call("admin/leads/lead", { id: wish.id }, admin.token)).body;
    expect([lead.user_name, lead.quote_id]).toEqual(["Ravi Nair", null]);
  });

  it.each([
    ["is bought", "bought"],
    ["passes to whoever answers", "passed"],
  ])("leaves what somebody else wrote in a contact request whose quote %s", async (_what, outcome) => {
    const wish = await contactRequest();
    const parent = await member(server, "user", { firstName: "Meera" });
    const isPassed = outcome === "passed";
    const other = isPassed
      ? await member(server, "userChild", { organisationId: parent.organisationId })
      : await member(server, "user");
    const { quoteId } = isPassed
      ? { quoteId: (await insertQuote(server, other)).id }
      : await insertOrder(server, other, { paidAt: longAgo() });
    await database().delete(leads).where(eq(leads.quoteId, quoteId));
    await database().update(leads).set({ quoteId }).where(eq(leads.id, wish.id));
    await done("erasure", other.email);
    const { userName, userEmail, phone, message } = wish;
    expect(await leadNow(wish.id)).toMatchObject({ userName, userEmail, phone, message, quoteId });
    expect((await database().select().from(quotes).where(eq(quotes.id, quoteId)))[0]?.userEmail).not.toBe(other.email);
  });

  it("and somebody who declines what the erased person tried to pay wait for each other in one order", async () => {
    const parent = await member(server, "user", { firstName: "Meera" });
    const child = await member(server, "userChild", { organisationId: parent.organisationId });
    const order = await insertOrder(server, child, { state: "expired" });
    const { id } = await ask("erasure", child.email);
    const declined = { quote_id: order.quoteId, revision: 1, reason: "Too dear" };
    const [, answer] = await inTurn(
      `select from orders where id = '${order.id}' for update`,
      () => answerDataRequest(server.services, id),
      () => server.call("user/quotes/decline", declined, parent.token),
    );
    // The quote was passed on first, and its proposal in the new owner's name is still to be made.
    expect([answer.status, answer.body.error]).toEqual([409, expect.stringMatching(/still being made/)]);
    expect((await requestNow(id)).state).toBe("done");
    expect(await database().$count(orders, eq(orders.id, order.id))).toBe(0);
    const [passed] = await database().select().from(quotes).where(eq(quotes.id, order.quoteId));
    expect(passed).toMatchObject({ userEmail: parent.email, decision: null });
  });

  it("waits for the erased person's own decision about what they tried to pay", async () => {
    const parent = await member(server, "user");
    const child = await member(server, "userChild", { organisationId: parent.organisationId });
    const order = await insertOrder(server, child, { state: "expired" });
    const { id } = await ask("erasure", child.email);
    const declined = { quote_id: order.quoteId, revision: 1, reason: "Too dear" };
    const [answer] = await inTurn(
      `select from orders where id = '${order.id}' for update`,
      () => server.call("user/quotes/decline", declined, child.token),
      () => answerDataRequest(server.services, id),
    );
    expect([answer.status, (await requestNow(id)).state]).toEqual([200, "done"]);
    const [passed] = await database().select().from(quotes).where(eq(quotes.id, order.quoteId));
    expect(passed).toMatchObject({ userEmail: parent.email, decision: "declined" });
    expect(await tablesWith(child.email)).toEqual([]);
  });

  it.each([
    { what: "declines a colleague's quote", kept: "nothing" },
    { what: "declines a colleague's quote", kept: "a row without a name" },
    { what: "buys a colleague's quote", kept: "nothing" },
    { what: "buys a colleague's quote", kept: "a row without a name" },
  ])("comes before the erased person, who $what meanwhile, of whom it leaves $kept", async ({ what, kept }) => {
    const parent = await member(server, "user");
    const child = await member(server, "userChild", { organisationId: parent.organisationId });
    if (kept !== "nothing") await insertOrder(server, child, { paidAt: longAgo() });
    const { quote, total } = await quoteHolder(server, parent);
    const declined = { quote_id: quote.id, revision: 1, reason: "Too dear" };
    const bought = { email: child.email, quote_id: quote.id, amount: total, name: "Asha Rao", phone: "+919876543210" };
    const { id } = await ask("erasure", child.email);
    const [, answer] = await inTurn(
      `select from people where id = '${child.id}' for update`,
      () => answerDataRequest(server.services, id),
      () =>
        what.startsWith("buys")
          ? server.send("user/orders", bought, child.token)
          : server.send("user/quotes/decline", declined, child.token),
    );
    expect([answer.status, answer.body.error]).toEqual([401, expect.stringMatching(/session has ended/)]);
    expect((await requestNow(id)).state).toBe("done");
    expect(await database().$count(quoteDecisions, eq(quoteDecisions.quoteId, quote.id))).toBe(0);
    expect(await database().$count(orders, eq(orders.quoteId, quote.id))).toBe(0);
  });

  it("and an administrator who revises a quote of the erased person wait for each other in one order", async () => {
    const parent = await member(server, "user");
    const child = await member(server, "userChild", { organisationId: parent.organisationId });
    const quote = await insertQuote(server, child);
    const devices = [{ service: "Server", deviceType: "Prod Server", number: 10, option: false, yearly: null }];
    const priced = { quote_id: quote.id, devices, discountPercent: null };
    const { total } = (await server.call("admin/leads/price-quote", priced, admin.token)).body;
    const revised = { ...priced, revision: 1, note: "", total_cost: total };
    const { id } = await ask("erasure", child.email);
    const [answer] = await inTurn(
      `select from leads where quote_id = '${quote.id}' for update`,
      () => server.call("admin/leads/revise-quote", revised, admin.token),
      () => answerDataRequest(server.services, id),
    );
    expect([answer.status, answer.body.error, (await requestNow(id)).state]).toEqual([200, undefined, "done"]);
    expect(await tablesWith(child.email)).toEqual([]);
  });

  it("and an administrator who confirms the rates of a quote of theirs wait for each other in one order", async () => {
    const parent = await member(server, "user");
    const child = await member(server, "userChild", { organisationId: parent.organisationId });
    const devices = [{ service: "Customization", deviceType: "Weighbridge", number: 2 }];
    const quote = await insertQuote(server, child, priceDevices(await currentRateCard(server.services), devices));
    const total = rupees(totalsOf([{ amountPaise: 1_800_000 }], quote).totalPaise);
    const rates = [{ service: "Customization", deviceType: "Weighbridge", yearly: "9000.00" }];
    const { id } = await ask("erasure", child.email);
    const [answer] = await inTurn(
      "lock table audit_entries in share mode",
      () => server.send("admin/confirmQuoteRates", { quote_id: quote.id, rates, total_cost: total }, admin.token),
      () => answerDataRequest(server.services, id),
    );
    expect([answer.status, answer.body.error, (await requestNow(id)).state]).toEqual([200, undefined, "done"]);
    expect(await tablesWith(child.email)).toEqual([]);
  });

  it("leaves what a colleague owned to be worked on", async () => {
    const owner = await member(server, "adminChild", { organisationId: admin.organisationId });
    const { email } = await member(server, "user");
    const asked = { id: randomUUID(), email, title: "A stranger signed in", severity: "P1" as const };
    const { incident_id: id } = (await server.call("admin/incidents/open", asked, admin.token)).body;
    const tell = (told: object) =>
      server.send("admin/incidents/tell", { id, fact_id: randomUUID(), ...told }, admin.token);
    expect((await tell({ news: "owner", owner_email: owner.email })).status).toBe(200);
    await done("erasure", owner.email);
    const { status, body } = await tell({ news: "commented", text: "We look at it" });
    expect([status, body.error]).toEqual([200, undefined]);
  });

  it("comes before an administrator who gives the erased colleague a lead meanwhile, and is told so", async () => {
    const colleague = await member(server, "adminChild", { organisationId: admin.organisationId });
    const { id: lead, version } = await contactRequest();
    const given = { state: "new", lost_reason: "", next_step: "", next_step_on: null, gstin: null };
    const { id } = await ask("erasure", colleague.email);
    const [, answer] = await inTurn(
      `select from people where id = '${colleague.id}' for update`,
      () => answerDataRequest(server.services, id),
      () => server.send("admin/leads/update", { id: lead, version, owner_id: colleague.id, ...given }, admin.token),
    );
    expect([answer.status, answer.body.error]).toEqual([409, expect.stringMatching(/erased meanwhile/)]);
    expect((await leadNow(lead))?.ownerId).toBeNull();
  });

  it("of whoever answers for a partner waits for a customer that is being moved to it, and is refused then", async () => {
    const [partner, customer] = [await member(server, "partner"), await member(server, "user")];
    const move = { id: customer.organisationId, version: 1, partner_email: partner.email };
    const { id } = await ask("erasure", partner.email);
    const [moved] = await inTurn(
      `select from organisations where id = '${customer.organisationId}' for update`,
      () => server.call("admin/people/move-customer", move, admin.token),
      () => answerDataRequest(server.services, id),
    );
    expect([moved.status, (await requestNow(id)).refusal]).toEqual([
      200,
      expect.stringMatching(/looks after 1 customer/),
    ]);
  });

  it("comes before whoever answers for a partner, and adds a customer meanwhile", async () => {
    const partner = await member(server, "partner");
    // Leaves a row without a name.
    await insertQuote(server, null, { madeBy: partner.id, partnerId: partner.organisationId });
    const { email, firstName, lastName, phoneNo, organizationName } = registration();
    const { id } = await ask("erasure", partner.email);
    const [, answer] = await inTurn(
      `select from people where id = '${partner.id}' for update`,
      () => answerDataRequest(server.services, id),
      () =>
        server.call("partner/create-user", { email, firstName, lastName, phoneNo, organizationName }, partner.token),
    );
    expect([(await requestNow(id)).state, answer.status]).toEqual(["done", 401]);
    expect(await database().$count(organisations, eq(organisations.partnerId, partner.organisationId))).toBe(0);
  });

  it("and whoever sends the same request again meanwhile wait for each other in one order", async () => {
    const { email } = await member(server, "user");
    const { id } = await ask("erasure", email);
    const [again] = await inTurn(
      `select pg_advisory_xact_lock(72177, hashtext('${email}'))`,
      () => server.send("admin/people/request-data", { id, kind: "erasure", email, confirm: email }, admin.token),
      () => answerDataRequest(server.services, id),
    );
    expect([again.status, (await requestNow(id)).state]).toEqual([201, "done"]);
  });

  it("is for whoever has no account: estimates, contact requests and invitations go", async () => {
    const email = registration().email;
    await server.call("estimator", quoteRequest({ userEmail: email }));
    const parent = await member(server, "user");
    await server.call(
      "user/create-child-user",
      { firstName: "R", lastName: "N", email, phoneNo: "9800000001" },
      parent.token,
    );
    await done("erasure", email);
    expect(await tablesWith(email)).toEqual([]);
    expect(await verified()).toBeNull();
  });

  it.each<[string, (email: string, organisationId: string, personId: string) => Promise<unknown>]>([
    [
      "a call ladder",
      (email, organisationId) => {
        const contacts = [{ name: "Gowri", says: "first", phone: "+919876543210", email }];
        return database().insert(contactLadders).values({ organisationId, contacts, changedAt: new Date() });
      },
    ],
    [
      "a call in an attack",
      async (email, organisationId) => {
        const incidentId = await insertIncident(organisationId);
        const call = { position: 1, name: "Gowri", phone: "", email, dueAt: new Date() };
        await database()
          .insert(ladderCalls)
          .values({ incidentId, ...call });
      },
    ],
    [
      "a correction that somebody is to confirm",
      (email, _organisationId, personId) =>
        database()
          .insert(emailCorrections)
          .values({ personId, email, secretHash: randomUUID(), expiresAt: new Date() }),
    ],
  ])("and a copy are for whoever stands only in %s", async (_where, insert) => {
    const { email } = registration();
    const { organisationId, id } = await member(server, "user");
    await insert(email, organisationId, id);
    const { file } = await done("export", email);
    const zip = unzipSync(await server.services.files.read(file ?? ""));
    const {
      email: asked,
      dataRequests: _requests,
      ...data
    } = JSON.parse(strFromU8(zip["data.json"] ?? new Uint8Array())) as Record<string, unknown>;
    expect([asked, JSON.stringify(data).includes(email)]).toEqual([email, true]);
    await done("erasure", email);
    expect(await tablesWith(email)).toEqual([]);
  });

  it("keeps the organisation with what we have put there, of who was invited and of who has come", async () => {
    const partner = await member(server, "partner");
    const { email } = registration();
    const form = { organizationName: "Godavari Foods", firstName: "Ravi", lastName: "Nair", phoneNo: "9800000001" };
    expect((await server.call("partner/create-user", { ...form, email }, partner.token)).status).toBe(201);
    for (const person of [await invited(email), await member(server, "user")]) {
      const incident = await insertIncident(person.organisationId);
      await done("erasure", person.email);
      const counts = [
        await database().$count(people, eq(people.id, person.id)),
        await database().$count(organisations, eq(organisations.id, person.organisationId)),
        await database().$count(incidents, eq(incidents.id, incident)),
      ];
      expect(counts).toEqual([0, 1, 1]);
    }
  });

  it("takes along what stands under an address that was corrected since: mails, and proposals they declined", async () => {
    const parent = await member(server, "user");
    const child = await member(server, "userChild", { organisationId: parent.organisationId });
    const quote = await insertQuote(server, parent);
    await decide(quote.id, child, {
      name: "Nalini Shenoy",
      designation: "Head of Dyeing",
      reason: "Nalini finds it dear",
    });
    await database()
      .insert(mails)
      .values({ eventKey: randomUUID(), recipient: child.email, personId: child.id, attachments: [] });
    await database().update(people).set({ email: registration().email }).where(eq(people.id, child.id));
    const [{ email } = expect.fail()] = await database().select().from(people).where(eq(people.id, child.id));
    await done("erasure", email);
    for (const known of [child.email, "Nalini", "Head of Dyeing"])
      expect([known, await tablesWith(known)]).toEqual([known, []]);
  });

  it("takes whoever has another address since out of the ladder and the calls that named the one before", async () => {
    const parent = await member(server, "user");
    const child = await member(server, "userChild", { organisationId: parent.organisationId });
    const { organisationId } = parent;
    const named = { name: "Nalini Shenoy", phone: "+919811122233", email: child.email };
    const other = { name: "Ravi Nair", says: "", phone: "+919811122244", email: parent.email };
    const at = new Date();
    await database()
      .insert(contactLadders)
      .values({ organisationId, contacts: [{ ...named, says: "first" }, other], changedAt: at });
    const incidentId = await insertIncident(organisationId);
    await database().update(incidents).set({ state: "closed" }).where(eq(incidents.id, incidentId));
    await database()
      .insert(ladderCalls)
      .values({ incidentId, position: 0, ...named, dueAt: at, mailedAt: at, reachedAt: at, reachedBy: "telephone" });
    const email = await corrected(child.id);
    expect((await done("erasure", email)).erased).toMatchObject({ ladders: 2 });
    for (const known of ["Nalini Shenoy", named.phone]) expect([known, await tablesWith(known)]).toEqual([known, []]);
    const [ladder] = await database()
      .select()
      .from(contactLadders)
      .where(eq(contactLadders.organisationId, organisationId));
    expect(ladder?.contacts).toEqual([other]);
  });

  it("takes along what went to the address before, and what another's ladder has of it, but no mail of whoever has it since", async () => {
    const { organisationId, id, email: before } = await member(server, "user");
    const another = await member(server, "user");
    const wrote = (sentAt: Date | null) =>
      database()
        .insert(mails)
        .values({ eventKey: randomUUID(), recipient: before, attachments: [], sentAt, tries: 1, lastError: before })
        .returning({ id: mails.id });
    await wrote(new Date());
    await wrote(null);
    const [item] = await database().select().from(actionItems).where(eq(actionItems.who, before));
    const resolved = { id: item?.id ?? "", reason: "Told Nalini Shenoy by phone" };
    expect((await server.call("admin/actions/resolve", resolved, admin.token)).status).toBe(200);
    const named = { name: "Nalini Shenoy", phone: "+919811122233", email: before, says: "first" };
    await database()
      .insert(contactLadders)
      .values({ organisationId: another.organisationId, contacts: [named], changedAt: new Date() });
    const email = await corrected(id);
    const [later] = await wrote(new Date());
    await done("erasure", email);
    const left = await database().select({ id: mails.id }).from(mails).where(eq(mails.recipient, before));
    expect(left).toEqual([later]);
    expect(await tablesWith(before)).toEqual(["mails"]);
    expect(await tablesWith("Nalini Shenoy")).toEqual([]);
    expect(await database().$count(organisations, eq(organisations.id, organisationId))).toBe(0);
  });

  it("goes on after a crash half-way, with the files of what is gone", async () => {
    const { email, ...person } = await member(server, "user");
    const file = await store(`proposal-${randomUUID()}.pdf`);
    await insertQuote(server, { ...person, email }, { proposalFile: file });
    const { id } = await ask("erasure", email);
    const dying = {
      ...server.services,
      files: { ...server.services.files, remove: () => Promise.reject(new Error("killed")) },
    };
    await expect(answerDataRequest(dying, id)).rejects.toThrow("killed");
    expect([(await requestNow(id)).state, await isStored(file)]).toEqual(["removing", true]);
    await answerDataRequest(server.services, id);
    expect([(await requestNow(id)).state, await isStored(file)]).toEqual(["done", false]);
  });

  it("takes along what ours typed about them: in leads, notices, mails to ours, queues and the audit log", async () => {
    const email = registration().email;
    const owner = await member(server, "admin", { organisationId: admin.organisationId });
    const said = { userName: "Gowri", userEmail: email, phone: "+919876543210", organization: "Gowri Traders" };
    const [lead] = await database()
      .insert(leads)
      .values({ ...said, organizationSize: 1, message: "" })
      .returning();
    const id = lead?.id ?? "";
    const change = (version: number, over: object) =>
      server.send(
        "admin/leads/update",
        {
          id,
          version,
          state: "new",
          lost_reason: "",
          owner_id: owner.id,
          next_step: "",
          next_step_on: null,
          gstin: null,
          ...over,
        },
        admin.token,
      );
    const today = new Date(server.services.now().getTime() + 5.5 * 3_600_000).toISOString().slice(0, 10);
    expect((await change(1, { next_step: "Call Gowri at home", next_step_on: today })).status).toBe(200);
    await remindOwners(server.services);
    expect((await change(2, { state: "lost", lost_reason: "Gowri has moved" })).status).toBe(200);
    const queued = {
      queue: "mails",
      subjectId: randomUUID(),
      about: "proposal",
      who: email,
      problem: "refused",
    } as const;
    const [item] = await database()
      .insert(actionItems)
      .values({ ...queued, since: server.services.now() })
      .returning();
    const resolved = { id: item?.id ?? "", reason: "Told Gowri by phone" };
    expect((await server.call("admin/actions/resolve", resolved, admin.token)).status).toBe(200);
    expect(await tablesWith("Gowri")).toEqual(["action_items", "audit_values", "leads", "mails", "notices"]);
    const { lead: shown, events } = (await server.call("admin/leads/lead", { id }, admin.token)).body;
    expect([shown.lost_reason, JSON.stringify(events)]).toEqual([
      "Gowri has moved",
      expect.stringContaining("at home"),
    ]);
    const conflict = await change(1, { next_step: "x", next_step_on: today });
    expect([conflict.status, conflict.body.fields]).toEqual([
      409,
      expect.objectContaining({ next_step: "Now: nothing", lost_reason: "Now: Gowri has moved" }),
    ]);
    expect(await verified()).toBeNull();

    await done("erasure", email);
    expect(await tablesWith("Gowri")).toEqual([]);
    expect(await verified()).toBeNull();
    const { entries } = (await server.call("admin/audit", { subject: `lead:${id}` }, admin.token)).body;
    expect(entries.map(({ action }) => action)).toContain("erase details");
    expect(entries.find(({ action }) => action === "change lead")?.facts).toEqual(
      expect.arrayContaining([{ name: "Details", before: null, value: "erased with the person" }]),
    );
  });

  it("takes along why the person declined a quote, and leaves why a colleague declined it after them", async () => {
    const parent = await member(server, "user");
    const child = await member(server, "userChild", { organisationId: parent.organisationId });
    const quote = await insertQuote(server, parent);
    const decline = async ({ token }: Member, revision: number, reason: string) =>
      (await server.call("user/quotes/decline", { quote_id: quote.id, revision, reason }, token)).status;
    expect(await decline(child, 1, "Gowri of 9812345670 says no")).toBe(200);
    await database().update(quotes).set({ revision: 2, decision: null }).where(eq(quotes.id, quote.id));
    expect(await decline(parent, 2, "Too dear")).toBe(200);
    const [lead] = await database().select({ id: leads.id }).from(leads).where(eq(leads.quoteId, quote.id));
    const told = async () => [
      JSON.stringify((await server.call("admin/leads/lead", { id: lead?.id ?? "" }, admin.token)).body.events),
      JSON.stringify((await server.call("admin/audit", { subject: `quote:${quote.id}` }, admin.token)).body.entries),
      JSON.stringify((await server.call("user/audit", {}, parent.token)).body.entries),
    ];
    for (const said of await told()) expect(said).toMatch(/Too dear.*Gowri of 9812345670/);
    expect(await copyIn(await done("export", child.email))).toMatch(
      /"reason": ?"Gowri of 9812345670 says no".*"reason": ?"Gowri of 9812345670 says no"/s,
    );

    await done("erasure", child.email);
    expect(await tablesWith("9812345670")).toEqual([]);
    for (const said of await told()) expect(said).toMatch(/Too dear.*erased with the person/);
    expect(await verified()).toBeNull();
  });

  it("leaves no copy of what was being copied at that moment, nor one that was only asked for", async () => {
    const { email } = await member(server, "user");
    const { id } = await ask("export", email);
    const { files } = server.services;
    const overtaken = {
      ...server.services,
      files: {
        ...files,
        writeStream: async (name: string, bytes: Readable) => {
          await files.writeStream(name, bytes);
          await done("erasure", email);
        },
      },
    };
    await answerDataRequest(overtaken, id);
    expect(await requestNow(id)).toMatchObject({ state: "refused", email: null, file: null });
    expect(await isStored(`data-${id}.zip`)).toBe(false);
    expect(await tablesWith(email)).toEqual([]);

    const other = await member(server, "user");
    const waiting = await ask("export", other.email);
    await done("erasure", other.email);
    await answerDataRequest(server.services, waiting.id);
    expect([(await requestNow(waiting.id)).state, await isStored(`data-${waiting.id}.zip`)]).toEqual([
      "refused",
      false,
    ]);
    expect(await tablesWith(other.email)).toEqual([]);
  });

  it("takes along copies that were made before the address was corrected", async () => {
    const person = await member(server, "user");
    const made = await done("export", person.email);
    const waiting = await ask("export", person.email);
    const email = registration().email;
    await database().update(people).set({ email }).where(eq(people.id, person.id));
    await done("erasure", email);
    expect(await requestNow(made.id)).toMatchObject({ email: null, file: null });
    expect(await isStored(made.file ?? "")).toBe(false);
    expect((await requestNow(waiting.id)).state).toBe("refused");
    expect(await tablesWith(person.email)).toEqual([]);
  });

  it("of a mere e-mail is not done to the account that came meanwhile", async () => {
    const email = registration().email;
    await insertQuote(server, null, { userEmail: email });
    const { id } = await ask("erasure", email);
    const person = await member(server, "user", { email });
    const quote = await insertQuote(server, person);
    await answerDataRequest(server.services, id);
    expect(await requestNow(id)).toMatchObject({
      state: "refused",
      refusal: expect.stringMatching(/account with this/),
    });
    expect(await database().$count(quotes, eq(quotes.id, quote.id))).toBe(1);
  });

  it("under an address that somebody else has by now leaves that person's data alone", async () => {
    const person = await member(server, "user");
    const asked = await ask("erasure", person.email);
    await corrected(person.id);
    const next = await member(server, "user", { email: person.email, firstName: "Sarala" });
    const quote = await insertQuote(server, next);
    const invitation = await server.call(
      "user/create-child-user",
      { firstName: "Ravi", lastName: "Nair", email: registration().email, phoneNo: "9800000001" },
      next.token,
    );
    expect(invitation.status).toBe(201);
    await database()
      .insert(mails)
      .values({ eventKey: randomUUID(), recipient: next.email, personId: next.id, attachments: [] });
    await answerDataRequest(server.services, asked.id);
    expect((await requestNow(asked.id)).state).toBe("done");
    expect(await database().$count(people, eq(people.id, person.id))).toBe(0);
    expect(await database().$count(quotes, eq(quotes.id, quote.id))).toBe(1);
    expect(await database().$count(mails, and(eq(mails.personId, next.id), eq(mails.recipient, next.email)))).toBe(1);
  });

  it("of whoever has an address that was another's leaves what the other one declined, and their mails", async () => {
    const former = await member(server, "user");
    const colleague = await member(server, "userChild", { organisationId: former.organisationId });
    const quote = await insertQuote(server, former);
    await decide(quote.id, colleague, { name: "Sarala Pai" });
    const mailed = (about: string) =>
      database().insert(mails).values({ eventKey: about, about, recipient: colleague.email, attachments: [] });
    await mailed(`former:${quote.id}`);
    await corrected(colleague.id);
    const { id } = await member(server, "user", { email: colleague.email });
    await mailed(`next:${quote.id}`);
    await done("erasure", colleague.email);
    const [decision] = await database().select().from(quoteDecisions).where(eq(quoteDecisions.quoteId, quote.id));
    expect(decision?.name).toBe("Sarala Pai");
    const sent = await database()
      .select({ about: mails.about, recipient: mails.recipient })
      .from(mails)
      .where(like(mails.about, `%:${quote.id}`))
      .orderBy(mails.about);
    expect(sent).toEqual([
      { about: `former:${quote.id}`, recipient: colleague.email },
      { about: `next:${quote.id}`, recipient: "erased" },
    ]);
    expect(await database().$count(people, eq(people.id, id))).toBe(0);
  });

  it("of whoever has an address that was another's leaves what the other one had asked for under it", async () => {
    const former = await member(server, "user", { firstName: "Leela" });
    const asked = await ask("export", former.email);
    const email = await corrected(former.id);
    await member(server, "user", { email: former.email });
    await done("erasure", former.email);
    expect(await requestNow(asked.id)).toMatchObject({ state: "waiting", refusal: null });
    await answerDataRequest(server.services, asked.id);
    expect(await copyIn(await requestNow(asked.id))).toContain(email);
  });

  it("asks for the e-mail once more", async () => {
    const { email } = await member(server, "user");
    const { status, body } = await ask("erasure", email, { confirm: "someone@example.in" });
    expect([status, Object.keys(body.fields ?? {})]).toEqual([422, ["confirm"]]);
  });
});

describe("An erasure is refused with a sentence", () => {
  const refusals: [string, () => Promise<Member>, RegExp][] = [
    ["with an open payment", () => payer("pending"), /A payment of this person is under way/],
    ["with a refund under way", () => payer("refund_pending"), /A payment of this person is under way/],
    [
      "with a running contract",
      () => payer(undefined),
      /answers for a contract that runs until \d+ [A-Z][a-z]+ \d{4}\./,
    ],
    [
      "while others sign in for the organisation",
      async () => {
        const parent = await member(server, "user");
        await member(server, "userChild", { organisationId: parent.organisationId });
        return parent;
      },
      /make one of them answer for it first/,
    ],
    [
      "of a partner who has customers",
      async () => {
        const partner = await member(server, "partner");
        await member(server, "user", { partnerId: partner.organisationId });
        return partner;
      },
      /looks after 1 customer\. Please move them first/,
    ],
    ["of oneself", async () => admin, /Nobody can have their own account erased/],
  ];
  async function payer(state: "pending" | "refund_pending" | undefined) {
    const person = await member(server, "user");
    await insertOrder(server, person, state ? { state } : {});
    return person;
  }

  it.each(refusals)("%s", async (_when, make, sentence) => {
    const person = await make();
    const { status, body } = await ask("erasure", person.email);
    expect([status, body.error]).toEqual([409, expect.stringMatching(sentence)]);
    expect((await server.call("user/me", {}, person.token)).status).toBe(200);
  });

  it("that names the contract's last day", async () => {
    const person = await payer(undefined);
    const ofTheirs = eq(contracts.organisationId, person.organisationId);
    const [contract] = await database().select().from(contracts).where(ofTheirs);
    const { body } = await ask("erasure", person.email);
    expect(body.error).toContain(`a contract that runs until ${paperDay(contract?.endsOn ?? "")}. It can't`);
  });

  it("to all but one of administrators who have each other erased at once", async () => {
    const { database: books } = server.services;
    const suspendedAt = new Date();
    await books.update(people).set({ suspendedAt }).where(eq(people.role, "admin"));
    const pair = [await member(server, "admin"), await member(server, "admin")] as const;
    const ids = [];
    for (const [by, about] of [pair, pair.toReversed()] as Member[][]) {
      const id = randomUUID();
      const body = { id, kind: "erasure", email: about?.email ?? "", confirm: about?.email ?? "" } as const;
      expect((await server.call("admin/people/request-data", body, by?.token)).status).toBe(201);
      ids.push(id);
    }
    await Promise.all(ids.map((id) => answerDataRequest(server.services, id)));
    const ends = await Promise.all(ids.map(async (id) => (await requestNow(id)).state));
    expect(ends.toSorted((one, other) => one.localeCompare(other))).toEqual(["done", "refused"]);
  });

  it("while the gateway may still take money for what seems to have failed, and not after that", async () => {
    const { person, quote, start } = await quoteHolder(server);
    const failed = { status: "failure", unmappedstatus: "failed" };
    await comeBack(server, answerTo(server, (await start()).body, failed));
    expect((await orderOf(server, quote.id))?.state).toBe("failure");
    const { status, body } = await ask("erasure", person.email);
    expect([status, body.error]).toEqual([409, expect.stringMatching(/A payment of this person is under way/)]);
    const [attempt] = await attemptsOf(server, quote.id);
    await database()
      .update(attempts)
      .set({ nextCheckAt: null })
      .where(eq(attempts.id, attempt?.id ?? ""));
    expect((await done("erasure", person.email)).erased).toMatchObject({ orders: 1, quotes: 1 });
  });

  it("also when the payment began after it was asked for", async () => {
    const person = await member(server, "user");
    const { id } = await ask("erasure", person.email);
    await insertOrder(server, person, { state: "pending" });
    await answerDataRequest(server.services, id);
    expect(await requestNow(id)).toMatchObject({ state: "refused", refusal: expect.stringMatching(/under way/) });
    expect((await server.call("user/me", {}, person.token)).status).toBe(200);
  });
});

describe("What stands beside the audit chain", () => {
  const ways: [string, (email: string, inviter: Member) => Promise<unknown>][] = [
    [
      "is withdrawn",
      async (email, inviter) => {
        const [row] = await database().select().from(people).where(eq(people.email, email));
        return server.call("people/withdraw-invitation", { id: row?.id ?? "" }, inviter.token);
      },
    ],
    [
      "has had its time",
      async (email) => {
        const [row] = await database()
          .update(people)
          .set({ createdAt: longAgo() })
          .where(eq(people.email, email))
          .returning();
        await database()
          .delete(singleUseLinks)
          .where(eq(singleUseLinks.personId, row?.id ?? ""));
        await applyRetention(server.services);
      },
    ],
    [
      "is another's by a corrected address",
      async (email, inviter) => {
        const other = await member(server, "userChild", { organisationId: inviter.organisationId });
        await server.call("admin/people/correct-email", { id: other.id, email }, admin.token);
        const isLink = and(eq(mails.recipient, email), like(mails.eventKey, "confirm-email:%"));
        const [mail] = await database().select().from(mails).where(isLink);
        const token = /#token=([\w-]+)/.exec(JSON.stringify(mail?.content))?.[1] ?? "";
        expect((await server.call("auth/confirm-email", { token })).status).toBe(200);
      },
    ],
    [
      "is an administrator's",
      async (email) => {
        const provider = sql`(select id from organisations where kind = 'provider' order by id limit 1)`;
        await database().update(people).set({ organisationId: provider }).where(eq(people.email, email));
        const name = { firstName: "Ravi", lastName: "Nair" };
        await createAdministrator(database(), { ...name, email, password: "a quiet river under nine bridges" });
      },
    ],
    [
      "was of a customer that became another one",
      async (email, inviter) => {
        const into = await member(server, "user");
        await invite(into, email);
        const seenOf = async ({ organisationId: id }: Member) => {
          const [row] = await database().select().from(organisations).where(eq(organisations.id, id));
          return { id, version: row?.version ?? 0 };
        };
        const seen = { from: await seenOf(inviter), into: await seenOf(into) };
        expect((await server.call("admin/people/merge", seen, admin.token)).status).toBe(200);
      },
    ],
  ];
  it.each(ways)("goes with an invitation that %s, and the chain holds", async (_way, end) => {
    const { email } = registration();
    const inviter = await member(server, "user");
    const { id } = await invite(inviter, email);
    expect((await changeName(id, "Raveendran")).status).toBe(200);
    expect(await database().$count(auditValues, eq(auditValues.aboutId, id))).toBe(1);
    await end(email, inviter);
    expect(await database().$count(people, eq(people.id, id))).toBe(0);
    expect(await database().$count(auditValues, eq(auditValues.aboutId, id))).toBe(0);
    expect(await verified()).toBeNull();
  });

  const tamper = (statement: string) =>
    database().$client.query(
      `begin; alter table audit_values disable trigger user; ${statement}; alter table audit_values enable trigger user; commit`,
    );

  it("can't be changed, and whoever changes or deletes it past the database is found", async () => {
    const person = await member(server, "user");
    await changeName(person.id, "Meera");
    expect(await verified()).toBeNull();
    const [{ entryId, values } = expect.fail()] = await database()
      .select()
      .from(auditValues)
      .where(eq(auditValues.aboutId, person.id));
    const at = `where entry_id = '${entryId}'`;
    const change = `update audit_values set values = '{"before":{}}' ${at}`;
    await expect(database().$client.query(change)).rejects.toThrow("audit values are not changed");
    await tamper(change);
    expect((await verified())?.what).toMatch(/has other values beside it than were written/);
    await tamper(`update audit_values set values = '${JSON.stringify(values)}' ${at}`);
    expect(await verified()).toBeNull();
    await tamper(`delete from audit_values ${at}`);
    expect((await verified())?.what).toMatch(/has lost its values, and no entry tells of an erasure/);
  });
});
