import { collectDefaultMetrics, Histogram, Registry } from "prom-client";
import type { Services } from "../services.ts";
import { owedMetrics } from "./owed-metrics.ts";
import { processMetrics } from "./process-metrics.ts";

export interface Metrics {
  registry: Registry;
  /** Counts an answered request. `operation` is one of few names, never a raw address. */
  countRequest(operation: string, status: number, milliseconds: number): void;
}

/** Most answers take milliseconds; the slowest end at 15 seconds, the time limit of their statement. */
const durationsSeconds = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15];

/** The metrics of /metrics. A request costs one observation; all others are read on scrape. */
export function openMetrics(services: Services): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: "prahari_http_request_duration_seconds",
    help: "Answered requests by operation and status, and how long they took.",
    labelNames: ["operation", "status"],
    buckets: durationsSeconds,
    registers: [registry],
  });
  for (const metric of [...processMetrics(services), ...owedMetrics(services)]) registry.registerMetric(metric);
  return {
    registry,
    countRequest: (operation, status, milliseconds) => requests.observe({ operation, status }, milliseconds / 1000),
  };
}
