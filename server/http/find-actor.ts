import { and, eq, gt, inArray, isNull, sql } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import { mayEnter } from "../access/suspended.ts";
import type { Actor } from "../access/scope.ts";
import { organisations, people, sessions } from "../database/schema/index.ts";
import type { Services } from "../services.ts";

type Asking = Pick<Services, "database" | "now">;
type FindActor = (sessionId: string) => Promise<Actor | null>;

/** How many sessions one statement looks up. */
const togetherMax = 8;
/** Concurrent statements; calls that arrive meanwhile share the next one. A slow statement holds up only its own. */
const underWayMax = 2;

const lookups = new WeakMap<object, FindActor>();

/** People's organisations when last looked up: good enough for sharing out places, but no basis for any right. */
const organisationsOf = new LRUCache<string, string>({ max: 10_000 });

/** A person's organisation at their last call; undefined if they have not called this process yet. */
export const lastOrganisationOf = (personId: string): string | undefined => organisationsOf.get(personId);

/**
 * The person signed in by this session. Read from the database after each call arrives, so that an ended session, a
 * suspension or a changed role applies at once. Concurrent calls share a statement.
 */
export function findActor(services: Asking, sessionId: string): Promise<Actor | null> {
  const known = lookups.get(services) ?? openLookup(services);
  lookups.set(services, known);
  return known(sessionId);
}

function openLookup(services: Asking): FindActor {
  const one = prepareFindActors(services, 1);
  const several = prepareFindActors(services, togetherMax);
  const waiting = new Map<string, PromiseWithResolvers<Actor | null>>();
  let underWay = 0;

  const ask = async (): Promise<void> => {
    const asked = [...waiting].slice(0, togetherMax);
    for (const [sessionId] of asked) waiting.delete(sessionId);
    underWay++;
    try {
      const ids = asked.map(([sessionId]) => sessionId);
      const actors = await (ids.length === 1 ? one : several).execute({ now: services.now(), ...named(ids) });
      const found = new Map(actors.map((actor) => [actor.sessionId, actor]));
      for (const { personId, organisationId } of actors) organisationsOf.set(personId, organisationId);
      for (const [sessionId, { resolve }] of asked) resolve(found.get(sessionId) ?? null);
    } catch (error) {
      for (const [, { reject }] of asked) reject(error);
    } finally {
      underWay--;
      if (waiting.size > 0) void ask();
    }
  };

  return (sessionId) => {
    const id = sessionId.toLowerCase();
    const promised = waiting.get(id) ?? Promise.withResolvers<Actor | null>();
    waiting.set(id, promised);
    if (underWay < underWayMax) void ask();
    return promised.promise;
  };
}

/** Values for all of the statement's places; missing ones repeat the first id. */
const named = (ids: string[]): Record<string, unknown> =>
  Object.fromEntries(
    Array.from({ length: ids.length === 1 ? 1 : togetherMax }, (_, at) => [`id${at}`, ids[at] ?? ids[0]]),
  );

/**
 * Exported for the benchmark, which runs the same query in a bare server. With a fixed number of places the statement
 * is planned once.
 */
export function prepareFindActors({ database }: Pick<Services, "database">, places: number) {
  const ids = Array.from({ length: places }, (_, at) => sql.placeholder(`id${at}`));
  return database
    .select({
      personId: people.id,
      organisationId: people.organisationId,
      role: people.role,
      email: people.email,
      sessionId: sessions.id,
    })
    .from(sessions)
    .innerJoin(people, eq(people.id, sessions.personId))
    .innerJoin(organisations, eq(organisations.id, people.organisationId))
    .where(
      and(
        inArray(sessions.id, ids),
        gt(sessions.expiresAt, sql.placeholder("now")),
        isNull(sessions.revokedAt),
        mayEnter,
      ),
    )
    .prepare(places === 1 ? "find_actor" : `find_${places}_actors`);
}
