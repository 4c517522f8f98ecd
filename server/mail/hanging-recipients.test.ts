import { eq, sql } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { afterEach, beforeEach, expect, it, onTestFinished } from "vitest";
import { password, registration } from "../../tests/factories.ts";
import { startTestServer } from "../../tests/harness.ts";
import { sendMailNow } from "../../tests/send-mail-now.ts";
import { mails } from "../database/schema/index.ts";
import { smtpTransport } from "../outside/mail/smtp-transport.ts";
import { type MailTransport, NotAccepted } from "../outside/mail/transport.ts";
import type { Services } from "../services.ts";
import { workJobs } from "../upkeep/jobs.ts";
import { type NewMail, queueMails } from "./outbox.ts";

/** A relay that never answers about recipients whose own server does not answer it. */
let relay: SMTPServer;
/** The sessions in which it does not answer; those of them that are open; and the mails that came. */
let silent: string[];
let hanging: Set<string>;
let came: { to: string; session: string }[];
beforeEach(async () => {
  silent = [];
  hanging = new Set();
  came = [];
  relay = new SMTPServer({
    authOptional: true,
    closeTimeout: 100,
    disabledCommands: ["STARTTLS", "AUTH"],
    onRcptTo({ address }, { id }, done) {
      if (!address.startsWith("hangs")) return done();
      silent.push(id);
      hanging.add(id);
    },
    onData(stream, { id, envelope }, done) {
      stream.resume();
      stream.on("end", () => {
        came.push({ to: envelope.rcptTo[0]?.address ?? "", session: id });
        done();
      });
    },
    onClose: ({ id }) => void hanging.delete(id),
  });
  relay.on("error", () => undefined);
  await new Promise<void>((listening) => relay.listen(0, "127.0.0.1", listening));
});
afterEach(() => new Promise<void>((closed) => relay.close(closed)));

const smtpUrl = () => `smtp://127.0.0.1:${(relay.server.address() as AddressInfo).port}`;
function transport(acceptMs: number, url = smtpUrl()): MailTransport {
  const mail = smtpTransport(url, "soc@prahari.example", false, undefined, acceptMs);
  onTestFinished(() => mail.close());
  return mail;
}
/** Longer than any test. */
const long = 90_000;

async function startServer() {
  const server = await startTestServer({ work: false, env: { smtpUrl: smtpUrl() } });
  onTestFinished(server.stop);
  const row = async (id: string) => {
    const [found] = await server.services.database.select().from(mails).where(eq(mails.id, id));
    return found;
  };
  return { server, row };
}

const code: NewMail["content"] = { template: "signInCode", code: "731904", minutes: 10 };
const link = "https://prahari.example/login";
const welcome: NewMail["content"] = { template: "welcome", link };
/** As a visitor can have one mailed to any address. */
const proposal: NewMail["content"] = {
  template: "proposal",
  organizationName: "Kaveri",
  quoteNumber: "Q-000042",
  totalPaise: 1_00,
  validUntil: "2027-12-21T18:29:59.999Z",
  link,
};

async function queue(services: Services, content: NewMail["content"], addresses: string[]): Promise<string[]> {
  const wanted = addresses.map((to) => ({ eventKey: `test:${randomUUID()}`, to, content, personId: null }));
  await services.database.transaction((transaction) => queueMails(services, transaction, wanted));
  const written = await services.database
    .select({ id: mails.id, key: mails.eventKey })
    .from(mails)
    .orderBy(mails.createdAt);
  return wanted.map(({ eventKey }) => written.find(({ key }) => key === eventKey)?.id ?? "");
}

const many = (count: number) => Array.from({ length: count }, () => `hangs-${randomUUID()}@example.in`);

it("A sign-in code comes while 20 proposals hang or wait", async () => {
  const { server } = await startServer();
  const { services } = server;
  const person = registration();
  await server.call("auth/register", person);
  await queue(services, proposal, many(20));
  await workJobs({ ...services, mail: transport(long) });
  await expect.poll(() => hanging.size, { timeout: 10_000 }).toBe(4);
  await server.call("auth/login", { email: person.email, password });
  await expect.poll(() => came.map(({ to }) => to), { timeout: 10_000 }).toContain(person.email);
  expect(hanging.size).toBe(4);
});

it("A mail at whose recipient the server hangs is tried again, however often, each time over a new connection", async () => {
  const { server, row } = await startServer();
  const services = { ...server.services, mail: transport(1000) };
  const [hung = "", out = ""] = await queue(services, welcome, [...many(1), "asha@example.in"]);
  // Another job tries it again.
  await sendMailNow(services, hung);
  for (let tries = 2; tries <= 6; tries++) await expect(sendMailNow(services, hung)).rejects.toThrow(NotAccepted);
  const lastError = NotAccepted.said;
  expect(await row(hung)).toMatchObject({ sentAt: null, tries: 6, content: welcome, lastError });
  await expect.poll(() => hanging.size).toBe(0);
  await sendMailNow(services, out);
  expect(came).toMatchObject([{ to: "asha@example.in" }]);
  expect(silent).toHaveLength(6);
  expect(new Set([...silent, came[0]?.session]).size).toBe(7);
});

it("A mail that hung once waits for all others: codes that hang hold up no other code for long", async () => {
  const { server, row } = await startServer();
  const { services: given } = server;
  const [hasty, patient] = [transport(300), transport(long)];
  let now: MailTransport = hasty;
  const services = { ...given, mail: { ...hasty, send: (envelope) => now.send(envelope) } satisfies MailTransport };
  const ids = await queue(services, code, many(20));
  await workJobs(services);
  const tried = async () => (await Promise.all(ids.map(row))).every((mail) => (mail?.tries ?? 0) > 0);
  await expect.poll(tried, { timeout: 20_000 }).toBe(true);
  now = patient;
  await expect.poll(() => hanging.size, { timeout: 10_000 }).toBe(4);
  await queue(services, code, ["asha@example.in"]);
  await expect.poll(() => came.map(({ to }) => to), { timeout: 10_000 }).toEqual(["asha@example.in"]);
  const { rows } = await services.database.execute<{ priority: number; waiting: string }>(
    sql`select priority, count(*) filter (where state <> 'completed') as waiting from jobs.job
      where name = 'send-mail' group by priority order by priority`,
  );
  expect(rows).toMatchObject([
    { priority: -1, waiting: "20" },
    { priority: 2, waiting: expect.stringMatching(/^[01]$/) },
  ]);
});

it("A server that takes its time once it has the whole mail is waited for", async () => {
  const { server, row } = await startServer();
  const slow = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS", "AUTH"],
    onData: (stream, _session, done) => void stream.resume().on("end", () => setTimeout(done, 3500)),
  });
  await new Promise<void>((listening) => slow.listen(0, "127.0.0.1", listening));
  const { port } = slow.server.address() as AddressInfo;
  const mail = transport(2000, `smtp://127.0.0.1:${port}`);
  const [id = ""] = await queue(server.services, welcome, ["asha@example.in"]);
  await sendMailNow({ ...server.services, mail }, id);
  expect(await row(id)).toMatchObject({ sentAt: expect.any(Date), tries: 1 });
  mail.close();
  await new Promise<void>((closed) => slow.close(closed));
});
