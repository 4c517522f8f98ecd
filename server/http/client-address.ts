import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import { parseIpAddress } from "../settings/ip-address.ts";

/**
 * Address of the client. With `trustedProxies` in front, X-Forwarded-For is read from its right end,
 * one entry a proxy: what a client writes there itself is further left and never believed.
 */
export function clientAddress(context: Context, trustedProxies: number): string {
  const direct = socketAddress(context);
  if (trustedProxies === 0) return direct;
  const entries = (context.req.header("x-forwarded-for") ?? "").split(",");
  return forwardedAddress(entries.at(-trustedProxies) ?? "") ?? direct;
}

/** Some proxies add the client's port; it differs from connection to connection, so it must not count. */
function forwardedAddress(entry: string): string | null {
  const text = entry.trim().replace(/^"(.*)"$/, "$1");
  const host = /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  return parseIpAddress(host)?.toString() ?? null;
}

const addressOfSocket = new WeakMap<object, string>();

/** Worked out once for each connection, as many requests come by one. */
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
