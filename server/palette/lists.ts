import { type Column, type SQL, sql } from "drizzle-orm";
import { type List, ofPartner } from "../database/list.ts";
import { contracts, incidents, leads, orders, organisations, people, quotes } from "../database/schema/index.ts";

/*
 * What the palette searches, with the same statements and indexes as the long lists: first the next rows in list order,
 * then the word index. Only the columns that a line of the palette shows, and no joins.
 */

const peopleFields = {
  id: people.id,
  email: people.email,
  firstName: people.firstName,
  lastName: people.lastName,
  organisationName: people.organisationName,
};
const anybody = {
  table: people,
  fields: peopleFields,
  id: people.id,
  searched: people.searched,
  sorts: {},
} satisfies List<typeof people, typeof peopleFields, never>;
/** The main person of each customer, or of each partner. */
export const peopleOfRole = { ...anybody, where: sql`${people.role} = $1` };
export const customersOfPartner = {
  ...anybody,
  ...ofPartner(people),
  where: sql`${people.partnerId} = $1 and ${people.role} = 'user'`,
};

const quoteFields = {
  id: quotes.id,
  serial: quotes.serial,
  organisationId: quotes.organisationId,
  organizationName: quotes.organizationName,
  userEmail: quotes.userEmail,
  totalPaise: quotes.totalPaise,
  leadId: sql<string | null>`(select leads.id from leads where leads.quote_id = quotes.id)`,
};
export const allQuotes = {
  table: quotes,
  fields: quoteFields,
  id: quotes.id,
  searched: quotes.searched,
  sorts: {},
} satisfies List<typeof quotes, typeof quoteFields, never>;
export const quotesOfOrganisation = { ...allQuotes, where: sql`${quotes.organisationId} = $1` };
/** SQL for the current partner of the quote's organisation: the quote itself keeps the partner who made it. */
export const partnerNowOf = (id: SQL | Column) =>
  sql`(select ${organisations.partnerId} from ${quotes} as found join ${organisations} on ${organisations.id} = found.organisation_id where found.id = ${id})`;
export const quotesOfPartner = {
  ...allQuotes,
  ...ofPartner(quotes),
  whereOf: (id: SQL) => sql`${partnerNowOf(id)} = $1`,
};

const orderFields = {
  id: orders.id,
  serial: orders.serial,
  state: orders.state,
  organisationName: orders.organisationName,
  buyerEmail: orders.buyerEmail,
  amountPaise: orders.amountPaise,
  invoiceNumber: orders.invoiceNumber,
  isUnsettled: orders.isUnsettled,
  leadId: sql<string | null>`(select leads.id from leads where leads.quote_id = orders.quote_id)`,
};
export const allOrders = {
  table: orders,
  fields: orderFields,
  id: orders.id,
  searched: orders.searched,
  sorts: {},
} satisfies List<typeof orders, typeof orderFields, never>;
/** Sorted by day, like the index of an organisation's orders. */
export const ordersOfOrganisation = {
  ...allOrders,
  where: sql`${orders.organisationId} = $1`,
  sorts: { created_at: orders.datedAt },
  newest: "created_at" as const,
};
export const ordersOfPartner = { ...allOrders, ...ofPartner(orders) };

const leadFields = {
  id: leads.id,
  serial: leads.serial,
  organization: leads.organization,
  userName: leads.userName,
};
/** Leads that were not joined into another; a joined lead is found through the one that it was joined into. */
export const shownLeads = {
  table: leads,
  fields: leadFields,
  where: sql`${leads.joinedTo} is null`,
  id: leads.id,
  searched: leads.searched,
  sorts: { created_at: leads.createdAt },
  newest: "created_at",
} satisfies List<typeof leads, typeof leadFields, "created_at">;

const contractFields = {
  id: contracts.id,
  serial: contracts.serial,
  organisationName: contracts.organisationName,
  startsOn: sql<string>`${contracts.startsOn}::text`,
  endsOn: sql<string>`${contracts.endsOn}::text`,
};
export const allContracts = {
  table: contracts,
  fields: contractFields,
  id: contracts.id,
  searched: contracts.searched,
  sorts: {},
} satisfies List<typeof contracts, typeof contractFields, never>;
export const contractsOfOrganisation = { ...allContracts, where: sql`${contracts.organisationId} = $1` };
export const contractsOfPartner = { ...allContracts, ...ofPartner(contracts) };

const incidentFields = {
  id: incidents.id,
  serial: incidents.serial,
  title: incidents.title,
  organisationName: incidents.organisationName,
};
/** Sorted by opening time, like their indexes. */
export const allIncidents = {
  table: incidents,
  fields: incidentFields,
  id: incidents.id,
  searched: incidents.searched,
  sorts: { opened_at: incidents.openedAt },
  newest: "opened_at",
} satisfies List<typeof incidents, typeof incidentFields, "opened_at">;
export const incidentsOfOrganisation = { ...allIncidents, where: sql`${incidents.organisationId} = $1` };
export const incidentsOfPartner = { ...allIncidents, ...ofPartner(incidents) };
