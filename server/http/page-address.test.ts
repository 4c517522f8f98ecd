import { pathToFileURL } from "node:url";
import type { ServerBuild } from "react-router";
import { beforeAll, expect, it } from "vitest";
import { type AddressOf, pageAddresses } from "./page-address.ts";

let addressOf: AddressOf;
beforeAll(async () => {
  addressOf = pageAddresses((await import(pathToFileURL("build/server/index.js").href)) as ServerBuild);
});

it.each([
  ["/blog", "/blog"],
  ["/blog/", "/blog"],
  ["/", "/"],
  ["/blog?from=3", "/blog?from=3"],
  ["/blog?utm_source=mail&from=3&fbclid=x", "/blog?from=3"],
  ["/blog?utm_source=mail", "/blog"],
  ["/blog/soc-tiers-explained?from=3", "/blog/soc-tiers-explained"],
  ["/LogInjection?q=okta&category=b&x=1&category=a", "/LogInjection?category=b&category=a&q=okta"],
  [
    "/blog/soc-tiers-explained.data?_routes=public%2Fblog-post&x=1",
    "/blog/soc-tiers-explained.data?_routes=public%2Fblog-post",
  ],
  ["/user/payment?order=1", "/user/payment"],
  ["/no-such-page?x=1", "/no-such-page"],
  ["/%E0%A4%A?x=%E0%A4%A", "/%E0%A4%A"],
])("The page of %s is that of %s", (asked, address) => {
  const { pathname, search } = new URL(`http://localhost${asked}`);
  expect(addressOf(pathname, search)).toBe(address);
});
