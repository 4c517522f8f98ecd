import { z } from "zod";
import { earlier } from "../../../../contract/durations.ts";
import type { FindingState } from "../../../../contract/engine-kinds.ts";
import type { EngineApi } from "../engine-api.ts";
import type { Batch, Finding, Since } from "../engine.ts";
import { EngineFailure } from "../engine-failure.ts";
import { readRecords, severityWords, shortened, wordIn } from "../read-records.ts";
import { readSeconds, readTime } from "../read-time.ts";
import type { Names } from "./names.ts";

const pageSize = 100;
const pagesMax = 100;
const overlap = { minutes: 10 };
const firstLook = { hours: 24 };
/** So many ids fit into an address. */
const idsOfPage = 100;

/**
 * Alerts have no time of change: those that were made since are read from the newest on, and those that are open here are
 * read again by their ids.
 */
export async function* walkAlerts(
  api: EngineApi,
  names: Names,
  customerId: number,
  { cursor, open }: Since,
  { called, now }: { called: string; now: Date },
): AsyncGenerator<Batch<Finding>> {
  await names.load();
  const from = readTime(cursor) ?? earlier(now, firstLook);
  const read = async (query: Record<string, string | number>) => {
    const { data } = await api.get(Alerts, "/alerts/filter", {
      alert_customer_id: customerId,
      per_page: pageSize,
      sort: "desc",
      ...query,
    });
    refuseForeign(data.alerts, customerId, called);
    return { count: data.alerts.length, ...readRecords(Alert, data.alerts, (alert) => findingOf(alert, names)) };
  };
  const isKnown = new Set<string>();
  let newest = from;
  for (let page = 1; page <= pagesMax; page++) {
    const { items, unreadable, count } = await read({ page });
    const isNew = items.filter(({ id }) => !isKnown.has(id));
    for (const { id, at } of items) {
      isKnown.add(id);
      if (at > newest && at <= now) newest = at;
    }
    // The cursor moves at the end alone: what is read from the newest on is whole only then.
    yield { items: isNew, unreadable, cursor: from.toISOString() };
    if (count < pageSize || items.every(({ at }) => at < from)) break;
  }
  const again = open.filter((id) => !isKnown.has(id));
  for (let start = 0; start < again.length; start += idsOfPage) {
    const ids = again.slice(start, start + idsOfPage).join(",");
    const { items, unreadable } = await read({ page: 1, alert_ids: ids });
    yield { items, unreadable, cursor: from.toISOString() };
  }
  const next = earlier(newest, overlap);
  yield { items: [], unreadable: 0, cursor: (next > from ? next : from).toISOString() };
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

/** An engine that mixes its customers up must not mix ours. */
function refuseForeign(alerts: readonly unknown[], customerId: number, called: string): void {
  for (const alert of alerts) {
    const whose = OfCustomer.safeParse(alert).data?.alert_customer_id;
    if (whose !== undefined && whose !== null && whose !== customerId)
      throw new EngineFailure(
        "tenant",
        `${called} answered with records of another customer, which were not taken in.`,
      );
  }
}

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

/** The first entry that is more than that it came. */
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
