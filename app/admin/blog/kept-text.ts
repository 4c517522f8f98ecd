import type { PostContent } from "../../../contract/posts.ts";
import { getSession, keptTextPrefix, onAccountChange } from "../../session.ts";

/** What was typed and not saved, with what it was typed on. */
export interface KeptText {
  version: number;
  base: PostContent;
  typed: PostContent;
}

const keyOf = (id: string | null) => `${keptTextPrefix}${id ?? "new"}`;

/**
 * Keeps unsaved text in this tab, so that it is there after a reload and for whoever signs in again; null forgets it.
 */
export function keepText(id: string | null, text: KeptText | null): void {
  try {
    if (text) sessionStorage.setItem(keyOf(id), JSON.stringify({ ...text, email: getSession().email }));
    else sessionStorage.removeItem(keyOf(id));
  } catch {
    // No room, or not allowed: whoever leaves is asked anyway.
  }
}

export const keptText = (id: string | null): KeptText | null => readOwn(keyOf(id));

/** What one person typed is not for the next who signs in here. */
function readOwn(key: string): KeptText | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(key) ?? "null") as (KeptText & { email?: string | null }) | null;
    return kept?.email === getSession().email ? kept : null;
  } catch {
    return null;
  }
}

onAccountChange(() => {
  // Nobody is signed in where a session has ended: what was typed waits for whoever signs in next.
  if (!getSession().isAuthenticated) return;
  for (const key of Object.keys(sessionStorage))
    if (key.startsWith(keptTextPrefix) && !readOwn(key)) sessionStorage.removeItem(key);
});
