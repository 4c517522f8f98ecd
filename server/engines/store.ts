import { sql } from "drizzle-orm";
import { isIP } from "node:net";
import { earlier } from "../../contract/durations.ts";
import { sweptData } from "../../contract/retention.ts";
import type { Transaction } from "../database/database.ts";
import { engineBindings } from "../database/schema/index.ts";
import type { Device, Finding, Incident, LastEvents } from "../outside/engines/engine.ts";
import { moveCasesAside, moveFindingsAside } from "./moved-aside.ts";
import { type BindingRow, isClaimedAs } from "./open-binding.ts";

/**
 * Thrown when a binding was changed or removed during a poll, or another poll has begun because this one took so long:
 * nothing of this poll may be stored.
 */
export class Overtaken extends Error {}

/**
 * Locks the binding for sharing, so that a change to it, and a poll by another copy, wait until this transaction ends.
 * @param binding as the poll has claimed it
 * @throws Overtaken
 */
export async function holdBinding(transaction: Transaction, binding: BindingRow): Promise<void> {
  const [now] = await transaction
    .select({ removedAt: engineBindings.removedAt })
    .from(engineBindings)
    .where(isClaimedAs(binding))
    .for("share");
  if (!now || now.removedAt) throw new Overtaken("The binding was changed, or polled by another copy, meanwhile");
}

/** What corrects an engine's times to our clock; none may lie in the future. */
export interface Clock {
  now: Date;
  skewSeconds: number | null;
}

/** Below this, the skew may be only the answer's travel time. */
const skewSecondsMin = 30;

function correct(at: Date | null, { now, skewSeconds }: Clock): string | null {
  if (!at) return null;
  const skew = skewSeconds !== null && Math.abs(skewSeconds) >= skewSecondsMin ? skewSeconds : 0;
  return new Date(Math.min(at.getTime() - skew * 1000, now.getTime())).toISOString();
}

/** An id too long for the index belongs to no legitimate record. */
const idLengthMax = 500;
const isStorable = ({ id }: { id: string }) => id !== "" && id.length <= idLengthMax;

/** Engines repeat text written by attackers: PostgreSQL accepts neither NUL nor lone surrogates. */
const asJson = (rows: unknown) =>
  JSON.stringify(rows, (_key, value: unknown) => (typeof value === "string" ? storable(value) : value));
const storable = (text: string) => text.toWellFormed().replaceAll("\0", "");

/**
 * Stores a page of devices with one statement, and a second where a machine's identity has changed. Unchanged rows are
 * not written.
 */
export async function storeDevices(
  transaction: Transaction,
  { id, organisationId }: BindingRow,
  devices: readonly Device[],
  clock: Clock,
): Promise<void> {
  const rows = lastOfEach(devices).map(({ firstSeenAt, lastSeenAt, id: external_id, ...device }) => ({
    ...device,
    external_id,
    identity: identityOf(id, { id: external_id, ...device }),
    first_seen_at: correct(firstSeenAt, clock),
    last_seen_at: correct(lastSeenAt, clock),
  }));
  // The final select still sees the rows as they were before the insert.
  const { rows: renamed } = await transaction.execute<Renamed>(sql`
    with told as (
      select * from jsonb_to_recordset(${asJson(rows)}::jsonb) as told(external_id text, identity text, name text,
        address text, os text, groups jsonb, state text, version text, first_seen_at timestamptz, last_seen_at timestamptz)
    ), stored as (
      insert into engine_devices (binding_id, organisation_id, external_id, identity, name, address, os, groups, state, version,
          first_seen_at, last_seen_at)
        select ${id}::uuid, ${organisationId}::uuid, external_id, identity, name, address, os,
            array(select jsonb_array_elements_text(groups)), state, version, first_seen_at, last_seen_at
          from told
      on conflict (binding_id, external_id) do update set
        organisation_id = excluded.organisation_id, identity = excluded.identity, name = excluded.name,
        address = excluded.address, os = excluded.os, groups = excluded.groups, state = excluded.state,
        version = excluded.version, first_seen_at = excluded.first_seen_at, last_seen_at = excluded.last_seen_at,
        gone_at = null
      where (engine_devices.name, engine_devices.address, engine_devices.os, engine_devices.groups, engine_devices.state,
          engine_devices.version, engine_devices.last_seen_at, engine_devices.gone_at)
        is distinct from (excluded.name, excluded.address, excluded.os, excluded.groups, excluded.state,
          excluded.version, excluded.last_seen_at, null)
    )
    select was, now from (select identity as now, (select known.identity from engine_devices known
        where known.binding_id = ${id}::uuid and known.external_id = told.external_id and known.gone_at is null) as was
        from told) as named
      where was <> now`);
  if (renamed.length > 0) await keepDecisions(transaction, organisationId, renamed);
}

/** A machine's identity before and after a change of its address or name. */
interface Renamed extends Record<string, unknown> {
  was: string;
  now: string;
}

/**
 * People's decisions about a machine move to its new identity, unless that has some already. Under the old identity
 * they stay only if another machine still has it.
 */
async function keepDecisions(
  transaction: Transaction,
  organisationId: string,
  renamed: readonly Renamed[],
): Promise<void> {
  await transaction.execute(sql`
    with renamed as (
      select distinct was, now from jsonb_to_recordset(${JSON.stringify(renamed)}::jsonb) as renamed(was text, now text)
    ), kept as (
      insert into device_decisions (organisation_id, identity, service, device_type, not_ours, silence_minutes, decided_by,
          decided_at)
        select distinct on (renamed.now) organisation_id, renamed.now, service, device_type, not_ours, silence_minutes,
            decided_by, decided_at
          from renamed join device_decisions on organisation_id = ${organisationId}::uuid and identity = renamed.was
          order by renamed.now, decided_at desc
      on conflict (organisation_id, identity) do nothing
    )
    delete from device_decisions left_behind using renamed
      where left_behind.organisation_id = ${organisationId}::uuid and left_behind.identity = renamed.was
        and not exists (select from engine_devices living where living.organisation_id = ${organisationId}::uuid
          and living.identity = renamed.was and living.gone_at is null)`);
}

/**
 * A machine's identity, the same for all engines that report it: its name without the domain, and its address. Without
 * an address each device counts as its own machine, because names such as localhost are common.
 */
function identityOf(bindingId: string, { id, name, address }: Pick<Device, "id" | "name" | "address">): string {
  const short = (isIP(name) ? name : (name.split(".")[0] ?? "")).trim().toLowerCase();
  return short && address ? `${short}|${address.toLowerCase()}` : `${bindingId}|${id}`;
}

/** Marks devices as gone that a reading of the whole list did not name. */
export async function storeGone(
  transaction: Transaction,
  { id }: BindingRow,
  named: readonly string[],
  now: Date,
): Promise<void> {
  await transaction.execute(sql`
    update engine_devices set gone_at = ${now.toISOString()}::timestamptz
      where binding_id = ${id}::uuid and gone_at is null
        and not exists (select from jsonb_array_elements_text(${asJson(named)}::jsonb) as named
          where named = external_id)`);
}

/** Marks devices as active that a reading of changes did not name; they were last seen at `seenSince` or later. */
export async function storeStillActive(
  transaction: Transaction,
  { id }: BindingRow,
  named: readonly string[],
  { seenSince, ...clock }: Clock & { seenSince: Date },
): Promise<void> {
  const since = sql`${correct(seenSince, clock)}::timestamptz`;
  await transaction.execute(sql`
    update engine_devices set state = 'active', last_seen_at = greatest(last_seen_at, ${since})
      where binding_id = ${id}::uuid and gone_at is null
        and (state <> 'active' or last_seen_at is null or last_seen_at < ${since})
        and not exists (select from jsonb_array_elements_text(${asJson(named)}::jsonb) as named
          where named = external_id)`);
}

/** Stores last events. Log sources are only updated when the whole last day was read. */
export async function storeLastEvents(
  transaction: Transaction,
  { id }: BindingRow,
  { basis, at, sources, isWhole }: LastEvents & { isWhole: boolean },
  clock: Clock,
): Promise<void> {
  const rows = [...at].map(([device, last]) => {
    return { device, at: correct(last, clock), sources: isWhole ? (sources.get(device) ?? []) : null };
  });
  await transaction.execute(sql`
    update engine_devices set last_event_at = told.at, last_event_basis = ${basis}::text,
        log_sources = coalesce(told.sources, log_sources)
      from (select device, at, case when ${isWhole} then array(select jsonb_array_elements_text(sources)) end as sources
        from jsonb_to_recordset(${asJson(rows)}::jsonb) as read(device text, at timestamptz, sources jsonb)) as told
      where binding_id = ${id}::uuid and external_id = told.device
        and (last_event_at, last_event_basis, log_sources)
          is distinct from (greatest(told.at, last_event_at), ${basis}::text, coalesce(told.sources, log_sources))`);
  // The engine keeps all events: a device without one has sent none recently.
  if (basis === "events")
    await transaction.execute(sql`
      update engine_devices set last_event_basis = 'events'
        where binding_id = ${id}::uuid and gone_at is null and last_event_basis is distinct from 'events'`);
  // The engine no longer keeps all events: what they showed about a device says nothing about now.
  else if (isWhole)
    await transaction.execute(sql`
      update engine_devices set last_event_basis = null
        where binding_id = ${id}::uuid and last_event_basis = 'events'`);
}

/**
 * Updates known findings of any age. Unknown findings older than the retention period are skipped: they were deleted
 * here in their time, and some engines report their newest records however old.
 */
export async function storeFindings(
  transaction: Transaction,
  { id, organisationId, kind }: BindingRow,
  findings: readonly Finding[],
  clock: Clock,
): Promise<void> {
  const rows = lastOfEach(findings).map(
    ({ id: external_id, rawSeverity, firstResponseAt, deviceId, at, ...finding }) => ({
      ...finding,
      external_id,
      raw_severity: rawSeverity,
      device_id: deviceId,
      at: correct(at, clock),
      engine_time: at,
      first_response_at: correct(firstResponseAt, clock),
    }),
  );
  if (rows.length === 0) return;
  const told = asJson(rows);
  const keptFrom = earlier(clock.now, { days: sweptData.engineFindings.days }).toISOString();
  await moveFindingsAside(transaction, { id, kind }, told);
  await transaction.execute(sql`
    insert into engine_findings (binding_id, organisation_id, external_id, title, severity, raw_severity, state, at,
        engine_time, first_response_at, device_id, attack)
      select ${id}::uuid, ${organisationId}::uuid, external_id, title, severity, raw_severity, state, at, engine_time,
          first_response_at, device_id, array(select jsonb_array_elements_text(attack))
        from jsonb_to_recordset(${told}::jsonb) as told(external_id text, title text, severity text,
          raw_severity text, state text, at timestamptz, engine_time timestamptz, first_response_at timestamptz,
          device_id text, attack jsonb)
        where at >= ${keptFrom}::timestamptz or exists (select from engine_findings as known
          where known.binding_id = ${id}::uuid and known.external_id = told.external_id)
    on conflict (binding_id, external_id) do update set
      title = excluded.title, severity = excluded.severity, raw_severity = excluded.raw_severity, state = excluded.state,
      first_response_at = coalesce(engine_findings.first_response_at, excluded.first_response_at)
    where (engine_findings.title, engine_findings.severity, engine_findings.state, engine_findings.first_response_at)
      is distinct from (excluded.title, excluded.severity, excluded.state,
        coalesce(engine_findings.first_response_at, excluded.first_response_at))`);
}

export async function storeIncidents(
  transaction: Transaction,
  { id, organisationId, kind }: BindingRow,
  incidents: readonly Incident[],
  clock: Clock,
): Promise<void> {
  const rows = lastOfEach(incidents).map((incident) => ({
    external_id: incident.id,
    title: incident.title,
    severity: incident.severity,
    raw_severity: incident.rawSeverity,
    state: incident.state,
    raw_state: incident.rawState,
    opened_at: correct(incident.openedAt, clock),
    engine_time: incident.openedAt,
    first_response_at: correct(incident.firstResponseAt, clock),
    closed_at: correct(incident.closedAt, clock),
    first_response_engine_time: incident.firstResponseAt,
    closed_engine_time: incident.closedAt,
    verdict: incident.verdict,
    timeline: incident.timeline,
    figures: incident.figures,
  }));
  if (rows.length === 0) return;
  const told = asJson(rows);
  await moveCasesAside(transaction, { id, kind }, told);
  await transaction.execute(sql`
    insert into engine_incidents (binding_id, organisation_id, external_id, title, severity, raw_severity, state, raw_state,
        opened_at, engine_time, first_response_at, closed_at, first_response_engine_time, closed_engine_time, verdict, timeline,
        figures, changed_at)
      select ${id}::uuid, ${organisationId}::uuid, told.*, ${clock.now.toISOString()}::timestamptz
        from jsonb_to_recordset(${told}::jsonb) as told(external_id text, title text, severity text,
          raw_severity text, state text, raw_state text, opened_at timestamptz, engine_time timestamptz,
          first_response_at timestamptz, closed_at timestamptz, first_response_engine_time timestamptz,
          closed_engine_time timestamptz, verdict text, timeline jsonb, figures jsonb)
    on conflict (binding_id, external_id) do update set
      title = excluded.title, severity = excluded.severity, raw_severity = excluded.raw_severity, state = excluded.state,
      raw_state = excluded.raw_state, first_response_at = ${respondedAt}, closed_at = ${closedAt},
      first_response_engine_time = excluded.first_response_engine_time, closed_engine_time = excluded.closed_engine_time,
      verdict = excluded.verdict, figures = excluded.figures, changed_at = excluded.changed_at,
      timeline = case when excluded.timeline = '[]' then engine_incidents.timeline else excluded.timeline end
    where (engine_incidents.title, engine_incidents.severity, engine_incidents.state, engine_incidents.raw_state,
        engine_incidents.first_response_at, engine_incidents.closed_at, engine_incidents.verdict,
        engine_incidents.figures, case when excluded.timeline = '[]' then excluded.timeline else engine_incidents.timeline end)
      is distinct from (excluded.title, excluded.severity, excluded.state, excluded.raw_state,
        ${respondedAt}, ${closedAt}, excluded.verdict, excluded.figures, excluded.timeline)`);
}

/**
 * Keeps the stored time while the engine reports the same one: with another measured skew, its value by our clock would
 * change.
 */
const unlessMoved = (at: string, engineTime: string) =>
  sql.raw(
    `case when engine_incidents.${engineTime} = excluded.${engineTime} then engine_incidents.${at} else excluded.${at} end`,
  );
const respondedAt = unlessMoved("first_response_at", "first_response_engine_time");
const closedAt = unlessMoved("closed_at", "closed_engine_time");

/** One statement can update a row only once. */
const lastOfEach = <Item extends { id: string }>(items: readonly Item[]): Item[] => [
  ...new Map(items.filter(isStorable).map((item) => [storable(item.id), item])).values(),
];
