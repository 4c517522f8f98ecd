import { sql } from "drizzle-orm";
import { type BoundEngine, engineList, type EngineQuery } from "../../contract/engines.ts";
import { emailReaching } from "../access/reach.ts";
import type { Scope } from "../access/scope.ts";
import { listFrom, type RowOf } from "../database/list.ts";
import { listPage } from "../database/list-page.ts";
import { engineBindings } from "../database/schema/index.ts";
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

/** The engines of every customer, those that fail first. */
export async function listEngines({ database }: Services, _scope: Scope<"any">, query: EngineQuery) {
  const failingFirst = { ...query, sort: query.sort ?? ("rank" as const) };
  const { rows, ...page } = await listPage(database, boundEngines, null, failingFirst);
  return { engines: rows.map(presentEngine), ...page };
}

const presentEngine = ({
  email,
  failingSince,
  lastAnswerAt,
  ...row
}: RowOf<(typeof boundEngines)["fields"]>): BoundEngine => ({
  ...row,
  email: email ?? "",
  failing_since: failingSince?.toISOString() ?? null,
  last_answer_at: lastAnswerAt?.toISOString() ?? null,
});
