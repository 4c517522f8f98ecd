import { eq } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { access, mayCall, type Reach, rolesFor } from "../contract/access.ts";
import { shippedAgreement } from "../contract/incident-agreement.ts";
import { writtenDay } from "../contract/india-time.ts";
import type { Obligation } from "../contract/obligation-kinds.ts";
import { rupees } from "../contract/money.ts";
import { type OperationName, operations } from "../contract/operations.ts";
import { type Area, areaOf, isChild, mainRoles, type Role, roles } from "../contract/roles.ts";
import { handlers } from "../server/http/api.ts";
import { hashPassword } from "../server/accounts/passwords.ts";
import { shippedObligations } from "../server/obligations/shipped.ts";
import { presentContent } from "../server/rates/card-on-the-wire.ts";
import { sampleCard } from "../server/rates/rate-card.ts";
import {
  auditEntries,
  contracts,
  customerTools,
  incidentFacts,
  incidents,
  invoices,
  rateLimits,
  sessions,
} from "../server/database/schema/index.ts";
import { announcement, customerEstimate, password, quoteRequest, registration } from "./factories.ts";
import { startTestServer, type TestServer } from "./harness.ts";
import { insertOrder, insertQuote } from "./paid-order.ts";
import { member, type Member } from "./people.ts";

const { key: _key, version: _version, ...obligationWords } = shippedObligations[0] as Obligation;

/** A partner with its one customer, and the customer's records. Its name is in every record. */
interface Tenant {
  user: Member;
  partner: Member;
  /** Not bought yet. */
  quote: Awaited<ReturnType<typeof insertQuote>>;
  orderId: string;
  file: string;
  contractId: string;
  incidentId: string;
}

let server: TestServer;
let first: Tenant;
let second: Tenant;
let admin: Member;
/** A person who has signed out. */
let left: Member;
let passwordHash: string;
beforeAll(async () => {
  // Before the server registers the handlers.
  for (const name of names) Object.assign(handlers, { [name]: answersTooMuch(ownHandlers[name]) });
  server = await startTestServer({ work: false });
  passwordHash = await hashPassword(password);
  first = await tenant("Firstling");
  second = await tenant("Secondary");
  admin = await member(server, "admin");
  await noteChanges();
  left = await someone("user", first);
  const { database, now } = server.services;
  await database.update(sessions).set({ revokedAt: now() }).where(eq(sessions.personId, left.id));
});
afterAll(async () => {
  Object.assign(handlers, ownHandlers);
  await server.stop();
});
beforeEach(async () => {
  await server.services.database.delete(rateLimits);
});

async function tenant(name: string): Promise<Tenant> {
  const { database } = server.services;
  const partner = await member(server, "partner", { organizationName: `${name} Networks`, firstName: name });
  const own = { organizationName: `${name} Mills`, partnerId: partner.organisationId };
  const user = await member(server, "user", {
    ...own,
    firstName: name,
    email: `${name.toLowerCase()}@example.in`,
    passwordHash,
  });
  await member(server, "userChild", { organisationId: user.organisationId, firstName: name });
  await member(server, "partnerChild", { organisationId: partner.organisationId, firstName: name });
  const quote = await insertQuote(server, user, { organizationName: own.organizationName });
  const order = await insertOrder(server, user);
  const file = `invoice-${name}.pdf`;
  await database.update(invoices).set({ file }).where(eq(invoices.orderId, order.id));
  const siemUrl = `https://siem.example.in/${name}`;
  await database.insert(customerTools).values({ organisationId: user.organisationId, siemUrl, siemEnabled: true });
  const [contract] = await database.select().from(contracts).where(eq(contracts.orderId, order.id));
  const opened = { organisationId: user.organisationId, severity: "P2" as const, openedAt: new Date() };
  const [incident] = await database
    .insert(incidents)
    .values({ ...opened, title: `Sign-ins at ${name}`, source: "analyst", changedAt: opened.openedAt })
    .returning();
  const incidentId = incident?.id ?? "";
  const fact = { incidentId, news: "detected" as const, by: "us" as const, eventKey: "detected" };
  await database
    .insert(incidentFacts)
    .values({ ...fact, occurredAt: opened.openedAt, recordedAt: opened.openedAt, payload: { severity: "P2" } });
  return { user, partner, quote, orderId: order.id, file, contractId: contract?.id ?? "", incidentId };
}

/** A new person of this role in the given tenant. */
const someone = async (role: Role, of: Tenant) => {
  const homes = { user: of.user, partner: of.partner, admin };
  return member(server, role, { organisationId: homes[areaOf(role)].organisationId, passwordHash });
};

/** Callers, created once. Calls that change a session get a new caller, so that they harm no other call. */
const callers = new Map<string, Promise<Member>>();
function callerOf(name: OperationName, role: Role, of: Tenant): Promise<Member> {
  if (name.startsWith("auth/")) return someone(role, of);
  const key = `${role} ${of.orderId}`;
  const made = callers.get(key) ?? someone(role, of);
  callers.set(key, made);
  return made;
}

interface Row {
  /** A minimal valid input about records of the given tenant. */
  input: (caller: Member | null, about: Tenant) => object;
  /** The status for permitted callers; by default the operation's own. */
  status?: number;
  /** The same input about records that do not exist: another tenant's must be answered alike. */
  unknown?: (caller: Member | null) => object;
}

const nothing: Row = { input: () => ({}) };
const ofCustomer: Row = {
  input: (_caller, about) => ({ email: about.user.email }),
  unknown: () => ({ email: "nobody@example.in" }),
};
const billingDetails = { legalName: "Godavari Foods", address: "1 MG Road, Kochi", stateCode: "32" };
const savesBilling: Row = {
  input: (_caller, about) => ({ ...billingDetails, email: about.user.email }),
  unknown: () => ({ ...billingDetails, email: "nobody@example.in" }),
};
const ofPartner: Row = { input: (_caller, about) => ({ email: about.partner.email }) };
// Each role has its own invitations: which ones it reaches is tested beside `resendInvitation`.
const ofInvitation: Row = {
  // Administrators reach all invitations.
  input: () => ({ id: randomUUID() }),
  status: 404,
  unknown: () => ({ id: randomUUID() }),
};
// The effect of a suspension is tested beside `suspendPerson`; here it would remove what other calls need.
const ofNobody: Row = { input: () => ({ email: "nobody@example.in", what: "person" }), status: 404 };
const ofIncident: Row = {
  input: (_caller, about) => ({ id: about.incidentId }),
  unknown: () => ({ id: randomUUID() }),
};
const told = () => ({ fact_id: randomUUID(), text: "Looked at" });
const commentsIncident: Row = {
  input: (_caller, about) => ({ id: about.incidentId, ...told() }),
  unknown: () => ({ id: randomUUID(), ...told() }),
};
const attached = () => ({ file_id: randomUUID(), name: "notes.txt", file: Buffer.from("notes").toString("base64") });
const attachesFile: Row = {
  input: (_caller, about) => ({ id: about.incidentId, ...attached() }),
  unknown: () => ({ id: randomUUID(), ...attached() }),
};
const opensIncidentFile: Row = {
  input: (_caller, about) => ({ id: about.incidentId, file_id: randomUUID() }),
  status: 404,
  unknown: () => ({ id: randomUUID(), file_id: randomUUID() }),
};
const ofFile: Row = {
  input: (_caller, about) => ({ fileName: about.file }),
  unknown: () => ({ fileName: "never-was.pdf" }),
};
const ofOrder: Row = {
  input: (_caller, about) => ({ id: about.orderId }),
  unknown: () => ({ id: randomUUID() }),
};
const ofContract: Row = {
  input: (_caller, about) => ({ id: about.contractId }),
  unknown: () => ({ id: randomUUID() }),
};
const aboutIncident = (input: () => object): Row => ({
  input: (_caller, about) => ({ ...input(), id: about.incidentId }),
  unknown: () => ({ ...input(), id: randomUUID() }),
});
const attests = aboutIncident(() => ({ factId: randomUUID(), kind: "types", value: { types: [5] } }));
const draftsReport = aboutIncident(() => ({ key: "cert-in", format: "text" }));
// Their effects are tested in server/onboarding and server/obligations.
const ticks: Row = { input: () => ({ id: randomUUID(), version: 1, done: true }), status: 404 };
const plans: Row = {
  input: () => ({ id: randomUUID(), version: 1, side: "yours", ownerId: null, dueOn: dayInIndia(), note: "" }),
  status: 404,
};
const dayInIndia = () => writtenDay(new Date());
const addition = (contract_id: string) => ({
  contract_id,
  selectedDevices: [{ service: "Server", deviceType: "Prod Server", number: 1 }],
  from: dayInIndia(),
});
const pricesAddition: Row = {
  input: (_caller, about) => addition(about.contractId),
  unknown: () => addition(randomUUID()),
};
// With a wrong total, so that nothing is created: that is tested in server/contracts.
const addsDevices: Row = {
  input: (_caller, about) => ({ ...addition(about.contractId), quote_id: randomUUID(), total_cost: "1.00" }),
  unknown: () => ({ ...addition(randomUUID()), quote_id: randomUUID(), total_cost: "1.00" }),
  status: 409,
};
const askedLess = () => ({
  id: randomUUID(),
  series: 1_000_000,
  quantity: 1,
  wished_on: dayInIndia(),
  reason: "Switched off",
});
// A contract line that does not exist.
const asksLess: Row = {
  input: (_caller, about) => ({ ...askedLess(), contract_id: about.contractId }),
  status: 404,
  unknown: () => ({ ...askedLess(), contract_id: randomUUID() }),
};
const newPerson = () => ({
  organizationName: "Godavari Foods",
  firstName: "Ravi",
  lastName: "Nair",
  email: `ravi-${randomUUID().slice(0, 13)}@example.in`,
  phoneNo: "+919800000001",
});
const adds: Row = { input: newPerson };
const estimateFor = (email: string) => ({ ...customerEstimate(), email });
const certificate = {
  kind: "certificate",
  name: "ISO/IEC 27001:2022",
  issuer: "A certification body",
  statement: "Certificate 12345",
  validUntil: "2099-12-31",
  link: null,
};
const logSourceFile = Buffer.from("Product,Category,Label,Format\nAcme Gate,Doors,ACME_GATE,JSON\n").toString("base64");
const settlementFile = Buffer.from(
  "action,payuId,requestId,merchantTransactionId,transactionAmount,merchantServiceFee,merchantServiceTax,merchantNetAmount,settlementDate,utrNumber\ncapture,1,1,P1,10.00,0.20,0.04,9.76,2026-11-20,U1\n",
).toString("base64");
const bankStatement = Buffer.from("Date,Narration,UTR,Credit\n2026-01-02,NEFT,RIGHTS000001,10.00\n").toString("base64");
const days = { from: "2026-01-01", to: "2026-01-31", format: "csv" as const };
const tile = {
  email: null,
  title: "Reports",
  text: "What happened last month",
  icon: "report",
  url: "https://reports.example.in/",
  place: 1,
  shown: false,
};
const article = {
  title: "An article of a test",
  slug: "an-article",
  excerpt: "",
  markdown: "The lead.",
  tags: [],
  author: "Asha Rao",
  headerImg: "",
  headerAlt: "",
};
const engine = (email: string) => ({
  email,
  kind: "wazuh4",
  address: "https://wazuh4.engines.demo.example/manager",
  indexerAddress: "https://wazuh4.engines.demo.example/indexer",
  username: "prahari-reader",
  secret: "sample secret of the stand-in",
});
const deviceType = { service: "Server", deviceType: "Prod Server" };
const matchRule = (email: string) => ({ email, kind: "name", pattern: "srv-*", ...deviceType });
const bindsEngine: Row = {
  input: (_caller, about) => engine(about.user.email),
  unknown: () => engine("nobody@example.in"),
};
const anyCard = presentContent(sampleCard());
const deadLink = "a".repeat(43);
const payment = (caller: Member | null, quoteId: string, amount: string) => ({
  email: caller?.email ?? "nobody@example.in",
  quote_id: quoteId,
  amount,
  name: "Asha Rao",
  phone: "+919876543210",
  // Somebody else in the organisation may have started a payment before.
  takeOver: true,
});

const offer = {
  devices: [{ service: "Server", deviceType: "Prod Server", number: 10, option: false, yearly: null }],
  discountPercent: null,
};

const decides = (input: object): Row => ({
  input: (_caller, { quote }) => ({ revision: 1, ...input, quote_id: quote.id }),
  unknown: () => ({ revision: 1, ...input, quote_id: randomUUID() }),
});

const rows: Record<OperationName, Row> = {
  "generate-token": nothing,
  "auth/register": { input: () => registration() },
  "auth/login": { input: (_caller, about) => ({ email: about.user.email, password }) },
  "auth/verify-otp": { input: (_caller, about) => ({ email: about.user.email, otp: "000000" }), status: 401 },
  "auth/forgot-password": ofCustomer,
  "auth/reset-password": {
    input: () => ({ token: deadLink, newPassword: password, confirmPassword: password }),
    status: 422,
  },
  "auth/invitation": { input: () => ({ token: deadLink }), status: 422 },
  "auth/accept-invite": { input: () => ({ token: deadLink, password, confirmPassword: password }), status: 422 },
  "auth/confirm-email": { input: () => ({ token: deadLink }), status: 422 },
  "auth/logout": nothing,
  "auth/logout-everywhere": nothing,
  "auth/end-session": {
    input: (caller, about) => ({ id: sessionOf(caller ?? about.user) }),
    unknown: () => ({ id: randomUUID() }),
  },
  "auth/change-password": {
    input: () => ({
      currentPassword: "wrong",
      newPassword: "seven blue tables 77",
      confirmPassword: "seven blue tables 77",
    }),
    status: 401,
  },
  "user/me": nothing,
  "user/sessions": nothing,
  estimator: { input: () => quoteRequest() },
  // Who gets which token is tested beside `proposalJustSent`.
  "estimator/proposal": { input: () => ({ token: deadLink }), status: 404 },
  catalogue: nothing,
  "estimator/price": { input: () => ({ selectedDevices: quoteRequest().selectedDevices }) },
  blogs: nothing,
  "blogs/{idKey}": { input: () => ({ idKey: "no-such-post" }), status: 404 },
  contact: {
    input: () => ({
      userName: "Asha Rao",
      userEmail: "asha@example.in",
      phone: "9876543210",
      organization: "Kaveri Textiles",
      organizationSize: 120,
      message: "Please call in the morning.",
    }),
  },
  "logs/categories": nothing,
  "logs/count": nothing,
  logs: nothing,
  "logs/search": { input: () => ({ searchQuery: "linux" }) },
  "user/get-users-dashboard-url": nothing,
  "user/get-estimation": nothing,
  "user/quotes/terms": {
    input: (_caller, { quote }) => ({ quote_id: quote.id }),
    unknown: () => ({ quote_id: randomUUID() }),
  },
  "user/quotes/mail-code": decides({}),
  // Without the mailed code.
  "user/quotes/accept": {
    ...decides({
      terms_hash: "0".repeat(64),
      name: "Asha Rao",
      designation: "Head of IT",
      has_authority: true,
      code: "000000",
    }),
    status: 422,
  },
  // A revision that does not exist, so that the quote can still be bought.
  "user/quotes/decline": { ...decides({ reason: "Too dear.", revision: 2 }), status: 409 },
  "user/orders": {
    input: (caller, { quote }) => payment(caller, quote.id, rupees(quote.totalPaise)),
    unknown: (caller) => payment(caller, randomUUID(), "1.00"),
  },
  "user/get-payment-by-email": nothing,
  "user/order": ofOrder,
  "partner/order": ofOrder,
  "admin/order": ofOrder,
  // Their effects are tested in server/refunds: here each call would depend on the one before.
  "admin/refunds/ask": {
    input: () => ({ id: randomUUID(), payment: randomUUID(), amount: "1.00", reason: "Paid twice" }),
    status: 404,
  },
  "admin/refunds/approve": { input: () => ({ id: randomUUID() }), status: 404 },
  "admin/e-invoices/cancel": {
    input: () => ({ id: randomUUID(), reason: "3", remark: "Not wanted any more" }),
    status: 404,
  },
  "admin/refunds/paid-out": {
    input: () => ({ id: randomUUID(), bank_reference: `RIGHTS${randomUUID().slice(0, 8)}`, paid_on: "2026-01-02" }),
    status: 404,
  },
  "admin/transfers/enter-again": { input: () => ({ refund: randomUUID() }), status: 404 },
  "admin/refunds/decline": { input: () => ({ id: randomUUID(), reason: "Not agreed" }), status: 404 },
  "admin/reconcile": nothing,
  "admin/reconcile/files": nothing,
  "admin/reconcile/preview": { input: () => ({ file: settlementFile }) },
  "admin/reconcile/import": { input: () => ({ file: settlementFile, name: "settlement.csv" }) },
  "admin/reconcile/resolve": { input: () => ({ id: randomUUID(), reason: "Looked at" }), status: 404 },
  // Their effects are tested in server/transfers: here each call would depend on the one before.
  "user/ways-to-pay": nothing,
  "user/payments-due": nothing,
  "partner/payments-due": ofCustomer,
  "admin/payments-due": ofCustomer,
  "user/statement": { input: () => days },
  "partner/statement": {
    input: (_caller, about) => ({ ...days, email: about.user.email }),
    unknown: () => ({ ...days, email: "nobody@example.in" }),
  },
  "admin/statement": { input: (_caller, about) => ({ ...days, email: about.user.email }) },
  // Only online payment is offered here.
  "user/orders/transfer": {
    input: (caller, { quote }) => ({
      ...payment(caller, quote.id, rupees(quote.totalPaise)),
      way: "transfer" as const,
    }),
    status: 409,
    unknown: (caller) => ({ ...payment(caller, randomUUID(), "1.00"), way: "transfer" as const }),
  },
  "user/transfers/announce": {
    input: (_caller, { orderId }) => ({
      order_id: orderId,
      utr: "SBIN0000000001",
      amount: "1.00",
      sent_on: "2026-01-01",
    }),
    status: 409,
    unknown: () => ({ order_id: randomUUID(), utr: "SBIN0000000001", amount: "1.00", sent_on: "2026-01-01" }),
  },
  "user/transfers/withdraw": { input: () => ({ id: randomUUID() }), status: 404 },
  "user/transfers/deduct": {
    input: (_caller, { orderId }) => ({ order_id: orderId, section: "194J", percent: 10 }),
    status: 409,
    unknown: () => ({ order_id: randomUUID(), section: "194J", percent: 10 }),
  },
  "user/certificates/upload": {
    input: () => ({
      id: randomUUID(),
      number: "A1",
      quarter: "2026-27 Q1",
      amount: "1.00",
      file: Buffer.from("%PDF-1.7").toString("base64"),
    }),
    status: 404,
  },
  "admin/receivables": nothing,
  "admin/receivables/ageing": nothing,
  "admin/write-offs/agree": { input: () => ({ id: randomUUID() }), status: 404 },
  "admin/write-offs/decline": { input: () => ({ id: randomUUID() }), status: 404 },
  "admin/receivables/settle": {
    input: () => ({
      id: randomUUID(),
      order_id: randomUUID(),
      kind: "write-off" as const,
      amount: "1.00",
      reason: "Small",
    }),
    status: 404,
  },
  "admin/transfers": nothing,
  "admin/transfers/record": {
    input: () => ({
      utr: `TEST${randomUUID().slice(0, 8)}`,
      amount: "1.00",
      received_on: "2026-01-01",
      payer: "Nobody",
      pays: null,
    }),
  },
  "admin/transfers/match": { input: () => ({ id: randomUUID(), pays: "O-000001" }), status: 404 },
  "admin/transfers/set-aside": { input: () => ({ id: randomUUID(), reason: "Interest" }), status: 404 },
  "admin/transfers/put-back": { input: () => ({ id: randomUUID() }), status: 404 },
  "admin/transfers/preview": { input: () => ({ file: bankStatement }) },
  "admin/transfers/import": { input: () => ({ file: bankStatement, name: "statement.csv" }) },
  "admin/certificates": nothing,
  "admin/certificates/owe-again": {
    input: () => ({ id: randomUUID(), reason: "No certificate came" }),
    status: 404,
  },
  "admin/certificates/correct": {
    input: () => ({ id: randomUUID(), section: "194J", percent: 2, reason: "Two percent" }),
    status: 404,
  },
  "admin/certificates/decide": {
    input: () => ({ id: randomUUID(), pdf_url: "a.pdf", decision: "refused" as const, reason: "Another year" }),
    status: 404,
  },
  "user/contracts": nothing,
  "user/contracts/price-addition": pricesAddition,
  "user/contracts/add-devices": addsDevices,
  "user/contracts/ask-less": asksLess,
  // Their effects are tested in server/contracts: here each call would depend on the one before.
  "user/contracts/withdraw-less": { input: () => ({ id: randomUUID() }), status: 404 },
  "user/contracts/choose-renewal": {
    input: (_caller, about) => ({ contract_id: about.contractId, automatic: false }),
    unknown: () => ({ contract_id: randomUUID(), automatic: false }),
  },
  "user/contracts/dispute": { input: () => ({ id: randomUUID(), comment: "Counted twice" }), status: 404 },
  "user/service": nothing,
  "partner/service": nothing,
  "admin/service": nothing,
  "user/reports": nothing,
  "partner/reports": ofCustomer,
  "admin/reports": ofCustomer,
  "partner/contracts": { ...ofCustomer },
  "partner/contracts/contract": ofContract,
  "partner/contracts/price-addition": pricesAddition,
  "partner/contracts/add-devices": addsDevices,
  "admin/contracts": nothing,
  "admin/contracts/contract": ofContract,
  "admin/contracts/price-addition": pricesAddition,
  "admin/contracts/add-devices": addsDevices,
  "admin/contracts/ask-less": asksLess,
  "admin/contracts/preview-less": {
    input: () => ({ id: randomUUID(), effective_on: dayInIndia() }),
    status: 404,
  },
  "admin/contracts/decide-less": {
    input: () => ({ id: randomUUID(), agreed: false, effective_on: null, answer: "Not agreed" }),
    status: 404,
  },
  "admin/contracts/refund-again": { input: () => ({ change_id: randomUUID() }), status: 404 },
  "admin/contracts/decide-true-up": {
    input: () => ({ id: randomUUID(), billed: false, answer: "Dropped" }),
    status: 404,
  },
  "user/children": nothing,
  "user/create-child-user": adds,
  "user/get-signed-url": ofFile,
  "people/resend-invitation": ofInvitation,
  "people/withdraw-invitation": ofInvitation,
  "partner/get-partner-dashboard": nothing,
  "partner/users": nothing,
  "partner/create-user": adds,
  "partner/get-user-by-partner-email": ofCustomer,
  "partner/get-payment-details": ofCustomer,
  "partner/get-customer-tool": ofCustomer,
  "partner/create-estimate": {
    input: (_caller, about) => estimateFor(about.user.email),
    unknown: () => estimateFor("nobody@example.in"),
  },
  "partner/get-estimation": ofCustomer,
  "partner/get-signed-url": ofFile,
  "partner/children": nothing,
  "partner/create-child-user": adds,
  "admin/suspend": ofNobody,
  "admin/restore": ofNobody,
  // Their effects are tested in server/people and server/data-requests: here they would remove what other calls need.
  "user/coverage": nothing,
  "user/coverage/days": nothing,
  "user/coverage/devices": nothing,
  "partner/coverage/customers": nothing,
  "partner/coverage": ofCustomer,
  "partner/coverage/days": ofCustomer,
  "partner/coverage/devices": ofCustomer,
  "admin/coverage/customers": nothing,
  "admin/coverage": ofCustomer,
  "admin/coverage/days": ofCustomer,
  "admin/coverage/devices": ofCustomer,
  "admin/coverage/rules": ofCustomer,
  "admin/coverage/rules/save": {
    input: (_caller, about) => matchRule(about.user.email),
    unknown: () => matchRule("nobody@example.in"),
  },
  // Their effects are tested in server/coverage.
  "admin/coverage/rules/remove": { input: () => ({ id: randomUUID(), version: 1 }), status: 404 },
  "admin/coverage/limits/save": {
    input: (_caller, about) => ({ email: about.user.email, ...deviceType, minutes: 90 }),
    unknown: () => ({ email: "nobody@example.in", ...deviceType, minutes: 90 }),
  },
  "admin/coverage/devices/decide": {
    input: (_caller, about) => ({ email: about.user.email, ids: [randomUUID()], decision: { is: "not_ours" } }),
    status: 404,
  },
  "user/onboarding": nothing,
  "user/onboarding/state": nothing,
  "user/onboarding/tick": ticks,
  "user/onboarding/plan": plans,
  "user/onboarding/time-zone": { input: () => ({ timeZone: "Asia/Kolkata" }) },
  "user/onboarding/add-site": { input: () => ({ id: randomUUID(), name: "Plant", address: "1 Mill Road, Kochi" }) },
  "user/onboarding/remove-site": { input: () => ({ id: randomUUID() }), status: 404 },
  "partner/onboarding": ofCustomer,
  "admin/onboarding": ofCustomer,
  "admin/onboarding/tick": ticks,
  "admin/onboarding/plan": plans,
  "user/obligations": nothing,
  "user/obligations/classes": { input: () => ({ classes: ["bank"], version: 1_000 }), status: 409 },
  "user/incidents/{id}/obligations": ofIncident,
  "user/incidents/{id}/facts": attests,
  "user/incidents/{id}/draft": draftsReport,
  "user/incidents/{id}/filings": {
    ...aboutIncident(() => ({
      filingId: randomUUID(),
      key: "cert-in",
      version: 1_000,
      filedBy: randomUUID(),
      filedAt: "2026-01-02T10:00:00Z",
      reference: "",
    })),
    status: 409,
  },
  "partner/incidents/{id}/obligations": ofIncident,
  "admin/incidents/{id}/obligations": ofIncident,
  "admin/incidents/{id}/facts": attests,
  "admin/incidents/{id}/draft": draftsReport,
  "admin/obligations": nothing,
  "admin/obligations/history": { input: () => ({ key: "cert-in" }) },
  "admin/obligations/post": {
    input: () => ({ key: "cert-in", version: 1_000, words: obligationWords }),
    status: 409,
  },
  "admin/obligations/verify": { input: () => ({ key: "cert-in", version: 1_000, verified: true }), status: 409 },
  "admin/engines": ofCustomer,
  "admin/engines/all": nothing,
  "admin/engines/post": bindsEngine,
  "admin/engines/test": bindsEngine,
  // The removal is tested in server/engines.
  "admin/engines/remove": { input: () => ({ id: randomUUID(), version: 1 }), status: 404 },
  "admin/people": ofCustomer,
  "admin/people/organization": ofCustomer,
  "admin/people/change": {
    input: () => ({ id: randomUUID(), version: 1, firstName: "Asha", lastName: "Rao", phoneNo: "+919876543210" }),
    status: 404,
  },
  "admin/people/change-organization": {
    input: () => ({
      id: randomUUID(),
      version: 1,
      name: "Godavari Foods",
    }),
    status: 404,
  },
  "admin/people/correct-email": { input: () => ({ id: randomUUID(), email: registration().email }), status: 404 },
  "admin/people/keep-email": { input: () => ({ id: randomUUID() }), status: 404 },
  "admin/people/change-role": { input: () => ({ id: randomUUID(), version: 1, role: "user" }), status: 404 },
  "admin/people/move-customer": { input: () => ({ id: randomUUID(), version: 1, partner_email: null }), status: 404 },
  "admin/people/invitations": nothing,
  "admin/people/sessions": { input: (_caller, about) => ({ id: about.user.id }) },
  "admin/people/end-sessions": { input: () => ({ id: randomUUID(), session_id: null }), status: 404 },
  "admin/people/merge-preview": {
    input: (_caller, about) => ({ from: about.user.email, into: second.user.email }),
  },
  "admin/people/merge": {
    input: () => ({ from: { id: randomUUID(), version: 1 }, into: { id: randomUUID(), version: 1 } }),
    status: 404,
  },
  "admin/people/data-requests": nothing,
  "admin/people/request-data": {
    input: (_caller, about) => ({ id: randomUUID(), kind: "export", email: about.user.email }),
  },
  "admin/people/data-file": { input: () => ({ id: randomUUID() }), status: 404 },
  "admin/getUserByAdmin": { input: () => ({ role: "user" }) },
  "admin/createPartnerByAdmin": adds,
  "admin/getUserByEmailforAdmin": ofCustomer,
  "admin/getUsersByPartnerEmail": ofPartner,
  "admin/getPaymentDetailsByPartnerId": ofPartner,
  "admin/getPaymentDetailsByEmailforAdmin": ofCustomer,
  "admin/getPaymentDetailsByStatus": { input: () => ({ status: "success" }) },
  "admin/getEstimationByAdmin": nothing,
  "admin/getQuoteRates": { input: (_caller, about) => ({ quote_id: about.quote.id }) },
  "admin/confirmQuoteRates": {
    input: (_caller, about) => ({
      quote_id: about.quote.id,
      rates: [{ service: "Customization", deviceType: "SCADA gateway", yearly: "1.00" }],
      total_cost: "1.00",
    }),
    status: 409,
  },
  "admin/getSignedUrlByAdmin": ofFile,
  "admin/getChildrenByParentId": nothing,
  "admin/createChildUserByAdmin": adds,
  "admin/getcustomertToolByEmailApi": ofCustomer,
  "admin/createCustomerToolByEmailApi": { ...ofCustomer, status: 409 },
  "admin/updateCustomerToolSiemByAdmin": {
    input: (_caller, { user }) => ({
      email: user.email,
      siemURL: "https://siem.example.in/Firstling",
      siemStatus: true,
    }),
  },
  "admin/updateCustomerToolSoarByAdmin": {
    input: (_caller, { user }) => ({ email: user.email, soarURL: "", soarStatus: false }),
  },
  "admin/overview": nothing,
  "admin/getPartnerDashboardByEmail": ofPartner,
  "admin/rates": nothing,
  "admin/rates/card": { input: () => ({ id: randomUUID() }), status: 404 },
  "admin/rates/compare": { input: () => ({ content: anyCard }) },
  // Their effects are tested beside `publishDraft`: here each call would depend on the one before.
  "admin/rates/save-draft": { input: () => ({ id: randomUUID(), content: anyCard }), status: 409 },
  "admin/rates/discard-draft": { input: () => ({ id: randomUUID() }), status: 409 },
  "admin/rates/publish": { input: () => ({ id: randomUUID(), from: null }), status: 409 },
  "admin/rates/withdraw": { input: () => ({ id: randomUUID() }), status: 404 },
  "admin/leads": nothing,
  // Which leads a child account may change, and the effects, are tested beside `changeLead`.
  "admin/leads/lead": { input: () => ({ id: randomUUID() }), status: 404 },
  "admin/leads/owners": nothing,
  "admin/leads/update": {
    input: () => ({
      id: randomUUID(),
      version: 1,
      state: "contacted",
      lost_reason: "",
      owner_id: null,
      next_step: "",
      next_step_on: null,
      gstin: null,
    }),
    status: 404,
  },
  "admin/leads/add-note": { input: () => ({ id: randomUUID(), note_id: randomUUID(), text: "Called." }), status: 404 },
  "admin/leads/hand-over": { input: () => ({ from: randomUUID(), to: randomUUID() }), status: 422 },
  "admin/leads/join": { input: () => ({ id: randomUUID(), into: randomUUID() }), status: 404 },
  "admin/leads/separate": { input: () => ({ id: randomUUID() }), status: 404 },
  "admin/leads/price-quote": { input: () => ({ quote_id: null, ...offer }) },
  "admin/leads/make-quote": {
    input: () => ({
      quote_id: randomUUID(),
      lead_id: randomUUID(),
      userName: "Asha Rao",
      userEmail: "asha@example.in",
      organizationName: "Kaveri Textiles",
      phoneNumber: "+919876543210",
      numberOfUsers: 120,
      note: "",
      ...offer,
      total_cost: "1.00",
    }),
    status: 409,
  },
  "admin/leads/revise-quote": {
    input: (_caller, about) => ({ quote_id: about.quote.id, revision: 9, note: "", ...offer, total_cost: "1.00" }),
    status: 409,
  },
  "admin/leads/views": nothing,
  "admin/leads/save-view": { input: () => ({ name: "Mine", filters: { state: "open" } }) },
  "admin/leads/delete-view": { input: () => ({ id: randomUUID() }), status: 404 },
  "admin/leads/funnel": nothing,
  proofs: nothing,
  "admin/posts": nothing,
  "admin/posts/post": { input: () => ({ id: randomUUID() }), status: 404 },
  "admin/posts/version": { input: () => ({ id: randomUUID(), version: 1 }), status: 404 },
  "admin/posts/words": nothing,
  "admin/posts/preview": { input: () => ({ id: randomUUID() }), status: 404 },
  "admin/posts/add": { input: () => ({ ...article, slug: `article-${randomUUID()}` }) },
  // Their effects are tested beside `saveArticle` and `publishArticle`.
  "admin/posts/save": { input: () => ({ id: randomUUID(), version: 1, content: article }), status: 404 },
  "admin/posts/restore": { input: () => ({ id: randomUUID(), version: 2, restored: 1 }), status: 404 },
  "admin/posts/publish": { input: () => ({ id: randomUUID(), version: 1, at: null }), status: 404 },
  "admin/posts/unpublish": { input: () => ({ id: randomUUID(), version: 1 }), status: 404 },
  "admin/posts/remove": { input: () => ({ id: randomUUID(), version: 1 }), status: 404 },
  // JSON is not an image.
  "admin/posts/add-image": { input: () => ({}), status: 422 },
  "admin/posts/add-text-image": { input: () => ({}), status: 422 },
  "admin/settings/proofs": nothing,
  "admin/settings/proofs/add": { input: () => certificate },
  // Their effects are tested beside `changeProof`: here each call would depend on the one before.
  "admin/settings/proofs/change": { input: () => ({ ...certificate, id: randomUUID(), version: 1 }), status: 404 },
  "admin/settings/proofs/remove": { input: () => ({ id: randomUUID(), version: 1 }), status: 404 },
  "admin/settings": nothing,
  "admin/settings/history": { input: () => ({ section: "faq" }) },
  // This server serves no pages.
  "admin/settings/preview": { input: () => ({ section: "faq", content: {} }), status: 404 },
  "admin/settings/save": { input: () => ({ section: "faq", content: {}, version: 0 }) },
  "admin/settings/restore": { input: () => ({ section: "faq", version: 0, to: 0 }) },
  "admin/log-sources": nothing,
  "admin/log-sources/add": {
    input: () => ({
      product: "Acme Door",
      category: "Doors",
      label: `ACME_${randomUUID().slice(0, 8).toUpperCase()}`,
      format: "JSON",
    }),
  },
  "admin/log-sources/change": {
    input: () => ({
      id: randomUUID(),
      version: 1,
      product: "Acme Door",
      category: "Doors",
      label: "ACME_DOOR",
      format: "JSON",
    }),
    status: 404,
  },
  "admin/log-sources/retire": { input: () => ({ id: randomUUID(), version: 1, retired: true }), status: 404 },
  "admin/log-sources/preview": { input: () => ({ file: logSourceFile }) },
  "admin/log-sources/import": { input: () => ({ file: logSourceFile, version: -1 }), status: 409 },
  "admin/tiles": nothing,
  "admin/tiles/add": { input: () => tile },
  "admin/tiles/change": { input: () => ({ ...tile, id: randomUUID(), version: 1 }), status: 404 },
  "admin/tiles/remove": { input: () => ({ id: randomUUID(), version: 1 }), status: 404 },
  "admin/settings/proofs/order": { input: () => ({ ids: [randomUUID()] }), status: 409 },
  "user/incidents": nothing,
  "user/incidents/{id}": ofIncident,
  "user/incidents/comment": commentsIncident,
  // Only callers who may know of the incident learn that nothing was asked.
  "user/incidents/answer": {
    input: (_caller, about) => ({ id: about.incidentId, ask: randomUUID(), ...told() }),
    status: 409,
    unknown: () => ({ id: randomUUID(), ask: randomUUID(), ...told() }),
  },
  "user/incidents/attach": attachesFile,
  "user/incidents/file": opensIncidentFile,
  "user/incidents/dossier": ofIncident,
  "user/under-attack": nothing,
  "user/under-attack/post": {
    input: () => ({ id: randomUUID(), what: "Files are being encrypted", since: "noon", call: "Asha, 98" }),
  },
  "user/ladder": nothing,
  "user/ladder/save": { input: () => ({ contacts: [], version: 99 }), status: 409 },
  "user/findings": nothing,
  "user/findings/dispute": { input: () => ({ id: randomUUID(), reason: "It was us" }), status: 404 },
  "partner/incidents": nothing,
  "partner/incidents/{id}": ofIncident,
  "partner/incidents/comment": commentsIncident,
  "partner/incidents/file": opensIncidentFile,
  "partner/incidents/dossier": ofIncident,
  "partner/findings": ofCustomer,
  "admin/incidents": nothing,
  "admin/incidents/{id}": ofIncident,
  "admin/incidents/open": {
    input: (_caller, about) => ({
      id: randomUUID(),
      email: about.user.email,
      title: "A stranger signed in",
      severity: "P3",
    }),
    unknown: () => ({ id: randomUUID(), email: "nobody@example.in", title: "A stranger signed in", severity: "P3" }),
  },
  "admin/incidents/tell": {
    input: (_caller, about) => ({ id: about.incidentId, news: "commented", ...told() }),
    unknown: () => ({ id: randomUUID(), news: "commented", ...told() }),
  },
  "admin/incidents/merge": {
    input: (_caller, about) => ({ id: about.incidentId, fact_id: randomUUID(), into: "I-999999" }),
    status: 404,
  },
  "admin/incidents/attach": attachesFile,
  "admin/incidents/file": opensIncidentFile,
  "admin/incidents/dossier": ofIncident,
  "admin/incidents/telephone": {
    input: (_caller, about) => ({ id: about.incidentId, position: 0, reached: true }),
    status: 404,
  },
  "admin/findings": ofCustomer,
  "admin/findings/decide": {
    input: () => ({ findings: [randomUUID()], fate: "benign", reason: "A backup" }),
    status: 404,
  },
  "admin/findings/suppress": {
    input: (_caller, about) => ({
      id: randomUUID(),
      email: about.user.email,
      title: `A backup runs, ${randomUUID()}`,
      reason: "It is the backup",
      on_word_of: "Asha Rao",
    }),
  },
  "admin/findings/end-rule": { input: () => ({ id: randomUUID() }), status: 404 },
  "admin/service-levels": nothing,
  "admin/service-levels/post": { input: () => ({ after: 99, agreement: shippedAgreement }), status: 409 },
  "admin/actions": { input: () => ({ queue: "payments" }) },
  "admin/actions/queues": nothing,
  // Actions on an existing entry are tested beside each queue.
  "admin/actions/item": { input: () => ({ id: randomUUID() }), status: 404 },
  "admin/actions/take": { input: () => ({ id: randomUUID(), from: null }), status: 404 },
  "admin/actions/release": { input: () => ({ id: randomUUID() }), status: 404 },
  "admin/actions/resolve": { input: () => ({ id: randomUUID(), reason: "Looked at" }), status: 404 },
  "admin/actions/retry": { input: () => ({ id: randomUUID() }), status: 404 },
  "admin/system": nothing,
  "admin/system/retry-job": { input: () => ({ queue: "send-mail", id: randomUUID() }), status: 409 },
  "admin/audit": nothing,
  "user/audit": nothing,
  "partner/audit": nothing,
  notices: nothing,
  "notices/news": nothing,
  // Whose notices each reaches, and the effects, are tested beside `notify`.
  "notices/mark": { input: () => ({ id: randomUUID(), read: true }), status: 404 },
  "notices/mark-all": { input: () => ({ until: randomUUID() }) },
  "notices/dismiss": { input: () => ({ id: randomUUID() }), status: 404 },
  "notices/choices": nothing,
  "notices/choose": { input: () => ({ kind: "announcements", wanted: false }) },
  "admin/announcements": nothing,
  "admin/announcements/preview": { input: () => announcement() },
  "admin/announcements/add": { input: () => ({ ...announcement(), id: randomUUID() }) },
  // Their effects are tested beside `changeAnnouncement`: here each call would depend on the one before.
  "admin/announcements/change": { input: () => ({ ...announcement(), id: randomUUID(), version: 1 }), status: 404 },
  "admin/announcements/withdraw": { input: () => ({ id: randomUUID(), version: 1 }), status: 404 },
  "user/billing": nothing,
  "user/billing/save": { input: () => billingDetails },
  "partner/billing": ofCustomer,
  "partner/billing/save": savesBilling,
  "admin/billing": ofCustomer,
  "admin/register": { input: () => ({ from: "2026-11-01", to: "2026-11-30", format: "csv" }) },
  "admin/billing/save": savesBilling,
  "user/find": { input: () => ({ words: "Firstling" }), unknown: () => ({ words: "Firstling" }) },
  "partner/find": { input: () => ({ words: "Firstling" }), unknown: () => ({ words: "Firstling" }) },
  "admin/find": { input: () => ({ words: "Firstling" }) },
};

const names = Object.keys(operations) as OperationName[];
const sessionOf = ({ token }: Member) =>
  (JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as { sid: string }).sid;

async function ask(name: OperationName, input: object, token: string | null) {
  const { status, body } = await server.send(name, input, token);
  expect(JSON.stringify(body)).not.toContain(unlisted);
  return { status, body };
}

const ownHandlers = { ...handlers };
/**
 * A field that no contract lists: here every handler adds it to its answer everywhere, and it must never leave the
 * server.
 */
const unlisted = "never-leaves";

const answersTooMuch =
  (handle: (...call: never[]) => Promise<unknown>) =>
  async (...call: never[]) =>
    withUnlisted(await handle(...call));

function withUnlisted(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map(withUnlisted);
  if (typeof answer !== "object" || answer === null) return answer;
  // The gateway form's field names are its own: the contract does not list them.
  const grown = Object.entries(answer).map(([name, value]) => [name, name === "fields" ? value : withUnlisted(value)]);
  return { ...Object.fromEntries(grown), [unlisted]: unlisted };
}

/** Counters, queues, traces, and secrets that wait for their use: changes of these are not reported. */
const untraced = [
  "incident_views",
  "rate_limits",
  "audit_entries",
  "mails",
  "demo_mailbox",
  "sign_in_codes",
  "single_use_links",
  // Derived from other records, and recomputed when somebody reads it.
  "coverage_figures",
  "coverage_sums",
  "covered_devices",
];

/** Makes the database note every changed record's table, which is cheaper than comparing all tables. */
async function noteChanges(): Promise<void> {
  const { $client } = server.services.database;
  const { rows: tables } = await $client.query<{ tablename: string }>(
    "select tablename from pg_tables where schemaname = 'public' and tablename <> all ($1)",
    [untraced],
  );
  await $client.query(`create table changed_records (name text);
    create function note_change() returns trigger language plpgsql as $$
      begin insert into changed_records values (tg_table_name); return null; end $$`);
  for (const { tablename } of tables)
    await $client.query(`create trigger note_change after insert or update or delete on ${tablename}
      for each row execute function note_change()`);
}

/** The tables in which a record was inserted, changed or deleted since the last call. */
async function changedTables(): Promise<string[]> {
  const { rows } = await server.services.database.$client.query<{ name: string }>(
    "with seen as (delete from changed_records returning name) select distinct name from seen order by name",
  );
  return rows.map(({ name }) => name);
}

/** The refusal by the access check; an operation's own 401 for a wrong password does not count. */
const refusalIn = ({ code }: { code?: string }) => (code === "unauthenticated" || code === "forbidden" ? code : null);

/** The areas that may have a reach; a reach that is not listed is open to all. */
const byArea: Partial<Record<Reach, Area[]>> = { customers: ["partner"], any: ["admin"] };

describe.each(names)("%s", (name) => {
  const row = rows[name];
  const reached = row.status ?? operations[name].status;
  const byAnyone = access[name].callers === "anyone";
  const { reach } = access[name];

  it("is closed without a token, with a wrong one and after sign-out, unless it is for anyone", async () => {
    for (const token of [null, "garbage", left.token, `${left.token.slice(0, -4)}AAAA`]) {
      const { status, body } = await ask(name, row.input(left, first), token);
      expect([status, refusalIn(body)]).toEqual(byAnyone ? [reached, null] : [401, "unauthenticated"]);
    }
  });

  it("answers a public token as the access table says", async () => {
    const { status, body } = await ask(name, row.input(null, first), await server.publicToken());
    expect([status, refusalIn(body)]).toEqual(mayCall(name, null) ? [reached, null] : [401, "unauthenticated"]);
  });

  it("answers each role as the access table says: who is refused changes nothing, and whatever changes leaves a trace", async () => {
    const all = await Promise.all(roles.map(async (role) => ({ role, caller: await callerOf(name, role, first) })));
    const [may, refused] = [true, false].map((is) => all.filter(({ role }) => mayCall(name, role) === is));
    await changedTables();
    for (const { role, caller } of refused ?? []) {
      const { status, body } = await ask(name, row.input(caller, first), caller.token);
      expect([role, status, refusalIn(body)]).toEqual([role, 403, "forbidden"]);
    }
    expect(await changedTables()).toEqual([]);
    for (const { role, caller } of may ?? []) {
      const entries = await server.services.database.$count(auditEntries);
      const { status, body } = await ask(name, row.input(caller, first), caller.token);
      expect([role, status, refusalIn(body)]).toEqual([role, reached, null]);
      const news = await changedTables();
      const traces = (await server.services.database.$count(auditEntries)) - entries;
      expect(news.length === 0 || traces > 0, `a trace of the change of ${news.join()} by ${role}`).toBe(true);
    }
  });

  it("is for the area that its path names, reaches what its callers may, and is not for child accounts alone", () => {
    const callers = rolesFor(name);
    const areas = [...new Set(callers.map(areaOf))];
    const named = /^(user|partner|admin)\//.exec(name)?.[1];
    const ofChildren = callers.filter(isChild).map(areaOf);
    expect(byArea[reach] ?? areas).toEqual(areas);
    expect(named && access[name].callers !== "session" ? [named] : areas).toEqual(areas);
    // Callers without an account reach nobody's records.
    expect(mayCall(name, null) ? reach : "none").toBe("none");
    expect(callers).toEqual(expect.arrayContaining(mainRoles.filter((role) => ofChildren.includes(areaOf(role)))));
  });

  const callers = reach === "none" || reach === "any" ? [] : rolesFor(name);
  const strangers = callers.filter((role) => areaOf(role) !== "admin");
  if (strangers.length === 0) return;
  it("tells those of another tenant nothing about this one", async () => {
    for (const role of strangers) {
      const stranger = await callerOf(name, role, second);
      const about = name === "auth/end-session" ? { id: sessionOf(first.user) } : row.input(stranger, first);
      const answer = await ask(name, about, stranger.token);
      expect(JSON.stringify(answer.body), role).not.toMatch(/firstling/i);
      const toCompare = row.unknown ? await ask(name, row.unknown(stranger), stranger.token) : answer;
      expect(answer, role).toEqual(toCompare);
    }
  });
});
