import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { brand } from "../../contract/brand.ts";
import { type Mailbox, startMailbox } from "../../tests/harness.ts";
import { unescapeHtml } from "../../tests/sandbox.ts";
import { smtpTransport } from "../outside/mail/smtp-transport.ts";
import { type MailContent, renderMail } from "./templates.ts";
import type { MailTransport } from "../outside/mail/transport.ts";

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

/** Only a recipient who has proved to own the address is greeted by name. */
const greetsByName = (content: MailContent) => "name" in content || "firstName" in content;

/**
 * One mail of every kind except the sales team's own, for somebody of this name, with the sentences that it must
 * contain.
 */
const every = (name: string): [MailContent, subject: string, says: string[]][] => [
  [
    { template: "signInCode", code: "048213", minutes: 10 },
    "Your Prahari sign-in code",
    ["048213", "valid for 10 minutes", "Did you not try to sign in?"],
  ],
  [
    { template: "invitation", organizationName: name, link, hours: 72 },
    "You have been invited to Prahari",
    [link, "within 72 hours", "If you did not expect it"],
  ],
  [
    { template: "passwordReset", link, minutes: 30 },
    "Set a new Prahari password",
    [link, "within 30 minutes", "If it was not you"],
  ],
  [
    { template: "passwordChanged", firstName: name, at: "2026-11-20T18:35:00.000Z" },
    "Your Prahari password was changed",
    ["21 November 2026 at 00:05 (India time)", "Was it not you?", "Forgot Password", brand.emails.support],
  ],
  [
    { template: "confirmEmail", link, hours: 24 },
    "Confirm your e-mail address for Prahari",
    [link, "within 24 hours", "Until then nothing changes", "If you have no account with us"],
  ],
  [
    { template: "emailCorrected", firstName: name, at: "2026-11-20T18:35:00.000Z", confirmed: false },
    "Another e-mail address for your Prahari account",
    ["21 November 2026 at 00:05 (India time)", "as soon as somebody confirms it", brand.emails.support],
  ],
  [
    { template: "emailCorrected", firstName: name, at: "2026-11-20T18:35:00.000Z", confirmed: true },
    "The e-mail address of your Prahari account has changed",
    ["21 November 2026 at 00:05 (India time)", "signed out everywhere", brand.emails.support],
  ],
  [{ template: "welcome", link }, "Welcome to Prahari", [link, "Did you not register?"]],
  [
    { template: "alreadyRegistered", link },
    "You already have a Prahari account",
    [link, "Nothing about your account has changed", "Was it not you?"],
  ],
  [
    { template: "registerAgain", link },
    "Please register at Prahari again",
    [link, "takes the place of the earlier registration", "Was it not you?"],
  ],
  [
    {
      template: "proposal",
      organizationName: name,
      quoteNumber: "Q-000042",
      totalPaise: 12_345_678_90,
      validUntil: "2026-12-21T18:29:59.999Z",
      link,
    },
    "Your Prahari proposal Q-000042",
    [link, "₹1,23,45,678.90", "21 December 2026", "If you did not ask for it"],
  ],
  [
    {
      template: "proposal",
      organizationName: name,
      quoteNumber: "Q-000042",
      totalPaise: 1_00,
      validUntil: "2026-12-21T18:29:59.999Z",
      rates: "toConfirm",
      link,
    },
    "Your Prahari proposal Q-000042",
    [link, "our team confirms their rates and mails you the final proposal. You can buy it from then on"],
  ],
  [
    {
      template: "proposal",
      organizationName: name,
      quoteNumber: "Q-000042",
      totalPaise: 1_00,
      validUntil: "2026-12-21T18:29:59.999Z",
      rates: "confirmed",
      link,
    },
    "Your Prahari proposal Q-000042 with confirmed rates",
    [link, "We have confirmed the rates", "replaces the one before", "To buy it online"],
  ],
  [
    {
      template: "proposal",
      organizationName: name,
      quoteNumber: "Q-000042",
      totalPaise: 1_00,
      validUntil: "2026-12-21T18:29:59.999Z",
      term: { kind: "renew", contractNumber: "C-000007", from: "2026-12-01", to: "2027-11-30" },
      link,
    },
    "Your Prahari proposal Q-000042",
    [link, "To buy it online, sign in: the quote is in your account", "If you did not expect it"],
  ],
  [
    {
      template: "acceptance",
      name,
      quoteNumber: "Q-000042",
      totalPaise: 1_00,
      term: { kind: "add", contractNumber: "C-000007", from: "2026-12-01", to: "2027-11-30" },
      link,
    },
    "You have accepted Q-000042",
    [link, "C-000007", "1 December 2026", "30 November 2027"],
  ],
  [
    {
      template: "receipt",
      name,
      orderNumber: "O-000011",
      invoiceNumber: "SOC/26-27/000001",
      totalPaise: 118,
      paymentId: "403993715521937565",
      link,
    },
    "Your Prahari payment and invoice SOC/26-27/000001",
    [link, "₹1.18", "O-000011", "403993715521937565", "Did you not buy this?", "Mails about payments always come."],
  ],
  [
    {
      template: "receipt",
      name,
      orderNumber: "O-000011",
      invoiceNumber: "SOC/26-27/000001",
      totalPaise: 118_000_00,
      deductedPaise: 10_000_00,
      givenUpPaise: 50_00,
      paymentId: "TESTN0000000001",
      link,
    },
    "Your Prahari payment and invoice SOC/26-27/000001",
    [link, "₹1,07,950.00", "Tax deducted", "₹10,000.00", "Written off", "₹50.00"],
  ],
  [
    {
      template: "invoiceCancelled",
      name,
      orderNumber: "O-000011",
      invoiceNumber: "SOC/26-27/000001",
      totalPaise: 118_000_00,
      link,
    },
    "The Prahari invoice SOC/26-27/000001 is cancelled",
    [link, "₹1,18,000.00", "O-000011", "Nothing is owed by it", "claim no input tax"],
  ],
  [
    { template: "announcement", title: "Maintenance", text: "On Sunday.\n\nFrom 02:00 to 04:00.", link },
    "Prahari: Maintenance",
    [link, "On Sunday.", "From 02:00 to 04:00."],
  ],
];

/** Mails to people whose details somebody else may have typed. */
const tellsOfNotice = new Set(["invitation", "welcome", "proposal", "confirmEmail"]);

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
      const greeting = greetsByName(content) ? `Hello ${name},` : "Hello,";
      const sentences = [greeting, brand.legalName, brand.address, ...says].map(oneSpaced);
      for (const sentence of sentences) expect(text).toContain(sentence);
      // In HTML an address is in an attribute.
      for (const sentence of sentences.filter((said) => said !== link)) expect(seen).toContain(sentence);
      const addresses = [...(mail.html ?? "").matchAll(/href="([^"]*)"/g)].map(([, address]) =>
        unescapeHtml(address ?? ""),
      );
      const notice = tellsOfNotice.has(content.template) ? [new URL("/privacy-policy", link).href] : [];
      const settings =
        content.template === "receipt" ? ["https://prahari.example/user/account-settings?show=mails"] : [];
      const all = [...(says.includes(link) ? [link] : []), ...notice, ...settings, `mailto:${brand.emails.support}`];
      expect(addresses).toEqual(all);
      for (const address of notice) expect(text).toContain(address);
    },
  );
});

const naming = every(names["a script"]).filter(([content]) => greetsByName(content) || "organizationName" in content);
test.each(naming)("A name that is markup stays text in %o", async (content) => {
  const mail = await arrived(content);
  expect(mail.html).not.toMatch(/<script|onmouseover/i);
  expect(mail.html).toContain("&lt;script&gt;");
});

describe("What somebody typed into a form", () => {
  const typed = "URGENT pay at evil.example/pay, or eve@example.org, https://evil.example";
  const lead: MailContent = {
    template: "lead",
    userName: typed,
    organization: typed,
    organizationSize: 120,
    phone: "+919876543210",
    message: "Please call.",
    replyTo: "asha.rao@example.in",
  };

  test.each(every(typed).filter(([content]) => !greetsByName(content)))(
    "is neither in the subject nor in what an inbox shows beside it, nor in the first lines of %o, which may reach anybody",
    async (content) => {
      const { subject, text = "", html = "" } = await arrived(content);
      const [heading, greeting, firstLine] = text.split("\n\n");
      const preview = /<body[^>]*>\s*<div[^>]*>([^<]*)</.exec(html)?.[1];
      const title = /<title>([^<]*)</.exec(html)?.[1];
      for (const said of [subject, heading, greeting, firstLine, preview, title]) {
        expect(said).toMatch(/\w/);
        expect(said).not.toContain("URGENT");
      }
    },
  );

  test.each([...every(typed).map(([content]) => ({ content })), { content: lead }])(
    "becomes no link in $content.template",
    async ({ content }) => {
      const { subject, text, html } = await arrived(content);
      for (const said of [subject, text, html]) expect(said).not.toMatch(/evil\.example|eve@example|https:\/\/evil/);
    },
  );

  test("is read as it was typed, without what would turn the line around", async () => {
    const content = every("A\u202Eevil Booking.com B.V.").find(([{ template }]) => template === "proposal");
    const { text } = await arrived(content?.[0] as MailContent);
    expect(text?.replaceAll("\u2060", "")).toContain("Prepared for: Aevil Booking.com B.V.");
  });
});

test("A sign-in code is neither in the subject nor in what an inbox shows beside it", async () => {
  const mail = await arrived({ template: "signInCode", code: "048213", minutes: 10 });
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

test("The preview of an announcement ends with a whole character", async () => {
  const text = `${"a".repeat(139)}😀 on Sunday`;
  const { html } = await arrived({ template: "announcement", title: "Maintenance", text, link });
  expect(html).not.toContain("\uFFFD");
});

test("A mail says that no person wrote it and who sent it", async () => {
  const mail = await arrived({ template: "welcome", link });
  expect(mail.headers).toContainEqual(expect.objectContaining({ key: "auto-submitted", value: "auto-generated" }));
  expect(mail.from).toMatchObject({ name: "Prahari", address: "soc@prahari.example" });
});

/** Without the word joiners that keep names from becoming links. */
const oneSpaced = (text = "") => text.replaceAll("\u2060", "").replace(/\s+/g, " ");

/** The visible text of the HTML. */
const readable = (html = "") =>
  oneSpaced(unescapeHtml(html.replace(/<style>[^]*?<\/style>/g, "").replace(/<[^>]*>/g, "")));
