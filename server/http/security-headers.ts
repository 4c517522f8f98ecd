import type { MiddlewareHandler } from "hono";
import { secureHeaders } from "hono/secure-headers";
import type { Services } from "../services.ts";

/**
 * What every answer carries. A page that needs more sets its own Content-Security-Policy.
 * `scripts` are hashes: no inline script runs without one.
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

export function securityHeaders(services: Services): MiddlewareHandler {
  const policy = contentSecurityPolicy(services);
  const others = secureHeaders({
    strictTransportSecurity: services.publicUrl.startsWith("https:") ? "max-age=31536000; includeSubDomains" : false,
    xFrameOptions: "DENY",
    referrerPolicy: "strict-origin-when-cross-origin",
    crossOriginOpenerPolicy: "same-origin",
    crossOriginResourcePolicy: "same-origin",
    permissionsPolicy: { camera: [], microphone: [], geolocation: [], payment: [], usb: [] },
    xXssProtection: false,
  });
  return async (context, next) => {
    if (context.req.path.startsWith("/assets/")) return keptFile(context, next);
    await others(context, next);
    if (!context.res.headers.has("Content-Security-Policy")) context.res.headers.set("Content-Security-Policy", policy);
  };
}

/** Scripts, style sheets and fonts are no documents: of the headers only these mean something, and there are many files. */
const keptFile: MiddlewareHandler = async (context, next) => {
  await next();
  context.res.headers.set("Content-Security-Policy", "default-src 'none'");
  context.res.headers.set("X-Content-Type-Options", "nosniff");
  context.res.headers.set("Cross-Origin-Resource-Policy", "same-origin");
};
