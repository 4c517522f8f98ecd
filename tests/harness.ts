import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { Client } from "pg";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer } from "smtp-server";
import { inject } from "vitest";
import type { ErrorBody } from "../contract/errors.ts";
import type { Answer, OperationName, Sent } from "../contract/operations.ts";
import { type Env, readEnv } from "../server/settings/env.ts";
import { openLog } from "../server/failures/log.ts";
import { mountDemo } from "../server/demo/mount-demo.ts";
import { openServices, type OpenServices } from "../server/open.ts";
import { openPages, readSite } from "../server/http/pages.ts";
import { createServer, listen } from "../server/http/server.ts";
import { askApi } from "./ask-api.ts";
import { databaseUrl } from "./global-setup.ts";

export interface Reply<Body> {
  status: number;
  headers: Headers;
  body: Body;
}

export interface TestServer {
  url: string;
  databaseUrl: string;
  services: OpenServices;
  mailbox: Mailbox;
  /** Lines that the server logged, for tests that look for secrets. */
  log: string[];
  /** Moves the server's clock by this much. */
  passTime(seconds: number): void;
  /** A public token, fetched once. */
  publicToken(): Promise<string>;
  /**
   * Calls an operation over HTTP. Without `token` it sends a public one; with null, none. The body is typed as that of
   * a success: check the status.
   */
  call<Name extends OperationName>(
    name: Name,
    input?: Sent<Name>,
    token?: string | null,
  ): Promise<Reply<Answer<Name> & Partial<ErrorBody>>>;
  /** The same with any body, for invalid input. */
  send(
    name: string,
    body: unknown,
    token?: string | null,
    headers?: Record<string, string>,
  ): Promise<Reply<Record<string, unknown> & Partial<ErrorBody>>>;
  stop(): Promise<void>;
}

/**
 * The product on real parts: its own database in the run's PostgreSQL, a real SMTP server, real HTTP on a free port.
 * `work: false` does not process the queues; `pages: true` serves the built site too.
 */
export async function startTestServer(
  options: { env?: Partial<Env>; work?: boolean; pages?: boolean; demoMail?: boolean } = {},
): Promise<TestServer> {
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  const postgresUrl = inject("postgresUrl");
  await onServer(postgresUrl, `create database ${name} template ${inject("templateDatabase")} strategy file_copy`);
  const url = databaseUrl(postgresUrl, name);
  const dataDir = mkdtempSync(join(tmpdir(), "prahari-data-"));
  const mailbox = await startMailbox();
  const env: Env = {
    ...readEnv({ DATA_DIR: dataDir, DEMO: "1", LOG_LEVEL: "debug" }),
    smtpUrl: options.demoMail ? null : mailbox.url,
    mailFrom: "Prahari <soc@prahari.example>",
    ...options.env,
  };
  const log: string[] = [];
  let offsetMs = 0;
  const listener = await listen("127.0.0.1", 0);
  const address = `http://127.0.0.1:${listener.port}`;
  const services = await openServices(
    env,
    { databaseUrl: url, publicUrl: address, internalUrl: address },
    {
      log: openLog({ logLevel: "debug" }, { write: (entry) => void log.push(entry) }),
      now: () => new Date(Date.now() + offsetMs),
    },
  );
  const site = options.pages ? await builtSite() : null;
  const pages = site && (await openPages(site, services));
  listener.serve(createServer(services, pages, mountDemo), pages);
  // Several test files, browsers and processes may keep the machine busy: slow must not mean failed.
  services.database.$client.options.connectionTimeoutMillis = 10_000;
  if (options.work !== false) {
    await services.work();
    // Tests turn the clock themselves, and run the scheduled jobs themselves.
    await services.database.$client.query("delete from jobs.schedule");
  }

  let token: Promise<string> | null = null;
  const send: TestServer["send"] = async (operation, body, bearer, headers = {}) => {
    const authorization = bearer === undefined ? await server.publicToken() : bearer;
    const answer = await askApi(address, operation, body, authorization, headers);
    const text = await answer.text();
    return {
      status: answer.status,
      headers: answer.headers,
      body: text.startsWith("{") || text.startsWith("[") ? JSON.parse(text) : { text },
    };
  };
  const server: TestServer = {
    url: address,
    databaseUrl: url,
    services,
    mailbox,
    log,
    passTime: (seconds) => {
      offsetMs += seconds * 1000;
      token = null;
    },
    publicToken: () => (token ??= send("generate-token", undefined, null).then((reply) => String(reply.body["token"]))),
    call: async (operation, input, bearer) => (await send(operation, input, bearer)) as never,
    send,
    async stop() {
      await listener.close(2000);
      await services.close();
      await mailbox.stop();
      await onServer(postgresUrl, `drop database ${name} with (force)`);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
  return server;
}

let site: ReturnType<typeof readSite> | undefined;

/** Read once per process, because it is the same for every server. */
export const builtSite = (): ReturnType<typeof readSite> => (site ??= readSite("build"));

export interface Mailbox {
  url: string;
  mails: Email[];
  /**
   * Waits for the next matching mail to this address that was not taken yet.
   * @throws when none comes
   */
  take(to: string, subject?: RegExp): Promise<Email>;
  /** Stops listening, as a mail server does that is down; `up` listens on the same port again. */
  down(): Promise<void>;
  up(): Promise<void>;
  stop(): Promise<void>;
}

/** A real SMTP server that keeps the mails it gets. */
export async function startMailbox(): Promise<Mailbox> {
  const mails: Email[] = [];
  const taken = new Set<Email>();
  const open = (port: number) => {
    const smtp = new SMTPServer({
      authOptional: true,
      disabledCommands: ["STARTTLS", "AUTH"],
      onData(stream, _session, done) {
        // A sender that is killed in the middle of a mail has sent none.
        buffer(stream).then(
          async (bytes) => {
            mails.push(await PostalMime.parse(bytes));
            return done();
          },
          (error: Error) => done(error),
        );
      },
    });
    // A killed sender resets its connection, which is not the server's fault.
    smtp.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "ECONNRESET") throw error;
    });
    return new Promise<SMTPServer>((ready) => smtp.listen(port, "127.0.0.1", () => ready(smtp)));
  };
  const close = (smtp: SMTPServer) => new Promise<void>((closed) => smtp.close(() => closed()));
  let smtp = await open(0);
  const { port } = smtp.server.address() as { port: number };
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    async take(to, subject = /./) {
      // The jobs of a process that died are taken up after fifteen seconds.
      for (const until = Date.now() + 40_000; Date.now() < until; await new Promise((next) => setTimeout(next, 20))) {
        const mail = mails.find(
          (candidate) =>
            !taken.has(candidate) &&
            candidate.to?.some(({ address }) => address === to) &&
            subject.test(candidate.subject ?? ""),
        );
        if (mail) {
          taken.add(mail);
          return mail;
        }
      }
      throw new Error(
        `No mail to ${to} with subject ${subject} came; there are: ${mails.map((mail) => mail.subject).join(", ")}`,
      );
    },
    down: () => close(smtp),
    async up() {
      smtp = await open(port);
    },
    stop: () => close(smtp),
  };
}

async function onServer(postgresUrl: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: postgresUrl });
  await client.connect();
  await client.query(statement);
  await client.end();
}
