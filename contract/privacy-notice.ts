import type { Brand } from "./brand.ts";
import { followTexts } from "./shown-texts.ts";

/** What an operator enters about its legal texts; their wording is the shipped one. */
export interface LegalTexts {
  /** Versions of the privacy notice after the shipped ones, oldest first: how this operator's entries changed it. */
  notices: readonly { version: NoticeVersion; changes: string }[];
  /** The date of the terms of service. */
  termsVersion: string;
  promises: Brand["promises"];
}

/** The day on which a notice was first shown: 2026-11-22. */
export type NoticeVersion = string;

/**
 * The versions of the privacy notice, oldest first: a form that takes personal data records which one was on the
 * screen. The page shows `changes`. Every change of the notice adds a version; tests/privacy-notice.test.ts checks it.
 */
export const shippedNotices = {
  "2025-05-02": "The first version.",
  "2026-11-21":
    "Says at each kind of data how long it is kept, by whom it is deleted and why; names the grounds of the Act as they are, and what of the Act is not in force yet; your consent is recorded with the version you saw.",
  "2026-11-22":
    "Says that audit entries hold the network address of every change, what was there before and after it, and who of your organisation can read them; that our staff note what they do about estimates and contact requests, and that these notes end with them; that what our staff deal with by hand is kept for a year; that what an audit entry tells of you as a person goes when you are erased; and how long a copy of your data, and the record of your requests, is kept. Says that a bell tells you what happened, how long its notices are kept, and that which mails you turned off is kept with your account. Says which billing details are kept, where they are given; that refunds are kept with the orders, with who of our staff asked for them, and what the gateway settled, what is kept of bank transfers, deducted tax and sums that are owed; what is kept of a proposal that was accepted or declined; and that contracts are kept with the orders, with who asked for changes and why. Says what is kept of incidents, and of whom your organisation wants called. Names the government's invoice registration portal, and the provider through which it is reached, among those who see data.",
  "2026-11-25":
    "Says that findings of an incident, and those that somebody of your organisation disputed, stay as long as what is kept of incidents; and that audit entries about contracts stay as long as the contracts, as those about orders and invoices do.",
  "2026-11-26":
    "Says that a partner who looks after your organisation sees its billing details, contracts, payments, watched devices, incidents and reports, too.",
  "2026-11-27":
    "Says that a partner who looks after your organisation sees its onboarding with its sites, too; that the newest backup stays until there is another; and that after a recovery we erase again what was erased on request.",
} as const;
export const shippedTermsVersion = "2026-11-26";
export const cookiePolicyVersion = "2026-11-27";

/** All versions that have been shown, each with what it changed. */
export let notices: Readonly<Record<NoticeVersion, string>> = shippedNotices;
export let noticeVersions: readonly NoticeVersion[] = [];
/** The version that forms show and send. */
export let currentNotice: NoticeVersion = "";
export let termsVersion: string = shippedTermsVersion;
followTexts(({ legal }) => {
  const own = legal?.notices.map(({ version, changes }) => [version, changes] as const) ?? [];
  notices = { ...shippedNotices, ...Object.fromEntries(own) };
  noticeVersions = Object.keys(notices).toSorted();
  currentNotice = noticeVersions.at(-1) ?? "";
  termsVersion = legal?.termsVersion ?? shippedTermsVersion;
});

const day = new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", day: "2-digit", month: "long", year: "numeric" });

/** 21 November 2026 */
export const noticeDay = (version: NoticeVersion): string => day.format(new Date(version));
