import { inSpan, isTracing } from "./span.ts";

/** A call over HTTP, as a trace tells of it. */
export interface HttpCall {
  method: string;
  url: URL;
  /** What is asked for, where the method alone says too little. */
  name?: string;
  /** Whom we call, in our own word. */
  service: string;
}

/**
 * Makes a call a span, by OpenTelemetry's names for clients of HTTP. Of the address it has the host and the port: a path, a
 * query and a header may hold ids and secrets. https://opentelemetry.io/docs/specs/semconv/http/http-spans/#http-client
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
