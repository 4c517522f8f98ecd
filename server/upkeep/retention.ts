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

/** Deletes at most `batch` records older than `before`. Answers how many were deleted. */
type Deletion = (services: Services, before: Date) => Promise<number>;

const batch = 1000;
/** Small: each has a file to delete from a store that may be far away. */
const fileBatch = 50;
const secondsMax = 40;

/** Except for the queue's jobs, which it deletes itself (server/jobs/jobs.ts). */
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
  // Includes child accounts: a person whose customer was merged into another is one by now.
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
  // The counters run by the real clock, whatever `services.now` says.
  counters: ({ database }) => remove(database, rateLimits.key, lt(rateLimits.expire, Date.now())),
  demoMails: ({ database }, before) => remove(database, demoMailbox.id, lt(demoMailbox.createdAt, before)),
  trialPayments: ({ database }, before) =>
    remove(database, sandboxTransactions.reference, lt(sandboxTransactions.createdAt, before)),
};

/** A finding of an incident, or with a customer's dispute, stays as long as these refer to it. */
const isOfIncident = sql`exists (select from ${findingDecisions} as decision where decision.finding_id = ${engineFindings.id}
  and decision.holds and (decision.incident_id is not null or decision.disputed_at is not null))`;

/**
 * Deletes in batches what the privacy notice says is no longer kept. After 40 seconds each further kind gets one batch,
 * and the rest waits for the next run. A kind that fails does not stop the others. The audit entry only has counts.
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

/** Days within a contract stay until the contract itself ended before that time. */
const isOverWithContract = (before: Date) =>
  and(
    lt(coverageDays.takenAt, before),
    sql`not exists (select from contracts where contracts.organisation_id = ${coverageDays.organisationId}
      and ${coverageDays.day} between contracts.starts_on and contracts.ends_on and contracts.ends_on >= ${writtenDay(before)}::date)`,
  );

/** Skips rows that changed meanwhile and are no longer too old; locked ones are deleted by the next run. */
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

/** Deletes the file before the row's reference: if interrupted, the next run finds it again. */
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

/** Deletes the proposal before the estimate: if interrupted, the next run finds the estimate again. */
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

/** All proposals made for a quote: later revisions leave the earlier files in the store. */
function proposalsOf({ id, file, revision }: { id: string; file: string | null; revision: number }): string[] {
  const earlier = Array.from({ length: revision - 1 }, (_, index) => proposalFile(id, index + 1));
  return file ? [...earlier, file] : earlier;
}

/** Deletes people who never proved that their address is theirs, and organisations left without people and records. */
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
    // A quote that a partner made for a customer who never came becomes nobody's and is kept like a visitor's.
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

/** Condition: no row refers to that id by this column. */
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
