import { Hono } from "hono";
import { expect, test } from "vitest";
import { startTestServer } from "../../tests/harness.ts";
import { clientAddress } from "./client-address.ts";
import { rules } from "../protection/limiter.ts";

/** The client address that the server derives when it is reached from `direct` with this header. */
async function addressFor(forwarded: string | null, trustedProxies: number, direct = "10.0.0.1"): Promise<string> {
  const server = new Hono().get("/", (context) => context.text(clientAddress(context, trustedProxies)));
  const incoming = { socket: { remoteAddress: direct, remotePort: 4711, remoteFamily: "IPv4" } };
  const headers = new Headers(forwarded === null ? [] : [["x-forwarded-for", forwarded]]);
  return (await server.request("/", { headers }, { incoming })).text();
}

test.each([
  ["9.9.9.9", "9.9.9.9"],
  ["9.9.9.9:4711", "9.9.9.9"],
  [" 9.9.9.9:0 ", "9.9.9.9"],
  ['"9.9.9.9:4711"', "9.9.9.9"],
  ["2001:db8::1", "2001:db8::1"],
  ["[2001:db8::1]:443", "2001:db8::1"],
  ["[2001:db8::1]", "2001:db8::1"],
  ['"[2001:DB8:0:0::1]:443"', "2001:db8::1"],
  ["::ffff:9.9.9.9", "9.9.9.9"],
  ["[::ffff:909:909]:80", "9.9.9.9"],
  ["fe80::1%eth0", "fe80::1"],
])("behind one proxy %j is the client %s, whatever its port and spelling", async (entry, address) => {
  expect(await addressFor(`6.6.6.6, ${entry}`, 1)).toBe(address);
});

test.each([
  "",
  "unknown",
  "_hidden",
  "evil.example",
  "9.9.9",
  "0x09.9.9.9",
  "09.9.9.9",
  "9.9.9.9:port",
  "9.9.9.9:80:80",
  "[9.9.9.9",
  "2001:db8::1::2",
  "[2001:db8::1]443",
  "<script>",
  "9.9.9.9,",
])("behind one proxy %j is no address: the proxy's own counts", async (entry) => {
  expect(await addressFor(entry, 1)).toBe("10.0.0.1");
});

test("what a client writes itself is never believed", async () => {
  expect(await addressFor("6.6.6.6, 9.9.9.9", 0)).toBe("10.0.0.1");
  expect(await addressFor("6.6.6.6, 9.9.9.9, 10.0.0.2", 2)).toBe("9.9.9.9");
  expect(await addressFor("9.9.9.9", 2)).toBe("10.0.0.1");
  expect(await addressFor(null, 1)).toBe("10.0.0.1");
});

test("an IPv4 client of a server that listens on IPv6 is the same client", async () => {
  expect(await addressFor(null, 0, "::ffff:9.9.9.9")).toBe("9.9.9.9");
});

test("a client that changes its port, as each connection does, does not escape a limit", async () => {
  const server = await startTestServer({ env: { trustProxy: 1 }, work: false });
  const lead = { userName: "Asha Rao", phone: "9876543210", organization: "Kaveri Textiles", organizationSize: 120 };
  const from = (forwarded: string, call: number) =>
    server.send("contact", { ...lead, userEmail: `asha-${call}@example.in`, message: "Please call." }, undefined, {
      "x-forwarded-for": forwarded,
    });
  for (const spelling of [(port: number) => `9.9.9.9:${port}`, (port: number) => `[2001:db8::1]:${port}`]) {
    const statuses: number[] = [];
    for (let call = 0; call <= rules.contactByAddress.points; call++)
      statuses.push((await from(spelling(4000 + call), call)).status);
    expect(statuses.at(-1)).toBe(429);
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  }
  await server.stop();
});
