import type { Announcement, NewAnnouncement } from "../../../contract/announcements.ts";
import { later } from "../../../contract/durations.ts";
import type { Role } from "../../../contract/roles.ts";
import { asInstant, asTyped } from "../../forms/time-typed.ts";

/** The form's values: times as datetime fields hold them, in India's time; one e-mail address per line. */
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

/** A new announcement starts now and ends in a week. */
export const newlyTyped = (now: Date): TypedAnnouncement => ({
  title: "",
  text: "",
  audience: "all",
  roles: [],
  emails: "",
  shown_from: asTyped(now.toISOString()),
  shown_until: asTyped(later(now, { days: 7 }).toISOString()),
  mailed: false,
});

export const typedOf = (kept: Announcement): TypedAnnouncement => ({
  title: kept.title,
  text: kept.text,
  audience: kept.audience,
  roles: kept.roles,
  emails: kept.organizations.map(({ email }) => email).join("\n"),
  shown_from: asTyped(kept.shown_from),
  shown_until: asTyped(kept.shown_until),
  mailed: kept.mailed,
});

/** The form as it is sent; fields that the chosen audience does not use are left empty. */
export const asSent = (typed: TypedAnnouncement): NewAnnouncement => ({
  ...typed,
  roles: typed.audience === "roles" ? typed.roles : [],
  emails: typed.audience === "partner" || typed.audience === "customers" ? linesOf(typed.emails) : [],
  shown_from: asInstant(typed.shown_from),
  shown_until: asInstant(typed.shown_until),
});

const linesOf = (text: string) =>
  text
    .split(/[\s,;]+/)
    .map((line) => line.trim())
    .filter(Boolean);
