import { eq } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { insertOrder, insertQuote } from "../../tests/paid-order.ts";
import { member, type Member } from "../../tests/people.ts";
import { fileOfExport } from "../data-requests/queries.ts";
import { contracts, invoices, quotes } from "../database/schema/index.ts";
import { documentFile, documentKinds } from "../outside/files/document-file.ts";
import { proposalFile } from "../quotes/deliver-proposal.ts";

let server: TestServer;
let partner: Member;
let customer: Member;
const files = { proposal: "", invoice: "invoice-of-customer.pdf", visitor: "" };
beforeAll(async () => {
  server = await startTestServer({ work: false });
  partner = await member(server, "partner");
  customer = await member(server, "user", { partnerId: partner.organisationId });
  const order = await insertOrder(server, customer);
  await server.services.database.update(invoices).set({ file: files.invoice }).where(eq(invoices.orderId, order.id));
  files.proposal = (await insertQuote(server, customer, { partnerId: partner.organisationId })).proposalFile ?? "";
  files.visitor = (await insertQuote(server, null)).proposalFile ?? "";
});
afterAll(() => server.stop());

const endpoints = {
  user: "user/get-signed-url",
  partner: "partner/get-signed-url",
  admin: "admin/getSignedUrlByAdmin",
} as const;
const ask = async (as: keyof typeof endpoints, fileName: string, { token }: Member) => {
  const { status, body } = await server.call(endpoints[as], { fileName }, token);
  return { status, body: status === 200 ? new URL(body.signedUrl).pathname : body };
};
const unknown = { status: 404, body: { error: "This file was not found.", code: "not_found" } };

it("A partner and its children get the proposals and invoices of the partner's customers", async () => {
  const child = await member(server, "partnerChild", { organisationId: partner.organisationId });
  for (const asker of [partner, child])
    for (const file of [files.proposal, files.invoice])
      expect(await ask("partner", file, asker)).toEqual({ status: 200, body: `/api/files/${file}` });
});

it("A partner gets what its customer asked for itself once that is bought, and what nobody asked for", async () => {
  const asked = await insertQuote(server, customer);
  const file = asked.proposalFile ?? "";
  const former = await member(server, "partner");
  const madeBefore = await insertQuote(server, customer, { partnerId: former.organisationId });
  for (const unseen of [file, madeBefore.proposalFile ?? ""])
    expect(await ask("partner", unseen, partner)).toEqual(unknown);
  expect((await ask("user", file, customer)).status).toBe(200);
  const order = await insertOrder(server, customer);
  const bought = eq(quotes.id, order.quoteId);
  const [{ proposalFile } = { proposalFile: "" }] = await server.services.database.select().from(quotes).where(bought);
  expect((await ask("partner", proposalFile ?? "", partner)).status).toBe(200);
  const [contract] = await server.services.database
    .select()
    .from(contracts)
    .where(eq(contracts.organisationId, customer.organisationId));
  const days = { contractNumber: "C-000001", from: "2027-11-22", to: "2028-11-21", days: 366, daysOfYear: 366 };
  for (const [kind, status] of [
    ["renew", 200],
    ["true up", 200],
    ["add", 404],
  ] as const) {
    const quote = await insertQuote(server, customer, {
      contractId: contract?.id ?? null,
      term: { kind, ...days, discountBasisPoints: 0 },
    });
    expect([kind, (await ask("partner", quote.proposalFile ?? "", partner)).status]).toEqual([kind, status]);
  }
});

it("For another partner and another customer they are as unknown as a name that never was", async () => {
  const otherPartner = await member(server, "partner");
  const otherCustomer = await member(server, "user", { partnerId: partner.organisationId });
  for (const file of [files.proposal, files.invoice, files.visitor, "never-was.pdf", "../../etc/passwd"]) {
    expect(await ask("partner", file, otherPartner)).toEqual(unknown);
    expect(await ask("user", file, otherCustomer)).toEqual(unknown);
  }
  expect(await ask("partner", files.visitor, partner)).toEqual(unknown);
});

it("Administrators get every file that is known, and no other", async () => {
  const admin = await member(server, "adminChild");
  for (const file of Object.values(files)) expect((await ask("admin", file, admin)).status).toBe(200);
  expect(await ask("admin", "never-was.pdf", admin)).toEqual(unknown);
  expect((await ask("admin", "never\0was.pdf", admin)).status).toBe(422);
});

it("Whatever file we write can be fetched by its signed address, and no other name", async () => {
  const id = randomUUID();
  const written = [
    ...documentKinds.map((kind) => documentFile(kind, id)),
    proposalFile(id, 1),
    proposalFile(id, 2),
    fileOfExport(id),
    `service-report-${id}-partner.pdf`,
    `incident-${id}.png`,
  ];
  const { files: store } = server.services;
  const fetched = async (name: string) => {
    await store.write(name, new Uint8Array([37, 80, 68, 70]));
    const { pathname, search } = new URL(await store.signedUrl(name, name));
    return (await fetch(`${server.url}${pathname}${search}`)).status;
  };
  for (const name of written) expect([name, await fetched(name)]).toEqual([name, 200]);
  for (const name of ["secret.pdf", `other-${randomUUID()}.pdf`, `retention-${randomUUID()}-partner.pdf`])
    expect([name, await fetched(name)]).toEqual([name, 404]);
});
