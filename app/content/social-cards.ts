import type { PublicPath } from "../../contract/public-pages.ts";
import drawnPosts from "./drawn-posts.json" with { type: "json" };

/** Search engines need not list the sign-in page, but people share links to it. */
export type CardPath = PublicPath | "/login";

/** The words of each page's picture for social networks; scripts/draw-pictures.ts draws them. */
export const pageCards: Record<CardPath, { title: string; line: string }> = {
  "/": {
    title: "Your security operations centre, without building one",
    line: "Watched 24x7, priced by device, logs kept 365 days in India.",
  },
  "/ServiceDelivery": {
    title: "What becomes of an alert, and who answers for it",
    line: "Three tiers of analysts, a SOC manager, one night step by step.",
  },
  "/LogInjection": {
    title: "Supported log types",
    line: "Search the products whose logs we read without custom work.",
  },
  "/GCPSecurity": {
    title: "Compliance certifications",
    line: "What the cloud under the service holds, and what our reports map to.",
  },
  "/estimator": {
    title: "Count your devices, see the price",
    line: "And have the proposal as a PDF within seconds.",
  },
  "/buyers-guide": {
    title: "What a buyer wants in writing",
    line: "Service levels, scope, onboarding, place of the data, ways to pay.",
  },
  "/about": { title: "A sentinel reads what others only store", line: "What we believe, how we work, where we are." },
  "/contact": { title: "Talk to us, or ask for a demo", line: "E-mail, phone, and offices in Bengaluru and Dubai." },
  "/blog": {
    title: "Notes from the work of a SOC",
    line: "For people who keep systems running and have to answer for them.",
  },
  "/privacy-policy": {
    title: "Privacy, terms, cookies",
    line: "What is stored about you, what for, and when it is deleted.",
  },
  "/login": { title: "Sign in, or register", line: "Quotes, orders and the dashboards of your SOC." },
};

export const cardSize = { width: 1200, height: 630 } as const;

const folder = "/images/social";

/** The file of a page's picture: /images/social/servicedelivery.png for /ServiceDelivery. */
export const pageCardFile = (path: CardPath) => `${folder}/${path.slice(1).toLowerCase() || "home"}.png`;

export const postCardFile = (idKey: string) => `${folder}/blog-${idKey}.jpg`;

const drawn: Readonly<Record<string, string>> = drawnPosts;

/** A post's picture: drawn with its current title, else its header image or, as networks take no SVG, the site's. */
export function postPicture({ idKey, headerImg, title }: { idKey: string; headerImg: string; title: string }): string {
  if (drawn[idKey] === title && headerImg === `/images/blog/${idKey}.svg`) return postCardFile(idKey);
  return headerImg.endsWith(".svg") ? pageCardFile("/") : headerImg;
}
