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
/** An address alone, or a name and one in angle brackets, as the mail library reads it. */
const sender = new RegExp(
  String.raw`^(?:(?:"[^"\\\p{Cc}]*"\s*|[^"<>()@:;\\\p{Cc}]*)<${mailAddress}>|${mailAddress})$`,
  "u",
);

/**
 * What the configuration table in the README says of a variable (`scripts/configuration-table.ts`).
 * `without` says what holds while it is not set, where that is no plain default.
 */
function setting<Shape extends z.ZodType>(shape: Shape, meaning: string, without?: string): Shape {
  return shape.meta({ description: meaning, ...(without !== undefined && { without }) });
}

/** Every environment variable and the form of its value; what fits together is for `unsafe-settings.ts` to say. */
export const Variables = z.object({
  PORT: setting(whole(0, 65535).default(3000), "the port on which it listens"),
  HOST: setting(z.string().default("127.0.0.1"), "the address on which it listens"),
  PUBLIC_URL: setting(
    // All addresses of the site are appended to it.
    webAddress
      .regex(/^[^?#@]+:\/\/[^/?#@]+\/*$/, "must be like https://soc.your.domain, without a path, options or a password")
      .optional(),
    "its address as browsers see it, without a path; https, save on localhost",
    "`http://localhost:PORT`; needed with `DATABASE_URL`",
  ),
  DATABASE_URL: setting(
    postgres.optional(),
    "a PostgreSQL (14 or newer, citext, pg_trgm, btree_gin)",
    "its own PostgreSQL 18, data under `DATA_DIR`",
  ),
  DATABASE_DIRECT_URL: setting(
    postgres.optional(),
    "the same database past a pooler: then `DATABASE_URL` and `DATABASE_READ_URL` may lead through PgBouncer in transaction mode",
    "there is no pooler in between",
  ),
  DATABASE_READ_URL: setting(
    postgres.optional(),
    "a streaming replica for heavy reads: overview, exports, reports, search over everybody",
    "the same database, through a small pool of its own",
  ),
  DATABASE_ALLOW_CLEARTEXT: setting(
    flag.default(false),
    "`1` takes databases on other machines without TLS (`?sslmode=verify-full` or `require` in their addresses)",
    "0; on this machine it is allowed",
  ),
  DATA_DIR: setting(
    z.string().default("data"),
    "embedded database, files, generated secrets",
    "`data` in the folder where it starts",
  ),
  DEMO: setting(
    flag.optional(),
    "`1` fills demo data, shows /dev/mail and the demo sign-ins",
    "1 without `DATABASE_URL`, else 0",
  ),
  ALLOW_PUBLIC_DEMO: setting(flag.default(false), "`1` opens demo mode to more than this machine"),
  SMTP_URL: setting(
    z
      .url({ protocol: /^smtps?$/, error: "must look like smtp://host:port" })
      // Behind a question mark the mail library takes options that switch its checks off.
      .refine(
        (url) => !/[?#]/.test(url),
        "must end after the port, without options; in a password write ? and # as %3F and %23",
      )
      .optional(),
    "where mail goes, by TLS",
    "/dev/mail in demo mode; otherwise the start is refused",
  ),
  SMTP_ALLOW_CLEARTEXT: setting(
    flag.default(false),
    "`1` sends also without TLS or a good certificate",
    "0; on this machine it is allowed",
  ),
  MAIL_FROM: setting(
    z
      .string()
      .regex(
        sender,
        "must be one address, such as Prahari <soc@your.domain>, without quotes around the whole; a name with other marks needs quotes of its own",
      )
      .optional(),
    "from whom mail comes",
    "the support address in demo mode; otherwise the start is refused",
  ),
  TOKEN_SECRET: setting(
    secret.optional(),
    "signs tokens, 32 random characters or more",
    "made once under `DATA_DIR`; refused with `DATABASE_URL`",
  ),
  PAYU_KEY: setting(
    z.string().optional(),
    "PayU's merchant key",
    "the sandbox gateway in demo mode; otherwise the start is refused",
  ),
  PAYU_SALT: setting(z.string().optional(), "PayU's salt", "as without `PAYU_KEY`; the two go together"),
  PAYU_URL: setting(webAddress.default("https://secure.payu.in/_payment"), "PayU's pay page"),
  PAYU_API_URL: setting(
    webAddress.default("https://info.payu.in/merchant/postservice.php?form=2"),
    "PayU's commands (verify, refund)",
  ),
  REFUND_APPROVAL_PAISE: setting(
    whole(0, 1_000_000_000_000).default(5_000_000),
    "refunds of an order that come to more than this, in paise, need another main administrator",
  ),
  TRUE_UP_TOLERANCE_PERCENT: setting(
    whole(0, 100).default(10),
    "so many per cent more devices than a contract holds may be connected before a true-up is announced",
  ),
  ALLOW_SANDBOX: setting(flag.default(false), "`1` takes sandbox payments outside the embedded demo"),
  DOCUMENT_SIGNING_PEM: setting(
    z
      .string()
      .superRefine((pem, context) => {
        const message = findFaultOfSigning(pem);
        if (message) context.addIssue({ code: "custom", message });
      })
      .optional(),
    "what invoices are signed with: a private key (RSA or P-256, without a password) and its certificates as PEM, the signer's own first",
    "invoices are not signed; in demo mode by a certificate that nobody vouches for",
  ),
  EINVOICE_URL: setting(
    webAddress.optional(),
    "where a provider (GSP) takes NIC's e-invoice calls as plain JSON, without `/Invoice` at the end",
    "no invoice is registered; in demo mode by a stand-in",
  ),
  EINVOICE_HEADERS: setting(
    z
      .string()
      .refine(
        (text) => parseHeaders(text) !== null,
        "must look like 'x-auth-token: TOKEN', several of them parted by |",
      )
      .optional(),
    "what it wants with each call, `name: value`, several with a bar between them",
    "as without `EINVOICE_URL`; the two go together",
  ),
  S3_ENDPOINT: setting(webAddress.optional(), "S3-compatible file store, as browsers reach it", "Amazon's own"),
  S3_ALLOW_CLEARTEXT: setting(flag.default(false), "`1` takes an `S3_ENDPOINT` of http on another machine"),
  S3_REGION: setting(z.string().default("ap-south-1"), "the store's region"),
  S3_BUCKET: setting(z.string().optional(), "the store's bucket, which must be there", "a folder under `DATA_DIR`"),
  S3_ACCESS_KEY_ID: setting(z.string().optional(), "the store's key", "as without `S3_BUCKET`; the three go together"),
  S3_SECRET_ACCESS_KEY: setting(z.string().optional(), "its secret", "as without `S3_BUCKET`"),
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
    "what credentials of engines are encrypted with: NAME:KEY, the key 32 bytes in base64; behind a comma older ones that still read",
    "made from `TOKEN_SECRET`; with `DATABASE_URL` no engines can be bound",
  ),
  ENGINES_ALLOW_PRIVATE: setting(
    flag.default(false),
    "`1` lets bindings of engines lead into private networks and to this machine, also by http",
  ),
  TRUST_PROXY: setting(whole(0, 10).default(0), "number of proxies in front"),
  WORKERS: setting(whole(1, 64).default(1), "processes on this machine"),
  STOP_DELAY_SECONDS: setting(
    whole(0, 60).default(0),
    "how long a stop goes on answering while /readyz says 503, so that a load balancer notices first",
  ),
  LOG_LEVEL: setting(
    z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
    "pino's level",
  ),
  API_DOCS: setting(flag.optional(), "`1` shows /api/docs and /api/openapi.json", "1 in demo mode, else 0"),
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(
    webAddress.optional(),
    "a collector of OpenTelemetry: traces go there over HTTP; the other standard variables hold too",
    "nothing is traced",
  ),
  ON_CALL_URL: setting(
    webAddress.optional(),
    "what wakes your team: a reported attack is posted there at once, signed as Standard Webhooks have it",
    "an attack is told by mail, bell and list alone",
  ),
  ON_CALL_SECRET: setting(
    z
      .string()
      .regex(/^whsec_[A-Za-z\d+/]{32,}={0,2}$/, "must look like whsec_ and 24 random bytes or more in base64")
      .refine((value) => !isWeakSecret(value), "can be guessed; 'openssl rand -base64 32' makes a good one")
      .optional(),
    "what those posts are signed with: whsec_ and 24 random bytes or more in base64",
    "as without `ON_CALL_URL`; the two go together",
  ),
  METRICS_TOKEN: setting(
    secret.optional(),
    "what Prometheus sends as bearer token to read /metrics, 32 random characters or more",
    "/metrics does not exist",
  ),
  ADMIN_PASSWORD: setting(z.string().optional(), "for `npm run admin:create` only", "asked for on the terminal"),
  NODE_ENV: setting(z.string().default("production"), "`development` renders pages slower, with React's warnings"),
});
export type Variables = z.infer<typeof Variables>;
