import { Counter, Gauge, type Metric } from "prom-client";
import type { Services } from "../services.ts";

/** Metrics of each process; with several WORKERS they are added up. */
export function processMetrics({ database, jobs, gates, watch }: Services): Metric[] {
  return [
    new Gauge({
      name: "prahari_database_up",
      help: "1 while the database answers.",
      registers: [],
      aggregator: "min",
      collect() {
        this.set(watch.hasAnswer() ? 1 : 0);
      },
    }),
    ...poolMetrics({ requests: database.$client, jobs: jobs.pool }),
    ...gateMetrics(gates),
  ];
}

interface Pool {
  totalCount: number;
  idleCount: number;
  waitingCount: number;
}

function poolMetrics(pools: Record<string, Pool>): Metric[] {
  return [
    new Gauge({
      name: "prahari_database_connections",
      help: "Connections to the database by pool, lent to somebody or idle.",
      labelNames: ["pool", "state"],
      registers: [],
      collect() {
        for (const [pool, { totalCount, idleCount }] of Object.entries(pools)) {
          this.set({ pool, state: "lent" }, totalCount - idleCount);
          this.set({ pool, state: "idle" }, idleCount);
        }
      },
    }),
    new Gauge({
      name: "prahari_database_connections_awaited",
      help: "How many wait for a connection, by pool.",
      labelNames: ["pool"],
      registers: [],
      collect() {
        for (const [pool, { waitingCount }] of Object.entries(pools)) this.set({ pool }, waitingCount);
      },
    }),
  ];
}

function gateMetrics(gates: Services["gates"]): Metric[] {
  return [
    new Gauge({
      name: "prahari_gate_requests",
      help: "Requests inside each gate, and waiting before it.",
      labelNames: ["gate", "state"],
      registers: [],
      collect() {
        for (const [gate, { use }] of Object.entries(gates)) {
          this.set({ gate, state: "inside" }, use().inside);
          this.set({ gate, state: "waiting" }, use().waiting);
        }
      },
    }),
    new Counter({
      name: "prahari_gate_refused_total",
      help: "Requests that a gate turned away.",
      labelNames: ["gate"],
      registers: [],
      collect() {
        this.reset();
        for (const [gate, { use }] of Object.entries(gates)) this.inc({ gate }, use().refused);
      },
    }),
  ];
}
