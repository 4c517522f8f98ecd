import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { parseIpAddress } from "../../settings/ip-address.ts";
import { EngineFailure } from "./engine-failure.ts";

/** Which addresses a binding may resolve to. */
export interface AddressRules {
  /** ENGINES_ALLOW_PRIVATE: also allows the operator's private networks, this machine included, and plain HTTP. */
  allowPrivate: boolean;
}

export interface ResolvedAddress {
  address: string;
  family: number;
}
export type Resolve = (host: string) => Promise<ResolvedAddress[]>;

export const resolveBySystem: Resolve = (host) => lookup(host, { all: true, verbatim: true });

const ownNetworks = new Set(["private", "uniqueLocal", "carrierGradeNat", "loopback"]);

/**
 * Cloud metadata services, which hand out a machine's secrets. Some lie in ranges that could also be an operator's own
 * network.
 */
const metadata = new Set(["fd00:ec2::254", "fd20:ce::254", "100.100.100.200", "168.63.129.16", "192.0.0.192"]);

/**
 * The addresses of a host, all of which passed the rules: the caller must connect to these and no others.
 * @throws EngineFailure when the scheme or one of the addresses is not allowed, or the host has no address
 */
export async function resolveSafely(url: URL, rules: AddressRules, resolve: Resolve): Promise<ResolvedAddress[]> {
  if (url.protocol !== "https:" && !(url.protocol === "http:" && rules.allowPrivate))
    throw new EngineFailure("address", "The address must begin with https://.");
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const addresses = isIP(host) ? [{ address: host, family: isIP(host) }] : await resolveName(host, resolve);
  for (const { address } of addresses) refuseUnsafe(host, address, rules);
  return addresses;
}

async function resolveName(host: string, resolve: Resolve): Promise<ResolvedAddress[]> {
  const addresses = await resolve(host).catch(() => []);
  if (addresses.length === 0)
    throw new EngineFailure("unreachable", `The name ${host} has no address. Check how it is written, and the DNS.`);
  return addresses;
}

function refuseUnsafe(host: string, address: string, { allowPrivate }: AddressRules): void {
  const parsed = parseIpAddress(address);
  const range = parsed?.range() ?? "no address";
  if (parsed && range === "unicast" && !metadata.has(parsed.toString())) return;
  if (!parsed || !ownNetworks.has(range) || metadata.has(parsed.toString()))
    throw new EngineFailure("address", `${host} leads to ${address}, which no engine may have.`);
  if (!allowPrivate)
    throw new EngineFailure(
      "address",
      `${host} leads to ${address}, into a private network. The operator allows that with ENGINES_ALLOW_PRIVATE=1.`,
    );
}
