import { and, eq, inArray } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { sellerIs } from "../../tests/billing.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { member, type Member } from "../../tests/people.ts";
import { bankOfTests, newUtr, transferBuyer, today } from "../../tests/transfers.ts";
import { whileHeld } from "../../tests/while-held.ts";
import { auditEntries, findings, transfers } from "../database/schema/index.ts";

let server: TestServer;
let admin: Member;
beforeAll(async () => {
  server = await startTestServer();
  admin = await member(server, "admin");
  await sellerIs(server, { bank: bankOfTests, creditDays: 30 });
});
afterAll(() => server.stop());

const db = () => server.services.database;
/** Money that nobody knows the purpose of. */
async function unknown(amount = "412.00", utr = newUtr()) {
  const came = { utr, received_on: today(server), payer: "Bank of Tests", amount, pays: null };
  expect((await server.call("admin/transfers/record", came, admin.token)).status).toBe(200);
  return { utr, id: (await transferOf(utr))?.id ?? "" };
}
const transferOf = async (utr: string) => (await db().select().from(transfers).where(eq(transfers.utr, utr)))[0];
const setAside = (id: string, reason = "Interest of the quarter") =>
  server.call("admin/transfers/set-aside", { id, reason }, admin.token);
const putBack = (id: string) => server.call("admin/transfers/put-back", { id }, admin.token);
const listed = async (utr: string, open: "true" | "false") =>
  (await server.call("admin/transfers", { open, search: utr }, admin.token)).body.transfers;
const findingOf = async (key: string) =>
  (
    await db()
      .select()
      .from(findings)
      .where(and(eq(findings.key, key), eq(findings.kind, "unknown transfer")))
  )[0];

it("What is no customer's money leaves the transfers without a match, stands among all with the reason, and can be put back", async () => {
  const { choose } = await transferBuyer(server);
  const { document } = (await choose()).body;
  const { id, utr } = await unknown();
  const done = await setAside(id);
  expect([done.status, done.body.message]).toEqual([200, `₹412.00 by ${utr} are set aside as not from a customer.`]);
  expect(await listed(utr, "true")).toEqual([]);
  expect(await listed(utr, "false")).toMatchObject([
    { state: "set_aside", aside_because: "Interest of the quarter", suggestion: null, order_id: null },
  ]);
  expect(await findingOf(utr)).toMatchObject({ resolution: "Not from a customer: Interest of the quarter" });
  // The same call again changes nothing; another reason, and a match, are refused until it is put back.
  expect((await setAside(id)).status).toBe(200);
  expect((await setAside(id, "A supplier's refund")).status).toBe(409);
  const match = () => server.call("admin/transfers/match", { id, pays: document }, admin.token);
  const refused = await match();
  expect([refused.status, refused.body.error]).toEqual([409, expect.stringContaining("Please put it back first")]);
  const again = { utr, received_on: today(server), payer: "Periyar", amount: "412.00", pays: document };
  expect((await server.call("admin/transfers/record", again, admin.token)).status).toBe(409);

  expect((await putBack(id)).status).toBe(200);
  expect((await putBack(id)).status).toBe(200);
  expect(await listed(utr, "true")).toMatchObject([{ state: "seen", aside_because: "" }]);
  expect(await findingOf(utr)).toMatchObject({ resolvedAt: null, resolution: "" });
  expect((await match()).status).toBe(200);
  expect([(await setAside(id)).status, (await putBack(id)).status]).toEqual([409, 409]);
  const said = await db()
    .select({ action: auditEntries.action, actorId: auditEntries.actorId })
    .from(auditEntries)
    .where(
      and(
        eq(auditEntries.subject, `transfer:${id}`),
        inArray(auditEntries.action, ["set transfer aside", "put transfer back"]),
      ),
    )
    .orderBy(auditEntries.id);
  expect(said).toEqual([
    { action: "set transfer aside", actorId: admin.id },
    { action: "put transfer back", actorId: admin.id },
  ]);
});

it("What a customer had announced is no more theirs once it is set aside: neither in their lists nor in their audit log", async () => {
  const { choose, person } = await transferBuyer(server);
  const { order_id, pay } = (await choose()).body;
  const utr = newUtr();
  const told = { order_id, utr, amount: pay, sent_on: today(server) };
  expect((await server.call("user/transfers/announce", told, person.token)).status).toBe(200);
  const early = await setAside((await transferOf(utr))?.id ?? "");
  expect([early.status, early.body.error]).toEqual([409, expect.stringContaining("it has not come")]);
  const { id } = await unknown(pay, utr);
  const due = async () => (await server.call("user/payments-due", {}, person.token)).body.transfers;
  expect(await due()).toHaveLength(1);
  expect((await setAside(id)).status).toBe(200);
  expect(await due()).toEqual([]);
  const order = (await server.call("user/order", { id: order_id }, person.token)).body;
  expect(JSON.stringify(order)).not.toContain(utr);
  expect(await transferOf(utr)).toMatchObject({ orderId: null, announcedBy: null, orderNumber: "" });
  const [entry] = await db()
    .select()
    .from(auditEntries)
    .where(and(eq(auditEntries.subject, `transfer:${id}`), eq(auditEntries.action, "set transfer aside")));
  expect(entry?.customerId).toBeNull();
  expect(entry?.detail).toMatchObject({ before: "seen", after: "set_aside", saidToPay: expect.stringMatching(/^O-/) });
});

it("Of two who match a transfer and set it aside at once, one succeeds", async () => {
  const { choose } = await transferBuyer(server);
  const { document, order_id } = (await choose()).body;
  const { id } = await unknown("118.00");
  const both = await whileHeld<{ status: number }>(
    server,
    `select from transfers where id = '${id}' for update`,
    () => [server.call("admin/transfers/match", { id, pays: document }, admin.token), setAside(id)],
  );
  expect(both.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
  const [kept] = await db().select().from(transfers).where(eq(transfers.id, id));
  expect(kept?.orderId).toBe(kept?.state === "set_aside" ? null : order_id);
});
