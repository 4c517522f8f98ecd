import { sql } from "drizzle-orm";
import { type CoveredDevice, coveredDeviceList, type CoveredDevicesQuery } from "../../contract/coverage.ts";
import type { EngineKind } from "../../contract/engine-kinds.ts";
import { organisationOf, type Scope } from "../access/scope.ts";
import { alwaysJoined, type Condition, listFrom, type RowOf } from "../database/list.ts";
import { listPage } from "../database/list-page.ts";
import { coveredDevices, engineBindings, engineDevices } from "../database/schema/index.ts";
import { pageFor, pagesOfBinding } from "../engines/page-for.ts";
import type { Services } from "../services.ts";
import { countWhereDue } from "./recount.ts";

const devicesOf = listFrom(coveredDeviceList, {
  table: coveredDevices,
  fields: {
    id: coveredDevices.id,
    name: coveredDevices.name,
    address: coveredDevices.address,
    os: sql<string | null>`${engineDevices.os}`,
    groups: alwaysJoined(engineDevices.groups),
    logSources: alwaysJoined(engineDevices.logSources),
    engine: sql<EngineKind>`${engineBindings.kind}`,
    state: coveredDevices.state,
    reason: coveredDevices.reason,
    since: coveredDevices.since,
    lastSeenAt: sql<Date | null>`${engineDevices.lastSeenAt}`,
    lastEventAt: sql<Date | null>`${engineDevices.lastEventAt}`,
    place: coveredDevices.place,
    service: coveredDevices.service,
    deviceType: coveredDevices.deviceType,
    matchedBy: coveredDevices.matchedBy,
    silenceMinutes: coveredDevices.silenceMinutes,
    externalId: sql<string | null>`${engineDevices.externalId}`,
    pages: pagesOfBinding,
    hasOwnLimit: sql<boolean>`(select count(*) > 0 from device_decisions decision where decision.organisation_id = covered_devices.organisation_id
      and decision.identity = covered_devices.identity and decision.silence_minutes is not null)`,
  },
  joins: sql`left join engine_devices on engine_devices.id = covered_devices.device_id
    left join engine_bindings on engine_bindings.id = engine_devices.binding_id`,
  where: sql`${coveredDevices.organisationId} = $1`,
  id: coveredDevices.id,
  searched: coveredDevices.searched,
  sorts: {
    name: sql`lower(${coveredDevices.name})`,
    deviceType: sql`lower(coalesce(${coveredDevices.deviceType}, ''))`,
  },
});
type DeviceRow = RowOf<(typeof devicesOf)["fields"]>;

/** The current devices of the scope's organisation, by name unless sorted otherwise. */
export async function listDevices(
  services: Services,
  scope: Scope<"organisation"> | null,
  { state, place, ...query }: CoveredDevicesQuery,
) {
  const organisationId = organisationOf(scope);
  await countWhereDue(services, organisationId);
  const narrowed: Condition[] = [
    ...(state ? [{ column: coveredDevices.state, compared: "=" as const, value: state }] : []),
    ...(place ? [{ column: coveredDevices.place, compared: "=" as const, value: place }] : []),
  ];
  const sorted = { ...query, sort: query.sort ?? ("name" as const) };
  const { rows, ...page } = await listPage(services.database, devicesOf, organisationId, sorted, narrowed);
  return { devices: rows.map((row) => presentDevice(row, scope)), ...page };
}

const presentDevice = (
  { os, since, lastSeenAt, lastEventAt, externalId, pages, ...row }: DeviceRow,
  scope: Scope<"organisation"> | null,
): CoveredDevice => ({
  ...row,
  os: os ?? "",
  since: since?.toISOString() ?? null,
  lastSeenAt: lastSeenAt?.toISOString() ?? null,
  lastEventAt: lastEventAt?.toISOString() ?? null,
  link: scope && pageFor(scope, pages, { kind: "device", id: externalId ?? "" }),
});
