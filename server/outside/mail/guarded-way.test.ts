import { eq } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../../../tests/harness.ts";
import { mails } from "../../database/schema/index.ts";
import { smtpTransport } from "./smtp-transport.ts";
import { queueMail, sendQueuedMails } from "../../mail/outbox.ts";

/** What each mail server received, and whether the connection was encrypted. */
const received: { text: string; encrypted: boolean }[] = [];
const open: SMTPServer[] = [];

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ work: false });
});
afterAll(async () => {
  for (const smtp of open) await new Promise<void>((closed) => smtp.close(closed));
  await server.stop();
});

/** The package's default certificate has expired, and its key is public. */
async function listen(options: SMTPServerOptions): Promise<number> {
  const smtp = new SMTPServer({
    authOptional: true,
    ...options,
    onData(stream, session, done) {
      let text = "";
      stream.on("data", (chunk: Buffer) => (text += chunk.toString()));
      stream.on("end", () => {
        received.push({ text, encrypted: session.secure });
        done();
      });
    },
  });
  smtp.on("error", () => undefined);
  open.push(smtp);
  await new Promise<void>((ready) => smtp.listen(0, "0.0.0.0", ready));
  return (smtp.server.address() as AddressInfo).port;
}

const servers = {
  plain: () => listen({ disabledCommands: ["STARTTLS", "AUTH"] }),
  starttls: () => listen({ disabledCommands: ["AUTH"] }),
  smtps: () => listen({ disabledCommands: ["AUTH"], secure: true }),
};
// It leads to this machine without saying so: to the product it is a host like any other.
const elsewhere = "0.0.0.0";

/** Sends a mail as the queue would. Answers what is stored about the attempt, and what the server received. */
async function send(url: string, allowCleartext: boolean) {
  const mail = smtpTransport(url, "Prahari <soc@prahari.example>", allowCleartext);
  const services = { ...server.services, mail };
  const eventKey = `test:${randomUUID()}`;
  await services.database.transaction((transaction) =>
    queueMail(services, transaction, {
      eventKey,
      to: "asha@example.in",
      content: { template: "signInCode", code: "482915", minutes: 10 },
    }),
  );
  const kept = async () => (await services.database.select().from(mails).where(eq(mails.eventKey, eventKey)))[0];
  received.length = 0;
  await sendQueuedMails(services, [(await kept())?.id ?? ""]);
  mail.close();
  return { ...(await kept()), received: [...received] };
}

test.each<[keyof typeof servers, string, RegExp]>([
  ["plain", "smtp", /^Nothing was sent: the mail server 0\.0\.0\.0 does not encrypt .* SMTP_ALLOW_CLEARTEXT=1/],
  [
    "starttls",
    "smtp",
    /^Nothing was sent: the certificate of the mail server 0\.0\.0\.0 is not good \(certificate has/,
  ],
  ["smtps", "smtps", /^Nothing was sent: the certificate of the mail server 0\.0\.0\.0 is not good \(certificate has/],
])("a code is not given to another host by a way that is not safe: %s", async (kind, scheme, sentence) => {
  const tried = await send(`${scheme}://${elsewhere}:${await servers[kind]()}`, false);
  expect(tried.received).toEqual([]);
  expect(tried).toMatchObject({ sentAt: null, tries: 1, lastError: expect.stringMatching(sentence) });
  expect(tried.content).toMatchObject({ code: "482915" });
});

test.each<[keyof typeof servers, string, boolean]>([
  ["plain", "smtp", false],
  ["starttls", "smtp", true],
  ["smtps", "smtps", true],
])("on this machine, or where it is allowed, %s will do", async (kind, scheme, encrypted) => {
  const port = await servers[kind]();
  for (const [host, allowed] of [
    [elsewhere, true],
    ["127.0.0.1", false],
    ["localhost", false],
  ] as const) {
    const tried = await send(`${scheme}://${host}:${port}`, allowed);
    expect([host, tried.sentAt !== null, tried.lastError]).toEqual([host, true, null]);
    expect(tried.received).toEqual([{ text: expect.stringContaining("482915"), encrypted }]);
  }
});
