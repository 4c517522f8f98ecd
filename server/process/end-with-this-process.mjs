import { spawn } from "node:child_process";

/**
 * Sends `signal` to a process of ours once this one is gone, however it went: a shell waits at a pipe that closes with us.
 * Answers what calls it off, for a process that has ended by itself. Windows has no such shell: there it does nothing.
 * @param {number | undefined} pid
 * @param {NodeJS.Signals} signal
 * @param {{ uid?: number, gid?: number }} user as whom the shell runs
 * @returns {() => void}
 */
export function endWithThisProcess(pid, signal, user = {}) {
  if (process.platform === "win32" || pid === undefined) return () => {};
  const guard = spawn("sh", ["-c", 'read -r ended || kill -s "$1" "$0"', String(pid), signal.slice(3)], {
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
  return () => guard.stdin.end("ended\n");
}
