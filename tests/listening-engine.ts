import { createAdaptorServer } from "@hono/node-server";
import type { AddressInfo } from "node:net";
import type { EngineKind } from "../contract/engine-kinds.ts";
import { openStandIn, standInBinding } from "../server/demo/engines/stand-ins.ts";

/**
 * A stand-in for an engine at an address of its own, on the server's clock. It listens as long as its process runs: a
 * port that was released could go to the next stand-in, to which another test's customer would then be bound.
 */
export async function listeningEngine(server: { services: { now(): Date } }, kind: EngineKind, size?: number) {
  const standIn = openStandIn(kind, { now: () => server.services.now(), ...(size && { size }) });
  const http = createAdaptorServer({ fetch: standIn.app.fetch });
  await new Promise<void>((ready) => http.listen(0, "127.0.0.1", ready));
  http.unref();
  const { port } = http.address() as AddressInfo;
  return { ...standIn, input: standInBinding(kind, `http://127.0.0.1:${port}`) };
}
