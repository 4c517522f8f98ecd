import { and, isNotNull, isNull } from "drizzle-orm";
import { mails } from "../database/schema/index.ts";
import type { JobTable } from "../job.ts";
import { sendQueuedMails } from "./outbox.ts";

export const mailJobs: JobTable<"send-mail"> = {
  "send-mail": {
    runBatch: (services, batch) =>
      sendQueuedMails(
        services,
        batch.map(({ mailId }) => mailId),
      ),
    atOnce: 16,
    owed: {
      table: mails,
      since: mails.createdAt,
      missing: and(isNull(mails.sentAt), isNotNull(mails.content)),
      key: "mailId",
    },
  },
};
