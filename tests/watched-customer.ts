import type { EngineKind } from "../contract/engine-kinds.ts";
import { pollEngine } from "../server/engines/poll.ts";
import { again } from "./contract.ts";
import type { TestServer } from "./harness.ts";
import { listeningEngine } from "./listening-engine.ts";
import { insertOrder } from "./paid-order.ts";
import { member } from "./people.ts";

export const serverType = { service: "Server", deviceType: "Prod Server" };
export const firewallType = { service: "Network & Security Solutions", deviceType: "Firewall" };

/**
 * A customer with a paid order of 10 servers and 2 firewalls, and a stand-in engine with 40 devices that was polled
 * once: 12 servers, 4 firewalls of which 2 are silent, and 24 devices that match no rule. The rules are the customer's
 * own, so that tests do not collide in the shared ones.
 */
export async function watchedCustomer(server: TestServer, over: { partnerId?: string } = {}) {
  const admin = await member(server, "admin");
  const customer = await member(server, "user", over);
  const { email } = customer;
  await insertOrder(server, customer);
  const kind: EngineKind = "wazuh4";
  const engine = await listeningEngine(server, kind);
  const manage = (name: string, input: object) => server.send(`admin/${name}`, { email, ...input }, admin.token);
  const { body } = await manage("engines/post", engine.input);
  const poll = () => pollEngine(server.services, String(body["id"]));
  await poll();
  await manage("coverage/rules/save", { kind: "name", pattern: "srv-*", ...serverType });
  await manage("coverage/rules/save", { kind: "name", pattern: "fw-*", ...firewallType });
  // Tests turn the clock by days, and sessions expire.
  const token = async () => (await again(server, customer)).token;
  return {
    ...engine,
    customer,
    admin,
    manage,
    poll,
    coverage: async () => (await server.call("user/coverage", {}, await token())).body,
    devices: async (query: object) =>
      (await server.call("user/coverage/devices", { limit: 100, ...query }, await token())).body.devices,
    decide: (ids: string[], decision: object) => manage("coverage/devices/decide", { ids, decision }),
    rules: async () => (await server.call("admin/coverage/rules", { email }, admin.token)).body,
  };
}
