/**
 * The public pages that are for search engines, each with the day its words last changed, for the sitemap.
 * Whoever changes words sets the day; tests/public-pages.test.ts watches. A page without a day shows what is in the
 * database, whose days the server knows, or is a tool rather than a text.
 */
export const publicPages = {
  "/": "2026-11-27",
  "/ServiceDelivery": "2026-11-21",
  "/LogInjection": null,
  "/GCPSecurity": "2026-11-23",
  "/estimator": null,
  "/buyers-guide": "2026-11-26",
  "/about": "2026-11-26",
  "/contact": "2026-11-27",
  "/blog": null,
  "/privacy-policy": "2026-11-28",
} as const satisfies Record<string, string | null>;
export type PublicPath = keyof typeof publicPages;
