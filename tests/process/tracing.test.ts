import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { type AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { rmSync } from "node:fs";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { openDatabase } from "../../server/database/database.ts";
import { quoteRequest } from "../factories.ts";
import { databaseUrl } from "../global-setup.ts";
import { startMailbox } from "../harness.ts";
import { listeningEngine } from "../listening-engine.ts";
import { member } from "../people.ts";
import { callerOf, clientOf } from "./product-client.ts";
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
const databaseName = `tracing_${randomUUID().replaceAll("-", "")}`;
const url = databaseUrl(inject("postgresUrl"), databaseName);
const tokenSecret = "a token secret of thirty-two characters";
const now = () => new Date();
let engine: Awaited<ReturnType<typeof listeningEngine>>;
let stopped: unknown;

beforeAll(async () => {
  await onServer(`create database ${databaseName} template ${inject("templateDatabase")}`);
  engine = await listeningEngine({ services: { now } }, "wazuh4");
  // An OpenTelemetry collector that only accepts traces: OTLP over HTTP in JSON.
  const collector = createServer((request, answer) => {
    void json(request)
      .then((body) => exported.push(body as Export))
      .finally(() => answer.end("{}"));
  });
  await new Promise<void>((listening) => collector.listen(0, "127.0.0.1", listening));
  const mailbox = await startMailbox();
  const product = await startProduct({
    ...withoutDemo,
    DATABASE_URL: url,
    PUBLIC_URL: "http://localhost",
    DATA_DIR: dataDir,
    TOKEN_SECRET: tokenSecret,
    ENGINES_ALLOW_PRIVATE: "1",
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
  await askEngine(product.url);
  stopped = await product.end("SIGTERM");
  await mailbox.stop();
  collector.close();
});
afterAll(async () => {
  await onServer(`drop database ${databaseName} with (force)`);
  rmSync(dataDir, { recursive: true, force: true });
});

async function onServer(statement: string) {
  const server = new Client({ connectionString: inject("postgresUrl") });
  await server.connect();
  await server.query(statement);
  await server.end();
}

/** An administrator tests an engine, and once more while it is down. */
async function askEngine(address: string) {
  const database = openDatabase(url, { max: 1 });
  const books = { services: { database, now, env: { tokenSecret } } };
  const [admin, { email }] = [await member(books, "admin"), await member(books, "user")];
  await database.$client.close(500);
  for (const how of [null, "down"] as const) {
    engine.misbehave(how);
    await callerOf(address).call("admin/engines/test", { email, ...engine.input }, admin.token);
  }
}

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

  it("each call of an engine is a span of the request that made it, with its host and without its path", () => {
    const [well, down] = requestOf("/api/admin/engines/test").map(({ traceId }) =>
      spans().filter((span) => span.traceId === traceId && attribute(span, "peer.service") === "engine"),
    );
    if (!well?.[0] || !down?.[0]) throw new Error("The calls of the engine are in no trace");
    expect(well.length + down.length).toBe([...engine.calls.values()].reduce((sum, calls) => sum + calls, 0));
    expect(well.map(({ name }) => name)).toEqual(expect.arrayContaining(["POST", "GET"]));
    const { hostname, port } = new URL(engine.input.address);
    const told = (span: Span) => Object.fromEntries(span.attributes.map(({ key }) => [key, attribute(span, key)]));
    const called = { "server.address": hostname, "server.port": Number(port), "peer.service": "engine" };
    for (const span of well)
      expect(told(span)).toEqual({ ...called, "http.request.method": span.name, "http.response.status_code": 200 });
    expect(told(down[0])).toEqual({
      ...called,
      "http.request.method": down[0].name,
      "http.response.status_code": 503,
      "error.type": "503",
    });
    const text = JSON.stringify(exported);
    for (const secret of [engine.input.secret, ...engine.calls.keys()]) expect(text).not.toContain(secret);
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
