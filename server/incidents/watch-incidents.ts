import { and, asc, gt, lte } from "drizzle-orm";
import { incidents } from "../database/schema/index.ts";
import { doEach, pageOfJob } from "../jobs/do-each.ts";
import type { Services } from "../services.ts";
import { applyRules } from "./suppress-findings.ts";
import { holdIncident } from "./find-incident.ts";
import { climbLadders } from "./ladder.ts";
import { settleIncident } from "./settle-incident.ts";

/** Does what the passing of time alone requires: breaches, the next ladder contact, suppression of new findings. */
export async function watchIncidents(services: Services): Promise<void> {
  const now = services.now();
  await doEach<{ id: string }>(
    services,
    "the clocks of an incident were not looked at",
    (after) =>
      services.database
        .select({ id: incidents.id })
        .from(incidents)
        .where(and(lte(incidents.nextDueAt, now), after && gt(incidents.id, after.id)))
        .orderBy(asc(incidents.id))
        .limit(pageOfJob),
    ({ id }) =>
      services.database.transaction(async (transaction) => {
        await settleIncident(services, transaction, await holdIncident(transaction, id));
      }),
  );
  await climbLadders(services);
  await applyRules(services);
}
