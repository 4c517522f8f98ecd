import { and, eq, like } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { formatRupees, rupees } from "../../contract/money.ts";
import { giveBilling, letterOfSeller, sellerIs } from "../../tests/billing.ts";
import { answerTo, attemptsOf, enterAtGateway, orderOf, webhook } from "../../tests/buyer.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { overtaken } from "../../tests/overtaken.ts";
import { insertOrder, insertQuote, quoteHolder } from "../../tests/paid-order.ts";
import { member, type Member } from "../../tests/people.ts";
import { whileHeld } from "../../tests/while-held.ts";
import { readPdf } from "../../tests/read-pdf.ts";
import {
  attempts,
  findings,
  mails,
  notices,
  orders,
  people,
  quoteDecisions,
  quotes,
  rateLimits,
} from "../database/schema/index.ts";
import { checkAttempt } from "../orders/check-attempt.ts";
import { readAttachments } from "../outside/documents/verify-pdf.ts";
import { deliverAcceptance } from "./deliver-acceptance.ts";
import { deliverProposal } from "./deliver-proposal.ts";
import { verifyAcceptance } from "./verify-acceptance.ts";

let server: TestServer;
let buyer: Member;
let admin: Member;
beforeAll(async () => {
  server = await startTestServer({ work: false });
  buyer = await member(server, "user");
  admin = await member(server, "admin");
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.services.database.delete(rateLimits);
});

/** A quote whose proposal is in the file store. */
async function proposed(over: Parameters<typeof insertQuote>[2] = {}) {
  const quote = await insertQuote(server, buyer, { proposalFile: null, ...over });
  await deliverProposal(server.services, quote.id);
  return { quote_id: quote.id, revision: 1, amount: rupees(quote.totalPaise) };
}
type Proposed = Awaited<ReturnType<typeof proposed>>;
const ofRevision = ({ quote_id, revision }: Proposed) => ({ quote_id, revision });

const termsOf = (quote: Proposed, who = buyer) =>
  server.call("user/quotes/terms", { quote_id: quote.quote_id }, who.token);

async function mailedCode(quote: Proposed, who = buyer): Promise<string> {
  const asked = await server.call("user/quotes/mail-code", ofRevision(quote), who.token);
  expect(asked.status).toBe(200);
  const { database } = server.services;
  const found = await database.select().from(mails).where(eq(mails.recipient, who.email)).orderBy(mails.createdAt);
  const content = found.at(-1)?.content as { template?: string; code?: string } | null;
  expect(content?.template).toBe("acceptanceCode");
  return content?.code ?? "";
}

async function acceptanceOf(quote: Proposed, who = buyer) {
  const { body } = await termsOf(quote, who);
  return {
    ...ofRevision(quote),
    terms_hash: body.terms_hash,
    name: "Asha Rao",
    designation: "Head of IT",
    has_authority: true as const,
    code: await mailedCode(quote, who),
  };
}
const accept = async (quote: Proposed) => server.call("user/quotes/accept", await acceptanceOf(quote), buyer.token);
const decline = (quote: Proposed) =>
  server.call("user/quotes/decline", { ...ofRevision(quote), reason: "Too dear." }, buyer.token);
const decisionsOf = ({ quote_id }: Proposed) =>
  server.services.database.select().from(quoteDecisions).where(eq(quoteDecisions.quoteId, quote_id));
const told = async (kind: "quote accepted" | "quote declined", { quote_id }: Proposed) =>
  server.services.database.$count(notices, and(eq(notices.kind, kind), like(notices.eventKey, `%${quote_id}:1`)));

describe("A proposal is accepted", () => {
  it("by a named person with a mailed code, and the evidence is appended to it and can be verified", async () => {
    const quote = await proposed();
    expect((await accept(quote)).status).toBe(200);
    const [decision] = await decisionsOf(quote);
    await deliverAcceptance(server.services, decision?.id ?? "");
    const file = `acceptance-${decision?.id}.pdf`;
    const { body } = await termsOf(quote);
    expect(body.decision).toMatchObject({ kind: "accepted", name: "Asha Rao", designation: "Head of IT", file });
    const pdf = await server.services.files.read(file);
    const { pages } = await readPdf(pdf);
    expect(pages.at(-1)).toContain("Asha Rao, Head of IT of Kaveri Textiles, accepted this proposal");
    expect(pages.at(-1)).toContain(decision?.termsHash);
    // To be copied: with two hyphens.
    expect(pages.at(-1)).toContain("“npm run verify -- FILE”");
    expect(pages[0]).toContain("Proposal");
    expect(verifyAcceptance(readAttachments(pdf))?.checks.map(([, holds]) => holds)).toEqual([true, true]);
    const [mail] = await server.services.database
      .select()
      .from(mails)
      .where(eq(mails.eventKey, `acceptance:${decision?.id}`));
    expect([mail?.recipient, mail?.attachments[0]?.file]).toEqual([buyer.email, file]);
    // Run again, as after a crash, it sends nothing twice.
    await deliverAcceptance(server.services, decision?.id ?? "");
    const signed = await server.call("user/get-signed-url", { fileName: file }, buyer.token);
    expect(signed.status).toBe(200);
  });

  it("and its document goes to the address that who accepted has by now, and to nobody who may not enter any more", async () => {
    const { database } = server.services;
    const recipientsAfter = async (change: Partial<typeof people.$inferInsert>) => {
      const who = await member(server, "userChild", { organisationId: buyer.organisationId });
      const quote = await proposed();
      const accepted = await server.call("user/quotes/accept", await acceptanceOf(quote, who), who.token);
      expect(accepted.status).toBe(200);
      const [{ id } = { id: "" }] = await decisionsOf(quote);
      await database.update(people).set(change).where(eq(people.id, who.id));
      await deliverAcceptance(server.services, id);
      const mailed = eq(mails.eventKey, `acceptance:${id}`);
      return (await database.select().from(mails).where(mailed)).map(({ recipient }) => recipient);
    };
    const email = `${randomUUID()}@example.in`;
    expect(await recipientsAfter({ email })).toEqual([email]);
    expect(await recipientsAfter({ suspendedAt: new Date() })).toEqual([]);
    expect(await recipientsAfter({ erasedAt: new Date() })).toEqual([]);
  });

  it("and its document stays the bytes that were kept and mailed, when a slower worker comes after another", async () => {
    const quote = await proposed();
    await accept(quote);
    const [{ id } = { id: "" }] = await decisionsOf(quote);
    const { files } = server.services;
    let kept: Uint8Array = Buffer.alloc(0);
    const faster = async () => {
      await deliverAcceptance(server.services, id);
      kept = await files.read(`acceptance-${id}.pdf`);
    };
    await deliverAcceptance(overtaken(server.services, faster), id);
    expect(kept.length).toBeGreaterThan(1000);
    expect(Buffer.compare(await files.read(`acceptance-${id}.pdf`), kept)).toBe(0);
  });

  it("once, however many do so at once, and the sellers are told once", async () => {
    const quote = await proposed();
    const acceptance = await acceptanceOf(quote);
    // The limit of tries is meant for guessing, and must not interfere here.
    const attempts = Array.from({ length: 10 }, () => server.call("user/quotes/accept", acceptance, buyer.token));
    const statuses = (await Promise.all(attempts)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(9);
    expect(await decisionsOf(quote)).toHaveLength(1);
    expect(await told("quote accepted", quote)).toBe(1);
  });

  it("and its partner is told only of what it has made itself", async () => {
    const partner = await member(server, "partner");
    const customer = await member(server, "user", { partnerId: partner.organisationId });
    const toldOf = async (partnerId: string | null) => {
      const quote = await insertQuote(server, customer, { proposalFile: `proposal-${randomUUID()}.pdf`, partnerId });
      const declined = { quote_id: quote.id, revision: 1, reason: "Too dear." };
      expect((await server.call("user/quotes/decline", declined, customer.token)).status).toBe(200);
      return server.services.database.$count(notices, eq(notices.personId, partner.id));
    };
    const former = await member(server, "partner");
    expect([await toldOf(null), await toldOf(former.organisationId), await toldOf(partner.organisationId)]).toEqual([
      0, 0, 1,
    ]);
  });

  it("with the right code only, which is its person's, its quote's and of ten minutes", async () => {
    const quote = await proposed();
    const colleague = await member(server, "userChild", { organisationId: buyer.organisationId });
    const other = await proposed();
    const acceptance = await acceptanceOf(quote);
    const wrong = [
      { ...acceptance, code: acceptance.code === "000000" ? "000001" : "000000" },
      { ...acceptance, code: await mailedCode(other) },
      { ...acceptance, code: await mailedCode(quote, colleague) },
    ].filter(({ code }) => code !== acceptance.code);
    for (const attempt of wrong)
      expect((await server.call("user/quotes/accept", attempt, buyer.token)).body).toMatchObject({
        code: "invalid",
        fields: { code: expect.stringContaining("not right") },
      });
    const real = server.services.now;
    try {
      server.services.now = () => new Date(real().getTime() + 21 * 60_000);
      expect((await server.call("user/quotes/accept", acceptance, buyer.token)).status).toBe(422);
    } finally {
      server.services.now = real;
    }
    expect(await decisionsOf(quote)).toEqual([]);
    expect((await server.call("user/quotes/accept", acceptance, buyer.token)).status).toBe(200);
  });

  it("not by guessing: after ten tries of an hour even the right code waits", async () => {
    const quote = await proposed();
    const acceptance = await acceptanceOf(quote);
    const guess = (code: string) => server.call("user/quotes/accept", { ...acceptance, code }, buyer.token);
    const codes = Array.from({ length: 10 }, (_, index) => String(index).repeat(6)).filter(
      (code) => code !== acceptance.code,
    );
    for (const code of codes) expect((await guess(code)).status).toBe(422);
    await guess("123123");
    expect((await guess(acceptance.code)).status).toBe(429);
    expect(await decisionsOf(quote)).toEqual([]);
  });

  it("by a buyer abroad for the sum without tax, which both mails say", async () => {
    await sellerIs(server, { undertaking: letterOfSeller });
    const abroad = await member(server, "user");
    await giveBilling(server, abroad.email, { billingKind: "abroad", billingCountry: "AE", billingState: null });
    const { id, subtotalPaise, discountPaise } = await insertQuote(server, abroad, { proposalFile: null });
    await deliverProposal(server.services, id);
    const quote = { quote_id: id, revision: 1, amount: "" };
    const accepted = await server.call("user/quotes/accept", await acceptanceOf(quote, abroad), abroad.token);
    expect(accepted.status).toBe(200);
    const [decision] = await decisionsOf(quote);
    await deliverAcceptance(server.services, decision?.id ?? "");
    const written = await server.services.database
      .select()
      .from(mails)
      .where(and(eq(mails.recipient, abroad.email), like(mails.eventKey, "acceptance%")));
    const untaxed = expect.objectContaining({ totalPaise: subtotalPaise - discountPaise });
    expect(written.map(({ content }) => content)).toEqual([untaxed, untaxed]);
    const { body } = await termsOf(quote, abroad);
    const { estimation } = (await server.call("user/get-estimation", {}, abroad.token)).body;
    const { number, organization_name, total_cost, tax, contract } = body;
    expect(estimation).toMatchObject([{ number, organization_name, total_cost, tax, contract }]);
    expect(tax?.total).toBe(rupees(subtotalPaise - discountPaise));
  });

  it("or declined by a buyer abroad, and the bell says the sum without tax", async () => {
    await sellerIs(server, { undertaking: letterOfSeller });
    const abroad = await member(server, "user");
    await giveBilling(server, abroad.email, { billingKind: "abroad", billingCountry: "AE", billingState: null });
    const isToldOf = async (kind: "accepted" | "declined") => {
      const { id, subtotalPaise, discountPaise } = await insertQuote(server, abroad, { proposalFile: null });
      await deliverProposal(server.services, id);
      const quote = { quote_id: id, revision: 1, amount: "" };
      if (kind === "accepted") await server.call("user/quotes/accept", await acceptanceOf(quote, abroad), abroad.token);
      else await server.call("user/quotes/decline", { ...ofRevision(quote), reason: "Too dear." }, abroad.token);
      const [notice] = await server.services.database
        .select()
        .from(notices)
        .where(and(eq(notices.personId, admin.id), eq(notices.eventKey, `quote ${kind}:${id}:1`)));
      expect(notice?.text).toContain(`comes to ${formatRupees(subtotalPaise - discountPaise)}.`);
    };
    await isToldOf("accepted");
    await isToldOf("declined");
  });

  it("not with other terms, without authority, or by another customer", async () => {
    const quote = await proposed();
    const acceptance = await acceptanceOf(quote);
    const attempt = (over: object, who = buyer) =>
      server.call("user/quotes/accept", { ...acceptance, ...over }, who.token);
    expect((await attempt({ terms_hash: "0".repeat(64) })).status).toBe(409);
    expect((await attempt({ has_authority: false })).status).toBe(422);
    const stranger = await member(server, "user");
    expect((await attempt({}, stranger)).status).toBe(422);
    for (const name of ["user/quotes/mail-code", "user/quotes/decline"] as const)
      expect((await server.call(name, { ...ofRevision(quote), reason: "x" }, stranger.token)).status).toBe(404);
    expect((await termsOf(quote, stranger)).status).toBe(404);
    expect(await decisionsOf(quote)).toEqual([]);
  });
});

describe("Nothing is accepted or declined", () => {
  it.each<[string, () => Promise<Proposed>, RegExp]>([
    ["that is superseded", async () => ({ ...(await proposed()), revision: 2 }), /was revised meanwhile/],
    ["that has expired", () => proposed({ validUntil: new Date("2020-01-01") }), /has expired/],
    [
      "whose proposal is not made",
      async () => {
        const quote = await insertQuote(server, buyer, { proposalFile: null });
        return { quote_id: quote.id, revision: 1, amount: "" };
      },
      /still being made/,
    ],
    [
      "that is bought",
      async () => {
        const order = await insertOrder(server, buyer);
        return { quote_id: order.quoteId, revision: 1, amount: "" };
      },
      /has been bought already/,
    ],
  ])("%s", async (_what, make, sentence) => {
    const quote = await make();
    for (const answer of [
      await server.call("user/quotes/mail-code", ofRevision(quote), buyer.token),
      await decline(quote),
    ])
      expect([answer.status, answer.body]).toEqual([
        409,
        expect.objectContaining({ error: expect.stringMatching(sentence) }),
      ]);
  });
});

describe("A quote", () => {
  const pay = (quote: Proposed) =>
    server.call(
      "user/orders",
      { email: buyer.email, quote_id: quote.quote_id, amount: quote.amount, name: "Asha Rao", phone: "+919876543210" },
      buyer.token,
    );
  const listed = async (quote: Proposed) => {
    const { body } = await server.call("user/get-estimation", { limit: 50 }, buyer.token);
    return body.estimation.find(({ id }) => id === quote.quote_id)?.decision;
  };

  it("that was declined says why, tells the sellers, and can't be bought", async () => {
    const quote = await proposed();
    expect((await decline(quote)).status).toBe(200);
    expect((await decline(quote)).status).toBe(409);
    expect((await termsOf(quote)).body.decision).toMatchObject({ kind: "declined", reason: "Too dear.", file: null });
    expect(await listed(quote)).toBe("declined");
    expect(await told("quote declined", quote)).toBe(1);
    expect((await pay(quote)).body).toMatchObject({ error: expect.stringContaining("was declined") });
    expect(await server.services.database.$count(orders, eq(orders.quoteId, quote.quote_id))).toBe(0);
  });

  it("that is paid while it is declined stays bought", async () => {
    const quote = await proposed();
    expect((await pay(quote)).status).toBe(200);
    const paid = `update orders set state = 'success', payment_id = 'while declined', paid_at = now()
      where quote_id = '${quote.quote_id}'`;
    const [answer] = await whileHeld(server, paid, () => [decline(quote)], 1, "commit");
    expect([answer?.status, answer?.body]).toEqual([
      409,
      { error: expect.stringContaining("bought already"), code: "conflict" },
    ]);
    expect(await decisionsOf(quote)).toEqual([]);
  });

  it("that a colleague is paying for is not declined beside their form; one's own form is left with it", async () => {
    const quote = await proposed();
    expect((await pay(quote)).status).toBe(200);
    const [order] = await server.services.database.select().from(orders).where(eq(orders.quoteId, quote.quote_id));
    const ofOrder = eq(attempts.orderId, order?.id ?? "");
    const startedBy = (id: string) => server.services.database.update(attempts).set({ startedBy: id }).where(ofOrder);
    await startedBy(admin.id);
    const declined = await decline(quote);
    expect([declined.status, declined.body]).toMatchObject([409, { error: expect.stringMatching(/has begun to pay/) }]);
    expect(await decisionsOf(quote)).toEqual([]);
    await startedBy(buyer.id);
    expect((await decline(quote)).status).toBe(200);
    const [attempt] = await server.services.database.select().from(attempts).where(ofOrder);
    expect(attempt).toMatchObject({ supersededBy: buyer.id });
  });

  it("and its payment that is settled meanwhile wait for each other in one order", async () => {
    const { quote, person, start } = await quoteHolder(server);
    const form = (await start()).body;
    await enterAtGateway(server, answerTo(server, form));
    const [attempt] = await attemptsOf(server, quote.id);
    // The settling call holds the order and waits for the attempt; the declining one holds the quote and waits for the
    // order.
    const [, declined] = await whileHeld(server, `select from attempts where id = '${attempt?.id}' for update`, () => [
      checkAttempt(server.services, attempt?.reference ?? "").then(() => ({ status: 0 })),
      sleep(500).then(() =>
        server.call("user/quotes/decline", { quote_id: quote.id, revision: 1, reason: "Too dear." }, person.token),
      ),
    ]);
    expect(declined?.status).toBe(409);
    expect(await orderOf(server, quote.id)).toMatchObject({ state: "success" });
  });

  it("that was declined beside a form, which is paid all the same, calls a person", async () => {
    const { quote, person, start } = await quoteHolder(server);
    const form = (await start()).body;
    const declined = { quote_id: quote.id, revision: 1, reason: "Too dear." };
    expect((await server.call("user/quotes/decline", declined, person.token)).status).toBe(200);
    await webhook(server, answerTo(server, form));
    await expect.poll(async () => (await orderOf(server, quote.id))?.state).toBe("success");
    const order = await orderOf(server, quote.id);
    const found = await server.services.database
      .select()
      .from(findings)
      .where(eq(findings.orderId, order?.id ?? ""));
    expect(found).toMatchObject([
      { kind: "declined quote paid", says: expect.stringMatching(/declined Q-\d+ and has/) },
    ]);
  });

  it("that was accepted can be bought, and is not revised any more", async () => {
    const quote = await proposed();
    expect((await accept(quote)).status).toBe(200);
    expect(await listed(quote)).toBe("accepted");
    const revision = {
      quote_id: quote.quote_id,
      revision: 1,
      devices: [{ service: "Server", deviceType: "Prod Server", number: 3, option: false, yearly: null }],
      discountPercent: null,
      note: "",
      total_cost: "1.00",
    };
    const revised = await server.call("admin/leads/revise-quote", revision, admin.token);
    expect([revised.status, revised.body]).toEqual([
      409,
      expect.objectContaining({ error: expect.stringContaining("has accepted this quote") }),
    ]);
    expect((await pay(quote)).status).toBe(200);
  });

  it("that was declined and is revised can be decided anew", async () => {
    const quote = await proposed();
    await decline(quote);
    await server.services.database
      .update(quotes)
      .set({ revision: 2, decision: null, proposalFile: null, revisedAt: new Date() })
      .where(eq(quotes.id, quote.quote_id));
    await deliverProposal(server.services, quote.quote_id);
    expect((await accept({ ...quote, revision: 2 })).status).toBe(200);
    expect((await decisionsOf(quote)).map(({ revision, kind }) => [revision, kind])).toEqual([
      [1, "declined"],
      [2, "accepted"],
    ]);
  });

  it("whose proposal was changed in the store gives no accepted document", async () => {
    const quote = await proposed();
    await accept(quote);
    const [decision] = await decisionsOf(quote);
    const [row] = await server.services.database.select().from(quotes).where(eq(quotes.id, quote.quote_id));
    await server.services.files.write(row?.proposalFile ?? randomUUID(), Buffer.from("%PDF-1.7 another"));
    await expect(deliverAcceptance(server.services, decision?.id ?? "")).rejects.toThrow(
      "not the one that was accepted",
    );
  });
});
