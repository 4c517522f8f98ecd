import { limits } from "../../contract/limits.ts";
import { getSession, recentlyOpenedKey } from "../session.ts";

/** An entry that was opened by the palette. */
export interface Opened {
  title: string;
  detail: string;
  path: string;
}

/** What the signed-in user opened last in this browser; it never leaves the device, and a sign-out deletes it. */
export function readRecent(): Opened[] {
  try {
    const kept = JSON.parse(localStorage.getItem(recentlyOpenedKey) ?? "null") as { email?: unknown; opened?: unknown };
    if (!kept || kept.email !== getSession().email || !Array.isArray(kept.opened)) return [];
    return kept.opened.filter(isOpened).slice(0, limits.recentlyOpenedMax);
  } catch {
    return [];
  }
}

export function rememberOpened({ title, detail, path }: Opened): void {
  const others = readRecent().filter((each) => each.path !== path);
  const opened = [{ title, detail, path }, ...others].slice(0, limits.recentlyOpenedMax);
  try {
    localStorage.setItem(recentlyOpenedKey, JSON.stringify({ email: getSession().email, opened }));
  } catch {
    // A full or forbidden storage: nothing is remembered.
  }
}

/** Another version of the site, or a person, may have written the storage: only paths of this site are followed. */
function isOpened(value: unknown): value is Opened {
  const { title, detail, path } = (value ?? {}) as Record<string, unknown>;
  return typeof title === "string" && typeof detail === "string" && typeof path === "string" && /^\/(?!\/)/.test(path);
}
