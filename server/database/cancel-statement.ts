import type { Socket } from "node:net";
import { Connection, type PoolClient } from "pg";

/** What pg knows of a connection since the server's greeting; its types don't. */
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
 * Ends what the server does for this connection. The protocol's own request needs no right and no session: it ends the
 * statement on a replica, and behind a pooler, which knows by whom it is worked on.
 */
export function cancelStatement(client: PoolClient): void {
  const { host, port, processID, secretKey } = client as PoolClient & Greeted;
  if (processID === null || secretKey === null) return;
  const canceller = new Connection() as Canceller;
  // Where it can't be sent, the statement is ended by its time limit.
  canceller.on("error", () => {});
  canceller.once("connect", () => canceller.cancel(processID, secretKey));
  const socket = canceller.stream as Socket;
  socket.setTimeout(connectMs, () => socket.destroy());
  if (host.startsWith("/")) canceller.connect(`${host}/.s.PGSQL.${port}`);
  else canceller.connect(port, host);
}
