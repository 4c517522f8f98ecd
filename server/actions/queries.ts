import { sql } from "drizzle-orm";
import { type ActionItem, actionList, type ActionQuery } from "../../contract/actions.ts";
import { type ActionQueue, actionQueueNames } from "../../contract/action-queues.ts";
import { limits } from "../../contract/limits.ts";
import type { Answer } from "../../contract/operations.ts";
import type { Scope } from "../access/scope.ts";
import { listFrom, type RowOf } from "../database/list.ts";
import { listPage } from "../database/list-page.ts";
import { actionItems } from "../database/schema/index.ts";
import type { Services } from "../services.ts";

/** The name of the person in this column; null if it is empty or the person is gone. */
const nameOf = (column: typeof actionItems.takenBy | typeof actionItems.triedBy | typeof actionItems.closedBy) =>
  sql<string | null>`(select first_name || ' ' || last_name from people where people.id = ${column})`;

const openItems = listFrom(actionList, {
  table: actionItems,
  fields: {
    id: actionItems.id,
    queue: actionItems.queue,
    subjectId: actionItems.subjectId,
    about: actionItems.about,
    who: actionItems.who,
    problem: actionItems.problem,
    since: actionItems.since,
    takenById: actionItems.takenBy,
    takenBy: nameOf(actionItems.takenBy),
    takenAt: actionItems.takenAt,
    triedBy: nameOf(actionItems.triedBy),
    triedAt: actionItems.triedAt,
    closedAt: actionItems.closedAt,
    closedBy: nameOf(actionItems.closedBy),
    resolution: actionItems.resolution,
  },
  where: sql`${actionItems.queue} = $1 and ${actionItems.closedAt} is null`,
  id: actionItems.id,
  newest: "since",
  searched: actionItems.searched,
  // Open entries have no closing time.
  sorts: { since: actionItems.since, closed_at: actionItems.since, who: sql`lower(${actionItems.who})` },
});
export type ItemRow = RowOf<(typeof openItems)["fields"]>;

const closedItems = {
  ...openItems,
  where: sql`${actionItems.queue} = $1 and ${actionItems.closedAt} is not null`,
  newest: "closed_at",
  sorts: { ...openItems.sorts, closed_at: actionItems.closedAt },
} as const;
const itemById = { ...openItems, where: sql`${actionItems.id} = $1` };

/** One queue, newest first. */
export async function listActions(
  { database }: Services,
  { actor }: Scope<"any">,
  { queue, state, ...query }: ActionQuery,
): Promise<Answer<"admin/actions">> {
  const { rows, ...page } = await listPage(database, state === "open" ? openItems : closedItems, queue, query);
  return { items: rows.map((row) => presentItem(row, actor.personId)), ...page };
}

/** The row of an entry, open or closed. */
export async function findItem({ database }: Services, _scope: Scope<"any">, id: string): Promise<ItemRow | undefined> {
  const { rows } = await listPage(database, itemById, id, { limit: 1 });
  return rows[0];
}

interface CountRow {
  queue: ActionQueue;
  open: number;
  oldest: Date | null;
}

/** How many entries are open in each queue, and since when the oldest waits. */
export async function countActions(
  { database }: Services,
  _scope: Scope<"any">,
): Promise<Answer<"admin/actions/queues">> {
  const isOpen = "action_items.queue = names.queue and closed_at is null";
  const { rows } = await database.$client.query<CountRow>({
    name: "action_queues",
    text: `select names.queue,
        (select count(*)::int from (select from action_items where ${isOpen} limit ${limits.countedMax + 1}) as counted) as open,
        (select since from action_items where ${isOpen} order by since limit 1) as oldest
      from unnest($1::text[]) with ordinality as names (queue, place) order by place`,
    values: [actionQueueNames],
  });
  return {
    queues: rows.map(({ queue, open, oldest }) => ({
      queue,
      open: Math.min(open, limits.countedMax),
      openIsCapped: open > limits.countedMax,
      oldest: oldest && oldest.toISOString(),
    })),
  };
}

/** An entry as the contract describes it, for this reader. */
export function presentItem(row: ItemRow, readerId: string): ActionItem {
  return {
    id: row.id,
    queue: row.queue,
    about: row.about,
    who: row.who,
    problem: row.problem,
    since: row.since.toISOString(),
    taken_by_id: row.takenById,
    taken_by: row.takenBy,
    taken_at: row.takenAt?.toISOString() ?? null,
    taken_by_me: row.takenById === readerId,
    tried_by: row.triedBy,
    tried_at: row.triedAt?.toISOString() ?? null,
    closed_at: row.closedAt?.toISOString() ?? null,
    closed_by: row.closedBy,
    resolution: row.resolution,
  };
}
