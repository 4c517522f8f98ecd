import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { insertQuote } from "../../tests/paid-order.ts";
import { member, type Member } from "../../tests/people.ts";

let server: TestServer;
let admin: Member;
beforeAll(async () => {
  server = await startTestServer({ work: false });
  admin = await member(server, "admin");
  const customer = await member(server, "user");
  await insertQuote(server, customer, {
    organizationName: "Beta Mills",
    numberOfUsers: 9,
    totalPaise: 300,
    userName: "C",
  });
  await insertQuote(server, null, {
    organizationName: "alpha Foods",
    numberOfUsers: 30,
    totalPaise: 200,
    userName: "b",
  });
  await insertQuote(server, null, {
    organizationName: "Gamma Steel",
    numberOfUsers: 4,
    totalPaise: 100,
    userName: "a",
  });
});
afterAll(() => server.stop());

const list = (query: object = {}, token = admin.token) => server.call("admin/getEstimationByAdmin", query, token);
const names = ({ body }: Awaited<ReturnType<typeof list>>) => body.estimation.map((each) => each.organization_name);

it("Administrators and their children read everybody's quotes, visitors' too, newest first", async () => {
  expect(names(await list())).toEqual(["Gamma Steel", "alpha Foods", "Beta Mills"]);
  const child = await member(server, "adminChild", { organisationId: admin.organisationId });
  expect((await list({}, child.token)).body.total).toBe(3);
});

it("They are sorted by each column, paged and searched on the server", async () => {
  for (const [sort, expected] of Object.entries({
    organization_name: ["alpha Foods", "Beta Mills", "Gamma Steel"],
    user_name: ["Gamma Steel", "alpha Foods", "Beta Mills"],
    number_of_users: ["Gamma Steel", "Beta Mills", "alpha Foods"],
    total_cost: ["Gamma Steel", "alpha Foods", "Beta Mills"],
    created_at: ["Beta Mills", "alpha Foods", "Gamma Steel"],
  })) {
    expect(names(await list({ sort })), sort).toEqual(expected);
    expect(names(await list({ sort: `-${sort}` })), sort).toEqual(expected.toReversed());
    const { nextCursor } = (await list({ sort, limit: 2 })).body;
    expect(names(await list({ sort, limit: 2, cursor: nextCursor ?? "" })), sort).toEqual(expected.slice(2));
  }
  for (const sort of ["user_email", "phone_number", "valid_until"]) expect(names(await list({ sort }))).toHaveLength(3);
  expect(names(await list({ search: "ALPHA" }))).toEqual(["alpha Foods"]);
  expect((await list({ search: "q-0000" })).body.total).toBe(3);
});
