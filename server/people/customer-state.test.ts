import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writtenDay } from "../../contract/india-time.ts";
import type { CustomerState } from "../../contract/people.ts";
import { contractYear, daysAfter } from "../../contract/proration.ts";
import { contractHolder } from "../../tests/contract.ts";
import { insertOrder, insertQuote } from "../../tests/paid-order.ts";
import { member, type Member } from "../../tests/people.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { customerTools } from "../database/schema/index.ts";
import { customerStateOf } from "./customer-state.ts";

let server: TestServer;
let partner: Member;
beforeAll(async () => {
  server = await startTestServer({ work: false });
  partner = await member(server, "partner");
});
afterAll(() => server.stop());

const newCustomer = () => member(server, "user", { partnerId: partner.organisationId });
const nothing: CustomerState = { stage: "no_quote", quote_open_until: null, payment_under_way: false, renews_on: null };

/** A customer's state in the partner's list and panel and in the administrators' list, which have to agree. */
async function stateOf({ email }: Member): Promise<CustomerState | null | undefined> {
  const admin = await member(server, "admin");
  const answers = await Promise.all([
    server.call("partner/users", { search: email }, partner.token),
    server.call("admin/getUserByAdmin", { role: "user", search: email }, admin.token),
  ]);
  const [listed, ofAdmin] = answers.map(({ body }) => body.users.find((each) => each.email === email)?.customer_state);
  const { body } = await server.call("partner/get-user-by-partner-email", { email }, partner.token);
  expect([ofAdmin, body.user[0]?.customer_state]).toEqual([listed, listed]);
  return listed;
}

const expired = () => new Date(Date.now() - 86_400_000);
/** More than a year ago. */
const longAgo = () => new Date(Date.now() - 367 * 86_400_000);

describe("A customer's state", () => {
  it("is of no quote, then of an open one until its day, then of one that has expired", async () => {
    const customer = await newCustomer();
    expect(await stateOf(customer)).toEqual(nothing);
    await insertQuote(server, customer, { validUntil: expired() });
    expect(await stateOf(customer)).toEqual({ ...nothing, stage: "quote_expired" });
    const { validUntil } = await insertQuote(server, customer);
    const open = { ...nothing, stage: "quote_open", quote_open_until: validUntil.toISOString() };
    expect(await stateOf(customer)).toEqual(open);
  });

  it("is of no open quote once that is declined", async () => {
    const customer = await newCustomer();
    await insertQuote(server, customer, { decision: "declined" });
    expect(await stateOf(customer)).toEqual({ ...nothing, stage: "quote_declined" });
  });

  it("tells of a payment under way, and of one that a person looks at", async () => {
    for (const state of ["pending", "review"] as const) {
      const customer = await newCustomer();
      await insertOrder(server, customer, { state });
      expect(await stateOf(customer)).toMatchObject({ stage: "payment_under_way", payment_under_way: true });
    }
  });

  it("is paid, then active once its dashboards are, and says when the contract renews", async () => {
    const customer = await newCustomer();
    const paidAt = new Date();
    await insertOrder(server, customer, { state: "success", paidAt });
    const renews_on = customerStateOf(
      {
        hasDashboards: false,
        quoteUntil: null,
        hasDeclined: false,
        isPaying: false,
        renewals: [daysAfter(contractYear(writtenDay(paidAt)).to, 1)],
      },
      paidAt,
    ).renews_on;
    expect(await stateOf(customer)).toEqual({ ...nothing, stage: "paid", renews_on });
    await server.services.database.insert(customerTools).values({ organisationId: customer.organisationId });
    expect(await stateOf(customer)).toEqual({ ...nothing, stage: "active", renews_on });
    const more = await insertQuote(server, customer);
    const alsoOpen = { stage: "active", renews_on, quote_open_until: more.validUntil.toISOString() } as const;
    expect(await stateOf(customer)).toEqual({ ...nothing, ...alsoOpen });
  });

  it("is ended when its contract has run out, and counts no order that failed or was given back", async () => {
    const former = await newCustomer();
    await insertOrder(server, former, { state: "success", paidAt: longAgo() });
    expect(await stateOf(former)).toMatchObject({ stage: "ended" });
    const refunded = await newCustomer();
    await insertOrder(server, refunded, { state: "refunded", paidAt: new Date() });
    expect(await stateOf(refunded)).toEqual(nothing);
    const failed = await newCustomer();
    await insertOrder(server, failed, { state: "failure" });
    expect(await stateOf(failed)).toMatchObject({ stage: "quote_open", renews_on: null });
  });

  it("is no partner's", async () => {
    const admin = await member(server, "admin");
    const { body } = await server.call("admin/getUserByAdmin", { role: "partner" }, admin.token);
    expect(body.users.map((each) => each.customer_state)).toEqual([null]);
  });
});

describe("The day on which a contract renews", () => {
  const until = (...renewals: string[]) => ({
    hasDashboards: true,
    quoteUntil: null,
    hasDeclined: false,
    isPaying: false,
    renewals,
  });
  const at = (day: string) => new Date(`${day}T12:00:00Z`);

  it("is the day after the last one of its contract", async () => {
    const serviceStart = daysAfter(writtenDay(new Date()), 20);
    const from = contractYear(serviceStart);
    const { contract } = await contractHolder(server, undefined, { serviceStart });
    expect(contract.ends_on).toBe(from.to);
    const { body } = await server.call(
      "admin/getUserByAdmin",
      { role: "user", search: contract.email },
      (await member(server, "admin")).token,
    );
    expect(body.users[0]?.customer_state?.renews_on).toBe(daysAfter(from.to, 1));
  });

  it("is the next one of several contracts, and the last one when all have ended", () => {
    const several = until("2027-09-10", "2027-03-05", "2026-03-05");
    expect(customerStateOf(several, at("2026-11-01"))).toMatchObject({ stage: "active", renews_on: "2027-03-05" });
    expect(customerStateOf(several, at("2027-03-05"))).toMatchObject({ stage: "active", renews_on: "2027-09-10" });
    expect(customerStateOf(several, at("2027-09-10"))).toMatchObject({ stage: "ended", renews_on: "2027-09-10" });
  });

  it("has come when its day has begun in India", () => {
    expect(customerStateOf(until("2027-11-22"), new Date("2027-11-21T18:29:00Z")).stage).toBe("active");
    expect(customerStateOf(until("2027-11-22"), new Date("2027-11-21T18:31:00Z")).stage).toBe("ended");
  });
});
