import { useSyncExternalStore } from "react";
import { areaOf, isRole, type Role } from "../contract/roles.ts";

/** Mirrored in local storage under keys of the same names, and restored from there. */
export interface BrowserSession {
  isAuthenticated: boolean;
  token: string | null;
  /** Read from the token's payload, with which it changes at once: another tab writes one key after the other. */
  email: string | null;
  /** Read from the token's payload; null without one, and for a role that is not known here. */
  role: Role | null;
}

/** Where a role starts. */
export const dashboardOf = (role: Role) => `/${areaOf(role)}/dashboard`;

/** What the palette remembers, on this device and until a sign-out. */
export const recentlyOpenedKey = "recentlyOpened";

/** How much room the announcements took when they were last seen on this device. */
export const bannerRoomKey = "bannerRoom";

/** With what the keys begin under which this tab keeps what was typed and not saved. */
export const keptPrefix = "typed:";

const signedOut: BrowserSession = { isAuthenticated: false, token: null, email: null, role: null };
const listeners = new Set<() => void>();
const accountListeners = new Set<() => void>();
let current: BrowserSession | null = null;

export function getSession(): BrowserSession {
  return (current ??= restore());
}

/** The session as React state; on the server, and until hydration, nobody is signed in. */
export function useSession(): BrowserSession {
  return useSyncExternalStore(subscribe, getSession, () => signedOut);
}

export function storeSession(token: string, email: string): BrowserSession {
  localStorage.setItem("isAuthenticated", "true");
  localStorage.setItem("token", token);
  localStorage.setItem("email", email);
  return announce();
}

/** Forgets the session in this browser; every tab hears of it. */
export function clearSession(): void {
  for (const key of ["isAuthenticated", "token", "email", recentlyOpenedKey, bannerRoomKey])
    localStorage.removeItem(key);
  announce();
}

/** Forgets a session that the server does not know any more; whoever has signed in meanwhile, here or in another tab, stays so. */
export function endSession(token: string | null): void {
  if (localStorage.getItem("token") === token) clearSession();
  else announce();
}

/** Forgets it as somebody wants it, who leaves nothing behind; one whose session has ended finds again what they typed. */
export function leaveSession(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(keptPrefix)) sessionStorage.removeItem(key);
  clearSession();
}

/** Calls when somebody else is signed in, or nobody any more: what was fetched for one account is not for another. */
export function onAccountChange(listener: () => void): void {
  accountListeners.add(listener);
}

function restore(): BrowserSession {
  if (typeof localStorage === "undefined") return signedOut;
  const token = localStorage.getItem("token");
  if (localStorage.getItem("isAuthenticated") !== "true" || !token) return signedOut;
  const claims = readClaims(token);
  if (claims && claims.exp * 1000 <= Date.now()) return signedOut;
  return { isAuthenticated: true, token, email: claims?.email ?? null, role: claims?.role ?? null };
}

/** Not a check: the server makes that. This only decides what is shown. */
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
    if (event.key === null || event.key === "token") announce();
  };
  window.addEventListener("storage", heard);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", heard);
  };
}

function announce(): BrowserSession {
  const before = current?.email;
  current = restore();
  if (current.email !== before) for (const listener of accountListeners) listener();
  for (const listener of listeners) listener();
  return current;
}
