import { asc, eq } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { formatRupees } from "../../contract/money.ts";
import type { Notice } from "../../contract/notices.ts";
import { giveBilling, letterOfSeller, sellerIs } from "../../tests/billing.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { insertOrder, insertQuote } from "../../tests/paid-order.ts";
import { member, type Member } from "../../tests/people.ts";
import { customerTools, leads, notices, people, quotes, rateLimits } from "../database/schema/index.ts";
import { notify } from "./notify.ts";

let server: TestServer;
let admin: Member;
let adminChild: Member;
let partner: Member;
let customer: Member;
let child: Member;
let stranger: Member;
beforeAll(async () => {
  server = await startTestServer({ work: false });
  admin = await member(server, "admin", { organizationName: "Provider" });
  adminChild = await member(server, "adminChild", { organisationId: admin.organisationId });
  partner = await member(server, "partner", { organizationName: "Malabar Networks" });
  customer = await member(server, "user", { organizationName: "Kaveri Textiles", partnerId: partner.organisationId });
  child = await member(server, "userChild", { organisationId: customer.organisationId });
  stranger = await member(server, "user", { organizationName: "Deccan Foods" });
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.services.database.delete(notices);
  await server.services.database.delete(rateLimits);
});

const everybody = () => ({ admin, adminChild, partner, customer, child, stranger });

async function noticesOf({ token }: Member, query: object = {}): Promise<Notice[]> {
  const { status, body } = await server.send("notices", query, token);
  expect([status, body.error]).toEqual([200, undefined]);
  return body["notices"] as Notice[];
}

/** The notices that each person has, with title and link, by name. */
async function told(): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const [name, person] of Object.entries(everybody())) {
    const titles = (await noticesOf(person)).map(({ title, link }) => `${title} > ${link}`);
    if (titles.length > 0) found[name] = titles;
  }
  return found;
}

const tell = (eventKey: string, to: Member[] = [customer]) =>
  server.services.database.transaction((transaction) =>
    notify(
      transaction,
      "lead assigned",
      eventKey,
      { leadId: eventKey, leadNumber: "L-000001", organizationName: eventKey },
      { people: to.map(({ id }) => id) },
    ),
  );
const unread = async ({ token }: Member) => (await server.call("notices/news", {}, token)).body.unread;

it("A payment is told to the customer's people, to their partner and to ours, each in words of their own", async () => {
  const order = await insertOrder(server, customer);
  const facts = { organizationName: "Kaveri Textiles", orderNumber: "O-000007", camePaise: 1_180_00 };
  const write = () =>
    server.services.database.transaction((transaction) =>
      notify(transaction, "payment received", order.id, facts, { organisationId: customer.organisationId }),
    );
  // Told again, even twice at once, it makes one notice.
  await Promise.all([write(), write()]);
  await write();
  const ofCustomer = ["Payment of O-000007 received > /user/orderhistory?search=O-000007"];
  const ofProvider = ["Kaveri Textiles has paid > /admin/orderData?search=O-000007"];
  expect(await told()).toEqual({
    customer: ofCustomer,
    child: ofCustomer,
    partner: ["Kaveri Textiles has bought > /partner/listuser?search=Kaveri%20Textiles"],
    admin: ofProvider,
    adminChild: ofProvider,
  });
});

it("A quote made by a partner, and its revision, are told to the customer and to nobody else", async () => {
  const { selectedDevices, numberOfUsers, message } = {
    selectedDevices: [{ service: "Server", deviceType: "Prod Server", number: 10 }],
    numberOfUsers: 120,
    message: "Two plants.",
  };
  const sent = { email: customer.email, requestKey: randomUUID(), selectedDevices, numberOfUsers, message };
  const made = await server.send("partner/create-estimate", sent, partner.token);
  expect([made.status, made.body.error]).toEqual([201, undefined]);
  const names = Object.keys(await told());
  expect(names).toEqual(["customer", "child"]);
  expect((await noticesOf(customer))[0]).toMatchObject({
    title: expect.stringMatching(/^A quote was made for you: Q-\d{6}$/),
    link: expect.stringMatching(/^\/user\/myquote\?search=Q-\d{6}$/),
    read: false,
  });
});

it("A quote made for a customer who is charged no GST comes to what it pays, and says nothing of GST", async () => {
  await sellerIs(server, { undertaking: letterOfSeller });
  const abroad = await member(server, "user", { organizationName: "Gulf Pearl", partnerId: partner.organisationId });
  await giveBilling(server, abroad.email, { billingKind: "abroad", billingState: null, billingCountry: "AE" });
  const selectedDevices = [{ service: "Server", deviceType: "Prod Server", number: 10 }];
  const sent = {
    email: abroad.email,
    requestKey: randomUUID(),
    selectedDevices,
    numberOfUsers: 120,
    message: "Two plants.",
  };
  expect((await server.send("partner/create-estimate", sent, partner.token)).status).toBe(201);
  const [quote] = await server.services.database
    .select()
    .from(quotes)
    .where(eq(quotes.organisationId, abroad.organisationId));
  const withoutTax = (quote?.subtotalPaise ?? 0) - (quote?.discountPaise ?? 0);
  expect((await noticesOf(abroad))[0]?.text).toBe(`It comes to ${formatRupees(withoutTax)} for one year.`);
});

it("A quote that somebody asks for themselves is no news to them", async () => {
  await insertQuote(server, customer);
  expect(await told()).toEqual({});
});

it("A dashboard is told once it is switched on, not when its address changes", async () => {
  await server.services.database.insert(customerTools).values({ organisationId: customer.organisationId });
  const change = { email: customer.email, siemURL: "https://siem.example.in/kaveri", siemStatus: true };
  const set = (over: object = {}) =>
    server.send("admin/updateCustomerToolSiemByAdmin", { ...change, ...over }, admin.token);
  expect((await set()).status).toBe(200);
  expect((await set({ siemURL: "https://siem.example.in/other" })).status).toBe(200);
  expect(await told()).toEqual({
    customer: ["Your SIEM dashboard is open > /user/dashboard"],
    child: ["Your SIEM dashboard is open > /user/dashboard"],
    partner: ["The SIEM dashboard of Kaveri Textiles is open > /partner/listuser?search=Kaveri%20Textiles"],
  });
});

it("A lead that is assigned is told to its owner, unless they took it themselves", async () => {
  const [lead] = await server.services.database
    .insert(leads)
    .values({
      userName: "Asha Rao",
      userEmail: "asha@cauvery.example",
      phone: "+919876543210",
      organization: "Cauvery Steel",
      organizationSize: 12,
      message: "Please call.",
    })
    .returning();
  const assign = (owner_id: string, version: number) =>
    server.send(
      "admin/leads/update",
      {
        id: lead?.id,
        version,
        state: "new",
        lost_reason: "",
        owner_id,
        next_step: "",
        next_step_on: null,
        gstin: null,
      },
      admin.token,
    );
  expect((await assign(adminChild.id, 1)).status).toBe(200);
  expect((await assign(admin.id, 2)).status).toBe(200);
  expect(await told()).toEqual({
    adminChild: [expect.stringMatching(`^The lead L-\\d{6} is yours > /admin/estimateOrder\\?lead=${lead?.id}$`)],
  });
});

it("Whoever is suspended, or has not joined, is told nothing", async () => {
  const { organisationId } = customer;
  const invited = await member(server, "userChild", { organisationId, joinedAt: null });
  const suspended = await member(server, "userChild", { organisationId, suspendedAt: new Date() });
  await tell("kept from them", [invited, suspended, child]);
  const rows = await server.services.database.select().from(notices);
  expect(rows.map(({ personId }) => personId)).toEqual([child.id]);
});

it("A notice is written with its cause or not at all", async () => {
  const cause = server.services.database.transaction(async (transaction) => {
    await notify(transaction, "quote made", "x", { quoteNumber: "Q-000001", totalPaise: 1, isTaxed: true }, customer);
    throw new Error("the cause failed");
  });
  await expect(cause).rejects.toThrow("the cause failed");
  expect(await told()).toEqual({});
});

it("Reading marks one's own notice, once and again, also by two windows at once; somebody else's is not there", async () => {
  await tell("first");
  await tell("second");
  const [newest] = await noticesOf(customer);
  const mark = (id: string, by: Member, read = true) => server.call("notices/mark", { id, read }, by.token);
  expect((await mark(newest?.id ?? "", stranger)).status).toBe(404);
  expect((await mark(randomUUID(), stranger)).status).toBe(404);
  expect(await unread(customer)).toBe(2);
  const both = await Promise.all([mark(newest?.id ?? "", customer), mark(newest?.id ?? "", customer)]);
  expect(both.map(({ status }) => status)).toEqual([200, 200]);
  expect(await unread(customer)).toBe(1);
  expect((await noticesOf(customer, { show: "unread" })).map(({ read }) => read)).toEqual([false]);
  await mark(newest?.id ?? "", customer, false);
  expect(await unread(customer)).toBe(2);
});

it("All are marked as read up to the newest that was shown: what came since, and what is others', stays", async () => {
  await tell("first", [customer, child]);
  await tell("second");
  const [shown] = await noticesOf(customer);
  await tell("since");
  expect((await server.call("notices/mark-all", { until: shown?.id ?? "" }, stranger.token)).status).toBe(200);
  expect(await unread(customer)).toBe(3);
  expect((await server.call("notices/mark-all", { until: shown?.id ?? "" }, customer.token)).status).toBe(200);
  expect([await unread(customer), await unread(child)]).toEqual([1, 1]);
});

it("More than 99 unread ones are counted no further, and the bell shows the latest", async () => {
  for (let count = 0; count < 102; count++) await tell(`event ${count}`);
  const { body } = await server.call("notices/news", {}, customer.token);
  expect([body.unread, body.latest.length, body.latest[0]?.text]).toEqual([100, 6, "event 101 was assigned to you."]);
});

it("An accepted invitation is told to whoever sent it, and leads to where the person is listed", async () => {
  const { database } = server.services;
  await database.transaction((transaction) =>
    notify(
      transaction,
      "invitation accepted",
      "x",
      { name: "Ravi Nair", organizationName: "Godavari", role: "user", inviterRole: "partner" },
      { people: [partner.id] },
    ),
  );
  expect(await told()).toEqual({
    partner: ["Ravi Nair has accepted your invitation > /partner/listuser?search=Ravi%20Nair"],
  });
});

it("Notices go with their person", async () => {
  const leaver = await member(server, "userChild", { organisationId: customer.organisationId });
  await tell("farewell", [leaver]);
  await server.services.database.delete(people).where(eq(people.id, leaver.id));
  expect(await server.services.database.select().from(notices).orderBy(asc(notices.id))).toEqual([]);
});
