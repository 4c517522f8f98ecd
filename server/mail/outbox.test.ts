import { eq, sql } from "drizzle-orm";
import { randomBytes, randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { brand } from "../../contract/brand.ts";
import { limits } from "../../contract/limits.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { openLink } from "../../tests/link.ts";
import { member, type Member } from "../../tests/people.ts";
import { sendMailNow } from "../../tests/send-mail-now.ts";
import { openDatabase } from "../database/database.ts";
import { mails, organisations, people } from "../database/schema/index.ts";
import { smtpTransport } from "../outside/mail/smtp-transport.ts";
import type { MailTransport } from "../outside/mail/transport.ts";
import { type NewMail, queueMail, sendQueuedMails } from "./outbox.ts";

const link = "https://prahari.example/login";

/** A mail of its own event, to its own address. */
const newMail = (over: Partial<NewMail> = {}): NewMail => ({
  eventKey: `test:${randomUUID()}`,
  to: `${randomUUID()}@example.in`,
  content: { template: "welcome", link },
  ...over,
});

function outboxOf(server: () => TestServer) {
  const row = async (mail: NewMail) => {
    const [found] = await server().services.database.select().from(mails).where(eq(mails.eventKey, mail.eventKey));
    if (!found) throw new Error(`There is no mail of ${mail.eventKey}`);
    return found;
  };
  return {
    row,
    async queue(mail: NewMail) {
      const { services } = server();
      await services.database.transaction((transaction) => queueMail(services, transaction, mail));
      return (await row(mail)).id;
    },
    arrived: (mail: NewMail) => server().mailbox.mails.filter(({ to }) => to?.[0]?.address === mail.to),
    async jobs(mailId: string) {
      const { rows } = await server().services.database.execute<{ state: string }>(
        sql`select state from jobs.job where name = 'send-mail' and data->>'mailId' = ${mailId}`,
      );
      return rows.map(({ state }) => state);
    },
  };
}

describe("With the queue left alone", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ work: false });
  });
  afterAll(() => server.stop());
  const { queue, row, arrived, jobs } = outboxOf(() => server);
  const allJobs = async () =>
    (await server.services.database.execute(sql`select from jobs.job where name = 'send-mail'`)).rowCount ?? 0;

  test("one event makes one mail, however often and however much at once it is queued", async () => {
    const mail = newMail();
    const before = await allJobs();
    await Promise.all(Array.from({ length: 5 }, () => queue(mail)));
    const { id } = await row(mail);
    expect(await jobs(id)).toEqual(["created"]);
    expect(await allJobs()).toBe(before + 1);
  });

  test("a mail whose transaction is rolled back was never queued", async () => {
    const { services } = server;
    const mail = newMail();
    const before = await allJobs();
    await expect(
      services.database.transaction(async (transaction) => {
        await queueMail(services, transaction, mail);
        throw new Error("the cause failed");
      }),
    ).rejects.toThrow("the cause failed");
    await expect(row(mail)).rejects.toThrow("There is no mail");
    expect(await allJobs()).toBe(before);
  });

  test("five workers at once send a mail once, and a sixth afterwards not again", async () => {
    const mail = newMail();
    const id = await queue(mail);
    const five = await Promise.allSettled(Array.from({ length: 5 }, () => sendMailNow(server.services, id)));
    // A worker that finds the mail locked has it tried again: the other worker may be gone.
    const refusals = five.flatMap((one) => (one.status === "rejected" ? [String(one.reason)] : []));
    expect(refusals.filter((reason) => !reason.includes("another worker has it"))).toEqual([]);
    await sendMailNow(server.services, id);
    expect(arrived(mail)).toHaveLength(1);
    expect(await row(mail)).toMatchObject({ tries: 1, lastError: null, sentAt: expect.any(Date) });
  });

  test("a mail that a worker has who is gone is not taken for sent, and goes out once it is free", async () => {
    const mail = newMail();
    const id = await queue(mail);
    const { database } = server.services;
    await database.transaction(async (gone) => {
      await gone.select().from(mails).where(eq(mails.id, id)).for("update");
      await expect(sendMailNow(server.services, id)).rejects.toThrow("another worker has it");
    });
    await sendMailNow(server.services, id);
    expect(arrived(mail)).toHaveLength(1);
  });

  test("a mail that was out when its sender lost the database is noted as sent, and does not go out again", async () => {
    const { services } = server;
    const mail = newMail();
    const id = await queue(mail);
    const losing: MailTransport = {
      ...services.mail,
      async send(envelope) {
        await services.mail.send(envelope);
        await services.database.$client.query(`select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and state = 'idle in transaction'`);
      },
    };
    await expect(sendMailNow({ ...services, mail: losing }, id)).rejects.toThrow("Failed query");
    await sendMailNow(services, id);
    expect(arrived(mail)).toHaveLength(1);
    expect(await row(mail)).toMatchObject({ tries: 1, content: null, lastError: null, sentAt: expect.any(Date) });
  });

  test("mails that were out when the database went away do not go out again, and are noted once it is back", async () => {
    const { services, databaseUrl } = server;
    const url = new URL(databaseUrl);
    const [host, port] = [url.hostname, Number(url.port)];
    const link = await openLink(host, port);
    url.host = `127.0.0.1:${link.port}`;
    const database = openDatabase(url.href);
    const losing: MailTransport = {
      ...services.mail,
      async send(envelope) {
        await services.mail.send(envelope);
        link.close();
      },
    };
    const [early, late] = [newMail(), newMail()];
    const ids = [await queue(early), await queue(late)];
    await expect(sendQueuedMails({ ...services, database, mail: losing }, ids)).rejects.toThrow("Failed query");
    // Tried again, over a connection that works, before it could be noted.
    await sendMailNow(services, ids[0] ?? "");
    expect(arrived(early)).toHaveLength(1);
    expect((await row(early)).sentAt).not.toBeNull();
    expect((await row(late)).sentAt).toBeNull();
    const back = await openLink(host, port, link.port);
    await expect.poll(async () => (await row(late)).sentAt).not.toBeNull();
    expect(await row(late)).toMatchObject({ tries: 1, content: null, lastError: null });
    await database.$client.close(0);
    back.close();
  });

  test("attachments arrive to the byte under the name that the reader is to see", async () => {
    const bytes = randomBytes(300_000);
    const file = `proposal-${randomUUID()}.pdf`;
    await server.services.files.write(file, bytes);
    const mail = newMail({ attachments: [{ file, shownAs: "Prahari-proposal-Q-000042.pdf" }] });
    await sendMailNow(server.services, await queue(mail));
    const [attachment, ...more] = arrived(mail)[0]?.attachments ?? [];
    expect(more).toEqual([]);
    expect(attachment).toMatchObject({ filename: "Prahari-proposal-Q-000042.pdf", mimeType: "application/pdf" });
    expect(Buffer.from(attachment?.content as ArrayBuffer).equals(bytes)).toBe(true);
  });

  test("a mail whose attachment is missing waits and says why", async () => {
    const mail = newMail({ attachments: [{ file: `proposal-${randomUUID()}.pdf`, shownAs: "proposal.pdf" }] });
    await expect(sendMailNow(server.services, await queue(mail))).rejects.toThrow(/no such file|cannot read/i);
    expect(await row(mail)).toMatchObject({
      sentAt: null,
      tries: 1,
      lastError: expect.stringMatching(/no such file|cannot read/i),
    });
    expect(arrived(mail)).toEqual([]);
  });

  test("one that fails does not hold back the others of its batch, nor is it taken for one of them", async () => {
    const [first, failing, last] = [
      newMail(),
      newMail({ attachments: [{ file: `proposal-${randomUUID()}.pdf`, shownAs: "proposal.pdf" }] }),
      newMail(),
    ];
    const ids = [await queue(first), await queue(failing), randomUUID(), await queue(last)];
    const [one, two, absent, three] = await sendQueuedMails(server.services, ids);
    expect([one, absent, three]).toEqual([null, null, null]);
    expect(two?.message).toMatch(/no such file|cannot read/i);
    expect([arrived(first), arrived(failing), arrived(last)].map(({ length }) => length)).toEqual([1, 0, 1]);
    expect([(await row(first)).sentAt, (await row(last)).sentAt]).not.toContain(null);
    expect((await row(failing)).content).not.toBeNull();
  });

  describe("to somebody who is suspended before it is sent", () => {
    const at = new Date().toISOString();
    const incident: NewMail["content"] = {
      template: "incident",
      about: "opened",
      name: "Asha",
      severity: "P2",
      incidentNumber: "I-000001",
      organizationName: "Kaveri",
      title: "Ransom note on srv-erp-1",
      openedAt: at,
      link,
    };
    const due: NewMail["content"] = {
      template: "due",
      when: "on",
      name: "Asha Rao",
      document: "P-000001",
      isInvoice: false,
      orderNumber: "O-000001",
      openPaise: 100,
      dueOn: at.slice(0, 10),
      link,
    };
    const suspended = { suspendedAt: new Date() };

    test.each([
      { who: "themselves", suspend: ({ id }: Member) => suspend(people, id) },
      {
        who: "with their organisation",
        suspend: ({ organisationId }: Member) => suspend(organisations, organisationId),
      },
    ])("$who: an incident is not told, and what is owed and what a password is for come", async (how) => {
      const { email, ...person } = await member(server, "user");
      const [told, owed, changed] = [
        newMail({ to: email, content: incident }),
        newMail({ to: email, content: due }),
        newMail({ to: email, content: { template: "passwordReset", link, minutes: 30 } }),
      ];
      const ids = [await queue(told), await queue(owed), await queue(changed)];
      await how.suspend({ email, ...person });
      expect(await sendQueuedMails(server.services, ids)).toEqual([null, null, null]);
      expect(await row(told)).toMatchObject({
        sentAt: null,
        tries: 0,
        content: null,
        lastError: "receiver suspended before it could be sent",
      });
      expect([(await row(owed)).sentAt, (await row(changed)).sentAt]).not.toContain(null);
      expect(arrived(told)).toHaveLength(2);
    });

    test("nobody is taken for suspended who is not", async () => {
      const { email } = await member(server, "userChild");
      const told = newMail({ to: email, content: incident });
      await sendMailNow(server.services, await queue(told));
      expect(arrived(told)).toHaveLength(1);
    });

    const suspend = (table: typeof people | typeof organisations, id: string) =>
      server.services.database.update(table).set(suspended).where(eq(table.id, id));
  });

  test("what cannot be kept of a refusal has nothing of its batch sent again", async () => {
    const { services } = server;
    const [taken, refused] = [newMail(), newMail()];
    const ids = [await queue(taken), await queue(refused)];
    const mail: MailTransport = {
      ...services.mail,
      send: (envelope) =>
        envelope.to === refused.to
          ? Promise.reject(new Error("450 4.7.1 try\0\u001b[31m\ud800 later"))
          : services.mail.send(envelope),
    };
    for (let round = 0; round < 2; round++) {
      const [one, two] = await sendQueuedMails({ ...services, mail }, ids);
      expect([one, two]).toEqual([null, expect.any(Error)]);
    }
    expect(arrived(taken)).toHaveLength(1);
    expect(await row(refused)).toMatchObject({ tries: 2, lastError: "450 4.7.1 try  [31m  later" });
  });

  test.each<NewMail["content"]>([
    { template: "signInCode", code: "731904", minutes: 10 },
    { template: "invitation", organizationName: "Kaveri", link: `${link}#secret-731904`, hours: 72 },
    { template: "passwordReset", link: `${link}#secret-731904`, minutes: 30 },
  ])("nothing of %o is kept once it is out, and nothing of it is logged or given to the queue", async (content) => {
    const mail = newMail({ content });
    const id = await queue(mail);
    await sendMailNow(server.services, id);
    expect(arrived(mail)[0]?.text).toContain("731904");
    expect((await row(mail)).content).toBeNull();
    const kept = await server.services.database.execute(
      sql`select 1 from mails where mails::text like '%731904%' union all select 1 from jobs.job where job::text like '%731904%'`,
    );
    expect(kept.rows).toEqual([]);
    expect(server.log.join()).not.toContain("731904");
  });
});

describe("While the mail server is down", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ work: false });
  });
  afterAll(() => server.stop());
  const { queue, row, arrived } = outboxOf(() => server);

  test.each<[string, NewMail["content"], number]>([
    ["sign-in code", { template: "signInCode", code: "731904", minutes: limits.otpMinutes }, limits.otpMinutes],
    ["reset link", { template: "passwordReset", link, minutes: limits.resetMinutes }, limits.resetMinutes],
    [
      "invitation",
      { template: "invitation", organizationName: "Kaveri", link, hours: limits.inviteHours },
      limits.inviteHours * 60,
    ],
  ])(
    "a %s that expired while the mail server was down is not sent any more, nor kept",
    async (_what, content, minutes) => {
      const { services, mailbox } = server;
      const uselessAfter = new Date(services.now().getTime() + minutes * 60_000);
      const [inTime, late] = [newMail({ content, uselessAfter }), newMail({ content, uselessAfter })];
      const [inTimeId, lateId] = [await queue(inTime), await queue(late)];
      await mailbox.down();
      const down = { ...services, mail: smtpTransport(mailbox.url, "Prahari <soc@prahari.example>") };
      await expect(sendMailNow(down, lateId)).rejects.toThrow(/ECONNREFUSED/);
      expect(await row(late)).toMatchObject({ tries: 1, content, lastError: expect.stringContaining("ECONNREFUSED") });
      await mailbox.up();
      const up = { ...services, mail: smtpTransport(mailbox.url, "Prahari <soc@prahari.example>") };
      server.passTime(minutes * 60 - 5);
      await sendMailNow(up, inTimeId);
      server.passTime(10);
      await sendMailNow(up, lateId);
      up.mail.close();
      expect([arrived(inTime).length, arrived(late).length]).toEqual([1, 0]);
      expect(await row(late)).toMatchObject({
        sentAt: null,
        content: null,
        lastError: "expired before it could be sent",
      });
    },
  );
});

test("A mail that could not be sent goes out, once, when the mail server is back", async () => {
  const server = await startTestServer();
  const { queue, row, arrived } = outboxOf(() => server);
  await server.mailbox.down();
  const mail = newMail();
  await queue(mail);
  await until(async () => (await row(mail)).tries >= 2);
  expect(await row(mail)).toMatchObject({ sentAt: null, lastError: expect.stringContaining("ECONNREFUSED") });
  await server.mailbox.up();
  await server.mailbox.take(mail.to);
  await until(async () => (await row(mail)).sentAt !== null);
  await new Promise((passed) => setTimeout(passed, 500));
  expect(arrived(mail)).toHaveLength(1);
  expect(await row(mail)).toMatchObject({ lastError: null, content: null });
  await server.stop();
});

test("A mail that was taken by the mail server just before a crash goes out again under the same Message-ID", async () => {
  const server = await startTestServer({ work: false });
  const { queue, arrived } = outboxOf(() => server);
  const mail = newMail();
  const id = await queue(mail);
  const crash = new Error("killed");
  await expect(
    sendMailNow(
      {
        ...server.services,
        now: () => {
          throw crash;
        },
      },
      id,
    ),
  ).rejects.toThrow(crash);
  await sendMailNow(server.services, id);
  const [first, second, ...more] = arrived(mail);
  expect(more).toEqual([]);
  expect(first?.messageId).toMatch(new RegExp(`^<${id}@`));
  expect(second?.messageId).toBe(first?.messageId);
  await server.stop();
});

describe("A receiver's server that refuses", () => {
  let server: TestServer;
  let refusing: SMTPServer;
  let reply: { message: string; code: number };
  beforeAll(async () => {
    server = await startTestServer({ work: false });
    refusing = new SMTPServer({
      authOptional: true,
      disabledCommands: ["STARTTLS", "AUTH"],
      onRcptTo: (_to, _session, answer) =>
        answer(Object.assign(new Error(reply.message), { responseCode: reply.code })),
    });
    await new Promise<void>((listening) => refusing.listen(0, "127.0.0.1", listening));
  });
  afterAll(async () => {
    await new Promise<void>((closed) => refusing.close(closed));
    await server.stop();
  });
  const { queue, row } = outboxOf(() => server);

  async function sendRefused(mail: NewMail) {
    const { port } = refusing.server.address() as AddressInfo;
    const smtp = smtpTransport(`smtp://127.0.0.1:${port}`, "Prahari <soc@prahari.example>");
    await sendMailNow({ ...server.services, mail: smtp }, await queue(mail)).finally(() => smtp.close());
  }

  test("because there is no such mailbox ends the tries, and what the mail said is not kept", async () => {
    reply = { code: 550, message: "5.1.1 There is no such mailbox" };
    const mail = newMail();
    await sendRefused(mail);
    expect(await row(mail)).toMatchObject({ sentAt: null, content: null, lastError: expect.stringContaining("5.1.1") });
  });

  test.each([
    { code: 450, message: "4.2.0 Greylisted, come again" },
    { code: 550, message: "5.7.1 Relaying denied" },
    { code: 554, message: "5.1.8 The sender's domain is not known" },
    { code: 550, message: "Refused" },
  ])("by $code $message leaves the mail waiting for another try", async (refusal) => {
    reply = refusal;
    const mail = newMail();
    await expect(sendRefused(mail)).rejects.toThrow(refusal.message);
    expect(await row(mail)).toMatchObject({ sentAt: null, tries: 1, content: mail.content });
  });
});

describe("A mail server that is slow to say that it has a mail", () => {
  let server: TestServer;
  let slow: SMTPServer;
  let got: string[];
  let answers: (() => void)[];
  beforeAll(async () => {
    server = await startTestServer({ work: false });
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    got = [];
    answers = [];
    slow = new SMTPServer({
      authOptional: true,
      disabledCommands: ["STARTTLS", "AUTH"],
      onData(stream, session, done) {
        stream.resume();
        stream.on("end", () => {
          got.push(session.envelope.rcptTo[0]?.address ?? "");
          answers.push(done);
        });
      },
    });
    slow.on("error", () => {});
    await new Promise<void>((listening) => slow.listen(0, "127.0.0.1", listening));
  });
  afterEach(() => new Promise<void>((closed) => slow.close(closed)));
  const { queue, row } = outboxOf(() => server);
  const smtp = (sendMs?: number) =>
    smtpTransport(
      `smtp://127.0.0.1:${(slow.server.address() as AddressInfo).port}`,
      "Prahari <soc@prahari.example>",
      false,
      sendMs,
    );

  test("gets each of the mails that go out side by side once, though they wait for each other", async () => {
    const mail = smtp();
    const services = { ...server.services, mail };
    const all = Array.from({ length: 16 }, () => newMail());
    const ids: string[] = [];
    for (const each of all) ids.push(await queue(each));
    const halves = [sendQueuedMails(services, ids.slice(0, 8)), sendQueuedMails(services, ids.slice(8))];
    for (const answered of [4, 8, 12, 16]) {
      await until(async () => got.length === answered);
      for (const answer of answers.splice(0)) answer();
    }
    expect((await Promise.all(halves)).flat().filter(Boolean)).toEqual([]);
    expect(got.toSorted()).toEqual(all.map(({ to }) => to).toSorted());
    mail.close();
  });

  test("and never says so gets it four times, and then it is given up as one that may have come", async () => {
    const mail = smtp(800);
    const services = { ...server.services, mail };
    const silent = newMail();
    const id = await queue(silent);
    for (const tries of [1, 2, 3]) {
      await expect(sendMailNow(services, id)).rejects.toThrow("it may have come, or not");
      expect(await row(silent)).toMatchObject({ sentAt: null, tries, content: silent.content });
    }
    await sendMailNow(services, id);
    await sendMailNow(services, id);
    expect(got).toEqual(Array.from({ length: 4 }, () => silent.to));
    const lastError = expect.stringContaining("it may have come, or not");
    expect(await row(silent)).toMatchObject({ sentAt: null, tries: 4, content: null, lastError });
    mail.close();
  });
});

test("A mail that went out beside one that hangs does not go out again after a stop", async () => {
  const arrived = Promise.withResolvers<void>();
  const hanging = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS", "AUTH"],
    onRcptTo: ({ address }, _session, done) => void (address.startsWith("hangs") || done()),
    onData(stream, _session, done) {
      stream.resume();
      stream.on("end", () => {
        done();
        arrived.resolve();
      });
    },
  });
  hanging.on("error", () => {});
  await new Promise<void>((listening) => hanging.listen(0, "127.0.0.1", listening));
  const smtpUrl = `smtp://127.0.0.1:${(hanging.server.address() as AddressInfo).port}`;
  const server = await startTestServer({ env: { smtpUrl } });
  const { services } = server;
  const [stuck, out] = [newMail({ to: `hangs-${randomUUID()}@example.in` }), newMail()];
  await services.database.transaction(async (transaction) => {
    for (const mail of [stuck, out]) await queueMail(services, transaction, mail);
  });
  await arrived.promise;
  expect(await services.close()).toEqual([]);
  const database = openDatabase(server.databaseUrl);
  const after = await database.select().from(mails).where(eq(mails.recipient, out.to));
  const left = await database.select().from(mails).where(eq(mails.recipient, stuck.to));
  await database.$client.end();
  expect(after).toMatchObject([{ sentAt: expect.any(Date), tries: 1 }]);
  expect(left).toMatchObject([{ sentAt: null, tries: 1, content: stuck.content }]);
  await new Promise<void>((closed) => hanging.close(closed));
  await server.stop();
});

test("A mail that a server refuses once it has it all waits for another try, each time", async () => {
  const server = await startTestServer({ work: false });
  const { queue, row } = outboxOf(() => server);
  const full = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS", "AUTH"],
    onData(stream, _session, done) {
      stream.resume();
      stream.on("end", () => done(Object.assign(new Error("4.3.1 Disk full"), { responseCode: 452 })));
    },
  });
  await new Promise<void>((listening) => full.listen(0, "127.0.0.1", listening));
  const smtp = smtpTransport(`smtp://127.0.0.1:${(full.server.address() as AddressInfo).port}`, "soc@prahari.example");
  const mail = newMail();
  const id = await queue(mail);
  for (let tries = 1; tries <= 3; tries++) {
    await expect(sendMailNow({ ...server.services, mail: smtp }, id)).rejects.toThrow("Disk full");
    expect(await row(mail)).toMatchObject({ sentAt: null, tries, content: mail.content });
  }
  smtp.close();
  await new Promise<void>((closed) => full.close(closed));
  await server.stop();
});

test("In demo mode with SMTP_URL alone, mails come from the brand's own address", async () => {
  const server = await startTestServer({ work: false, env: { mailFrom: null } });
  const { queue, arrived } = outboxOf(() => server);
  const mail = newMail();
  await sendMailNow(server.services, await queue(mail));
  expect(arrived(mail)[0]?.from).toMatchObject({ name: brand.name, address: brand.emails.support });
  await server.stop();
});

async function until(holds: () => Promise<boolean>, seconds = 15): Promise<void> {
  for (const end = Date.now() + seconds * 1000; !(await holds()); await new Promise((next) => setTimeout(next, 50)))
    if (Date.now() > end) throw new Error("It did not come true in time");
}
