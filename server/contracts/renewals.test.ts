import { and, asc, eq, like } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { brand } from "../../contract/brand.ts";
import { customService } from "../../contract/devices.ts";
import { writtenDay } from "../../contract/india-time.ts";
import { formatRupees } from "../../contract/money.ts";
import { quoteNumber } from "../../contract/numbers.ts";
import { daysAfter } from "../../contract/proration.ts";
import { giveBilling, letterOfSeller, sellerIs } from "../../tests/billing.ts";
import { again, buyQuote, contractHolder, contractOf, contractRow } from "../../tests/contract.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { member, type Member } from "../../tests/people.ts";
import {
  auditEntries,
  contractLines,
  contracts,
  mails,
  notices,
  organisations,
  people,
  quoteDecisions,
  quotes,
  rateCards,
} from "../database/schema/index.ts";
import { type MailContent, renderMail } from "../mail/templates.ts";
import { paperDay } from "../outside/documents/paper.ts";
import { deliverProposal } from "../quotes/deliver-proposal.ts";
import { termsOf } from "../quotes/proposal.ts";
import { hashOfTerms } from "../quotes/verify-acceptance.ts";
import { currentRateCard } from "../rates/rate-card.ts";
import { renewContracts, stageOn } from "./renewals.ts";

/** Its clock only moves forward between tests: each test has contracts of its own. */
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ work: false });
});
afterAll(() => server.stop());

const day = 24 * 3600;
const database = () => server.services.database;
const today = () => writtenDay(server.services.now());
const run = () => renewContracts(server.services);
/** Turns the clock until this many days of a contract are left, whether or not its year has a leap day. */
const passUntilLeft = (days: number, { ends_on }: { ends_on: string }) => {
  while (today() < daysAfter(ends_on, -days)) server.passTime(day);
};

/** What an administrator sends to revise a quote without changing its devices. */
const termsOfRevision = (quote: typeof quotes.$inferSelect | undefined) => ({
  quote_id: quote?.id ?? "",
  devices: (quote?.lines ?? []).map(({ key, service, deviceType, number }) => ({
    ...(key ?? { service, deviceType }),
    number,
    option: false,
    yearly: null,
  })),
  discountPercent: null,
});

const renewalsOf = (contractId: string) =>
  database().select().from(quotes).where(eq(quotes.contractId, contractId)).orderBy(asc(quotes.id));

/** Publishes a card with every price doubled, in force from now on. */
async function doublePrices(): Promise<void> {
  const { id: _id, serial: _serial, ...card } = await currentRateCard(server.services);
  const rates = card.rates.map((rate) => ({ ...rate, yearlyPaise: 2 * rate.yearlyPaise }));
  await database()
    .insert(rateCards)
    .values({ ...card, rates, inForceFrom: server.services.now() });
}

const mailsAbout = (kind: string, contractId: string) =>
  database()
    .select()
    .from(mails)
    .where(like(mails.eventKey, `${kind}%:${contractId}%`))
    .orderBy(asc(mails.id));

async function choose(person: Member, contract_id: string, automatic: boolean) {
  const { token } = await again(server, person);
  return server.call("user/contracts/choose-renewal", { contract_id, automatic }, token);
}

const endingsOf = (contractId: string) =>
  database().$count(
    auditEntries,
    and(eq(auditEntries.action, "end renewal"), eq(auditEntries.subject, `contract:${contractId}`)),
  );

/** Removes all of a contract's devices from today on, or `fewer` of each line. */
async function takeAway(person: Member, fewer = Infinity): Promise<void> {
  const [{ token }, admin] = [await again(server, person), await member(server, "admin")];
  const { id: contract_id, lines } = await contractOf(server, person);
  for (const { series, quantity: held } of lines) {
    const quantity = Math.min(held, fewer);
    const asked = { id: randomUUID(), contract_id, series, quantity, wished_on: today(), reason: "The site closes" };
    expect((await server.call("user/contracts/ask-less", asked, token)).status).toBe(201);
    const decision = { id: asked.id, agreed: true, effective_on: today(), answer: "Agreed" };
    expect((await server.call("admin/contracts/decide-less", decision, admin.token)).status).toBe(200);
  }
}

async function addDevices(
  person: Member,
  contract_id: string,
  selectedDevices: { service: string; deviceType: string; number: number }[],
): Promise<void> {
  const { token } = await again(server, person);
  const asked = { contract_id, selectedDevices, from: today() };
  const { body } = await server.call("user/contracts/price-addition", asked, token);
  const made = { ...asked, quote_id: randomUUID(), total_cost: body.total };
  await server.call("user/contracts/add-devices", made, token);
  await buyQuote(server, person, made.quote_id);
}

describe("The quote for the next year", () => {
  it("is made 60 days before the end, once, at the prices of that day, and can be bought until 30 days after it", async () => {
    const { contract } = await contractHolder(server);
    server.passTime(303 * day);
    await run();
    expect(await renewalsOf(contract.id)).toEqual([]);
    server.passTime(2 * day);
    await Promise.all([run(), run(), run()]);
    await run();
    const [quote, ...more] = await renewalsOf(contract.id);
    expect(more).toEqual([]);
    const from = daysAfter(contract.ends_on, 1);
    expect(quote).toMatchObject({ revision: 1, term: { kind: "renew", from, contractNumber: contract.number } });
    expect(quote?.lines.map(({ deviceType, number }) => [deviceType, number])).toEqual([
      ["Prod Server", 10],
      ["Firewall", 2],
    ]);
    expect(quote && writtenDay(quote.validUntil)).toBe(daysAfter(contract.ends_on, 30));
    // The proposal is this stage's mail.
    expect(await mailsAbout("renewal-due", contract.id)).toEqual([]);
    const told = await database()
      .select()
      .from(notices)
      .where(like(notices.eventKey, `renewal due:${contract.id}%`));
    expect(new Set(told.map(({ eventKey }) => eventKey)).size).toBe(1);
  });

  it("is told by the bell with what is paid for it: without GST where none is charged, also once it is accepted by choice", async () => {
    await sellerIs(server, { undertaking: letterOfSeller });
    const { person, contract } = await contractHolder(server);
    await giveBilling(server, person.email, { billingKind: "abroad", billingState: null, billingCountry: "AE" });
    await choose(person, contract.id, true);
    server.passTime(305 * day);
    await run();
    const [quote] = await renewalsOf(contract.id);
    const withoutTax = formatRupees((quote?.subtotalPaise ?? 0) - (quote?.discountPaise ?? 0));
    const textsOf = async (eventKey: string) =>
      new Set(
        (await database().select().from(notices).where(like(notices.eventKey, eventKey))).map(({ text }) => text),
      );
    expect(await textsOf(`renewal due:${contract.id}%`)).toContain(
      `${quoteNumber(quote?.serial ?? 0)} renews it for ${withoutTax}.`,
    );
    server.passTime(54 * day);
    await run();
    expect([...(await textsOf(`renewal accepted:${quote?.id}`))]).toContainEqual(
      `It renews ${contract.number} for ${withoutTax} once it is paid. Nothing was charged.`,
    );
  });

  it("is for who may enter once it is revised, where whom it was made for may not any more", async () => {
    const { person, contract } = await contractHolder(server);
    passUntilLeft(60, contract);
    await run();
    expect(await renewalsOf(contract.id)).toMatchObject([{ userEmail: person.email }]);
    await member(server, "user", { organisationId: person.organisationId });
    const suspended = { role: "userChild" as const, suspendedAt: server.services.now() };
    await database().update(people).set(suspended).where(eq(people.id, person.id));
    await doublePrices();
    passUntilLeft(30, contract);
    await run();
    const [revised] = await renewalsOf(contract.id);
    expect([revised?.revision, revised?.userEmail === person.email]).toEqual([2, false]);
  });

  it("is reminded of 30 and 7 days before, revised there where prices changed, and never in between", async () => {
    const { person, contract } = await contractHolder(server);
    server.passTime(305 * day);
    await run();
    const [before] = await renewalsOf(contract.id);
    server.passTime(20 * day);
    await doublePrices();
    await run();
    expect(await renewalsOf(contract.id)).toEqual([before]);
    server.passTime(10 * day);
    await run();
    await run();
    const [revised] = await renewalsOf(contract.id);
    expect(revised).toMatchObject({ revision: 2, subtotalPaise: 2 * (before?.subtotalPaise ?? 0) });
    server.passTime(23 * day);
    await run();
    await run();
    expect((await renewalsOf(contract.id))[0]?.revision).toBe(2);
    const link = `/user/contract?contract=${contract.number}`;
    const reminders = await mailsAbout("renewal-due", contract.id);
    expect(reminders).toMatchObject([{ recipient: person.email, content: { link: server.url + link } }]);
    const [rung] = await database()
      .select()
      .from(notices)
      .where(like(notices.eventKey, `renewal due:${contract.id}%`));
    expect(rung?.link).toBe(link);
    expect((await contractRow(server, contract.id)).renewalStage).toBe(7);
  });

  it("comes all the same after days of standing still, also when the contract has ended meanwhile", async () => {
    const { person, contract } = await contractHolder(server);
    server.passTime(375 * day);
    await run();
    await run();
    const [quote, ...more] = await renewalsOf(contract.id);
    expect(more).toEqual([]);
    expect(quote && writtenDay(quote.validUntil)).toBe(daysAfter(contract.ends_on, 30));
    await buyQuote(server, person, quote?.id ?? "");
    const next = await contractOf(server, person);
    // From the day after the end on, whenever it is paid.
    expect(next).toMatchObject({
      starts_on: daysAfter(contract.ends_on, 1),
      renews: contract.number,
      state: "running",
    });
    expect(await database().$count(contracts, eq(contracts.organisationId, person.organisationId))).toBe(2);
    await run();
    expect(await renewalsOf(contract.id)).toHaveLength(1);
  });

  it("is not made when the 30 days are over", async () => {
    const { contract } = await contractHolder(server);
    server.passTime(400 * day);
    await run();
    expect(await renewalsOf(contract.id)).toEqual([]);
  });

  it("follows what is added to the contract after it was made", async () => {
    const { person, contract } = await contractHolder(server);
    server.passTime(310 * day);
    await run();
    await addDevices(person, contract.id, [{ service: "Server", deviceType: "Prod Server", number: 5 }]);
    await run();
    await run();
    const renewal = (await renewalsOf(contract.id)).find(({ term }) => term?.kind === "renew");
    expect([renewal?.revision, renewal?.lines[0]?.number]).toEqual([2, 15]);
  });

  it("stays as it is once somebody has begun to pay it, declined it, or an administrator set its discount", async () => {
    const { contract } = await contractHolder(server);
    server.passTime(305 * day);
    await run();
    const [quote] = await renewalsOf(contract.id);
    const id = quote?.id ?? "";
    await doublePrices();
    for (const fixed of [{ decision: "declined" as const }, { decision: null, ownDiscount: true }]) {
      await database().update(quotes).set(fixed).where(eq(quotes.id, id));
      await database().update(contracts).set({ renewalStage: null }).where(eq(contracts.id, contract.id));
      await run();
      expect((await renewalsOf(contract.id))[0]?.revision).toBe(1);
    }
  });
});

describe("A renewal by choice", () => {
  it("accepts the quote 7 days before the end in the name of who chose it, and charges nothing", async () => {
    const { person, contract } = await contractHolder(server);
    passUntilLeft(20, contract);
    await run();
    const asked = async () => {
      const { token } = await again(server, person);
      const { actions } = (await server.call("user/service", {}, token)).body;
      return actions.filter(({ place }) => place === "contract").map(({ what }) => what);
    };
    expect(await asked()).toEqual([`Decide whether ${contract.number} goes on for another year`]);
    expect((await choose(person, contract.id, true)).body.message).toContain("Nothing is charged");
    passUntilLeft(8, contract);
    await run();
    expect((await renewalsOf(contract.id))[0]?.decision).toBeNull();
    expect(await asked()).toEqual([]);
    passUntilLeft(7, contract);
    await run();
    await run();
    expect(await asked()).toEqual([`Pay for the next year of ${contract.number}: its proposal is accepted`]);
    const [quote] = await renewalsOf(contract.id);
    expect(quote?.decision).toBe("accepted");
    const after = await contractOf(server, person);
    expect(after).toMatchObject({ renewal: "accepted", renewed_by: null, renewal_chosen_by: "Asha Rao" });
    expect(await mailsAbout("renewal-accepted", contract.id)).toHaveLength(1);
    // No code accepted it: the choice to renew stands for the acceptance, with what it was about.
    const accepted = and(
      eq(auditEntries.action, "renew by choice"),
      eq(auditEntries.subject, `contract:${contract.id}`),
    );
    const [entry] = await database().select().from(auditEntries).where(accepted);
    expect(entry?.detail).toMatchObject({
      revision: quote?.revision,
      termsHash: quote && hashOfTerms(termsOf(quote)),
      chosenAt: expect.any(String),
    });
    expect(await database().$count(quoteDecisions, eq(quoteDecisions.quoteId, quote?.id ?? ""))).toBe(0);
    await buyQuote(server, person, quote?.id ?? "");
    expect((await contractOf(server, person)).renews).toBe(contract.number);
  });

  it("is told by the mails before it, which do not say that nothing renews, and by one mail on its day", async () => {
    const { person, contract } = await contractHolder(server);
    await choose(person, contract.id, true);
    const acceptedOn = daysAfter(contract.ends_on, -7);
    const told = async () => {
      const [quote] = await renewalsOf(contract.id);
      const ofQuote = like(mails.eventKey, `proposal:${quote?.id}%`);
      const rows = await database().select().from(mails).where(ofQuote).orderBy(asc(mails.id));
      return [...rows, ...(await mailsAbout("renewal-", contract.id))].map(({ content }) => content);
    };
    passUntilLeft(60, contract);
    await run();
    const [quote] = await renewalsOf(contract.id);
    await deliverProposal(server.services, quote?.id ?? "");
    passUntilLeft(30, contract);
    await run();
    const before = await told();
    expect(before).toMatchObject([
      { template: "proposal", acceptedOn },
      { template: "renewal", about: "due", acceptedOn },
    ]);
    for (const content of before) {
      const { text } = await renderMail(content as MailContent, brand);
      expect(text.replace(/\s+/g, " ")).toContain(
        `is accepted on ${paperDay(acceptedOn)}, unless that is taken back before`,
      );
      expect(text).not.toMatch(/Nothing renews|binds you to nothing/);
    }
    passUntilLeft(7, contract);
    await run();
    expect((await told()).slice(2)).toMatchObject([{ template: "renewal", about: "accepted" }]);
  });

  it("accepts what was told before that day, whatever the prices are by then", async () => {
    const { person, contract } = await contractHolder(server);
    await choose(person, contract.id, true);
    passUntilLeft(30, contract);
    await run();
    const [told] = await renewalsOf(contract.id);
    await doublePrices();
    passUntilLeft(7, contract);
    await run();
    expect(await renewalsOf(contract.id)).toMatchObject([
      { revision: 1, totalPaise: told?.totalPaise, decision: "accepted" },
    ]);
  });

  it("tells the bells of customer and partner what it comes to once devices were added, before it accepts that", async () => {
    const { person, contract } = await contractHolder(server);
    const partner = await member(server, "partner");
    const { organisationId } = person;
    await database()
      .update(organisations)
      .set({ partnerId: partner.organisationId })
      .where(eq(organisations.id, organisationId));
    const colleague = await member(server, "userChild", { organisationId });
    await choose(person, contract.id, true);
    passUntilLeft(60, contract);
    await run();
    passUntilLeft(20, contract);
    await run();
    await addDevices(person, contract.id, [{ service: "Server", deviceType: "Prod Server", number: 40 }]);
    const allTold = () =>
      database()
        .select()
        .from(notices)
        .where(like(notices.eventKey, `renewal due:${contract.id}%`));
    const before = (await allTold()).map(({ id }) => id);
    await run();
    await run();
    const renewal = async () => (await renewalsOf(contract.id)).find(({ term }) => term?.kind === "renew");
    const revised = await renewal();
    expect(revised?.revision).toBe(2);
    const told = (await allTold()).filter(({ id }) => !before.includes(id));
    const textsOf = ({ id }: Member) => told.filter(({ personId }) => personId === id).map(({ text }) => text);
    const number = quoteNumber(revised?.serial ?? 0);
    const ofCustomer = [`${number} renews it for ${formatRupees(revised?.totalPaise ?? 0)}, GST included.`];
    expect([textsOf(person), textsOf(colleague)]).toEqual([ofCustomer, ofCustomer]);
    expect(textsOf(partner)).toEqual([`${number} renews ${contract.number}.`]);
    passUntilLeft(7, contract);
    await run();
    expect(await renewal()).toMatchObject({ decision: "accepted", totalPaise: revised?.totalPaise });
    const toPartner = await database().select().from(notices).where(eq(notices.personId, partner.id));
    expect(toPartner.map(({ text }) => text)).toContain(`${number} renews ${contract.number} once it is paid.`);
  });

  it("leaves to a person what came to more on that day, and tells of it, and accepts what came to less", async () => {
    const [more, less] = [await contractHolder(server), await contractHolder(server)];
    for (const { person, contract } of [more, less]) await choose(person, contract.id, true);
    passUntilLeft(30, more.contract);
    await run();
    passUntilLeft(7, more.contract);
    await addDevices(more.person, more.contract.id, [{ service: "Server", deviceType: "Prod Server", number: 5 }]);
    await takeAway(less.person, 1);
    await run();
    server.passTime(day);
    await run();
    const renewalOf = async (id: string) => (await renewalsOf(id)).find(({ term }) => term?.kind === "renew");
    const waiting = await renewalOf(more.contract.id);
    expect(waiting).toMatchObject({ revision: 2, decision: null });
    expect(await renewalOf(less.contract.id)).toMatchObject({ revision: 2, decision: "accepted" });
    const told = eq(notices.eventKey, `renewal due:${more.contract.id}:7`);
    expect(await database().$count(notices, told)).toBeGreaterThan(0);
    // Somebody who has seen it can buy it.
    await buyQuote(server, more.person, waiting?.id ?? "");
    expect((await contractOf(server, more.person)).renews).toBe(more.contract.number);
  });

  it("leaves to a person what nobody could have seen before that day", async () => {
    const { person, contract } = await contractHolder(server);
    await choose(person, contract.id, true);
    passUntilLeft(5, contract);
    await run();
    await run();
    expect(await renewalsOf(contract.id)).toMatchObject([{ revision: 1, decision: null }]);
  });

  it("can be taken back until 8 days before the end, and neither chosen nor taken back later, nor by a stranger", async () => {
    const { person, contract } = await contractHolder(server);
    const stranger = await contractHolder(server);
    expect((await choose(stranger.person, contract.id, true)).status).toBe(404);
    await choose(person, contract.id, true);
    passUntilLeft(8, contract);
    expect((await choose(person, contract.id, false)).status).toBe(200);
    server.passTime(day);
    expect((await choose(person, contract.id, true)).status).toBe(409);
    await run();
    const own = and(eq(quotes.contractId, contract.id), eq(quotes.decision, "accepted"));
    expect(await database().$count(quotes, own)).toBe(0);
  });
});

describe("The stage of a contract", () => {
  it.each([
    ["2027-09-22", 60],
    ["2027-10-21", 60],
    ["2027-10-22", 30],
    ["2027-11-14", 7],
    ["2027-11-21", 7],
    ["2027-12-01", 7],
  ])("on %s, with its last day on 21 November, is %d", (today, stage) => {
    expect(stageOn(today, "2027-11-21")).toBe(stage);
  });
});

describe("A renewal that somebody changed", () => {
  it("that an administrator has revised stays so, and can be bought as long as before", async () => {
    const { contract } = await contractHolder(server);
    server.passTime(305 * day);
    await run();
    const [made] = await renewalsOf(contract.id);
    const admin = await member(server, "admin");
    const devices = [{ service: "Server", deviceType: "Prod Server", number: 4, option: false, yearly: null }];
    const terms = { quote_id: made?.id ?? "", devices, discountPercent: null };
    const { total } = (await server.call("admin/leads/price-quote", terms, admin.token)).body;
    const revision = { ...terms, quote_id: made?.id ?? "", revision: 1, note: "", total_cost: total };
    expect((await server.call("admin/leads/revise-quote", revision, admin.token)).status).toBe(200);
    await run();
    const [kept] = await renewalsOf(contract.id);
    expect([kept?.revision, kept?.lines.map(({ number }) => number)]).toEqual([2, [4]]);
    expect(kept && writtenDay(kept.validUntil)).toBe(daysAfter(contract.ends_on, 30));
  });

  it("is not accepted by choice once it can't be bought any more", async () => {
    const { person, contract } = await contractHolder(server);
    await choose(person, contract.id, true);
    server.passTime(330 * day);
    await run();
    await database()
      .update(quotes)
      .set({ validUntil: server.services.now(), ownDiscount: true })
      .where(eq(quotes.contractId, contract.id));
    server.passTime(28 * day);
    await run();
    expect((await renewalsOf(contract.id))[0]?.decision).toBeNull();
  });

  it("keeps each rate of what was typed in by hand under one name", async () => {
    const { contract } = await contractHolder(server);
    const [line] = await database().select().from(contractLines).where(eq(contractLines.contractId, contract.id));
    if (!line) throw new Error("There is no line");
    const { id: _id, series: _series, ...same } = line;
    const typed = { service: customService, deviceType: "SAP box" };
    const boxes = [
      { quantity: 2, ratePaise: 10_000_00 },
      { quantity: 3, ratePaise: 50_000_00 },
    ];
    await database()
      .insert(contractLines)
      .values(boxes.map((box) => ({ ...same, ...typed, ...box, key: typed, invoicedPaise: 0 })));
    server.passTime(305 * day);
    await run();
    const [renewal] = await renewalsOf(contract.id);
    const offered = renewal?.lines.filter(({ service }) => service === customService);
    expect(offered?.map(({ number, ratePaise }) => [number, ratePaise])).toEqual([
      [2, 10_000_00],
      [3, 50_000_00],
    ]);
    await run();
    expect(await renewalsOf(contract.id)).toMatchObject([{ revision: 1 }]);
  });

  it("names what was typed in by hand apart so that staff can price it, in any case and beside names of before", async () => {
    const { contract } = await contractHolder(server);
    const [line] = await database().select().from(contractLines).where(eq(contractLines.contractId, contract.id));
    if (!line) throw new Error("There is no line");
    const { id: _id, series: _series, ...same } = line;
    const boxes = ["HSM", "hsm", "HSM (2)", "HSM"].map((deviceType, place) => {
      const typed = { service: customService, deviceType };
      return { ...same, ...typed, key: typed, quantity: 1, ratePaise: (place + 1) * 10_000_00, invoicedPaise: 0 };
    });
    await database().insert(contractLines).values(boxes);
    server.passTime(305 * day);
    await run();
    const [renewal] = await renewalsOf(contract.id);
    const admin = await member(server, "admin");
    const { status } = await server.call("admin/leads/price-quote", termsOfRevision(renewal), admin.token);
    expect(status).toBe(200);
  });

  it("is not revised any more once it can't be bought any more", async () => {
    const { contract } = await contractHolder(server);
    server.passTime(305 * day);
    await run();
    const [renewal] = await renewalsOf(contract.id);
    passUntilLeft(-40, contract);
    const admin = await member(server, "admin");
    const terms = termsOfRevision(renewal);
    const { total } = (await server.call("admin/leads/price-quote", terms, admin.token)).body;
    const revision = { ...terms, revision: renewal?.revision ?? 0, note: "", total_cost: total };
    const refused = await server.call("admin/leads/revise-quote", revision, admin.token);
    expect([refused.status, refused.body.error]).toEqual([409, expect.stringMatching(/could be bought until/)]);
    expect(await renewalsOf(contract.id)).toEqual([renewal]);
  });
});

describe("The quote that renews a contract which was emptied", () => {
  it("is not said to be accepted by itself where there is none", async () => {
    const { person, contract } = await contractHolder(server);
    await choose(person, contract.id, true);
    const shown = async () =>
      (await server.call("user/service", {}, (await again(server, person)).token)).body.contract;
    expect(await shown()).toMatchObject({ renewal: "none", renews_itself: true });
    await takeAway(person);
    expect(await shown()).toMatchObject({ renewal: "none", renews_itself: false });
  });

  it("is for sale no longer until the contract holds something again", async () => {
    const { person, contract } = await contractHolder(server);
    await choose(person, contract.id, true);
    server.passTime(310 * day);
    await run();
    const [made] = await renewalsOf(contract.id);
    await takeAway(person);
    await run();
    await run();
    expect((await contractOf(server, person)).renewal).toBe("expired");
    expect(await endingsOf(contract.id)).toBe(1);
    // This stage's mail was the proposal: nobody is reminded of a quote that is no longer offered.
    server.passTime(48 * day);
    await run();
    expect(await renewalsOf(contract.id)).toMatchObject([{ decision: null, revision: 1, lines: made?.lines }]);
    expect(await mailsAbout("renewal-due", contract.id)).toEqual([]);
    const devices = (made?.lines ?? []).map(({ service, deviceType, number }) => ({ service, deviceType, number }));
    await addDevices(person, contract.id, devices);
    await run();
    const renewal = (await renewalsOf(contract.id)).find(({ term }) => term?.kind === "renew");
    expect([renewal?.revision, renewal && writtenDay(renewal.validUntil)]).toEqual([
      2,
      daysAfter(contract.ends_on, 30),
    ]);
    expect(await endingsOf(contract.id)).toBe(1);
  });

  it("stays for sale where somebody has begun to pay it", async () => {
    const { person, contract } = await contractHolder(server);
    server.passTime(310 * day);
    await run();
    const [quote] = await renewalsOf(contract.id);
    await database().update(quotes).set({ proposalFile: "proposal-a.pdf" }).where(eq(quotes.contractId, contract.id));
    const { token, email } = await again(server, person);
    const { estimation } = (await server.call("user/get-estimation", {}, token)).body;
    const amount = estimation.find(({ id }) => id === quote?.id)?.total_cost ?? "";
    const asked = { email, quote_id: quote?.id ?? "", amount, name: "Asha Rao", phone: "+919876543210" };
    expect((await server.call("user/orders", asked, token)).status).toBe(200);
    await takeAway(person);
    await run();
    expect((await renewalsOf(contract.id))[0]?.validUntil).toEqual(quote?.validUntil);
    expect(await endingsOf(contract.id)).toBe(0);
  });
});
