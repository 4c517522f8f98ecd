import { and, eq, inArray, sql } from "drizzle-orm";
import { brand } from "../../contract/brand.ts";
import type { NewDataRequest } from "../../contract/data-requests.ts";
import { writtenDay } from "../../contract/india-time.ts";
import { findPersonByEmail, lockEmail } from "../accounts/queries.ts";
import type { Scope } from "../access/scope.ts";
import { audit } from "../audit/audit.ts";
import type { Transaction } from "../database/database.ts";
import {
  contactLadders,
  dataRequests,
  emailCorrections,
  ladderCalls,
  leads,
  mails,
  people,
  quotes,
} from "../database/schema/index.ts";
import { Failure, notFound } from "../failures/failure.ts";
import { refuseUnlessSame } from "../failures/sent-before.ts";
import type { Services } from "../services.ts";
import { lockDataRequest, subjectOf } from "./queries.ts";
import { refusalOfErasure } from "./refuse-erasure.ts";

/**
 * Takes up a request about a person's data; a job carries it out. Repeating the same request changes nothing.
 * @throws Failure not_found if nothing is known about the e-mail; conflict, with the reason, if the person can't be
 * erased now, the same request is under way, or the id was used for another request
 */
export async function requestData(
  services: Services,
  { actor }: Scope<"any">,
  { id, kind, email }: NewDataRequest,
): Promise<void> {
  await services.database.transaction(async (transaction) => {
    await lockEmail(transaction, email);
    const known = await lockDataRequest(transaction, id);
    // An erasure removes the e-mail from the request.
    if (known) return refuseUnlessSame(known, known.email === null ? { kind } : { kind, email });
    const person = await findPersonByEmail(transaction, email);
    if (!person && !(await isKnown(transaction, email)))
      throw new Failure("not_found", "Nothing is known about this e-mail address.");
    const open = and(
      eq(dataRequests.email, email),
      eq(dataRequests.kind, kind),
      inArray(dataRequests.state, ["waiting", "removing"]),
    );
    if ((await transaction.$count(dataRequests, open)) > 0)
      throw new Failure("conflict", "The same was asked for already and is under way.");
    const personId = person?.id ?? null;
    if (kind === "erasure" && person) {
      const refusal = await refusalOfErasure(services, transaction, person, actor.personId);
      if (refusal) throw new Failure("conflict", refusal);
    }
    await transaction
      .insert(dataRequests)
      .values({ id, kind, email, personId, askedBy: actor.personId, askedAt: services.now() });
    const action = kind === "export" ? "ask for data export" : "ask for erasure";
    await audit(transaction, actor.personId, action, subjectOf({ id, personId }), { request: id });
    await services.jobs.add(transaction, "answer-data-request", { requestId: id });
  });
}

async function isKnown(transaction: Transaction, email: string): Promise<boolean> {
  const counts = [
    await transaction.$count(people, eq(people.email, email)),
    await transaction.$count(leads, eq(leads.userEmail, email)),
    await transaction.$count(quotes, eq(quotes.userEmail, email)),
    await transaction.$count(mails, eq(sql`lower(${mails.recipient})`, email)),
    await transaction.$count(
      contactLadders,
      sql`exists (select from jsonb_array_elements(${contactLadders.contacts}) as contact where lower(contact->>'email') = ${email})`,
    ),
    await transaction.$count(ladderCalls, eq(sql`lower(${ladderCalls.email})`, email)),
    await transaction.$count(emailCorrections, eq(emailCorrections.email, email)),
  ];
  return counts.some((count) => count > 0);
}

/** A short-lived address of an export's ZIP; each fetch is audited. @throws Failure not_found once the file is gone */
export async function fetchDataFile(services: Services, { actor }: Scope<"any">, id: string): Promise<string> {
  return services.database.transaction(async (transaction) => {
    const request = await lockDataRequest(transaction, id);
    if (!request?.file || !request.fileUntil || request.fileUntil <= services.now()) throw notFound("This file");
    await audit(transaction, actor.personId, "fetch data export", subjectOf(request), { request: id });
    return services.files.signedUrl(request.file, `${brand.name}-data-${writtenDay(request.askedAt)}.zip`);
  });
}
