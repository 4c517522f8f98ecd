import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { quoteNumber } from "../../contract/numbers.ts";
import { writtenDay } from "../../contract/india-time.ts";
import { again } from "../../tests/contract.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { insertOrder, insertQuote } from "../../tests/paid-order.ts";
import { member, type Member } from "../../tests/people.ts";

let server: TestServer;
let analyst: Member;
beforeAll(async () => {
  server = await startTestServer({ work: false });
  analyst = await member(server, "admin");
});
afterAll(() => server.stop());

const viewOf = async ({ token }: Member) => (await server.call("user/service", {}, token)).body;
const daysAgo = (days: number) => new Date(server.services.now().getTime() - days * 86_400_000);

it("Clocks that may have applied leave what runs and what still may apply their room", async () => {
  const main = await member(server, "user");
  const open = async (more: object) => {
    const asked = { id: randomUUID(), email: main.email, title: "An alarm", severity: "P3" as const, ...more };
    return (await server.call("admin/incidents/open", asked, analyst.token)).body.incident_id;
  };
  const kept = { news: "waiting" as const, waits_for: "third_party" as const, reason: "The provider looks" };
  for (let opened = 0; opened < 6; opened++) {
    const id = await open({ detected_at: daysAgo(3).toISOString() });
    await server.call("admin/incidents/tell", { id, fact_id: randomUUID(), ...kept }, analyst.token);
  }
  const fresh = await open({ severity: "P1", detected_at: daysAgo(0).toISOString() });
  const { clocks } = await viewOf(main);
  expect(clocks).toHaveLength(6);
  const ofFresh = clocks.filter(({ incidentId }) => incidentId === fresh);
  expect(ofFresh.map((clock) => (clock.of === "promise" ? clock.clock : clock.state)).toSorted()).toEqual([
    "contain",
    "may apply",
  ]);
});

/** 366 where a 29 February lies in it. */
function daysOfYearFrom(at: Date): number {
  const [year = 0, month = 1, day = 1] = writtenDay(at).split("-").map(Number);
  return (Date.UTC(year + 1, month - 1, day) - Date.UTC(year, month - 1, day)) / 86_400_000;
}

it("The contract is the one that runs and ends first, however many there are, or else the newest", async () => {
  const main = await member(server, "user");
  expect((await viewOf(main)).contract).toBeNull();
  for (let bought = 0; bought < 11; bought++) await insertOrder(server, main, { paidAt: daysAgo(330 - bought * 10) });
  const first = (await viewOf(main)).contract;
  expect(first?.days_left).toBe(daysOfYearFrom(daysAgo(330)) - 330);
  const left = daysOfYearFrom(daysAgo(320)) - 320 - 41;
  server.passTime(41 * 86_400);
  const { contract } = await viewOf(await again(server, main));
  expect([contract?.number === first?.number, contract?.days_left]).toEqual([false, left]);
  server.passTime(400 * 86_400);
  expect((await viewOf(await again(server, main))).contract).toMatchObject({ days_left: 0 });
});

it("Who has bought nothing yet reads of the newest quote that can be bought, or is being paid", async () => {
  const main = await member(server, "user");
  const quoteOf = async (person: Member) => (await viewOf(person)).quote;
  expect(await quoteOf(main)).toBeNull();
  const { serial, validUntil } = await insertQuote(server, main);
  await insertQuote(server, main, { decision: "declined" });
  await insertQuote(server, main, { validUntil: daysAgo(1) });
  const open = { number: quoteNumber(serial), valid_until: validUntil.toISOString(), isBeingPaid: false };
  expect([await quoteOf(main), await quoteOf(await member(server, "user"))]).toEqual([open, null]);
  await insertOrder(server, main, { state: "awaiting_transfer" });
  expect(await quoteOf(main)).toMatchObject({ isBeingPaid: true });
  await insertOrder(server, main);
  expect(await quoteOf(main)).toBeNull();
});
