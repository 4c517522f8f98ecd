import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { billingOf } from "../../tests/billing.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { insertQuote } from "../../tests/paid-order.ts";
import { member, type Member } from "../../tests/people.ts";
import { auditEntries, organisations, rateLimits } from "../database/schema/index.ts";

let server: TestServer;
let partner: Member;
let customer: Member;
beforeAll(async () => {
  server = await startTestServer({ work: false });
  partner = await member(server, "partner");
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.services.database.delete(rateLimits);
  customer = await member(server, "user", { partnerId: partner.organisationId });
});

const read = async ({ token }: Member) => (await server.call("user/billing", {}, token)).body;
const save = ({ token }: Member, details: object) => server.send("user/billing/save", details, token);

describe("Billing details", () => {
  it("are filled in with what is known, until somebody gives them; then they are what was given", async () => {
    const before = await read(customer);
    expect(before).toMatchObject({ given: false, legalName: "Kaveri Textiles", address: "", gstin: null, kind: null });
    const { status, body } = await save(customer, { ...billingOf.kerala, version: before.version });
    expect([status, body]).toEqual([
      200,
      {
        ...billingOf.kerala,
        given: true,
        country: "IN",
        pan: "AAGCB7383J",
        purchaseOrder: null,
        undertaking: null,
        version: before.version + 1,
      },
    ]);
    expect(await read(customer)).toEqual(body);
  });

  it("are put at the address at which they are read, and at no other by that method", async () => {
    const ask = (path: string, method: string) =>
      fetch(`${server.url}/api/${path}`, {
        method,
        headers: { authorization: `Bearer ${customer.token}`, "content-type": "application/json" },
        ...(method !== "GET" && { body: JSON.stringify(billingOf.unregistered) }),
      });
    expect((await ask("user/billing", "PUT")).status).toBe(200);
    expect((await ask("user/billing", "GET")).status).toBe(200);
    const post = await ask("user/billing", "POST");
    expect([post.status, await post.json()]).toEqual([
      404,
      expect.objectContaining({ error: "This endpoint takes GET and PUT requests only." }),
    ]);
  });

  it("of two who change them at once, the second is told, and nothing of the first is lost", async () => {
    const { version } = await read(customer);
    const both = await Promise.all([
      save(customer, { ...billingOf.kerala, version }),
      save(customer, { ...billingOf.maharashtra, version }),
    ]);
    expect(both.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
    const won = both.find(({ status }) => status === 200)?.body as { legalName: string };
    expect(await read(customer)).toMatchObject({ legalName: won.legalName, version: version + 1 });
    // Without a version the last write wins; saving the same again changes nothing.
    expect((await save(customer, billingOf.dubai)).status).toBe(200);
    expect((await save(customer, billingOf.dubai)).status).toBe(200);
    expect(await read(customer)).toMatchObject({ kind: "abroad", stateCode: null, gstin: null, version: version + 2 });
  });

  it("are refused with the field for a wrong check digit and for another state's GSTIN", async () => {
    for (const over of [{ gstin: "32AAGCB7383J1ZK" }, { stateCode: "27" }]) {
      const { status, body } = await save(customer, { ...billingOf.kerala, ...over });
      expect([status, Object.keys((body["fields"] as object | undefined) ?? {})]).toEqual([422, ["gstin"]]);
    }
    expect((await read(customer)).given).toBe(false);
  });

  it("of a customer are given by its partner and by administrators, and by no other partner", async () => {
    const { email } = customer;
    const given = await server.send("partner/billing/save", { ...billingOf.kerala, email }, partner.token);
    expect(given.status).toBe(200);
    const stranger = await member(server, "partner");
    for (const [name, input] of [
      ["partner/billing", { email }],
      ["partner/billing/save", { ...billingOf.dubai, email }],
    ] as const)
      expect((await server.send(name, input, stranger.token)).status).toBe(404);
    const admin = await member(server, "admin");
    expect((await server.call("admin/billing", { email }, admin.token)).body).toMatchObject({
      legalName: billingOf.kerala.legalName,
    });
    const changed = await server.send("admin/billing/save", { ...billingOf.sez, email }, admin.token);
    expect(changed.body).toMatchObject({ kind: "sez", undertaking: billingOf.sez.undertaking });
    const entries = await server.services.database
      .select()
      .from(auditEntries)
      .where(eq(auditEntries.subject, `organisation:${customer.organisationId}`));
    expect(entries.filter(({ action }) => action === "change billing details")).toHaveLength(2);
  });

  it("decide the tax that the customer's quotes show; who has given none sees the sum and what decides", async () => {
    await insertQuote(server, customer);
    const listed = async () => (await server.call("user/get-estimation", {}, customer.token)).body.estimation[0];
    const first = await listed();
    expect(first?.tax).toMatchObject({ taxes: [{ name: "GST", percent: 18 }], total: first?.total_cost });
    expect(first?.tax?.notes[0]).toContain("Your billing details decide");
    for (const [details, names] of [
      [billingOf.kerala, ["IGST"]],
      [billingOf.unregistered, ["CGST", "SGST"]],
    ] as const) {
      await save(customer, details);
      expect((await listed())?.tax?.taxes.map(({ name }) => name)).toEqual(names);
    }
    const selectedDevices = [{ service: "Server", deviceType: "Prod Server", number: 3 }];
    const price = async (token: string) => (await server.call("estimator/price", { selectedDevices }, token)).body;
    expect((await price(customer.token)).tax.taxes.map(({ name }) => name)).toEqual(["CGST", "SGST"]);
    expect((await price(await server.publicToken())).tax.taxes.map(({ name }) => name)).toEqual(["GST"]);
  });

  it("of two customers that are merged go along as a whole", async () => {
    const other = await member(server, "user");
    await save(other, billingOf.sez);
    const admin = await member(server, "admin");
    const { merge } = (
      await server.call("admin/people/merge-preview", { from: other.email, into: customer.email }, admin.token)
    ).body;
    const { from, into } = merge;
    expect(merge.moves).toContain("The billing details.");
    await server.call("admin/people/merge", { from, into }, admin.token);
    expect(await read(customer)).toMatchObject({ ...billingOf.sez, given: true });
    const [gone] = await server.services.database.select().from(organisations).where(eq(organisations.id, from.id));
    expect(gone).toBeUndefined();
  });
});
