import type { Hono } from "hono";
import type { Services } from "../services.ts";

/** What the process is doing: before and after it serves there is no application to ask. */
export type Stage = "starting" | "serving" | "leaving" | "stopping";

const noStore = { "Cache-Control": "no-store" };

/**
 * /healthz: the process answers. /readyz: it may get requests. /health: the database answers a query.
 * Readiness asks for no database: all copies share one, and would all be taken out with it, kept pages and 503 alike.
 */
export function mountProbes(server: Hono, { database }: Services): void {
  let asked: Promise<unknown> | null = null;
  server.get("/health", async (context) => {
    // All who ask meanwhile are told by the same answer: strangers' calls take one connection, however many come.
    asked ??= database.$client.query("select 1").finally(() => (asked = null));
    await asked;
    return context.json({ status: "ok" });
  });
  server.get("/healthz", () => lives());
  server.get("/readyz", () => readiness("ready"));
}

/** What is answered in the application's place: nothing while it serves, and only about readiness while it leaves. */
export function answerInStage(stage: Stage, { url }: Request): Response | null {
  if (stage === "serving") return null;
  const { pathname } = new URL(url);
  if (pathname === "/readyz") return readiness(stage);
  if (stage === "leaving") return null;
  if (pathname === "/healthz") return lives();
  return new Response(`The service is ${stage}. Please try again in a moment.`, {
    status: 503,
    headers: { "Retry-After": "2", ...(stage === "stopping" && { Connection: "close" }) },
  });
}

const lives = () => Response.json({ status: "alive" }, { headers: noStore });

const readiness = (status: string) =>
  Response.json({ status }, { status: status === "ready" ? 200 : 503, headers: noStore });
