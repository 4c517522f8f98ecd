import { z } from "zod";
import type { EngineIncidentState, Verdict } from "../../../../contract/engine-kinds.ts";
import type { EngineApi } from "../engine-api.ts";
import type { Batch, Incident, IncidentEvent } from "../engine.ts";
import { EngineFailure } from "../engine-failure.ts";
import { readRecords, severityWords, shortened, wordIn } from "../read-records.ts";
import { readTime } from "../read-time.ts";
import { firstResponse } from "./alerts.ts";
import type { Names } from "./names.ts";

const pageSize = 100;
const pagesMax = 50;
/** A timeline costs a request of its own: few at a time are stored before a slow engine's time is over. */
const timelinesMax = 20;
const timelinesAtOnce = 5;
const timelineEventsMax = 200;

/** All cases of the customer, each time: they are few, and nothing says which of them has changed. */
export async function* walkCases(
  api: EngineApi,
  names: Names,
  customerId: number,
  called: string,
): AsyncGenerator<Batch<Incident>> {
  await names.load();
  let left = timelinesMax;
  for (let page = 1; page <= pagesMax; page++) {
    const answer = await api.get(Cases, "/manage/cases/filter", {
      case_customer_id: customerId,
      page,
      per_page: pageSize,
    });
    const cases = casesIn(answer);
    refuseForeign(cases, customerId, called);
    const { items, unreadable } = readRecords(Case, cases, (record) => incidentOf(record, names));
    yield { items, unreadable, cursor: "" };
    const worked = items.filter(({ state }) => state !== "closed").slice(0, left);
    left -= worked.length;
    yield* walkTimelines(api, worked);
    if (cases.length < pageSize) return;
  }
}

/** The same cases again, with their timelines. */
async function* walkTimelines(api: EngineApi, cases: readonly Incident[]): AsyncGenerator<Batch<Incident>> {
  for (let start = 0; start < cases.length; start += timelinesAtOnce) {
    const items: Incident[] = [];
    for (const incident of cases.slice(start, start + timelinesAtOnce))
      items.push({ ...incident, timeline: await readTimeline(api, incident.id) });
    yield { items, unreadable: 0, cursor: "" };
  }
}

/** The documentation has the list in `message`, where a server has it in `data`. */
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

function refuseForeign(cases: readonly unknown[], customerId: number, called: string): void {
  for (const each of cases) {
    const whose = OfCustomer.safeParse(each).data?.client?.customer_id;
    if (whose !== undefined && whose !== null && whose !== customerId)
      throw new EngineFailure(
        "tenant",
        `${called} answered with records of another customer, which were not taken in.`,
      );
  }
}

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
    // IRIS keeps the day of a closing alone, which tells less than when we heard of it.
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
  const { items } = readRecords(Event, data.timeline.slice(0, timelineEventsMax), (event) => {
    const at = readTime(event.event_date);
    return at && { at: at.toISOString(), kind: event.category_name ?? "", text: shortened(event.event_title ?? "") };
  });
  return items.toSorted((one, other) => one.at.localeCompare(other.at));
}
