import type { Page } from "playwright-core";
import type { TestServer } from "./harness.ts";
import { follow } from "./portal-page.ts";

/** Brings a screen: within the page where one of a portal is there already, and else by loading it. */
export async function goTo(page: Page, server: Pick<TestServer, "url">, path: string): Promise<void> {
  if (/^\/(admin|user|partner)\//.test(new URL(page.url()).pathname))
    await follow(page, path, new URL(path, server.url).pathname);
  else await page.goto(server.url + path);
}
