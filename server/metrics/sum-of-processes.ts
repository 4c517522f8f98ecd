import { AggregatorRegistry, type Registry } from "prom-client";

/** What one process tells, as it sends it to another. */
export type Counted = Awaited<ReturnType<Registry["getMetricsAsJSON"]>>;

export interface SumOfProcesses {
  note(process: number, counted: Counted): void;
  end(process: number): void;
  text(): Promise<string>;
}

/**
 * Adds up what several processes told last. One that has ended stays in what only grows: a sum that falls would be taken for one
 * that began anew, and all that is left of it for new.
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
