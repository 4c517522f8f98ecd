import type { Env } from "../settings/env.ts";

/** One piece of work in a trace. Attributes hold names and numbers of ours, never what a person gave. */
export interface Span {
  name: string;
  kind: "server" | "client" | "producer" | "consumer";
  attributes: Record<string, string | number>;
  /** The work that it goes on with, as `currentTrace` wrote it, elsewhere or earlier. */
  within?: Carrier;
}

/** A place in a trace as W3C Trace Context writes it. */
export interface Carrier {
  traceparent?: string;
}

export interface Tracing {
  inSpan<Result>(span: Span, work: (tell: Tell) => Promise<Result>): Promise<Result>;
  currentTrace(): Carrier;
  /** Sends what was not sent yet. */
  stop(): Promise<void>;
}

/** Adds what is known only when the work is done; an `error.type` says that it failed. */
export type Tell = (attributes: Record<string, string | number>) => void;

let tracing: Tracing | null = null;

/** Traces from now on, unless no collector is named: then nothing of it is loaded, and a span costs one comparison. */
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

/** Does the work as one span of the trace that is under way. @throws what the work throws */
export function inSpan<Result>(span: Span, work: (tell: Tell) => Promise<Result>): Promise<Result> {
  return tracing ? tracing.inSpan(span, work) : work(tellNobody);
}

const tellNobody = () => {};

/** For hot paths, which spare themselves even the description of a span. */
export const isTracing = () => tracing !== null;

/** Where we are, for whoever goes on with it; nothing while nobody traces. */
export const currentTrace = (): Carrier => tracing?.currentTrace() ?? {};
