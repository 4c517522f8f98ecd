import { createAdaptorServer } from "@hono/node-server";
import { Hono } from "hono";
import type { Server } from "node:http";
import { answerFailure, createApi } from "./api.ts";
import { mountFeeds } from "./content/feeds.ts";
import { mountDemoMailbox } from "./outside/mail/demo-mailbox.ts";
import { mountSandbox } from "./outside/payments/sandbox.ts";
import type { Pages } from "./pages.ts";
import { securityHeaders } from "./security-headers.ts";
import type { Services } from "./services.ts";

/** The whole product as one application: the API, the pages, and in demo mode the mailbox and the sandbox gateway. */
export function createServer(services: Services, pages: Pages | null): Hono {
  const server = new Hono();
  server.use(securityHeaders(services));
  server.get("/health", async (context) => {
    await services.database.$client.query("select 1");
    return context.json({ status: "ok" });
  });
  server.route("/api", createApi(services));
  if (!services.env.payu) mountSandbox(server, services);
  if (services.env.demo && !services.env.smtpUrl) mountDemoMailbox(server, services);
  mountFeeds(server, services);
  if (pages) server.get("*", pages.answer);
  server.onError((error, context) => answerFailure(services, error, context));
  return server;
}

export interface Listener {
  port: number;
  /** From now on requests go to this application; until then they are answered 503. */
  serve(application: Hono): void;
  /** Takes no new requests and waits for those in flight, `graceMs` at most. */
  close(graceMs: number): Promise<void>;
}

/**
 * Binds the port first, so that an address in use is found out before anything else is started.
 * @throws Error with code EADDRINUSE, EACCES and the like.
 */
export async function listen(host: string, port: number): Promise<Listener> {
  let application: Hono | null = null;
  const starting = () =>
    new Response("The service is starting. Please try again in a moment.", {
      status: 503,
      headers: { "Retry-After": "2" },
    });
  const server = createAdaptorServer({
    fetch: (request, bindings) => (application ? application.fetch(request, bindings) : starting()),
  }) as Server;
  server.headersTimeout = 15_000;
  server.requestTimeout = 30_000;
  server.keepAliveTimeout = 10_000;
  await new Promise<void>((done, fail) => {
    server.once("error", fail).listen(port, host, done);
  });
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : port,
    serve: (given) => {
      application = given;
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
