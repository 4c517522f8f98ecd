import { z } from "zod";
import { earlier } from "../../../../contract/durations.ts";
import type { DeviceState } from "../../../../contract/engine-kinds.ts";
import type { EngineApi } from "../engine-api.ts";
import type { Device, Page, Unnamed } from "../engine.ts";
import { EngineFailure } from "../engine-failure.ts";
import { readRecords, shortened, wordIn } from "../read-records.ts";
import { readTime } from "../read-time.ts";
import { readCursor } from "../read-cursor.ts";

export const Items = z.object({
  data: z.object({
    affected_items: z.array(z.unknown()),
    total_affected_items: z.number().int().min(0),
    total_failed_items: z.number().int().min(0).default(0),
  }),
  /** 0: all succeeded, 1: none, 2: some. */
  error: z.number(),
});

const Agent = z.object({
  id: z.string().min(1),
  name: z.string().default(""),
  ip: z.string().nullish(),
  status: z.string().nullish(),
  lastKeepAlive: z.string().nullish(),
  dateAdd: z.string().nullish(),
  group: z.array(z.string()).nullish(),
  version: z.string().nullish(),
  os: z.object({ name: z.string().nullish(), version: z.string().nullish() }).nullish(),
});

const pageSize = 500;
const nameLengthMax = 300;
const detailLengthMax = 200;
const groupsMax = 100;
/** How many times the list is read if it keeps changing meanwhile. */
const readingsMax = 3;
/**
 * How often the whole list is read even if nothing seems to have changed: this is when new names, addresses and systems
 * show.
 */
const wholeEvery = { minutes: 15 };
/** Active agents seen more recently than this are not read one by one. */
const fresh = { minutes: 3 };
/** The manager's own id in its list of agents. */
const managersOwn = "000";
const fields = "id,name,ip,status,lastKeepAlive,dateAdd,group,version,os.name,os.version";

/** When the whole list was last read, its length, and its last id: ids only grow. */
const Cursor = z.object({ wholeAt: z.string(), total: z.number(), newest: z.string() });

interface Asked {
  api: EngineApi;
  group: string | null;
  now: Date;
}

/**
 * Reads every agent; or only the changes, if the whole list was read recently and is longer than a page. A page holds
 * 500 agents, and nearly all of them report every minute that they are still there.
 */
export async function* readAgents(asked: Asked, written: string | null): AsyncGenerator<Page<Device>, Unnamed> {
  const cursor = readCursor(Cursor, written);
  const isRecent = cursor !== null && new Date(cursor.wholeAt) > earlier(asked.now, wholeEvery);
  if (cursor && isRecent && cursor.total > pageSize) {
    const changed = await readChanges(asked, cursor);
    if (changed) {
      yield* changed.pages;
      return { are: "active", seenSince: changed.seenSince, cursor: written };
    }
  }
  return yield* readWhole(asked);
}

const writeCursor = ({ now }: Asked, ids: readonly string[]) =>
  JSON.stringify({ wholeAt: now.toISOString(), total: ids.length, newest: ids.at(-1) ?? "" });

interface Changes {
  pages: Page<Device>[];
  seenSince: Date;
}

/**
 * Reads the active agents not seen for longest, then all that are not active. In this order an agent that becomes
 * active in between is rightly counted as active, and one that stops being active is listed. Null if this can't be
 * complete: agents were added or removed, the list changed meanwhile, or more than a page of active agents were not
 * seen recently.
 */
async function readChanges(asked: Asked, { total, newest }: z.output<typeof Cursor>): Promise<Changes | null> {
  const [last] = (await readPage(asked, { limit: 1, sort: "-id" })).ids;
  if (last !== newest) return null;
  const active = await readPage(asked, { sort: "+lastKeepAlive", status: "active" });
  const heard = active.items.map(({ lastSeenAt }) => lastSeenAt?.getTime() ?? 0);
  const seenSince = heard.at(-1) ?? 0;
  const freshSince = earlier(asked.now, fresh).getTime() + (asked.api.skewSeconds() ?? 0) * 1000;
  const isInOrder = heard.every((at, index) => at > 0 && at >= (heard[index - 1] ?? 0));
  if (!active.isWhole || active.unreadable > 0 || !isInOrder || seenSince < freshSince) return null;
  const inactive = await readInactive(asked);
  if (inactive === null || active.total + inactive.total !== total) return null;
  return { pages: [active, ...inactive.pages], seenSince: new Date(seenSince) };
}

async function readInactive(asked: Asked): Promise<{ pages: AgentsPage[]; total: number } | null> {
  const pages: AgentsPage[] = [];
  for (let offset = 0, total = 1; offset < total; offset += pageSize) {
    const page = await readPage(asked, { offset, sort: "+id", status: "disconnected,pending,never_connected" });
    if (!page.isWhole || page.unreadable > 0 || (offset > 0 && page.total !== total)) return null;
    pages.push(page);
    ({ total } = page);
  }
  const total = pages[0]?.total ?? 0;
  return new Set(pages.flatMap(({ ids }) => ids)).size === total ? { pages, total } : null;
}

/**
 * Pages by offset shift when an agent is added or removed. So the list is read again until one reading saw as many
 * agents as the manager counted throughout; if that never happens, no agent is taken for gone.
 */
async function* readWhole(asked: Asked): AsyncGenerator<Page<Device>, Unnamed> {
  const told = new Set<string>();
  for (let reading = 1; reading <= readingsMax; reading++) {
    const seen = new Set<string>();
    let total: number | null = null;
    let isSteady = true;
    for (let offset = 0; total === null || offset < total; offset += pageSize) {
      const page = await readPage(asked, { offset, sort: "+id" });
      isSteady &&= page.isWhole && (total ?? page.total) === page.total;
      total = page.total;
      for (const id of page.ids) seen.add(id);
      const items = page.items.filter(({ id }) => !told.has(id));
      for (const { id } of items) told.add(id);
      yield { items, unreadable: reading === 1 ? page.unreadable : 0 };
      if (page.ids.length === 0) break;
    }
    if (isSteady && seen.size === total) return { are: "gone", seenSince: null, cursor: writeCursor(asked, [...seen]) };
  }
  return { are: "unknown", seenSince: null, cursor: null };
}

interface AgentsPage extends Page<Device> {
  /** The manager's count, which includes itself. */
  total: number;
  ids: string[];
  /** Whether the manager answered for everything that was asked. */
  isWhole: boolean;
}

async function readPage(
  { api, group }: Asked,
  query: { offset?: number; limit?: number; sort: string; status?: string },
): Promise<AgentsPage> {
  const { data, error } = await api.get(Items, "/agents", {
    offset: 0,
    limit: pageSize,
    select: fields,
    group: group ?? undefined,
    ...query,
  });
  const { items, unreadable } = readRecords(Agent, data.affected_items, deviceOf);
  const own = items.filter(({ id }) => id !== managersOwn);
  refuseForeign(own, group);
  return {
    items: own,
    unreadable,
    total: data.total_affected_items,
    ids: data.affected_items.map((each) => String((each as { id?: unknown } | null)?.id)),
    isWhole: error === 0 && data.total_failed_items === 0,
  };
}

/** Guards against a manager that returns agents of another customer's group. */
function refuseForeign(devices: readonly Device[], group: string | null): void {
  if (group !== null && devices.some(({ groups }) => !groups.includes(group)))
    throw new EngineFailure("tenant", "The manager answered with agents of another group, which were not taken in.");
}

const states: Record<string, DeviceState> = {
  active: "active",
  disconnected: "disconnected",
  pending: "pending",
  neverconnected: "never",
};

function deviceOf({
  id,
  name,
  ip,
  status,
  lastKeepAlive,
  dateAdd,
  group,
  version,
  os,
}: z.output<typeof Agent>): Device {
  return {
    id,
    name: shortened(name, nameLengthMax),
    address: ip && ip !== "any" ? shortened(ip, detailLengthMax) : null,
    os: shortened([os?.name, os?.version].filter(Boolean).join(" "), detailLengthMax) || null,
    groups: (group ?? []).slice(0, groupsMax).map((each) => shortened(each, detailLengthMax)),
    state: wordIn(states, status),
    lastSeenAt: readTime(lastKeepAlive),
    firstSeenAt: readTime(dateAdd),
    version: version ? shortened(version.replace(/^(?:Wazuh )?v/i, ""), detailLengthMax) : null,
  };
}
