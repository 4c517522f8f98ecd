import type { PostContent } from "../../../contract/posts.ts";
import { onAccountChange } from "../../session.ts";

/** What was typed and not saved, with what it was typed on. */
export interface KeptText {
  version: number;
  base: PostContent;
  typed: PostContent;
}

const prefix = "article:";
const keyOf = (id: string | null) => `${prefix}${id ?? "new"}`;

/** Keeps unsaved text in this tab, so that it is there after a reload; null forgets it. */
export function keepText(id: string | null, text: KeptText | null): void {
  try {
    if (text) sessionStorage.setItem(keyOf(id), JSON.stringify(text));
    else sessionStorage.removeItem(keyOf(id));
  } catch {
    // No room, or not allowed: whoever leaves is asked anyway.
  }
}

export function keptText(id: string | null): KeptText | null {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(id)) ?? "null") as KeptText | null;
  } catch {
    return null;
  }
}

// What one person typed is not for the next who signs in here.
onAccountChange(() => {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) sessionStorage.removeItem(key);
});
