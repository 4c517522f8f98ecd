import { z } from "zod";
import type { EngineIncidentState, Verdict } from "../../../../contract/engine-kinds.ts";
import type { EngineApi } from "../engine-api.ts";
import type { Batch, Incident, IncidentEvent } from "../engine.ts";
import { EngineFailure, nullIfFailing } from "../engine-failure.ts";
import { readRecords, severityWords, shortened, wordIn } from "../read-records.ts";
import { readTime } from "../read-time.ts";
import { readCursor } from "../read-cursor.ts";
import { firstResponse } from "./alerts.ts";
import type { Names } from "./names.ts";
import { refuseForeign } from "./refuse-foreign.ts";

const pageSize = 100;
/**
 * Each timeline costs a request, so one poll reads this many; if more cases are open, polls take turns through them.
 */
const timelinesMax = 20;
/** Small batches, so that some are stored before a slow engine's time is up. */
const timelinesAtOnce = 5;
/** If there are more, the latest are kept. */
const timelineEventsMax = 200;

/** How far the cases have been read, in an endless round. */
const Cursor = z.object({
  /** The page to read next. */
  page: z.number(),
  /** How many cases, in page order, to skip before reading the next timelines. */
  timelines: z.number(),
  /** Whether timelines come first: if the engine is too slow to do both in one poll, the two parts take turns. */
  isTheirTurn: z.boolean(),
});
type Cursor = z.infer<typeof Cursor>;

const writeCursor = (cursor: Cursor) => JSON.stringify(cursor);

const begin: Cursor = { page: 1, timelines: 0, isTheirTurn: false };

interface PageOfCases {
  items: Incident[];
  unreadable: number;
  isLast: boolean;
}
type Read = (page: number) => Promise<PageOfCases>;

/** Reads all of the customer's cases each time: they are few, and IRIS does not say which have changed. */
export async function* walkCases(
  api: EngineApi,
  names: Names,
  customerId: number,
  { cursor, called }: { cursor: string | null; called: string },
): AsyncGenerator<Batch<Incident>> {
  await names.load();
  const known = new Map<number, Promise<PageOfCases>>();
  const readNew: Read = async (page) => {
    const found = await readPage(api, names, customerId, { page, called });
    const before = await known.get(page - 1);
    // Stops if the engine repeats the same page, or if nothing on the pages can be read.
    const isRepeated = before !== undefined && before.items[0]?.id === found.items[0]?.id;
    return { ...found, isLast: found.isLast || isRepeated };
  };
  const read: Read = (page) => {
    const found = known.get(page) ?? readNew(page);
    known.set(page, found);
    return found;
  };
  const state = { stands: readCursor(Cursor, cursor) ?? begin };
  const parts = [() => walkPages(read, state), () => walkTimelines(api, read, state)];
  for (const part of state.stands.isTheirTurn ? parts.toReversed() : parts) yield* part();
}

async function readPage(
  api: EngineApi,
  names: Names,
  customerId: number,
  { page, called }: { page: number; called: string },
): Promise<PageOfCases> {
  const answer = await api.get(Cases, "/manage/cases/filter", {
    case_customer_id: customerId,
    page,
    per_page: pageSize,
    // Without an explicit order, pages overlap and leave cases out.
    order_by: "case_id",
    sort_dir: "desc",
  });
  const cases = casesIn(answer);
  refuseForeign(cases.map(ownerOf), customerId, called);
  return { ...readRecords(Case, cases, (record) => incidentOf(record, names)), isLast: cases.length < pageSize };
}

interface State {
  stands: Cursor;
}

/** Reads to the last page, over several polls if necessary. */
async function* walkPages(read: Read, state: State): AsyncGenerator<Batch<Incident>> {
  for (let isLast = false; !isLast;) {
    const { page } = state.stands;
    const { items, unreadable, isLast: isEnd } = await read(page);
    isLast = isEnd;
    state.stands = { ...state.stands, page: isLast ? 1 : page + 1, isTheirTurn: true };
    yield { items, unreadable, cursor: writeCursor(state.stands) };
  }
}

/** Reads the timelines of some of the cases that are not closed. */
async function* walkTimelines(api: EngineApi, read: Read, state: State): AsyncGenerator<Batch<Incident>> {
  for (let left = timelinesMax; left > 0;) {
    const { worked, next } = await nextWorked(read, state.stands.timelines, Math.min(left, timelinesAtOnce));
    const items: Incident[] = [];
    let unreadable = 0;
    for (const incident of worked) {
      const timeline = await nullIfFailing(() => readTimeline(api, incident.id));
      if (!timeline) unreadable++;
      items.push({ ...incident, timeline: timeline ?? [] });
    }
    left -= worked.length;
    state.stands = { ...state.stands, timelines: next, isTheirTurn: false };
    yield { items, unreadable, cursor: writeCursor(state.stands) };
    if (next === 0) return;
  }
}

/**
 * The next cases of one page that are not closed, after skipping `behind` cases in all; `next` is how many to skip the
 * next time, 0 at the end.
 */
async function nextWorked(read: Read, behind: number, count: number): Promise<{ worked: Incident[]; next: number }> {
  const before = Math.floor(behind / pageSize);
  const { items, isLast } = await read(before + 1);
  const worked = [...items.entries()]
    .map(([index, incident]) => ({ place: before * pageSize + index, incident }))
    .filter(({ place, incident }) => place >= behind && incident.state !== "closed");
  const following = worked[count]?.place ?? (isLast ? 0 : (before + 1) * pageSize);
  return { worked: worked.slice(0, count).map(({ incident }) => incident), next: following };
}

/** The documentation has the list in `message`; real servers send it in `data`. */
const Cases = z.object({ data: z.unknown(), message: z.unknown() });
const InCases = z.object({ cases: z.array(z.unknown()) });

function casesIn({ data, message }: z.output<typeof Cases>): unknown[] {
  for (const place of [data, message]) {
    const found = InCases.safeParse(place);
    if (found.success) return found.data.cases;
  }
  throw new EngineFailure("answer", "DFIR-IRIS answers with cases in a form that is not known here.");
}

const OfCustomer = z.object({ client: z.object({ customer_id: z.number().nullish() }).nullish() });
const ownerOf = (record: unknown) => OfCustomer.safeParse(record).data?.client?.customer_id;

const Case = z.object({
  case_id: z.number(),
  name: z.string().nullish(),
  severity: z.object({ severity_name: z.string().nullish() }).nullish(),
  severity_id: z.number().nullish(),
  state: z.object({ state_name: z.string().nullish() }).nullish(),
  status_id: z.number().nullish(),
  open_date: z.string().nullish(),
  initial_date: z.string().nullish(),
  close_date: z.string().nullish(),
  modification_history: z.record(z.string(), z.object({ action: z.string().nullish() })).nullish(),
});

const states: Record<string, EngineIncidentState> = {
  open: "new",
  new: "new",
  inprogress: "in_progress",
  containment: "in_progress",
  eradication: "in_progress",
  recovery: "in_progress",
  postincident: "in_progress",
  reporting: "in_progress",
  closed: "closed",
};

const verdictOfStatus: Record<number, Verdict> = {
  1: "false_positive",
  2: "true_positive",
  4: "true_positive",
  5: "benign",
};

function incidentOf(record: z.output<typeof Case>, names: Names): Incident | null {
  const openedAt = readTime(record.initial_date) ?? readTime(record.open_date);
  if (!openedAt) return null;
  const word = names.severity({ severity: record.severity, id: record.severity_id });
  const rawState = record.state?.state_name ?? "";
  return {
    id: String(record.case_id),
    title: shortened(record.name ?? "A case without a name"),
    severity: wordIn(severityWords, word),
    rawSeverity: word,
    state: record.close_date ? "closed" : wordIn(states, rawState),
    rawState,
    openedAt,
    firstResponseAt: firstResponse(record.modification_history),
    // IRIS may give only the day of closing, which is less exact than the time when we noticed it.
    closedAt: record.close_date?.includes(":") ? readTime(record.close_date) : null,
    verdict: record.status_id ? (verdictOfStatus[record.status_id] ?? "unknown") : null,
    timeline: [],
    figures: {},
  };
}

const Timeline = z.object({ data: z.object({ timeline: z.array(z.unknown()) }) });
const Event = z.object({
  event_date: z.string(),
  event_title: z.string().nullish(),
  category_name: z.string().nullish(),
});

async function readTimeline(api: EngineApi, caseId: string): Promise<IncidentEvent[]> {
  const { data } = await api.get(Timeline, "/case/timeline/events/list", { cid: caseId });
  const { items } = readRecords(Event, data.timeline, (event) => {
    const at = readTime(event.event_date);
    return at && { at: at.toISOString(), kind: event.category_name ?? "", text: shortened(event.event_title ?? "") };
  });
  return items.toSorted((one, other) => one.at.localeCompare(other.at)).slice(-timelineEventsMax);
}
