import { z } from "zod";
import { earlier, inMilliseconds } from "../../../../contract/durations.ts";
import type { FindingState, Severity } from "../../../../contract/engine-kinds.ts";
import { basic, type EngineApi, openApi } from "../engine-api.ts";
import type { Batch, Binding, Engine, Finding, Since } from "../engine.ts";
import { EngineFailure } from "../engine-failure.ts";
import type { Surroundings } from "../engines.ts";
import { readRecords, shortened, wordIn } from "../read-records.ts";
import { readTime } from "../read-time.ts";
import { readCursor } from "../read-cursor.ts";

/** OpenSearch Security Analytics, from 2.5 on: its detectors' alerts are findings. */
export function opensearchEngine(binding: Binding, { connection, called, now }: Surroundings): Engine {
  const api = openApi(connection, binding.address, basic(binding.username ?? "", binding.secret), called, now);
  let version: string | null = null;
  const checkVersion = async () => (version = await readVersion(api, called));
  return {
    async probe() {
      await checkVersion();
      await findDetectors(api, binding.tenantKey, called);
      return { version, skewSeconds: api.skewSeconds() };
    },
    known: () => ({ version, skewSeconds: api.skewSeconds() }),
    inventory: null,
    reports: {
      async *findings(since) {
        const field = detectorField(await checkVersion());
        const detectors = await findDetectors(api, binding.tenantKey, called);
        yield* walkAlerts(api, detectors, { since, now: now(), field, called });
      },
      incidents: null,
    },
    remark: null,
    signIn: null,
    close: () => connection.close(),
  };
}

const About = z.object({ version: z.object({ number: z.string(), distribution: z.string().nullish() }) });

async function readVersion(api: EngineApi, called: string): Promise<string> {
  const { version } = await api.get(About, "/");
  // Elasticsearch has neither the plugin nor the same severity and state words.
  if (version.distribution === "opensearch" && /^[23]\./.test(version.number)) return version.number;
  const told = /^[\w.-]{1,20}$/.test(version.number) ? version.number : "that can't be read";
  throw new EngineFailure("version", `What answers is version ${told}; what is known here is ${called} 2 and 3.`);
}

/** The parameter was renamed in 2.14. */
function detectorField(version: string): "detectorId" | "detector_id" {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major === 2 && minor < 14 ? "detectorId" : "detector_id";
}

const Detectors = z.object({
  hits: z.object({
    hits: z.array(z.object({ _id: z.string(), _source: z.object({ name: z.string().default("") }).loose() })),
  }),
});
/** The most that one search returns. */
const detectorsMax = 10_000;

async function findDetectors(api: EngineApi, tenantKey: string | null, called: string): Promise<string[]> {
  const { hits } = await api.post(Detectors, "/_plugins/_security_analytics/detectors/_search", {
    size: detectorsMax,
    query: { match_all: {} },
  });
  if (hits.hits.length >= detectorsMax)
    throw new EngineFailure(
      "too_large",
      `${called} shows this login 10,000 detectors or more, and which are the customer's is not known. Let the login see fewer.`,
    );
  const own = hits.hits.filter(({ _source: { name } }) => name.startsWith(tenantKey ?? ""));
  if (own.length > 0) return own.map(({ _id }) => _id);
  throw new EngineFailure(
    "tenant",
    tenantKey === null
      ? `${called} shows this login no detectors, so that nothing can be found. Make some, or let the login see them.`
      : `${called} shows this login no detectors whose names begin like that.`,
  );
}

const pageSize = 100;
/** How many rows a search reaches: https://docs.opensearch.org, index.max_result_window */
const rowsMax = 10_000;
const overlapMs = inMilliseconds({ minutes: 10 });
const firstLook = { hours: 24 };

/**
 * How far the alerts have been read. Alerts that began before `from` are done; those since are read by the next walk,
 * or by the interrupted one below.
 */
const Cursor = z.object({
  from: z.number(),
  walk: z
    .object({
      /** The current detector, and how many of its rows were read. Detectors with smaller ids are done. */
      detector: z.string(),
      startIndex: z.number(),
      /**
       * The time from which its rows are counted; differs from `from` if the detector has more rows than a search
       * reaches.
       */
      since: z.number().nullish(),
      /** The start time of the newest alert read so far. */
      newest: z.number(),
      /** When the walk began: later alerts are left to the next walk. */
      until: z.number(),
    })
    .nullable(),
});
type Cursor = z.infer<typeof Cursor>;

/** Cursors of an earlier version are a time only. */
const beginOf = (written: string | null, now: Date): Cursor => ({
  from: (readTime(written) ?? earlier(now, firstLook)).getTime(),
  walk: null,
});

/**
 * Walks by detector, oldest alert first; an interrupted walk is resumed. A change to an alert is missed if it comes
 * later than the overlap after the alert's start.
 */
async function* walkAlerts(
  api: EngineApi,
  detectors: string[],
  { since: { cursor }, now, field, called }: { since: Since; now: Date; field: string; called: string },
): AsyncGenerator<Batch<Finding>> {
  const { from, walk: broken } = readCursor(Cursor, cursor) ?? beginOf(cursor, now);
  const until = broken?.until ?? now.getTime();
  // In the engine's time. Alerts that it dates ahead of our clock are read again, so that none is missed once its clock
  // is corrected.
  const endTime = until + (api.skewSeconds() ?? 0) * 1000 + overlapMs;
  let newest = broken?.newest ?? from;
  const ended = () => writeCursor({ from: Math.max(from, newest - overlapMs), walk: null });
  const left = detectors.toSorted().filter((detector) => !broken || detector >= broken.detector);
  for (const [index, detector] of left.entries()) {
    const seen = new Set<string>();
    const following = left[index + 1];
    let { since, startIndex } = detector === broken?.detector ? placeIn(broken, from) : { since: from, startIndex: 0 };
    let reached = since;
    for (let isLast = false; !isLast;) {
      const { alerts, total_alerts: total } = await api.get(Alerts, "/_plugins/_security_analytics/alerts", {
        [field]: detector,
        startTime: since,
        endTime,
        size: pageSize,
        startIndex,
        sortString: "start_time",
        sortOrder: "asc",
      });
      const { items, unreadable } = readRecords(Alert, alerts, findingOf);
      const fresh = items.filter(({ id }) => !seen.has(id));
      for (const { id, at } of items) {
        seen.add(id);
        reached = Math.max(reached, at.getTime());
        if (at.getTime() <= until) newest = Math.max(newest, at.getTime());
      }
      // The next page repeats one row: otherwise an alert that leaves the list in between would hide another.
      startIndex += Math.max(1, alerts.length - 1);
      isLast = alerts.length < pageSize || startIndex >= total;
      if (!isLast && !isReached(startIndex)) {
        if (reached === since) throw tooManyAtOnce(called);
        [since, startIndex] = [reached, 0];
      }
      const goesOn = isLast ? following && { detector: following, startIndex: 0 } : { detector, startIndex, since };
      const next = goesOn ? writeCursor({ from, walk: { ...goesOn, newest, until } }) : ended();
      yield { items: fresh, unreadable, cursor: next };
    }
  }
  // The remaining detectors have been deleted.
  if (left.length === 0) yield { items: [], unreadable: 0, cursor: ended() };
}

const isReached = (startIndex: number) => startIndex + pageSize <= rowsMax;

/**
 * Where an interrupted walk continues. A cursor of an earlier version may lie beyond what a search reaches: its
 * detector starts again.
 */
function placeIn({ since, startIndex }: NonNullable<Cursor["walk"]>, from: number) {
  return { since: since ?? from, startIndex: isReached(startIndex) ? startIndex : 0 };
}

const tooManyAtOnce = (called: string) =>
  new EngineFailure(
    "too_large",
    `A detector of ${called} has 10,000 alerts of one moment, or they are not looked for by time there, and what is behind them can't be read. Narrow the detector's rules, or bring ${called} up to date.`,
  );

const writeCursor = (cursor: Cursor) => JSON.stringify(cursor);

const Alerts = z.object({ alerts: z.array(z.unknown()), total_alerts: z.number() });

const Alert = z.object({
  id: z.string().min(1),
  trigger_name: z.string().nullish(),
  state: z.string().nullish(),
  severity: z.union([z.string(), z.number()]).nullish(),
  start_time: z.union([z.string(), z.number()]),
  acknowledged_time: z.union([z.string(), z.number()]).nullish(),
});

/** 1 is the most severe. */
const severityNumbers: Record<string, Severity> = {
  "1": "critical",
  "2": "high",
  "3": "medium",
  "4": "low",
  "5": "info",
};
const states: Record<string, FindingState> = {
  active: "open",
  acknowledged: "acknowledged",
  completed: "closed",
  deleted: "closed",
};

function findingOf({ id, trigger_name, state, severity, start_time, acknowledged_time }: z.output<typeof Alert>) {
  const at = readTime(start_time);
  if (!at) return null;
  return {
    id,
    title: shortened(trigger_name ?? "An alert without a name"),
    severity: wordIn(severityNumbers, String(severity ?? "")),
    rawSeverity: String(severity ?? ""),
    state: wordIn(states, state),
    at,
    firstResponseAt: readTime(acknowledged_time),
    deviceId: null,
    attack: [],
  };
}
