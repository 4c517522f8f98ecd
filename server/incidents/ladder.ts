import { and, asc, eq, gt, inArray, isNotNull, isNull, lte, sql } from "drizzle-orm";
import { earlier, later } from "../../contract/durations.ts";
import type { Ladder, LadderCall, LadderContact } from "../../contract/ladders.ts";
import { limits } from "../../contract/limits.ts";
import { incidentNumber } from "../../contract/numbers.ts";
import type { Input } from "../../contract/operations.ts";
import { organisationOf, type Scope } from "../access/scope.ts";
import { audit } from "../audit/audit.ts";
import type { Database, Transaction } from "../database/database.ts";
import { contactLadders, incidents, ladderCalls, mails, people } from "../database/schema/index.ts";
import { Failure, notFound } from "../failures/failure.ts";
import { doEach, pageOfJob } from "../jobs/do-each.ts";
import { queueMails } from "../mail/outbox.ts";
import type { Services } from "../services.ts";
import { type IncidentRow, lockIncident } from "./find-incident.ts";
import { goesOn } from "./joined-incidents.ts";
import { partnersAmong } from "./partners-among.ts";
import { openedByContact } from "./reached-by-portal.ts";

/** The contacts an organisation wants called, in order; version 0 until somebody has saved them. */
export async function readLadder(database: Database | Transaction, organisationId: string): Promise<Ladder> {
  const [found] = await database.select().from(contactLadders).where(eq(contactLadders.organisationId, organisationId));
  return { contacts: found?.contacts ?? [], version: found?.version ?? 0 };
}

/** Saves the contacts and their order. @throws Failure conflict when somebody else saved first */
export async function saveLadder(
  services: Services,
  scope: Scope<"organisation">,
  { contacts, version }: Input<"user/ladder/save">,
): Promise<string> {
  const organisationId = organisationOf(scope);
  return services.database.transaction(async (transaction) => {
    const changed = { contacts, changedAt: services.now(), changedBy: scope.actor.personId };
    const [kept] =
      version === 0
        ? await transaction
            .insert(contactLadders)
            .values({ organisationId, ...changed })
            .onConflictDoNothing()
            .returning()
        : await transaction
            .update(contactLadders)
            .set({ ...changed, version: version + 1 })
            .where(and(eq(contactLadders.organisationId, organisationId), eq(contactLadders.version, version)))
            .returning();
    if (!kept) throw new Failure("conflict", "Somebody else has changed the contacts meanwhile. Reload to see them.");
    await audit(transaction, scope.actor.personId, "change ladder", `organisation:${organisationId}`, {
      contacts: contacts.length,
    });
    return "Saved. This is whom we call, in this order.";
  });
}

/** Starts the ladder of an attack: the customer's contacts, or its people if it has named none. */
export async function startLadder(services: Services, transaction: Transaction, incident: IncidentRow): Promise<void> {
  const now = services.now();
  const { contacts } = await readLadder(transaction, incident.organisationId);
  const called = contacts.length > 0 ? contacts : await peopleOf(transaction, incident.organisationId);
  if (called.length === 0) return;
  await transaction
    .insert(ladderCalls)
    .values(
      called.map(({ name, phone, email }, position) => ({
        incidentId: incident.id,
        position,
        name,
        phone,
        email,
        dueAt: later(now, { minutes: position * limits.ladderStepMinutes }),
      })),
    )
    .onConflictDoNothing();
  await mailDue(services, transaction, incident);
}

async function peopleOf(transaction: Transaction, organisationId: string): Promise<LadderContact[]> {
  const found = await transaction
    .select({ firstName: people.firstName, lastName: people.lastName, phone: people.phone, email: people.email })
    .from(people)
    .where(and(eq(people.organisationId, organisationId), isNotNull(people.joinedAt), isNull(people.suspendedAt)))
    .orderBy(sql`${people.role} <> 'user'`, asc(people.id))
    .limit(limits.ladderContactsMax);
  return found.map(({ firstName, lastName, phone, email }) => ({
    name: `${firstName} ${lastName}`,
    says: "",
    phone,
    email,
  }));
}

/**
 * Mails every contact whose turn has come, unless somebody on the ladder was reached. The caller has locked the
 * incident.
 */
async function mailDue(services: Services, transaction: Transaction, incident: IncidentRow): Promise<void> {
  const now = services.now();
  const rows = await transaction
    .select()
    .from(ladderCalls)
    .where(eq(ladderCalls.incidentId, incident.id))
    .orderBy(asc(ladderCalls.position));
  if (rows.some(({ reachedAt }) => reachedAt)) return;
  const left = await countMailsLeft(transaction, incident.organisationId, now);
  const due = rows.filter(({ mailedAt, dueAt }) => !mailedAt && dueAt <= now);
  // An erased contact has no address. Contacts beyond the daily limit of mails can still be telephoned.
  const mailed = due.filter(({ email }) => email !== "").slice(0, Math.max(0, left));
  const atPartner = await partnersAmong(transaction, incident, mailed);
  await queueMails(
    services,
    transaction,
    mailed.map(({ email, position }) => ({
      eventKey: mailKeyOf(incident.id, position),
      to: email,
      // A ladder contact is mailed whatever mail preferences they have as a user.
      personId: null,
      content: {
        template: "attack" as const,
        incidentNumber: incidentNumber(incident.serial),
        organizationName: incident.organisationName,
        reportedAt: incident.openedAt.toISOString(),
        link: `${services.publicUrl}/${atPartner.has(email.toLowerCase()) ? "partner" : "user"}/incidents/${incident.id}`,
      },
    })),
  );
  const positions = due.map(({ position }) => position);
  await transaction
    .update(ladderCalls)
    .set({ mailedAt: now })
    .where(and(eq(ladderCalls.incidentId, incident.id), inArray(ladderCalls.position, positions)));
}

/**
 * A ladder holds addresses of people who never agreed to receive mail, so an organisation can have only so many of them
 * mailed in a day. Concurrent attacks may each miss the other's mails: a few too many do no harm.
 */
async function countMailsLeft(transaction: Transaction, organisationId: string, now: Date): Promise<number> {
  const [mailed] = await transaction
    .select({ mails: sql<number>`count(*)::integer` })
    .from(ladderCalls)
    .innerJoin(incidents, eq(incidents.id, ladderCalls.incidentId))
    .where(and(eq(incidents.organisationId, organisationId), gt(ladderCalls.mailedAt, earlier(now, { days: 1 }))));
  return limits.ladderMailsOfDay - (mailed?.mails ?? 0);
}

const mailKeyOf = (incidentId: string, position: number) => `attack:${incidentId}:${position}`;

/** Condition: this contact is still to be mailed, now or later, as nobody on the ladder was reached. */
const isToBeMailed = and(
  isNull(ladderCalls.mailedAt),
  isNull(ladderCalls.reachedAt),
  sql`not exists (select from ladder_calls as other where other.incident_id = ${ladderCalls.incidentId} and other.reached_at is not null)`,
);

/** Whether a contact on the incident's ladder is still to be mailed. */
export const isLadderRunning = async (transaction: Transaction, incidentId: string): Promise<boolean> =>
  (await transaction.$count(ladderCalls, and(eq(ladderCalls.incidentId, incidentId), isToBeMailed))) > 0;

/** Mails the contacts whose turn has come, in all incidents that go on. */
export async function climbLadders(services: Services): Promise<void> {
  const now = services.now();
  await doEach<{ id: string }>(
    services,
    "the ladder of an incident was not climbed",
    (after) =>
      services.database
        .selectDistinct({ id: ladderCalls.incidentId })
        .from(ladderCalls)
        .innerJoin(incidents, eq(incidents.id, ladderCalls.incidentId))
        .where(and(isToBeMailed, lte(ladderCalls.dueAt, now), goesOn, after && gt(ladderCalls.incidentId, after.id)))
        .orderBy(asc(ladderCalls.incidentId))
        .limit(pageOfJob),
    ({ id }) =>
      services.database.transaction(async (transaction) => {
        // The condition again: it may have ended while this waited for the lock.
        const stillOn = and(eq(incidents.id, id), goesOn);
        const [incident] = await transaction.select().from(incidents).where(stillOn).for("update");
        if (incident) await mailDue(services, transaction, incident);
      }),
  );
}

/**
 * Notes whether our team reached a contact by telephone, which is a person's task, or takes that back.
 * @throws Failure not_found, conflict
 */
export async function noteTelephone(
  services: Services,
  scope: Scope<"any">,
  { id, position, reached }: Input<"admin/incidents/telephone">,
): Promise<string> {
  return services.database.transaction(async (transaction) => {
    const incident = await lockIncident(transaction, scope, id);
    const now = services.now();
    const called = and(eq(ladderCalls.incidentId, incident.id), eq(ladderCalls.position, position));
    const [found] = await transaction.select().from(ladderCalls).where(called).for("update");
    if (!found) throw notFound("This contact");
    const { name, reachedAt, reachedBy } = found;
    if (!reached && reachedBy === "portal")
      throw new Failure("conflict", `${name} has opened the incident: that is how they were reached.`);
    const opened = reached ? null : await openedByContact(transaction, incident, found.email);
    const noted = reached
      ? { reachedAt: reachedAt ?? now, reachedBy: reachedBy ?? ("telephone" as const) }
      : { reachedAt: opened, reachedBy: opened && ("portal" as const) };
    await transaction
      .update(ladderCalls)
      .set({ triedAt: now, personId: scope.actor.personId, ...noted })
      .where(called);
    await audit(transaction, scope.actor.personId, "telephone ladder", `incident:${id}`, { position, reached });
    if (reached) return `Noted: ${name} was reached.`;
    return opened
      ? `Noted: ${name} did not answer, but has opened the incident: that is how they were reached.`
      : `Noted: ${name} did not answer. Try the next one.`;
  });
}

/** The contacts on an incident's ladder and what became of each call. */
export async function readCalls(database: Database, incidentId: string): Promise<LadderCall[]> {
  const rows = await database
    .select()
    .from(ladderCalls)
    .where(eq(ladderCalls.incidentId, incidentId))
    .orderBy(asc(ladderCalls.position));
  if (rows.length === 0) return [];
  const sent = await database
    .select({ eventKey: mails.eventKey, sentAt: mails.sentAt, lastError: mails.lastError })
    .from(mails)
    .where(
      inArray(
        mails.eventKey,
        rows.map(({ position }) => mailKeyOf(incidentId, position)),
      ),
    );
  return rows.map((row) => {
    const mail = sent.find(({ eventKey }) => eventKey === mailKeyOf(incidentId, row.position));
    return {
      position: row.position,
      name: row.name,
      phone: row.phone,
      email: row.email,
      due_at: row.dueAt.toISOString(),
      mail: !row.mailedAt ? "waiting" : !mail ? "none" : mail.sentAt ? "sent" : mail.lastError ? "failing" : "queued",
      mailed_at: row.mailedAt?.toISOString() ?? null,
      reached_at: row.reachedAt?.toISOString() ?? null,
      reached_by: row.reachedBy,
      tried_at: row.triedAt?.toISOString() ?? null,
    } as const;
  });
}
