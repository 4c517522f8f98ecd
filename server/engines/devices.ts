import { sql } from "drizzle-orm";
import type { DeviceState } from "../../contract/engine-kinds.ts";
import { earlier } from "../../contract/durations.ts";
import type { Database, Transaction } from "../database/database.ts";
import { staleAfter } from "./pace.ts";

/** A machine that the customer's engines report, listed once even if several report it. */
export interface KnownDevice extends Record<string, unknown> {
  id: string;
  /** The same for a machine that two bindings report. */
  identity: string;
  bindingId: string;
  externalId: string;
  name: string;
  address: string | null;
  os: string | null;
  groups: string[];
  /** The log sources of its events of the last day. */
  logSources: string[];
  state: DeviceState;
  /** Since when we know it. */
  knownSince: Date;
  firstSeenAt: Date | null;
  lastSeenAt: Date | null;
  /** Null where no event is known. */
  lastEventAt: Date | null;
  lastEventBasis: "events" | "findings" | null;
  /** Since when its engine has not answered, so that the state is out of date. Null while it answers. */
  unknownSince: Date | null;
  /** The same for its last event, which may come from another place than its state. */
  eventsUnknownSince: Date | null;
}

/**
 * A customer's devices, by identity. If two bindings report the same machine, one that answers wins over one that does
 * not, then the fresher. Callers take `organisationId` from the user's scope, or from a job that acts for nobody.
 */
export async function findDevicesOf(
  database: Database | Transaction,
  organisationId: string,
  now: Date,
): Promise<KnownDevice[]> {
  const stale = sql`${earlier(now, staleAfter).toISOString()}::timestamptz`;
  const { rows } = await database.execute<KnownDevice>(sql`
    select distinct on (device.identity) device.id, device.identity, device.binding_id as "bindingId",
        device.external_id as "externalId", device.name, device.address, device.os, device.groups,
        device.log_sources as "logSources", device.state, device.created_at as "knownSince",
        device.first_seen_at as "firstSeenAt", device.last_seen_at as "lastSeenAt",
        device.last_event_at as "lastEventAt", device.last_event_basis as "lastEventBasis",
        case when stream.failing_since is not null or stream.last_answer_at is null or stream.last_answer_at < ${stale}
          then coalesce(stream.last_answer_at, stream.failing_since, device.created_at) end as "unknownSince",
        case when events.failing_since is not null or events.last_answer_at < ${stale}
          then coalesce(events.last_answer_at, events.failing_since) end as "eventsUnknownSince"
      from engine_devices device
      join engine_bindings binding on binding.id = device.binding_id and binding.removed_at is null
      left join engine_streams stream on stream.binding_id = device.binding_id and stream.stream = 'devices'
      left join engine_streams events on events.binding_id = device.binding_id and events.stream = 'events'
      where device.organisation_id = ${organisationId}::uuid and device.gone_at is null
      order by device.identity,
        (stream.failing_since is null and stream.last_answer_at >= ${stale}) desc nulls last,
        device.last_seen_at desc nulls last, device.id`);
  return rows.map((row) => ({
    ...row,
    knownSince: new Date(row.knownSince),
    firstSeenAt: asDate(row.firstSeenAt),
    lastSeenAt: asDate(row.lastSeenAt),
    lastEventAt: asDate(row.lastEventAt),
    unknownSince: asDate(row.unknownSince),
    eventsUnknownSince: asDate(row.eventsUnknownSince),
  }));
}

/** The driver returns timestamps as text where no column gives the type. */
const asDate = (instant: Date | string | null) => (instant === null ? null : new Date(instant));
