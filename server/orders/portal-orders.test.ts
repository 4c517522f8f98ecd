import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { insertOrder } from "../../tests/paid-order.ts";
import { member, type Member } from "../../tests/people.ts";

let server: TestServer;
let admin: Member;
let partner: Member;
let customer: Member;
let paid: Awaited<ReturnType<typeof insertOrder>>;
let failed: Awaited<ReturnType<typeof insertOrder>>;
let elsewhere: Awaited<ReturnType<typeof insertOrder>>;
beforeAll(async () => {
  server = await startTestServer({ work: false });
  admin = await member(server, "admin");
  partner = await member(server, "partner");
  customer = await member(server, "user", { partnerId: partner.organisationId, organizationName: "Sabarmati Steel" });
  paid = await insertOrder(server, customer, { createdAt: new Date("2026-10-01T00:00:00Z") });
  failed = await insertOrder(server, customer, { state: "failure", amountPaise: 5 });
  elsewhere = await insertOrder(server, await member(server, "user", { organizationName: "Aravalli Mines" }));
});
afterAll(() => server.stop());

const ids = ({ body }: { body: { payments: { order_id: string }[] } }) => body.payments.map(({ order_id: id }) => id);

it("A partner reads the orders of a customer, newest first, by the e-mail of any of its people", async () => {
  const child = await member(server, "userChild", { organisationId: customer.organisationId });
  const partnerChild = await member(server, "partnerChild", { organisationId: partner.organisationId });
  for (const { email } of [customer, child]) {
    const reply = await server.call("partner/get-payment-details", { email }, partnerChild.token);
    expect(ids(reply)).toEqual([failed.id, paid.id]);
    expect(reply.body.payments[1]).toMatchObject({
      payment_id: paid.paymentId,
      status: "success",
      organization_name: "Sabarmati Steel",
      email: customer.email,
      user_first_name: "Asha",
      user_last_name: "Rao",
      pdf_url: null,
    });
  }
});

it("Another partner's customer, one without a partner and an unknown e-mail all have no orders", async () => {
  const stranger = await member(server, "partner");
  for (const email of [customer.email, elsewhere.billTo.email, partner.email, "nobody@example.in"])
    for (const query of [{}, { search: "steel", sort: "-amount" as const }]) {
      const { status, body } = await server.call("partner/get-payment-details", { email, ...query }, stranger.token);
      expect([status, body]).toEqual([200, { payments: [], nextCursor: null, total: 0, totalIsCapped: false }]);
    }
  const bad = await server.send("partner/get-payment-details", { email: customer.email, sort: "no" }, stranger.token);
  expect([bad.status, bad.body.fields?.sort]).toEqual([422, expect.stringContaining("organization_name, email, ")]);
});

it("An administrator reads them by customer, by partner and by state, which is success unless another is given", async () => {
  const child = await member(server, "adminChild", { organisationId: admin.organisationId });
  const byCustomer = { email: customer.email };
  expect(ids(await server.call("admin/getPaymentDetailsByEmailforAdmin", byCustomer, child.token))).toEqual([
    failed.id,
    paid.id,
  ]);
  const byPartner = { email: partner.email, sort: "amount" as const };
  expect(ids(await server.call("admin/getPaymentDetailsByPartnerId", byPartner, admin.token))).toEqual([
    failed.id,
    paid.id,
  ]);
  expect(ids(await server.call("admin/getPaymentDetailsByPartnerId", byCustomer, admin.token))).toEqual([]);
  expect(ids(await server.call("admin/getPaymentDetailsByStatus", {}, admin.token))).toEqual([elsewhere.id, paid.id]);
  expect(ids(await server.call("admin/getPaymentDetailsByStatus", { status: "failure" }, admin.token))).toEqual([
    failed.id,
  ]);
  const unknown = await server.send("admin/getPaymentDetailsByStatus", { status: "stolen" }, admin.token);
  expect([unknown.status, Object.keys(unknown.body.fields ?? {})]).toEqual([422, ["status"]]);
});

it("All orders are sorted by each column and found by customer, e-mail, order, payment and invoice", async () => {
  const list = (query: object) => server.call("admin/getPaymentDetailsByStatus", query, admin.token);
  for (const sort of [
    "organization_name",
    "name",
    "email",
    "order_id",
    "payment_id",
    "amount",
    "created_at",
    "status",
  ]) {
    const upwards = ids(await list({ sort }));
    expect(upwards.length, sort).toBe(2);
    expect(ids(await list({ sort: `-${sort}` })), sort).toEqual(upwards.toReversed());
  }
  expect(ids(await list({ sort: "organization_name" }))).toEqual([elsewhere.id, paid.id]);
  expect(ids(await list({ sort: "created_at" }))).toEqual([paid.id, elsewhere.id]);
  const first = await list({ limit: 1 });
  expect(ids(await list({ limit: 1, cursor: first.body.nextCursor }))).toEqual([paid.id]);
  for (const search of ["sabarmati", customer.email.toUpperCase(), paid.id, paid.paymentId])
    expect(ids(await list({ search })), String(search)).toEqual([paid.id]);
  expect((await list({ search: "SOC/" })).body.total).toBe(2);
  expect((await list({ search: "100%" })).body.total).toBe(0);
});
