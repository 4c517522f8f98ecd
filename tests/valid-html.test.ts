import { HtmlValidate } from "html-validate";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ensureContent } from "../server/content/shipped-content.ts";
import { startTestServer, type TestServer } from "./harness.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ pages: true, work: false });
  await ensureContent(server.services.database);
});
afterAll(() => server.stop());

/**
 * The rules of the standard, without the checker's preferences for spelling tags and its advice on what a page should
 * have.
 */
const checker = new HtmlValidate({
  extends: ["html-validate:standard", "html-validate:a11y"],
  rules: {
    // React writes <br/>, and "" for true; the standard allows both.
    "void-style": "off",
    "attribute-boolean-style": "off",
    "attribute-empty-style": "off",
    // Text stored for later use, and what a policy with hashes already guards.
    "require-sri": "off",
    "no-inline-style": "off",
    // Matters of taste: a panel may be a div with a role, and a form may work without being submitted.
    "prefer-native-element": "off",
    "wcag/h32": "off",
    "valid-id": ["error", { relaxed: true }],
  },
});

it.each([
  "/",
  "/ServiceDelivery",
  "/LogInjection",
  "/GCPSecurity",
  "/estimator",
  "/buyers-guide",
  "/about",
  "/contact",
  "/blog",
  "/blog/ransomware-drill-in-one-afternoon",
  "/privacy-policy",
  "/login",
  "/forgot-password",
  "/reset-password",
  "/accept-invite",
  "/confirm-email",
  "/no-such-page",
])("%s is valid HTML", async (path) => {
  const page = await (await fetch(server.url + path)).text();
  const { results } = await checker.validateString(page);
  const found = results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, selector }) => `${ruleId}: ${message} (${selector})`),
  );
  expect(found).toEqual([]);
});
