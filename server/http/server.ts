import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, isIPv6 } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { answerFailure, createApi } from "./api.ts";
import { mountArticleImages } from "./article-images.ts";
import { mountFeeds } from "./feeds.ts";
import { mountMetrics } from "./metrics.ts";
import type { Pages } from "./pages.ts";
import { answerInStage, mountProbes, type Stage } from "./probes.ts";
import { requestIds } from "./request-id.ts";
import { securityHeaders } from "./security-headers.ts";
import type { Services } from "../services.ts";
import { mountUnsubscribe } from "./unsubscribe.ts";
import { traceRequests } from "./trace-requests.ts";

/** The whole product as one application: the API, the pages, and what `mountMore` adds. */
export function createServer(
  services: Services,
  pages: Pages | null,
  mountMore: (server: Hono, services: Services) => void,
): Hono {
  const server = new Hono();
  server.use(requestIds(services.env.trustProxy));
  server.use(traceRequests(services.env.trustProxy));
  server.use(securityHeaders(services));
  mountMetrics(server, services);
  mountProbes(server, services);
  server.route("/api", createApi(services));
  mountMore(server, services);
  mountFeeds(server, services);
  mountArticleImages(server, services);
  mountUnsubscribe(server, services);
  if (pages) server.get("*", pages.answer);
  server.onError((error, context) => answerFailure(services, error, context));
  return server;
}

export interface Listener {
  port: number;
  /** The address at which this process can call itself. */
  internalUrl: string;
  /** From now on requests are answered from the pages in memory, then by this application; until then with 503. */
  serve(application: Hono, pages?: Pages | null): void;
  /** Keeps serving for this long while /readyz tells load balancers to use other copies. */
  leave(seconds: number): Promise<void>;
  /** Refuses new requests and waits for running ones, `graceMs` at most. */
  close(graceMs: number): Promise<void>;
}

/** Limits on clients. A late request is answered 408 if possible, and its connection closed. */
const patience = {
  headersMs: 10_000,
  /** A request with its body, which usually has at most 64 kB. */
  requestMs: 20_000,
  /** Extra time for a large body, by its announced length: a phone sends half a megabit a second. */
  slowBytesPerSecond: 64 * 1024,
  /** The limit including that: an article's image has up to 8 MB, an incident's file as much in its encoded form. */
  largeRequestMs: 150_000,
  /** No traffic in either direction, such as an answer that nobody reads. */
  stillMs: 60_000,
  keepAliveMs: 10_000,
  /** Node's default is to check for late requests every 30 s, which could double the limits above. */
  lookEveryMs: 1000,
};

/** How often a stop checks whether the last answer is out. */
const lookAgainMs = 50;

/**
 * Binds the port first, so that an address in use is noticed before anything else starts.
 * @throws Error with code EADDRINUSE, EACCES and the like
 */
export async function listen(host: string, port: number, limits = patience): Promise<Listener> {
  let application = new Hono();
  let pages: Pages | null = null;
  let stage: Stage = "starting";
  const inFlight = new Set<ServerResponse>();
  const answer = getRequestListener(
    (request, bindings) => answerInStage(stage, request) ?? application.fetch(request, bindings),
  );
  const timeouts = {
    headersTimeout: limits.headersMs,
    requestTimeout: limits.largeRequestMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: limits.lookEveryMs,
  };
  const bodies = watchBodies(limits);
  const server = createHttpServer(timeouts, (request, response) => {
    bodies.watch(request, response);
    const isKept = stage !== "stopping" && pages?.answerAtOnce(request, response);
    if (!isKept) void answer(request, response);
  });
  server.timeout = limits.stillMs;
  server.once("close", bodies.stop);
  server.on("request", (_request, answer) => {
    if (stage === "stopping") return;
    inFlight.add(answer);
    answer.once("close", () => inFlight.delete(answer));
  });
  await new Promise<void>((done, fail) => {
    server.once("error", fail).listen(port, host, done);
  });
  const address = server.address();
  const bound = typeof address === "object" && address ? address : { address: host, port };
  return {
    port: bound.port,
    internalUrl: internalUrlOf(bound),
    serve: (given, fromMemory = null) => {
      application = given;
      stage = "serving";
      pages = fromMemory;
    },
    async leave(seconds) {
      stage = "leaving";
      await sleep(seconds * 1000);
    },
    async close(graceMs) {
      stage = "stopping";
      const until = performance.now() + graceMs;
      while (inFlight.size > 0 && performance.now() < until) await sleep(lookAgainMs);
      const closed = new Promise<void>((done) => server.close(() => done()));
      // A keep-alive connection becomes idle once its answer is out and must not delay the stop.
      const sweeping = setInterval(() => server.closeIdleConnections(), lookAgainMs);
      const timer = setTimeout(() => server.closeAllConnections(), Math.max(0, until - performance.now()));
      await closed;
      clearInterval(sweeping);
      clearTimeout(timer);
    },
  };
}

/** A server that listens on every address can also be reached by IPv4. */
function internalUrlOf({ address, port }: Pick<AddressInfo, "address" | "port">): string {
  const reached = address === "0.0.0.0" || address === "::" ? "127.0.0.1" : address;
  return `http://${isIPv6(reached) ? `[${reached}]` : reached}:${port}`;
}

/**
 * Closes connections whose request body is late: Node has only one limit for all requests, which has to be that for
 * large files.
 */
function watchBodies({ requestMs, slowBytesPerSecond, lookEveryMs }: typeof patience) {
  const awaited = new Map<IncomingMessage, { dueAt: number; answer: ServerResponse }>();
  const hangUpOnLate = () => {
    const now = performance.now();
    for (const [request, { dueAt, answer }] of awaited) {
      const { complete, socket } = request;
      const isAwaited = !complete && !socket.destroyed;
      if (isAwaited && dueAt > now) continue;
      awaited.delete(request);
      // A request refused by its headers already has an answer.
      if (isAwaited && !answer.headersSent) socket.write(tooLate);
      if (isAwaited) socket.destroySoon();
    }
  };
  const looking = setInterval(hangUpOnLate, lookEveryMs).unref();
  const watch = (request: IncomingMessage, answer: ServerResponse) => {
    const { "content-length": announced, "transfer-encoding": chunked } = request.headers;
    if (announced === undefined && chunked === undefined) return;
    const dueAt = performance.now() + requestMs + (1000 * Number(announced ?? 0)) / slowBytesPerSecond;
    awaited.set(request, { dueAt, answer });
  };
  return { watch, stop: () => clearInterval(looking) };
}

/** The same response that Node sends. */
const tooLate = "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n";
