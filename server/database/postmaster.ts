import { spawn } from "node:child_process";
import { createServer } from "node:net";
import { StartRefused } from "../settings/env.ts";
import { endWithThisProcess } from "../process/end-with-this-process.mjs";
import type { Cluster } from "./cluster.ts";

/** One run of PostgreSQL, from its start to its end. */
export interface Postmaster {
  /** Fulfilled once it has ended, however it did, with why. */
  ended: Promise<string>;
  /** Shuts it down after its open transactions were rolled back. */
  stop(): Promise<void>;
}

const settings = ["listen_addresses=127.0.0.1", "unix_socket_directories="];

/** Each process opens so many at most (docs/scale.md), and commands and people some more. */
const connectionsFor = (processes: number) => Math.max(200, 31 * processes + 20);

/** Starts PostgreSQL for so many of our processes and waits until it takes connections, during which `meanwhile` is done; it ends with this process. @throws StartRefused */
export async function startPostmaster(
  { postgres, folder, runner }: Cluster,
  port: number,
  processes: number,
  meanwhile = () => {},
): Promise<Postmaster> {
  const given = [...settings, `max_connections=${connectionsFor(processes)}`];
  const server = spawn(
    postgres,
    ["-D", folder, "-p", String(port), ...given.flatMap((setting) => ["-c", setting])],
    // A process group of its own, so that Ctrl+C reaches the server first and lets requests in flight finish.
    { ...runner, detached: true, cwd: folder, stdio: ["ignore", "ignore", "pipe"] },
  );
  const release = endWithThisProcess(server.pid, "SIGINT", runner);
  let said = "";
  const ended = new Promise<string>((done) => {
    server.once("error", (error) => done(error.message));
    server.once("exit", (_code, signal) => {
      if (signal) return done(signal);
      const tell = () => done(reasonIn(said));
      // Its last line comes before its output closes, which those of its processes that live on may hold open.
      server.once("close", tell);
      setTimeout(tell, 500).unref();
    });
  }).finally(release);
  const ready = new Promise<true>((done) => {
    server.stderr.on("data", (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-4000);
      if (said.includes("ready to accept connections")) done(true);
    });
  });
  meanwhile();
  const outcome = await Promise.race([ready, ended]);
  if (outcome !== true) throw new StartRefused(`PostgreSQL could not be started: ${outcome}`);
  return {
    ended,
    async stop() {
      server.kill("SIGINT");
      await ended;
    },
  };
}

/** Its last line may only say that it is down now: why stands before. Sessions that it ends have a line for each. */
function reasonIn(said: string): string {
  const lines = said.trim().split("\n");
  const isReason = (line: string) => /(FATAL|PANIC): /.test(line) && !line.includes("terminating connection");
  return lines.findLast(isReason) ?? lines.at(-1) ?? "";
}

export function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const probe = createServer().once("error", fail);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => done(typeof address === "object" && address ? address.port : 0));
    });
  });
}
