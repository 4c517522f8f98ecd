import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readEnv, StartRefused } from "./env.ts";

const dataDir = mkdtempSync(join(tmpdir(), "prahari-env-"));
afterAll(() => rmSync(dataDir, { recursive: true }));

const live = {
  DATA_DIR: dataDir,
  DATABASE_URL: "postgres://user:secret@db.example/prahari",
  TOKEN_SECRET: "a token secret of thirty-two characters",
  PUBLIC_URL: "https://soc.example/",
  SMTP_URL: "smtp://mail.example:25",
  MAIL_FROM: "Prahari <soc@example.in>",
  PAYU_KEY: "key",
  PAYU_SALT: "salt",
};

describe("the environment", () => {
  it("without anything set is a demo on its own database", () => {
    const env = readEnv({ DATA_DIR: dataDir });
    expect(env).toMatchObject({
      port: 3000,
      host: "127.0.0.1",
      demo: true,
      databaseUrl: null,
      payu: null,
      apiDocs: true,
    });
  });
  it("with a database is no demo, and shows no API page", () => {
    expect(readEnv(live)).toMatchObject({ demo: false, apiDocs: false, publicUrl: "https://soc.example" });
  });
  it("takes an empty value as not set", () => {
    expect(readEnv({ DATA_DIR: dataDir, PORT: "", DATABASE_URL: "" }).port).toBe(3000);
  });
  it("keeps the secret it made, readable by its owner only", () => {
    const { tokenSecret } = readEnv({ DATA_DIR: dataDir });
    expect(readEnv({ DATA_DIR: dataDir }).tokenSecret).toBe(tokenSecret);
    expect(Buffer.from(tokenSecret, "base64url")).toHaveLength(32);
    expect(statSync(join(dataDir, "token-secret")).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(dataDir, "token-secret"), "utf8")).toBe(tokenSecret);
  });
});

describe("the start is refused with one sentence", () => {
  const without = (...names: (keyof typeof live)[]) =>
    Object.fromEntries(Object.entries(live).filter(([name]) => !names.includes(name as keyof typeof live)));
  const blocked = join(dataDir, "a-file");
  writeFileSync(blocked, "");
  it.each<[string, Record<string, string>, RegExp]>([
    ["a database without a token secret", without("TOKEN_SECRET"), /^TOKEN_SECRET must be set/],
    ["a short token secret", { ...live, TOKEN_SECRET: "short" }, /^TOKEN_SECRET: must have 32 characters/],
    ["no mail server outside demo mode", without("SMTP_URL"), /^SMTP_URL must be set/],
    ["no sender outside demo mode", without("MAIL_FROM"), /^MAIL_FROM must be set/],
    ["no public address with a database", without("PUBLIC_URL"), /^PUBLIC_URL must be set/],
    ["half a merchant key", without("PAYU_SALT"), /^PAYU_KEY and PAYU_SALT go together/],
    ["sandbox payments on a live database", without("PAYU_KEY", "PAYU_SALT"), /ALLOW_SANDBOX=1/],
    [
      "half a file store",
      { ...live, S3_BUCKET: "files" },
      /^S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY go together/,
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
  it("but not for sandbox payments that are asked for", () => {
    expect(readEnv({ ...without("PAYU_KEY", "PAYU_SALT"), ALLOW_SANDBOX: "1" }).payu).toBeNull();
  });
});
