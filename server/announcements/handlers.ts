import type { Handlers } from "../call.ts";
import { addAnnouncement, changeAnnouncement, previewAnnouncement, withdrawAnnouncement } from "./announcements.ts";
import { listAnnouncements } from "./queries.ts";

export const announcementHandlers = {
  "admin/announcements": (services, { scope }, query) => listAnnouncements(services, scope, query),
  "admin/announcements/preview": (services, { scope }, asked) => previewAnnouncement(services, scope, asked),
  "admin/announcements/add": async (services, { scope }, asked) => {
    await addAnnouncement(services, scope, asked);
    return { message: "The announcement is saved." };
  },
  "admin/announcements/change": async (services, { scope }, asked) => {
    await changeAnnouncement(services, scope, asked);
    return { message: "The announcement is changed." };
  },
  "admin/announcements/withdraw": async (services, { scope }, seen) => {
    await withdrawAnnouncement(services, scope, seen);
    return { message: "The announcement is withdrawn." };
  },
} satisfies Partial<Handlers>;
