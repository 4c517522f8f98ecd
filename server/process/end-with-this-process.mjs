import { spawn } from "node:child_process";

// Its types and what it does are in end-with-this-process.d.mts, as scripts/run.mjs runs without a build.
export function endWithThisProcess(signal, begin, user = {}) {
  if (process.platform === "win32") return begin();
  const guard = spawn("sh", ["-c", 'read -r begun && { read -r ended || kill -s "$0" "$begun"; }', signal.slice(3)], {
    ...user,
    // A group of its own, so that Ctrl+C and a terminal that closes leave it at its post; no folder is kept in use.
    detached: true,
    cwd: "/",
    stdio: ["pipe", "ignore", "ignore"],
  });
  // Without a shell there is no guard; the next start still ends what was left.
  guard.on("error", () => {});
  guard.stdin.on("error", () => {});
  guard.unref();
  guard.stdin.unref?.();
  const begun = begin();
  if (begun.pid === undefined) guard.stdin.end();
  else guard.stdin.write(`${begun.pid}\n`);
  begun.once("exit", () => guard.stdin.end("ended\n"));
  return begun;
}
