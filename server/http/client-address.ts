import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import { parseIpAddress } from "../settings/ip-address.ts";

/**
 * The client's address. With `trustedProxies` in front, the X-Forwarded-For entry at that position from the right, one
 * per proxy: what a client writes itself is further left and never believed.
 */
export function clientAddress(context: Context, trustedProxies: number): string {
  const direct = socketAddress(context);
  if (trustedProxies === 0) return direct;
  const entries = (context.req.header("x-forwarded-for") ?? "").split(",");
  return forwardedAddress(entries.at(-trustedProxies) ?? "") ?? direct;
}

/** Drops the port that some proxies add: it differs between connections and must not count. */
function forwardedAddress(entry: string): string | null {
  const text = entry.trim().replace(/^"(.*)"$/, "$1");
  const host = /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  return parseIpAddress(host)?.toString() ?? null;
}

const addressOfSocket = new WeakMap<object, string>();

/** Computed once per connection, which carries many requests. */
function socketAddress(context: Context): string {
  const socket = (context.env as Partial<HttpBindings>).incoming?.socket;
  if (!socket) return "unknown"; // a request made in memory has none
  const known = addressOfSocket.get(socket);
  if (known !== undefined) return known;
  const { remoteAddress = "unknown" } = socket;
  const address = parseIpAddress(remoteAddress)?.toString() ?? remoteAddress;
  addressOfSocket.set(socket, address);
  return address;
}
