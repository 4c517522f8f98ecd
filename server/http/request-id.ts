import type { MiddlewareHandler } from "hono";
import { randomUUID } from "node:crypto";
import { underRequestId } from "../failures/request-id.ts";

/** Any other value could inject lines into the log. */
const wellFormed = /^[\w.-]{8,64}$/;

/**
 * Gives each request an id, sent in the answer and written in each of its log lines. An id from our own proxy is kept;
 * one from a client is not believed.
 */
export function requestIds(trustedProxies: number): MiddlewareHandler {
  return (context, next) => {
    const given = trustedProxies > 0 ? context.req.header("x-request-id") : undefined;
    const id = given !== undefined && wellFormed.test(given) ? given : randomUUID();
    return underRequestId(id, async () => {
      await next();
      context.res.headers.set("X-Request-Id", id);
    });
  };
}
