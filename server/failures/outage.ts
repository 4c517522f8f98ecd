import type { Logger } from "pino";

/**
 * PostgreSQL's codes for what passes or is mended by an operator: connection and sign-in (08, 28, 3D000), a transaction
 * that was in another's way or cut off (25P02, 25P03, 40001, 40P01, 55P03), a standby (25006), resources and disk (53),
 * a statement's time limit (57014), stops and starts (57P), input and output (58).
 */
const ofPostgres = /^(08...|28...|3D000|25P0[23]|25006|40001|40P01|53...|55P03|57014|57P..|58...)$/;
/** The same of the network and the file system, in Node's names; UND_ERR is its HTTP client's. */
const ofSystem =
  /^(ECONN(REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|E(HOST|NET)(UNREACH|DOWN)|EADDRNOTAVAIL|EAI_AGAIN|ENOTFOUND|ENOSPC|EDQUOT|E[MN]FILE|EIO|EROFS|ENOMEM|UND_ERR_\w+)$/;
/** What pg, our own pool and the client of an S3-compatible store that hangs say without a code. */
const ofDriver =
  /^(@smithy\/node-http-handler - the request socket (timed out|did not establish a connection)|The database (does not answer|pool was closed)|timeout exceeded when trying to connect|timeout expired|Connection terminated|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end)/;

export interface ErrorLike {
  message: string;
  code?: unknown;
  cause?: unknown;
  errors?: unknown;
  $metadata?: { httpStatusCode?: number };
}

/** Whether this is an outage of something we depend on: worth another try later, and no fault of the request or the code. */
export function isOutage(thrown: unknown): boolean {
  return outageIn(thrown) !== undefined;
}

/** The outage among the causes of an error, undefined when there is none. */
export function outageIn(thrown: unknown): ErrorLike | undefined {
  return causesOf(thrown).find(isOutageItself);
}

function isOutageItself({ message, code, $metadata }: ErrorLike): boolean {
  // An S3-compatible store that is overloaded or broken.
  const status = $metadata?.httpStatusCode ?? 0;
  if (status === 429 || status >= 500) return true;
  return ofDriver.test(message) || (typeof code === "string" && (ofPostgres.test(code) || ofSystem.test(code)));
}

/** An error with all that caused it, the outermost first. The job queue hands out copies that are no Errors any more. */
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
 * While the database is away every request and every look for jobs fails: of each kind of outage one line is logged
 * in ten seconds, with the number of those that were not.
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
