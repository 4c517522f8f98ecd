import { z } from "zod";
import { parseHeaders } from "./einvoice-headers.ts";
import { findFaultOfSigning } from "./signing-pem.ts";
import { readEngineKeys } from "./engine-keys.ts";
import { isWeakSecret } from "./weak-secret.ts";

const flag = z.enum(["0", "1"], "must be 0 or 1").transform((value) => value === "1");
const whole = (from: number, to: number) => z.coerce.number("must be a number").int().min(from).max(to);
const webAddress = z.url({ protocol: /^https?$/, error: "must be an http or https address" });
const postgres = z.url({
  protocol: /^postgres(ql)?$/,
  error: "must look like postgres://user:password@host/name",
});
const secret = z
  .string()
  .min(32, "must have 32 characters or more")
  .refine(
    (value) => !isWeakSecret(value),
    "can be guessed: it repeats itself, runs along the keyboard or stands in examples; 'openssl rand -base64 32' makes a good one",
  );

const mailAddress = String.raw`[^\s"<>()@,:;\\]+@[^\s"<>()@,:;\\]+`;
/** An address, alone or in angle brackets after a name, as the mail library reads it. */
const sender = new RegExp(
  String.raw`^(?:(?:"[^"\\\p{Cc}]*"\s*|[^"<>()@:;\\\p{Cc}]*)<${mailAddress}>|${mailAddress})$`,
  "u",
);

/**
 * Adds the README's text for the configuration table (`scripts/configuration-table.ts`). `without` says what holds
 * while the variable is not set, unless it has a plain default.
 */
function setting<Shape extends z.ZodType>(shape: Shape, meaning: string, without?: string): Shape {
  return shape.meta({ description: meaning, ...(without !== undefined && { without }) });
}

/** Every environment variable and its form; which combinations are safe is checked in `unsafe-settings.ts`. */
export const Variables = z.object({
  PORT: setting(whole(0, 65535).default(3000), "the port to listen on"),
  HOST: setting(z.string().default("127.0.0.1"), "the address to listen on"),
  PUBLIC_URL: setting(
    // The site's addresses are appended to it.
    webAddress
      .regex(/^[^?#@]+:\/\/[^/?#@]+\/*$/, "must be like https://soc.your.domain, without a path, options or a password")
      .optional(),
    "the address browsers use, without a path; https, except on localhost",
    "`http://localhost:PORT`; outside demo mode required with `DATABASE_URL` or a public `HOST`",
  ),
  DATABASE_URL: setting(
    postgres.optional(),
    "a PostgreSQL database: version 14 or newer, with citext, pg_trgm and btree_gin",
    "an embedded PostgreSQL 18, with its data under `DATA_DIR`",
  ),
  DATABASE_DIRECT_URL: setting(
    postgres.optional(),
    "the same database without the pooler, when `DATABASE_URL` goes through PgBouncer in transaction mode",
    "no pooler is in between",
  ),
  DATABASE_READ_URL: setting(
    postgres.optional(),
    "a streaming replica for heavy reads: overview, exports, reports, searches over all customers",
    "heavy reads use a small pool of their own on the primary",
  ),
  DATABASE_ALLOW_CLEARTEXT: setting(
    flag.default(false),
    "`1` accepts a database on another machine without `?sslmode=verify-full` or `require`",
    "0; always allowed on this machine",
  ),
  DATA_DIR: setting(
    z.string().default("data"),
    "folder for the embedded database, files and generated secrets",
    "`data` in the working directory",
  ),
  DEMO: setting(
    flag.optional(),
    "`1` loads demo data and opens /dev/mail and the demo sign-ins",
    "1 without `DATABASE_URL`, otherwise 0",
  ),
  ALLOW_PUBLIC_DEMO: setting(flag.default(false), "`1` opens demo mode to other machines"),
  SMTP_URL: setting(
    z
      .url({ protocol: /^smtps?$/, error: "must look like smtp://host:port" })
      // After a question mark the mail library takes options that switch its checks off.
      .refine(
        (url) => !/[?#]/.test(url),
        "must end after the port, without options; in a password write ? and # as %3F and %23",
      )
      .optional(),
    "the mail server (`smtp://` or `smtps://`), reached by TLS",
    "/dev/mail in demo mode; otherwise the product does not start",
  ),
  SMTP_ALLOW_CLEARTEXT: setting(
    flag.default(false),
    "`1` sends mail even without TLS or a valid certificate",
    "0; always allowed on this machine",
  ),
  MAIL_FROM: setting(
    z
      .string()
      .regex(
        sender,
        "must be one address, such as Prahari <soc@your.domain>, without quotes around the whole; a name with other marks needs quotes of its own",
      )
      .optional(),
    "the sender of all mail",
    "the support address in demo mode; otherwise the product does not start",
  ),
  TOKEN_SECRET: setting(
    secret.optional(),
    "the secret that signs tokens: at least 32 random characters",
    "generated once under `DATA_DIR`; required with `DATABASE_URL`",
  ),
  PAYU_KEY: setting(
    z.string().optional(),
    "PayU's merchant key",
    "the sandbox gateway in the embedded demo; otherwise the product does not start",
  ),
  PAYU_SALT: setting(z.string().optional(), "PayU's salt", "set both or neither"),
  PAYU_URL: setting(webAddress.default("https://secure.payu.in/_payment"), "PayU's payment page"),
  PAYU_API_URL: setting(
    webAddress.default("https://info.payu.in/merchant/postservice.php?form=2"),
    "PayU's API for verifying and refunding",
  ),
  REFUND_APPROVAL_PAISE: setting(
    whole(0, 1_000_000_000_000).default(5_000_000),
    "refunds of one order that total more than this, in paise, need a second main administrator; so do write-offs",
  ),
  TRUE_UP_TOLERANCE_PERCENT: setting(
    whole(0, 100).default(10),
    "percentage of connected devices beyond the contract that is tolerated before a true-up",
  ),
  ALLOW_SANDBOX: setting(flag.default(false), "`1` accepts sandbox payments outside the embedded demo"),
  DOCUMENT_SIGNING_PEM: setting(
    z
      .string()
      .superRefine((pem, context) => {
        const message = findFaultOfSigning(pem);
        if (message) context.addIssue({ code: "custom", message });
      })
      .optional(),
    "PEM to sign documents with: an unencrypted private key (RSA or P-256) and its certificates, the signer's first",
    "documents are unsigned; in demo mode signed with an untrusted certificate",
  ),
  EINVOICE_URL: setting(
    webAddress.optional(),
    "base address of a provider (GSP) that takes NIC's e-invoice calls as plain JSON, without `/Invoice`",
    "no invoice is registered; in demo mode a stand-in registers them",
  ),
  EINVOICE_HEADERS: setting(
    z
      .string()
      .refine(
        (text) => parseHeaders(text) !== null,
        "must look like 'x-auth-token: TOKEN', several of them parted by |",
      )
      .optional(),
    "headers the provider requires, as `name: value`, separated by vertical bars",
    "set both or neither",
  ),
  S3_ENDPOINT: setting(webAddress.optional(), "an S3-compatible file store, at the address browsers use", "Amazon S3"),
  S3_ALLOW_CLEARTEXT: setting(flag.default(false), "`1` accepts an http `S3_ENDPOINT` on another machine"),
  S3_REGION: setting(z.string().default("ap-south-1"), "the store's region"),
  S3_BUCKET: setting(z.string().optional(), "an existing bucket", "a folder under `DATA_DIR`"),
  S3_ACCESS_KEY_ID: setting(z.string().optional(), "the store's access key", "set together with `S3_BUCKET`"),
  S3_SECRET_ACCESS_KEY: setting(z.string().optional(), "the store's secret key", "set together with `S3_BUCKET`"),
  ENGINES_KEY: setting(
    z
      .string()
      .transform((written, context) => {
        const keys = readEngineKeys(written);
        if (typeof keys !== "string") return keys;
        context.addIssue({ code: "custom", message: keys });
        return z.NEVER;
      })
      .optional(),
    "key that encrypts engine credentials, `NAME:KEY` with 32 bytes in base64; older keys may follow after commas",
    "derived from `TOKEN_SECRET`; with `DATABASE_URL` no engine can be bound",
  ),
  ENGINES_ALLOW_PRIVATE: setting(
    flag.default(false),
    "`1` allows engines in private networks and on this machine, also over http",
  ),
  TRUST_PROXY: setting(whole(0, 10).default(0), "number of proxies in front of the product"),
  WORKERS: setting(whole(1, 64).default(1), "number of processes on this machine"),
  STOP_DELAY_SECONDS: setting(
    whole(0, 60).default(0),
    "on a stop, seconds to go on serving while /readyz answers 503, so that load balancers notice",
  ),
  LOG_LEVEL: setting(
    z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
    "pino's log level",
  ),
  API_DOCS: setting(flag.optional(), "`1` serves /api/docs and /api/openapi.json", "1 in demo mode, otherwise 0"),
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(
    webAddress.optional(),
    "an OpenTelemetry collector that receives traces over HTTP; other standard `OTEL_` variables work too",
    "no traces",
  ),
  ON_CALL_URL: setting(
    webAddress.optional(),
    "your on-call webhook: each reported attack is posted there at once, signed as in Standard Webhooks",
    "attacks appear only by mail, in the bell and in the list of incidents",
  ),
  ON_CALL_SECRET: setting(
    z
      .string()
      .regex(/^whsec_[A-Za-z\d+/]{32,}={0,2}$/, "must look like whsec_ and 24 random bytes or more in base64")
      .refine((value) => !isWeakSecret(value), "can be guessed; 'openssl rand -base64 32' makes a good one")
      .optional(),
    "the key that signs those posts: `whsec_` and at least 24 random bytes in base64",
    "set both or neither",
  ),
  METRICS_TOKEN: setting(
    secret.optional(),
    "the bearer token for /metrics: at least 32 random characters, not `TOKEN_SECRET`",
    "/metrics does not exist",
  ),
  ADMIN_PASSWORD: setting(z.string().optional(), "the password for `npm run admin:create`", "the command asks for it"),
  NODE_ENV: setting(z.string().default("production"), "`development` shows React's warnings and renders more slowly"),
});
export type Variables = z.infer<typeof Variables>;
