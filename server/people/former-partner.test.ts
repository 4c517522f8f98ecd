import { eq } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { coverageAccess } from "../../contract/coverage-access.ts";
import { later } from "../../contract/durations.ts";
import { incidentAccess } from "../../contract/incident-access.ts";
import { indiaZone } from "../../contract/india-time.ts";
import { quoteNumber } from "../../contract/numbers.ts";
import { obligationAccess } from "../../contract/obligation-access.ts";
import { serviceReportAccess } from "../../contract/service-report-access.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { insertOrder, insertQuote } from "../../tests/paid-order.ts";
import { member, type Member } from "../../tests/people.ts";
import { recount } from "../coverage/recount.ts";
import { engineBindings, engineFindings, organisations, serviceReports } from "../database/schema/index.ts";
import { openOnboarding } from "../onboarding/open-onboarding.ts";
import { makeReport } from "../service-reports/make-reports.ts";
import { monthBefore } from "../service-reports/month-of.ts";

const name = "Narmada Looms";
const title = "Sign-ins that nobody knows";
/** All operations with which partners read or write what follows a sale. */
const operations = Object.keys({ ...coverageAccess, ...incidentAccess, ...obligationAccess, ...serviceReportAccess })
  .filter((operation) => operation.startsWith("partner/"))
  .map((operation) => [operation, ""] as const);
const papers = ["report.pdf", "report-partner.pdf", "certificate.pdf"].map(
  (file) => ["partner/get-signed-url", file] as const,
);

let server: TestServer;
let partners: Record<"former" | "next", Member>;
let admin: Member;
let customer: Member;
let incidentId: string;
let quote: Awaited<ReturnType<typeof insertQuote>>;
const fileId = randomUUID();
beforeAll(async () => {
  server = await startTestServer({ work: false });
  const { services } = server;
  const { database } = services;
  const former = await member(server, "partner", { organizationName: "Former" });
  // Of the same name: whose paper it is must not be told by that.
  partners = { former, next: await member(server, "partner", { organizationName: "Former" }) };
  admin = await member(server, "admin");
  customer = await member(server, "user", { organizationName: name, partnerId: former.organisationId });
  const { organisationId, email } = customer;
  const order = await insertOrder(server, customer);
  const { organisationId: partnerId, id: madeBy } = former;
  quote = await insertQuote(server, customer, { organizationName: name, partnerId, madeBy });
  await database.transaction(async (transaction) => {
    await openOnboarding(services, transaction, { organisationId, orderId: order.id });
    await recount(services, transaction, organisationId);
  });
  const month = monthBefore(later(services.now(), { days: 32 }), indiaZone);
  await makeReport(
    services,
    { id: organisationId, name, partner: { id: former.organisationId, name: "Former" } },
    month,
  );
  const files = { file: "report.pdf", partnerFile: "report-partner.pdf", certificateFile: "certificate.pdf" };
  await database.update(serviceReports).set(files).where(eq(serviceReports.organisationId, organisationId));
  await insertFinding(organisationId);
  const asked = { id: randomUUID(), email, title, severity: "P2" as const };
  incidentId = (await server.call("admin/incidents/open", asked, admin.token)).body.incident_id;
  const file = { name: "proof.txt", file: Buffer.from("proof").toString("base64") };
  await server.call("admin/incidents/attach", { id: incidentId, file_id: fileId, ...file }, admin.token);
});
afterAll(() => server.stop());

async function insertFinding(organisationId: string): Promise<void> {
  const { database, now } = server.services;
  const at = now();
  const [binding] = await database
    .insert(engineBindings)
    .values({ organisationId, kind: "wazuh4", address: "https://wazuh.example.in", nextPollAt: at })
    .returning();
  const told = { title, severity: "low", rawSeverity: "3", state: "open", at, createdAt: at } as const;
  await database
    .insert(engineFindings)
    .values({ ...told, attack: [], bindingId: binding?.id ?? "", organisationId, externalId: "1" });
}

const about = () => ({ id: incidentId, email: customer.email, file_id: fileId, fact_id: randomUUID(), text: "Seen" });
const nobodys = {
  id: randomUUID(),
  email: "nobody@example.in",
  file_id: randomUUID(),
  fact_id: randomUUID(),
  text: "Seen",
};

/** The calls that answer a partner differently for the customer than for somebody who does not exist. */
async function reached({ token }: Member): Promise<string[]> {
  const found = [];
  for (const [operation, fileName] of [...operations, ...papers]) {
    const ask = async (input: object) => {
      const { status, body } = await server.send(operation, input, token);
      return JSON.stringify([status, status < 300 ? body : null]);
    };
    const answer = await ask({ ...about(), fileName });
    const ofNobody = await ask({ ...nobodys, fileName: "never-was.pdf" });
    // Lists over all customers are requested without a name.
    if (answer !== ofNobody || answer.includes(name) || answer.includes(title)) found.push(`${operation} ${fileName}`);
  }
  return found;
}

/** What the command palette finds by the quote's number, its organisation's name and its e-mail. */
async function foundBy({ token }: Member): Promise<string[]> {
  const found = [];
  for (const words of [quoteNumber(quote.serial), name, customer.email])
    found.push(...(await server.call("partner/find", { words }, token)).body.found.map(({ kind }) => kind));
  return found;
}

it("A partner reaches nothing of a customer that was moved to another one, who reaches all of it", async () => {
  const { former, next } = partners;
  const all = [...operations, ...papers].map(([operation, fileName]) => `${operation} ${fileName}`);
  expect(all.length).toBeGreaterThan(15);
  expect([await reached(former), await reached(next)]).toEqual([all, []]);
  expect(await foundBy(former)).toEqual(expect.arrayContaining(["number", "quote", "customer"]));
  const { organisationId } = customer;
  const [{ version } = { version: 0 }] = await server.services.database
    .select({ version: organisations.version })
    .from(organisations)
    .where(eq(organisations.id, organisationId));
  const move = { id: organisationId, version, partner_email: next.email };
  expect((await server.call("admin/people/move-customer", move, admin.token)).status).toBe(200);
  // The next partner may read the provider's edition of the report; the edition in the former partner's name is for
  // nobody else.
  const inFormersName = "partner/get-signed-url report-partner.pdf";
  expect([await reached(former), await reached(next)]).toEqual([[], all.filter((each) => each !== inFormersName)]);
  expect(await foundBy(former)).toEqual([]);
});
