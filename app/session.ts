import { useSyncExternalStore } from "react";
import { areaOf, isRole, type Role } from "../contract/roles.ts";

/** Mirrored in local storage under keys of the same names, and restored from there. */
export interface BrowserSession {
  isAuthenticated: boolean;
  token: string | null;
  /** From the token's payload, so that it changes together with the token: another tab writes the keys one by one. */
  email: string | null;
  /** From the token's payload; null without a token, and for an unknown role. */
  role: Role | null;
}

/** The first screen of a role. */
export const dashboardOf = (role: Role) => `/${areaOf(role)}/dashboard`;

/** The palette's recently opened entries, kept on this device until a sign-out. */
export const recentlyOpenedKey = "recentlyOpened";

/** The space that announcements last took on this device. */
export const bannerRoomKey = "bannerRoom";

/** The prefix of the keys for this tab's unsaved input. */
export const keptPrefix = "typed:";

const signedOut: BrowserSession = { isAuthenticated: false, token: null, email: null, role: null };
const listeners = new Set<() => void>();
const accountListeners = new Set<() => void>();
let current: BrowserSession | null = null;

export function getSession(): BrowserSession {
  return (current ??= read());
}

/** Whether nobody is signed in because the stored session has expired. */
export const hasRunOut = () => !getSession().isAuthenticated && localStorage.getItem("isAuthenticated") !== null;

/** The session as React state; on the server, and until hydration, nobody is signed in. */
export function useSession(): BrowserSession {
  return useSyncExternalStore(subscribe, getSession, () => signedOut);
}

export function storeSession(token: string, email: string): BrowserSession {
  localStorage.setItem("isAuthenticated", "true");
  // As in the token, whatever spelling was typed.
  localStorage.setItem("email", readClaims(token)?.email ?? email);
  localStorage.setItem("token", token);
  return announce();
}

/** Ends the session in this browser at the user's wish, and removes what belongs to it; all tabs notice. */
export function leaveSession(): void {
  localStorage.removeItem("email");
  forgetSession();
}

/**
 * Removes a session that the server no longer knows; a user who has signed in meanwhile, here or in another tab, stays
 * signed in. The e-mail address stays, so that its owner finds unsaved input again.
 */
export function endSession(token = getSession().token): void {
  if (localStorage.getItem("token") === token) forgetSession();
  else announce();
}

/** Removes the token last, as its removal is what other tabs react to: by then everything else is removed. */
function forgetSession(): void {
  for (const key of ["isAuthenticated", recentlyOpenedKey, bannerRoomKey, "token"]) localStorage.removeItem(key);
  announce();
}

/** Registers a listener for another account or none being signed in: one account's data is not for another. */
export function onAccountChange(listener: () => void): void {
  accountListeners.add(listener);
}

/** Restores the stored session, and removes unsaved input of other accounts from this tab. */
function read(): BrowserSession {
  if (typeof localStorage === "undefined") return signedOut;
  const session = restore();
  const owner = session.isAuthenticated ? session.email : localStorage.getItem("email");
  for (const [key, kept] of Object.entries<string>(sessionStorage))
    // Each entry ends with its owner's e-mail, as app/forms/kept-typed.ts writes it.
    if (key.startsWith(keptPrefix) && !kept.endsWith(`"email":"${owner}"}`)) sessionStorage.removeItem(key);
  return session;
}

function restore(): BrowserSession {
  const token = localStorage.getItem("token");
  if (localStorage.getItem("isAuthenticated") !== "true" || !token) return signedOut;
  const claims = readClaims(token);
  if (claims && claims.exp * 1000 <= Date.now()) return signedOut;
  return { isAuthenticated: true, token, email: claims?.email ?? null, role: claims?.role ?? null };
}

/** Not a check: the server does that. This only decides what is shown. */
function readClaims(token: string): { role: Role | null; email: string | null; exp: number } | null {
  try {
    const payload = (token.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/");
    const { role, email = null, exp } = JSON.parse(atob(payload)) as { role?: unknown; email?: string; exp?: unknown };
    return typeof exp === "number" ? { role: isRole(role) ? role : null, email, exp } : null;
  } catch {
    return null;
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  const heard = (event: StorageEvent) => {
    if (event.key === null || event.key === "token" || event.key === "email") announce();
  };
  window.addEventListener("storage", heard);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", heard);
  };
}

function announce(): BrowserSession {
  const before = current?.email;
  current = read();
  if (current.email !== before) for (const listener of accountListeners) listener();
  for (const listener of listeners) listener();
  return current;
}
