import { and, eq, isNotNull } from "drizzle-orm";
import { clockKeys, incidentSeverities, type IncidentSeverity } from "../../contract/incident-states.ts";
import type { IncidentsOfMonth, ReportData } from "../../contract/report-data.ts";
import type { Database, Transaction } from "../database/database.ts";
import { incidentBreaches, incidents } from "../database/schema/index.ts";
import { type IncidentFigures, readIncidentFigures } from "../incidents/figures.ts";
import { isToldIn } from "../incidents/told-in-span.ts";
import type { Month } from "./month-of.ts";

/** Incidents that a report lists one by one; it gives only the number of the others. */
const rowsMax = 100;

/** The incidents of a customer's month as of its close, the promises that fell due in it, and the glass-box figures. */
export async function readIncidentsOfMonth(
  database: Database | Transaction,
  organisationId: string,
  { from, until }: Month,
): Promise<Pick<ReportData, "incidents" | "promises" | "findings">> {
  const figures = await readIncidentFigures(database, organisationId, from, until);
  const { suppressed, benign, attached, open } = figures.glassBox;
  const undone = await readUndone(database, organisationId, { from, until });
  return {
    incidents: present(figures),
    promises: {
      isSample: figures.sampleLevels,
      rows: clockKeys.map((clock) => {
        const { kept = 0, broken = 0 } = figures.promises.find((each) => each.clock === clock) ?? {};
        return { clock, kept, broken, undone: undone.filter((each) => each.clock === clock).length };
      }),
    },
    findings: { suppressed, benign, attached, open },
  };
}

function present({ incidents: told, bySeverity }: IncidentFigures): IncidentsOfMonth {
  const count = (of: (row: (typeof bySeverity)[number]) => number) => bySeverity.reduce((sum, row) => sum + of(row), 0);
  const openedOf = (severity: IncidentSeverity) => bySeverity.find((row) => row.severity === severity)?.opened ?? 0;
  return {
    opened: Object.fromEntries(incidentSeverities.map((severity) => [severity, openedOf(severity)])) as Record<
      IncidentSeverity,
      number
    >,
    resolved: count(({ closed }) => closed),
    open: count(({ openAtEnd }) => openAtEnd),
    rows: told.slice(0, rowsMax).map(({ number, title, severity, state, clocks, ...at }) => ({
      number,
      title: state === "merged" ? `${title} (goes on in another incident)` : title,
      severity,
      openedAt: at.openedAt.toISOString(),
      acknowledgedAt: at.acknowledgedAt?.toISOString() ?? null,
      containedAt: at.containedAt?.toISOString() ?? null,
      resolvedAt: at.endedAt?.toISOString() ?? null,
      broken: clocks.filter(({ state }) => state === "broken").map(({ clock }) => clock),
    })),
    more: Math.max(0, told.length - rowsMax),
  };
}

/** Broken promises that a correction turned into kept ones, in time for this report but not for an earlier one. */
const readUndone = (
  database: Database | Transaction,
  organisationId: string,
  { from, until }: Pick<Month, "from" | "until">,
) =>
  database
    .select({ clock: incidentBreaches.clock })
    .from(incidentBreaches)
    .innerJoin(incidents, eq(incidents.id, incidentBreaches.incidentId))
    .where(
      and(
        eq(incidents.organisationId, organisationId),
        isNotNull(incidentBreaches.undoneAt),
        isToldIn(incidentBreaches.dueAt, incidentBreaches.undoneAt, from, until),
      ),
    );
