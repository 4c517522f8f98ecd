import type { MiddlewareHandler } from "hono";
import { currentRequestId } from "../failures/request-id.ts";
import { inSpan, isTracing } from "../tracing/span.ts";

/**
 * Creates a span for each request, named by the operation and not by the address, which may contain an e-mail address.
 * A traceparent header is only believed from our own proxy.
 */
export function traceRequests(trustedProxies: number): MiddlewareHandler {
  return (context, next) => {
    if (!isTracing()) return next();
    const { method } = context.req;
    const traceparent = trustedProxies > 0 ? context.req.header("traceparent") : undefined;
    const attributes = { "http.request.method": method, "prahari.request_id": currentRequestId() ?? "" };
    return inSpan(
      { name: method, kind: "server", attributes, ...(traceparent && { within: { traceparent } }) },
      async (tell) => {
        await next();
        const operation = context.get("operation") as string | undefined;
        tell({
          "http.response.status_code": context.res.status,
          ...(operation && { "http.route": `/api/${operation}` }),
        });
      },
    );
  };
}
