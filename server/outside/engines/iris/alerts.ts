import { z } from "zod";
import { earlier } from "../../../../contract/durations.ts";
import type { FindingState } from "../../../../contract/engine-kinds.ts";
import type { EngineApi } from "../engine-api.ts";
import type { Batch, Finding, Since } from "../engine.ts";
import { halving } from "../engine-failure.ts";
import { readRecords, severityWords, shortened, wordIn } from "../read-records.ts";
import { readSeconds, readTime } from "../read-time.ts";
import { readCursor } from "../read-cursor.ts";
import type { Names } from "./names.ts";
import { refuseForeign } from "./refuse-foreign.ts";

const pageSize = 100;
/**
 * How many rows a page repeats of the one before: otherwise a row deleted in between would hide another. Pages under 25
 * rows repeat none.
 */
const repeatedRows = (most: number) => (most < 25 ? 0 : Math.floor(most / 10));
const overlap = { minutes: 10 };
const firstLook = { hours: 24 };
/** How many ids fit into a URL. */
const idsOfPage = 100;
/** How many open alerts one poll reads again; if there are more, polls take turns through them. */
const againMax = 500;

/** How far the alerts have been read. */
const Cursor = z.object({
  /**
   * Alerts created before this have been read; those since are read by the next walk, or by the interrupted one below.
   */
  from: z.string(),
  walk: z
    .object({
      /** How many rows were read, starting with the newest. */
      rows: z.number(),
      /** When the newest of them was created. */
      newest: z.string(),
      /** When the walk began: alerts created later are left to the next walk. */
      until: z.string(),
    })
    .nullable(),
  /** The open alert after which re-reading continues; null to start with the newest. */
  behind: z.string().nullable(),
  /**
   * Whether open alerts are re-read first: if the engine is too slow to do both in one poll, the two parts take turns.
   */
  isTheirTurn: z.boolean(),
});
type Cursor = z.infer<typeof Cursor>;

const writeCursor = (cursor: Cursor) => JSON.stringify(cursor);

/** Cursors of an earlier version are a time only. */
const beginOf = (written: string | null, now: Date): Cursor => ({
  from: (readTime(written) ?? earlier(now, firstLook)).toISOString(),
  walk: null,
  behind: null,
  isTheirTurn: false,
});

/** Reads one page, of all alerts or of those with given ids. */
type Read = (
  query: Record<string, string | number>,
) => Promise<{ count: number; items: Finding[]; unreadable: number }>;

/**
 * IRIS reports no time of change for alerts. So new alerts are read from the newest back, and those still open here are
 * read again by their ids, some with each poll.
 */
export async function* walkAlerts(
  api: EngineApi,
  names: Names,
  customerId: number,
  { cursor, open }: Since,
  { called, now }: { called: string; now: Date },
): AsyncGenerator<Batch<Finding>> {
  await names.load();
  const read: Read = async (query) => {
    const { data } = await api.get(Alerts, "/alerts/filter", {
      alert_customer_id: customerId,
      per_page: pageSize,
      sort: "desc",
      ...query,
    });
    refuseForeign(data.alerts.map(ownerOf), customerId, called);
    return { count: data.alerts.length, ...readRecords(Alert, data.alerts, (alert) => findingOf(alert, names)) };
  };
  const state = { stands: readCursor(Cursor, cursor) ?? beginOf(cursor, now), isKnown: new Set<string>() };
  const parts = [() => readNew(read, state, now), () => readAgain(read, state, open)];
  for (const part of state.stands.isTheirTurn ? parts.toReversed() : parts) yield* part();
}

interface State {
  stands: Cursor;
  /** Ids that this poll has already read. */
  isKnown: Set<string>;
}

async function* readNew(read: Read, state: State, now: Date): AsyncGenerator<Batch<Finding>> {
  const { from: begin, walk: broken } = state.stands;
  const from = new Date(begin);
  const until = new Date(broken?.until ?? now);
  let newest = new Date(broken?.newest ?? from);
  let rows = broken?.rows ?? 0;
  let firstBefore: string | undefined;
  let repeats = 0;
  let old = 0;
  const readBehind = async (most: number) => {
    const { page, size } = pageBehind(rows, most);
    return { ...(await read({ page, per_page: size })), most, page, size };
  };
  let most = pageSize;
  for (let isLast = false; !isLast;) {
    const answer = await halving(most, readBehind);
    const { items, unreadable, count, page, size } = answer;
    ({ most } = answer);
    const isNew = items.filter(({ id }) => !state.isKnown.has(id));
    for (const { id, at } of items) {
      state.isKnown.add(id);
      if (at > newest && at <= until) newest = at;
    }
    rows = page * size;
    // Stops if the engine repeats the same page, or if nothing on the pages can be read. Smaller pages count as a
    // fraction of a full one.
    const share = most / pageSize;
    repeats = items[0]?.id === firstBefore ? repeats + share : 0;
    firstBefore = items[0]?.id;
    old = items.length > 0 && items.every(({ at }) => at < from) ? old + share : 0;
    isLast = count < size || repeats > 1 || old >= 1;
    const next = earlier(newest, overlap);
    // Reading from the newest back is complete only at the end, so `from` does not move before.
    const moved = isLast
      ? { from: (next > from ? next : from).toISOString(), walk: null }
      : { walk: { rows, newest: newest.toISOString(), until: until.toISOString() } };
    state.stands = { ...state.stands, ...moved, isTheirTurn: true };
    yield { items: isNew, unreadable, cursor: writeCursor(state.stands) };
  }
}

/** Of all page sizes up to `most`, the page that still repeats the last rows read and reaches furthest beyond them. */
function pageBehind(rows: number, most: number): { page: number; size: number } {
  const pages = Array.from({ length: most }, (_, less) => {
    const size = most - less;
    return { size, page: Math.floor(Math.max(0, rows - repeatedRows(most)) / size) + 1 };
  });
  return pages.reduce((best, each) => (each.page * each.size > best.page * best.size ? each : best));
}

async function* readAgain(read: Read, state: State, open: Since["open"]): AsyncGenerator<Batch<Finding>> {
  const readBehind = async (most: number) => {
    const found = await open(state.stands.behind, most);
    const ids = found.filter((id) => !state.isKnown.has(id));
    const answer = ids.length === 0 ? { items: [], unreadable: 0 } : await read({ page: 1, alert_ids: ids.join(",") });
    return { ...answer, most, behind: found.length < most ? null : (found.at(-1) ?? null) };
  };
  let size = idsOfPage;
  for (let count = 0; count < againMax; count += size) {
    const { items, unreadable, most, behind } = await halving(size, readBehind);
    size = most;
    state.stands = { ...state.stands, behind, isTheirTurn: false };
    yield { items, unreadable, cursor: writeCursor(state.stands) };
    if (behind === null) return;
  }
}

const Alerts = z.object({ data: z.object({ alerts: z.array(z.unknown()) }) });

const Alert = z.object({
  alert_id: z.number(),
  alert_title: z.string().nullish(),
  alert_creation_time: z.string().nullish(),
  alert_source_event_time: z.string().nullish(),
  alert_severity_id: z.number().nullish(),
  severity: z.object({ severity_name: z.string().nullish() }).nullish(),
  status: z.object({ status_name: z.string().nullish() }).nullish(),
  modification_history: z.record(z.string(), z.object({ action: z.string().nullish() })).nullish(),
});

const OfCustomer = z.object({ alert_customer_id: z.number().nullish() });
const ownerOf = (alert: unknown) => OfCustomer.safeParse(alert).data?.alert_customer_id;

const states: Record<string, FindingState> = {
  new: "open",
  assigned: "acknowledged",
  inprogress: "acknowledged",
  pending: "acknowledged",
  closed: "closed",
  merged: "closed",
  escalated: "closed",
};

function findingOf(alert: z.output<typeof Alert>, names: Names): Finding | null {
  const at = readTime(alert.alert_creation_time ?? alert.alert_source_event_time);
  if (!at) return null;
  const word = names.severity({ severity: alert.severity, id: alert.alert_severity_id });
  return {
    id: String(alert.alert_id),
    title: shortened(alert.alert_title ?? "An alert without a title"),
    severity: wordIn(severityWords, word),
    rawSeverity: word,
    state: wordIn(states, alert.status?.status_name),
    at,
    firstResponseAt: firstResponse(alert.modification_history),
    deviceId: null,
    attack: [],
  };
}

/** The time of the first entry in the history that is not the record's creation. */
export function firstResponse(
  history: Record<string, { action?: string | null | undefined }> | null | undefined,
): Date | null {
  const acts = Object.entries(history ?? {})
    .filter(([, { action }]) => action && !/creat|added/i.test(action))
    .map(([seconds]) => Number(seconds))
    .filter((seconds) => Number.isFinite(seconds))
    .toSorted((one, other) => one - other);
  return readSeconds(acts[0]);
}
