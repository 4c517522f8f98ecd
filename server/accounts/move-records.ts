import { eq, sql } from "drizzle-orm";
import type { Transaction } from "../database/database.ts";
import {
  announcements,
  contracts,
  engineBindings,
  engineFindings,
  entityClassVersions,
  heldSources,
  incidents,
  obligationFilings,
  obligationWarnings,
  regulatorFacts,
  serviceReports,
  suppressionRules,
  tiles,
  usageSnapshots,
} from "../database/schema/index.ts";
import { moveCoverage } from "./move-coverage.ts";
import { moveEngines } from "./move-engines.ts";
import { moveIncidents } from "./move-incidents.ts";
import { moveOnboarding } from "./move-onboarding.ts";
import { moveReports } from "./move-reports.ts";

/** Columns that refer to a customer: while any row does, its organisation is kept even without people. */
export const ownersOfRecords = [
  contracts.organisationId,
  engineBindings.organisationId,
  entityClassVersions.organisationId,
  heldSources.organisationId,
  incidents.organisationId,
  obligationFilings.organisationId,
  obligationWarnings.organisationId,
  regulatorFacts.organisationId,
  serviceReports.organisationId,
];

/**
 * Locks, in their order, the tables that polls and analysts lock before they write references to the customer. Whoever
 * then locks the customer to move its records waits for them here, and they never wait for it.
 */
export async function lockRecords(transaction: Transaction, organisationId: string): Promise<void> {
  for (const table of [engineBindings, suppressionRules, engineFindings, incidents])
    // oxlint-disable-next-line no-await-in-loop -- in one order
    await transaction.execute(sql`select count(*) from (
      select from ${table} where organisation_id = ${organisationId}::uuid order by id for no key update) as locked`);
}

/** Moves everything one customer bought, and everything monitored and reported for it, to another. */
export async function moveRecords(transaction: Transaction, from: string, into: string): Promise<void> {
  const move = { organisationId: into };
  await transaction.update(contracts).set(move).where(eq(contracts.organisationId, from));
  await moveUsage(transaction, from, into);
  await transaction.update(tiles).set(move).where(eq(tiles.organisationId, from));
  await moveEngines(transaction, from, into);
  await moveCoverage(transaction, from, into);
  await moveReports(transaction, from, into);
  await moveOnboarding(transaction, from, into);
  await moveIncidents(transaction, from, into);
  await transaction
    .update(announcements)
    .set({ organisationIds: replacedOnce(from, into) })
    .where(sql`${from}::uuid = any(${announcements.organisationIds})`);
}

/** Keeps each id once, at its first place: an announcement to both customers names one now. */
const replacedOnce = (from: string, into: string) => sql`(
  select array_agg(id order by place) from (
    select id, min(place) as place
    from unnest(array_replace(${announcements.organisationIds}, ${from}::uuid, ${into}::uuid)) with ordinality as named(id, place)
    group by id
  ) as each)`;

/** Devices that both had connected on a day add up: it is one customer now. */
async function moveUsage(transaction: Transaction, from: string, into: string): Promise<void> {
  await transaction.execute(sql`insert into usage_snapshots
      (organisation_id, day, service, device_type, contracted, connected, silent)
    select ${into}::uuid, day, service, device_type, contracted, connected, silent
      from usage_snapshots where organisation_id = ${from}
    on conflict (organisation_id, day, service, device_type) do update set
      contracted = usage_snapshots.contracted + excluded.contracted,
      connected = usage_snapshots.connected + excluded.connected,
      silent = usage_snapshots.silent + excluded.silent`);
  await transaction.delete(usageSnapshots).where(eq(usageSnapshots.organisationId, from));
}
