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
  return (current ??= read());
}

/** Whether nobody is signed in because the session that is kept here has run out. */
export const hasRunOut = () => !getSession().isAuthenticated && localStorage.getItem("isAuthenticated") !== null;

/** The session as React state; on the server, and until hydration, nobody is signed in. */
export function useSession(): BrowserSession {
  return useSyncExternalStore(subscribe, getSession, () => signedOut);
}

export function storeSession(token: string, email: string): BrowserSession {
  localStorage.setItem("isAuthenticated", "true");
  // As the token has it, however it was typed.
  localStorage.setItem("email", readClaims(token)?.email ?? email);
  localStorage.setItem("token", token);
  return announce();
}

/** Forgets the session in this browser as somebody wants it, who leaves nothing behind; every tab hears of it. */
export function leaveSession(): void {
  localStorage.removeItem("email");
  forgetSession();
}

/**
 * Forgets a session that the server does not know any more; whoever has signed in meanwhile, here or in another tab, stays
 * so. The e-mail address stays, by which its owner finds again what they typed.
 */
export function endSession(token = getSession().token): void {
  if (localStorage.getItem("token") === token) forgetSession();
  else announce();
}

/** The token last, of which other tabs hear: by then all else is as it is to be. */
function forgetSession(): void {
  for (const key of ["isAuthenticated", recentlyOpenedKey, bannerRoomKey, "token"]) localStorage.removeItem(key);
  announce();
}

/** Calls when somebody else is signed in, or nobody any more: what was fetched for one account is not for another. */
export function onAccountChange(listener: () => void): void {
  accountListeners.add(listener);
}

/** The session as it is kept now, and in this tab nothing that anybody else has typed. */
function read(): BrowserSession {
  if (typeof localStorage === "undefined") return signedOut;
  const session = restore();
  const owner = session.isAuthenticated ? session.email : localStorage.getItem("email");
  for (const [key, kept] of Object.entries<string>(sessionStorage))
    // Whoever typed it stands at its end, as app/forms/kept-typed.ts writes it.
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
