import type { Hono, MiddlewareHandler } from "hono";
import { Failure } from "../failures/failure.ts";
import { openMetrics } from "../metrics/metrics.ts";
import { metricsContentType, tellMetrics } from "../metrics/tell-metrics.ts";
import { isSameSecret } from "../protection/is-same-secret.ts";
import type { Services } from "../services.ts";

declare module "hono" {
  interface ContextVariableMap {
    /** The request's operation, under which the metrics count it. */
    operation: string;
  }
}

/** Counts requests and serves /metrics to callers with the token; does neither without a METRICS_TOKEN. */
export function mountMetrics(server: Hono, services: Services): void {
  const { metricsToken } = services.env;
  if (metricsToken === null) return;
  const metrics = openMetrics(services);
  const tell = tellMetrics(metrics.registry);
  server.use(counting(metrics.countRequest));
  server.get("/metrics", async (context) => {
    context.set("operation", "metrics");
    if (!isSameSecret(context.req.header("authorization") ?? "", `Bearer ${metricsToken}`))
      throw new Failure("unauthenticated", "This address takes the token of METRICS_TOKEN.");
    return context.body(await tell(), 200, { "Content-Type": metricsContentType, "Cache-Control": "no-store" });
  });
}

function counting(count: ReturnType<typeof openMetrics>["countRequest"]): MiddlewareHandler {
  return async (context, next) => {
    const from = performance.now();
    await next();
    const operation = context.get("operation") ?? kindOf(context.req.path);
    count(operation, context.res.status, performance.now() - from);
  };
}

/** Names for requests outside the contract: few, whatever paths strangers make up. */
function kindOf(path: string): string {
  if (path.startsWith("/api/payments/")) return "payment message";
  if (path.startsWith("/api/")) return "other API";
  if (path.startsWith("/assets/")) return "asset";
  return /^\/(healthz|readyz|health)$/.test(path) ? "probe" : "page";
}
