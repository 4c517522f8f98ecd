import type { MiddlewareHandler } from "hono";
import type { Services } from "../services.ts";

/**
 * The default policy of every answer. A page that needs more sets its own Content-Security-Policy. `scripts` are
 * hashes: no inline script runs without one.
 */
export function contentSecurityPolicy({ gateway, files }: Services, scripts: string[] = []): string {
  return [
    "default-src 'none'",
    `script-src 'self'${scripts.map((source) => ` '${source}'`).join("")}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "media-src 'self'",
    ["connect-src 'self'", ...files.origins].join(" "),
    "frame-src 'self' blob:",
    "object-src 'none'",
    "manifest-src 'self'",
    "base-uri 'none'",
    ["form-action 'self'", ...gateway.formOrigins].join(" "),
    "frame-ancestors 'none'",
  ].join("; ");
}

/**
 * The headers of every answer besides the Content-Security-Policy; files under `/assets/` and JSON data get only those
 * that matter for them.
 */
export function standardHeaders({ publicUrl }: Services, path: string, isData = false): Record<string, string> {
  if (path.startsWith("/assets/")) return ofAssets;
  const headers = isData ? ofData : ofDocuments;
  return publicUrl.startsWith("https:") ? { ...headers, ...overHttps } : headers;
}

/** For answers that our scripts read and no browser displays. */
const ofData = {
  "Cross-Origin-Resource-Policy": "same-origin",
  "X-Content-Type-Options": "nosniff",
};
const ofDocuments = {
  ...ofData,
  "Cross-Origin-Opener-Policy": "same-origin",
  "Origin-Agent-Cluster": "?1",
  "Referrer-Policy": "strict-origin-when-cross-origin",
  "X-DNS-Prefetch-Control": "off",
  "X-Download-Options": "noopen",
  "X-Frame-Options": "DENY",
  "X-Permitted-Cross-Domain-Policies": "none",
  "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
};
const overHttps = { "Strict-Transport-Security": "max-age=31536000; includeSubDomains" };
/** Scripts, style sheets and fonts are not documents, and there are many. */
const ofAssets = { ...ofData, "Content-Security-Policy": "default-src 'none'" };
const policyOfData = "default-src 'none'; frame-ancestors 'none'";

export function securityHeaders(services: Services): MiddlewareHandler {
  const policy = contentSecurityPolicy(services);
  return async (context, next) => {
    await next();
    const { headers } = context.res;
    const isData = headers.get("Content-Type") === "application/json";
    const standard = standardHeaders(services, context.req.path, isData);
    for (const [name, value] of Object.entries(standard)) headers.set(name, value);
    if (!headers.has("Content-Security-Policy")) headers.set("Content-Security-Policy", isData ? policyOfData : policy);
  };
}
