import { and, asc, eq, gt, isNull, sql } from "drizzle-orm";
import { limits } from "../../contract/limits.ts";
import { engineBindings } from "../database/schema/index.ts";
import { doEach, pageOfJob } from "../jobs/do-each.ts";
import type { Services } from "../services.ts";

/**
 * Records what each answering engine reports about its sources' events: the first and the last known, and gaps between
 * them that are longer than allowed. A second run records nothing twice.
 */
export const noteSources = (services: Services): Promise<void> =>
  doEach<{ id: string }>(
    services,
    "the sources of an engine were not noted",
    (after) =>
      services.database
        .select({ id: engineBindings.id })
        .from(engineBindings)
        .where(and(isNull(engineBindings.removedAt), after && gt(engineBindings.id, after.id)))
        .orderBy(asc(engineBindings.id))
        .limit(pageOfJob),
    ({ id }) => noteSourcesOf(services, id),
  );

async function noteSourcesOf({ database }: Services, bindingId: string): Promise<void> {
  await database.transaction(async (transaction) => {
    // Copies of this job take turns: if two saw the same gap, one would fail.
    await transaction
      .select({ id: engineBindings.id })
      .from(engineBindings)
      .where(eq(engineBindings.id, bindingId))
      .for("no key update");
    // Only for an engine that reports all events and that answers; about others nothing is known.
    const told = sql`
      select device.organisation_id, device.binding_id, device.external_id, device.name, device.last_event_at,
          stream.last_answer_at
        from engine_devices device
        join engine_streams stream on stream.binding_id = device.binding_id and stream.stream = 'events'
        where device.binding_id = ${bindingId}::uuid and device.gone_at is null
          and device.last_event_basis = 'events' and stream.failing_since is null and stream.last_answer_at is not null`;
    await transaction.execute(sql`
      insert into source_gaps (source_id, from_at, until_at, watched_until)
        select source.id, source.last_event_at, told.last_event_at, source.watched_until
        from (${told}) as told
        join held_sources source on source.binding_id = told.binding_id and source.external_id = told.external_id
        where told.last_event_at - source.last_event_at > make_interval(hours => ${limits.sourceGapHours})
      on conflict do nothing`);
    await transaction.execute(sql`
      insert into held_sources (organisation_id, binding_id, external_id, name, first_event_at, last_event_at, watched_until)
        select organisation_id, binding_id, external_id, name, last_event_at, last_event_at, last_answer_at
        from (${told}) as told
      on conflict (binding_id, external_id) do update set
        name = excluded.name,
        first_event_at = coalesce(held_sources.first_event_at, excluded.first_event_at),
        last_event_at = greatest(held_sources.last_event_at, excluded.last_event_at),
        watched_until = greatest(held_sources.watched_until, excluded.watched_until)`);
  });
}
