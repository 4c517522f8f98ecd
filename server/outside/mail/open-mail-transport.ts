import { createTransport } from "nodemailer";
import type { Database } from "../../database/database.ts";
import { demoMailbox } from "../../database/schema/index.ts";
import type { Env } from "../../env.ts";
import type { MailTransport } from "./transport.ts";

/** The SMTP server of SMTP_URL; without one, the mailbox page of demo mode. */
export function openMailTransport(env: Env, database: Database): MailTransport {
  return env.smtpUrl ? smtpTransport(env.smtpUrl, env.mailFrom ?? "") : demoTransport(database);
}

function smtpTransport(url: string, from: string): MailTransport {
  const smtp = createTransport(
    { url, pool: true, maxConnections: 4, connectionTimeout: 5000, greetingTimeout: 5000, socketTimeout: 20_000 },
    { from, disableFileAccess: true, disableUrlAccess: true },
  );
  return {
    async send({ messageId, to, subject, html, text, attachments }) {
      await smtp.sendMail({
        messageId,
        // An address object, so that nothing in it is read as a list of receivers.
        to: { name: "", address: to },
        subject,
        html,
        text,
        headers: { "Auto-Submitted": "auto-generated" },
        attachments: attachments.map(({ filename, content }) => ({
          filename,
          content: Buffer.from(content),
          contentType: "application/pdf",
        })),
      });
    },
    close: () => smtp.close(),
  };
}

function demoTransport(database: Database): MailTransport {
  return {
    async send({ to, subject, html, text, attachments }) {
      const kept = attachments.map(({ file, filename }) => ({ file, shownAs: filename }));
      await database.insert(demoMailbox).values({ recipient: to, subject, html, text, attachments: kept });
    },
    close() {},
  };
}
