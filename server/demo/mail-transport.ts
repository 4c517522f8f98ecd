import type { Database } from "../database/database.ts";
import { demoMailbox } from "../database/schema/index.ts";
import type { MailTransport } from "../outside/mail/transport.ts";

/** Keeps outgoing mail for the mailbox page if demo mode has no SMTP server. */
export function demoTransport(database: Database): MailTransport {
  return {
    async send({ to, subject, html, text, attachments }) {
      const kept = attachments.map(({ file, filename }) => ({ file, shownAs: filename }));
      await database.insert(demoMailbox).values({ recipient: to, subject, html, text, attachments: kept });
    },
    check: async () => ({ place: "The mailbox of the demo, at /dev/mail: nothing leaves this machine" }),
    close() {},
  };
}
