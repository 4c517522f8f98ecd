import { eq, sql } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { insertOrder, insertQuote } from "../../tests/paid-order.ts";
import { member } from "../../tests/people.ts";
import { sendMailNow } from "../../tests/send-mail-now.ts";
import { answerDataRequest } from "../data-requests/answer-data-request.ts";
import {
  announcements,
  dataRequests,
  engineBindings,
  engineRemarks,
  incidentFacts,
  incidents,
  invoices,
  mails,
  proformas,
  quoteDecisions,
  quotes,
  receipts,
  refundVouchers,
  serviceReports,
} from "../database/schema/index.ts";
import type { JobName } from "../jobs/jobs.ts";
import { deliverAnnouncement } from "../announcements/deliver.ts";
import { announcement } from "../../tests/factories.ts";
import { deliverInvoice } from "../billing/invoices.ts";
import { deliverProforma } from "../billing/proformas.ts";
import { deliverReceipt } from "../billing/receipts.ts";
import { deliverRefundVoucher } from "../billing/refund-vouchers.ts";
import { closeMonth } from "../service-reports/close-month.ts";
import { deliverServiceReport } from "../service-reports/deliver-report.ts";
import { keepReport } from "../service-reports/make-reports.ts";
import { monthBefore } from "../service-reports/month-of.ts";
import { sellerIs } from "../../tests/billing.ts";
import { bankOfTests, newUtr, transferBuyer, today } from "../../tests/transfers.ts";
import { queueMail } from "../mail/outbox.ts";
import { deliverAcceptance } from "../quotes/deliver-acceptance.ts";
import { deliverProposal } from "../quotes/deliver-proposal.ts";
import { sendRemark } from "../incidents/engine-remarks.ts";
import { sha256Of } from "../protection/sha256-of.ts";
import { sweep } from "./jobs.ts";

// Its job queues are not processed: each test does a worker's part itself.
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ work: false });
});
afterAll(() => server.stop());

interface Kind {
  queue: JobName;
  /** Makes a row with its job and answers its id. */
  make(): Promise<string>;
  work(id: string): Promise<void>;
  /** Makes the row this many hours old. */
  age(id: string, hours: number): Promise<unknown>;
  result(id: string): Promise<unknown>;
}

const database = () => server.services.database;
const hoursAgo = (hours: number) => new Date(server.services.now().getTime() - hours * 3_600_000);

const kinds: Kind[] = [
  {
    queue: "render-proposal",
    async make() {
      const { id } = await insertQuote(server, null, { proposalFile: null });
      await database().transaction((transaction) =>
        server.services.jobs.add(transaction, "render-proposal", { quoteId: id }),
      );
      return id;
    },
    work: (id) => deliverProposal(server.services, id),
    age: (id, hours) =>
      database()
        .update(quotes)
        .set({ createdAt: hoursAgo(hours) })
        .where(eq(quotes.id, id)),
    result: async (id) => (await database().select().from(quotes).where(eq(quotes.id, id)))[0]?.proposalFile,
  },
  {
    queue: "render-acceptance",
    async make() {
      const customer = await member(server, "user");
      const quote = await insertQuote(server, customer, { proposalFile: null });
      await deliverProposal(server.services, quote.id);
      const [row] = await database().select().from(quotes).where(eq(quotes.id, quote.id));
      const proposalHash = sha256Of(await server.services.files.read(row?.proposalFile ?? ""));
      const [decision] = await database()
        .insert(quoteDecisions)
        .values({
          quoteId: quote.id,
          revision: 1,
          kind: "accepted",
          personId: customer.id,
          email: customer.email,
          name: "Asha Rao",
          designation: "Head of IT",
          terms: [],
          termsHash: sha256Of(""),
          proposalHash,
          address: "127.0.0.1",
          userAgent: "",
          decidedAt: server.services.now(),
        })
        .returning();
      const decisionId = decision?.id ?? "";
      await database().transaction((transaction) =>
        server.services.jobs.add(transaction, "render-acceptance", { decisionId }),
      );
      return decisionId;
    },
    work: (id) => deliverAcceptance(server.services, id),
    age: (id, hours) =>
      database()
        .update(quoteDecisions)
        .set({ decidedAt: hoursAgo(hours) })
        .where(eq(quoteDecisions.id, id)),
    result: async (id) => (await database().select().from(quoteDecisions).where(eq(quoteDecisions.id, id)))[0]?.file,
  },
  {
    queue: "render-invoice",
    async make() {
      const { id } = await insertOrder(server, await member(server, "user"));
      const [invoice] = await database().select().from(invoices).where(eq(invoices.orderId, id));
      return invoice?.id ?? "";
    },
    work: (id) => deliverInvoice(server.services, id),
    age: (id, hours) =>
      database()
        .update(invoices)
        .set({ issuedAt: hoursAgo(hours) })
        .where(eq(invoices.id, id)),
    result: async (id) => (await database().select().from(invoices).where(eq(invoices.id, id)))[0]?.file,
  },
  {
    queue: "render-proforma",
    async make() {
      await sellerIs(server, { bank: bankOfTests });
      const { order_id } = (await (await transferBuyer(server)).choose()).body;
      const [proforma] = await database().select().from(proformas).where(eq(proformas.orderId, order_id));
      return proforma?.id ?? "";
    },
    work: (id) => deliverProforma(server.services, id),
    age: (id, hours) =>
      database()
        .update(proformas)
        .set({ issuedAt: hoursAgo(hours) })
        .where(eq(proformas.id, id)),
    result: async (id) => (await database().select().from(proformas).where(eq(proformas.id, id)))[0]?.file,
  },
  {
    queue: "render-receipt",
    async make() {
      await sellerIs(server, { bank: bankOfTests });
      const { order_id, document } = (await (await transferBuyer(server)).choose()).body;
      const admin = await member(server, "admin");
      const came = { utr: newUtr(), amount: "10.00", received_on: today(server), payer: "Periyar", pays: document };
      await server.call("admin/transfers/record", came, admin.token);
      const [receipt] = await database().select().from(receipts).where(eq(receipts.orderId, order_id));
      return receipt?.id ?? "";
    },
    work: (id) => deliverReceipt(server.services, id),
    age: (id, hours) =>
      database()
        .update(receipts)
        .set({ issuedAt: hoursAgo(hours) })
        .where(eq(receipts.id, id)),
    result: async (id) => (await database().select().from(receipts).where(eq(receipts.id, id)))[0]?.file,
  },
  {
    queue: "render-refund-voucher",
    async make() {
      await sellerIs(server, { bank: bankOfTests });
      const { order_id, document } = (await (await transferBuyer(server)).choose()).body;
      const admin = await member(server, "admin");
      const came = { utr: newUtr(), amount: "10.00", received_on: today(server), payer: "Periyar", pays: document };
      await server.call("admin/transfers/record", came, admin.token);
      const id = randomUUID();
      const asked = { id, payment: order_id, amount: "10.00", reason: "Called off" };
      await server.call("admin/refunds/ask", asked, admin.token);
      const paidOut = { id, bank_reference: newUtr(), paid_on: today(server) };
      await server.call("admin/refunds/paid-out", paidOut, admin.token);
      const [voucher] = await database().select().from(refundVouchers).where(eq(refundVouchers.orderId, order_id));
      return voucher?.id ?? "";
    },
    work: (id) => deliverRefundVoucher(server.services, id),
    age: (id, hours) =>
      database()
        .update(refundVouchers)
        .set({ issuedAt: hoursAgo(hours) })
        .where(eq(refundVouchers.id, id)),
    result: async (id) => (await database().select().from(refundVouchers).where(eq(refundVouchers.id, id)))[0]?.file,
  },
  {
    queue: "render-service-report",
    async make() {
      const { organisationId: id } = await member(server, "user");
      const month = monthBefore(server.services.now(), "Asia/Kolkata");
      return database().transaction(async (transaction) => {
        const closed = await closeMonth(transaction, { id, name: "Betwa Mills", partner: null }, month);
        return (await keepReport(server.services, transaction, id, month, closed)) ?? "";
      });
    },
    work: (id) => deliverServiceReport(server.services, id),
    age: (id, hours) =>
      database()
        .update(serviceReports)
        .set({ createdAt: hoursAgo(hours) })
        .where(eq(serviceReports.id, id)),
    result: async (id) => (await database().select().from(serviceReports).where(eq(serviceReports.id, id)))[0]?.file,
  },
  {
    queue: "send-mail",
    async make() {
      const eventKey = `test:${randomUUID()}`;
      const content = { template: "welcome" as const, link: "https://prahari.example/login" };
      await database().transaction((transaction) =>
        queueMail(server.services, transaction, { eventKey, to: `${randomUUID()}@example.in`, content }),
      );
      return (await database().select().from(mails).where(eq(mails.eventKey, eventKey)))[0]?.id ?? "";
    },
    work: (id) => sendMailNow(server.services, id),
    age: (id, hours) =>
      database()
        .update(mails)
        .set({ createdAt: hoursAgo(hours) })
        .where(eq(mails.id, id)),
    result: async (id) => (await database().select().from(mails).where(eq(mails.id, id)))[0]?.sentAt,
  },
  {
    queue: "deliver-announcement",
    async make() {
      const id = randomUUID();
      const { token } = await member(server, "admin");
      expect((await server.call("admin/announcements/add", { ...announcement(), id }, token)).status).toBe(201);
      return id;
    },
    work: (id) => deliverAnnouncement(server.services, id),
    age: (id, hours) =>
      database()
        .update(announcements)
        .set({ shownFrom: hoursAgo(hours) })
        .where(eq(announcements.id, id)),
    result: async (id) =>
      (await database().select().from(announcements).where(eq(announcements.id, id)))[0]?.deliveredAt,
  },
  {
    queue: "answer-data-request",
    async make() {
      const id = randomUUID();
      const [admin, { email }] = [await member(server, "admin"), await member(server, "user")];
      await server.call("admin/people/request-data", { id, kind: "export", email }, admin.token);
      return id;
    },
    work: (id) => answerDataRequest(server.services, id),
    age: (id, hours) =>
      database()
        .update(dataRequests)
        .set({ askedAt: hoursAgo(hours) })
        .where(eq(dataRequests.id, id)),
    result: async (id) => (await database().select().from(dataRequests).where(eq(dataRequests.id, id)))[0]?.file,
  },
  {
    queue: "send-engine-remark",
    async make() {
      const { organisationId } = await member(server, "user");
      const now = server.services.now();
      const [binding] = await database()
        .insert(engineBindings)
        .values({ organisationId, kind: "iris", address: "https://e.example.in", nextPollAt: now, removedAt: now })
        .returning();
      const [incident] = await database()
        .insert(incidents)
        .values({ organisationId, title: "Beacon", source: "engine", severity: "P2", openedAt: now, changedAt: now })
        .returning();
      const told = { incidentId: incident?.id ?? "", news: "commented", by: "us", payload: {}, eventKey: "1" } as const;
      const [fact] = await database()
        .insert(incidentFacts)
        .values({ ...told, occurredAt: now, recordedAt: now })
        .returning();
      const id = fact?.id ?? "";
      await database()
        .insert(engineRemarks)
        .values({ id, bindingId: binding?.id ?? "", externalId: "1", text: "Looked at", createdAt: now });
      await database().transaction((transaction) =>
        server.services.jobs.add(transaction, "send-engine-remark", { remarkId: id }),
      );
      return id;
    },
    work: (id) => sendRemark(server.services, id),
    age: (id, hours) =>
      database()
        .update(engineRemarks)
        .set({ createdAt: hoursAgo(hours) })
        .where(eq(engineRemarks.id, id)),
    // Its engine is gone, so the result is that nothing more can be written.
    result: async (id) =>
      (await database().select().from(engineRemarks).where(eq(engineRemarks.id, id)))[0]?.givenUpAt ?? null,
  },
];

const ofRow = (id: string) => sql`data::text like ${`%${id}%`}`;
const loseJobs = (id: string) => database().execute(sql`delete from jobs.job where ${ofRow(id)}`);
/** Uses up all attempts of the row's jobs, the last of them this many hours ago. */
const failJobs = (id: string, hours = 0) =>
  database().execute(sql`
    update jobs.job set state = 'failed', completed_on = ${hoursAgo(hours).toISOString()}::timestamptz,
      output = '{"message":"Error: it can not be done"}' where ${ofRow(id)}`);
async function jobsOf(id: string): Promise<string[]> {
  const { rows } = await database().execute<{ state: string }>(
    sql`select state from jobs.job where ${ofRow(id)} order by state`,
  );
  return rows.map(({ state }) => state);
}
const errorsAbout = (id: string) => server.log.filter((line) => line.includes(id) && line.includes('"level":50'));

describe.each(kinds)("What $queue owes", ({ make, work, age, result }) => {
  it("comes although its job is gone, and gets one new job however often it is looked for", async () => {
    const id = await make();
    await age(id, 0.2);
    await loseJobs(id);
    await sweep(server.services);
    await sweep(server.services);
    expect(await jobsOf(id)).toEqual(["created"]);
    expect(await result(id)).toBeNull();
    await work(id);
    expect(await result(id)).not.toBeNull();
  });

  it("comes although all tries of its job are used up, which an operator is told once, with the reason", async () => {
    const id = await make();
    await age(id, 0.2);
    await failJobs(id, 0.1);
    await sweep(server.services);
    expect(await jobsOf(id)).toEqual(["created", "failed"]);
    await failJobs(id, 0.1);
    await sweep(server.services);
    expect(await jobsOf(id)).toEqual(["created", "failed", "failed"]);
    expect(errorsAbout(id)).toEqual([expect.stringContaining("it can not be done")]);
    await work(id);
    expect(await result(id)).not.toBeNull();
  });

  it.each([
    [10, 0.9, 1.1],
    [1000, 3.9, 4.1],
  ])(
    "is left to rest when it has failed for %d hours, a tenth of that and four hours at the most",
    async (hours, rests, rested) => {
      const id = await make();
      await age(id, hours + rests);
      await failJobs(id, rests);
      await sweep(server.services);
      expect(await jobsOf(id)).toEqual(["failed"]);
      await age(id, hours + rested);
      await failJobs(id, rested);
      await sweep(server.services);
      expect(await jobsOf(id)).toEqual(["created", "failed"]);
    },
  );

  it("is left alone while its job waits, while it is new, and when it has come", async () => {
    const [waiting, fresh, done] = [await make(), await make(), await make()];
    await work(done);
    for (const id of [waiting, done]) await age(id, 0.2);
    for (const id of [fresh, done]) await loseJobs(id);
    await sweep(server.services);
    expect([await jobsOf(waiting), await jobsOf(fresh)]).toEqual([["created"], []]);
    expect(await jobsOf(done)).toEqual([]);
  });
});

test("Mails whose jobs are gone are found among a hundred thousand whose jobs wait, within what one statement may take", async () => {
  const busy = await startTestServer({ work: false });
  const { database: books } = busy.services;
  await books.execute(sql`insert into mails (event_key, recipient, content, attachments, created_at)
    select 'test:' || number, number || '@example.in', '{"template":"none"}', '[]', now() - interval '1 hour'
    from generate_series(1, 100000) as number`);
  await books.execute(sql`insert into jobs.job (name, data)
    select 'send-mail', jsonb_build_object('mailId', id) from mails order by id limit 85000`);
  await books.execute(sql`analyze`);
  await sweep(busy.services);
  const { rows } = await books.execute(sql`select count(*)::int as jobs, count(distinct data->>'mailId')::int as mails
    from jobs.job where name = 'send-mail'`);
  expect(rows).toEqual([{ jobs: 100_000, mails: 100_000 }]);
  await busy.stop();
});

test("A proposal that could not be made comes by the queue, once what stood in its way is gone", async () => {
  const working = await startTestServer();
  const { services, mailbox } = working;
  const { id, lines, userEmail } = await insertQuote(working, null, { proposalFile: null });
  const setLines = (those: typeof lines) =>
    services.database.update(quotes).set({ lines: those }).where(eq(quotes.id, id));
  await setLines([null as never]);
  await services.database.transaction((transaction) =>
    services.jobs.add(transaction, "render-proposal", { quoteId: id }, { retries: 0 }),
  );
  const states = async () =>
    (await services.database.execute(sql`select state from jobs.job where name = 'render-proposal'`)).rows;
  await expect.poll(states).toEqual([{ state: "failed" }]);
  await setLines(lines);
  working.passTime(3600);
  await sweep(services);
  expect((await mailbox.take(userEmail, /proposal/)).attachments).toHaveLength(1);
  await working.stop();
});
