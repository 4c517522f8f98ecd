import { globSync, readFileSync } from "node:fs";
import { createElement, Fragment } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { cookiePolicy } from "../app/content/cookie-policy.tsx";
import { placeOfDraft } from "../app/estimator/selection.ts";
import { onboardingOpenKey } from "../app/onboarding/while-onboarding.tsx";
import { bannerRoomKey, keptPrefix, recentlyOpenedKey } from "../app/session.ts";

/** Each storage key as the code writes it, with its names on the page. */
const keys: Record<string, string[]> = {
  '"isAuthenticated"': ["isAuthenticated"],
  '"token"': ["token"],
  '"email"': ["email"],
  '"sidebarCollapsed"': ["sidebarCollapsed"],
  recentlyOpenedKey: [recentlyOpenedKey],
  bannerRoomKey: [bannerRoomKey],
  onboardingOpenKey: [onboardingOpenKey],
  "keptPrefix + name": [`${keptPrefix}…`],
  "place.key": [placeOfDraft(null).key, placeOfDraft("…").key],
};
/** Written by the router. */
const ofRouter = "react-router-scroll-positions";

it("The cookie policy lists each entry that the code writes into a browser's storage, and no other", () => {
  const code = globSync("{app,contract}/**/*.{ts,tsx}").filter((file) => !file.includes(".test."));
  const written = code.flatMap((file) =>
    Array.from(readFileSync(file, "utf8").matchAll(/\bsetItem\(((?:[^(),]|\([^()]*\))+),/g), ([, key = ""]) =>
      key.trim(),
    ),
  );
  expect(new Set(written)).toEqual(new Set(Object.keys(keys)));
  const page = cookiePolicy.map(({ text }) => renderToStaticMarkup(createElement(Fragment, null, text))).join("");
  const listed = Array.from(page.matchAll(/<code>(.*?)<\/code>/g), ([, key]) => key);
  expect(new Set(listed)).toEqual(new Set([...Object.values(keys).flat(), ofRouter]));
});
