import type { Hono } from "hono";
import { Failure } from "../failures/failure.ts";
import type { Services } from "../services.ts";

/** The process's stage: before and after "serving" no application can answer. */
export type Stage = "starting" | "serving" | "leaving" | "stopping";

const noStore = { "Cache-Control": "no-store" };

/**
 * /healthz: the process answers. /readyz: it may get requests. /health: the database answers a query. Readiness does
 * not depend on the database: all copies share it and would all be taken out of service, although they can still serve
 * kept pages and 503.
 */
export function mountProbes(server: Hono, { database }: Services): void {
  let asked: Promise<unknown> | null = null;
  server.get("/health", async (context) => {
    // Concurrent callers share one query, so that strangers take at most one connection.
    asked ??= database.$client.query("select 1").finally(() => (asked = null));
    await asked;
    return context.json({ status: "ok" });
  });
  server.get("/healthz", () => lives());
  server.get("/readyz", () => readiness("ready"));
}

/** The answer given in the application's place: none while it serves, and only for /readyz while it leaves. */
export function answerInStage(stage: Stage, { url }: Request): Response | null {
  if (stage === "serving") return null;
  const { pathname } = new URL(url);
  if (pathname === "/readyz") return readiness(stage);
  if (stage === "leaving") return null;
  if (pathname === "/healthz") return lives();
  const { body, message, status } = new Failure("overloaded", `The service is ${stage}. Please try again in a moment.`);
  const headers = { ...noStore, "Retry-After": "2", ...(stage === "stopping" && { Connection: "close" }) };
  // A caller of an operation reads JSON, and would be told that the answer is none.
  if (pathname.startsWith("/api/")) return Response.json(body, { status, headers });
  return new Response(message, { status, headers });
}

const lives = () => Response.json({ status: "alive" }, { headers: noStore });

const readiness = (status: string) =>
  Response.json({ status }, { status: status === "ready" ? 200 : 503, headers: noStore });
