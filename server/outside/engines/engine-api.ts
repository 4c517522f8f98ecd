import type { z } from "zod";
import { inMilliseconds } from "../../../contract/durations.ts";
import type { Connection, Incoming, Outgoing } from "./connection.ts";
import { EngineFailure } from "./engine-failure.ts";
import { readSkew } from "./read-time.ts";

/** How calls authenticate. */
export interface Credentials {
  /** Headers for the next call. `renew`: the engine refused the last ones. */
  headers(renew: boolean): Promise<Record<string, string>>;
  /** Whether renewing can help: a token expires, a password does not. */
  renewable: boolean;
}

export const basic = (username: string, password: string): Credentials => ({
  headers: async () => ({ Authorization: basicHeader(username, password) }),
  renewable: false,
});

export const basicHeader = (username: string, password: string) =>
  `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;

export const bearer = (key: string, others: Record<string, string> = {}): Credentials => ({
  headers: async () => ({ Authorization: `Bearer ${key}`, ...others }),
  renewable: false,
});

export interface EngineApi {
  /** Requests `path` and parses the answer by the schema. @throws EngineFailure */
  get<Shape extends z.ZodType>(schema: Shape, path: string, query?: Query): Promise<z.output<Shape>>;
  post<Shape extends z.ZodType>(schema: Shape, path: string, body: object, query?: Query): Promise<z.output<Shape>>;
  /** How far the engine's clock was ahead at the last answer, in seconds; null where answers have no Date header. */
  skewSeconds(): number | null;
}

type Query = Record<string, string | number | undefined>;

/**
 * The JSON API of an engine at an address, which may include a path.
 * @param called the engine's name in messages for people
 */
export function openApi(
  connection: Connection,
  address: string,
  credentials: Credentials,
  called: string,
  now: () => Date,
): EngineApi {
  let skew: number | null = null;
  const send = async (outgoing: Outgoing) => {
    const first = await connection.send({ ...outgoing, headers: await credentials.headers(false) });
    const renews = first.status === 401 && credentials.renewable;
    const answer = renews ? await connection.send({ ...outgoing, headers: await credentials.headers(true) }) : first;
    skew = readSkew(answer.headers.date, now()) ?? skew;
    if (Math.abs(skew ?? 0) > skewSecondsMax) throw lostClock(called);
    return answer;
  };
  const ask = async <Shape extends z.ZodType>(schema: Shape, outgoing: Outgoing) => {
    const answer = await send(outgoing);
    refuseStatus(answer, outgoing.url, called);
    return parse(schema, answer.text, called);
  };
  return {
    get: (schema, path, query) => ask(schema, { method: "GET", url: urlOf(address, path, query), headers: {} }),
    post: (schema, path, body, query) =>
      ask(schema, { method: "POST", url: urlOf(address, path, query), headers: {}, body: JSON.stringify(body) }),
    skewSeconds: () => skew,
  };
}

/** With a clock that is further off, no time can be corrected: it would be unclear when a device was last seen. */
const skewSecondsMax = inMilliseconds({ days: 1 }) / 1000;

const lostClock = (called: string) =>
  new EngineFailure("answer", `The clock of ${called} is more than a day off: its times mean nothing. Set it right.`);

export function urlOf(address: string, path: string, query: Query = {}): URL {
  const base = new URL(address);
  const url = new URL(`${base.pathname.replace(/\/+$/, "")}${path}`, base);
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, String(value));
  return url;
}

/** Error messages never quote the answer: it may echo credentials that the engine was sent. */
export function parse<Shape extends z.ZodType>(schema: Shape, text: string, called: string): z.output<Shape> {
  const json = parseJson(text);
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const where = parsed.error.issues[0]?.path.join(".") ?? "";
  throw new EngineFailure(
    "answer",
    json === undefined
      ? `What answers is not ${called}: it sends no JSON. Check the address and the port.`
      : `${called} answers in a form that is not known here${where && ` (at ${where})`}. It may be a newer version.`,
  );
}

/** No legitimate answer has this many lists and objects; parsing more would block the process. */
const partsMax = 300_000;

function parseJson(text: string): unknown {
  let parts = 0;
  let isInWords = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) isInWords = !isInWords;
    // Brackets inside strings don't count: anybody may have written them into a log.
    else if (isInWords && code === backslash) at++;
    else if (!isInWords && (code === bracket || code === brace) && ++parts > partsMax)
      throw new EngineFailure("too_large", "The answer has more parts than any is known to have, and was not read.");
  }
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const [quote, backslash, bracket, brace] = ['"', "\\", "[", "{"].map((character) => character.charCodeAt(0));

const longestPauseSeconds = 3600;

/** @throws EngineFailure unless the status is 2xx */
export function refuseStatus({ status, headers }: Incoming, { host, pathname }: URL, called: string): void {
  if (status >= 200 && status < 300) return;
  const pause = retryAfter(headers["retry-after"]);
  if (status >= 300 && status < 400)
    throw new EngineFailure(
      "address",
      `${host} leads elsewhere, which is not followed: enter the address it leads to.`,
    );
  if (status === 401)
    throw new EngineFailure("login", `${called} at ${host} does not take this login. Check user name and secret.`);
  if (status === 403)
    throw new EngineFailure(
      "permission",
      `${called} knows this login, and does not let it read ${pathname}. Give it the right that docs/engines.md names.`,
    );
  if (status === 404)
    throw new EngineFailure(
      "answer",
      `${host} does not know ${pathname}. Check the address, and whether it is ${called} in a version known here.`,
    );
  if (status === 429)
    throw new EngineFailure("busy", `${called} at ${host} asks for a pause. It is asked again by itself.`, pause);
  if (status >= 500)
    throw new EngineFailure("down", `${called} at ${host} fails inside (${status}). Look into its own log.`, pause);
  throw new EngineFailure("answer", `${called} at ${host} refuses ${pathname} (${status}). It may be another version.`);
}

/** Seconds from a Retry-After header, which has seconds or a date. */
function retryAfter(written: string | undefined): number | null {
  if (!written) return null;
  const seconds = /^\d+$/.test(written) ? Number(written) : (Date.parse(written) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.min(Math.max(Math.ceil(seconds), 1), longestPauseSeconds) : null;
}
