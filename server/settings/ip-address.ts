import ipaddr from "ipaddr.js";
import { isIP } from "node:net";

/** Null for text that is no IP address. IPv4 in IPv6 becomes IPv4, and a zone (fe80::1%eth0) is dropped. */
export function parseIpAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  // The library also accepts 127.1 and 0x7f000001, which different programs take for different hosts.
  if (isIP(text) === 0) return null;
  return ipaddr.process(text.replace(/%.*$/, ""));
}

/** Whether a host, as in an address or in HOST, means this machine itself. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, "$1");
  if (name === "localhost" || name.endsWith(".localhost")) return true;
  return parseIpAddress(name)?.range() === "loopback";
}
