import { z } from "zod";
import { isWeakSecret } from "./weak-secret.ts";

const flag = z.enum(["0", "1"], "must be 0 or 1").transform((value) => value === "1");
const whole = (from: number, to: number) => z.coerce.number("must be a number").int().min(from).max(to);
const webAddress = z.url({ protocol: /^https?$/, error: "must be an http or https address" });

/** Every environment variable and the form of its value; what fits together is for `unsafe-settings.ts` to say. */
export const Variables = z.object({
  NODE_ENV: z.string().default("production"),
  PORT: whole(0, 65535).default(3000),
  HOST: z.string().default("127.0.0.1"),
  PUBLIC_URL: webAddress.optional(),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: "must look like postgres://user:password@host/name" })
    .optional(),
  DATA_DIR: z.string().default("data"),
  DEMO: flag.optional(),
  ALLOW_PUBLIC_DEMO: flag.default(false),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: "must look like smtp://host:port" })
    // Behind a question mark the mail library takes options that switch its checks off.
    .refine(
      (url) => !/[?#]/.test(url),
      "must end after the port, without options; in a password write ? and # as %3F and %23",
    )
    .optional(),
  SMTP_ALLOW_CLEARTEXT: flag.default(false),
  MAIL_FROM: z.string().optional(),
  TOKEN_SECRET: z
    .string()
    .min(32, "must have 32 characters or more")
    .refine(
      (secret) => !isWeakSecret(secret),
      "can be guessed: it repeats itself, runs along the keyboard or stands in examples; 'openssl rand -base64 32' makes a good one",
    )
    .optional(),
  PAYU_KEY: z.string().optional(),
  PAYU_SALT: z.string().optional(),
  PAYU_URL: webAddress.default("https://secure.payu.in/_payment"),
  PAYU_API_URL: webAddress.default("https://info.payu.in/merchant/postservice.php?form=2"),
  ALLOW_SANDBOX: flag.default(false),
  S3_ENDPOINT: webAddress.optional(),
  S3_ALLOW_CLEARTEXT: flag.default(false),
  S3_REGION: z.string().default("ap-south-1"),
  S3_BUCKET: z.string().optional(),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  TRUST_PROXY: whole(0, 10).default(0),
  WORKERS: whole(1, 64).default(1),
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
  API_DOCS: flag.optional(),
});
export type Variables = z.infer<typeof Variables>;
