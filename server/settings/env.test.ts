import { execFile } from "node:child_process";
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { makeSelfSigned } from "../outside/documents/self-signed.ts";
import { readDataEnv, readEnv, StartRefused } from "./env.ts";
import { partsOfPem } from "./signing-pem.ts";
import { isWeakSecret } from "./weak-secret.ts";

const dataDir = mkdtempSync(join(tmpdir(), "prahari-env-"));
afterAll(() => rmSync(dataDir, { recursive: true }));

const live = {
  DATA_DIR: dataDir,
  DATABASE_URL: "postgres://user:secret@db.example/prahari?sslmode=verify-full",
  TOKEN_SECRET: "a token secret of thirty-two characters",
  PUBLIC_URL: "https://soc.example/",
  SMTP_URL: "smtp://mail.example:25",
  MAIL_FROM: "Prahari <soc@example.in>",
  PAYU_KEY: "key",
  PAYU_SALT: "salt",
};

const payuTest = {
  PAYU_URL: "https://test.payu.in/_payment",
  PAYU_API_URL: "https://test.payu.in/merchant/postservice.php?form=2",
};

const onCallKey = randomBytes(24);
const onCallSecret = `whsec_${onCallKey.toString("base64")}`;

describe("the environment", () => {
  it("without anything set is a demo on its own database", () => {
    const env = readEnv({ DATA_DIR: dataDir });
    expect(env).toMatchObject({
      port: 3000,
      host: "127.0.0.1",
      demo: true,
      databaseUrl: null,
      databaseDirectUrl: null,
      databaseReadUrl: null,
      payu: null,
      apiDocs: true,
    });
  });
  it("with a database is no demo, and shows no API page", () => {
    expect(readEnv(live)).toMatchObject({ demo: false, apiDocs: false, publicUrl: "https://soc.example" });
  });
  it("takes apart what a provider of e-invoices wants with each call", () => {
    const given = {
      EINVOICE_URL: "https://gsp.example/einv/v1/govt/api/",
      EINVOICE_HEADERS: "x-auth-token: a:b c | x-product: EInvoice",
    };
    expect(readEnv({ ...live, ...given }).eInvoices).toEqual({
      url: "https://gsp.example/einv/v1/govt/api",
      headers: { "x-auth-token": "a:b c", "x-product": "EInvoice" },
    });
    expect(readEnv(live).eInvoices).toBeNull();
  });
  it("reads the key that tells our team who calls", () => {
    const given = { ON_CALL_URL: "https://pager.example/hook", ON_CALL_SECRET: onCallSecret };
    expect(readEnv({ ...live, ...given }).onCall).toEqual({ url: given.ON_CALL_URL, key: onCallKey });
    expect(readEnv(live).onCall).toBeNull();
  });
  it("takes an empty value as not set", () => {
    expect(readEnv({ DATA_DIR: dataDir, PORT: "", DATABASE_URL: "" }).port).toBe(3000);
  });
  it("takes blanks as not set, and none around a value", () => {
    const blank = readEnv({
      DATA_DIR: dataDir,
      PORT: " ",
      REFUND_APPROVAL_PAISE: "\t",
      OTEL_EXPORTER_OTLP_ENDPOINT: " ",
    });
    expect(blank).toMatchObject({ port: 3000, refundApprovalPaise: 5_000_000, tracing: null });
    const metricsToken = randomBytes(32).toString("base64url");
    const given = readEnv({ ...live, METRICS_TOKEN: `${metricsToken}\n`, PUBLIC_URL: " https://soc.example\r\n" });
    expect(given).toMatchObject({ metricsToken, publicUrl: "https://soc.example" });
  });
  it.each(["true", "TRUE", " True\n"])("traces nothing where OTEL_SDK_DISABLED is %j", (disabled) => {
    const traced = { DATA_DIR: dataDir, OTEL_EXPORTER_OTLP_ENDPOINT: "https://otel.example" };
    expect(readEnv({ ...traced, OTEL_SDK_DISABLED: disabled }).tracing).toBeNull();
    expect(readEnv({ ...traced, OTEL_SDK_DISABLED: "false" }).tracing).toMatchObject({ OTEL_SDK_DISABLED: "false" });
  });
  it("keeps the secret it made, readable by its owner only", () => {
    const { tokenSecret } = readEnv({ DATA_DIR: dataDir });
    expect(readEnv({ DATA_DIR: dataDir }).tokenSecret).toBe(tokenSecret);
    expect(Buffer.from(tokenSecret, "base64url")).toHaveLength(32);
    expect(statSync(join(dataDir, "token-secret")).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(dataDir, "token-secret"), "utf8")).toBe(tokenSecret);
  });
});

const [signing, otherSigning] = await Promise.all([
  makeSelfSigned("Seller", new Date()),
  makeSelfSigned("Other", new Date()),
]);

describe("the start is refused with one sentence", () => {
  const without = (...names: (keyof typeof live)[]) =>
    Object.fromEntries(Object.entries(live).filter(([name]) => !names.includes(name as keyof typeof live)));
  const ownDatabase = without("DATABASE_URL", "TOKEN_SECRET", "PUBLIC_URL", "PAYU_KEY", "PAYU_SALT");
  const bucket = { S3_BUCKET: "files", S3_ACCESS_KEY_ID: "key", S3_SECRET_ACCESS_KEY: "secret" };
  const blocked = join(dataDir, "a-file");
  writeFileSync(blocked, "");
  it.each<[string, Record<string, string>, RegExp]>([
    ["a short metrics token", { ...live, METRICS_TOKEN: "short" }, /^METRICS_TOKEN: must have 32 characters/],
    [
      "one secret for tokens and metrics",
      { ...live, METRICS_TOKEN: live.TOKEN_SECRET },
      /^METRICS_TOKEN must differ from TOKEN_SECRET/,
    ],
    ["a database without a token secret", without("TOKEN_SECRET"), /^TOKEN_SECRET must be set/],
    [
      "a replica of no database",
      { ...ownDatabase, DATABASE_READ_URL: "postgres://replica.example/soc" },
      /^DATABASE_DIRECT_URL and DATABASE_READ_URL go with DATABASE_URL/,
    ],
    ["a short token secret", { ...live, TOKEN_SECRET: "short" }, /^TOKEN_SECRET: must have 32 characters/],
    ["no mail server outside demo mode", without("SMTP_URL"), /^SMTP_URL must be set/],
    ["no sender outside demo mode", without("MAIL_FROM"), /^MAIL_FROM must be set/],
    [
      "a sender without an address",
      { ...live, MAIL_FROM: "Prahari soc.example.in" },
      /^MAIL_FROM: must be one address/,
    ],
    ["a sender with half an address", { ...live, MAIL_FROM: "soc@" }, /^MAIL_FROM: must be one address/],
    ["two senders", { ...live, MAIL_FROM: "soc@example.in, other@example.in" }, /^MAIL_FROM: must be one address/],
    ["a group of senders", { ...live, MAIL_FROM: "Us: soc@example.in;" }, /^MAIL_FROM: must be one address/],
    [
      "a sender in the quotes of a file",
      { ...live, MAIL_FROM: '"Prahari <soc@example.in>"' },
      /^MAIL_FROM: must be one address.* without quotes around the whole/,
    ],
    ["no public address with a database", without("PUBLIC_URL"), /^PUBLIC_URL must be set/],
    ...[
      "https://soc.example/portal",
      "https://soc.example?a=1",
      "https://soc.example/#x",
      "https://me:it@soc.example",
    ].map((address): [string, Record<string, string>, RegExp] => [
      `the public address ${address}`,
      { ...live, PUBLIC_URL: address },
      /^PUBLIC_URL: must be like https:.* without a path, options or a password/,
    ]),
    [
      "a public address that is read on the way",
      { ...live, PUBLIC_URL: "http://soc.example" },
      /^PUBLIC_URL must begin/,
    ],
    [
      "an open port without a public address",
      { ...without("DATABASE_URL", "PUBLIC_URL"), DEMO: "0", HOST: "0.0.0.0" },
      /^PUBLIC_URL must be set/,
    ],
    ["a token secret of one letter", { ...live, TOKEN_SECRET: "a".repeat(32) }, /^TOKEN_SECRET: can be guessed/],
    ["a token secret that repeats", { ...live, TOKEN_SECRET: "prahari1".repeat(5) }, /^TOKEN_SECRET: can be guessed/],
    [
      "a token secret along the keyboard",
      { ...live, TOKEN_SECRET: "abcdefghijklmnopqrstuvwxyz0123456789" },
      /^TOKEN_SECRET: can be guessed/,
    ],
    [
      "a token secret from an example",
      { ...live, TOKEN_SECRET: "please-change-me-to-32-random-characters" },
      /^TOKEN_SECRET: can be guessed/,
    ],
    [
      "options in the mail server's address",
      { ...live, SMTP_URL: "smtp://m.example:25?ignoreTLS=true" },
      /^SMTP_URL: must end/,
    ],
    ["half of where invoices are registered", { ...live, EINVOICE_URL: "https://gsp.example/einv" }, /go together/],
    [
      "a portal that is reached in clear text",
      { ...live, EINVOICE_URL: "http://gsp.example/einv", EINVOICE_HEADERS: "x-token: secret" },
      /^EINVOICE_URL must begin with https/,
    ],
    [
      "a demo that registers with the government",
      { DATA_DIR: dataDir, EINVOICE_URL: "https://gsp.example/einv", EINVOICE_HEADERS: "x-token: secret" },
      /^Demo mode registers nothing/,
    ],
    ["half of what wakes the team", { ...live, ON_CALL_URL: "https://pager.example/hook" }, /go together/],
    [
      "a team that is woken in clear text",
      { ...live, ON_CALL_URL: "http://pager.example/hook", ON_CALL_SECRET: onCallSecret },
      /^ON_CALL_URL must begin with https/,
    ],
    [
      "a secret of another form",
      { ...live, ON_CALL_URL: "https://pager.example/hook", ON_CALL_SECRET: "secret" },
      /^ON_CALL_SECRET: must look like/,
    ],
    [
      "a demo that wakes people",
      { DATA_DIR: dataDir, ON_CALL_URL: "https://pager.example/hook", ON_CALL_SECRET: onCallSecret },
      /^Demo mode wakes nobody/,
    ],
    [
      "headers that are none",
      { ...live, EINVOICE_URL: "https://gsp.example/einv", EINVOICE_HEADERS: "secret" },
      /^EINVOICE_HEADERS: must look like/,
    ],
    ["half a merchant key", without("PAYU_SALT"), /^PAYU_KEY and PAYU_SALT go together/],
    ["sandbox payments on a live database", without("PAYU_KEY", "PAYU_SALT"), /ALLOW_SANDBOX=1/],
    [
      "sandbox payments outside demo mode",
      { ...ownDatabase, DEMO: "0" },
      /^PAYU_KEY and PAYU_SALT must be set outside/,
    ],
    [
      "PayU's test gateway outside demo mode",
      { ...live, ...payuTest },
      /^PAYU_URL and PAYU_API_URL are PayU's test gateway, .* ALLOW_SANDBOX=1/,
    ],
    [
      "payments at PayU that its test gateway confirms",
      { ...live, ALLOW_SANDBOX: "1", PAYU_API_URL: payuTest.PAYU_API_URL },
      /^PAYU_URL and PAYU_API_URL go together/,
    ],
    [
      "a database whose encryption a second option takes back",
      { ...live, DATABASE_URL: "postgres://user:secret@db.example/prahari?sslmode=require&sslmode=disable" },
      /^DATABASE_URL must end with/,
    ],
    [
      "a database that is read on the way where it can be",
      { ...live, DATABASE_URL: "postgres://user:secret@10.0.0.5/prahari?sslmode=prefer" },
      /^DATABASE_URL must end with \?sslmode=verify-full .* DATABASE_ALLOW_CLEARTEXT=1/,
    ],
    [
      "a database without a host that PGHOST leads elsewhere",
      { ...live, DATABASE_URL: "postgresql:///prahari", PGHOST: "10.0.0.5" },
      /^DATABASE_URL must end with/,
    ],
    [
      "a database that an option leads elsewhere",
      { ...live, DATABASE_URL: "postgres://user:secret@localhost/prahari?host=10.0.0.5" },
      /^DATABASE_URL must end with/,
    ],
    [
      "a replica that is read on the way",
      { ...live, DATABASE_READ_URL: "postgres://user:secret@replica.example/prahari" },
      /^DATABASE_READ_URL must end with/,
    ],
    ["a pay page that is read on the way", { ...live, PAYU_URL: "http://secure.payu.in/_payment" }, /^PAYU_URL must/],
    [
      "payment answers that anyone may change",
      { ...live, PAYU_API_URL: "http://10.0.0.8/verify" },
      /^PAYU_API_URL must/,
    ],
    ["a pay page of another kind", { ...live, PAYU_URL: "javascript:alert(1)" }, /^PAYU_URL: must be an http/],
    ["a demo that is open to all", { DATA_DIR: dataDir, HOST: "0.0.0.0" }, /^Demo mode listens .* ALLOW_PUBLIC_DEMO=1/],
    ["a demo on every IPv6 address", { DATA_DIR: dataDir, HOST: "::" }, /^Demo mode listens on this machine only/],
    ["a demo on the local network", { DATA_DIR: dataDir, HOST: "192.168.1.5" }, /^Demo mode listens/],
    [
      "a demo behind a public address",
      { DATA_DIR: dataDir, PUBLIC_URL: "https://demo.example" },
      /^Demo mode is for this machine only, and PUBLIC_URL is https:\/\/demo\.example\./,
    ],
    ["a demo behind a proxy", { DATA_DIR: dataDir, TRUST_PROXY: "1" }, /^Demo mode .* TRUST_PROXY says/],
    [
      "a demo that takes money",
      { ...live, DEMO: "1", PUBLIC_URL: "http://localhost:3000" },
      /^Demo mode takes no real money/,
    ],
    [
      "a public demo that takes money",
      { ...live, DEMO: "1", ALLOW_PUBLIC_DEMO: "1", PAYU_URL: "https://test.payu.in/_payment" },
      /^Demo mode takes no real money/,
    ],
    [
      "a public demo read on the way",
      { ...ownDatabase, ALLOW_PUBLIC_DEMO: "1", PUBLIC_URL: "http://demo.example" },
      /^PUBLIC_URL must begin/,
    ],
    [
      "a file store that is read on the way",
      { ...live, ...bucket, S3_ENDPOINT: "http://minio.internal:9000" },
      /^S3_ENDPOINT must begin with https.* S3_ALLOW_CLEARTEXT=1/,
    ],
    [
      "half a file store",
      { ...live, S3_BUCKET: "files" },
      /^S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY go together/,
    ],
    [
      "a certificate without its key",
      { ...live, DOCUMENT_SIGNING_PEM: partsOfPem(signing).certificates.join("") },
      /^DOCUMENT_SIGNING_PEM: must hold a private key and the certificates/,
    ],
    [
      "a certificate of another key",
      { ...live, DOCUMENT_SIGNING_PEM: partsOfPem(signing).key + partsOfPem(otherSigning).certificates.join("") },
      /^DOCUMENT_SIGNING_PEM: holds a certificate of another key/,
    ],
    [
      "a signing key with a password",
      { ...live, DOCUMENT_SIGNING_PEM: signing.replaceAll("PRIVATE KEY", "ENCRYPTED PRIVATE KEY") },
      /^DOCUMENT_SIGNING_PEM: holds a key with a password/,
    ],
    [
      "a damaged certificate",
      { ...live, DOCUMENT_SIGNING_PEM: signing.replace(/MI[^\n]{20}/g, "") },
      /^DOCUMENT_SIGNING_PEM: can't be read as PEM/,
    ],
    ["a port that is no number", { DATA_DIR: dataDir, PORT: "http" }, /^PORT: /],
    ["a port out of range", { DATA_DIR: dataDir, PORT: "70000" }, /^PORT: /],
    [
      "another database",
      { ...live, DATABASE_URL: "mysql://db.example/prahari" },
      /^DATABASE_URL: must look like postgres/,
    ],
    ["a flag that is neither 0 nor 1", { DATA_DIR: dataDir, DEMO: "yes" }, /^DEMO: must be 0 or 1/],
    ["a level that pino does not know", { DATA_DIR: dataDir, LOG_LEVEL: "loud" }, /^LOG_LEVEL: /],
    ["a data folder that can't be made", { DATA_DIR: join(blocked, "data") }, /^The data folder .* can't be written/],
  ])("for %s", (_case, source, sentence) => {
    expect(() => readEnv(source)).toThrow(StartRefused);
    expect(() => readEnv(source)).toThrow(sentence);
  });
  it.each<[string, Record<string, string>]>([
    ["sandbox payments that are asked for", { ...without("PAYU_KEY", "PAYU_SALT"), ALLOW_SANDBOX: "1" }],
    ["a demo on any address of this machine", { DATA_DIR: dataDir, HOST: "::1", PUBLIC_URL: "http://[::1]:3000" }],
    ["a public demo that is asked for", { ...ownDatabase, ALLOW_PUBLIC_DEMO: "1", HOST: "0.0.0.0" }],
    [
      "a demo with PayU's test addresses",
      {
        ...ownDatabase,
        PAYU_KEY: "key",
        PAYU_SALT: "salt",
        ...payuTest,
      },
    ],
    ["PayU's test addresses that are asked for", { ...live, ...payuTest, ALLOW_SANDBOX: "1" }],
    ["a database on this machine", { ...live, DATABASE_URL: "postgres://user:secret@127.0.0.1/prahari" }],
    ["a database behind a socket", { ...live, DATABASE_URL: "postgres:///prahari?host=/var/run/postgresql" }],
    [
      "a database in clear text that is asked for",
      { ...live, DATABASE_URL: "postgres://user:secret@database:5432/prahari", DATABASE_ALLOW_CLEARTEXT: "1" },
    ],
    [
      "a stand-in for PayU on this machine",
      { ...live, PAYU_URL: "http://127.0.0.1:9/p", PAYU_API_URL: "http://127.1/a" },
    ],
    [
      "a file store in clear text that is asked for",
      { ...live, ...bucket, S3_ENDPOINT: "http://minio:9000", S3_ALLOW_CLEARTEXT: "1" },
    ],
    ["a file store on this machine", { ...live, ...bucket, S3_ENDPOINT: "http://localhost:9000" }],
    ["an open port behind a proxy with a certificate", { ...live, HOST: "0.0.0.0" }],
    ["a sender without a name", { ...live, MAIL_FROM: "soc@localhost" }],
    ["a sender with a comma in its name", { ...live, MAIL_FROM: '"Prahari @ Coimbatore, India" <soc@example.in>' }],
  ])("but not for %s", (_case, source) => {
    expect(() => readEnv(source)).not.toThrow();
  });
  it("but not for random secrets, whatever their alphabet", () => {
    const secrets = (["hex", "base64", "base64url"] as const).flatMap((encoding) =>
      Array.from({ length: 300 }, (_, index) =>
        createHash("sha256")
          .update(String(index))
          .digest(encoding)
          .slice(0, encoding === "hex" ? 32 : 44),
      ),
    );
    expect([...secrets, randomUUID()].filter((secret) => isWeakSecret(secret))).toEqual([]);
  });
});

describe("the generated secret", () => {
  const folder = () => mkdtempSync(join(dataDir, "secret-"));

  it.each<[string, string | Buffer]>([
    ["empty", ""],
    ["cut off", randomBytes(32).toString("base64url").slice(0, 40)],
    ["zeroed", Buffer.alloc(43)],
    ["a word", "secret\n"],
  ])("that is %s refuses the start and is left as it is, with what to do", (_state, content) => {
    const DATA_DIR = folder();
    const file = join(DATA_DIR, "token-secret");
    writeFileSync(file, content);
    const start = () => readEnv({ DATA_DIR });
    expect(start).toThrow(StartRefused);
    expect(start).toThrow(
      /token-secret is damaged.* delete it to have a new one made; people will have to sign in again/,
    );
    expect(readFileSync(file)).toEqual(Buffer.from(content));
    rmSync(file);
    expect(start().tokenSecret).toHaveLength(43);
  });

  it("that others may read is closed to them", () => {
    const DATA_DIR = folder();
    const { tokenSecret } = readEnv({ DATA_DIR });
    chmodSync(join(DATA_DIR, "token-secret"), 0o644);
    expect(readEnv({ DATA_DIR }).tokenSecret).toBe(tokenSecret);
    expect(statSync(join(DATA_DIR, "token-secret")).mode & 0o777).toBe(0o600);
  });

  it("is one and the same for all that start at once, and leaves nothing else behind", async () => {
    const DATA_DIR = folder();
    const print = `import { readEnv } from "./server/settings/env.ts"; process.stdout.write(readEnv().tokenSecret);`;
    const run = promisify(execFile);
    const starts = Array.from({ length: 5 }, () =>
      run(process.execPath, ["--input-type=module", "-e", print], { env: { PATH: process.env["PATH"], DATA_DIR } }),
    );
    const secrets = (await Promise.all(starts)).map(({ stdout }) => stdout);
    expect(new Set(secrets).size).toBe(1);
    expect(secrets[0]).toHaveLength(43);
    expect(readdirSync(DATA_DIR)).toEqual(["token-secret"]);
  });

  it("that finds no room is not kept by halves, and the start says why", async () => {
    const DATA_DIR = folder();
    // With a file size limit of 0, writing fails as on a full disk, for this process only.
    const start = `ulimit -f 0; trap '' XFSZ; exec ${process.execPath} --input-type=module -e 'import { readEnv } from "./server/settings/env.ts"; try { readEnv() } catch (error) { console.log(error.message) }'`;
    const { stdout } = await promisify(execFile)("bash", ["-c", `${start} | cat`], {
      env: { PATH: process.env["PATH"], DATA_DIR },
    });
    expect(stdout).toMatch(/^The secret in .*token-secret can't be kept: EFBIG/);
    expect(readdirSync(DATA_DIR)).toEqual([]);
  });
});

describe("a command", () => {
  it.each([
    [{ DATABASE_URL: "postgres://user:secret@db.example/prahari" }, /^DATABASE_URL must end with/],
    [
      { S3_ENDPOINT: "http://s3.example", S3_BUCKET: "b", S3_ACCESS_KEY_ID: "k", S3_SECRET_ACCESS_KEY: "s" },
      /^S3_ENDPOINT/,
    ],
  ])("refuses a way to the data that is read by others, as the start does", (given, sentence) => {
    expect(() => readDataEnv({ DATA_DIR: join(dataDir, "command"), ...given })).toThrow(sentence);
  });
});

describe("the data folder", () => {
  it("that is made can't be looked into by others", () => {
    const DATA_DIR = join(dataDir, "made", "anew");
    readEnv({ DATA_DIR });
    expect(statSync(DATA_DIR).mode & 0o777).toBe(0o711);
  });
});
