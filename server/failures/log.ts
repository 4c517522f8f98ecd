import pino, { type DestinationStream, type Logger, type LoggerOptions } from "pino";
import { describeError } from "./describe-error.ts";
import type { Env } from "../settings/env.ts";
import { currentRequestId } from "./request-id.ts";

/** Never logged: secrets that people enter, and those that we hand out. */
const redact = ["password", "otp", "token", "authorization", "*.password", "*.otp", "*.token", "*.authorization"];

/** How many bytes are buffered for a reader that has stopped. */
const waitingMax = 4 * 1024 * 1024;
let standardOutput: DestinationStream | undefined;

/** Logs one JSON object per line; of errors, only what contains no personal values. */
export function openLog(env: Pick<Env, "logLevel">, destination?: DestinationStream): Logger {
  const options: LoggerOptions = {
    level: env.logLevel,
    redact,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describeError },
    mixin: () => {
      const requestId = currentRequestId();
      return requestId ? { requestId } : {};
    },
    hooks: {
      // An entry without its own text would get the error's message unfiltered.
      logMethod([given, ...rest], method) {
        const err: unknown = given instanceof Error ? given : (given as { err?: unknown } | null)?.err;
        if (err === undefined || rest.length > 0) method.call(this, given, ...rest);
        else method.call(this, given, describeError(err).message);
      },
    },
  };
  return pino(options, destination ?? (standardOutput ??= withoutWaiting(process.stdout)));
}

/** The part of a Node stream that is used. */
interface Output {
  readonly writableLength: number;
  on(event: "error", listener: () => void): unknown;
  write(text: string, done: (error?: Error | null) => void): unknown;
}

/**
 * Writes lines to an output whose reader may stop or end, or whose disk may fill up, without waiting or failing. Lines
 * that it does not take are dropped; the next line it takes says how many.
 */
export function withoutWaiting(output: Output): DestinationStream {
  let lost = 0;
  // Each write's callback handles its own failure.
  output.on("error", () => {});
  const write = (text: string, lines: number) =>
    output.write(text, (error) => {
      if (error) lost += lines;
    });
  return {
    write(line) {
      if (output.writableLength > waitingMax) {
        lost++;
        return;
      }
      // A failed line may have been written in part, without its line end.
      if (lost > 0) write(`\n${lostLines(lost)}\n`, lost);
      lost = 0;
      write(line, 1);
    },
  };
}

const lostLines = (lines: number) =>
  JSON.stringify({
    level: pino.levels.values["warn"],
    time: new Date().toISOString(),
    lines,
    msg: "lines of this log were lost, as its output took none",
  });
