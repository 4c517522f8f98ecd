import { sql } from "drizzle-orm";
import { dayAfter, startOfWrittenDay, writtenDay } from "../../contract/india-time.ts";
import { later } from "../../contract/durations.ts";
import { type Lead, leadList, type LeadFilters, type LeadQuery } from "../../contract/lead-list.ts";
import { openLeadStates } from "../../contract/lead-states.ts";
import { rupees } from "../../contract/money.ts";
import { leadNumber } from "../../contract/numbers.ts";
import type { Scope } from "../access/scope.ts";
import { type Condition, joined, listFrom, type RowOf } from "../database/list.ts";
import { listPage } from "../database/list-page.ts";
import { leads, orders, people, quotes } from "../database/schema/index.ts";
import { quoteStateOf } from "../quotes/queries.ts";
import type { Services } from "../services.ts";

/** The person and partner that made the joined quote; null if the customer or our staff made it. */
export const makerOfQuote = sql<
  string | null
>`(select first_name || ' ' || last_name || ', ' || organisation_name from people as makers
  where makers.id = quotes.made_by and quotes.partner_id is not null)`;

const allLeads = listFrom(leadList, {
  table: leads,
  fields: {
    id: leads.id,
    serial: leads.serial,
    source: leads.source,
    organization: leads.organization,
    userName: leads.userName,
    userEmail: leads.userEmail,
    phone: leads.phone,
    organizationSize: leads.organizationSize,
    message: leads.message,
    createdAt: leads.createdAt,
    quoteId: leads.quoteId,
    quoteNumber: leads.quoteNumber,
    totalPaise: leads.totalPaise,
    state: leads.state,
    lostReason: leads.lostReason,
    ownerId: leads.ownerId,
    ownerName: sql<string | null>`${people.firstName} || ' ' || ${people.lastName}`,
    nextStep: leads.nextStep,
    nextStepOn: sql<string | null>`${leads.nextStepOn}::text`,
    gstin: leads.gstin,
    version: leads.version,
    madeBy: makerOfQuote,
    proposalFile: joined(quotes.proposalFile),
    validUntil: joined(quotes.validUntil),
    ratesToConfirm: joined(quotes.ratesToConfirm),
    orderState: joined(orders.state),
  },
  joins: sql`left join quotes on quotes.id = leads.quote_id left join orders on orders.quote_id = leads.quote_id
    left join people on people.id = leads.owner_id`,
  where: sql`${leads.joinedTo} is null`,
  id: leads.id,
  newest: "created_at",
  searched: leads.searched,
  sorts: {
    created_at: leads.createdAt,
    organization_name: sql`lower(${leads.organization})`,
    user_name: sql`lower(${leads.userName})`,
    user_email: sql`${leads.userEmail}::text`,
    total_cost: leads.totalPaise,
    next_step_on: leads.dueOn,
  },
});
export type LeadRow = RowOf<(typeof allLeads)["fields"]>;

const leadsOfNobody = { ...allLeads, where: sql`${leads.joinedTo} is null and ${leads.ownerId} is null` };
/** Due leads are sorted by day, which an index finds without scanning the others. */
const byDueDay = { newest: "next_step_on" } as const;
const leadsDue = { ...allLeads, ...byDueDay };
const leadsDueOfNobody = { ...leadsOfNobody, ...byDueDay };

/** Leads from estimates and contact requests, without those joined into another lead. */
export async function listLeads(services: Services, _scope: Scope<"any">, query: LeadQuery) {
  const ofNobody = query.owner === "nobody";
  const list = query.due ? (ofNobody ? leadsDueOfNobody : leadsDue) : ofNobody ? leadsOfNobody : allLeads;
  const { rows, ...page } = await listPage(services.database, list, null, query, conditionsOf(query, services.now()));
  return { leads: rows.map((row) => presentLead(row, services.now())), ...page };
}

function conditionsOf({ state, owner, source, due, rates, from, to }: LeadFilters, now: Date): Condition[] {
  const given: (Condition | false | undefined)[] = [
    state !== undefined && {
      column: leads.state,
      compared: "= any",
      value: state === "open" ? openLeadStates : [state],
    },
    owner !== undefined && owner !== "nobody" && { column: leads.ownerId, compared: "=", value: owner },
    source !== undefined && { column: leads.source, compared: "=", value: source },
    due !== undefined && { column: leads.dueOn, compared: "<", value: writtenDay(later(now, { days: 1 })) },
    due !== undefined && state === undefined && { column: leads.state, compared: "= any", value: openLeadStates },
    rates !== undefined && { column: leads.ratesToConfirmUntil, compared: ">=", value: now },
    from !== undefined && { column: leads.createdAt, compared: ">=", value: startOfWrittenDay(from) },
    to !== undefined && { column: leads.createdAt, compared: "<", value: startOfWrittenDay(dayAfter(to)) },
  ];
  return given.filter((condition) => condition !== false && condition !== undefined);
}

/** A lead in the API's form. */
export function presentLead(row: LeadRow, now: Date): Lead {
  const { validUntil, ratesToConfirm, proposalFile, orderState } = row;
  return {
    id: row.id,
    number: leadNumber(row.serial),
    source: row.source,
    organization_name: row.organization,
    user_name: row.userName,
    user_email: row.userEmail,
    phone_number: row.phone,
    number_of_users: row.organizationSize,
    message: row.message,
    quote_id: row.quoteId,
    quote_number: row.quoteNumber || null,
    quote_state:
      validUntil === null || ratesToConfirm === null
        ? null
        : quoteStateOf({ validUntil, ratesToConfirm, proposalFile, orderState }, now),
    total_cost: row.quoteId && rupees(row.totalPaise),
    made_by: row.madeBy,
    pdf_url: proposalFile,
    state: row.state,
    lost_reason: row.lostReason,
    owner_id: row.ownerId,
    owner_name: row.ownerName,
    next_step: row.nextStep,
    next_step_on: row.nextStepOn,
    gstin: row.gstin,
    version: row.version,
    created_at: row.createdAt.toISOString(),
  };
}
