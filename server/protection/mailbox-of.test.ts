import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { quoteRequest, registration } from "../../tests/factories.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { rateLimits } from "../database/schema/index.ts";
import { rules } from "./limiter.ts";
import { mailboxOf } from "./mailbox-of.ts";

test.each([
  ["Asha+1@Example.in", "asha@example.in"],
  ["asha+a+b@example.in", "asha@example.in"],
  ["asha+@example.in", "asha@example.in"],
  ["asha@example.in", "asha@example.in"],
  ["a.sha@example.in", "a.sha@example.in"],
  ["+asha@example.in", "+asha@example.in"],
  ["asha+x@example.in 2001:db8::/64", "asha@example.in 2001:db8::/64"],
  ["0199a1b2-0000-7000-8000-000000000001 asha+1@example.in", "0199a1b2-0000-7000-8000-000000000001 asha@example.in"],
])("%s is counted as %s", (email, mailbox) => {
  expect(mailboxOf(email)).toBe(mailbox);
});

describe("One mailbox gets no more of our mail for its plus-addresses", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ work: false });
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    await server.services.database.delete(rateLimits);
  });
  const plus = (index: number) => `victim+${index}@example.in`;

  test.each([
    ["estimator", rules.estimateByAccount, (index: number) => quoteRequest({ userEmail: plus(index) })],
    ["auth/register", rules.registrationByAccount, (index: number) => registration({ email: plus(index) })],
  ])("by %s", async (operation, { points }, formOf) => {
    for (let index = 0; index < points; index++)
      expect((await server.send(operation, formOf(index))).status, `${index}`).toBe(201);
    expect((await server.send(operation, formOf(points))).status).toBe(429);
  });

  test("by the proposals of visitors, whatever their networks, more than so many a day", async () => {
    const { limiter } = server.services;
    for (let index = 0; index < rules.estimateByMailbox.points; index++)
      await limiter.consume("estimateByMailbox", plus(index));
    const { status, headers } = await server.send("estimator", quoteRequest({ userEmail: plus(99) }));
    expect(status).toBe(429);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(80_000);
  });
});
