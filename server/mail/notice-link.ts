import type { MailPart } from "./layout.ts";

/** The privacy notice on the same site as the link. */
export const noticeAt = (link: string) => new URL("/privacy-policy", link).href;

export const aboutYourData = (link: string): MailPart => ({
  small: "What we keep about you, how long, and how to have it deleted:",
  link: noticeAt(link),
});
