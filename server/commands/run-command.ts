import { describeError, summariseError } from "../failures/describe-error.ts";
import { causesOf } from "../failures/outage.ts";
import { StartRefused } from "../settings/env.ts";
import { Failure } from "../failures/failure.ts";

/** Runs a command of package.json to its end; what went wrong is told in a sentence, and the exit code is 1. */
export function runCommand(command: () => Promise<void>): void {
  command().catch((error: unknown) => {
    if (isOfStore(error)) console.error(`The file store failed: ${summariseError(error)}.`);
    else console.error(isTold(error) ? error.message : describeError(error));
    process.exitCode = 1;
  });
}

/** What a folder or an S3-compatible store fails with: its client keeps the answer's status, and the disk before it has codes. */
const isOfStore = (error: unknown): boolean =>
  causesOf(error).some(
    ({ code, $metadata }) => $metadata?.httpStatusCode || (typeof code === "string" && code.startsWith("E_CANNOT_")),
  );

/** Refusals, and what the system says of files and disks, and the database of what it was asked. */
function isTold(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const isFromOutside = "syscall" in error || "severity" in error || error.message.startsWith("Connection terminated");
  return error instanceof StartRefused || error instanceof Failure || isFromOutside;
}
