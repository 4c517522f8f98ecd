import { sql } from "drizzle-orm";
import { writtenDay } from "../../contract/india-time.ts";
import type { Transaction } from "../database/database.ts";
import type { Services } from "../services.ts";
import { type Contract, todayInIndia } from "./find-contract.ts";

/** A device type by its names on the rate card. */
export interface DeviceType {
  service: string;
  deviceType: string;
}

/** How many devices of a type all the organisation's running contracts hold today. */
export async function contractedOf(
  services: Services,
  transaction: Transaction,
  { organisationId }: Contract,
  { service, deviceType }: DeviceType,
): Promise<number> {
  const today = todayInIndia(services);
  const { rows } = await transaction.execute<{ held: number }>(sql`
    select coalesce(sum(quantity), 0)::int as held from contract_lines join contracts on contracts.id = contract_id
    where organisation_id = ${organisationId} and contract_lines.starts_on <= ${today}::date
      and contract_lines.ends_on >= ${today}::date
      and key->>'service' = ${service} and key->>'deviceType' = ${deviceType}`);
  return rows[0]?.held ?? 0;
}

/**
 * How many more devices of its type an organisation's contracts hold today than when a true-up was announced. Devices
 * bought through true-ups since then are left out: after a merge of customers there may be two true-ups of one type,
 * for different devices.
 */
export async function gainedSince(
  services: Services,
  transaction: Transaction,
  { organisationId }: Contract,
  { service, deviceType, announcedAt }: DeviceType & { announcedAt: Date },
): Promise<number> {
  const [today, then] = [todayInIndia(services), writtenDay(announcedAt)];
  const runsToday = sql`contract_lines.starts_on <= ${today}::date and contract_lines.ends_on >= ${today}::date`;
  const isSince = sql`contract_changes.created_at > ${announcedAt}`;
  // A line reduced on that day, after the announcement, already ends on the day before.
  const ranThen = sql`contract_lines.starts_on <= ${then}::date and (contract_lines.ends_on >= ${then}::date
    or exists (select from contract_changes as less where less.contract_id = contract_lines.contract_id
      and less.series = contract_lines.series and less.effective_on = contract_lines.ends_on + 1
      and less.created_at > ${announcedAt}))`;
  const { rows } = await transaction.execute<{ held: number; before: number }>(sql`
    select
      coalesce(sum(contract_lines.quantity)
        filter (where ${runsToday} and not (contract_changes.kind = 'true up' and ${isSince})), 0)::int as held,
      coalesce(sum(contract_lines.quantity) filter (where ${ranThen} and not ${isSince}), 0)::int as before
    from contract_lines join contracts on contracts.id = contract_lines.contract_id
      join contract_changes on contract_changes.id = contract_lines.change_id
    where organisation_id = ${organisationId} and key->>'service' = ${service} and key->>'deviceType' = ${deviceType}`);
  const [found] = rows;
  return found ? found.held - found.before : 0;
}
