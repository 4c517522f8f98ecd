import ipaddr from "ipaddr.js";
import { isIP } from "node:net";

/** Null for what is no IP address. IPv4 wrapped in IPv6 comes out as IPv4, and a zone (fe80::1%eth0) falls away. */
export function parseIpAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  // The library alone also takes 127.1 and 0x7f000001, which mean different hosts to different programs.
  if (isIP(text) === 0) return null;
  return ipaddr.process(text.replace(/%.*$/, ""));
}

/** Whether a host, as it stands in an address or in HOST, is this machine to itself. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, "$1");
  if (name === "localhost" || name.endsWith(".localhost")) return true;
  return parseIpAddress(name)?.range() === "loopback";
}
