import pino, { type DestinationStream, type Logger, type LoggerOptions } from "pino";
import { describeError } from "./describe-error.ts";
import type { Env } from "../settings/env.ts";
import { currentRequestId } from "./request-id.ts";

/** Never in the log: what a person types as a secret, and what we hand out as one. */
const redact = ["password", "otp", "token", "authorization", "*.password", "*.otp", "*.token", "*.authorization"];

/** So many bytes wait for a reader that has stopped. */
const waitingMax = 4 * 1024 * 1024;
let standardOutput: DestinationStream | undefined;

/** One JSON object a line; of errors only what holds no value from people. */
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
      // An entry without a text of its own would get the error's message as it is.
      logMethod([given, ...rest], method) {
        const err: unknown = given instanceof Error ? given : (given as { err?: unknown } | null)?.err;
        if (err === undefined || rest.length > 0) method.call(this, given, ...rest);
        else method.call(this, given, describeError(err).message);
      },
    },
  };
  return pino(options, destination ?? (standardOutput ??= withoutWaiting(process.stdout)));
}

/** What is used of a stream of Node. */
interface Output {
  readonly writableLength: number;
  on(event: "error", listener: () => void): unknown;
  write(text: string, done: (error?: Error | null) => void): unknown;
}

/**
 * Lines for an output whose reader may stop or end, or whose disk may fill up: nothing waits or fails for that. What it does
 * not take is left out, and how many lines those are is the first that it takes again.
 */
export function withoutWaiting(output: Output): DestinationStream {
  let lost = 0;
  // Each write hears of its own failure.
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
      // Of a line that failed a part may stand there, without its end.
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
