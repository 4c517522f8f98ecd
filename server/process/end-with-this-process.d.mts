import type { ChildProcess } from "node:child_process";

/**
 * Begins a process of ours that gets `signal` once this one is gone, however it went: a shell waits at a pipe that
 * closes with us. The shell is there first, as this process may end while the other begins. Windows has no such shell:
 * there the process is left.
 * @param user as whom the shell runs
 */
export function endWithThisProcess<Child extends ChildProcess>(
  signal: NodeJS.Signals,
  begin: () => Child,
  user?: { uid?: number; gid?: number },
): Child;
