import { and, asc, eq, inArray, isNull, ne, or, sql } from "drizzle-orm";
import { removeEmptyOrganisations } from "../accounts/empty-organisations.ts";
import {
  endAccess,
  findPerson,
  findPersonByEmail,
  lockEmail,
  lockOrganisation,
  lockPerson,
  type Person,
} from "../accounts/queries.ts";
import { audit } from "../audit/audit.ts";
import { forgetTyped } from "../audit/forget-values.ts";
import type { Transaction } from "../database/database.ts";
import {
  auditValues,
  consents,
  dataRequests,
  emailCorrections,
  leads,
  leadViews,
  lessRequests,
  mailsTurnedOff,
  notices,
  people,
  sessions,
  signInCodes,
  singleUseLinks,
  trueUps,
} from "../database/schema/index.ts";
import { lockActiveAdministrators } from "../people/suspension.ts";
import type { Services } from "../services.ts";
import { eraseBusiness } from "./erase-business.ts";
import { eraseFromLadders } from "./erase-from-ladders.ts";
import { earlierAddresses, eraseMails } from "./erase-mails.ts";
import { areRequestsOf, type DataRequestRow, fileOfExport, lockDataRequest, subjectOf } from "./queries.ts";
import { refusalOfErasure } from "./refuse-erasure.ts";

/**
 * Erases a person as far as the law allows, in one transaction. What stays is the content of orders and invoices, and a
 * nameless row that they refer to. Files of erased records are removed afterwards.
 */
export async function eraseData(services: Services, requestId: string): Promise<void> {
  await services.database.transaction(async (transaction) => {
    const request = await lockWaiting(transaction, requestId);
    if (!request) return;
    const person = request.personId ? await lockForErasure(transaction, request.personId) : undefined;
    const refusal = person
      ? await refusalOfErasure(services, transaction, person, request.askedBy)
      : await refusalOfNewcomer(transaction, request.email);
    if (refusal) return refuse(services, transaction, request, refusal);
    // The address may have been corrected since the request: the former one may be another's by now.
    const email = person?.email ?? request.email;
    const { erased, files } = await eraseBusiness(services, transaction, { email, person, askedBy: request.askedBy });
    const earlier = person ? await earlierAddresses(transaction, person.id) : [];
    erased["mails"] = await eraseMails(transaction, request.askedBy, { email, person, earlier });
    await transaction.delete(emailCorrections).where(eq(emailCorrections.email, email));
    erased["ladders"] = await eraseFromLadders(transaction, [
      email,
      ...earlier.filter(({ isFree }) => isFree).map((former) => former.email),
    ]);
    const invited = await eraseInvitations(transaction, email);
    erased["invitations"] = invited.length;
    const zips = await forgetRequests(services, transaction, request, email);
    await transaction
      .update(dataRequests)
      .set({ state: "removing", email: null, erased, filesToRemove: [...files, ...zips] })
      .where(eq(dataRequests.id, requestId));
    const told = Object.fromEntries(Object.entries(erased).filter(([, count]) => count > 0));
    const detail = { request: requestId, ...told };
    await audit(transaction, request.askedBy, "erase person", subjectOf(request), detail);
    for (const id of invited)
      // oxlint-disable-next-line no-await-in-loop -- there is hardly ever more than one
      await audit(transaction, request.askedBy, "erase person", `person:${id}`, { request: requestId });
    // After the audit entry, which finds the organisation that it concerns through the person.
    if (person) await erasePerson(services, transaction, person, request.askedBy);
  });
}

/** Locks the e-mail before the request, as making a request does. Null if the request is done or refused by now. */
async function lockWaiting(transaction: Transaction, id: string): Promise<(DataRequestRow & { email: string }) | null> {
  const [seen] = await transaction
    .select({ email: dataRequests.email })
    .from(dataRequests)
    .where(eq(dataRequests.id, id));
  if (!seen || seen.email === null) return null;
  await lockEmail(transaction, seen.email);
  const request = await lockDataRequest(transaction, id);
  // Another erasure removes the e-mail from the request; it never changes to a different one.
  return request?.state === "waiting" && request.email !== null ? { ...request, email: request.email } : null;
}

/**
 * Locks administrators and the organisation first, as suspending and handing over do, so that one administrator always
 * remains. Waits for an order being written for this person, so that its payment is seen.
 */
async function lockForErasure(transaction: Transaction, id: string): Promise<Person | undefined> {
  const known = await findPerson(transaction, id);
  if (known?.role === "admin") await lockActiveAdministrators(transaction);
  if (known) await lockOrganisation(transaction, known.organisationId);
  await transaction.select({ id: people.id }).from(people).where(eq(people.id, id)).for("update");
  return lockPerson(transaction, id);
}

async function refuse(services: Services, transaction: Transaction, request: DataRequestRow, refusal: string) {
  await transaction
    .update(dataRequests)
    .set({ state: "refused", refusal, doneAt: services.now() })
    .where(eq(dataRequests.id, request.id));
  await audit(transaction, null, "refuse erasure", subjectOf(request), { request: request.id, because: refusal });
}

/** Deletes unaccepted invitations to this address, from any organisation. Returns their ids. */
async function eraseInvitations(transaction: Transaction, email: string): Promise<string[]> {
  const found = await transaction
    .delete(people)
    .where(and(eq(people.email, email), isNull(people.joinedAt)))
    .returning({ id: people.id, organisationId: people.organisationId });
  const ids = found.map(({ id }) => id);
  await transaction.delete(auditValues).where(inArray(auditValues.aboutId, ids));
  await removeEmptyOrganisations(
    transaction,
    found.map(({ organisationId }) => organisationId),
  );
  return ids;
}

async function erasePerson(
  services: Services,
  transaction: Transaction,
  person: Person,
  askedBy: string,
): Promise<void> {
  const { id, organisationId } = person;
  await endAccess(transaction, [id], services.now());
  await transaction.delete(sessions).where(eq(sessions.personId, id));
  await transaction.delete(signInCodes).where(eq(signInCodes.personId, id));
  await transaction.delete(singleUseLinks).where(eq(singleUseLinks.personId, id));
  await transaction.delete(emailCorrections).where(eq(emailCorrections.personId, id));
  await transaction.delete(leadViews).where(eq(leadViews.personId, id));
  await transaction.delete(consents).where(eq(consents.personId, id));
  await transaction.delete(mailsTurnedOff).where(eq(mailsTurnedOff.personId, id));
  // The person's own notices, and those that name the person to the inviter.
  const namesThem = eq(notices.eventKey, `invitation accepted:${id}`);
  await transaction.delete(notices).where(or(eq(notices.personId, id), namesThem));
  await forgetTyped(transaction, askedBy, id);
  await transaction.delete(auditValues).where(eq(auditValues.aboutId, id));
  await transaction.update(leads).set({ ownerId: null }).where(eq(leads.ownerId, id));
  // What was asked for and decided is part of a contract; the words typed about it are not.
  await transaction.update(lessRequests).set({ reason: "" }).where(eq(lessRequests.askedBy, id));
  await transaction.update(trueUps).set({ dispute: "" }).where(eq(trueUps.disputedBy, id));
  const removed = await unlessReferred(transaction, (savepoint) => savepoint.delete(people).where(eq(people.id, id)));
  if (removed) await removeEmptyOrganisations(transaction, [organisationId]);
  else await transaction.update(people).set(nameless(id, services.now())).where(eq(people.id, id));
}

/** What remains of a person to whom orders refer. */
const nameless = (id: string, at: Date) => ({
  firstName: "Erased",
  lastName: "person",
  email: `erased-${id.slice(-12)}@erased.invalid`,
  phone: "",
  passwordHash: null,
  suspendedAt: at,
  erasedAt: at,
  version: sql`${people.version} + 1`,
});

/** Tries a deletion in a savepoint. Returns false, with nothing changed, if a record still refers to the rows. */
async function unlessReferred(
  transaction: Transaction,
  remove: (savepoint: Transaction) => PromiseLike<unknown>,
): Promise<boolean> {
  try {
    await transaction.transaction(async (savepoint) => void (await remove(savepoint)));
    return true;
  } catch (error) {
    if (isStillReferred(error)) return false;
    throw error;
  }
}

/** PostgreSQL's foreign_key_violation. */
const isStillReferred = (error: unknown): boolean =>
  error instanceof Error && (("code" in error && error.code === "23503") || isStillReferred(error.cause));

/**
 * Removes exports made for this person, stops those in progress, and takes the e-mail out of other requests. Returns
 * the files to remove.
 */
async function forgetRequests(
  { now }: Services,
  transaction: Transaction,
  own: DataRequestRow,
  email: string,
): Promise<string[]> {
  const theirs = areRequestsOf(email, own.personId ? [own.personId] : []);
  const others = await transaction
    .select({ id: dataRequests.id, kind: dataRequests.kind, state: dataRequests.state, file: dataRequests.file })
    .from(dataRequests)
    .where(and(theirs, ne(dataRequests.id, own.id)))
    .orderBy(asc(dataRequests.id))
    .for("update");
  const waiting = others.filter(({ state }) => state === "waiting").map(({ id }) => id);
  await transaction
    .update(dataRequests)
    .set({ state: "refused", refusal: "The data were erased before this was done.", doneAt: now() })
    .where(inArray(dataRequests.id, waiting));
  await transaction
    .update(dataRequests)
    .set({ email: null, file: null, fileUntil: null })
    .where(
      inArray(
        dataRequests.id,
        others.map(({ id }) => id),
      ),
    );
  return others.flatMap(({ id, kind, file }) => (kind === "export" ? [file ?? fileOfExport(id)] : []));
}

/** Refuses if an account was opened since the erasure of a mere e-mail was requested: it would be erased by half. */
async function refusalOfNewcomer(transaction: Transaction, email: string): Promise<string | null> {
  const account = await findPersonByEmail(transaction, email);
  return account ? "There is an account with this e-mail address by now. Please ask for its erasure." : null;
}
