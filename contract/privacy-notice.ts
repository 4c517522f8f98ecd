/**
 * The versions of the privacy notice, oldest first: a form that takes personal data says which of them was on the screen.
 * `changes` stands on the page. Whoever changes the notice adds a version; tests/privacy-notice.test.ts watches.
 */
export const notices = {
  "2025-05-02": "The first version.",
  "2026-11-21":
    "Says at each kind of data how long it is kept, by whom it is deleted and why; names the grounds of the Act as they are, and what of the Act is not in force yet; your consent is recorded with the version you saw.",
  "2026-11-22":
    "Says that audit entries hold the network address of every change, what was there before and after it, and who of your organisation can read them; that our staff note what they do about estimates and contact requests, and that these notes end with them; that what our staff deal with by hand is kept for a year; that what an audit entry tells of you as a person goes when you are erased; and how long a copy of your data, and the record of your requests, is kept. Says that a bell tells you what happened, how long its notices are kept, and that which mails you turned off is kept with your account.",
} as const;
export type NoticeVersion = keyof typeof notices;

export const noticeVersions = Object.keys(notices) as [NoticeVersion, ...NoticeVersion[]];

/** What the forms show and send. */
export const currentNotice: NoticeVersion = "2026-11-22";

const day = new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", day: "2-digit", month: "long", year: "numeric" });

/** 21 November 2026 */
export const noticeDay = (version: NoticeVersion): string => day.format(new Date(version));
