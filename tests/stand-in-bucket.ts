import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import type { Env } from "../server/settings/env.ts";

/** An S3-compatible store in memory that can write, read and remove a single file. */
export interface StandInBucket {
  /** Settings with which a copy of the product reaches it. */
  s3: NonNullable<Env["s3"]>;
  /** Its files, by path. */
  kept: Map<string, Buffer>;
  seen: Pick<IncomingMessage, "method" | "url" | "headers">[];
  /** Every write in order, with the key id that signed it; includes writes that are on hold. */
  written: { by: string; path: string }[];
  /** Answers no write from now on, until `letGo`. */
  hold(): void;
  /** Completes the writes on hold, unless their sender has left. */
  letGo(): void;
  /** From now on sends files slowly: one byte at a time with a pause. */
  drip(): void;
  /** From now on answers everything with a web page, as the sign-in page of a network does. */
  greet(): void;
  stop(): Promise<void>;
}

export async function startBucket(): Promise<StandInBucket> {
  const kept: StandInBucket["kept"] = new Map();
  const seen: StandInBucket["seen"] = [];
  const written: StandInBucket["written"] = [];
  let [drips, greets] = [false, false];
  let gate = Promise.withResolvers<void>();
  gate.resolve();
  const write = async (request: IncomingMessage, answer: ServerResponse, path: string) => {
    const bytes = await buffer(request);
    written.push({ by: /Credential=([^/]+)\//.exec(request.headers.authorization ?? "")?.[1] ?? "", path });
    await gate.promise;
    if (answer.destroyed) return;
    kept.set(path, bytes);
    answer.end();
  };
  const server = createServer((request, answer) => {
    seen.push(request);
    const path = new URL(request.url ?? "", "http://bucket").pathname;
    if (greets)
      return request.resume().once("end", () => answer.setHeader("content-type", "text/html").end("<p>Sign in"));
    // A write begun by a killed sender comes to nothing.
    if (request.method === "PUT") return void write(request, answer, path).catch(() => answer.destroy());
    if (request.method === "DELETE") {
      kept.delete(path);
      return answer.writeHead(204).end();
    }
    const found = kept.get(path);
    if (found && drips) return void sendByDrops(answer, found);
    return answer.writeHead(found ? 200 : 404).end(found);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    s3: { endpoint, region: "ap-south-1", bucket: "proposals", accessKeyId: "key", secretAccessKey: "secret" },
    kept,
    seen,
    written,
    hold: () => (gate = Promise.withResolvers()),
    letGo: () => gate.resolve(),
    drip: () => (drips = true),
    greet: () => (greets = true),
    async stop() {
      gate.resolve();
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

async function sendByDrops(answer: ServerResponse, bytes: Buffer): Promise<void> {
  answer.writeHead(200, { "content-length": bytes.length });
  for (const byte of bytes) {
    if (answer.destroyed) return;
    answer.write(Buffer.of(byte));
    // oxlint-disable-next-line no-await-in-loop -- in sequence
    await sleep(50);
  }
}
