import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { brand } from "../../../contract/brand.ts";
import { type Mailbox, startMailbox } from "../../../tests/harness.ts";
import { smtpTransport } from "./open-mail-transport.ts";
import { type MailContent, renderMail } from "./templates.ts";
import type { MailTransport } from "./transport.ts";

let mailbox: Mailbox;
let smtp: MailTransport;
beforeAll(async () => {
  mailbox = await startMailbox();
  smtp = smtpTransport(mailbox.url, "Prahari <soc@prahari.example>");
});
afterAll(async () => {
  smtp.close();
  await mailbox.stop();
});

/** Renders a mail, sends it over SMTP and answers it as it arrived. */
async function arrived(content: MailContent) {
  const to = `${randomUUID()}@example.in`;
  await smtp.send({
    messageId: `<${randomUUID()}@prahari.example>`,
    to,
    ...(await renderMail(content, brand)),
    attachments: [],
  });
  return mailbox.take(to);
}

const link = "https://prahari.example/x?a=1&b=2#t";
const order = "0199a1b2-0000-7000-8000-000000000001";

/** One mail of every kind for somebody of this name, and what it has to say besides. */
const every = (name: string): [MailContent, subject: string, says: string[]][] => [
  [
    { template: "signInCode", firstName: name, code: "048213", minutes: 10 },
    "Your Prahari sign-in code",
    ["048213", "valid for 10 minutes", "Did you not try to sign in?"],
  ],
  [
    { template: "invitation", firstName: name, organizationName: name, link, hours: 72 },
    "You have been invited to Prahari",
    [link, "within 72 hours", "If you did not expect it"],
  ],
  [
    { template: "passwordReset", firstName: name, link, minutes: 30 },
    "Set a new Prahari password",
    [link, "within 30 minutes", "If it was not you"],
  ],
  [
    { template: "passwordChanged", firstName: name, at: "2026-11-20T18:35:00.000Z" },
    "Your Prahari password was changed",
    ["21 November 2026 at 00:05 (India time)", "Was it not you?", brand.emails.support],
  ],
  [{ template: "welcome", firstName: name, link }, "Welcome to Prahari", [link, "Did you not register?"]],
  [
    { template: "alreadyRegistered", firstName: name, link },
    "You already have a Prahari account",
    [link, "Nothing about your account has changed", "Was it not you?"],
  ],
  [
    {
      template: "proposal",
      name,
      organizationName: name,
      quoteNumber: "Q-000042",
      totalPaise: 12_345_678_90,
      validUntil: "2026-12-20T20:00:00.000Z",
      link,
    },
    "Your Prahari proposal Q-000042",
    [link, "₹1,23,45,678.90", "21 December 2026", "If you did not ask for it"],
  ],
  [
    {
      template: "receipt",
      name,
      orderId: order,
      invoiceNumber: "SOC/26-27/000001",
      totalPaise: 118,
      paymentId: "403993715521937565",
      link,
    },
    "Your Prahari payment and invoice SOC/26-27/000001",
    [link, "₹1.18", order, "403993715521937565", "Did you not buy this?"],
  ],
];

/** Mails to people whose details somebody else may have typed. */
const tellsOfNotice = new Set(["invitation", "welcome", "proposal"]);

const names = {
  "a plain name": "Asha",
  "a script": `<script>alert("1")</script>`,
  "an attribute that breaks out": `" onmouseover='alert(1)' x="`,
  "another script of writing": "مريم العبدالله",
  "emoji and combining signs": "आशा 👩🏽‍💻 Z̸͑ö",
  "sixty characters": "Wolfeschlegelsteinhausen-Bergerdorff Asha ".repeat(2).slice(0, 60),
  "line breaks that would be headers": "Asha\r\nBcc: eve@example.org\r\n\r\n.\r\nRSET",
};

describe.each(Object.entries(names))("To somebody whose name is %s", (_what, name) => {
  test.each(every(name))(
    "%o arrives with all that it has to say, as HTML and as text",
    async (content, subject, says) => {
      const mail = await arrived(content);
      expect(mail.subject).toBe(subject);
      const text = oneSpaced(mail.text);
      const seen = readable(mail.html);
      const sentences = [`Hello ${name},`, brand.legalName, brand.address, ...says].map(oneSpaced);
      for (const sentence of sentences) expect(text).toContain(sentence);
      // In HTML an address stands in an attribute.
      for (const sentence of sentences.filter((said) => said !== link)) expect(seen).toContain(sentence);
      const addresses = [...(mail.html ?? "").matchAll(/href="([^"]*)"/g)].map(([, address]) =>
        unescape(address ?? ""),
      );
      const notice = tellsOfNotice.has(content.template) ? [new URL("/privacy-policy", link).href] : [];
      expect(addresses).toEqual([...(says.includes(link) ? [link] : []), ...notice, `mailto:${brand.emails.support}`]);
      for (const address of notice) expect(text).toContain(address);
    },
  );
});

test.each(every(names["a script"]))("A name that is markup stays text in %o", async (content) => {
  const mail = await arrived(content);
  expect(mail.html).not.toMatch(/<script|onmouseover/i);
  expect(mail.html).toContain("&lt;script&gt;");
});

test("A sign-in code is neither in the subject nor in what an inbox shows beside it", async () => {
  const mail = await arrived({ template: "signInCode", firstName: "Asha", code: "048213", minutes: 10 });
  expect(mail.subject).not.toContain("048213");
  const preview = /<body[^>]*>\s*<div[^>]*>([^<]*)</.exec(mail.html ?? "")?.[1];
  expect(preview).toBe("It is valid for 10 minutes.");
});

test("Line breaks in whatever reaches a header add no header and no receiver", async () => {
  const evil = "\r\nBcc: eve@example.org\r\nX-Evil: 1";
  const to = `${randomUUID()}@example.in`;
  const mail = { html: "<p>x</p>", text: "x", attachments: [] };
  await smtp.send({ ...mail, messageId: `<1@prahari.example>${evil}`, to, subject: `Your invoice${evil}` });
  const { headers, bcc } = await mailbox.take(to);
  expect(bcc).toBeUndefined();
  expect(headers.map(({ key }) => key)).not.toContain("x-evil");
  expect(headers.map(({ key }) => key)).not.toContain("bcc");
});

test.each([
  "asha@example.in\r\nRCPT TO:<eve@example.org>",
  "asha@example.in, eve@example.org",
  "asha@example.in>,<eve@example.org",
])("An address that smuggles in another receiver reaches nobody else: %j", async (to) => {
  const before = mailbox.mails.length;
  await smtp
    .send({ messageId: "<1@prahari.example>", to, subject: "x", html: "<p>x</p>", text: "x", attachments: [] })
    .catch(() => undefined);
  const receivers = mailbox.mails.slice(before).flatMap((mail) => mail.to?.map(({ address }) => address));
  expect(receivers).not.toContain("eve@example.org");
});

test("A mail says that no person wrote it and who sent it", async () => {
  const mail = await arrived({ template: "welcome", firstName: "Asha", link });
  expect(mail.headers).toContainEqual(expect.objectContaining({ key: "auto-submitted", value: "auto-generated" }));
  expect(mail.from).toMatchObject({ name: "Prahari", address: "soc@prahari.example" });
});

const oneSpaced = (text = "") => text.replace(/\s+/g, " ");

/** What a reader of the HTML sees. */
const readable = (html = "") => oneSpaced(unescape(html.replace(/<style>[^]*?<\/style>/g, "").replace(/<[^>]*>/g, "")));

function unescape(text: string): string {
  return text
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}
