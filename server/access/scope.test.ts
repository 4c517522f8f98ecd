import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { access, mayCall, rolesFor } from "../../contract/access.ts";
import { type OperationName, operations } from "../../contract/operations.ts";
import { type Role, roles } from "../../contract/roles.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { member, type Member, scopeFor } from "../../tests/people.ts";
import type { CallOf, Handler } from "../call.ts";
import { listOrders, listOrdersInState, listOrdersOfPartner } from "../orders/queries.ts";
import { listChildren, listCustomers } from "../people/queries.ts";
import { listAllQuotes, listQuotes } from "../quotes/queries.ts";
import { findOverview } from "../reports/overview.ts";
import type { Services } from "../services.ts";
import { reachCustomer, reachCustomersOfPartner } from "./reach.ts";
import { type Actor, organisationOf, partnerOf, personOf, type Scope } from "./scope.ts";

let server: TestServer;
const people = {} as Record<Role, Member>;
beforeAll(async () => {
  server = await startTestServer({ work: false });
  for (const role of roles) people[role] = await member(server, role);
});
afterAll(() => server.stop());

const names = Object.keys(operations) as OperationName[];

describe("authorise", () => {
  it.each(names)("gives whoever may call %s a scope of its reach, for the one who asks", async (name) => {
    const { reach } = access[name];
    for (const role of rolesFor(name)) {
      const scope = await scopeFor(server, name, people[role]);
      const asks = reach === "none" ? undefined : people[role].id;
      expect([scope?.reach ?? "none", scope?.actor.personId]).toEqual([reach, asks]);
    }
  });

  it("gives no scope to whose role may not call the operation", async () => {
    for (const name of names)
      for (const role of roles.filter((each) => !mayCall(name, each)))
        await expect(scopeFor(server, name, people[role]), name).rejects.toThrow(/role|public token/);
  });

  it("binds a scope to the person, the organisation or the partner that asks, for good", async () => {
    const own = await scopeFor(server, "user/me", people.user);
    const organisation = await scopeFor(server, "user/get-estimation", people.userChild);
    const customers = await scopeFor(server, "partner/users", people.partnerChild);
    expect(personOf(own)).toBe(people.user.id);
    expect(organisationOf(organisation)).toBe(people.userChild.organisationId);
    expect(partnerOf(customers)).toBe(people.partnerChild.organisationId);
    expect(Object.isFrozen(organisation)).toBe(true);
  });
});

describe("A scope is narrowed", () => {
  it("to a partner's own customer and to nobody else's", async () => {
    const { database } = server.services;
    const mine = await member(server, "user", { partnerId: people.partner.organisationId });
    const scope = await scopeFor(server, "partner/get-payment-details", people.partner);
    const reached = await reachCustomer(database, scope, mine.email);
    expect(reached && organisationOf(reached)).toBe(mine.organisationId);
    expect(await reachCustomer(database, scope, people.user.email)).toBeNull();
    expect(await reachCustomer(database, scope, people.partner.email)).toBeNull();
  });

  it("by an administrator to any customer, and to the customers of any partner", async () => {
    const { database } = server.services;
    const scope = await scopeFor(server, "admin/getPaymentDetailsByPartnerId", people.adminChild);
    const customer = await reachCustomer(database, scope, people.user.email);
    expect(customer && organisationOf(customer)).toBe(people.user.organisationId);
    const customers = await reachCustomersOfPartner(database, scope, people.partner.email);
    expect(customers && partnerOf(customers)).toBe(people.partner.organisationId);
    expect(await reachCustomersOfPartner(database, scope, people.user.email)).toBeNull();
  });
});

/**
 * Never called: the compiler is the test. Each line below an expect-error mark must fail to compile, or the mark itself
 * does.
 */
export function neverCompiles(
  services: Services,
  actor: Actor,
  own: Scope<"own">,
  organisation: Scope<"organisation">,
  customers: Scope<"customers">,
  any: Scope<"any">,
  visitors: CallOf<"blogs">["scope"],
): void {
  const query = { limit: 50 };
  // @ts-expect-error -- a query about records without a scope
  void listQuotes(services, query);
  // @ts-expect-error -- an actor is no scope
  void listQuotes(services, actor, query);
  // @ts-expect-error -- nor is what merely looks like one
  void listQuotes(services, { reach: "organisation", actor }, query);
  // @ts-expect-error -- nor is a bare id
  void listOrders(services, actor.organisationId, query);
  // @ts-expect-error -- everybody's quotes by a customer
  void listAllQuotes(services, organisation, query);
  // @ts-expect-error -- everybody's orders by a partner
  void listOrdersInState(services, customers, "success", query);
  // @ts-expect-error -- the figures of the business by a partner
  void findOverview(services, customers);
  // @ts-expect-error -- a partner's customers by a customer
  void listCustomers(services, organisation, query);
  // @ts-expect-error -- the orders of one partner by the scope of all
  void listOrdersOfPartner(services, any, query);
  // @ts-expect-error -- an organisation's people by the scope of one person
  void listChildren(services, own, query);
  // @ts-expect-error -- a look at another organisation from within one
  void reachCustomer(services.database, organisation, "asha@example.in");
  // @ts-expect-error -- a visitor's operation touches records
  void listQuotes(services, visitors, query);
  // @ts-expect-error -- the handler of an operation for one organisation lists everybody's
  const handler: Handler<"user/get-estimation"> = (_, { scope }, input) => listAllQuotes(services, scope, input);
  void handler;
}
