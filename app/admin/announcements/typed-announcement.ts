import type { Announcement, NewAnnouncement } from "../../../contract/announcements.ts";
import { later } from "../../../contract/durations.ts";
import { indiaCalendar } from "../../../contract/india-time.ts";
import type { Role } from "../../../contract/roles.ts";

/** What is typed: times as their fields have them, in India; e-mails one a line. */
export interface TypedAnnouncement {
  title: string;
  text: string;
  audience: NewAnnouncement["audience"];
  roles: Role[];
  emails: string;
  shown_from: string;
  shown_until: string;
  mailed: boolean;
}

/** A new one begins now and ends in a week. */
export const newlyTyped = (now: Date): TypedAnnouncement => ({
  title: "",
  text: "",
  audience: "all",
  roles: [],
  emails: "",
  shown_from: fieldTime(now),
  shown_until: fieldTime(later(now, { days: 7 })),
  mailed: false,
});

export const typedOf = (kept: Announcement): TypedAnnouncement => ({
  title: kept.title,
  text: kept.text,
  audience: kept.audience,
  roles: kept.roles,
  emails: kept.organizations.map(({ email }) => email).join("\n"),
  shown_from: fieldTime(new Date(kept.shown_from)),
  shown_until: fieldTime(new Date(kept.shown_until)),
  mailed: kept.mailed,
});

/** As it is sent; what the audience does not ask for is left out, whatever was typed there before. */
export const asSent = (typed: TypedAnnouncement): NewAnnouncement => ({
  ...typed,
  roles: typed.audience === "roles" ? typed.roles : [],
  emails: typed.audience === "partner" || typed.audience === "customers" ? linesOf(typed.emails) : [],
  shown_from: instantOf(typed.shown_from),
  shown_until: instantOf(typed.shown_until),
});

const linesOf = (text: string) =>
  text
    .split(/[\s,;]+/)
    .map((line) => line.trim())
    .filter(Boolean);

/** "2026-11-22T15:30", in India. */
const fieldTime = (instant: Date) => indiaCalendar(instant).toISOString().slice(0, 16);

/** An empty field stays empty, which the contract's check names. */
function instantOf(typed: string): string {
  const instant = new Date(`${typed}:00+05:30`);
  return Number.isNaN(instant.getTime()) ? "" : instant.toISOString();
}
