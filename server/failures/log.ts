import pino, { type DestinationStream, type Logger, type LoggerOptions } from "pino";
import { describeError } from "./describe-error.ts";
import type { Env } from "../settings/env.ts";
import { currentRequestId } from "./request-id.ts";

/** Never in the log: what a person types as a secret, and what we hand out as one. */
const redact = ["password", "otp", "token", "authorization", "*.password", "*.otp", "*.token", "*.authorization"];

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
  return destination ? pino(options, destination) : pino(options);
}
