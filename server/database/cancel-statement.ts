import type { Socket } from "node:net";
import { Connection, type PoolClient } from "pg";

/** Fields that pg sets when the server greets; its types lack them. */
interface Greeted {
  host: string;
  port: number;
  processID: number | null;
  secretKey: number | null;
}

type Canceller = Connection & {
  connect(port: number | string, host?: string): void;
  cancel(processId: number, secretKey: number): void;
};

const connectMs = 2000;

/**
 * Cancels the statement that runs on this connection. A cancel request of PostgreSQL's protocol needs neither rights
 * nor a session, and also works on a replica and through a pooler, which forwards it to the right server process.
 */
export function cancelStatement(client: PoolClient): void {
  const { host, port, processID, secretKey } = client as PoolClient & Greeted;
  if (processID === null || secretKey === null) return;
  const canceller = new Connection() as Canceller;
  // If it can't be sent, the statement ends at its own time limit.
  canceller.on("error", () => {});
  canceller.once("connect", () => canceller.cancel(processID, secretKey));
  const socket = canceller.stream as Socket;
  socket.setTimeout(connectMs, () => socket.destroy());
  if (host.startsWith("/")) canceller.connect(`${host}/.s.PGSQL.${port}`);
  else canceller.connect(port, host);
}
