import type { Answer, Input } from "../../contract/operations.ts";
import { incidentNumber } from "../../contract/numbers.ts";
import { findOrganisationOf } from "../access/reach.ts";
import { organisationOf, type Scope } from "../access/scope.ts";
import { audit } from "../audit/audit.ts";
import { organisations } from "../database/schema/index.ts";
import { Failure } from "../failures/failure.ts";
import type { Services } from "../services.ts";
import { attachFindings } from "./decide-findings.ts";
import { openIncident } from "./open-incident.ts";
import { eq } from "drizzle-orm";

/** An analyst opens an incident of a customer, also from findings: it is acknowledged by that. @throws Failure not_found, invalid */
export async function openByAnalyst(
  services: Services,
  scope: Scope<"any">,
  { id, email, title, severity, detected_at, text, findings = [] }: Input<"admin/incidents/open">,
): Promise<Answer<"admin/incidents/open">> {
  const now = services.now();
  const detectedAt = detected_at ? new Date(detected_at) : now;
  if (detectedAt > now) {
    const sentence = "Please give a time that is not in the future.";
    throw new Failure("invalid", sentence, { fields: { detected_at: sentence } });
  }
  const { personId } = scope.actor;
  return services.database.transaction(async (transaction) => {
    const organisationId = organisationOf(await findOrganisationOf(transaction, scope, email));
    const [customer] = await transaction
      .select({ kind: organisations.kind })
      .from(organisations)
      .where(eq(organisations.id, organisationId));
    if (customer?.kind !== "customer") {
      const sentence = "Incidents are opened for customers.";
      throw new Failure("invalid", sentence, { fields: { email: sentence } });
    }
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
          payload: { severity, ...(text && { text }) },
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
    return { message: `${number} is open.`, incident_id: incident.id, number };
  });
}
