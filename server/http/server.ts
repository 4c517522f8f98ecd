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
  /** Where this process reaches itself. */
  internalUrl: string;
  /** From now on requests go to the pages in memory, then to this application; until then they are answered 503. */
  serve(application: Hono, pages?: Pages | null): void;
  /** Goes on as ever for so long, while /readyz says that others should be asked. */
  leave(seconds: number): Promise<void>;
  /** Turns new requests away and waits for those in flight, `graceMs` at most. */
  close(graceMs: number): Promise<void>;
}

/** How long others may take; what takes longer is answered 408 if it can be, and its connection closed. */
const patience = {
  headersMs: 10_000,
  /** A request with its body, which is of 64 kB mostly. */
  requestMs: 20_000,
  /** What a large one has besides, by its announced length: a phone sends half a megabit a second. */
  slowBytesPerSecond: 64 * 1024,
  /** With all of that: an image of an article has 8 MB, an incident's file as much in its letters. */
  largeRequestMs: 150_000,
  /** Nothing moves in either direction: an answer that nobody reads. */
  stillMs: 60_000,
  keepAliveMs: 10_000,
  /** Node looks for late requests every 30 s by itself, which doubles the limits above. */
  lookEveryMs: 1000,
};

/** At a stop: whether the last answer is out. */
const lookAgainMs = 50;

/**
 * Binds the port first, so that an address in use is found out before anything else is started.
 * @throws Error with code EADDRINUSE, EACCES and the like.
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
      // A connection that is kept alive becomes idle once its answer is out: it must not hold up the end.
      const sweeping = setInterval(() => server.closeIdleConnections(), lookAgainMs);
      const timer = setTimeout(() => server.closeAllConnections(), Math.max(0, until - performance.now()));
      await closed;
      clearInterval(sweeping);
      clearTimeout(timer);
    },
  };
}

/** What listens on every address is reached by IPv4, too. */
function internalUrlOf({ address, port }: Pick<AddressInfo, "address" | "port">): string {
  const reached = address === "0.0.0.0" || address === "::" ? "127.0.0.1" : address;
  return `http://${isIPv6(reached) ? `[${reached}]` : reached}:${port}`;
}

/** Hangs up on requests whose bodies are late: Node has one limit for all of them, which would be that of a large file. */
function watchBodies({ requestMs, slowBytesPerSecond, lookEveryMs }: typeof patience) {
  const awaited = new Map<IncomingMessage, { dueAt: number; answer: ServerResponse }>();
  const hangUpOnLate = () => {
    const now = performance.now();
    for (const [request, { dueAt, answer }] of awaited) {
      const { complete, socket } = request;
      const isAwaited = !complete && !socket.destroyed;
      if (isAwaited && dueAt > now) continue;
      awaited.delete(request);
      // What was refused by its headers has its answer.
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

/** As Node says it. */
const tooLate = "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n";
