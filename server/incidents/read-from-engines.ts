import { idAsTold } from "../engines/moved-aside.ts";
import { and, desc, eq, isNotNull } from "drizzle-orm";
import { engineKinds } from "../../contract/engine-kinds.ts";
import type { IncidentRoom } from "../../contract/incidents.ts";
import type { Database } from "../database/database.ts";
import {
  engineBindings,
  engineFindings,
  engineIncidents,
  engineRemarks,
  findingDecisions,
} from "../database/schema/index.ts";
import { pageFor, pagesOfBinding } from "../engines/page-for.ts";
import type { IncidentRow, IncidentScope } from "./find-incident.ts";

const findingsShown = 100;

/** The findings attached to an incident, newest first. */
export async function readAttached(
  database: Database,
  scope: IncidentScope,
  incidentId: string,
): Promise<IncidentRoom["findings"]> {
  const rows = await database
    .select({
      id: engineFindings.id,
      title: engineFindings.title,
      severity: engineFindings.severity,
      at: engineFindings.at,
      externalId: engineFindings.externalId,
      pages: pagesOfBinding,
    })
    .from(findingDecisions)
    .innerJoin(engineFindings, eq(engineFindings.id, findingDecisions.findingId))
    .innerJoin(engineBindings, eq(engineBindings.id, engineFindings.bindingId))
    .where(and(eq(findingDecisions.incidentId, incidentId), findingDecisions.holds))
    .orderBy(desc(engineFindings.at))
    .limit(findingsShown);
  return rows.map(({ at, externalId, pages, ...finding }) => ({
    ...finding,
    at: at.toISOString(),
    link: pageFor(scope, pages, { kind: "finding", id: externalId }),
  }));
}

/** The engine's case from which the incident was made; null if a person opened the incident here. */
export async function readEngine(
  database: Database,
  scope: IncidentScope,
  incident: IncidentRow,
): Promise<IncidentRoom["engine"]> {
  if (!incident.engineIncidentId) return null;
  const [found] = await database
    .select({ case: engineIncidents, kind: engineBindings.kind, pages: pagesOfBinding })
    .from(engineIncidents)
    .innerJoin(engineBindings, eq(engineBindings.id, engineIncidents.bindingId))
    .where(eq(engineIncidents.id, incident.engineIncidentId));
  if (!found) return null;
  const [failed] = await database
    .select({ problem: engineRemarks.problem })
    .from(engineRemarks)
    .where(
      and(
        eq(engineRemarks.bindingId, found.case.bindingId),
        eq(engineRemarks.externalId, found.case.externalId),
        isNotNull(engineRemarks.problem),
      ),
    )
    .orderBy(desc(engineRemarks.createdAt))
    .limit(1);
  return {
    name: engineKinds[found.kind].name,
    external_id: idAsTold(found.case.externalId),
    link: pageFor(scope, found.pages, { kind: "incident", id: found.case.externalId }),
    state: found.case.rawState || found.case.state,
    severity: found.case.rawSeverity || found.case.severity,
    figures: Object.entries(found.case.figures).map(([name, seconds]) => ({ name, seconds })),
    timeline: found.case.timeline,
    remarks_failed: scope.reach === "any" ? (failed?.problem ?? null) : null,
  };
}
