import { z } from "zod";
import { inMilliseconds } from "./durations.ts";
import { Email, FreeText, Instant, line, Message, Role } from "./fields.ts";
import { limits } from "./limits.ts";
import { type ListQuery, listOf, listPage, type SortOf } from "./lists.ts";
import { operation } from "./operation.ts";

export const announcementAudiences = {
  all: "Everybody",
  roles: "Some roles",
  partner: "A partner and its customers",
  customers: "Named customers",
} as const;
export type AnnouncementAudience = keyof typeof announcementAudiences;

const audienceNames = Object.keys(announcementAudiences) as [AnnouncementAudience, ...AnnouncementAudience[]];

const said = {
  title: line(limits.announcementTitleLengthMax, "Please give it a title"),
  text: FreeText.max(
    limits.announcementTextLengthMax,
    `Please use at most ${limits.announcementTextLengthMax} characters`,
  ),
  audience: z.enum(audienceNames, "Please choose whom it is for"),
  /** With the audience "roles". */
  roles: z.array(Role).max(10),
  /** An e-mail address of the partner, or one of each customer, for the audiences of those names. */
  emails: z
    .array(Email)
    .max(
      limits.announcementCustomersMax,
      `Please name at most ${limits.announcementCustomersMax} customers, or choose others`,
    ),
  shown_from: Instant,
  shown_until: Instant,
  mailed: z.boolean(),
};

type Said = z.output<z.ZodObject<typeof said>>;

function check(announcement: Said, context: z.core.$RefinementCtx<Said>): void {
  const ask = (path: keyof Said, message: string) => context.addIssue({ code: "custom", path: [path], message });
  const { audience, roles, emails } = announcement;
  if (audience === "roles" && roles.length === 0) ask("roles", "Please choose one role or more");
  if (audience === "partner" && emails.length !== 1) ask("emails", "Please name one partner by an e-mail address");
  if (audience === "customers" && emails.length === 0) ask("emails", "Please name one customer or more");
  const shownMs = Date.parse(announcement.shown_until) - Date.parse(announcement.shown_from);
  if (shownMs <= 0) ask("shown_until", "Please choose an end after the beginning");
  if (shownMs > inMilliseconds({ days: limits.announcementDaysMax }))
    ask("shown_until", `Please choose an end within ${limits.announcementDaysMax} days`);
}

export const NewAnnouncement = z.object(said).superRefine(check);
export type NewAnnouncement = z.infer<typeof NewAnnouncement>;

/** An announcement and the version that was read: 409 when somebody has changed it meanwhile. */
const seen = { id: z.uuid(), version: z.number().int() };

export const AnnouncementState = z.enum(["planned", "shown", "over", "withdrawn"]);
export type AnnouncementState = z.infer<typeof AnnouncementState>;

export const Announcement = z.object({
  ...seen,
  title: z.string(),
  text: z.string(),
  audience: z.enum(audienceNames),
  roles: z.array(Role),
  /** The partner or the customers, each by the e-mail of one of its people and by name. */
  organizations: z.array(z.object({ email: z.string(), name: z.string() })),
  shown_from: Instant,
  shown_until: Instant,
  mailed: z.boolean(),
  state: AnnouncementState,
  /** Whether it has reached everybody's notices. */
  delivered: z.boolean(),
  created_by: z.string().nullable(),
});
export type Announcement = z.infer<typeof Announcement>;

export const announcementList = listOf(Announcement, {
  sorts: ["shown_from"],
  named: {},
  searched: ["title", "text"],
});
export type AnnouncementSort = SortOf<typeof announcementList>;
export type AnnouncementQuery = ListQuery<AnnouncementSort>;

const AnnouncementPreview = z.object({
  /** How many people it reaches today, 10,000 at most. */
  people: z.number().int(),
  /** How many of these get it by mail; 0 if it is not mailed. */
  mailed: z.number().int(),
  /** The mail as it arrives; null if it is not mailed. */
  mail: z.object({ subject: z.string(), text: z.string() }).nullable(),
});
export type AnnouncementPreview = z.infer<typeof AnnouncementPreview>;

export const announcementOperations = {
  "admin/announcements": operation({
    method: "get",
    summary: `Announcements with their state, latest first. ${announcementList.summary}`,
    input: announcementList.query,
    answer: z.object({ announcements: z.array(Announcement), ...listPage }),
  }),
  "admin/announcements/preview": operation({
    method: "post",
    summary: "Whom an announcement would reach, and how its mail would read; nothing is kept",
    input: NewAnnouncement,
    answer: AnnouncementPreview,
  }),
  "admin/announcements/add": operation({
    method: "post",
    summary:
      "Write an announcement; it is shown, and mailed, from its beginning on. The same again makes no second one; 409 where its id has another",
    input: z.object({ ...said, id: z.uuid() }).superRefine(check),
    answer: Message,
    status: 201,
  }),
  "admin/announcements/change": operation({
    method: "post",
    summary:
      "Change an announcement. Once it is shown only its words and its end can change; mails that went out stay as they were",
    input: z.object({ ...said, ...seen }).superRefine(check),
    answer: Message,
  }),
  "admin/announcements/withdraw": operation({
    method: "post",
    summary: "Withdraw an announcement: banners and bells lose it, mails that have not gone out do not",
    input: z.object(seen),
    answer: Message,
  }),
};
