import { spawn } from "node:child_process";
import { createServer } from "node:net";
import { StartRefused } from "../settings/env.ts";
import { endWithThisProcess } from "../process/end-with-this-process.mjs";
import type { Cluster } from "./cluster.ts";

/** One run of PostgreSQL, from its start to its end. */
export interface Postmaster {
  /** Resolves with the reason once it has ended, for whatever cause. */
  ended: Promise<string>;
  /** Rolls back open transactions and shuts it down. */
  stop(): Promise<void>;
}

const settings = ["listen_addresses=127.0.0.1", "unix_socket_directories="];

/** Each process opens at most 31 (docs/scale.md); commands and people need some more. */
const connectionsFor = (processes: number) => Math.max(200, 31 * processes + 20);

/**
 * Starts PostgreSQL for this many of our processes and waits until it accepts connections, running `meanwhile` in
 * between. It ends with this process.
 * @throws StartRefused
 */
export async function startPostmaster(
  { postgres, folder, runner }: Cluster,
  port: number,
  processes: number,
  meanwhile = () => {},
): Promise<Postmaster> {
  const given = [...settings, `max_connections=${connectionsFor(processes)}`];
  const args = ["-D", folder, "-p", String(port), ...given.flatMap((setting) => ["-c", setting])];
  // In a process group of its own, so that Ctrl+C reaches only the product, which can finish its requests first.
  const begin = () =>
    spawn(postgres, args, { ...runner, detached: true, cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  const server = endWithThisProcess("SIGINT", begin, runner);
  let said = "";
  const ended = new Promise<string>((done) => {
    server.once("error", (error) => done(error.message));
    server.once("exit", (_code, signal) => {
      if (signal) return done(signal);
      const tell = () => done(reasonIn(said));
      // Its last line comes before its output closes; child processes that live on may keep the output open.
      server.once("close", tell);
      setTimeout(tell, 500).unref();
    });
  });
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

/**
 * The last line may only say that it has shut down; the reason comes before. Each session that it ends has a line, too.
 */
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
