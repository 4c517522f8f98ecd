import type { BrandTexts } from "./brand.ts";
import type { FaqAnswers } from "./faq.ts";
import type { LegalTexts } from "./privacy-notice.ts";
import type { SellerTexts } from "./seller.ts";
import type { ServiceLevels } from "./service-levels.ts";

/** An operator's replacements for the shipped texts; a section that was never changed is missing. */
export interface SiteTexts {
  brand?: BrandTexts;
  faq?: FaqAnswers;
  serviceLevels?: ServiceLevels;
  legal?: LegalTexts;
  /** Used in documents only, so no page loads it. */
  seller?: SellerTexts;
}
export type SiteSection = keyof SiteTexts;

/** Id of the element that holds changed texts in a page, for its script. */
export const textsElementId = "site-texts";

/**
 * The changed texts in force. A server process loads them from the database (server/site-texts), a browser from its
 * page, so that the script renders what the server rendered.
 */
export let shownTexts: SiteTexts = "document" in globalThis ? textsOfPage() : {};

const followers: ((texts: SiteTexts) => void)[] = [];

/** Runs `follow` now and after every change of the texts. */
export function followTexts(follow: (texts: SiteTexts) => void): void {
  followers.push(follow);
  follow(shownTexts);
}

/** Puts these texts into force in this process. */
export function showTexts(texts: SiteTexts): void {
  shownTexts = texts;
  for (const follow of followers) follow(texts);
}

function textsOfPage(): SiteTexts {
  const written = document.querySelector(`#${textsElementId}`)?.textContent;
  return written ? (JSON.parse(written) as SiteTexts) : {};
}
