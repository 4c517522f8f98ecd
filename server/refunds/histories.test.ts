import { eq, inArray } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { paiseFrom, rupees } from "../../contract/money.ts";
import type { PaymentForm } from "../../contract/orders.ts";
import { answerTo, sayByReturn, sayByWebhook } from "../../tests/buyer.ts";
import { GatewayBooks } from "../../tests/gateway-books.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { quoteHolder } from "../../tests/paid-order.ts";
import { member, type Member } from "../../tests/people.ts";
import { randomFrom } from "../../tests/random.ts";
import { payuGateway } from "../outside/payments/payu.ts";
import { startStandIn, type StandIn } from "../../tests/stand-in-gateway.ts";
import { sandboxKeys } from "../demo/sandbox-gateway.ts";
import { attempts, invoices, mails, orders, rateLimits, refunds } from "../database/schema/index.ts";
import { reconcilePayments } from "../orders/reconcile-payments.ts";
import { settleRefunds } from "./settle-refunds.ts";

/**
 * Random histories of orders: what people, the gateway and its messages may do, in any order, through the real server.
 * Each ends when the gateway works again and nothing is left to ask; then our books are compared with its books. A seed
 * repeats a history: HISTORIES=5000 runs that many, HISTORY_SEED=17 begins with that seed.
 */
const count = Number(process.env["HISTORIES"] ?? 100);
const firstSeed = Number(process.env["HISTORY_SEED"] ?? 1);
const inOneTest = 25;

let server: TestServer;
let staff: [Member, Member];
let books: GatewayBooks;
let standIn: StandIn;
beforeAll(async () => {
  server = await startTestServer({ work: false, env: { refundApprovalPaise: 500_000 } });
  books = new GatewayBooks();
  standIn = await startStandIn(books.react);
  const keys = sandboxKeys(server.services.env);
  server.services.gateway = payuGateway({ ...keys, payUrl: standIn.url, apiUrl: standIn.url });
});
afterAll(async () => {
  await standIn.stop();
  await server.stop();
});
let passed = 0;
afterEach(() => {
  server.passTime(-passed);
  passed = 0;
});

const captured = { status: "success", unmappedstatus: "captured" } as const;
const ends = [
  captured,
  captured,
  captured,
  { status: "failure", unmappedstatus: "failed" },
  { status: "failure", unmappedstatus: "userCancelled" },
  { status: "pending", unmappedstatus: "pending" },
] as const;
const moods = ["queues", "gives back at once", "refuses", "takes and says nothing", "is down"] as const;

type Holder = Awaited<ReturnType<typeof quoteHolder>>;

async function live(seed: number, holder: Holder): Promise<string> {
  const { below, pick } = randomFrom(seed);
  const forms: PaymentForm[] = [];
  const { database } = server.services;
  const amountPaise = paiseFrom(holder.total);
  const told: string[] = [];
  const acts: Record<string, () => Promise<unknown>> = {
    async start() {
      const { status, body } = await holder.start({ name: `Asha ${below(3)}` });
      if (status === 200) forms.push(body);
    },
    async "end at the gateway"() {
      const form = pick(forms);
      const reference = form?.fields["txnid"] ?? "";
      // A capture at the gateway is final; anything else may become one.
      if (!form || books.payments.get(reference)?.unmappedstatus === "captured") return;
      const amount = below(12) === 0 ? rupees(amountPaise - 100) : holder.total;
      books.enter(reference, { amount, ...pick(ends) });
    },
    async tell() {
      const form = pick(forms);
      const booked = form && books.payments.get(form.fields["txnid"] ?? "");
      if (!form || !booked) return;
      const said = below(4) === 0 ? pick(ends) : booked;
      const answer = answerTo(server, form, { ...said, mihpayid: booked.paymentId });
      const say = below(2) === 0 ? sayByReturn : sayByWebhook;
      await Promise.all(Array.from({ length: 1 + below(3) }, () => say(server, answer)));
    },
    async "let time pass"() {
      const seconds = pick([40, 1000, 4000]);
      server.passTime(seconds);
      passed += seconds;
    },
    verify: () => reconcilePayments(server.services),
    async refund() {
      const rows = await tries();
      const payment = pick(rows.filter(({ capturedPaise }) => capturedPaise !== null));
      if (!payment) return;
      const amount = rupees(pick([amountPaise, Math.floor(amountPaise / 2), 100 + below(400_000)]));
      const id = randomUUID();
      const asked = { id, payment: payment.id, amount, reason: "By chance" };
      await Promise.all(
        Array.from({ length: 1 + below(2) }, () => server.call("admin/refunds/ask", asked, staff[0].token)),
      );
    },
    async decide() {
      const order = await orderNow();
      if (!order) return;
      const waiting = await database.select().from(refunds).where(eq(refunds.orderId, order.id));
      const refund = pick(waiting.filter(({ state }) => state === "asked"));
      if (!refund) return;
      const by = pick(staff).token;
      if (below(4) === 0) await server.call("admin/refunds/decline", { id: refund.id, reason: "By chance" }, by);
      else await server.call("admin/refunds/approve", { id: refund.id }, by);
    },
    async settle() {
      books.mood = pick(moods);
      await Promise.all(Array.from({ length: 1 + below(2) }, () => settleRefunds(server.services)));
      books.mood = "queues";
    },
    async "cut off a sender"() {
      // As a process does that is killed after claiming a refund and before calling the gateway.
      const order = await orderNow();
      if (!order) return;
      const open = await database.select().from(refunds).where(eq(refunds.orderId, order.id));
      const ids = open.filter(({ state, sentAt }) => state === "approved" && sentAt === null).map(({ id }) => id);
      if (ids.length > 0)
        await database.update(refunds).set({ sentAt: server.services.now() }).where(inArray(refunds.id, ids));
    },
    async "give back at the gateway's own desk"() {
      const payment = pick((await tries()).filter(({ state }) => state === "success" || state === "review"));
      const paymentId = payment?.gatewayPaymentId ?? "";
      const leftPaise = (payment?.capturedPaise ?? 0) - books.backPaise(paymentId);
      if (!payment || leftPaise <= 0) return;
      const amount = rupees(1 + below(leftPaise));
      const requestId = String(books.refunds.length);
      books.refunds.push({ requestId, paymentId, token: "", amount, status: "queued" });
      const said = { action: "refund", merchantTxnId: payment.reference, request_id: requestId };
      await fetch(`${server.url}/api/payments/webhook`, {
        method: "POST",
        body: JSON.stringify(said),
        headers: { "content-type": "application/json" },
      });
    },
    async "gateway ends refunds"() {
      books.settle(below(5) === 0 ? "failure" : "success");
    },
  };
  const orderNow = async () => {
    const [order] = await database.select().from(orders).where(eq(orders.quoteId, holder.quote.id));
    return order;
  };
  const tries = async () => {
    const order = await orderNow();
    return order ? database.select().from(attempts).where(eq(attempts.orderId, order.id)) : [];
  };
  // Moving money is what may go wrong, so these acts come more often.
  const often = ["end at the gateway", "tell", "refund", "refund", "settle", "decide"];
  const names = [...Object.keys(acts), ...often, ...often.slice(0, 3)];
  await acts["start"]?.();
  await acts["end at the gateway"]?.();
  for (let step = 0; step < 9; step++) {
    const name = pick(names);
    told.push(name);
    // oxlint-disable-next-line no-await-in-loop -- in sequence
    await acts[name]?.();
  }
  return told.join(", ");
}

/** The gateway works again, finishes what it has, and is asked until nothing is left. */
async function comeToRest(): Promise<void> {
  books.mood = "queues";
  for (const seconds of [120, 3700, 3700, 3700]) {
    server.passTime(seconds);
    passed += seconds;
    // oxlint-disable-next-line no-await-in-loop -- in sequence
    await reconcilePayments(server.services);
    // oxlint-disable-next-line no-await-in-loop
    await settleRefunds(server.services);
    books.settle();
  }
}

/** Where our books differ from what the gateway's books require. */
async function faultsOf(quoteId: string): Promise<string[]> {
  const { database } = server.services;
  const faults: string[] = [];
  const check = (right: boolean, fault: string) => right || faults.push(fault);
  const [order] = await database.select().from(orders).where(eq(orders.quoteId, quoteId));
  if (!order) return ["there is no order"];
  const tries = await database.select().from(attempts).where(eq(attempts.orderId, order.id));
  const ours = await database.select().from(refunds).where(eq(refunds.orderId, order.id));
  const paying = tries.filter(({ state }) => state === "success");
  const right = tries.filter(({ reference, amountPaise }) => isCaptured(reference, amountPaise));
  check(paying.length <= 1, "two payments pay it");
  check(right.length === 0 || paying.length === 1, `the gateway has ${right.length} right payments, and none pays it`);
  check((order.paymentId !== null) === (paying.length === 1), "its payment id is not that of what pays it");
  for (const each of tries) {
    const booked = books.payments.get(each.reference);
    const captured = booked?.unmappedstatus === "captured" ? paiseFrom(booked.amount) : null;
    check(
      each.capturedPaise === captured,
      `${each.state} try has ${each.capturedPaise} captured, the gateway ${captured}`,
    );
    const back = booked ? books.backPaise(booked.paymentId) : 0;
    const done = sum(ours.filter(({ attemptId, state }) => attemptId === each.id && state === "done"));
    check(done === back, `${done} paise are back here, at the gateway ${back}`);
    check(back <= (captured ?? 0), "more went back than was captured");
    check(each.state !== "refunded" || back === captured, "given back, and not all of it");
  }
  const made = await database.select().from(invoices).where(eq(invoices.orderId, order.id));
  check(made.length === paying.length, `it has ${made.length} invoices`);
  const back = sum(ours.filter(({ attemptId, state }) => attemptId === paying[0]?.id && state === "done"));
  const expected = back === 0 ? "success" : back === order.amountPaise ? "refunded" : "partially_refunded";
  if (paying.length === 1) check(order.state === expected, `it shows ${order.state} where ${expected} is right`);
  check(
    ours.every(({ state }) => ["asked", "done", "failed"].includes(state)),
    "a refund has not come to its end",
  );
  for (const { id, state } of ours) {
    const sent = await database.$count(mails, eq(mails.eventKey, `refund done:${id}`));
    check(sent === (state === "done" ? 1 : 0), `a refund that is ${state} was mailed ${sent} times as done`);
  }
  const extra = tries.filter(({ state }) => state === "review");
  check(extra.length === 0 || order.reviewReason !== null, "money too much, and nobody is told");
  return faults;
}

function isCaptured(reference: string, amountPaise: number): boolean {
  const booked = books.payments.get(reference);
  return booked?.unmappedstatus === "captured" && paiseFrom(booked.amount) === amountPaise;
}
const sum = (some: readonly { amountPaise: number }[]) =>
  some.reduce((total, { amountPaise }) => total + amountPaise, 0);

describe("Random histories of orders leave none in a wrong state", () => {
  const parts = Array.from({ length: Math.ceil(count / inOneTest) }, (_, part) => firstSeed + part * inOneTest);
  it.each(parts)("from seed %i on", async (from) => {
    await server.services.database.delete(rateLimits);
    const organisation = await member(server, "admin");
    staff = [organisation, await member(server, "admin", { organisationId: organisation.organisationId })];
    const lived: { seed: number; quoteId: string; told: string }[] = [];
    for (let seed = from; seed < Math.min(from + inOneTest, firstSeed + count); seed++) {
      // oxlint-disable-next-line no-await-in-loop -- they share the clock
      const holder = await quoteHolder(server);
      // Sessions last half a day, histories longer, so the clock goes back.
      server.passTime(-passed);
      passed = 0;
      // oxlint-disable-next-line no-await-in-loop
      lived.push({ seed, quoteId: holder.quote.id, told: await live(seed, holder) });
    }
    await comeToRest();
    for (const { seed, quoteId, told } of lived)
      // oxlint-disable-next-line no-await-in-loop
      expect(await faultsOf(quoteId), `seed ${seed}: ${told}`).toEqual([]);
  });
});
