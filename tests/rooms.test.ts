import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path/posix";
import { describe, expect, it } from "vitest";

/**
 * The rooms (folders) from the bottom up. A file imports only from its own room and from lower layers, so no import
 * points upward and there are no cycles; rooms of one layer do not know each other.
 */
const serverLayers = [
  ["contract"],
  ["server/process", "server/settings"],
  ["server/tracing"],
  ["server/failures"],
  ["server/database", "server/csv", "server/zip"],
  ["server/access", "server/audit", "server/jobs", "server/site-texts"],
  ["server/protection"],
  [
    "server/outside/documents",
    "server/outside/e-invoices",
    "server/outside/engines",
    "server/outside/files",
    "server/outside/mail",
    "server/outside/payments",
  ],
  ["server/backup", "server/services.ts"],
  ["server/call.ts", "server/job.ts"],
  ["server/mail"],
  ["server/notices"],
  ["server/accounts", "server/content", "server/engines", "server/files", "server/rates", "server/tools"],
  ["server/incidents"],
  ["server/ledger"],
  ["server/e-invoices"],
  ["server/billing"],
  ["server/people", "server/quotes"],
  ["server/contracts"],
  ["server/coverage"],
  ["server/onboarding", "server/obligations"],
  ["server/orders"],
  ["server/refunds"],
  ["server/decreases", "server/order-history", "server/reconcile", "server/transfers"],
  ["server/actions"],
  ["server/announcements", "server/audit-log", "server/palette", "server/reports", "server/service-reports"],
  ["server/leads", "server/data-requests", "server/dossiers"],
  ["server/upkeep"],
  ["server/metrics"],
  ["server/system"],
  ["server/http"],
  ["server/demo"],
  ["server/open.ts"],
  ["server/main.ts", "server/commands"],
];

/** In the browser: the common base, rooms by purpose, one room for each audience, and what joins them. */
const appLayers = [
  ["contract"],
  ["app"],
  ["app/components", "app/content"],
  ["app/documents", "app/forms", "app/lists", "app/portal", "app/reports"],
  ["app/billing"],
  ["app/audit", "app/estimator", "app/obligations", "app/onboarding", "app/orders", "app/people"],
  ["app/contracts", "app/coverage", "app/customers", "app/incidents", "app/admin/blog"],
  ["app/service-reports"],
  ["app/account", "app/admin", "app/customer", "app/partner", "app/public", "app/sign-in"],
  ["app/root.tsx", "app/entry.client.tsx", "app/entry.server.tsx"],
  ["app/routes.ts"],
];

const server = ["drizzle-orm", "zod"];
const screens = ["react", "react-router", "@mantine", "@tabler/icons-react", "@tanstack/react-query"];

/** The packages that a room may use, by name or scope. Node's own modules are for the server alone. */
const packages: Record<string, string[]> = {
  contract: ["zod"],
  "server/process": ["piscina"],
  "server/settings": ["zod", "ipaddr.js"],
  "server/tracing": ["@opentelemetry"],
  "server/failures": ["pino"],
  "server/database": ["drizzle-orm", "pg", "pino"],
  "server/audit": ["drizzle-orm"],
  "server/site-texts": ["drizzle-orm"],
  "server/jobs": ["drizzle-orm", "pg-boss", "pino"],
  "server/protection": ["drizzle-orm", "jose", "lru-cache", "pino", "rate-limiter-flexible"],
  "server/outside/documents": ["@myriaddreamin/typst-ts-node-compiler", "asn1js", "pkijs", "qr"],
  "server/outside/e-invoices": ["zod"],
  "server/outside/engines": ["zod"],
  "server/outside/files": ["@aws-sdk/client-s3", "flydrive", "pino"],
  "server/outside/mail": ["nodemailer"],
  "server/outside/payments": ["zod"],
  "server/backup": [...server, "pg", "pg-copy-streams", "tar-stream"],
  "server/services.ts": ["pino"],
  "server/mail": ["drizzle-orm", "hono"],
  "server/accounts": ["drizzle-orm", "@node-rs/argon2", "@zxcvbn-ts"],
  "server/csv": ["csv-parse"],
  "server/zip": ["yazl"],
  "server/content": [...server, "marked", "sanitize-html", "sharp"],
  "server/metrics": ["drizzle-orm", "prom-client"],
  "server/http": [...server, "@hono", "hono", "lru-cache", "react-router"],
  "server/demo": [...server, "hono", "jose"],
  "server/open.ts": ["pino"],
  "app/content": ["react"],
  "app/components": [...screens, "sonner"],
  "app/forms": [...screens, "zod"],
  "app/sign-in": [...screens, "zod"],
  "app/admin/blog": [...screens, "@tiptap", "marked"],
  "app/root.tsx": ["react", "react-router", "@fontsource-variable/inter"],
  "app/routes.ts": ["@react-router/dev"],
  "app/entry.client.tsx": ["react", "react-dom", "react-router"],
  "app/entry.server.tsx": ["react", "react-dom", "react-router"],
  app: ["react", "react-router", "@mantine", "sonner"],
};
const packagesOf = (room: string) => packages[room] ?? (room.startsWith("app/") ? screens : server);

interface Import {
  from: string;
  /** A file of the repository, or the name of a package. */
  to: string;
}

const files = globSync("{contract,server,app}/**/*.{ts,tsx,mts,mjs}").filter(
  (file) => !/\.test\.|\.d\.m?ts$/.test(file),
);
const imports = files.flatMap(importsOf);

function importsOf(file: string): Import[] {
  const text = readFileSync(file, "utf8");
  const named = /(?:^import\b(?:[^;"]*?\bfrom)?|^export\b[^;"=]*?\bfrom|\bimport\()\s*"([^"\n]+)"/gm;
  return Array.from(text.matchAll(named), ([, to = ""]) => {
    return { from: file, to: to.startsWith(".") ? join(dirname(file), to) : to };
  });
}

function roomIn(layers: string[][], file: string): string {
  const holding = layers.flat().filter((room) => file === room || file.startsWith(`${room}/`));
  // The longest match: app/lists before app.
  return holding.toSorted((one, other) => other.length - one.length)[0] ?? `${file}, which is in no room`;
}

const isOurs = (to: string) => /^(contract|server|app)\//.test(to);

describe.each([
  { side: "server", layers: serverLayers },
  { side: "app", layers: appLayers },
])("The rooms of $side", ({ side, layers }) => {
  const own = imports.filter(({ from }) => from.startsWith(`${side}/`) || from.startsWith("contract/"));
  const room = (file: string) => roomIn(layers, file);
  const heightOf = (name: string) => layers.findIndex((layer) => layer.includes(name));

  it("import only what lies below them", () => {
    const upward = own
      .filter(({ to }) => isOurs(to))
      .filter(({ from, to }) => room(from) !== room(to) && !(heightOf(room(to)) < heightOf(room(from))))
      .map(({ from, to }) => `${from} imports ${to}`);
    expect(upward).toEqual([]);
  });

  it("hold every file", () => {
    const homeless = files.filter((file) => file.startsWith(`${side}/`)).filter((file) => heightOf(room(file)) < 0);
    expect(homeless).toEqual([]);
  });

  it("use only the packages that are theirs", () => {
    const foreign = own
      .filter(({ to }) => !isOurs(to) && !to.startsWith("node:") && !/\.json$|^\.|^\+/.test(to))
      .filter(({ from, to }) => !packagesOf(room(from)).some((name) => to === name || to.startsWith(`${name}/`)))
      .map(({ from, to }) => `${from} imports ${to}`);
    expect(foreign).toEqual([]);
  });
});

it("Node's own modules stay out of what the browser loads", () => {
  const inBrowser = imports.filter(({ from, to }) => !from.startsWith("server/") && to.startsWith("node:"));
  expect(inBrowser.filter(({ from }) => from !== "app/entry.server.tsx")).toEqual([]);
});
