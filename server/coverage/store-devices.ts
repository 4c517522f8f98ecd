import { and, eq, inArray, sql } from "drizzle-orm";
import type { Transaction } from "../database/database.ts";
import { coveredDevices } from "../database/schema/index.ts";
import type { CountedDevice } from "./count.ts";

/** Rows per statement: a fleet may have a hundred thousand devices. */
const chunk = 5000;

/** Updates the stored devices to match the count. Unchanged rows are not written. */
export async function storeDevices(
  transaction: Transaction,
  organisationId: string,
  counted: readonly CountedDevice[],
): Promise<void> {
  const stored = await transaction
    .select()
    .from(coveredDevices)
    .where(eq(coveredDevices.organisationId, organisationId));
  const before = new Map(stored.map((row) => [row.identity, writtenRow(row)]));
  const changed: Row[] = [];
  for (const device of counted) {
    const row = rowOf(device);
    if (before.get(row.identity) !== writtenRow(row)) changed.push(row);
    before.delete(row.identity);
  }
  for (const gone of inChunks([...before.keys()]))
    // oxlint-disable-next-line no-await-in-loop -- they share the connection
    await transaction
      .delete(coveredDevices)
      .where(and(eq(coveredDevices.organisationId, organisationId), inArray(coveredDevices.identity, gone)));
  // oxlint-disable-next-line no-await-in-loop
  for (const rows of inChunks(changed)) await write(transaction, organisationId, rows);
}

type Row = Omit<typeof coveredDevices.$inferSelect, "id" | "organisationId" | "searched">;

const rowOf = ({
  device,
  state,
  reason,
  since,
  place,
  type,
  matchedBy,
  ruleId,
  silenceMinutes,
}: CountedDevice): Row => ({
  identity: device.identity,
  deviceId: device.id,
  name: device.name,
  address: device.address ?? "",
  state,
  reason,
  since,
  place,
  service: type?.service ?? null,
  deviceType: type?.deviceType ?? null,
  matchedBy,
  ruleId,
  silenceMinutes,
});

const writtenRow = (row: Row) =>
  JSON.stringify([
    row.deviceId,
    row.name,
    row.address,
    row.state,
    row.reason,
    row.since,
    row.place,
    row.service,
    row.deviceType,
    row.matchedBy,
    row.ruleId,
    row.silenceMinutes,
  ]);

async function write(transaction: Transaction, organisationId: string, rows: readonly Row[]): Promise<void> {
  const told = rows.map((row) => ({
    identity: row.identity,
    device_id: row.deviceId,
    name: row.name,
    address: row.address,
    state: row.state,
    reason: row.reason,
    since: row.since,
    place: row.place,
    service: row.service,
    device_type: row.deviceType,
    matched_by: row.matchedBy,
    rule_id: row.ruleId,
    silence_minutes: row.silenceMinutes,
  }));
  await transaction.execute(sql`
    insert into covered_devices (organisation_id, identity, device_id, name, address, state, reason, since, place, service,
        device_type, matched_by, rule_id, silence_minutes)
      select ${organisationId}::uuid, told.* from jsonb_to_recordset(${JSON.stringify(told)}::jsonb) as told(identity text,
        device_id uuid, name text, address text, state text, reason text, since timestamptz, place text, service text,
        device_type text, matched_by text, rule_id uuid, silence_minutes int)
    on conflict (organisation_id, identity) do update set
      device_id = excluded.device_id, name = excluded.name, address = excluded.address, state = excluded.state,
      reason = excluded.reason, since = excluded.since, place = excluded.place, service = excluded.service,
      device_type = excluded.device_type, matched_by = excluded.matched_by, rule_id = excluded.rule_id,
      silence_minutes = excluded.silence_minutes`);
}

const inChunks = <Item>(items: readonly Item[]): Item[][] =>
  Array.from({ length: Math.ceil(items.length / chunk) }, (_, index) =>
    items.slice(index * chunk, (index + 1) * chunk),
  );
