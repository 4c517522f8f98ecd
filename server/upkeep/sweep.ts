import { resumeOwed } from "./owed.ts";
import { applyRetention } from "./retention.ts";
import type { Services } from "../services.ts";

/** Picks up what is owed and lost its job, and has data past their time deleted once a day. */
export async function sweep(services: Services): Promise<void> {
  await resumeOwed(services);
  await services.database.transaction((transaction) =>
    services.jobs.add(transaction, "apply-retention", {}, { onceInSeconds: 24 * 3600 }),
  );
}

export async function workSweep(services: Services): Promise<void> {
  await services.jobs.work("sweep", () => sweep(services));
  await services.jobs.work("apply-retention", () => applyRetention(services));
  await services.jobs.schedule("sweep", "*/10 * * * *");
}
