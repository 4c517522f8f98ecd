import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { EngineKind } from "../../contract/engine-kinds.ts";
import { audit } from "../audit/audit.ts";
import type { Transaction } from "../database/database.ts";
import { engineDevices, engineFindings, engineIncidents, engineStreams } from "../database/schema/index.ts";
import type { BindingRow } from "./open-binding.ts";

/**
 * How the id begins under which a record is kept whose engine gave its own id to another one; then come the record's id
 * here and what the engine had called it. No engine knows it: it is neither asked for nor written to.
 */
export const asideMark = "old:";

export const isMovedAside = (externalId: string): boolean => externalId.startsWith(asideMark);

/** The id as the engine gave it. */
export const idAsTold = (externalId: string): string => externalId.replace(/^old:[^:]*:/, "");

/** What tells that a record is another one than that which is stored under its id. */
type Sign = "another time" | "another time and title";

/**
 * An engine that was made anew, or in whose place another one was bound, counts its records from the beginning. Only these
 * engines count: the others' ids are random. People give cases, and alerts in TheHive, another date, and another title, but
 * rarely both within the minute from one poll to the next. Alerts in DFIR-IRIS are dated by itself, and many have one title.
 */
const signs: Partial<Record<EngineKind, { finding: Sign; case: Sign }>> = {
  iris: { finding: "another time", case: "another time and title" },
  thehive: { finding: "another time and title", case: "another time and title" },
};

type Told = Pick<BindingRow, "id" | "kind">;

/** Where the engine tells another finding under an id, the one that is stored gives it up. */
export async function moveFindingsAside(transaction: Transaction, { id, kind }: Told, told: string): Promise<void> {
  const sign = signs[kind]?.finding;
  if (sign) await transaction.execute(moveAside(engineFindings, id, told, sign));
}

/** The same of cases. The incident that was made of one, and what is to be written into it, leave the new one alone. */
export async function moveCasesAside(transaction: Transaction, { id, kind }: Told, told: string): Promise<void> {
  const sign = signs[kind]?.case;
  if (sign) await transaction.execute(withIncidents(id, moveAside(engineIncidents, id, told, sign)));
}

/**
 * What stands here came from elsewhere: the devices are gone, the cursors mean nothing, and the next engine gives the ids of
 * its devices, for one of which a rule may suppress, to others.
 */
export async function forgetWhatItSaid(transaction: Transaction, bindingId: string, now: Date): Promise<void> {
  await endRulesOfDevices(transaction, bindingId, now);
  await transaction.delete(engineStreams).where(eq(engineStreams.bindingId, bindingId));
  await transaction
    .update(engineDevices)
    .set({ goneAt: now })
    .where(and(eq(engineDevices.bindingId, bindingId), isNull(engineDevices.goneAt)));
}

/** A rule names the engine's id of a device, and not the engine: it ends, too, where another engine has a device of that id. */
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
 * Where a binding leads to another engine now, it forgets, and every device and case gives its id up: that engine gives them
 * to others. What is held of a machine's logs stays with the machine, and so does what people said of it, also where it is
 * known by its id alone.
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

/** The incidents that were made of the cases which give up their ids, and what is to be written into these. */
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
 * The engine's own times are compared, each with the one that it told last: by our clock one time would become another when
 * the engine's clock is set right. What was stored without its own time is compared by ours, which a clock may have shifted
 * by a day. Whatever is known of the tables, each record is found by its id: all of a binding may be many.
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
