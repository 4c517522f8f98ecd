import { and, eq, isNotNull, isNull } from "drizzle-orm";
import { later } from "../../contract/durations.ts";
import { incidentNumber } from "../../contract/numbers.ts";
import type { NewFiling } from "../../contract/obligations.ts";
import type { Scope } from "../access/scope.ts";
import { audit } from "../audit/audit.ts";
import type { Transaction } from "../database/database.ts";
import { obligationFilings, people } from "../database/schema/index.ts";
import { Failure, invalidFields, notFound } from "../failures/failure.ts";
import { sha256Of } from "../protection/sha256-of.ts";
import type { Services } from "../services.ts";
import { draftText } from "./draft.ts";
import { readObligations } from "./held-obligations.ts";
import { findIncident } from "../incidents/find-incident.ts";
import { clocksDiffer } from "../incidents/told-time.ts";
import { earliestKnown } from "./count-clocks.ts";
import { readState } from "./incident-state.ts";
import { writtenInIndia } from "./written-in-india.ts";

/**
 * Records that a person of the organisation filed a report, with the current draft and its SHA-256. A repeated id is
 * stored once, whatever has changed since.
 * @throws Failure not_found; invalid for a time in the future, or before everything known about the incident; conflict
 * if the obligation was changed since it was seen, or the id was used for something else
 */
export async function recordFiling(services: Services, scope: Scope<"organisation">, filing: NewFiling): Promise<void> {
  const now = services.now();
  if (new Date(filing.filedAt) > later(now, clocksDiffer)) throw wrongTime("This time has not come yet");
  const filedAt = takenAs(filing.filedAt, now);
  await services.limiter.consume("incidentByAccount", scope.actor.personId);
  await services.database.transaction(async (transaction) => {
    const incident = await findIncident(transaction, scope, filing.id);
    const before = await findFiling(transaction, filing.filingId);
    if (before) return refuseOther(before, incident.id, filing);
    const obligation = (await readObligations(transaction)).find(({ key }) => key === filing.key);
    if (!obligation) throw notFound("This obligation");
    if (obligation.version !== filing.version)
      throw new Failure("conflict", "This obligation was changed meanwhile. Please reload the page and read it again.");
    const [filer] = await transaction
      .select({ id: people.id })
      .from(people)
      .where(
        and(
          eq(people.id, filing.filedBy),
          eq(people.organisationId, incident.organisationId),
          isNotNull(people.joinedAt),
          isNull(people.erasedAt),
        ),
      );
    if (!filer) throw notFound("This person");
    const { known, openedAt } = await readState(transaction, incident, now);
    if (filedAt < startOfMinute(earliestKnown({ facts: known, openedAt })))
      throw wrongTime("Nothing of this incident is known so early. Attest first when it occurred or was noticed");
    const draft = await draftText(transaction, incident, filing.key, now);
    const [kept] = await transaction
      .insert(obligationFilings)
      .values({
        id: filing.filingId,
        organisationId: incident.organisationId,
        incidentId: incident.id,
        obligationKey: filing.key,
        obligationVersion: obligation.version,
        filedBy: filer.id,
        filedAt,
        reference: filing.reference,
        draft,
        draftHash: sha256Of(draft),
        recordedBy: scope.actor.personId,
        createdAt: now,
      })
      .onConflictDoNothing()
      .returning({ id: obligationFilings.id });
    if (!kept) return refuseOther(await findFiling(transaction, filing.filingId), incident.id, filing);
    await audit(transaction, scope.actor.personId, "record filing", `organisation:${incident.organisationId}`, {
      incident: incidentNumber(incident.serial),
      obligation: obligation.title,
      filedAt: filedAt.toISOString(),
      reference: filing.reference,
    });
  });
}

const wrongTime = (sentence: string) => invalidFields({ filedAt: sentence });

/** Times are typed to the minute. */
const startOfMinute = (at: Date) => new Date(Math.floor(at.getTime() / 60_000) * 60_000);

/** A time from a clock that runs slightly fast counts as now. */
const takenAs = (sent: string, now: Date) => new Date(Math.min(Date.parse(sent), now.getTime()));

async function findFiling(transaction: Transaction, id: string) {
  const [found] = await transaction
    .select({ known: obligationFilings, firstName: people.firstName, lastName: people.lastName })
    .from(obligationFilings)
    .innerJoin(people, eq(people.id, obligationFilings.filedBy))
    .where(eq(obligationFilings.id, id));
  return found;
}

/** @throws Failure conflict for an id that was used for something else */
function refuseOther(found: Awaited<ReturnType<typeof findFiling>>, incidentId: string, filing: NewFiling): void {
  if (found?.known.incidentId !== incidentId || found.known.obligationKey !== filing.key)
    throw new Failure("conflict", "This was sent before with something else in it. Please reload the page.");
  const { filedBy, filedAt, reference, createdAt } = found.known;
  const isSame =
    filedBy === filing.filedBy &&
    filedAt.getTime() === takenAs(filing.filedAt, createdAt).getTime() &&
    reference === filing.reference;
  if (isSame) return;
  throw new Failure(
    "conflict",
    `An earlier try has arrived: it is recorded that ${found.firstName} ${found.lastName} filed it on ${writtenInIndia(filedAt)}, ${reference ? `with the reference ${reference}` : "without a reference"}, and this stays. To record another filing beside it, close this and choose “Record another filing”.`,
  );
}
