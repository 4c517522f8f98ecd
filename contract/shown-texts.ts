import type { BrandTexts } from "./brand.ts";
import type { FaqAnswers } from "./faq.ts";
import type { LegalTexts } from "./privacy-notice.ts";
import type { SellerTexts } from "./seller.ts";
import type { ServiceLevels } from "./service-levels.ts";

/** What an operator can put in the place of the texts that are shipped; a section that nobody changed is missing. */
export interface SiteTexts {
  brand?: BrandTexts;
  faq?: FaqAnswers;
  serviceLevels?: ServiceLevels;
  legal?: LegalTexts;
  /** On documents only: no page brings it along. */
  seller?: SellerTexts;
}
export type SiteSection = keyof SiteTexts;

/** In a page that shows changed texts, the element that holds them for its script. */
export const textsElementId = "site-texts";

/**
 * The changed texts that hold now. A process of the server has them from the database (server/site-texts), a browser from
 * the page that it opened, so that its script draws what the server drew.
 */
export let shownTexts: SiteTexts = "document" in globalThis ? textsOfPage() : {};

const followers: ((texts: SiteTexts) => void)[] = [];

/** Runs `follow` now, and whenever other texts hold. */
export function followTexts(follow: (texts: SiteTexts) => void): void {
  followers.push(follow);
  follow(shownTexts);
}

/** From now on these hold in this process. */
export function showTexts(texts: SiteTexts): void {
  shownTexts = texts;
  for (const follow of followers) follow(texts);
}

function textsOfPage(): SiteTexts {
  const written = document.querySelector(`#${textsElementId}`)?.textContent;
  return written ? (JSON.parse(written) as SiteTexts) : {};
}
