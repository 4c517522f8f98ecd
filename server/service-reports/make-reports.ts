import { and, asc, eq, gt, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { earlier } from "../../contract/durations.ts";
import { limits } from "../../contract/limits.ts";
import { audit } from "../audit/audit.ts";
import type { Transaction } from "../database/database.ts";
import { holdOrganisations } from "../accounts/queries.ts";
import { knownZone } from "../accounts/time-zones.ts";
import { organisations, serviceReports } from "../database/schema/index.ts";
import { doEachOfRun, pageOfJob } from "../jobs/do-each.ts";
import { sha256Of } from "../protection/sha256-of.ts";
import type { Services } from "../services.ts";
import { writtenFacts } from "./certificate.ts";
import { closeMonth, fromLastClose, type ReportedCustomer } from "./close-month.ts";
import { type Month, monthBefore } from "./month-of.ts";

/**
 * Makes the reports of the month that has ended, for each customer that has none. The rows and the clock alone decide
 * what is due, so runs may repeat, overlap or come late.
 */
export async function makeServiceReports(services: Services, after?: string): Promise<void> {
  const dayOfZone = await readMonthsToClose(services);
  const left = await doEachOfRun<Awaited<ReturnType<typeof findCustomers>>[number]>(
    services,
    "a report was not made",
    (last) => findCustomers(services, dayOfZone, last?.id ?? after),
    (customer) => makeReport(services, customer, monthToClose(services, customer.timeZone)),
  );
  if (left)
    await services.database.transaction((transaction) =>
      services.jobs.add(transaction, "make-service-reports", { after: left.id }),
    );
}

/** Months are closed this long after they end, because events from the end of a month arrive late. */
const closedBy = ({ now }: Services) => earlier(now(), { hours: limits.reportGraceHours });

/** An unknown time zone counts as India's, so that one customer's bad row does not stop other reports. */
const monthToClose = (services: Services, timeZone: string) => monthBefore(closedBy(services), knownZone(timeZone));

/**
 * The first day of the month to close, for each time zone in use. Computed here, because PostgreSQL knows fewer zones
 * than we do.
 */
async function readMonthsToClose(services: Services): Promise<Record<string, string>> {
  const zones = await services.database.selectDistinct({ timeZone: organisations.timeZone }).from(organisations);
  return Object.fromEntries(zones.map(({ timeZone }) => [timeZone, monthToClose(services, timeZone).day]));
}

const partners = alias(organisations, "partners");

/** Customers without a report for their last month, by their own calendars. */
const findCustomers = (services: Services, dayOfZone: Record<string, string>, after: string | undefined) =>
  services.database
    .select({
      id: organisations.id,
      name: organisations.name,
      timeZone: organisations.timeZone,
      partner: { id: partners.id, name: partners.name },
    })
    .from(organisations)
    .leftJoin(partners, eq(partners.id, organisations.partnerId))
    .where(
      and(
        eq(organisations.kind, "customer"),
        sql`not exists (select from ${serviceReports} where ${serviceReports.organisationId} = ${organisations.id}
          and ${serviceReports.month} = (${JSON.stringify(dayOfZone)}::jsonb ->> ${organisations.timeZone})::date)`,
        after === undefined ? undefined : gt(organisations.id, after),
      ),
    )
    .orderBy(asc(organisations.id))
    .limit(pageOfJob);

/** Makes the report of a customer's month once, if it had the service then. Returns whether it was made now. */
export async function makeReport(services: Services, customer: ReportedCustomer, ofCalendar: Month): Promise<boolean> {
  const { database } = services;
  const isMade = and(eq(serviceReports.organisationId, customer.id), eq(serviceReports.month, ofCalendar.day));
  if ((await database.$count(serviceReports, isMade)) > 0) return false;
  // One snapshot, so that concurrent writes can't make a report's figures disagree.
  const closed = await database.transaction(
    async (transaction) => {
      const month = await fromLastClose(transaction, customer.id, ofCalendar);
      return (await wasServed(transaction, customer.id, month)) ? closeMonth(transaction, customer, month) : null;
    },
    { isolationLevel: "repeatable read", accessMode: "read only" },
  );
  if (!closed) return false;
  const made = await database.transaction((transaction) =>
    keepReport(services, transaction, customer.id, ofCalendar, closed),
  );
  return made !== null;
}

/** Stores what was read at the close; both PDFs follow through the queue. Null if another copy stored it first. */
export async function keepReport(
  services: Services,
  transaction: Transaction,
  organisationId: string,
  month: Month,
  { data, certificate, partnerId }: Awaited<ReturnType<typeof closeMonth>>,
): Promise<string | null> {
  // The row copies the customer's partner, who reads it: a move meanwhile would not see it, and leave it to the former.
  await holdOrganisations(transaction, organisationId);
  const [made] = await transaction
    .insert(serviceReports)
    .values({
      organisationId,
      month: month.day,
      data,
      certificate,
      certificateHash: sha256Of(writtenFacts(certificate)),
      closedAt: month.until,
      partnerIdAtClose: partnerId,
      createdAt: services.now(),
    })
    .onConflictDoNothing({ target: [serviceReports.organisationId, serviceReports.month] })
    .returning({ id: serviceReports.id });
  if (!made) return null;
  await services.jobs.add(transaction, "render-service-report", { reportId: made.id });
  await audit(transaction, null, "close month", `organisation:${organisationId}`, { month: month.day });
  return made.id;
}

/** Whether a contract ran, or an engine was bound, on any day of the month. */
async function wasServed(
  transaction: Transaction,
  organisationId: string,
  { day, from, until }: Month,
): Promise<boolean> {
  const { rows } = await transaction.execute<{ served: boolean }>(sql`
    select exists (select from contracts where organisation_id = ${organisationId}::uuid and ends_on >= ${day}::date
        and starts_on < ${day}::date + interval '1 month')
      or exists (select from engine_bindings where organisation_id = ${organisationId}::uuid
        and created_at < ${until.toISOString()}::timestamptz and (removed_at is null or removed_at >= ${from.toISOString()}::timestamptz)) as served`);
  return rows[0]?.served ?? false;
}
