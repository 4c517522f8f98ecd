import type { MiddlewareHandler } from "hono";
import { randomUUID } from "node:crypto";
import { underRequestId } from "../failures/request-id.ts";

/** Anything else could write lines of its own into a log. */
const wellFormed = /^[\w.-]{8,64}$/;

/**
 * Gives each request an id, which its answer tells and each of its log lines carries.
 * One that a proxy of ours gave is kept; a client's own is not believed.
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
