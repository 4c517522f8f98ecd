import { sql } from "drizzle-orm";
import { earlier } from "../../contract/durations.ts";
import { type BoundEngine, engineList, type EngineQuery } from "../../contract/engines.ts";
import { emailReaching } from "../access/reach.ts";
import type { Scope } from "../access/scope.ts";
import { listFrom, type RowOf } from "../database/list.ts";
import { listPage } from "../database/list-page.ts";
import { engineBindings } from "../database/schema/index.ts";
import { staleAfter } from "./pace.ts";
import { findShared } from "./refuse-shared.ts";
import type { Services } from "../services.ts";

const boundEngines = listFrom(engineList, {
  table: engineBindings,
  fields: {
    id: engineBindings.id,
    organization_name: engineBindings.organisationName,
    email: emailReaching(engineBindings.organisationId),
    kind: engineBindings.kind,
    address: engineBindings.address,
    rank: engineBindings.rank,
    failingSince: engineBindings.troubledSince,
    sentence: engineBindings.trouble,
    lastAnswerAt: sql<Date | null>`(select max(engine_streams.last_answer_at) from engine_streams
      where engine_streams.binding_id = engine_bindings.id)`,
    engine_version: engineBindings.engineVersion,
  },
  where: sql`${engineBindings.removedAt} is null`,
  id: engineBindings.id,
  searched: engineBindings.searched,
  sorts: { organization_name: sql<string>`lower(${engineBindings.organisationName})`, rank: engineBindings.rank },
});

/** Every customer's engines, failing ones first. */
export async function listEngines({ database, now }: Services, _scope: Scope<"any">, query: EngineQuery) {
  const failingFirst = { ...query, sort: query.sort ?? ("rank" as const) };
  const { rows, ...page } = await listPage(database, boundEngines, null, failingFirst);
  const shared = await findShared(
    database,
    rows.map(({ id }) => id),
  );
  const stale = earlier(now(), staleAfter);
  return { engines: rows.map((row) => showShared(presentEngine(row, stale), shared.get(row.id))), ...page };
}

/** An engine that answers, but also reports another customer's records, counts as failing. */
const showShared = (engine: BoundEngine, shared: { since: Date; sentence: string } | undefined): BoundEngine =>
  shared && engine.failing_since === null
    ? { ...engine, failing_since: shared.since.toISOString(), sentence: shared.sentence }
    : engine;

const notAsked = "It has not been asked since. Check under System whether jobs have stopped.";

/** An engine last asked before `stale` counts as not answering, whatever its last state. */
function presentEngine(
  { email, failingSince, lastAnswerAt, sentence, ...row }: RowOf<(typeof boundEngines)["fields"]>,
  stale: Date,
): BoundEngine {
  const isStale = failingSince === null && lastAnswerAt !== null && lastAnswerAt < stale;
  return {
    ...row,
    email: email ?? "",
    failing_since: (isStale ? lastAnswerAt : failingSince)?.toISOString() ?? null,
    sentence: isStale ? notAsked : sentence,
    last_answer_at: lastAnswerAt?.toISOString() ?? null,
  };
}
