import { eq } from "drizzle-orm";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { paiseFrom, rupees } from "../../contract/money.ts";
import type { PaymentForm } from "../../contract/orders.ts";
import { billingOf, giveBilling, sellerIs } from "../../tests/billing.ts";
import { answerTo, sayByReturn, sayByWebhook } from "../../tests/buyer.ts";
import { GatewayBooks } from "../../tests/gateway-books.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { quoteHolder } from "../../tests/paid-order.ts";
import { randomFrom } from "../../tests/random.ts";
import { startStandIn, type StandIn } from "../../tests/stand-in-gateway.ts";
import { deliverInvoice } from "../billing/invoices.ts";
import { attempts, eInvoices, invoices, mails, orders, rateLimits } from "../database/schema/index.ts";
import { sandboxKeys } from "../demo/sandbox-gateway.ts";
import { settleEInvoices } from "../e-invoices/settle-e-invoices.ts";
import type { InvoiceRegistrar } from "../outside/e-invoices/registrar.ts";
import { payuGateway } from "../outside/payments/payu.ts";
import { reconcilePayments } from "./reconcile-payments.ts";

/**
 * Random sequences of return, webhook, verify, duplicates, failures, late captures and crashes, through the real
 * server. A crash cuts every connection to the database at that moment, or loses a response on its way. At the end
 * everything works again and all that is owed is processed; then each order is compared with a model that knows nothing
 * of the product, only the gateway's books. HISTORIES=1000 runs that many, HISTORY_SEED=17 begins with that seed.
 */
const count = Number(process.env["HISTORIES"] ?? 100);
const firstSeed = Number(process.env["HISTORY_SEED"] ?? 1);
const inOneTest = 25;

let server: TestServer;
let books: GatewayBooks;
let standIn: StandIn;
let portal: InvoiceRegistrar;
/** The present state of the outside world. */
const outside = { gateway: "well", portal: "well", papers: "well" } as {
  gateway: "well" | "down";
  portal: "well" | "down" | "loses answers";
  papers: "well" | "not rendered" | "cut off behind the file";
};
/** Payments that a signed message called a success, whatever the gateway answers when asked. */
const claimed = new Set<string>();
/** How often the portal registered each document. */
const registered = new Map<string, number>();

beforeAll(async () => {
  server = await startTestServer({ work: false });
  const { services } = server;
  await sellerIs(server, { eInvoices: { from: "2020-04-01", place: "Bengaluru", pinCode: "560025" } });
  books = new GatewayBooks();
  standIn = await startStandIn((...asked) => (outside.gateway === "down" ? 503 : books.react(...asked)));
  services.gateway = payuGateway({ ...sandboxKeys(services.env), payUrl: standIn.url, apiUrl: standIn.url });
  if (!services.registrar) throw new Error("Demo mode has no portal");
  portal = services.registrar;
  services.registrar = unreliable(portal);
  // How documents look is tested elsewhere: here it matters only that each is made.
  const { write } = services.files;
  services.documents.render = async () => {
    if (outside.papers === "not rendered") throw new Error("the thread that renders died");
    return new TextEncoder().encode("%PDF");
  };
  services.files.write = async (name, bytes) => {
    await write.call(services.files, name, bytes);
    if (outside.papers === "cut off behind the file") throw new Error("the process was killed behind the file");
  };
});
afterAll(async () => {
  await standIn.stop();
  await server.stop();
});
let passed = 0;
const passTime = (seconds: number) => {
  server.passTime(seconds);
  passed += seconds;
};
afterEach(() => passTime(-passed));

/** The portal behind an unreliable network. */
const unreliable = (real: InvoiceRegistrar): InvoiceRegistrar => ({
  ...real,
  async register(document) {
    if (outside.portal === "down") throw new Error("the portal is down");
    const answer = await real.register(document);
    const { No } = document.DocDtls;
    if ("registered" in answer) registered.set(No, (registered.get(No) ?? 0) + 1);
    if (outside.portal === "loses answers") throw new Error("the answer was lost");
    return answer;
  },
  findByDocument: async (key) => {
    if (outside.portal === "down") throw new Error("the portal is down");
    return real.findByDocument(key);
  },
});

/** As when the process is killed: uncommitted work is lost, and nobody learns how it went. */
async function cutOff(): Promise<void> {
  const ofProduct = "pg_stat_activity where datname = current_database() and application_name = 'prahari'";
  const { rows } = await server.services.jobs.pool.query<{ pid: number }>(
    `select pid, pg_terminate_backend(pid) from ${ofProduct}`,
  );
  const left = `select from ${ofProduct} and pid = any($1)`;
  // oxlint-disable-next-line no-await-in-loop -- polls until the last is gone
  while ((await server.services.jobs.pool.query(left, [rows.map(({ pid }) => pid)])).rowCount) await sleep(2);
  // Waits until the product has noticed too: reading its books uses the same connections.
  await sleep(5);
}

const ends = [
  { status: "success", unmappedstatus: "captured" },
  { status: "success", unmappedstatus: "captured" },
  { status: "failure", unmappedstatus: "failed" },
  { status: "failure", unmappedstatus: "userCancelled" },
  { status: "pending", unmappedstatus: "pending" },
] as const;

type Holder = Awaited<ReturnType<typeof quoteHolder>>;

async function live(seed: number, holder: Holder): Promise<string> {
  const { below, pick } = randomFrom(seed);
  const forms: PaymentForm[] = [];
  const { services } = server;
  const acts: Record<string, () => Promise<unknown>> = {
    async start() {
      const { status, body } = await holder.start({ name: `Asha ${below(3)}` });
      if (status === 200) forms.push(body);
    },
    async "end at the gateway"() {
      const reference = pick(forms)?.fields["txnid"];
      // A capture at the gateway is final; anything else may still become one, even late.
      if (!reference || books.payments.get(reference)?.unmappedstatus === "captured") return;
      const amount = below(10) === 0 ? rupees(paiseFrom(holder.total) - 100) : holder.total;
      books.enter(reference, { amount, ...pick(ends) });
    },
    async tell() {
      const form = pick(forms);
      const booked = form && books.payments.get(form.fields["txnid"] ?? "");
      if (!form || !booked) return;
      const said = below(4) === 0 ? pick(ends) : booked;
      const answer = answerTo(server, form, { ...said, mihpayid: booked.paymentId });
      if (said.status === "success") claimed.add(form.fields["txnid"] ?? "");
      const ways = [sayByReturn, sayByWebhook];
      await Promise.all(Array.from({ length: 1 + below(3) }, () => pick(ways)(server, answer)));
    },
    async "let time pass"() {
      passTime(pick([40, 1000, 4000, 30_000]));
    },
    verify: () => Promise.all(Array.from({ length: 1 + below(2) }, () => reconcilePayments(services))),
    "make papers": () => Promise.all(Array.from({ length: 1 + below(2) }, () => makePapers(holder.quote.id))),
    register: () => Promise.all(Array.from({ length: 1 + below(2) }, () => settleEInvoices(services))),
  };
  const often = ["end at the gateway", "tell", "tell", "verify", "make papers"];
  const names = [...Object.keys(acts), ...often];
  const told: string[] = [];
  for (const name of ["start", "end at the gateway", ...Array.from({ length: 8 }, () => pick(names))]) {
    outside.gateway = below(6) === 0 ? "down" : "well";
    outside.portal = pick(["well", "well", "down", "loses answers"]);
    outside.papers = pick(["well", "well", "not rendered", "cut off behind the file"]);
    const crash = below(5) === 0 ? below(12) : null;
    told.push(`${name}${crash === null ? "" : `, cut off after ${crash} ms`}`);
    const act = Promise.resolve(acts[name]?.()).catch(() => {});
    if (crash !== null) {
      // oxlint-disable-next-line no-await-in-loop -- in sequence
      await sleep(crash);
      // oxlint-disable-next-line no-await-in-loop
      await cutOff();
    }
    // oxlint-disable-next-line no-await-in-loop
    await act;
  }
  return told.join("; ");
}

/** Makes the documents of an order's invoice, as often as a worker or the sweep would. */
async function makePapers(quoteId: string): Promise<void> {
  for (const { id } of (await booksOf(quoteId)).made)
    // oxlint-disable-next-line no-await-in-loop
    await deliverInvoice(server.services, id).catch(() => {});
}

/** Everything works again, and all that is owed is processed. */
async function comeToRest(): Promise<void> {
  Object.assign(outside, { gateway: "well", portal: "well", papers: "well" });
  for (const seconds of [120, 3700, 22_000, 90_000]) {
    passTime(seconds);
    // oxlint-disable-next-line no-await-in-loop -- in sequence
    await reconcilePayments(server.services);
    // oxlint-disable-next-line no-await-in-loop
    await settleEInvoices(server.services);
  }
}

async function booksOf(quoteId: string) {
  const { database } = server.services;
  const [order] = await database.select().from(orders).where(eq(orders.quoteId, quoteId));
  const ofOrder = order?.id ?? "00000000-0000-0000-0000-000000000000";
  return {
    order,
    tries: await database.select().from(attempts).where(eq(attempts.orderId, ofOrder)).orderBy(attempts.id),
    made: await database.select().from(invoices).where(eq(invoices.orderId, ofOrder)),
  };
}

/** What has to be true of an order, derived from the gateway's books alone. */
function modelOf(references: readonly string[], total: string) {
  const booked = references.map((reference) => books.payments.get(reference));
  const captured = booked.filter((each) => each?.unmappedstatus === "captured");
  const right = captured.filter((each) => each?.amount === total);
  const isWithBank = booked.some((each) => each?.status === "pending");
  // A success that was reported but not confirmed for a day goes to a person, unless the gateway has denied it
  // meanwhile.
  const isClaimed = references.some((reference) => claimed.has(reference));
  return {
    states:
      right.length > 0
        ? ["success"]
        : captured.length > 0
          ? ["review"]
          : [...(isWithBank ? ["pending"] : []), ...(isClaimed ? ["review"] : []), "failure", "expired"],
    needsPerson: captured.length > (right.length > 0 ? 1 : 0),
    invoices: right.length > 0 ? 1 : 0,
  };
}

async function faultsOf({ quote, total, person }: Holder, files: readonly string[], isRegistered: boolean) {
  const { order, tries, made } = await booksOf(quote.id);
  const { database } = server.services;
  const faults: string[] = [];
  const check = (isRight: boolean, fault: string) => isRight || faults.push(fault);
  if (!order) return books.payments.size === 0 ? ["nothing was ever started"] : [];
  const model = modelOf(
    tries.map(({ reference }) => reference),
    total,
  );
  check(model.states.includes(order.state), `it shows ${order.state}, and ${model.states.join(" or ")} is right`);
  check(!model.needsPerson || order.reviewReason !== null, "money too much or too little, and nobody is told");
  check(made.length === model.invoices, `it has ${made.length} invoices where ${model.invoices} is right`);
  const [invoice] = made;
  check((await database.$count(mails, eq(mails.eventKey, `receipt:${order.id}`))) === made.length, "mails");
  check((await database.$count(mails, eq(mails.recipient, person.email))) === made.length, "other mails");
  if (!invoice) return faults;
  check(invoice.file !== null && files.includes(invoice.file), "its PDF is missing");
  check(invoice.content.totalPaise === paiseFrom(total), "it is invoiced with another sum than was paid");
  const portalRows = await database.select().from(eInvoices).where(eq(eInvoices.invoiceId, invoice.id));
  check(portalRows.length === (isRegistered ? 1 : 0), `${portalRows.length} registrations are due`);
  for (const { state } of portalRows) check(state === "registered", `its registration is ${state}`);
  check((registered.get(invoice.number) ?? 0) === portalRows.length, "the portal was told of it twice, or never");
  return faults;
}

/** Serial numbers of invoices that are missing or used twice. */
async function gaps(): Promise<number[]> {
  const rows = await server.services.database
    .select({ serial: invoices.serial })
    .from(invoices)
    .orderBy(invoices.serial);
  return rows.map(({ serial }) => serial).filter((serial, index) => serial !== index + 1);
}

describe("Random orders of what may happen to a payment, with crashes, leave no order wrong and no document missing or doubled", () => {
  const parts = Array.from({ length: Math.ceil(count / inOneTest) }, (_, part) => firstSeed + part * inOneTest);
  it.each(parts)("from seed %i on", async (from) => {
    await server.services.database.delete(rateLimits);
    const lived: { seed: number; holder: Holder; told: string; isRegistered: boolean }[] = [];
    for (let seed = from; seed < Math.min(from + inOneTest, firstSeed + count); seed++) {
      // Sessions last half a day, histories longer, so the clock goes back.
      passTime(-passed);
      // oxlint-disable-next-line no-await-in-loop -- they share the clock
      const holder = await quoteHolder(server);
      const isRegistered = seed % 2 === 0;
      // oxlint-disable-next-line no-await-in-loop
      if (isRegistered) await asRegistered(holder);
      // oxlint-disable-next-line no-await-in-loop
      lived.push({ seed, holder, isRegistered, told: await live(seed, holder) });
    }
    await comeToRest();
    // oxlint-disable-next-line no-await-in-loop -- in sequence
    for (const { holder } of lived) await makePapers(holder.quote.id);
    const files: string[] = [];
    // oxlint-disable-next-line no-await-in-loop
    for await (const name of server.services.files.list()) files.push(name);
    for (const { seed, holder, isRegistered, told } of lived)
      // oxlint-disable-next-line no-await-in-loop
      expect(await faultsOf(holder, files, isRegistered), `seed ${seed}: ${told}`).toEqual([]);
    expect(await gaps()).toEqual([]);
  });
});

/** Registers the buyer in the seller's own state, so that the total is the quote's to the paisa. */
async function asRegistered({ person }: Holder): Promise<void> {
  const { legalName } = billingOf.kerala;
  await giveBilling(server, person.email, {
    billingKind: "registered",
    legalName,
    billingAddress: "3 Brigade Road, Bengaluru",
    pinCode: "560001",
    billingState: "29",
    gstin: "29AAGCG6253J1Z8",
  });
}
