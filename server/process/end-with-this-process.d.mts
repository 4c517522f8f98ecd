/**
 * Sends `signal` to a process of ours once this one is gone, however it went: a shell waits at a pipe that closes with us.
 * Answers what calls it off, for a process that has ended by itself. Windows has no such shell: there it does nothing.
 * @param user as whom the shell runs
 */
export function endWithThisProcess(
  pid: number | undefined,
  signal: NodeJS.Signals,
  user?: { uid?: number; gid?: number },
): () => void;
