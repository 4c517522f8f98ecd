import { desc } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { registration } from "../../tests/factories.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { sendMailNow } from "../../tests/send-mail-now.ts";
import { demoMailbox } from "../database/schema/index.ts";
import type { MailContent } from "../mail/templates.ts";
import { queueMail } from "../mail/outbox.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ work: false, demoMail: true });
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.services.database.delete(demoMailbox);
});

const page = async (path: string) => {
  const answer = await fetch(server.url + path);
  return { status: answer.status, headers: answer.headers, html: await answer.text() };
};

const code: MailContent = { template: "signInCode", code: "048213", minutes: 10 };

async function deliver(content = code, attachments: { file: string; shownAs: string }[] = []) {
  const { services } = server;
  const eventKey = `test:${randomUUID()}`;
  await services.database.transaction((transaction) =>
    queueMail(services, transaction, {
      eventKey,
      to: "asha@example.in",
      content,
      attachments,
    }),
  );
  const { rows } = await services.database.$client.query("select id from mails where event_key = $1", [eventKey]);
  await sendMailNow(services, rows[0].id);
  const [mail] = await services.database.select().from(demoMailbox).orderBy(desc(demoMailbox.id)).limit(1);
  return mail?.id ?? "";
}

test("An empty mailbox says what to do", async () => {
  expect((await page("/dev/mail")).html).toContain("No mail yet.");
});

test("The list shows receiver, subject and sign-in code, says that it is a demo, and looks again by itself", async () => {
  const id = await deliver();
  const { html, headers } = await page("/dev/mail");
  expect(html).toContain(`<a href="/dev/mail/${id}">Your Prahari sign-in code</a>`);
  expect(html).toMatch(/<code[^>]*>048213<\/code>/);
  expect(html).toContain("to asha@example.in");
  expect(html).toContain("This page does not exist outside demo mode");
  expect(headers.get("refresh")).toBe("5");
});

test("The list has the newest first, and older ones on further pages", async () => {
  const mails = Array.from({ length: 27 }, (_, number) => ({
    recipient: "asha@example.in",
    subject: `Mail ${number}.`,
    html: "",
    text: "",
    attachments: [],
  }));
  for (const mail of mails) await server.services.database.insert(demoMailbox).values(mail);
  const subjects = (html: string) => [...html.matchAll(/Mail (\d+)\./g)].map(([, number]) => Number(number));
  const [first, second] = [await page("/dev/mail"), await page("/dev/mail?page=2")];
  expect(subjects(first.html)).toEqual(Array.from({ length: 25 }, (_, number) => 26 - number));
  expect(subjects(second.html)).toEqual([1, 0]);
  expect(first.html).toContain('href="/dev/mail?page=2"');
  expect(second.html).toContain('href="/dev/mail?page=1"');
  expect(second.headers.get("refresh")).toBeNull();
});

test.each(["0", "-1", "1.5", "1e999", "x", "9".repeat(30), "'"])("Page %s is the first one", async (number) => {
  await deliver();
  const { status, html } = await page(`/dev/mail?page=${encodeURIComponent(number)}`);
  expect([status, html.includes("048213")]).toEqual([200, true]);
});

test("A mail is shown in a frame without rights, and a hostile name in it stays text", async () => {
  const id = await deliver({
    template: "passwordChanged",
    firstName: `"><script>alert(1)</script>`,
    at: "2026-11-20T18:35:00Z",
  });
  const { html, headers } = await page(`/dev/mail/${id}`);
  const policy = headers.get("content-security-policy") ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'none'");
  expect(html).not.toContain("<script");
  const sandbox = /<iframe[^>]*\ssandbox="([^"]*)"/.exec(html)?.[1] ?? "allow-everything";
  expect(sandbox.split(" ")).toEqual(["allow-popups", "allow-popups-to-escape-sandbox"]);
  expect(html).toContain("&lt;base target=&quot;_blank&quot; /&gt;");
});

test("An attachment can be opened, by a signed address", async () => {
  const file = `proposal-${randomUUID()}.pdf`;
  await server.services.files.write(file, Buffer.from("%PDF-1.7 for the test"));
  const id = await deliver(code, [{ file, shownAs: "Prahari-proposal.pdf" }]);
  const { html } = await page(`/dev/mail/${id}`);
  const address = /Attached: <a href="([^"]*)">Prahari-proposal\.pdf</.exec(html)?.[1]?.replaceAll("&amp;", "&") ?? "";
  expect(await (await fetch(address)).text()).toBe("%PDF-1.7 for the test");
});

test.each(["00000000-0000-0000-0000-000000000000", "x", "%27"])(
  "A mail that is not there is absent: %s",
  async (id) => {
    expect((await page(`/dev/mail/${id}`)).status).toBe(404);
  },
);

test("A person who registers finds the welcome mail there", async () => {
  const person = registration();
  const open = await startTestServer({ demoMail: true });
  await open.call("auth/register", person);
  let html = "";
  for (const end = Date.now() + 10_000; Date.now() < end && !html.includes(person.email);)
    html = await (await fetch(`${open.url}/dev/mail`)).text();
  expect(html).toContain(`to ${person.email}`);
  await open.stop();
});

test.each([
  ["mail goes to an SMTP server", { demo: true }],
  ["it is not a demo", { demo: false }],
])("There is no mailbox page where %s", async (_why, env) => {
  const other = await startTestServer({ work: false, env });
  expect((await fetch(`${other.url}/dev/mail`)).status).toBe(404);
  await other.stop();
});
