import { eq } from "drizzle-orm";
import { isFreeMail } from "../../contract/free-mail.ts";
import type { LeadDuplicate } from "../../contract/lead-details.ts";
import type { LeadState } from "../../contract/lead-states.ts";
import { leadNumber } from "../../contract/numbers.ts";
import type { Database } from "../database/database.ts";
import { type leads, organisations, quotes } from "../database/schema/index.ts";

type LeadRecord = typeof leads.$inferSelect;

const shownMax = 20;

/**
 * Leads that may be duplicates: with the same e-mail address, the same domain unless it is a public mail provider's, or
 * the same GSTIN, on the lead or on the organisation of its quote.
 */
export async function findDuplicates(database: Database, lead: LeadRecord): Promise<LeadDuplicate[]> {
  const domain = isFreeMail(lead.emailDomain) ? null : lead.emailDomain;
  // Fetched first, so that the planner can estimate how many leads have this very value.
  const gstin = lead.gstin ?? (await gstinOfQuote(database, lead));
  const values = [lead.id, lead.userEmail, domain, gstin];
  const { rows } = await database.$client.query<FoundLead>({ text: statement, values });
  return rows.map((row) => ({
    id: row.id,
    number: leadNumber(row.serial),
    organization_name: row.organization,
    user_name: row.user_name,
    user_email: row.user_email,
    state: row.state,
    created_at: row.created_at.toISOString(),
    because: [
      ...(row.same_email ? (["e-mail"] as const) : row.same_domain ? (["domain"] as const) : []),
      ...(row.same_gstin ? (["GSTIN"] as const) : []),
    ],
  }));
}

async function gstinOfQuote(database: Database, { quoteId }: LeadRecord): Promise<string | null> {
  if (quoteId === null) return null;
  const [found] = await database
    .select({ gstin: organisations.gstin })
    .from(quotes)
    .innerJoin(organisations, eq(organisations.id, quotes.organisationId))
    .where(eq(quotes.id, quoteId));
  return found?.gstin ?? null;
}

interface FoundLead {
  id: string;
  serial: number;
  organization: string;
  user_name: string;
  user_email: string;
  state: LeadState;
  created_at: Date;
  same_email: boolean;
  same_domain: boolean;
  same_gstin: boolean;
}

// Each part reads the newest rows of an index.
const statement = `with found as (
    (select id, true as same_email, false as same_domain, false as same_gstin
      from leads where user_email = $2::citext and joined_to is null order by created_at desc limit ${shownMax + 1})
    union all (select id, false, true, false
      from leads where email_domain = $3 and joined_to is null order by created_at desc limit ${shownMax + 1})
    union all (select id, false, false, true
      from leads where gstin = $4 and joined_to is null order by created_at desc limit ${shownMax + 1})
    union all (select leads.id, false, false, true
      from organisations join quotes on quotes.organisation_id = organisations.id join leads on quote_id = quotes.id
      where organisations.gstin = $4 and joined_to is null order by leads.created_at desc limit ${shownMax + 1})
  )
  select leads.id, serial, organization, user_name, user_email::text, state, created_at, same_email, same_domain, same_gstin
  from (
    select id, bool_or(same_email) as same_email, bool_or(same_domain) as same_domain, bool_or(same_gstin) as same_gstin
    from found where id <> $1 group by id
  ) as alike join leads on leads.id = alike.id
  order by same_email desc, same_gstin desc, created_at desc, leads.id limit ${shownMax}`;
