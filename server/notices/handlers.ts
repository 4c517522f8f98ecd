import type { Handlers } from "../call.ts";
import { chooseMails, listChoices } from "../mail/choices.ts";
import { dismissBanner, listNotices, markAll, markNotice, readNews } from "./queries.ts";

export const noticeHandlers = {
  notices: (services, { scope }, query) => listNotices(services, scope, query),
  "notices/news": (services, { scope }) => readNews(services, scope),
  "notices/mark": async (services, { scope }, mark) => {
    await markNotice(services, scope, mark);
    return { message: mark.read ? "Marked as read." : "Marked as unread." };
  },
  "notices/mark-all": async (services, { scope }, { until }) => {
    await markAll(services, scope, until);
    return { message: "All are marked as read." };
  },
  "notices/dismiss": async (services, { scope }, { id }) => {
    await dismissBanner(services, scope, id);
    return { message: "The announcement is closed." };
  },
  "notices/choices": async (services, { scope }) => ({ choices: await listChoices(services, scope) }),
  "notices/choose": async (services, { scope }, choice) => {
    await chooseMails(services, scope, choice);
    return { message: choice.wanted ? "You get these mails again." : "You will not get these mails any more." };
  },
} satisfies Partial<Handlers>;
