import { and, asc, eq, inArray, lt, sql } from "drizzle-orm";
import { earlier } from "../../contract/durations.ts";
import { engineKinds } from "../../contract/engine-kinds.ts";
import { limits } from "../../contract/limits.ts";
import type { CertificateData, CertifiedSource, RetentionOfMonth } from "../../contract/report-data.ts";
import type { Database, Transaction } from "../database/database.ts";
import { engineBindings, engineDevices, heldSources, sourceGaps } from "../database/schema/index.ts";
import { readSeller } from "../site-texts/site-texts.ts";
import type { Month } from "./month-of.ts";

type Source = typeof heldSources.$inferSelect & {
  kind: typeof engineBindings.$inferSelect.kind;
  /** When its engine was removed or stopped naming it; null while it is still named. */
  removedAt: Date | null;
};

const dayMs = 86_400_000;

/** What is known at a month's close about how far back a customer's logs go. Events after the close are left out. */
export async function readCertificate(
  database: Database | Transaction,
  { id, name }: { id: string; name: string },
  month: Month,
  missing: readonly string[],
): Promise<CertificateData> {
  const sources = await readSources(database, id);
  const gaps = await readGaps(database, id, month);
  const { retention } = await readSeller(database);
  const heard = sources.filter(({ firstEventAt }) => firstEventAt !== null && firstEventAt < month.until);
  // Logs from before this time are no longer kept.
  const keptFrom = earlier(month.until, { days: limits.logRetentionDays });
  const held = heard
    .map((source) => ({ source, certified: certify(source, gaps.get(source.id) ?? [], month, keptFrom) }))
    .filter(({ certified }) => new Date(certified.lastEventAt) >= keptFrom);
  const certified = held.map((each) => each.certified);
  const untold = await readUntold(database, id, { heard, held: held.map(({ source }) => source) }, month);
  return {
    customer: name,
    month: month.day,
    timeZone: month.timeZone,
    closedAt: month.until.toISOString(),
    stated: retention,
    gapHours: limits.sourceGapHours,
    sources: certified,
    notCovered: [
      ...certified
        .filter(({ removed, lastEventAt }) => !removed && new Date(lastEventAt) < month.from)
        .map((source) => ({ name: source.name, engine: source.engine, because: "silent" as const })),
      ...untold,
      ...missing.map((line) => ({ name: line, engine: "", because: "unmet" as const })),
    ],
  };
}

/** The same in numbers, for the month's report. */
export function countRetention({ sources, notCovered }: CertificateData): RetentionOfMonth {
  // A removed or replaced source no longer counts; its logs are listed only.
  const known = sources.filter(({ removed }) => !removed);
  const reaching = (days: number) => known.filter((source) => source.days >= days).length;
  const silent = notCovered.filter(({ because }) => because === "silent").length;
  return {
    // Silent sources are already among those with known events.
    sources: known.length + notCovered.length - silent,
    known: known.length,
    held180: reaching(180),
    held365: reaching(365),
    gaps: sources.reduce((sum, { gaps }) => sum + gaps.length, 0),
  };
}

const readSources = (database: Database | Transaction, organisationId: string): Promise<Source[]> =>
  database
    .select({
      source: heldSources,
      kind: engineBindings.kind,
      removedAt: sql`least(${engineDevices.goneAt}, ${engineBindings.removedAt})`.mapWith(engineDevices.goneAt),
    })
    .from(heldSources)
    .innerJoin(engineBindings, eq(engineBindings.id, heldSources.bindingId))
    .leftJoin(
      engineDevices,
      and(eq(engineDevices.bindingId, heldSources.bindingId), eq(engineDevices.externalId, heldSources.externalId)),
    )
    .where(eq(heldSources.organisationId, organisationId))
    .orderBy(asc(heldSources.name), asc(heldSources.id))
    .then((rows) => rows.map(({ source, ...of }) => ({ ...source, ...of })));

/** The gaps that began before the close, by source. */
async function readGaps(database: Database | Transaction, organisationId: string, { until }: Month) {
  const rows = await database
    .select()
    .from(sourceGaps)
    .where(
      and(
        inArray(
          sourceGaps.sourceId,
          database
            .select({ id: heldSources.id })
            .from(heldSources)
            .where(eq(heldSources.organisationId, organisationId)),
        ),
        lt(sourceGaps.fromAt, until),
      ),
    )
    .orderBy(asc(sourceGaps.fromAt));
  return Map.groupBy(rows, ({ sourceId }) => sourceId);
}

/** Devices without a known event or with old events only, and those whose engine reports no events. */
async function readUntold(
  database: Database | Transaction,
  organisationId: string,
  sources: { heard: Source[]; held: Source[] },
  { from, until }: Month,
): Promise<CertificateData["notCovered"]> {
  const keyOf = ({ bindingId, externalId }: { bindingId: string; externalId: string }) => `${bindingId}|${externalId}`;
  const [heard, held] = [new Set(sources.heard.map(keyOf)), new Set(sources.held.map(keyOf))];
  const devices = await database
    .select({
      name: engineDevices.name,
      externalId: engineDevices.externalId,
      bindingId: engineDevices.bindingId,
      basis: engineDevices.lastEventBasis,
      goneAt: engineDevices.goneAt,
      kind: engineBindings.kind,
    })
    .from(engineDevices)
    .innerJoin(engineBindings, eq(engineBindings.id, engineDevices.bindingId))
    .where(and(eq(engineDevices.organisationId, organisationId), lt(engineDevices.createdAt, until)))
    .orderBy(asc(engineDevices.name), asc(engineDevices.id));
  return devices
    .filter(({ goneAt }) => goneAt === null || goneAt >= from)
    .filter((device) => !held.has(keyOf(device)))
    .map((device) => ({
      name: device.name,
      engine: engineKinds[device.kind].name,
      because: heard.has(keyOf(device)) ? "outdated" : device.basis === "events" ? "never" : "untold",
    }));
}

const daysBetween = (from: Date, until: Date) => Math.floor((until.getTime() - from.getTime()) / dayMs);

function certify(
  source: Source,
  all: (typeof sourceGaps.$inferSelect)[],
  { until }: Month,
  keptFrom: Date,
): CertifiedSource {
  const gaps = all.filter(({ untilAt }) => untilAt >= keptFrom);
  const first = source.firstEventAt ?? until;
  const known = source.lastEventAt ?? first;
  // A gap that spans the close: its start is the last event before the close.
  const open = gaps.findLast(({ untilAt }) => untilAt >= until);
  const last = open ? open.fromAt : known < until ? known : until;
  const watched = source.watchedUntil < until ? source.watchedUntil : until;
  const written = gaps.map(({ fromAt, untilAt, watchedUntil }) => ({
    from: fromAt,
    until: untilAt < until ? untilAt : until,
    watchedUntil: watchedUntil < until ? watchedUntil : until,
  }));
  const silentMs = limits.sourceGapHours * 3_600_000;
  const removed = source.removedAt !== null && source.removedAt < until;
  if (!removed && !open && known < until && until.getTime() - known.getTime() > silentMs)
    written.push({ from: known, until, watchedUntil: watched });
  return {
    name: source.name,
    engine: engineKinds[source.kind].name,
    removed,
    firstEventAt: first.toISOString(),
    lastEventAt: last.toISOString(),
    // However long ago it was first heard: logs are kept no longer than that, and those of a silent source run out.
    days: Math.max(0, Math.min(daysBetween(first, last), limits.logRetentionDays - daysBetween(last, until))),
    gaps: written.map((gap) => ({
      from: gap.from.toISOString(),
      until: gap.until.toISOString(),
      watchedUntil: gap.watchedUntil.toISOString(),
    })),
  };
}
