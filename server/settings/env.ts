import { accessSync, constants, mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import type { z } from "zod";
import { parseHeaders } from "./einvoice-headers.ts";
import type { EngineKey } from "./engine-keys.ts";
import { keptSecret } from "./kept-secret.ts";
import { StartRefused } from "./start-refused.ts";
import { findUnsafeSetting, findUnsafeWayToData } from "./unsafe-settings.ts";
import { Variables } from "./variables.ts";

export { StartRefused };

export interface Env {
  port: number;
  host: string;
  /** Without a trailing slash; null means http://localhost:PORT, known once the port is bound. */
  publicUrl: string | null;
  databaseUrl: string | null;
  /** The same database past a pooler, for what needs a session; null without a pooler. */
  databaseDirectUrl: string | null;
  /** A replica for heavy reads; null without one. */
  databaseReadUrl: string | null;
  /** Absolute path. */
  dataDir: string;
  demo: boolean;
  smtpUrl: string | null;
  /** Whether codes and links may reach the mail server in clear text. */
  smtpCleartext: boolean;
  mailFrom: string | null;
  tokenSecret: string;
  payu: { key: string; salt: string; payUrl: string; apiUrl: string } | null;
  /** Refunds of one order that total more than this need a second main administrator. */
  refundApprovalPaise: number;
  /** Percentage of connected devices beyond the contract that is tolerated before a true-up. */
  trueUpTolerancePercent: number;
  s3: { endpoint: string | null; region: string; bucket: string; accessKeyId: string; secretAccessKey: string } | null;
  /** PEM; null if documents are unsigned, or in demo mode signed with a certificate of its own. */
  documentSigningPem: string | null;
  /** Base address and headers of the e-invoice provider; null for none, or in demo mode for the stand-in. */
  eInvoices: { url: string; headers: Record<string, string> } | null;
  /** The on-call webhook for reported attacks, and the key that signs its posts; null for none. */
  onCall: { url: string; key: Buffer } | null;
  /** Keys that encrypt engine credentials, the one in use first; sealed-secret.ts says what happens without any. */
  engineKeys: EngineKey[];
  /** Whether engines may be in private networks. */
  enginesAllowPrivate: boolean;
  trustProxy: number;
  workers: number;
  logLevel: string;
  apiDocs: boolean;
  /** The bearer token for /metrics; null if that address does not exist. */
  metricsToken: string | null;
  /** The OTEL_ variables; null if no collector is named. */
  tracing: Record<string, string | undefined> | null;
  /** For how long a stop goes on serving while /readyz already refuses. */
  stopDelaySeconds: number;
}

export interface DataEnv extends Pick<Env, "databaseUrl" | "dataDir" | "s3"> {
  /** DATABASE_URL, if `databaseUrl` is the address past its pooler; otherwise null. */
  pooledUrl: string | null;
  /** Where the generated secret that signs tokens is kept; null when it is given from outside. */
  generatedSecretFile: string | null;
}

/**
 * Parses every environment variable once. Spaces around a value, such as a file's final newline, are ignored; a value
 * of nothing else counts as not set.
 * @throws StartRefused with one sentence for a wrong value or an unsafe combination
 */
export function readEnv(source: NodeJS.ProcessEnv = process.env): Env {
  const variables = parse(Variables, source);
  const refusal = findUnsafeSetting(variables, source["PGHOST"]);
  if (refusal) throw new StartRefused(refusal);
  const dataDir = resolve(variables.DATA_DIR);
  makeWritable(dataDir);
  const demo = variables.DEMO ?? !variables.DATABASE_URL;
  return {
    port: variables.PORT,
    host: variables.HOST,
    publicUrl: variables.PUBLIC_URL?.replace(/\/+$/, "") ?? null,
    databaseUrl: variables.DATABASE_URL ?? null,
    databaseDirectUrl: variables.DATABASE_DIRECT_URL ?? null,
    databaseReadUrl: variables.DATABASE_READ_URL ?? null,
    dataDir,
    demo,
    smtpUrl: variables.SMTP_URL ?? null,
    smtpCleartext: variables.SMTP_ALLOW_CLEARTEXT,
    mailFrom: variables.MAIL_FROM ?? null,
    tokenSecret:
      variables.TOKEN_SECRET ??
      keptSecret(
        secretFile(dataDir),
        "people will have to sign in again, links in mails will no longer hold, and without ENGINES_KEY credentials of engines have to be entered again",
      ),
    payu:
      variables.PAYU_KEY && variables.PAYU_SALT
        ? {
            key: variables.PAYU_KEY,
            salt: variables.PAYU_SALT,
            payUrl: variables.PAYU_URL,
            apiUrl: variables.PAYU_API_URL,
          }
        : null,
    refundApprovalPaise: variables.REFUND_APPROVAL_PAISE,
    trueUpTolerancePercent: variables.TRUE_UP_TOLERANCE_PERCENT,
    s3: bucketOf(variables),
    documentSigningPem: variables.DOCUMENT_SIGNING_PEM ?? null,
    eInvoices:
      variables.EINVOICE_URL && variables.EINVOICE_HEADERS
        ? {
            url: variables.EINVOICE_URL.replace(/\/+$/, ""),
            headers: parseHeaders(variables.EINVOICE_HEADERS) ?? {},
          }
        : null,
    onCall:
      variables.ON_CALL_URL && variables.ON_CALL_SECRET
        ? {
            url: variables.ON_CALL_URL,
            key: Buffer.from(variables.ON_CALL_SECRET.replace(/^whsec_/, ""), "base64"),
          }
        : null,
    engineKeys: variables.ENGINES_KEY ?? [],
    enginesAllowPrivate: variables.ENGINES_ALLOW_PRIVATE,
    trustProxy: variables.TRUST_PROXY,
    workers: variables.WORKERS,
    logLevel: variables.LOG_LEVEL,
    apiDocs: variables.API_DOCS ?? demo,
    metricsToken: variables.METRICS_TOKEN ?? null,
    tracing: tracingOf(source),
    stopDelaySeconds: variables.STOP_DELAY_SECONDS,
  };
}

/** The settings of a command that works on the data. @throws StartRefused */
export function readDataEnv(source: NodeJS.ProcessEnv = process.env): DataEnv {
  const variables = parse(Variables, source);
  const refusal = findUnsafeWayToData(variables, source["PGHOST"]);
  if (refusal) throw new StartRefused(refusal);
  const { DATABASE_URL, DATABASE_DIRECT_URL, DATA_DIR, TOKEN_SECRET } = variables;
  const dataDir = resolve(DATA_DIR);
  if (!DATABASE_URL) makeWritable(dataDir);
  return {
    // A backup is one long transaction, and a restore one with its own settings: both must bypass a pooler.
    databaseUrl: DATABASE_DIRECT_URL ?? DATABASE_URL ?? null,
    pooledUrl: DATABASE_DIRECT_URL && DATABASE_URL ? DATABASE_URL : null,
    dataDir,
    s3: bucketOf(variables),
    generatedSecretFile: DATABASE_URL || TOKEN_SECRET ? null : secretFile(dataDir),
  };
}

/** The password for `npm run admin:create`; null if it must be asked for. */
export function readAdminPassword(source: NodeJS.ProcessEnv = process.env): string | null {
  return source["ADMIN_PASSWORD"] || null;
}

function parse<Shape extends z.ZodType>(shape: Shape, source: NodeJS.ProcessEnv): z.output<Shape> {
  const parsed = shape.safeParse(givenIn(source));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new StartRefused(`${issue?.path.join(".")}: ${issue?.message}.`);
}

const givenIn = (source: NodeJS.ProcessEnv) =>
  Object.fromEntries(
    Object.entries(source)
      // Spaces in TOKEN_SECRET count, because they were part of a key that encrypted stored data.
      .map(([name, value]) => [name, name === "TOKEN_SECRET" ? value : value?.trim()] as const)
      .filter(([, value]) => value),
  );

/** https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/ */
function tracingOf(source: NodeJS.ProcessEnv): Env["tracing"] {
  const given = Object.fromEntries(Object.entries(givenIn(source)).filter(([name]) => name.startsWith("OTEL_")));
  const endpoint = given["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"] ?? given["OTEL_EXPORTER_OTLP_ENDPOINT"];
  return endpoint && given["OTEL_SDK_DISABLED"]?.toLowerCase() !== "true" ? given : null;
}

/** @throws StartRefused when one or two of the three are missing */
function bucketOf(variables: z.infer<typeof Variables>): Env["s3"] {
  const { S3_BUCKET: bucket, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = variables;
  if (!bucket && !accessKeyId && !secretAccessKey) return null;
  if (!bucket || !accessKeyId || !secretAccessKey)
    throw new StartRefused("S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY go together; one of them is missing.");
  return { endpoint: variables.S3_ENDPOINT ?? null, region: variables.S3_REGION, bucket, accessKeyId, secretAccessKey };
}

const secretFile = (dataDir: string) => join(dataDir, "token-secret");

/** Other users may pass through the folder, as PostgreSQL's user does when root starts it, but not list it. */
function makeWritable(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o711 });
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch {
    throw new StartRefused(`The data folder ${folder} can't be written; set DATA_DIR to one that can.`);
  }
}
