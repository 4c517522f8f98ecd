import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { EngineKind } from "../../contract/engine-kinds.ts";
import { audit } from "../audit/audit.ts";
import type { Transaction } from "../database/database.ts";
import { engineDevices, engineFindings, engineIncidents, engineStreams } from "../database/schema/index.ts";
import type { BindingRow } from "./open-binding.ts";

/**
 * Prefix for the id of a stored record whose engine gave its id to another record; the record's id here and its former
 * id follow. No engine knows such an id: it is neither asked for nor written to.
 */
export const asideMark = "old:";

export const isMovedAside = (externalId: string): boolean => externalId.startsWith(asideMark);

/** The id that the engine gave the record. */
export const idAsTold = (externalId: string): string => externalId.replace(/^old:[^:]*:/, "");

/** The difference that shows a record is not the one stored under its id. */
type Sign = "another time" | "another time and title";

/**
 * An engine that was reinstalled or replaced numbers its records from the start again. Only the engines below number
 * them: the others use random ids. People change the date or the title of cases, and of alerts in TheHive, but rarely
 * both between two polls a minute apart. Alerts in DFIR-IRIS get their date from IRIS itself, and many have the same
 * title.
 */
const signs: Partial<Record<EngineKind, { finding: Sign; case: Sign }>> = {
  iris: { finding: "another time", case: "another time and title" },
  thehive: { finding: "another time and title", case: "another time and title" },
};

type Told = Pick<BindingRow, "id" | "kind">;

/** Where the engine reports another finding under a stored id, the stored finding gives up the id. */
export async function moveFindingsAside(transaction: Transaction, { id, kind }: Told, told: string): Promise<void> {
  const sign = signs[kind]?.finding;
  if (sign) await transaction.execute(moveAside(engineFindings, id, told, sign));
}

/**
 * The same for cases. The incident created from the stored case, and remarks still to be written into it, stay with
 * that case and never reach the new one.
 */
export async function moveCasesAside(transaction: Transaction, { id, kind }: Told, told: string): Promise<void> {
  const sign = signs[kind]?.case;
  if (sign) await transaction.execute(withIncidents(id, moveAside(engineIncidents, id, told, sign)));
}

/**
 * Drops what no longer holds once a binding is removed or leads elsewhere: devices are gone, cursors are useless, and
 * rules that suppress one of its devices end, because the next engine may give the device's id to another.
 */
export async function forgetWhatItSaid(transaction: Transaction, bindingId: string, now: Date): Promise<void> {
  await endRulesOfDevices(transaction, bindingId, now);
  await transaction.delete(engineStreams).where(eq(engineStreams.bindingId, bindingId));
  await transaction
    .update(engineDevices)
    .set({ goneAt: now })
    .where(and(eq(engineDevices.bindingId, bindingId), isNull(engineDevices.goneAt)));
}

/**
 * A rule names the engine's id of a device but not the engine. So it also ends if another engine has a device with that
 * id.
 */
async function endRulesOfDevices(transaction: Transaction, bindingId: string, now: Date): Promise<void> {
  const { rows } = await transaction.execute<{ organisationId: string; title: string }>(sql`
    update suppression_rules as rule set ended_at = ${now.toISOString()}::timestamptz
      from engine_bindings as binding
      where binding.id = ${bindingId}::uuid and rule.organisation_id = binding.organisation_id
        and rule.device_id is not null and rule.ended_at is null
        and exists (select from engine_devices as device
          where device.binding_id = binding.id and device.external_id = rule.device_id)
      returning rule.organisation_id as "organisationId", rule.title`);
  // oxlint-disable-next-line no-await-in-loop -- there is hardly ever one
  for (const { organisationId, title } of rows)
    await audit(transaction, null, "end suppression", `organisation:${organisationId}`, { title });
}

/**
 * When a binding starts to lead to another engine, every device and case gives up its id, which that engine may use for
 * another. Logs held for a machine stay with it, and so do people's decisions about it, even where it is known only by
 * its id.
 */
export async function leaveEngine(transaction: Transaction, bindingId: string, now: Date): Promise<void> {
  await forgetWhatItSaid(transaction, bindingId, now);
  await transaction.execute(sql`
    with moved as (
      update engine_devices as known set external_id = old.next,
          identity = case when old.identity = old.by_id then known.binding_id || '|' || old.next else old.identity end
        from (select id, external_id as was, identity, binding_id || '|' || external_id as by_id,
            ${asideMark} || id || ':' || external_id as next
          from engine_devices where binding_id = ${bindingId}::uuid and not starts_with(external_id, ${asideMark})) as old
        where known.id = old.id
        returning known.binding_id, known.organisation_id, old.was, old.next, old.identity as was_identity, known.identity
    ), decided as (
      update device_decisions set identity = moved.identity
        from moved where moved.identity <> moved.was_identity
          and device_decisions.organisation_id = moved.organisation_id and device_decisions.identity = moved.was_identity
    )
    update held_sources set external_id = moved.next
      from moved where held_sources.binding_id = moved.binding_id and held_sources.external_id = moved.was`);
  await transaction.execute(
    withIncidents(
      bindingId,
      sql`update engine_incidents set external_id = ${asideMark} || id || ':' || external_id
        where binding_id = ${bindingId}::uuid and not starts_with(external_id, ${asideMark})
        returning id, external_id, true as is_another`,
    ),
  );
}

/** Extends a statement that moves cases aside to the incidents created from them and to remarks still to be written. */
const withIncidents = (bindingId: string, cases: SQL): SQL => sql`
  with told as (${cases}),
    moved as (
      update incidents set external_id = told.external_id
        from told where told.is_another and incidents.engine_incident_id = told.id
        returning incidents.id, incidents.external_id
    )
  update engine_remarks set external_id = moved.external_id
    from moved join incident_facts on incident_facts.incident_id = moved.id
    where engine_remarks.id = incident_facts.id and engine_remarks.binding_id = ${bindingId}::uuid`;

/**
 * Compares the engine's own times with those it reported before: corrected to our clock, the same time would change
 * when the engine's clock is set right. A record stored without the engine's time is compared by ours, with a day's
 * tolerance for wrong clocks. Records are found one by one by id, whatever the planner expects: a binding may have very
 * many.
 */
const moveAside = (
  table: typeof engineFindings | typeof engineIncidents,
  bindingId: string,
  told: string,
  sign: Sign,
): SQL => {
  const beganAt = table === engineFindings ? sql`stored.at` : sql`stored.opened_at`;
  return sql`
    update ${table} as known set
        external_id = case when told.is_another then ${asideMark} || known.id || ':' || known.external_id
          else known.external_id end,
        engine_time = case when told.is_another then known.engine_time else told.engine_time end
      from (select stored.id, told.engine_time,
            (told.engine_time not between coalesce(stored.engine_time - interval '1 minute', ${beganAt} - interval '1 day')
              and coalesce(stored.engine_time + interval '1 minute', ${beganAt} + interval '1 day'))
            and (${sign === "another time"} or stored.title <> told.title) as is_another
          from jsonb_to_recordset(${told}::jsonb) as told(external_id text, title text, engine_time timestamptz)
          cross join lateral (select * from ${table} as stored
            where stored.binding_id = ${bindingId}::uuid and stored.external_id = told.external_id limit 1) as stored
          where stored.engine_time is distinct from told.engine_time) as told
      where known.id = told.id
      returning known.id, known.external_id, told.is_another`;
};
