/** What the log may say about an error: what happened and where, never a value that somebody entered or was sent. */
export interface DescribedError {
  type: string;
  message: string;
  /** The statement with $1, $2 in place of its values. */
  statement?: string;
  /** Frames only: the first lines of a stack repeat the message. */
  stack?: string;
  cause?: DescribedError;
  [detail: string]: unknown;
}

// Omits PostgreSQL's `detail`, `where` and `hint`, a driver's `parameters` and a mail server's `rejected`, which
// contain values.
const details = ["code", "schema", "table", "column", "constraint", "routine", "command", "responseCode", "queue"];
const statementLengthMax = 1000;
const deepest = 4;

/** @param error anything thrown, including the plain-object copies of errors that some libraries pass on */
export function describeError(error: unknown, depth = 0): DescribedError {
  if (typeof error !== "object" || error === null) return { type: typeof error, message: withoutValues(String(error)) };
  const given = error as Record<string, unknown>;
  const { query, stack, cause } = given;
  return {
    type: error.constructor?.name ?? "Object",
    message: messageOf(given),
    ...Object.fromEntries(details.filter((name) => isPlain(given[name])).map((name) => [name, given[name]])),
    ...(typeof query === "string" && { statement: query.slice(0, statementLengthMax) }),
    ...(typeof stack === "string" && { stack: framesOf(stack) }),
    ...(cause !== undefined && cause !== null && depth < deepest && { cause: describeError(cause, depth + 1) }),
  };
}

/** The same on one line, for rows that store why something failed. */
export function summariseError(error: unknown): string {
  const { message, code, cause } = describeError(error);
  const because = cause ? `${cause.message}${isPlain(cause["code"]) ? ` (${cause["code"]})` : ""}` : "";
  return [isPlain(code) ? `${message} (${code})` : message, because].filter(Boolean).join(": ");
}

const isPlain = (value: unknown): value is string | number => typeof value === "string" || typeof value === "number";

function messageOf({ message, query, code }: Record<string, unknown>): string {
  const said = typeof message === "string" ? message : "";
  // Drizzle's message lists the parameters after the statement, over any number of lines.
  if (typeof query === "string") return "Failed query";
  // PostgreSQL quotes the rejected value: SQLSTATE class 22 consists of such errors.
  if (typeof code === "string" && /^22...$/.test(code)) return said.replace(/".*"/s, '"…"');
  return withoutValues(said);
}

const framesOf = (stack: string) =>
  stack
    .split("\n")
    .filter((line) => /^\s+at /.test(line))
    .join("\n");

/**
 * Removes e-mail addresses, signed tokens and the secrets of links and files (more than 40 characters without a break),
 * and what other servers' messages may contain but PostgreSQL does not store: control characters and lone surrogates.
 */
function withoutValues(text: string): string {
  return text
    .replace(/\bparams: .*/s, "params: …")
    .replace(/[^\s"'<>(),:;]+@[^\s"'<>(),:;]+/g, "[e-mail]")
    .replace(/\b[\w-]+\.[\w-]+\.[\w-]{20,}/g, "[token]")
    .replace(/\b[\w-]{40,}/g, "[secret]")
    .replace(/(?![\n\t])[\p{Cc}\p{Cs}]/gu, " ");
}
