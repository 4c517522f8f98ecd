import { createServer } from "node:http";
import { type AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { rmSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { quoteRequest } from "../factories.ts";
import { startMailbox } from "../harness.ts";
import { clientOf } from "./product-client.ts";
import { makeDataDir, startProduct, withoutDemo } from "./running-product.ts";

interface Span {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
}
interface Export {
  resourceSpans: { resource: object; scopeSpans: { spans: Span[] }[] }[];
}

const estimate = quoteRequest();
const theirTrace = "0af7651916cd43dd8448eb211c80319c";
const exported: Export[] = [];
const dataDir = makeDataDir();
let stopped: unknown;

beforeAll(async () => {
  // A collector of OpenTelemetry, as far as one is needed to take traces: OTLP over HTTP in JSON.
  const collector = createServer((request, answer) => {
    void json(request)
      .then((body) => exported.push(body as Export))
      .finally(() => answer.end("{}"));
  });
  await new Promise<void>((listening) => collector.listen(0, "127.0.0.1", listening));
  const mailbox = await startMailbox();
  const product = await startProduct({
    ...withoutDemo,
    DATA_DIR: dataDir,
    SMTP_URL: mailbox.url,
    TRUST_PROXY: "1",
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
    OTEL_SERVICE_NAME: "prahari-under-test",
  });
  await clientOf(product.url, mailbox).call("estimator", estimate);
  await mailbox.take(estimate.userEmail, /proposal/);
  await fetch(`${product.url}/api/generate-token`, {
    headers: { traceparent: `00-${theirTrace}-b7ad6b7169203331-01` },
  });
  stopped = await product.end("SIGTERM");
  await mailbox.stop();
  collector.close();
});
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

const spans = () =>
  exported.flatMap(({ resourceSpans }) =>
    resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
  );
const attribute = ({ attributes }: Span, name: string) => {
  const value = attributes.find(({ key }) => key === name)?.value;
  return value?.stringValue ?? value?.intValue;
};
const requestOf = (route: string) => spans().filter((span) => attribute(span, "http.route") === route);

describe("With a collector of OpenTelemetry", () => {
  it("a request, its statements, its jobs and what they do outside are one trace", () => {
    expect(stopped).toBe(0);
    const [request] = requestOf("/api/estimator");
    if (!request) throw new Error("The request is in no trace");
    expect(attribute(request, "http.response.status_code")).toBe(201);
    expect(attribute(request, "prahari.request_id")).toMatch(/^[\da-f-]{36}$/);
    const trace = spans().filter(({ traceId }) => traceId === request.traceId);
    const names = new Set(trace.map(({ name }) => name));
    for (const name of ["begin", "insert", "commit", "job render-proposal", "job send-mail", "send mail"])
      expect(names, [...names].join(", ")).toContain(name);
    const job = trace.find(({ name }) => name === "job render-proposal");
    expect(trace.filter(({ parentSpanId }) => parentSpanId === job?.spanId).length).toBeGreaterThan(0);
  });

  it("a proxy of ours may say which trace a request belongs to", () => {
    expect(requestOf("/api/generate-token").map(({ traceId }) => traceId)).toContain(theirTrace);
  });

  it("nothing that a person gave is in a trace, and the service is named as the variables say", () => {
    const text = JSON.stringify(exported);
    for (const given of [estimate.userEmail, estimate.userName, estimate.phoneNumber, estimate.organizationName])
      expect(text).not.toContain(given);
    expect(text).toContain("prahari-under-test");
  });
});
