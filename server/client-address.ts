import { getConnInfo } from "@hono/node-server/conninfo";
import type { Context } from "hono";

/**
 * Address of the client. With `trustedProxies` in front, X-Forwarded-For is read from its right end,
 * one entry a proxy: what a client writes there itself is further left and never believed.
 */
export function clientAddress(context: Context, trustedProxies: number): string {
  const direct = socketAddress(context);
  if (trustedProxies === 0) return direct;
  const forwarded = (context.req.header("x-forwarded-for") ?? "").split(",").map((entry) => entry.trim());
  return forwarded.at(-trustedProxies) || direct;
}

function socketAddress(context: Context): string {
  try {
    return getConnInfo(context).remote.address ?? "unknown";
  } catch {
    return "unknown"; // a request made in memory has no socket
  }
}
