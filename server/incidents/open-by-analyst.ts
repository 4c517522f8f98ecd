import { eq } from "drizzle-orm";
import { isDeepStrictEqual } from "node:util";
import { earlier, inMilliseconds } from "../../contract/durations.ts";
import { limits } from "../../contract/limits.ts";
import { messages } from "../../contract/messages.ts";
import type { Answer, Input } from "../../contract/operations.ts";
import { incidentNumber } from "../../contract/numbers.ts";
import { findOrganisationOf } from "../access/reach.ts";
import { organisationOf, type Scope } from "../access/scope.ts";
import { audit } from "../audit/audit.ts";
import { organisations } from "../database/schema/index.ts";
import { Failure, invalidField } from "../failures/failure.ts";
import type { Services } from "../services.ts";
import { attachFindings, holdFindings } from "./decide-findings.ts";
import { readFacts } from "./facts.ts";
import { openIncident } from "./open-incident.ts";
import { clocksDiffer, toldTime } from "./told-time.ts";

/**
 * Opens an incident for a customer, optionally from findings; opening acknowledges it.
 * @throws Failure not_found, invalid, conflict
 */
export async function openByAnalyst(
  services: Services,
  scope: Scope<"any">,
  { id, email, title, severity, detected_at, text, findings = [] }: Input<"admin/incidents/open">,
): Promise<Answer<"admin/incidents/open">> {
  const now = services.now();
  const detectedAt = toldTime(services, "detected_at", detected_at, {
    at: earlier(now, { days: limits.incidentDaysBackMax }),
    sentence: `Please check the year: an incident can be opened for what was detected in the last ${limits.incidentDaysBackMax} days.`,
  });
  const detected = { severity, ...(text && { text }) };
  const { personId } = scope.actor;
  return services.database.transaction(async (transaction) => {
    const organisationId = organisationOf(await findOrganisationOf(transaction, scope, email));
    const [customer] = await transaction
      .select({ kind: organisations.kind })
      .from(organisations)
      .where(eq(organisations.id, organisationId))
      // Makes a customer merge, which locks the organisation before its findings, wait until this incident exists.
      .for("share");
    if (!customer) throw new Failure("conflict", messages.organizationMerged);
    if (customer.kind !== "customer") throw invalidField("email", "Incidents are opened for customers.");
    if (findings.length > 0) await holdFindings(transaction, findings);
    const { incident, isNew } = await openIncident(services, transaction, {
      id,
      organisationId,
      title,
      source: "analyst",
      severity,
      openedAt: detectedAt,
      openedBy: personId,
      facts: [
        {
          news: "detected",
          occurredAt: detectedAt,
          by: "us",
          personId,
          payload: detected,
          eventKey: `detected:${id}`,
        },
        { news: "seen", occurredAt: now, by: "us", personId, eventKey: `seen:${id}` },
      ],
    });
    if (isNew) {
      await attachFindings(services, transaction, personId, { incidentId: incident.id, organisationId, ids: findings });
      await audit(transaction, personId, "open incident", `incident:${incident.id}`, { severity });
    }
    const number = incidentNumber(incident.serial);
    const isSame = async () => {
      const [first] = await readFacts(transaction, incident.id);
      if (!first || !isDeepStrictEqual([incident.title, first.payload], [title, detected])) return false;
      const saidAt = detected_at === undefined ? first.recordedAt : detectedAt;
      return Math.abs(first.occurredAt.getTime() - saidAt.getTime()) <= inMilliseconds(clocksDiffer);
    };
    if (!isNew && !(await isSame()))
      throw new Failure("conflict", `An earlier try of this form has opened ${number}. Please correct it there.`);
    return { message: `${number} is open.`, incident_id: incident.id, number };
  });
}
