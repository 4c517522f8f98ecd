import { context, propagation, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { Carrier, Tracing } from "./span.ts";

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
};

/** Exports traces over HTTP as the standard variables say; the exporter reads its own variables itself. */
export function openTelemetry(variables: Record<string, string | undefined>): Tracing {
  const contexts = new AsyncLocalStorageContextManager().enable();
  context.setGlobalContextManager(contexts);
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  const named = resourceFromAttributes({ "service.name": "prahari" });
  const provider = new TracerProvider({
    resource: named.merge(detectResources({ detectors: [envDetector] })),
    sampler: samplerOf(variables["OTEL_TRACES_SAMPLER"], Number(variables["OTEL_TRACES_SAMPLER_ARG"] || 1)),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter(),
        scheduledDelayMillis: Number(variables["OTEL_BSP_SCHEDULE_DELAY"] || 5000),
      }),
    ],
  });
  const tracer = provider.getTracer("prahari");
  return {
    inSpan({ name, kind, attributes, within }, work) {
      const parent = within ? propagation.extract(context.active(), within) : context.active();
      const span = tracer.startSpan(name, { kind: kinds[kind], attributes }, parent);
      return context.with(trace.setSpan(parent, span), async () => {
        try {
          return await work((told) => {
            span.setAttributes(told);
            if ("error.type" in told) span.setStatus({ code: SpanStatusCode.ERROR });
          });
        } catch (error) {
          // Only the class: messages may contain personal data.
          span.setStatus({ code: SpanStatusCode.ERROR });
          span.setAttribute("error.type", error instanceof Error ? error.name : "unknown");
          throw error;
        } finally {
          span.end();
        }
      });
    },
    currentTrace() {
      const carrier: Carrier = {};
      propagation.inject(context.active(), carrier);
      return carrier;
    },
    async stop() {
      await provider.shutdown();
      context.disable();
      propagation.disable();
    },
  };
}

/** https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/#general-sdk-configuration */
function samplerOf(name: string | undefined, ratio: number): Sampler {
  const roots: Record<string, () => Sampler> = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(ratio),
  };
  const root = (roots[name?.replace("parentbased_", "") ?? "always_on"] ?? (() => new AlwaysOnSampler()))();
  return name === undefined || name.startsWith("parentbased_") ? new ParentBasedSampler({ root }) : root;
}
