import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type Role } from "../../contract/roles.ts";
import { customer, quoteRequest, registration, signIn } from "../../tests/factories.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { people, quotes, rateLimits } from "../database/schema/index.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.services.database.delete(rateLimits);
});

const ownerOf = async (quoteId: string) =>
  (await server.services.database.select().from(quotes).where(eq(quotes.id, quoteId)))[0]?.organisationId;
const sendAs = async (request: object, token?: string) =>
  (await server.call("estimator", quoteRequest({ ...request }), token)).body.quoteId;

/** A signed-in person of this role. */
async function someone(role: Role) {
  const person = await customer(server);
  await server.services.database.update(people).set({ role }).where(eq(people.email, person.email));
  return person;
}

it("Registering claims no quote: only the mailed code shows who owns the address", async () => {
  const person = registration();
  const quoteId = await sendAs({ userEmail: person.email });
  await server.call("auth/register", person);
  expect(await ownerOf(quoteId)).toBeNull();
  await server.call("auth/login", { email: person.email, password: person.password });
  expect(await ownerOf(quoteId)).toBeNull();
  await server.mailbox.take(person.email, /sign-in code/i);
  await signIn(server, person.email);
  expect(await ownerOf(quoteId)).toEqual(expect.any(String));
});

it("Signing in leaves other people's quotes alone, and those that have an owner", async () => {
  const [one, other] = [await customer(server), await customer(server)];
  const ofNobody = await sendAs({});
  const ofOther = await sendAs({}, other.token);
  await server.services.database.update(quotes).set({ userEmail: one.email }).where(eq(quotes.id, ofOther));
  await signIn(server, one.email);
  expect(await ownerOf(ofNobody)).toBeNull();
  const { estimation } = (await server.call("user/get-estimation", {}, other.token)).body;
  expect(estimation.map(({ id }) => id)).toEqual([ofOther]);
});

it.each(["partner", "partnerChild", "admin", "adminChild"] as const)(
  "A quote that a %s sends for somebody says what the form says, and becomes that person's",
  async (role) => {
    const sender = await someone(role);
    const buyer = registration();
    const quoteId = await sendAs(
      { userName: "Devika Nair", userEmail: buyer.email, organizationName: "Periyar Foods" },
      sender.token,
    );
    expect(await ownerOf(quoteId)).toBeNull();
    await server.mailbox.take(buyer.email, /proposal/);
    await server.call("auth/register", buyer);
    const { estimation } = (await server.call("user/get-estimation", {}, await signIn(server, buyer.email))).body;
    expect(estimation).toMatchObject([
      { id: quoteId, user_name: "Devika Nair", user_email: buyer.email, organization_name: "Periyar Foods" },
    ]);
  },
);

it("A partner or an administrator who signs in takes over no visitor's quote", async () => {
  const partner = await someone("partner");
  const quoteId = await sendAs({ userEmail: partner.email });
  await signIn(server, partner.email);
  expect(await ownerOf(quoteId)).toBeNull();
});
