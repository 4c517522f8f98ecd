import { StartRefused } from "./env.ts";
import { Failure } from "./errors.ts";

/** Runs a command of package.json to its end; what went wrong is told in a sentence, and the exit code is 1. */
export function runCommand(command: () => Promise<void>): void {
  command().catch((error: unknown) => {
    console.error(isTold(error) ? error.message : error);
    process.exitCode = 1;
  });
}

/** Refusals, and what the system says of files and disks. */
function isTold(error: unknown): error is Error {
  return error instanceof StartRefused || error instanceof Failure || (error instanceof Error && "syscall" in error);
}
