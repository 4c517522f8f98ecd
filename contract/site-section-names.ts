import type { SiteSection } from "./shown-texts.ts";

export const siteSectionNames: Record<SiteSection, string> = {
  brand: "Company and contact",
  faq: "Answers to questions",
  serviceLevels: "Service levels",
  legal: "Legal versions",
  seller: "Invoices and tax",
};
