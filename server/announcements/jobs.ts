import { isNull } from "drizzle-orm";
import { announcements } from "../database/schema/index.ts";
import type { JobTable } from "../job.ts";
import { deliverAnnouncement } from "./deliver.ts";

export const announcementJobs: JobTable<"deliver-announcement"> = {
  "deliver-announcement": {
    run: (services, { announcementId }) => deliverAnnouncement(services, announcementId),
    owed: {
      table: announcements,
      since: announcements.shownFrom,
      missing: isNull(announcements.deliveredAt),
      key: "announcementId",
    },
  },
};
