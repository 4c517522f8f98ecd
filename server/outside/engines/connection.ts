import { Agent as HttpAgent, type IncomingMessage, request as requestHttp, type RequestOptions } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import type { LookupFunction } from "node:net";
import { inHttpSpan } from "../../tracing/http-call.ts";
import { EngineFailure, EnginesStopped } from "./engine-failure.ts";
import { type AddressRules, type Resolve, type ResolvedAddress, resolveSafely } from "./safe-address.ts";

export interface Outgoing {
  method: "GET" | "POST";
  url: URL;
  headers: Record<string, string>;
  body?: string;
}

export interface Incoming {
  status: number;
  headers: IncomingMessage["headers"];
  text: string;
}

export interface Connection {
  /** One request, without following redirects. @throws EngineFailure */
  send(outgoing: Outgoing): Promise<Incoming>;
  close(): void;
}

export interface Network {
  rules: AddressRules;
  resolve: Resolve;
  /** The address of the demo's stand-in that answers for this host; null for a real host. */
  standIn(host: string): URL | null;
  /** Aborts every call. */
  stopping: AbortSignal;
  /** Aborts when the caller gives up, however many answers are still to come. */
  deadline?: AbortSignal;
  /** Time limit for one answer. */
  answerMs: number;
  /** Size limit for one answer. */
  answerBytesMax: number;
}

/**
 * The only way to call engines. Each call resolves and checks the address, and connects to exactly the addresses that
 * were checked, so that DNS can't change in between.
 */
export function openConnection(network: Network, caCertificate: string | null): Connection {
  const options = { keepAlive: true, maxSockets: 2 };
  const agents = {
    "http:": new HttpAgent(options),
    "https:": new HttpsAgent({ ...options, ...(caCertificate && { ca: caCertificate }) }),
  };
  const send = async (outgoing: Outgoing) => {
    const ends = [AbortSignal.timeout(network.answerMs), network.stopping, network.deadline];
    const deadline = AbortSignal.any(ends.filter((end) => end !== undefined));
    const standIn = network.standIn(outgoing.url.hostname);
    const url = standIn ? within(standIn, outgoing.url) : outgoing.url;
    const pinned = standIn ? null : await inTime(deadline, url, resolveSafely(url, network.rules, network.resolve));
    const agent = agents[url.protocol === "https:" ? "https:" : "http:"];
    return exchange(
      { ...outgoing, url },
      { agent, signal: deadline, ...(pinned && { lookup: pinnedTo(pinned) }) },
      network.answerBytesMax,
    );
  };
  return {
    send: (outgoing) => {
      const call = { method: outgoing.method, url: outgoing.url, service: "engine" };
      return inHttpSpan(call, () => send(outgoing)).catch((error: unknown) => {
        throw network.stopping.aborted ? new EnginesStopped() : error;
      });
    },
    close() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

const within = (standIn: URL, { pathname, search }: URL) =>
  new URL(`${standIn.pathname.replace(/\/$/, "")}${pathname}${search}`, standIn);

/** Gives Node the checked addresses, all or one as it asks, in place of another DNS lookup. */
const pinnedTo =
  (addresses: ResolvedAddress[]): LookupFunction =>
  (_host, { all }, answer) => {
    const [first = { address: "", family: 4 }] = addresses;
    if (all) answer(null, addresses);
    else answer(null, first.address, first.family);
  };

/** A DNS lookup can't be cancelled: when time is up, its result is ignored. */
function inTime<Result>(deadline: AbortSignal, url: URL, work: Promise<Result>): Promise<Result> {
  return new Promise((done, fail) => {
    deadline.addEventListener("abort", () => fail(tooSlow(url)), { once: true });
    work.then(done, fail);
  });
}

function exchange(
  { url, method, headers, body }: Outgoing,
  options: RequestOptions,
  bytesMax: number,
): Promise<Incoming> {
  const send = url.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((done, fail) => {
    for (const [name, value] of Object.entries(headers)) if (!isSendable(value)) return fail(unsendable(name));
    const refuse = (error: Error) => fail(failureOf(error, url, options.signal?.aborted ?? false));
    const request = send(
      url,
      {
        ...options,
        method,
        headers: {
          Accept: "application/json",
          // A small compressed answer could expand without limit here.
          "Accept-Encoding": "identity",
          "User-Agent": "prahari",
          ...headers,
          ...(body !== undefined && { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) }),
        },
      },
      (response) => {
        read(response, bytesMax, url).then(
          (text) => done({ status: response.statusCode ?? 0, headers: response.headers, text }),
          refuse,
        );
      },
    );
    request.on("error", refuse);
    request.end(body);
  });
}

/** The characters that a header value may have: https://www.rfc-editor.org/rfc/rfc9110#name-field-values */
const isSendable = (value: string) => /^[\t\x20-\x7e\x80-\xff]*$/.test(value);

const unsendable = (header: string) =>
  new EngineFailure(
    "login",
    header === "Authorization"
      ? "The secret has characters that no API key has. Paste it once more."
      : "The customer's name in the engine has characters that can't be sent.",
  );

async function read(response: IncomingMessage, bytesMax: number, url: URL): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bytesMax) {
      response.destroy();
      throw new EngineFailure(
        "too_large",
        `${url.host} sent more than ${Math.round(bytesMax / 1_000_000)} MB in one answer, which was not read.`,
      );
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

const tooSlow = ({ host }: URL) =>
  new EngineFailure("too_slow", `${host} did not answer in time. Look whether it is overloaded, or behind a firewall.`);

const certificateFaults: Record<string, string> = {
  CERT_HAS_EXPIRED: "has expired: renew it",
  CERT_NOT_YET_VALID: "is not valid yet: check the clocks",
  ERR_TLS_CERT_ALTNAME_INVALID: "is made out for another name: use the name that it has, or make a new one",
  DEPTH_ZERO_SELF_SIGNED_CERT: "is vouched for by nobody known: enter the certificate of its authority",
  SELF_SIGNED_CERT_IN_CHAIN: "is vouched for by nobody known: enter the certificate of its authority",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "is vouched for by nobody known: enter the certificate of its authority",
  UNABLE_TO_GET_ISSUER_CERT: "is vouched for by nobody known: enter the certificate of its authority",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "is vouched for by nobody known: enter the certificate of its authority",
  CERT_SIGNATURE_FAILURE: "is not signed by the authority that is entered here",
};

function failureOf(error: Error, url: URL, isLate: boolean): EngineFailure {
  if (error instanceof EngineFailure) return error;
  if (isLate) return tooSlow(url);
  const code = (error as NodeJS.ErrnoException).code ?? "";
  const fault = certificateFaults[code];
  if (fault) return new EngineFailure("certificate", `The certificate of ${url.host} ${fault}.`);
  if (code === "EPROTO" || code.startsWith("ERR_SSL"))
    return new EngineFailure("certificate", `${url.host} does not speak TLS as it should: is it the right port?`);
  if (code === "ECONNREFUSED")
    return new EngineFailure("unreachable", `Nothing listens at ${url.host}: is it the right port, and does it run?`);
  return new EngineFailure("unreachable", `The connection to ${url.host} did not come about, or broke off.`);
}
