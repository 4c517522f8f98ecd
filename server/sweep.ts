import { lt, sql } from "drizzle-orm";
import { rateLimits, sessions, signInCodes, singleUseLinks } from "./database/schema/index.ts";
import { resumeOwed } from "./owed.ts";
import type { Services } from "./services.ts";

/** Deletes what has been of no use for a day or more, and picks up what is owed and lost its job. */
export async function sweep(services: Services): Promise<void> {
  const { database, now } = services;
  const yesterday = new Date(now().getTime() - 24 * 3_600_000);
  const lastMonth = new Date(now().getTime() - 30 * 24 * 3_600_000);
  await database.delete(signInCodes).where(lt(signInCodes.expiresAt, yesterday));
  await database.delete(singleUseLinks).where(lt(singleUseLinks.expiresAt, lastMonth));
  await database.delete(sessions).where(lt(sessions.expiresAt, lastMonth));
  await database.delete(rateLimits).where(lt(rateLimits.expire, sql`extract(epoch from now()) * 1000`));
  await resumeOwed(services);
}

export async function workSweep(services: Services): Promise<void> {
  await services.jobs.work("sweep", () => sweep(services));
  await services.jobs.schedule("sweep", "*/10 * * * *");
}
