import type { Page } from "playwright-core";
import { findBarriers, findSideways, phone, wide } from "./portal-page.ts";

/**
 * What there is of barriers in an open dialog on a phone, where there is least room, and whether it has its room on a wide
 * screen. What is in it is the same there, and what is behind it is looked at by itself: a second look would find nothing else.
 */
export async function findDialogBarriers(page: Page): Promise<string[]> {
  await page.setViewportSize(wide.viewport);
  const sideways = await findSideways(page);
  await page.setViewportSize(phone.viewport);
  return [...sideways.map((barrier) => `at ${wide.viewport.width} px: ${barrier}`), ...(await findBarriers(page))];
}
