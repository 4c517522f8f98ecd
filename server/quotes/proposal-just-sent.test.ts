import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { limits } from "../../contract/limits.ts";
import { quoteRequest } from "../../tests/factories.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { member } from "../../tests/people.ts";
import { quotes, rateLimits } from "../database/schema/index.ts";
import { deliverProposal } from "./deliver-proposal.ts";

let server: TestServer;
beforeAll(async () => {
  // The tests make the proposals themselves: they are about the time between sending and making.
  server = await startTestServer({ work: false });
});
afterAll(() => server.stop());
beforeEach(() => server.services.database.delete(rateLimits));

/** Sends an estimate, as a visitor unless a session is given. */
async function send(token?: string | null) {
  const { status, body } = await server.call("estimator", quoteRequest(), token);
  expect(status).toBe(201);
  return body;
}
const ask = (token: string, session?: string | null) => server.call("estimator/proposal", { token }, session);
const unknown = { status: 404, body: { error: "This proposal was not found.", code: "not_found" } };

describe("Whoever has just sent an estimate", () => {
  it("is told its number, waits while the proposal is made, and fetches it as often as they like", async () => {
    const { quoteId, quoteNumber, proposalToken } = await send();
    expect(quoteNumber).toMatch(/^Q-\d{6}$/);
    for (let time = 0; time < 2; time++)
      expect(await ask(proposalToken)).toMatchObject({ status: 200, body: { signedUrl: null } });
    await deliverProposal(server.services, quoteId);
    for (let time = 0; time < 2; time++) {
      const { body } = await ask(proposalToken);
      const answer = await fetch(body.signedUrl ?? "");
      expect(answer.headers.get("content-disposition")).toContain(`proposal-${quoteNumber}.pdf`);
      expect((await answer.text()).slice(0, 4)).toBe("%PDF");
    }
  });

  it("gets it also when the process that made it was killed half-way, and made it again", async () => {
    const { quoteId, proposalToken } = await send();
    await deliverProposal(server.services, quoteId);
    // The file was written, but the transaction that records it was lost.
    await server.services.database.update(quotes).set({ proposalFile: null }).where(eq(quotes.id, quoteId));
    expect((await ask(proposalToken)).body.signedUrl).toBeNull();
    await deliverProposal(server.services, quoteId);
    expect((await fetch((await ask(proposalToken)).body.signedUrl ?? "")).status).toBe(200);
  });

  it("gets it for half an hour", async () => {
    const { proposalToken } = await send();
    server.passTime(limits.proposalTokenMinutes * 60 - 5);
    expect((await ask(proposalToken)).status).toBe(200);
    server.passTime(10);
    expect(await ask(proposalToken)).toMatchObject(unknown);
  });
});

describe("A proposal just sent", () => {
  it("of somebody signed in is nobody else's, of the same organisation or as a visitor", async () => {
    const owner = await member(server, "user");
    const { quoteId, proposalToken } = await send(owner.token);
    await deliverProposal(server.services, quoteId);
    expect((await ask(proposalToken, owner.token)).status).toBe(200);
    const others = [
      await member(server, "userChild", { organisationId: owner.organisationId }),
      await member(server, "user"),
      await member(server, "partner"),
      await member(server, "admin"),
    ];
    for (const { token } of others) expect(await ask(proposalToken, token)).toMatchObject(unknown);
    expect(await ask(proposalToken)).toMatchObject(unknown);
    expect((await ask(proposalToken, null)).status).toBe(401);
  });

  it("is not had by changing the token into another quote's, a later one or one without a signature", async () => {
    const [mine, others] = [await send(), await send()];
    const [id = "", expires = "", signature = ""] = mine.proposalToken.split(".");
    const changed = [
      [others.quoteId, expires, signature],
      [id, String(Number(expires) + 60), signature],
      [id, expires, ""],
      [id, expires, "é".repeat(signature.length)],
      [id, "x", signature],
      ["' or 1=1 --", expires, signature],
      [id],
    ];
    for (const parts of changed) expect(await ask(parts.join("."))).toMatchObject(unknown);
    expect((await ask(mine.proposalToken)).status).toBe(200);
  });

  it("with rates confirmed later goes to the owner of the e-mail address alone", async () => {
    const { quoteId, proposalToken } = await send();
    await server.services.database.update(quotes).set({ revision: 2 }).where(eq(quotes.id, quoteId));
    await deliverProposal(server.services, quoteId);
    expect(await ask(proposalToken)).toMatchObject(unknown);
  });
});
