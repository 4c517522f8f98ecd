/** What may be said of an error in the log: what happened and where, never a value that somebody typed or was sent. */
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

// PostgreSQL's `detail`, `where` and `hint`, a driver's `parameters` and a mail server's `rejected` hold values: they stay out.
const details = ["code", "schema", "table", "column", "constraint", "routine", "command", "responseCode", "queue"];
const statementLengthMax = 1000;
const deepest = 4;

/** @param error anything thrown, also the copy of an error that some libraries hand on as a plain object */
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

/** The same in one line, for rows that keep why something failed. */
export function summariseError(error: unknown): string {
  const { message, code, cause } = describeError(error);
  const because = cause ? `${cause.message}${isPlain(cause["code"]) ? ` (${cause["code"]})` : ""}` : "";
  return [isPlain(code) ? `${message} (${code})` : message, because].filter(Boolean).join(": ");
}

const isPlain = (value: unknown): value is string | number => typeof value === "string" || typeof value === "number";

function messageOf({ message, query, code }: Record<string, unknown>): string {
  const said = typeof message === "string" ? message : "";
  // Drizzle lists the parameters after the statement, over as many lines as they have.
  if (typeof query === "string") return "Failed query";
  // PostgreSQL quotes the value it could not take: SQLSTATE class 22 is about nothing else.
  if (typeof code === "string" && /^22...$/.test(code)) return said.replace(/".*"/s, '"…"');
  return withoutValues(said);
}

const framesOf = (stack: string) =>
  stack
    .split("\n")
    .filter((line) => /^\s+at /.test(line))
    .join("\n");

/**
 * E-mail addresses, signed tokens and the secrets of links and files: more than 40 characters without a break. And what
 * another server may have said, but PostgreSQL does not keep: control characters and halves of characters.
 */
function withoutValues(text: string): string {
  return text
    .replace(/\bparams: .*/s, "params: …")
    .replace(/[^\s"'<>(),:;]+@[^\s"'<>(),:;]+/g, "[e-mail]")
    .replace(/\b[\w-]+\.[\w-]+\.[\w-]{20,}/g, "[token]")
    .replace(/\b[\w-]{40,}/g, "[secret]")
    .replace(/(?![\n\t])[\p{Cc}\p{Cs}]/gu, " ");
}
