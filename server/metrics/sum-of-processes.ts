import { AggregatorRegistry, type Registry } from "prom-client";

/** One process's metrics, as sent to another process. */
export type Counted = Awaited<ReturnType<Registry["getMetricsAsJSON"]>>;

export interface SumOfProcesses {
  note(process: number, counted: Counted): void;
  end(process: number): void;
  text(): Promise<string>;
}

/**
 * Adds up the last metrics of several processes. An ended process stays in counters and histograms: if a sum fell,
 * Prometheus would take it for a restart and count all that remains as new.
 */
export function sumOfProcesses(): SumOfProcesses {
  const last = new Map<number, Counted>();
  let ofEnded: Promise<Counted> = Promise.resolve([]);
  return {
    note: (process, counted) => void last.set(process, counted),
    end(process) {
      const growing = last.get(process)?.filter(({ type }) => ["counter", "histogram"].includes(String(type)));
      last.delete(process);
      if (growing) ofEnded = ofEnded.then((sum) => AggregatorRegistry.aggregate([sum, growing]).getMetricsAsJSON());
    },
    text: async () => AggregatorRegistry.aggregate([...last.values(), await ofEnded]).metrics(),
  };
}
