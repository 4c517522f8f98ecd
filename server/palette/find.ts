import { and, eq, type SQL } from "drizzle-orm";
import { limits } from "../../contract/limits.ts";
import { formatRupees } from "../../contract/money.ts";
import { contractNumber, incidentNumber, leadNumber, orderNumber, quoteNumber } from "../../contract/numbers.ts";
import type { Found, FoundKind } from "../../contract/palette.ts";
import { organisationOf, partnerOf, type Scope } from "../access/scope.ts";
import type { FieldsOf, List, RowOf } from "../database/list.ts";
import { listPage } from "../database/list-page.ts";
import { contracts, incidents, orders, quotes } from "../database/schema/index.ts";
import type { PgTable } from "drizzle-orm/pg-core";
import { paperDay } from "../outside/documents/paper.ts";
import type { Services } from "../services.ts";
import {
  allContracts,
  allIncidents,
  allOrders,
  allQuotes,
  contractsOfOrganisation,
  contractsOfPartner,
  customersOfPartner,
  incidentsOfOrganisation,
  incidentsOfPartner,
  ordersOfOrganisation,
  ordersOfPartner,
  partnerNowOf,
  peopleOfRole,
  quotesOfOrganisation,
  quotesOfPartner,
  shownLeads,
} from "./lists.ts";
import { findContract, findIncident, findLead, findOrders, findQuote, isOnlyNumber, readNumber } from "./numbers.ts";

type QuoteRow = RowOf<typeof allQuotes.fields>;
type OrderRow = RowOf<typeof allOrders.fields>;
type ContractRow = RowOf<typeof allContracts.fields>;
type IncidentRow = RowOf<typeof allIncidents.fields>;
type LeadRow = RowOf<typeof shownLeads.fields>;
type PersonRow = RowOf<typeof peopleOfRole.fields>;

/** The paths of the screens that show each kind of record, in the caller's area. */
interface Screens {
  quote(row: QuoteRow): string;
  order(row: OrderRow): string;
  contract(row: ContractRow): string;
  incident(row: IncidentRow): string;
}

const search = (path: string, words: string) => `${path}?search=${encodeURIComponent(words)}`;
const opened = (path: string, email: string) => `${path}?open=${encodeURIComponent(email)}`;

const ofCustomer: Screens = {
  quote: ({ serial }) => search("/user/myquote", quoteNumber(serial)),
  order: ({ serial }) => search("/user/orderhistory", orderNumber(serial)),
  contract: ({ serial }) => `/user/contract?contract=${contractNumber(serial)}`,
  incident: ({ id }) => `/user/incidents/${id}`,
};
const ofPartner: Screens = {
  quote: ({ userEmail }) => opened("/partner/listuser", userEmail),
  order: ({ buyerEmail }) => opened("/partner/listuser", buyerEmail),
  contract: ({ serial }) => search("/partner/contracts", contractNumber(serial)),
  incident: ({ id }) => `/partner/incidents/${id}`,
};
const lead = (id: string) => `/admin/estimateOrder?lead=${id}`;
const ofProvider: Screens = {
  quote: ({ serial, leadId }) => (leadId ? lead(leadId) : search("/admin/estimateOrder", quoteNumber(serial))),
  // Paid orders are in the list of orders, those still to be paid in receivables; any other is shown with its quote's
  // lead.
  order: ({ serial, state, leadId, isUnsettled }) =>
    isUnsettled && (state === "invoiced" || state === "awaiting_transfer")
      ? search("/admin/receivables", orderNumber(serial))
      : state === "success" || state === "closed" || !leadId
        ? `${search("/admin/orderData", orderNumber(serial))}${state === "success" ? "" : `&status=${state}`}`
        : lead(leadId),
  contract: ({ serial }) => search("/admin/contracts", contractNumber(serial)),
  incident: ({ id }) => `/admin/incidents/${id}`,
};

/** An organisation's own quotes, orders, contracts and incidents. */
export async function findForCustomer(services: Services, scope: Scope<"organisation">, words: string) {
  const id = organisationOf(scope);
  const among = {
    quotes: eq(quotes.organisationId, id),
    orders: eq(orders.organisationId, id),
    contracts: eq(contracts.organisationId, id),
    incidents: eq(incidents.organisationId, id),
  };
  return answer(words, [numbers(services, words, ofCustomer, among)], () => [
    some(services, quotesOfOrganisation, id, words, quoteWith(ofCustomer)),
    some(services, ordersOfOrganisation, id, words, orderWith(ofCustomer)),
    some(services, contractsOfOrganisation, id, words, contractWith(ofCustomer)),
    some(services, incidentsOfOrganisation, id, words, incidentWith(ofCustomer)),
  ]);
}

/**
 * A partner's customers, the quotes that it made for those who are still its customers, and their orders, contracts and
 * incidents.
 */
export async function findForPartner(services: Services, scope: Scope<"customers">, words: string) {
  const id = partnerOf(scope);
  const among = {
    quotes: and(eq(quotes.partnerId, id), eq(partnerNowOf(quotes.id), id)),
    orders: eq(orders.partnerId, id),
    contracts: eq(contracts.partnerId, id),
    incidents: eq(incidents.partnerId, id),
  };
  return answer(words, [numbers(services, words, ofPartner, among)], () => [
    some(services, customersOfPartner, id, words, personWith("customer", "/partner/listuser")),
    some(services, quotesOfPartner, id, words, quoteWith(ofPartner)),
    some(services, ordersOfPartner, id, words, orderWith(ofPartner)),
    some(services, contractsOfPartner, id, words, contractWith(ofPartner)),
    some(services, incidentsOfPartner, id, words, incidentWith(ofPartner)),
  ]);
}

/** Every organisation's records. */
export async function findForProvider(services: Services, scope: Scope<"any">, words: string) {
  const among = { quotes: undefined, orders: undefined, contracts: undefined, incidents: undefined };
  const exact = [numbers(services, words, ofProvider, among), leadOfNumber(services, scope, words)];
  return answer(words, exact, () => [
    some(services, peopleOfRole, "user", words, personWith("customer", "/admin/customerList")),
    some(services, peopleOfRole, "partner", words, personWith("partner", "/admin/partnerList")),
    some(services, shownLeads, null, words, presentLead("lead")),
    some(services, allQuotes, null, words, quoteWith(ofProvider)),
    some(services, allOrders, null, words, orderWith(ofProvider)),
    some(services, allContracts, null, words, contractWith(ofProvider)),
    some(services, allIncidents, null, words, incidentWith(ofProvider)),
  ]);
}

/**
 * Exact matches of a number come first, and alone where the input can be nothing else, such as Q-000026 or an invoice
 * number. Each record is listed once.
 */
async function answer(
  words: string,
  exact: Promise<Found[]>[],
  others: () => Promise<Found[]>[],
): Promise<{ found: Found[] }> {
  const numbered = (await Promise.all(exact)).flat();
  const saysOfWhat = words.includes("/") || typeof readNumber(words)?.letter === "string";
  const isMeantAlone = isOnlyNumber(words) || (numbered.length > 0 && saysOfWhat);
  const found = isMeantAlone ? numbered : [...numbered, ...(await Promise.all(others())).flat()];
  const seen = new Set<string>();
  return { found: found.filter(({ id }) => !seen.has(id) && seen.add(id)) };
}

/** The first few rows of a list that contain the words. */
async function some<Table extends PgTable, Fields extends FieldsOf<Table>, Sort extends string>(
  { database }: Services,
  list: List<Table, Fields, Sort>,
  owner: string | null,
  words: string,
  present: (row: RowOf<Fields>) => Found,
): Promise<Found[]> {
  if (words === "") return [];
  const { rows } = await listPage(database, list, owner, { limit: limits.foundOfKindMax, search: words });
  return rows.map(present);
}

/**
 * Records with exactly this number: a quote, order, contract or incident, or an order by the number of one of its
 * documents.
 */
async function numbers(
  { database }: Services,
  words: string,
  screens: Screens,
  among: Record<"quotes" | "orders" | "contracts" | "incidents", SQL | undefined>,
): Promise<Found[]> {
  const typed = readNumber(words);
  const [quoted, ordered, contracted, reported] = await Promise.all([
    findQuote(database, typed, among.quotes),
    findOrders(database, words, typed, among.orders),
    findContract(database, typed, among.contracts),
    findIncident(database, typed, among.incidents),
  ]);
  return [
    ...quoted.map((row) => quoteWith(screens, "number")(row)),
    ...[...ordered.numbered, ...ordered.byDocument].map((row) => orderWith(screens, "number")(row)),
    ...contracted.map((row) => contractWith(screens, "number")(row)),
    ...reported.map((row) => incidentWith(screens, "number")(row)),
  ];
}

async function leadOfNumber({ database }: Services, _scope: Scope<"any">, words: string): Promise<Found[]> {
  return (await findLead(database, readNumber(words))).map(presentLead("number"));
}

const quoteWith =
  (screens: Screens, kind: FoundKind = "quote") =>
  (row: QuoteRow): Found => ({
    id: row.id,
    kind,
    title: `Quote ${quoteNumber(row.serial)}`,
    detail: `${row.organizationName}, ${formatRupees(row.totalPaise)}`,
    path: screens.quote(row),
  });

const orderWith =
  (screens: Screens, kind: FoundKind = "order") =>
  (row: OrderRow): Found => ({
    id: row.id,
    kind,
    title: `Order ${orderNumber(row.serial)}`,
    detail: [row.organisationName, formatRupees(row.amountPaise), row.invoiceNumber && `invoice ${row.invoiceNumber}`]
      .filter(Boolean)
      .join(", "),
    path: screens.order(row),
  });

const contractWith =
  (screens: Screens, kind: FoundKind = "contract") =>
  (row: ContractRow): Found => ({
    id: row.id,
    kind,
    title: `Contract ${contractNumber(row.serial)}`,
    detail: `${row.organisationName}, ${paperDay(row.startsOn)} to ${paperDay(row.endsOn)}`,
    path: screens.contract(row),
  });

const incidentWith =
  (screens: Screens, kind: FoundKind = "incident") =>
  (row: IncidentRow): Found => ({
    id: row.id,
    kind,
    title: `Incident ${incidentNumber(row.serial)}`,
    detail: `${row.title}, ${row.organisationName}`,
    path: screens.incident(row),
  });

const presentLead =
  (kind: FoundKind) =>
  (row: LeadRow): Found => ({
    id: row.id,
    kind,
    title: `Lead ${leadNumber(row.serial)}`,
    detail: `${row.organization}, ${row.userName}`,
    path: lead(row.id),
  });

const personWith =
  (kind: "customer" | "partner", path: string) =>
  (row: PersonRow): Found => ({
    id: row.id,
    kind,
    title: row.organisationName,
    detail: `${row.firstName} ${row.lastName}, ${row.email}`,
    path: opened(path, row.email),
  });
