import type { Env } from "../settings/env.ts";

/** A span of a trace. Attributes hold our own names and numbers, never a person's data. */
export interface Span {
  name: string;
  kind: "server" | "client" | "producer" | "consumer";
  attributes: Record<string, string | number>;
  /** The parent span, as `currentTrace` returned it elsewhere or earlier. */
  within?: Carrier;
}

/** A position in a trace, in the format of W3C Trace Context. */
export interface Carrier {
  traceparent?: string;
}

export interface Tracing {
  inSpan<Result>(span: Span, work: (tell: Tell) => Promise<Result>): Promise<Result>;
  currentTrace(): Carrier;
  /** Sends spans not sent yet, and stops. */
  stop(): Promise<void>;
}

/** Adds attributes known only once the work is done; an `error.type` marks it as failed. */
export type Tell = (attributes: Record<string, string | number>) => void;

let tracing: Tracing | null = null;

/**
 * Starts tracing if a collector is configured; otherwise no tracing code is loaded, and a span costs one comparison.
 */
export async function startTracing({ tracing: variables }: Pick<Env, "tracing">): Promise<void> {
  if (!variables) return;
  const { openTelemetry } = await import("./open-telemetry.ts");
  tracing = openTelemetry(variables);
}

export async function stopTracing(): Promise<void> {
  const stopping = tracing;
  tracing = null;
  await stopping?.stop();
}

/** Runs the work as a span of the current trace. @throws what the work throws */
export function inSpan<Result>(span: Span, work: (tell: Tell) => Promise<Result>): Promise<Result> {
  return tracing ? tracing.inSpan(span, work) : work(tellNobody);
}

const tellNobody = () => {};

/** For hot paths, which skip even describing a span. */
export const isTracing = () => tracing !== null;

/** The current position in the trace, to be continued elsewhere; empty when tracing is off. */
export const currentTrace = (): Carrier => tracing?.currentTrace() ?? {};
