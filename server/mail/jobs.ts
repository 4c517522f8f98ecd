import { and, isNotNull, isNull } from "drizzle-orm";
import { mails } from "../database/schema/index.ts";
import type { JobTable } from "../job.ts";
import { sendSeconds } from "../outside/mail/smtp-transport.ts";
import { sendQueuedMails } from "./outbox.ts";

export const mailJobs: JobTable<"send-mail"> = {
  "send-mail": {
    runBatch: (services, batch) =>
      sendQueuedMails(
        services,
        batch.map(({ mailId }) => mailId),
      ),
    atOnce: 16,
    urgentApart: true,
    // A mail whose job expires while it is being sent would be sent twice.
    expireInSeconds: sendSeconds + 15,
    owed: {
      table: mails,
      since: mails.createdAt,
      missing: and(isNull(mails.sentAt), isNotNull(mails.content)),
      key: "mailId",
    },
  },
};
