import { connect, createServer, type Socket } from "node:net";

/** A network path to a server, which fails as networks do. */
export interface Link {
  port: number;
  /**
   * Nothing passes any more, in either direction and without an error; new connections are accepted and lead nowhere.
   */
  freeze(): void;
  /** Lets through what was held back. */
  thaw(): void;
  /** Like a restarted firewall: existing connections never pass anything again; new ones work. */
  forget(): void;
  /** Connections end at once, as when a machine between them restarts; new ones work. */
  cut(): void;
  close(): void;
}

/** Opens a port on this machine, `nearPort` or any free one, that leads to `host`:`port`. */
export async function openLink(host: string, port: number, nearPort = 0): Promise<Link> {
  const pairs = new Set<[Socket, Socket]>();
  let frozen = false;
  const server = createServer((near) => {
    const far = connect(port, host);
    const pair: [Socket, Socket] = [near, far];
    pairs.add(pair);
    near.pipe(far).pipe(near);
    for (const [side, other] of [pair, pair.toReversed() as typeof pair]) {
      side.on("error", () => other.destroy());
      side.on("close", () => {
        other.destroy();
        pairs.delete(pair);
      });
    }
    if (frozen) hold(pair);
  });
  await new Promise<void>((ready) => server.listen(nearPort, "127.0.0.1", ready));
  const cut = () => pairs.forEach(([near]) => near.destroy());
  return {
    port: (server.address() as { port: number }).port,
    freeze() {
      frozen = true;
      pairs.forEach(hold);
    },
    thaw() {
      frozen = false;
      for (const [near, far] of pairs) near.pipe(far).pipe(near);
    },
    forget() {
      pairs.forEach(hold);
      pairs.clear();
    },
    cut,
    close() {
      cut();
      server.close();
    },
  };
}

function hold([near, far]: [Socket, Socket]): void {
  for (const side of [near, far]) side.unpipe().pause();
}
