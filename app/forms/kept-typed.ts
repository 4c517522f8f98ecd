import { getSession, keptPrefix } from "../session.ts";

/**
 * Keeps unsent input under a name for this tab, so that it survives a reload, and a session that ended once the same
 * user signs in again; null forgets it.
 */
export function keepTyped(name: string, typed: object | null): void {
  try {
    if (typed) sessionStorage.setItem(keptPrefix + name, JSON.stringify({ typed, email: getSession().email }));
    else sessionStorage.removeItem(keptPrefix + name);
  } catch {
    // No room, or not allowed: the user is asked before leaving anyway.
  }
}

/** What was kept under a name, of a shape that the caller knows; null if nothing was, or by another user. */
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
