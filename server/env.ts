import { randomBytes } from "node:crypto";
import { accessSync, constants, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { z } from "zod";

/** A setting or a surrounding that does not let the product start; its message is the one sentence people see. */
export class StartRefused extends Error {}

const flag = z.enum(["0", "1"], "must be 0 or 1").transform((value) => value === "1");
const whole = (from: number, to: number) => z.coerce.number("must be a number").int().min(from).max(to);

const Variables = z.object({
  NODE_ENV: z.string().default("production"),
  PORT: whole(0, 65535).default(3000),
  HOST: z.string().default("127.0.0.1"),
  PUBLIC_URL: z.url({ protocol: /^https?$/, error: "must be an http or https address" }).optional(),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: "must look like postgres://user:password@host/name" })
    .optional(),
  DATA_DIR: z.string().default("data"),
  DEMO: flag.optional(),
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: "must look like smtp://host:port" }).optional(),
  MAIL_FROM: z.string().optional(),
  TOKEN_SECRET: z.string().min(32, "must have 32 characters or more").optional(),
  PAYU_KEY: z.string().optional(),
  PAYU_SALT: z.string().optional(),
  PAYU_URL: z.url().default("https://secure.payu.in/_payment"),
  PAYU_API_URL: z.url().default("https://info.payu.in/merchant/postservice.php?form=2"),
  ALLOW_SANDBOX: flag.default(false),
  S3_ENDPOINT: z.url().optional(),
  S3_REGION: z.string().default("ap-south-1"),
  S3_BUCKET: z.string().optional(),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  TRUST_PROXY: whole(0, 10).default(0),
  WORKERS: whole(1, 64).default(1),
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
  API_DOCS: flag.optional(),
});

export interface Env {
  port: number;
  host: string;
  /** Without a trailing slash; null means http://localhost:PORT, known once the port is bound. */
  publicUrl: string | null;
  databaseUrl: string | null;
  /** Absolute. */
  dataDir: string;
  demo: boolean;
  smtpUrl: string | null;
  mailFrom: string | null;
  tokenSecret: string;
  payu: { key: string; salt: string; payUrl: string; apiUrl: string } | null;
  s3: { endpoint: string | null; region: string; bucket: string; accessKeyId: string; secretAccessKey: string } | null;
  trustProxy: number;
  workers: number;
  logLevel: string;
  apiDocs: boolean;
}

export interface DataEnv extends Pick<Env, "databaseUrl" | "dataDir" | "s3"> {
  /** Where the secret that signs tokens is kept; null when it is given from outside. */
  generatedSecretFile: string | null;
}

/**
 * Parses every environment variable once. Empty values count as not set.
 * @throws StartRefused with one sentence for a wrong value or an unsafe combination.
 */
export function readEnv(source: NodeJS.ProcessEnv = process.env): Env {
  const variables = parse(Variables, source);
  refuseUnsafe(variables);
  const dataDir = resolve(variables.DATA_DIR);
  makeWritable(dataDir);
  const demo = variables.DEMO ?? !variables.DATABASE_URL;
  return {
    port: variables.PORT,
    host: variables.HOST,
    publicUrl: variables.PUBLIC_URL?.replace(/\/+$/, "") ?? null,
    databaseUrl: variables.DATABASE_URL ?? null,
    dataDir,
    demo,
    smtpUrl: variables.SMTP_URL ?? null,
    mailFrom: variables.MAIL_FROM ?? null,
    tokenSecret: variables.TOKEN_SECRET ?? generatedSecret(dataDir),
    payu:
      variables.PAYU_KEY && variables.PAYU_SALT
        ? {
            key: variables.PAYU_KEY,
            salt: variables.PAYU_SALT,
            payUrl: variables.PAYU_URL,
            apiUrl: variables.PAYU_API_URL,
          }
        : null,
    s3: bucketOf(variables),
    trustProxy: variables.TRUST_PROXY,
    workers: variables.WORKERS,
    logLevel: variables.LOG_LEVEL,
    apiDocs: variables.API_DOCS ?? demo,
  };
}

/** What a command needs that works on the data. @throws StartRefused */
export function readDataEnv(source: NodeJS.ProcessEnv = process.env): DataEnv {
  const variables = parse(Variables, source);
  const { DATABASE_URL, DATA_DIR, TOKEN_SECRET } = variables;
  const dataDir = resolve(DATA_DIR);
  if (!DATABASE_URL) makeWritable(dataDir);
  return {
    databaseUrl: DATABASE_URL ?? null,
    dataDir,
    s3: bucketOf(variables),
    generatedSecretFile: DATABASE_URL || TOKEN_SECRET ? null : secretFile(dataDir),
  };
}

/** The password for `npm run admin:create`; null when it is to be asked for. */
export function readAdminPassword(source: NodeJS.ProcessEnv = process.env): string | null {
  return source["ADMIN_PASSWORD"] || null;
}

function parse<Shape extends z.ZodType>(shape: Shape, source: NodeJS.ProcessEnv): z.output<Shape> {
  const parsed = shape.safeParse(Object.fromEntries(Object.entries(source).filter(([, value]) => value !== "")));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new StartRefused(`${issue?.path.join(".")}: ${issue?.message}.`);
}

function refuseUnsafe(variables: z.infer<typeof Variables>): void {
  const live = variables.DATABASE_URL !== undefined;
  const demo = variables.DEMO ?? !live;
  const refusals: [boolean, string][] = [
    [live && !variables.TOKEN_SECRET, "TOKEN_SECRET must be set (32 characters or more) when DATABASE_URL is."],
    [!demo && !variables.SMTP_URL, "SMTP_URL must be set outside demo mode: sign-in codes go out by e-mail."],
    [
      !demo && !variables.MAIL_FROM,
      "MAIL_FROM must be set outside demo mode, for example 'Prahari <soc@your.domain>'.",
    ],
    [
      live && !demo && !variables.PUBLIC_URL,
      "PUBLIC_URL must be set when DATABASE_URL is: links in mails start with it.",
    ],
    [
      Boolean(variables.PAYU_KEY) !== Boolean(variables.PAYU_SALT),
      "PAYU_KEY and PAYU_SALT go together; one of them is missing.",
    ],
    [
      live && !variables.PAYU_KEY && !variables.ALLOW_SANDBOX,
      "PAYU_KEY and PAYU_SALT must be set when DATABASE_URL is; ALLOW_SANDBOX=1 takes sandbox payments instead, which are not money.",
    ],
  ];
  const refusal = refusals.find(([unsafe]) => unsafe);
  if (refusal) throw new StartRefused(refusal[1]);
}

/** @throws StartRefused when one of the three is missing */
function bucketOf(variables: z.infer<typeof Variables>): Env["s3"] {
  const { S3_BUCKET: bucket, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = variables;
  if (!bucket && !accessKeyId && !secretAccessKey) return null;
  if (!bucket || !accessKeyId || !secretAccessKey)
    throw new StartRefused("S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY go together; one of them is missing.");
  return { endpoint: variables.S3_ENDPOINT ?? null, region: variables.S3_REGION, bucket, accessKeyId, secretAccessKey };
}

function makeWritable(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch {
    throw new StartRefused(`The data folder ${folder} can't be written; set DATA_DIR to one that can.`);
  }
}

/** A secret of 256 bits made at the first start and kept, readable by its owner only. */
function generatedSecret(dataDir: string): string {
  const path = secretFile(dataDir);
  if (!existsSync(path)) writeFileSync(path, randomBytes(32).toString("base64url"), { mode: 0o600, flag: "wx" });
  return readFileSync(path, "utf8").trim();
}

function secretFile(dataDir: string): string {
  return resolve(dataDir, "token-secret");
}
