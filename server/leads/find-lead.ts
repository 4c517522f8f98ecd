import { desc, eq, inArray, or, sql } from "drizzle-orm";
import { customService } from "../../contract/devices.ts";
import type { LeadDetails, LeadQuote, LeadRequest } from "../../contract/lead-details.ts";
import { orderNumber, quoteNumber } from "../../contract/numbers.ts";
import { rupees } from "../../contract/money.ts";
import type { Scope } from "../access/scope.ts";
import { noteReached } from "../access/reach.ts";
import { openTaxFor } from "../billing/bill-to.ts";
import type { Database } from "../database/database.ts";
import { leads, orders, people, quoteRevisions, quotes } from "../database/schema/index.ts";
import { notFound } from "../failures/failure.ts";
import { ofCustomer, presentLines } from "../quotes/quotes.ts";
import { boughtTax, quoteStateOf } from "../quotes/queries.ts";
import type { Services } from "../services.ts";
import { findDuplicates } from "./duplicates.ts";
import { findEvents, findMails } from "./lead-history.ts";
import { makerOfQuote, presentLead } from "./queries.ts";

type LeadRecord = typeof leads.$inferSelect;
type Quote = typeof quotes.$inferSelect;
type Order = typeof orders.$inferSelect;
type Revision = typeof quoteRevisions.$inferSelect;
/** A lead, its quote, and the order for that quote. */
export interface Member {
  lead: LeadRecord;
  quote: Quote | null;
  order: Order | null;
  owner: string | null;
  /** The person and partner that made the quote, if any. */
  maker: string | null;
}

/** A lead with everything about it; for a lead joined into another one, that other lead. @throws Failure not_found */
export async function findLead(services: Services, scope: Scope<"any">, id: string): Promise<LeadDetails> {
  const { database } = services;
  const members = await findMembers(database, id);
  const [main] = members;
  if (!main) throw notFound("This lead");
  for (const { quote } of members) noteReached(scope, quote?.organisationId ?? null);
  const quoteIds = members.flatMap(({ quote }) => (quote ? [quote.id] : []));
  const [events, sent, earlier, duplicates] = await Promise.all([
    findEvents(database, members),
    findMails(database, members),
    database.select().from(quoteRevisions).where(inArray(quoteRevisions.quoteId, quoteIds)),
    findDuplicates(database, main.lead),
  ]);
  const now = services.now();
  return {
    lead: presentMain(main, now),
    requests: await Promise.all(members.map((member) => presentRequest(services, member, earlier))),
    events,
    mails: sent,
    duplicates,
  };
}

/** The lead that shows this one, and the leads joined into it, oldest last. */
async function findMembers(database: Database, id: string): Promise<Member[]> {
  const shown = sql`(select coalesce(joined_to, id) from leads where id = ${id})`;
  const found = await database
    .select({
      lead: leads,
      quote: quotes,
      order: orders,
      owner: sql<string | null>`${people.firstName} || ' ' || ${people.lastName}`,
      maker: makerOfQuote,
    })
    .from(leads)
    .leftJoin(quotes, eq(quotes.id, leads.quoteId))
    .leftJoin(orders, eq(orders.quoteId, leads.quoteId))
    .leftJoin(people, eq(people.id, leads.ownerId))
    .where(or(eq(leads.id, shown), eq(leads.joinedTo, shown)))
    .orderBy(sql`${leads.joinedTo} is not null`, desc(leads.createdAt), desc(leads.id));
  return found;
}

function presentMain({ lead, quote, order, owner, maker }: Member, now: Date) {
  return presentLead(
    {
      ...lead,
      ownerName: owner,
      madeBy: maker,
      proposalFile: quote?.proposalFile ?? null,
      validUntil: quote?.validUntil ?? null,
      ratesToConfirm: quote?.ratesToConfirm ?? null,
      orderState: order?.state ?? null,
    },
    now,
  );
}

async function presentRequest(services: Services, member: Member, earlier: Revision[]): Promise<LeadRequest> {
  const { id, number, source, ...shown } = presentMain(member, services.now());
  const { organization_name, user_name, user_email, phone_number, number_of_users, message, created_at } = shown;
  return {
    id,
    number,
    source,
    organization_name,
    user_name,
    user_email,
    phone_number,
    number_of_users,
    message,
    created_at,
    quote: member.quote && (await presentQuote(services, member.quote, member.order, earlier)),
  };
}

async function presentQuote(
  services: Services,
  quote: Quote,
  order: Order | null,
  earlier: Revision[],
): Promise<LeadQuote> {
  const standing = { ...quote, orderState: order?.state ?? null };
  const bought = boughtTax({ ...standing, orderTax: order?.tax ?? null, orderOwedPaise: order?.owedPaise ?? null });
  return {
    id: quote.id,
    number: quoteNumber(quote.serial),
    state: quoteStateOf(standing, services.now()),
    revision: quote.revision,
    lines: presentLines(quote.lines),
    options: presentLines(quote.options),
    discountPercent: quote.discountBasisPoints / 100,
    ownDiscount: quote.ownDiscount,
    discount: rupees(quote.discountPaise),
    tax: bought ?? (await openTaxFor(services, quote.organisationId, ofCustomer))(quote),
    note: quote.note,
    devices: [...quote.lines.map(offered(false)), ...quote.options.map(offered(true))],
    pdf_url: quote.proposalFile,
    valid_until: quote.validUntil.toISOString(),
    earlier: earlier
      .filter(({ quoteId }) => quoteId === quote.id)
      .toSorted((one, other) => other.revision - one.revision)
      .map(({ revision, totalPaise, proposalFile, supersededAt }) => ({
        revision,
        total_cost: rupees(totalPaise),
        pdf_url: proposalFile,
        superseded_at: supersededAt.toISOString(),
      })),
    order: order && { number: orderNumber(order.serial), status: order.state },
  };
}

/** A line to be offered again; the rate of a custom device is kept once it is final. */
const offered =
  (option: boolean) =>
  ({ key, service, deviceType, number, ratePaise, subjectToConfirmation }: Quote["lines"][number]) => ({
    ...(key ?? { service, deviceType }),
    number,
    option,
    yearly: service === customService && !subjectToConfirmation ? rupees(ratePaise) : null,
  });
