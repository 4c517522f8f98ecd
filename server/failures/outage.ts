import type { Logger } from "pino";

/**
 * PostgreSQL's codes for problems that pass or that an operator solves: connection and sign-in (08, 28, 3D000), a
 * transaction that conflicted with another or was cut off (25P02, 25P03, 40001, 40P01, 55P03), a standby (25006),
 * resources and disk (53), a statement's time limit (57014), stops and starts (57P), input and output (58).
 */
const ofPostgres = /^(08...|28...|3D000|25P0[23]|25006|40001|40P01|53...|55P03|57014|57P..|58...)$/;
/** The same for the network and the file system, by Node's names; UND_ERR is from its HTTP client. */
const ofSystem =
  /^(ECONN(REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|E(HOST|NET)(UNREACH|DOWN)|EADDRNOTAVAIL|EAI_AGAIN|ENOTFOUND|ENOSPC|EDQUOT|E[MN]FILE|EIO|EROFS|ENOMEM|UND_ERR_\w+)$/;
/** Messages without a code: of pg, of our own pool, and of the S3 client when the store hangs. */
const ofDriver =
  /^(@smithy\/node-http-handler - the request socket (timed out|did not establish a connection)|The database (does not answer|pool was closed)|timeout exceeded when trying to connect|timeout expired|Connection terminated|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end)/;

export interface ErrorLike {
  message: string;
  code?: unknown;
  cause?: unknown;
  errors?: unknown;
  $metadata?: { httpStatusCode?: number };
}

/**
 * Whether the error is an outage of something we depend on: worth a retry later, and the fault of neither the request
 * nor the code.
 */
export function isOutage(thrown: unknown): boolean {
  return outageIn(thrown) !== undefined;
}

/** The outage among an error's causes; undefined if there is none. */
export function outageIn(thrown: unknown): ErrorLike | undefined {
  return causesOf(thrown).find(isOutageItself);
}

function isOutageItself({ message, code, $metadata }: ErrorLike): boolean {
  // An S3-compatible store that is overloaded or broken.
  const status = $metadata?.httpStatusCode ?? 0;
  if (status === 429 || status >= 500) return true;
  return ofDriver.test(message) || (typeof code === "string" && (ofPostgres.test(code) || ofSystem.test(code)));
}

/** An error and all its causes, the outermost first. The job queue passes on copies that are not instances of Error. */
export function causesOf(thrown: unknown, depth = 0): ErrorLike[] {
  if (typeof thrown !== "object" || thrown === null || !("message" in thrown) || depth > 10) return [];
  const error = thrown as ErrorLike;
  const several: unknown[] = Array.isArray(error.errors) ? error.errors : [];
  return [error, ...[error.cause, ...several].flatMap((cause) => causesOf(cause, depth + 1))];
}

/** Logs an outage met by `where`. @see outagesTo */
export type TellOutage = (thrown: unknown, where: string) => void;

const onceInMs = 10_000;

/**
 * While the database is down, every request and every poll for jobs fails: logs one line in ten seconds for each kind
 * of outage, with the number of those left out.
 */
export function outagesTo(log: Logger): TellOutage {
  const told = new Map<string, { at: number; since: number }>();
  return (thrown, where) => {
    const { code, message = "" } = outageIn(thrown) ?? {};
    const kind = typeof code === "string" ? code : message;
    const last = told.get(kind);
    if (last && performance.now() - last.at < onceInMs) {
      last.since++;
      return;
    }
    log.error({ code, error: message, where, notLogged: last?.since ?? 0 }, "outage");
    told.set(kind, { at: performance.now(), since: 0 });
  };
}
