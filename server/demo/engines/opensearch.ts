import type { Hono } from "hono";
import type { FleetFinding } from "./fleet.ts";
import { tenants } from "./fleet.ts";
import { isBasic, standInApp, type StandInState } from "./stand-in.ts";

const numbers = { critical: "1", high: "2", medium: "3", low: "4" } as const;
const states = { open: "ACTIVE", acknowledged: "ACKNOWLEDGED", closed: "COMPLETED" } as const;
const detectors = [`${tenants.own} windows`, `${tenants.own} network`];

/** The limit of a search, and of its count. */
const rowsMax = 10_000;

/** OpenSearch with Security Analytics. */
export function opensearchStandIn(state: StandInState): Hono {
  const app = standInApp(state);
  app.use(async (context, next) =>
    isBasic(context) && !state.does("refused tokens") ? next() : context.text("Unauthorized", 401),
  );
  app.get("/", (context) =>
    context.json({
      version: { distribution: "opensearch", number: state.does("unknown version") ? "9.0.0" : "2.19.3" },
    }),
  );
  app.post("/_plugins/_security_analytics/detectors/_search", (context) =>
    context.json({ hits: { hits: detectors.map((name, index) => ({ _id: `detector-${index}`, _source: { name } })) } }),
  );
  app.get("/_plugins/_security_analytics/alerts", (context) => {
    const { detector_id: detector, startTime, endTime, size = "20", startIndex = "0" } = context.req.query();
    if (!detector) return context.json({ error: "detector_id or detectorType is needed" }, 400);
    const [from, count] = [Number(startIndex), Number(size)];
    if (from + count > rowsMax) return context.json({ error: { type: "illegal_argument_exception" } }, 400);
    const all = state
      .fleet()
      .findings.filter(({ number }) => `detector-${number % 2}` === detector)
      .filter(({ at }) => at.getTime() >= Number(startTime) && at.getTime() <= Number(endTime));
    const shown = state.does("duplicates") ? [...all, ...all].toReversed() : all;
    return context.json({
      total_alerts: Math.min(shown.length, rowsMax),
      alerts: shown.slice(from, from + count).map((each) => alertOf(each, state)),
    });
  });
  return app;
}

function alertOf({ number, title, severity, state: worked, at }: FleetFinding, state: StandInState) {
  return {
    id: `sample-${number}`,
    detector_id: `detector-${number % 2}`,
    ...(!state.does("missing fields") && {
      trigger_name: title,
      state: state.does("unknown words") ? "DREAMING" : states[worked],
    }),
    severity: state.does("unknown words") ? "9" : numbers[severity],
    start_time: at.toISOString(),
    acknowledged_time: worked === "open" ? null : new Date(at.getTime() + 240_000).toISOString(),
  };
}
