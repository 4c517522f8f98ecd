import { access } from "../contract/access.ts";
import type { ErrorBody, ErrorCode } from "../contract/errors.ts";
import { limits } from "../contract/limits.ts";
import { methodOf } from "../contract/methods.ts";
import { pathOf } from "../contract/operation.ts";
import type { Answer, OperationName, Sent } from "../contract/operations.ts";
import { inMilliseconds } from "../contract/durations.ts";
import { messages } from "../contract/messages.ts";
import { endSession, getSession } from "./session.ts";
import { toast } from "./toast.ts";

/**
 * A call that the server refused, or that did not reach it (status 0). Its message can be shown to the user; the client
 * supplies one if the server gave no reason (code `unexplained`).
 */
export class ApiError extends Error {
  readonly status: number;
  readonly code: ErrorCode | "unreachable" | "unexplained";
  readonly fields: Record<string, string>;

  constructor(status: number, code: ApiError["code"], message: string, fields: Record<string, string> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.fields = fields;
  }
}

/** Whether the server refused what was asked, and would again: neither a lost connection nor a fault of the server. */
export const isRefusal = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status >= 400 && error.status < 500;

/**
 * Calls an operation with the token it takes.
 * If the server no longer knows the session, it is forgotten here too; the route guard then leads to /login.
 * @throws ApiError
 */
export const call = <Name extends OperationName>(
  name: Name,
  input: Sent<Name> = {} as Sent<Name>,
  signal?: AbortSignal,
): Promise<Answer<Name>> => withToken(name, (token) => request(name, input, token, signal));

/** Runs a call with the token it takes; a session or public token that is refused is forgotten. @throws ApiError */
export async function withToken<Result>(
  name: OperationName,
  ask: (token: string | null) => Promise<Result>,
): Promise<Result> {
  const { callers } = access[name];
  const { token: sessionToken } = getSession();
  const usesSession =
    callers !== "anyone" && callers !== "public" && (callers !== "publicOrSession" || sessionToken !== null);
  const token = callers === "anyone" ? null : usesSession ? sessionToken : await publicToken(name === "auth/login");
  try {
    return await ask(token);
  } catch (error) {
    if (error instanceof ApiError && error.status === 401 && error.code === "unauthenticated") {
      if (usesSession) leaveEnded(name, token, error.message);
      else if (kept?.token === token) kept = null;
    }
    throw error;
  }
}

/**
 * Tells the user once, however many calls find the session ended: the sign-in that follows would otherwise look like a
 * fault. It is silent when the user signs out. Only in a portal does the default text hold, as only there the guard
 * leads to the sign-in and back; other reasons, such as a suspension, are shown in the server's words.
 */
function leaveEnded(name: OperationName, token: string | null, said: string): void {
  const leadsBack = said.startsWith("Your session") && /^\/(user|partner|admin)\b/.test(location.pathname);
  if (token && getSession().token === token && name !== "auth/logout") tellEnded(leadsBack ? undefined : said);
  endSession(token);
}

export const tellEnded = (said: string = messages.sessionEnded) => toast.info(said, { id: "session ended" });

let kept: { token: string; until: number } | null = null;

/** A code is bound to the token that asked for it: a sign-in takes a fresh token, which lives as long as the code. */
async function publicToken(fresh: boolean): Promise<string> {
  if (fresh || !kept || kept.until < Date.now()) {
    const { token } = await request("generate-token", {}, null);
    kept = { token, until: Date.now() + inMilliseconds({ minutes: limits.publicTokenMinutes }) - marginMs };
  }
  return kept.token;
}

// Allows for the time on the network.
const marginMs = 15_000;

/** Operations with one success status: another 2xx did not come from our server, so nobody was registered. */
const onlyStatus: Partial<Record<OperationName, number>> = { "auth/register": 201 };

async function request<Name extends OperationName>(
  name: Name,
  input: Sent<Name>,
  token: string | null,
  signal?: AbortSignal,
): Promise<Answer<Name>> {
  const answer = await send(name, input, token, signal);
  const body: unknown = await answer.json().catch(() => null);
  if (answer.ok && answer.status === (onlyStatus[name] ?? answer.status)) return body as Answer<Name>;
  throw failureOf(answer, body);
}

/** @throws ApiError when the server can't be reached */
export async function send<Name extends OperationName>(
  name: Name,
  input: Sent<Name>,
  token: string | null,
  signal?: AbortSignal,
  headers: Record<string, string> = {},
): Promise<Response> {
  const method = methodOf(name);
  const isGet = method === "get";
  try {
    return await fetch(`/api/${pathOf(method, name, input)}`, {
      method: method.toUpperCase(),
      credentials: "omit",
      headers: {
        ...(token && { Authorization: `Bearer ${token}` }),
        ...(!isGet && { "Content-Type": "application/json" }),
        ...headers,
      },
      ...(!isGet && { body: JSON.stringify(input, asRefused) }),
      ...(signal && { signal }),
    });
  } catch (error) {
    throw signal?.aborted ? error : unreachable();
  }
}

/** JSON turns NaN and Infinity into null, which the server would take for an empty field: as text they are refused. */
const asRefused = (_name: string, value: unknown) =>
  typeof value === "number" && !Number.isFinite(value) ? String(value) : value;

export const unreachable = () =>
  new ApiError(0, "unreachable", "We can't reach the server. Please check your connection and try again.");

export function failureOf(answer: Response, body: unknown): ApiError {
  const failure = body as Partial<ErrorBody> | null;
  const { code = "internal", error, fields } = failure ?? {};
  if (error) return new ApiError(answer.status, code, withReference(error, code, answer), fields);
  return new ApiError(answer.status, "unexplained", "The server did not answer as expected. Please try again.", fields);
}

/** An unexpected error can be found in the server's log by the request's id. */
function withReference(sentence: string, code: ErrorCode, { headers }: Response): string {
  const requestId = headers.get("x-request-id");
  return code === "internal" && requestId ? `${sentence} Reference: ${requestId}` : sentence;
}
