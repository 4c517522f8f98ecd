/**
 * The public pages for search engines, each with the day on which its words last changed, for the sitemap.
 * Every change of the words sets the day; tests/public-pages.test.ts checks it. A page with null shows database
 * content, whose days the server knows, or is a tool rather than a text.
 */
export const publicPages = {
  "/": "2026-11-29",
  "/ServiceDelivery": "2026-11-21",
  "/LogInjection": null,
  "/GCPSecurity": "2026-11-23",
  "/estimator": null,
  "/buyers-guide": "2026-11-29",
  "/about": "2026-11-26",
  "/contact": "2026-11-27",
  "/blog": null,
  "/privacy-policy": "2026-11-29",
} as const satisfies Record<string, string | null>;
export type PublicPath = keyof typeof publicPages;
