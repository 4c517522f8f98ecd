import { and, eq, gt, inArray, isNotNull, isNull, lt, not, notExists, type SQL, sql } from "drizzle-orm";
import { type PgColumn, type PgTable } from "drizzle-orm/pg-core";
import { sweptData, type SweptName } from "../../contract/retention.ts";
import { earlier } from "../../contract/durations.ts";
import { writtenDay } from "../../contract/india-time.ts";
import { audit } from "../audit/audit.ts";
import { forgetValues } from "../audit/forget-values.ts";
import { removeOldEntries } from "../audit/removal.ts";
import type { Database, Transaction } from "../database/database.ts";
import {
  actionItems,
  coverageDays,
  dataRequests,
  demoMailbox,
  emailCorrections,
  engineFindings,
  findingDecisions,
  leads,
  mails,
  notices,
  orders,
  paymentEvents,
  people,
  quotes,
  rateLimits,
  sandboxTransactions,
  sessions,
  signInCodes,
  singleUseLinks,
  withdrawnLinks,
} from "../database/schema/index.ts";
import { removeEmptyOrganisations } from "../accounts/empty-organisations.ts";
import { cameToNothing, removeOrders } from "../orders/remove-orders.ts";
import { proposalFile } from "../quotes/deliver-proposal.ts";
import type { Services } from "../services.ts";
import { removeWithValues } from "./remove-with-values.ts";

/** Deletes at most `batch` records that are older than that. Answers how many there were. */
type Deletion = (services: Services, before: Date) => Promise<number>;

const batch = 1000;
/** Each has a file to delete, in a store that may be far away. */
const fileBatch = 50;
const secondsMax = 40;

/** The queue deletes its own tasks: server/jobs/jobs.ts tells it when. */
const deletions: Record<Exclude<SweptName, "tasks">, Deletion> = {
  signInCodes: ({ database }, before) => remove(database, signInCodes.personId, lt(signInCodes.expiresAt, before)),
  links: removeLinks,
  sessions: ({ database }, before) => remove(database, sessions.id, lt(sessions.expiresAt, before)),
  mails: ({ database }, before) => remove(database, mails.id, lt(mails.createdAt, before)),
  closedActions: ({ database }, before) =>
    removeWithValues(database, "action", actionItems.id, lt(actionItems.closedAt, before), batch),
  notices: ({ database }, before) => remove(database, notices.id, lt(notices.createdAt, before)),
  engineFindings: ({ database }, before) =>
    remove(database, engineFindings.id, and(lt(engineFindings.at, before), not(isOfIncident))),
  coverageDays: ({ database }, before) => remove(database, coverageDays.id, isOverWithContract(before)),
  contactRequests: ({ database }, before) =>
    removeWithValues(database, "lead", leads.id, and(isNull(leads.quoteId), lt(leads.createdAt, before)), batch),
  visitorsEstimates: removeVisitorsEstimates,
  // One whose customer was merged into another is a child account of that by now.
  unconfirmedRegistrations: ({ database }, before) =>
    removePeople(
      database,
      and(isNotNull(people.passwordHash), inArray(people.role, ["user", "userChild"]), lt(people.createdAt, before)),
    ),
  unansweredInvitations: (services, before) =>
    removePeople(
      services.database,
      and(isNull(people.passwordHash), hasNoOpenLink(services), lt(people.createdAt, before)),
    ),
  unpaidOrders: removeUnpaidOrders,
  strayPaymentMessages: ({ database }, before) =>
    remove(database, paymentEvents.id, and(isNull(paymentEvents.attemptId), lt(paymentEvents.receivedAt, before))),
  dataExports: removeDataExports,
  dataRequests: ({ database }, before) =>
    remove(database, dataRequests.id, and(isNull(dataRequests.file), lt(dataRequests.doneAt, before))),
  auditEntries: ({ database }, before) => removeOldEntries(database, before, batch),
  // Whatever the product's clock says: the counters run by the real one.
  counters: ({ database }) => remove(database, rateLimits.key, lt(rateLimits.expire, Date.now())),
  demoMails: ({ database }, before) => remove(database, demoMailbox.id, lt(demoMailbox.createdAt, before)),
  trialPayments: ({ database }, before) =>
    remove(database, sandboxTransactions.reference, lt(sandboxTransactions.createdAt, before)),
};

/** With an incident stays what it was made of and what became of it; with a dispute what it is about. */
const isOfIncident = sql`exists (select from ${findingDecisions} as decision where decision.finding_id = ${engineFindings.id}
  and decision.holds and (decision.incident_id is not null or decision.disputed_at is not null))`;

/**
 * Deletes what the privacy notice says is not kept any longer, in batches: after 40 seconds one more of each kind, and
 * the rest waits for the next run. One kind that fails holds up no other. The audit entry counts and repeats nothing.
 */
export async function applyRetention(services: Services): Promise<void> {
  const until = Date.now() + secondsMax * 1000;
  const deleted: Partial<Record<SweptName, number>> = {};
  for (const [name, deletion] of Object.entries(deletions) as [keyof typeof deletions, Deletion][]) {
    const before = earlier(services.now(), { days: sweptData[name].days });
    try {
      let found;
      do {
        found = await deletion(services, before);
        if (found > 0) deleted[name] = (deleted[name] ?? 0) + found;
      } while (found > 0 && Date.now() < until);
    } catch (error) {
      services.log.error({ err: error, data: name }, "data past their time could not be deleted");
    }
  }
  if (Object.keys(deleted).length > 0) await audit(services.database, null, "apply retention", "retention", deleted);
}

/** Of a day that a contract held which has ended later than that, everything stays. */
const isOverWithContract = (before: Date) =>
  and(
    lt(coverageDays.takenAt, before),
    sql`not exists (select from contracts where contracts.organisation_id = ${coverageDays.organisationId}
      and ${coverageDays.day} between contracts.starts_on and contracts.ends_on and contracts.ends_on >= ${writtenDay(before)}::date)`,
  );

/** What was changed meanwhile, and is not too old any more, stays; what somebody is at work on goes the next time. */
async function remove(database: Database, key: PgColumn, tooOld: SQL | undefined): Promise<number> {
  const table: PgTable = key.table;
  const found = database.select({ key }).from(table).where(tooOld).limit(batch).for("update", { skipLocked: true });
  const { rowCount } = await database.delete(table).where(and(inArray(key, found), tooOld));
  return rowCount ?? 0;
}

async function removeLinks({ database }: Services, before: Date): Promise<number> {
  const counts = [
    await remove(database, singleUseLinks.id, lt(singleUseLinks.expiresAt, before)),
    await remove(database, emailCorrections.id, lt(emailCorrections.expiresAt, before)),
    await remove(database, withdrawnLinks.secretHash, lt(withdrawnLinks.withdrawnAt, before)),
  ];
  return counts.reduce((sum, count) => sum + count, 0);
}

/** The file goes first: killed in between, the next run finds it again. */
async function removeDataExports({ database, files }: Services, before: Date): Promise<number> {
  return database.transaction(async (transaction) => {
    const found = await transaction
      .select({ id: dataRequests.id, file: dataRequests.file })
      .from(dataRequests)
      .where(and(isNotNull(dataRequests.file), lt(dataRequests.fileUntil, before)))
      .limit(fileBatch)
      .for("update", { skipLocked: true });
    await Promise.all(found.flatMap(({ file }) => (file ? [files.remove(file)] : [])));
    const ids = found.map(({ id }) => id);
    await transaction.update(dataRequests).set({ file: null, fileUntil: null }).where(inArray(dataRequests.id, ids));
    return found.length;
  });
}

/** The proposal goes first: killed in between, the next run finds the estimate again. */
async function removeVisitorsEstimates({ database, files }: Services, before: Date): Promise<number> {
  return database.transaction(async (transaction) => {
    const found = await transaction
      .select({ id: quotes.id, file: quotes.proposalFile, revision: quotes.revision })
      .from(quotes)
      .where(
        and(isNull(quotes.organisationId), lt(quotes.createdAt, before), hasNo(transaction, orders.quoteId, quotes.id)),
      )
      .limit(fileBatch)
      .for("update", { skipLocked: true });
    await Promise.all(found.flatMap(proposalsOf).map((file) => files.remove(file)));
    const ids = found.map(({ id }) => id);
    const asked = await transaction.select({ id: leads.id }).from(leads).where(inArray(leads.quoteId, ids));
    await forgetValues(
      transaction,
      null,
      "lead",
      asked.map(({ id }) => id),
    );
    return removeAll(transaction, quotes.id, found);
  });
}

/** All that were made for a quote: a later revision leaves the earlier ones where they are. */
function proposalsOf({ id, file, revision }: { id: string; file: string | null; revision: number }): string[] {
  const earlier = Array.from({ length: revision - 1 }, (_, index) => proposalFile(id, index + 1));
  return file ? [...earlier, file] : earlier;
}

/** Deletes people who never proved to own their address, and organisations that have nobody and nothing any more. */
async function removePeople(database: Database, tooOld: SQL | undefined): Promise<number> {
  return database.transaction(async (transaction) => {
    const found = await transaction
      .select({ id: people.id, organisationId: people.organisationId })
      .from(people)
      .where(and(tooOld, isNull(people.emailVerifiedAt), hasNo(transaction, orders.buyerId, people.id)))
      .limit(batch)
      .for("update", { skipLocked: true });
    await forgetValues(
      transaction,
      null,
      "person",
      found.map(({ id }) => id),
    );
    const removed = await removeAll(transaction, people.id, found);
    const left = found.map(({ organisationId }) => organisationId);
    // What a partner had made for one who never came is an estimate of nobody's, with a time of its own.
    await transaction
      .update(quotes)
      .set({ organisationId: null })
      .where(
        and(
          inArray(quotes.organisationId, left),
          isNotNull(quotes.partnerId),
          hasNo(transaction, people.organisationId, quotes.organisationId),
          hasNo(transaction, orders.quoteId, quotes.id),
        ),
      );
    await removeEmptyOrganisations(transaction, left);
    return removed;
  });
}

async function removeUnpaidOrders({ database }: Services, before: Date): Promise<number> {
  return database.transaction(async (transaction) => {
    const found = await transaction
      .select({ id: orders.id })
      .from(orders)
      .where(and(cameToNothing(transaction), lt(orders.updatedAt, before)))
      .limit(batch)
      .for("update", { skipLocked: true });
    return removeOrders(
      transaction,
      found.map(({ id }) => id),
    );
  });
}

async function removeAll(transaction: Transaction, key: PgColumn, found: { id: string }[]): Promise<number> {
  const ids = found.map(({ id }) => id);
  const { rowCount } = await transaction.delete(key.table).where(inArray(key, ids));
  return rowCount ?? 0;
}

/** That no row refers by this column to that one. */
const hasNo = (database: Database | Transaction, column: PgColumn, id: PgColumn) =>
  notExists(
    database
      .select({ one: sql`1` })
      .from(column.table)
      .where(eq(column, id)),
  );

const hasNoOpenLink = ({ database, now }: Services) =>
  notExists(
    database
      .select({ one: sql`1` })
      .from(singleUseLinks)
      .where(
        and(eq(singleUseLinks.personId, people.id), isNull(singleUseLinks.usedAt), gt(singleUseLinks.expiresAt, now())),
      ),
  );
