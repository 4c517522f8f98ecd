import { randomUUID } from "node:crypto";
import { totalsOf } from "../contract/totals.ts";
import { customerTools, findings, notices } from "../server/database/schema/index.ts";
import { article } from "./articles.ts";
import { giveBilling } from "./billing.ts";
import { announcement, registration } from "./factories.ts";
import type { TestServer } from "./harness.ts";
import { insertOrder, insertQuote } from "./paid-order.ts";
import { member } from "./people.ts";

const person = { firstName: "Venkatasubramanian", lastName: "Krishnamurthy" };
const organizationName = "Bharatiya Vidyut Utpadan Nigam Private Limited";
const userName = `${person.firstName} ${person.lastName}`;
const long = { organizationName, userName, message: "Rolling mills, substations and offices. ".repeat(9) };

/**
 * An administrator, a partner and its customer with something in each of their lists, with long words and large sums.
 */
export async function fullAccounts(server: TestServer) {
  const { database } = server.services;
  const admin = await member(server, "admin", { ...person, organizationName: "Provider" });
  const partner = await member(server, "partner", { ...person, organizationName: "Malabar Coast Managed Networks" });
  const email = `${person.firstName}.${person.lastName}@vidyut.example.in`.toLowerCase();
  const user = await member(server, "user", { ...person, email, organizationName, partnerId: partner.organisationId });
  await giveBilling(server, email, {
    billingKind: "registered",
    legalName: organizationName,
    gstin: "32AAGCB7383J1ZH",
    billingAddress: "7 Marine Drive, Kochi",
    pinCode: "682031",
    billingState: "32",
  });
  await insertQuote(server, user, { ...long, totalPaise: 33_98_541_60 });
  await insertQuote(server, user, { ...long, ...ratesToConfirm() });
  await insertOrder(server, user, { amountPaise: 33_98_541_60 });
  await insertOrder(server, user, { state: "review", reviewReason: "The bank confirmed another amount." });
  await insertOrder(server, user, { state: "pending" });
  await database
    .insert(customerTools)
    .values({ organisationId: user.organisationId, siemUrl: "https://siem.example.in" });
  for (const [name, { token }] of [
    ["user/create-child-user", user],
    ["partner/create-child-user", partner],
  ] as const)
    await server.call(name, { ...registration(), ...person, lastName: `Krishna${name.slice(0, 4)}murthy` }, token);
  await database.insert(findings).values({
    kind: "unknown payment",
    key: "1",
    about: "Payment 403993715532145678",
    who: organizationName,
    says: long.message,
  });
  for (const { id: personId } of [admin, partner, user])
    await database.insert(notices).values({
      personId,
      kind: "announcement",
      eventKey: "full",
      link: "/user/dashboard",
      title: "Planned maintenance of the dashboards in all regions",
      text: long.message,
    });
  await server.call("admin/announcements/add", { ...announcement(), id: randomUUID() }, admin.token);
  await server.call("admin/posts/add", article({ title: long.message.slice(0, 110) }), admin.token);
  await server.call("admin/people/request-data", { id: randomUUID(), kind: "export", email }, admin.token);
  return { admin, partner, user };
}

/** The lines of a quote with a device that has no listed price. */
function ratesToConfirm() {
  const line = { service: "Customization", deviceType: "SCADA gateway", number: 2, unit: "device" };
  const lines = [{ ...line, ratePaise: 1_000_00, amountPaise: 2_000_00, subjectToConfirmation: true }];
  return { lines, ...totalsOf(lines, { discountBasisPoints: 0, gstBasisPoints: 1800 }) };
}
