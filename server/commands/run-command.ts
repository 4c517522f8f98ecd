import { describeError, summariseError } from "../failures/describe-error.ts";
import { causesOf } from "../failures/outage.ts";
import { StartRefused } from "../settings/env.ts";
import { Failure } from "../failures/failure.ts";

/** Runs a command of package.json; an error is printed as one sentence, with exit code 1. */
export function runCommand(command: () => Promise<void>): void {
  command().catch((error: unknown) => {
    if (isOfStore(error)) console.error(`The file store failed: ${summariseError(error)}.`);
    else console.error(isTold(error) ? error.message : describeError(error));
    process.exitCode = 1;
  });
}

/**
 * Errors of the file store: the S3 client keeps the response's status, and flydrive in front of it has its own codes.
 */
const isOfStore = (error: unknown): boolean =>
  causesOf(error).some(
    ({ code, $metadata }) => $metadata?.httpStatusCode || (typeof code === "string" && code.startsWith("E_CANNOT_")),
  );

/** Errors whose message suits the user: refusals, and those of files, disks and the database. */
function isTold(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const isFromOutside = "syscall" in error || "severity" in error || error.message.startsWith("Connection terminated");
  return error instanceof StartRefused || error instanceof Failure || isFromOutside;
}
