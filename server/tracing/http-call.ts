import { inSpan, isTracing } from "./span.ts";

/** An outgoing HTTP call, as traced. */
export interface HttpCall {
  method: string;
  url: URL;
  /** A name for the span, where the method alone says too little. */
  name?: string;
  /** The called service, by our own name for it. */
  service: string;
}

/**
 * Wraps a call in a span, by OpenTelemetry's conventions for HTTP clients. Of the address it records only host and
 * port: path, query and headers may contain ids and secrets.
 * https://opentelemetry.io/docs/specs/semconv/http/http-spans/#http-client
 */
export function inHttpSpan<Answer extends { status: number }>(
  { method, url, name = method, service }: HttpCall,
  call: () => Promise<Answer>,
): Promise<Answer> {
  if (!isTracing()) return call();
  const attributes = {
    "http.request.method": method,
    "server.address": url.hostname.replace(/^\[(.*)\]$/, "$1"),
    "server.port": Number(url.port || ports[url.protocol]),
    "peer.service": service,
  };
  return inSpan({ name, kind: "client", attributes }, async (tell) => {
    const answer = await call();
    const isRefused = answer.status >= 400;
    tell({
      "http.response.status_code": answer.status,
      ...(isRefused && { "error.type": String(answer.status) }),
    });
    return answer;
  });
}

const ports: Record<string, number> = { "http:": 80, "https:": 443 };
