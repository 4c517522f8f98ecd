import { sql } from "drizzle-orm";
import type { Transaction } from "../database/database.ts";

/**
 * Moves a customer's match rules, decisions about devices, silence limits and coverage days to another customer. Where
 * both have one, the other's stays; the moved rules come after its own. The latest figures are due to be counted again.
 */
export async function moveCoverage(transaction: Transaction, from: string, into: string): Promise<void> {
  await transaction.execute(sql`update match_rules rule set organisation_id = ${into}, place = least(9999, place + coalesce(
      (select max(place) from match_rules other where other.organisation_id = ${into} and other.kind = rule.kind), 0))
    where organisation_id = ${from}`);
  await transaction.execute(sql`update device_decisions moved set organisation_id = ${into} where organisation_id = ${from}
    and not exists (select from device_decisions kept where kept.organisation_id = ${into} and kept.identity = moved.identity)`);
  await transaction.execute(sql`update silence_limits moved set organisation_id = ${into} where organisation_id = ${from}
    and not exists (select from silence_limits kept where kept.organisation_id = ${into}
      and (kept.service, kept.device_type) = (moved.service, moved.device_type))`);
  await transaction.execute(sql`update coverage_days moved set organisation_id = ${into} where organisation_id = ${from}
    and not exists (select from coverage_days kept where kept.organisation_id = ${into} and kept.day = moved.day)`);
  await transaction.execute(
    sql`update coverage_figures set next_count_at = counted_at where organisation_id = ${into}`,
  );
}
