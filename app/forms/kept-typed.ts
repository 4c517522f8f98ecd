import { getSession, keptPrefix } from "../session.ts";

/**
 * Keeps in this tab what was typed under a name and not sent, so that it is there after a reload, and for whoever signs in
 * again after a session that ended; null forgets it.
 */
export function keepTyped(name: string, typed: object | null): void {
  try {
    if (typed) sessionStorage.setItem(keptPrefix + name, JSON.stringify({ typed, email: getSession().email }));
    else sessionStorage.removeItem(keptPrefix + name);
  } catch {
    // No room, or not allowed: whoever leaves is asked anyway.
  }
}

/** What was kept under a name, as it was kept; whoever reads it knows what they keep there. */
export function keptTyped(name: string): unknown {
  try {
    const kept = JSON.parse(sessionStorage.getItem(keptPrefix + name) ?? "null") as {
      typed: unknown;
      email: string | null;
    } | null;
    return kept?.email === getSession().email ? kept.typed : null;
  } catch {
    return null;
  }
}
