import { eq } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ActionItem } from "../../contract/actions.ts";
import type { ActionQueue } from "../../contract/action-queues.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { insertOrder, insertQuote } from "../../tests/paid-order.ts";
import { member, type Member } from "../../tests/people.ts";
import { captured, soonMs, standInGateway, verified } from "../../tests/stand-in-gateway.ts";
import { sendMailNow } from "../../tests/send-mail-now.ts";
import {
  actionItems,
  attempts,
  auditEntries,
  customerTools,
  invoices,
  mails,
  orders,
  quotes,
} from "../database/schema/index.ts";
import { queueMail } from "../mail/outbox.ts";
import { smtpTransport } from "../outside/mail/smtp-transport.ts";
import { deliverInvoice } from "../billing/invoices.ts";
import { reconcilePayments } from "../orders/reconcile-payments.ts";
import { deliverProposal } from "../quotes/deliver-proposal.ts";
import { showLateDocuments } from "./show-late-documents.ts";

// Its job queues are not processed: each test does a worker's part itself.
let server: TestServer;
let asha: Member;
let bala: Member;
beforeAll(async () => {
  server = await startTestServer({ work: false });
  asha = await member(server, "admin");
  bala = await member(server, "admin", {
    organisationId: asha.organisationId,
    firstName: "Bala",
    lastName: "Iyer",
  });
});
afterAll(() => server.stop());

const database = () => server.services.database;

async function listed(queue: ActionQueue, search: string, state: "open" | "closed" = "open") {
  const { body } = await server.call("admin/actions", { queue, search, state }, asha.token);
  return body.items;
}
async function only(queue: ActionQueue, search: string) {
  const items = await listed(queue, search);
  expect(items).toHaveLength(1);
  return items[0] as ActionItem;
}
const take = (id: string, who: Member, from: string | null = null) =>
  server.call("admin/actions/take", { id, from }, who.token);
const resolve = (id: string, who: Member, reason = "Looked up at the gateway: paid once.") =>
  server.call("admin/actions/resolve", { id, reason }, who.token);
const retry = (id: string, who: Member) => server.call("admin/actions/retry", { id }, who.token);
const statuses = (replies: { status: number }[]) =>
  replies.map(({ status }) => status).toSorted((one, other) => one - other);

/** The audit entries about an entry of a queue. */
const noted = async (id: string) => {
  const rows = await database()
    .select()
    .from(auditEntries)
    .where(eq(auditEntries.subject, `action:${id}`))
    .orderBy(auditEntries.id);
  return rows.map(({ action }) => action);
};
const jobsOf = async (name: string, id: string) => {
  const { rows } = await database().$client.query("select id from jobs.job where name = $1 and data::text like $2", [
    name,
    `%${id}%`,
  ]);
  return rows.length;
};

/** An order that waits for a person's review, of an organisation with a name of its own. */
async function toReview(reviewReason = "Paid twice.") {
  const name = `Mills ${randomUUID().slice(0, 8)}`;
  const buyer = await member(server, "user", { organizationName: name });
  const order = await insertOrder(server, buyer, { state: "review", reviewReason });
  return { name, buyer, order, item: await only("payments", name) };
}

/** An attempt that the gateway reported as a success a day ago and has not confirmed since. */
async function unconfirmed() {
  const shown = await toReview("Never confirmed.");
  const reference = randomUUID().replaceAll("-", "").slice(0, 20);
  const dayAgo = new Date(Date.now() - 25 * 3_600_000);
  await database()
    .insert(attempts)
    .values({
      orderId: shown.order.id,
      gateway: server.services.gateway.name,
      reference,
      amountPaise: shown.order.amountPaise,
      state: "pending",
      form: { action: "https://pay.example", fields: {} },
      expiresAt: dayAgo,
      claimedAt: dayAgo,
      nextCheckAt: new Date(Date.now() + 3_600_000),
      reviewReason: "Never confirmed.",
    });
  return { ...shown, reference };
}

/** Fails to send a mail, because no mail server listens. */
async function failToSend(mailId: string): Promise<void> {
  const mail = smtpTransport("smtp://127.0.0.1:9", "Prahari <soc@prahari.example>");
  await expect(sendMailNow({ ...server.services, mail }, mailId)).rejects.toThrow("ECONNREFUSED");
  mail.close();
}

/** A mail that its server refused. */
async function failedMail(cause = "welcome") {
  const to = `${randomUUID()}@example.in`;
  await database().transaction((transaction) =>
    queueMail(server.services, transaction, {
      eventKey: `${cause}:${randomUUID()}`,
      to,
      content: { template: "welcome", link: "https://prahari.example/login" },
    }),
  );
  const [mail] = await database().select().from(mails).where(eq(mails.recipient, to));
  await failToSend(mail?.id ?? "");
  return { to, id: mail?.id ?? "" };
}

describe("an entry of a queue", () => {
  it("is taken by one of two who want it at once; the other is told who has it", async () => {
    const { item } = await toReview();
    const replies = await Promise.all([take(item.id, asha), take(item.id, bala)]);
    expect(statuses(replies)).toEqual([200, 409]);
    const late = replies.find(({ status }) => status === 409);
    expect(late?.body.error).toMatch(/^(Asha Rao|Bala Iyer) has taken this/);
    expect(await noted(item.id)).toEqual(["take action"]);
  });

  it("taken again by the same person is still theirs, and is noted once", async () => {
    const { item } = await toReview();
    expect(statuses([await take(item.id, asha), await take(item.id, asha)])).toEqual([200, 200]);
    expect(await noted(item.id)).toEqual(["take action"]);
  });

  it("is taken over only from whom one has seen with it", async () => {
    const { item } = await toReview();
    await take(item.id, asha);
    expect((await take(item.id, bala, bala.id)).status).toBe(409);
    expect((await take(item.id, bala, asha.id)).status).toBe(200);
    expect((await server.call("admin/actions/release", { id: item.id }, asha.token)).body.error).toContain("Bala Iyer");
    expect((await server.call("admin/actions/release", { id: item.id }, bala.token)).status).toBe(200);
    expect(await only("payments", item.who)).toMatchObject({ taken_by: null, taken_by_me: false });
  });

  it("that somebody has taken is resolved by nobody else", async () => {
    const { item } = await toReview();
    await take(item.id, bala);
    expect((await resolve(item.id, asha)).body.error).toContain("Bala Iyer has taken this");
    expect((await resolve(item.id, bala)).status).toBe(200);
  });

  it("is resolved once by ten at once; its reason is kept, shown and audited", async () => {
    const { item, name } = await toReview();
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, index) => resolve(item.id, index % 2 ? asha : bala, `Reason ${index}`)),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(9);
    expect(await listed("payments", name)).toEqual([]);
    const [closed] = await listed("payments", name, "closed");
    expect(closed).toMatchObject({ id: item.id, closed_by: expect.stringMatching(/Asha Rao|Bala Iyer/) });
    expect(replies.find(({ status }) => status === 409)?.body.error).toContain(closed?.resolution);
    expect(await noted(item.id)).toEqual(["resolve action"]);
    const { body } = await server.call("admin/audit", { subject: `action:${item.id}` }, asha.token);
    expect(body.entries).toMatchObject([
      {
        subject_name: `${item.about} (Payments)`,
        facts: expect.arrayContaining([expect.objectContaining({ name: "Reason", value: closed?.resolution })]),
      },
    ]);
  });

  it("that nobody knows is not found, whatever is asked for", async () => {
    const id = randomUUID();
    for (const reply of [await take(id, asha), await resolve(id, asha), await retry(id, asha)])
      expect(reply.status).toBe(404);
    expect((await server.call("admin/actions/item", { id }, asha.token)).body.error).toContain("no longer in a queue");
  });

  it("is not resolved without a reason", async () => {
    const { item } = await toReview();
    expect((await resolve(item.id, asha, "  ")).body.fields).toHaveProperty("reason");
    expect(await only("payments", item.who)).toMatchObject({ closed_at: null });
  });

  it("is seen by a child administrator, who changes nothing; others don't see it", async () => {
    const { item, buyer } = await toReview();
    const child = await member(server, "adminChild", { organisationId: asha.organisationId });
    expect((await server.call("admin/actions/item", { id: item.id }, child.token)).status).toBe(200);
    expect((await server.call("admin/actions/queues", {}, child.token)).status).toBe(200);
    for (const reply of [await take(item.id, child), await resolve(item.id, child), await retry(item.id, child)])
      expect(reply.status).toBe(403);
    expect((await server.call("admin/actions", { queue: "payments" }, buyer.token)).status).toBe(403);
  });

  it("tells customers nothing of what is noted about them", async () => {
    const { item, buyer } = await toReview();
    await resolve(item.id, asha, "Looks like fraud");
    const { body } = await server.call("user/audit", {}, buyer.token);
    expect(JSON.stringify(body)).not.toContain("fraud");
  });
});

describe("a payment that needs a look", () => {
  it("opens its order and customer, and is asked about only where an answer can change something", async () => {
    const { item, order, buyer } = await toReview();
    const { body } = await server.call("admin/actions/item", { id: item.id }, asha.token);
    expect(body).toMatchObject({ order: { id: order.id }, customer: { email: buyer.email } });
    expect(body.no_retry_because).toContain("Asking the gateway again");
    expect((await retry(item.id, asha)).status).toBe(409);
    expect(await noted(item.id)).toEqual([]);
  });

  it("that the gateway never confirmed is asked about once by two, paid by its answer, and leaves", async () => {
    const { item, order, name, reference } = await unconfirmed();
    const standIn = await standInGateway(server, (asked) =>
      verified(asked, captured((order.amountPaise / 100).toFixed(2))),
    );
    expect((await server.call("admin/actions/item", { id: item.id }, asha.token)).body.no_retry_because).toBeNull();
    expect(statuses(await Promise.all([retry(item.id, asha), retry(item.id, bala)]))).toEqual([200, 409]);
    expect(standIn.asked.filter((asked) => asked === reference)).toHaveLength(1);
    expect(await database().select().from(orders).where(eq(orders.id, order.id))).toMatchObject([
      { state: "success", reviewReason: null },
    ]);
    expect(await database().select().from(invoices).where(eq(invoices.orderId, order.id))).toHaveLength(1);
    expect(await listed("payments", name)).toEqual([]);
    expect(await listed("payments", name, "closed")).toMatchObject([{ closed_by: null, tried_by: expect.any(String) }]);
  });

  it("is asked about by the clock when the gateway hangs, or whoever asked was killed half-way", async () => {
    const { item, reference } = await unconfirmed();
    const standIn = await standInGateway(server, () => "hangs", soonMs);
    expect((await retry(item.id, asha)).status).toBe(200);
    await reconcilePayments(server.services);
    expect(standIn.asked.filter((asked) => asked === reference)).toHaveLength(2);
    expect(await only("payments", item.who)).toMatchObject({ tried_by: "Asha Rao", closed_at: null });
  });

  it("leaves by itself when it settles; what somebody had taken stays among what is done", async () => {
    const [untouched, taken] = [await toReview(), await toReview()];
    await take(taken.item.id, asha);
    for (const { order } of [untouched, taken])
      await database().update(orders).set({ reviewReason: null }).where(eq(orders.id, order.id));
    expect(await listed("payments", untouched.name)).toEqual([]);
    expect(await listed("payments", untouched.name, "closed")).toEqual([]);
    expect(await listed("payments", taken.name)).toEqual([]);
    expect(await listed("payments", taken.name, "closed")).toMatchObject([{ closed_by: null, resolution: "" }]);
    expect((await resolve(taken.item.id, asha)).body.error).toContain("resolved itself");
    expect((await resolve(untouched.item.id, asha)).status).toBe(404);
  });

  it("stays resolved while nothing is new about it, and comes back with news", async () => {
    const { item, order, name } = await toReview();
    await resolve(item.id, asha);
    const note = (reviewReason: string) =>
      database().update(orders).set({ reviewReason }).where(eq(orders.id, order.id));
    await note("Paid twice.");
    expect(await listed("payments", name)).toEqual([]);
    await note("Paid twice. The gateway gives one back.");
    expect(await only("payments", name)).toMatchObject({ problem: "Paid twice. The gateway gives one back." });
  });
});

describe("a mail that failed", () => {
  it("comes after its first try, is sent again once when two ask at once, and leaves", async () => {
    const mail = await failedMail();
    const item = await only("mails", mail.to);
    expect(item).toMatchObject({ about: "Welcome", who: mail.to });
    const before = await jobsOf("send-mail", mail.id);
    const replies = await Promise.all([retry(item.id, asha), retry(item.id, bala)]);
    expect(statuses(replies)).toEqual([200, 409]);
    expect(replies.find(({ status }) => status === 409)?.body.error).toMatch(/asked for this a moment ago/);
    expect(await jobsOf("send-mail", mail.id)).toBe(before + 1);
    // One of the two may come too late or find the mail locked; its queue then tries again.
    const tries = await Promise.allSettled([1, 2].map(() => sendMailNow(server.services, mail.id)));
    const refused = tries.flatMap((tried) => (tried.status === "rejected" ? [String(tried.reason)] : []));
    expect(["", "Error: another worker has it"]).toContain(refused.join());
    await server.mailbox.take(mail.to);
    expect(server.mailbox.mails.filter(({ to }) => to?.[0]?.address === mail.to)).toHaveLength(1);
    expect(await listed("mails", mail.to)).toEqual([]);
    expect(await noted(item.id)).toEqual(["retry action"]);
  });

  it("is found by the words that it is shown with", async () => {
    const { to } = await failedMail("invite");
    const found = await listed("mails", "invitation");
    expect(found.filter(({ who }: ActionItem) => who === to)).toMatchObject([{ about: "Invitation" }]);
  });

  it("may be sent again a while later, when the first time brought nothing", async () => {
    const mail = await failedMail();
    const item = await only("mails", mail.to);
    await retry(item.id, asha);
    await database()
      .update(actionItems)
      .set({ triedAt: new Date(Date.now() - 31_000) })
      .where(eq(actionItems.id, item.id));
    expect((await retry(item.id, bala)).status).toBe(200);
  });

  it("refused for good has no content to send, which its entry says", async () => {
    const to = `${randomUUID()}@example.in`;
    await database()
      .insert(mails)
      .values({ eventKey: `invite:${to}`, recipient: to, attachments: [], tries: 1, lastError: "No such user" });
    const item = await only("mails", to);
    const { body } = await server.call("admin/actions/item", { id: item.id }, asha.token);
    expect(body.no_retry_because).toContain("content was deleted");
    expect((await retry(item.id, asha)).status).toBe(409);
  });

  it("that somebody resolved does not come back with its next failure", async () => {
    const mail = await failedMail();
    await resolve((await only("mails", mail.to)).id, asha, "Told them by phone");
    await failToSend(mail.id);
    expect(await listed("mails", mail.to)).toEqual([]);
  });

  it("that expires leaves, as nothing can be done about it", async () => {
    const mail = await failedMail();
    await database()
      .update(mails)
      .set({ uselessAfter: new Date(0) })
      .where(eq(mails.id, mail.id));
    await sendMailNow(server.services, mail.id);
    expect(await listed("mails", mail.to)).toEqual([]);
  });

  it("goes with its mail, when that is past its time", async () => {
    const mail = await failedMail();
    await resolve((await only("mails", mail.to)).id, asha);
    await database().delete(mails).where(eq(mails.id, mail.id));
    expect(await listed("mails", mail.to, "closed")).toEqual([]);
  });
});

describe("a document that was not made", () => {
  const longAgo = new Date(Date.now() - 3_600_000);

  it("comes ten minutes after it was due, is made again once, and leaves with its file", async () => {
    const organizationName = `Foods ${randomUUID().slice(0, 8)}`;
    const quote = await insertQuote(server, null, { organizationName, proposalFile: null });
    await showLateDocuments(server.services);
    expect(await listed("proposals", organizationName)).toEqual([]);
    await database().update(quotes).set({ createdAt: longAgo }).where(eq(quotes.id, quote.id));
    await Promise.all([showLateDocuments(server.services), showLateDocuments(server.services)]);
    const item = await only("proposals", organizationName);
    expect(statuses(await Promise.all([retry(item.id, asha), retry(item.id, bala)]))).toEqual([200, 409]);
    expect(await jobsOf("render-proposal", quote.id)).toBe(1);
    // A job that was killed half-way runs again, beside the one that was requested.
    await Promise.all([deliverProposal(server.services, quote.id), deliverProposal(server.services, quote.id)]);
    expect(await listed("proposals", organizationName)).toEqual([]);
    const sent = await database()
      .select()
      .from(mails)
      .where(eq(mails.eventKey, `proposal:${quote.id}`));
    expect(sent).toHaveLength(1);
  });

  it("stays resolved, until it is due anew", async () => {
    const organizationName = `Foods ${randomUUID().slice(0, 8)}`;
    const quote = await insertQuote(server, null, { organizationName, proposalFile: null, createdAt: longAgo });
    await showLateDocuments(server.services);
    await resolve((await only("proposals", organizationName)).id, asha, "They do not want it any more");
    await showLateDocuments(server.services);
    expect(await listed("proposals", organizationName)).toEqual([]);
    const revisedAt = new Date(Date.now() + 60_000);
    await database().update(quotes).set({ revisedAt, revision: 2 }).where(eq(quotes.id, quote.id));
    await showLateDocuments({ ...server.services, now: () => new Date(Date.now() + 3_600_000) });
    expect(await listed("proposals", organizationName)).toHaveLength(1);
  });

  it("does not stay when it was made while late ones were looked for", async () => {
    const organizationName = `Foods ${randomUUID().slice(0, 8)}`;
    const { id } = await insertQuote(server, null, { organizationName });
    const told = { about: "Q-1", who: organizationName, problem: "Not made.", since: longAgo };
    await database()
      .insert(actionItems)
      .values({ queue: "proposals", subjectId: id, ...told });
    await showLateDocuments(server.services);
    expect(await listed("proposals", organizationName)).toEqual([]);
  });

  it("may be an invoice too", async () => {
    const buyer = await member(server, "user", { organizationName: `Invoiced ${randomUUID().slice(0, 8)}` });
    const order = await insertOrder(server, buyer);
    const [invoice] = await database()
      .update(invoices)
      .set({ issuedAt: longAgo })
      .where(eq(invoices.orderId, order.id))
      .returning();
    await showLateDocuments(server.services);
    const item = await only("invoices", invoice?.number ?? "");
    expect((await server.call("admin/actions/item", { id: item.id }, asha.token)).body).toMatchObject({
      order: { id: order.id },
      customer: { email: buyer.email },
    });
    expect((await retry(item.id, asha)).status).toBe(200);
    await deliverInvoice(server.services, invoice?.id ?? "");
    expect(await listed("invoices", invoice?.number ?? "")).toEqual([]);
  });
});

describe("a customer without dashboards", () => {
  it("comes with the first payment, has nothing to be tried again, and leaves when they are activated", async () => {
    const organizationName = `Dashing ${randomUUID().slice(0, 8)}`;
    const buyer = await member(server, "user", { organizationName });
    const pending = await insertOrder(server, buyer, { state: "pending" });
    expect(await listed("dashboards", organizationName)).toEqual([]);
    await database().update(orders).set({ state: "success", paidAt: new Date() }).where(eq(orders.id, pending.id));
    await insertOrder(server, buyer);
    const item = await only("dashboards", organizationName);
    expect((await retry(item.id, asha)).body.error).toContain("Only a person");
    const { body } = await server.call("admin/actions/item", { id: item.id }, asha.token);
    expect(body.customer).toEqual({ email: buyer.email, organization_name: organizationName });
    await server.call("admin/createCustomerToolByEmailApi", { email: buyer.email }, asha.token);
    expect(await listed("dashboards", organizationName)).toEqual([]);
  });

  it("does not stay when payment and activation meet", async () => {
    for (let round = 0; round < 5; round++) {
      const organizationName = `Meeting ${randomUUID().slice(0, 8)}`;
      const buyer = await member(server, "user", { organizationName });
      const { id } = await insertOrder(server, buyer, { state: "pending" });
      await Promise.all([
        database().update(orders).set({ state: "success", paidAt: new Date() }).where(eq(orders.id, id)),
        database().insert(customerTools).values({ organisationId: buyer.organisationId }),
      ]);
      expect(await listed("dashboards", organizationName)).toEqual([]);
    }
  });

  it("leaves when what they paid is given back", async () => {
    const organizationName = `Refunded ${randomUUID().slice(0, 8)}`;
    const order = await insertOrder(server, await member(server, "user", { organizationName }));
    await only("dashboards", organizationName);
    await database().update(orders).set({ state: "refunded" }).where(eq(orders.id, order.id));
    expect(await listed("dashboards", organizationName)).toEqual([]);
  });

  it.each(["invoiced", "closed", "refund_pending", "partially_refunded"] as const)(
    "stays when one order is given back and another is %s",
    async (state) => {
      const organizationName = `Twice ${randomUUID().slice(0, 8)}`;
      const buyer = await member(server, "user", { organizationName });
      const [first, second] = [await insertOrder(server, buyer), await insertOrder(server, buyer)];
      await database().update(orders).set({ state }).where(eq(orders.id, second.id));
      await database().update(orders).set({ state: "refunded" }).where(eq(orders.id, first.id));
      expect(await listed("dashboards", organizationName)).toHaveLength(1);
    },
  );

  it("stays closed when a refund of it fails, and a debt comes back", async () => {
    const organizationName = `Back ${randomUUID().slice(0, 8)}`;
    const order = await insertOrder(server, await member(server, "user", { organizationName }));
    const { id } = await only("dashboards", organizationName);
    expect((await resolve(id, asha, "They want none.")).status).toBe(200);
    for (const state of ["refund_pending", "success", "closed", "invoiced"] as const)
      await database().update(orders).set({ state }).where(eq(orders.id, order.id));
    expect(await listed("dashboards", organizationName)).toEqual([]);
  });
});

it("The queues are counted, with since when the oldest waits", async () => {
  const { item } = await toReview();
  const { body } = await server.call("admin/actions/queues", {}, asha.token);
  expect(body.queues.map(({ queue }) => queue)).toEqual([
    "payments",
    "refunds",
    "writeOffs",
    "mails",
    "proposals",
    "invoices",
    "eInvoices",
    "engines",
    "dashboards",
  ]);
  const [payments] = body.queues;
  expect(payments).toMatchObject({ open: expect.any(Number), openIsCapped: false });
  expect(payments?.open).toBeGreaterThan(0);
  expect(new Date(payments?.oldest ?? 0) <= new Date(item.since)).toBe(true);
});
