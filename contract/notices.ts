import { z } from "zod";
import { Instant, Message } from "./fields.ts";
import { type ListQuery, listOf, listPage, type SortOf } from "./lists.ts";
import { operation } from "./operation.ts";

export const Notice = z.object({
  id: z.uuid(),
  title: z.string(),
  text: z.string(),
  /** The path of the screen that the notice is about; null for none. */
  link: z.string().nullable(),
  read: z.boolean(),
  created_at: Instant,
});
export type Notice = z.infer<typeof Notice>;

export const noticeList = listOf(Notice, {
  sorts: ["created_at"],
  named: {},
  searched: ["title", "text"],
});
export type NoticeSort = SortOf<typeof noticeList>;

const NoticeQuery = noticeList.query.extend({
  show: z.literal("unread").optional(),
});
export type NoticeQuery = ListQuery<NoticeSort> & Pick<z.output<typeof NoticeQuery>, "show">;

/** An announcement shown above the screens now. */
export const Banner = z.object({ id: z.uuid(), title: z.string(), text: z.string() });
export type Banner = z.infer<typeof Banner>;

const NoticeNews = z.object({
  /** The number of unread notices; 100 stands for more than 99. */
  unread: z.number().int(),
  latest: z.array(Notice),
  banners: z.array(Banner),
});
export type NoticeNews = z.infer<typeof NoticeNews>;

export const noticeOperations = {
  notices: operation({
    method: "get",
    summary: `What happened that concerns oneself, newest first; show=unread leaves out what was read. ${noticeList.summary}`,
    input: NoticeQuery,
    answer: z.object({ notices: z.array(Notice), ...listPage }),
  }),
  "notices/news": operation({
    method: "get",
    summary: "What the bell shows: how many notices are unread, the latest of all, and the announcements that hold now",
    input: z.object({}),
    answer: NoticeNews,
  }),
  "notices/mark": operation({
    method: "post",
    summary: "Mark one of one's own notices as read or unread; again changes nothing",
    input: z.object({ id: z.uuid(), read: z.boolean() }),
    answer: Message,
  }),
  "notices/mark-all": operation({
    method: "post",
    summary: "Mark one's own notices as read, up to the newest one that was shown: what came since stays unread",
    input: z.object({ until: z.uuid() }),
    answer: Message,
  }),
  "notices/dismiss": operation({
    method: "post",
    summary: "Close the banner of an announcement for oneself, on every device",
    input: z.object({ id: z.uuid() }),
    answer: Message,
  }),
};
