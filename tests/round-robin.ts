import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** A load balancer without sticky sessions: each request goes to the next copy, past those that refuse the connection. */
export interface RoundRobin {
  url: string;
  /** The copies that it passes requests on to; more may be added later. */
  copies: string[];
  stop(): Promise<void>;
}

export async function startRoundRobin(): Promise<RoundRobin> {
  const copies: string[] = [];
  let turn = 0;
  const passToNext = async (asked: IncomingMessage, answer: ServerResponse) => {
    const body = await buffer(asked);
    for (let tries = 0; tries < copies.length; tries++) {
      const copy = copies[turn++ % copies.length] ?? "";
      // oxlint-disable-next-line no-await-in-loop -- the next copy is asked when this one refuses
      if (await passOn(copy, asked, body, answer)) return;
    }
    answer.writeHead(502).end();
  };
  const server = createServer((asked, answer) => void passToNext(asked, answer).catch(() => answer.destroy()));
  // Never closes an idle connection just as the next call is sent on it: that call would fail, as no real person's
  // does.
  server.keepAliveTimeout = 0;
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    copies,
    async stop() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** Answers false when the copy refused the connection; a copy that breaks off half-way breaks off the response too. */
function passOn(copy: string, asked: IncomingMessage, body: Buffer, answer: ServerResponse): Promise<boolean> {
  const { method, url = "/", socket } = asked;
  const cameBy = [asked.headers["x-forwarded-for"], socket.remoteAddress].filter((address) => address !== undefined);
  const headers = { ...asked.headers, "x-forwarded-for": cameBy.join(", ") };
  return new Promise((done) => {
    const passed = request(new URL(url, copy), { method, headers }, (answered) => {
      answer.writeHead(answered.statusCode ?? 502, answered.headers);
      answered.pipe(answer);
      answered.on("error", () => answer.destroy());
      done(true);
    });
    passed.on("error", (error: NodeJS.ErrnoException) => {
      const isRefused = error.code === "ECONNREFUSED";
      if (!isRefused) answer.destroy();
      done(!isRefused);
    });
    passed.end(body);
  });
}
