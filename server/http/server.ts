import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { createServer as createHttpServer } from "node:http";
import { answerFailure, createApi } from "./api.ts";
import { mountFeeds } from "./feeds.ts";
import type { Pages } from "./pages.ts";
import { securityHeaders } from "./security-headers.ts";
import type { Services } from "../services.ts";

/** The whole product as one application: the API, the pages, and what `mountMore` adds. */
export function createServer(
  services: Services,
  pages: Pages | null,
  mountMore: (server: Hono, services: Services) => void,
): Hono {
  const server = new Hono();
  server.use(securityHeaders(services));
  server.get("/health", async (context) => {
    await services.database.$client.query("select 1");
    return context.json({ status: "ok" });
  });
  server.route("/api", createApi(services));
  mountMore(server, services);
  mountFeeds(server, services);
  if (pages) server.get("*", pages.answer);
  server.onError((error, context) => answerFailure(services, error, context));
  return server;
}

export interface Listener {
  port: number;
  /** From now on requests go to the pages in memory, then to this application; until then they are answered 503. */
  serve(application: Hono, pages?: Pages | null): void;
  /** Takes no new requests and waits for those in flight, `graceMs` at most. */
  close(graceMs: number): Promise<void>;
}

/** How long others may take; what takes longer is answered 408 if it can be, and its connection closed. */
const patience = {
  headersMs: 10_000,
  /** A request with its body, which has 64 kB at most. */
  requestMs: 20_000,
  /** Nothing moves in either direction: an answer that nobody reads. */
  stillMs: 60_000,
  keepAliveMs: 10_000,
  /** Node looks for late requests every 30 s by itself, which doubles the limits above. */
  lookEveryMs: 1000,
};

/**
 * Binds the port first, so that an address in use is found out before anything else is started.
 * @throws Error with code EADDRINUSE, EACCES and the like.
 */
export async function listen(host: string, port: number, limits = patience): Promise<Listener> {
  let application: Hono | null = null;
  let pages: Pages | null = null;
  const starting = () =>
    new Response("The service is starting. Please try again in a moment.", {
      status: 503,
      headers: { "Retry-After": "2" },
    });
  const answer = getRequestListener((request, bindings) =>
    application ? application.fetch(request, bindings) : starting(),
  );
  const timeouts = {
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: limits.lookEveryMs,
  };
  const server = createHttpServer(timeouts, (request, response) => {
    if (!pages?.answerAtOnce(request, response)) void answer(request, response);
  });
  server.timeout = limits.stillMs;
  await new Promise<void>((done, fail) => {
    server.once("error", fail).listen(port, host, done);
  });
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : port,
    serve: (given, fromMemory = null) => {
      application = given;
      pages = fromMemory;
    },
    async close(graceMs) {
      const closed = new Promise<void>((done) => server.close(() => done()));
      // A connection that is kept alive becomes idle once its answer is out: it must not hold up the end.
      const sweeping = setInterval(() => server.closeIdleConnections(), 50);
      const timer = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearInterval(sweeping);
      clearTimeout(timer);
    },
  };
}
