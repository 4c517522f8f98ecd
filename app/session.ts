import { useSyncExternalStore } from "react";
import type { Role } from "../contract/roles.ts";
import { SessionClaims } from "../contract/accounts.ts";

/** Mirrored in local storage under keys of the same names, and restored from there. */
export interface Session {
  isAuthenticated: boolean;
  token: string | null;
  email: string | null;
  /** Read from the token's payload; null without one or with an unknown role. */
  role: Role | null;
}

const signedOut: Session = { isAuthenticated: false, token: null, email: null, role: null };
const listeners = new Set<() => void>();
let current: Session | null = null;

export function getSession(): Session {
  return (current ??= restore());
}

/** The session as React state; on the server, and until hydration, nobody is signed in. */
export function useSession(): Session {
  return useSyncExternalStore(subscribe, getSession, () => signedOut);
}

export function storeSession(token: string, email: string): Session {
  localStorage.setItem("isAuthenticated", "true");
  localStorage.setItem("token", token);
  localStorage.setItem("email", email);
  return announce();
}

/** Forgets the session in this browser; every tab hears of it. */
export function clearSession(): void {
  for (const key of ["isAuthenticated", "token", "email"]) localStorage.removeItem(key);
  announce();
}

function restore(): Session {
  if (typeof localStorage === "undefined") return signedOut;
  const token = localStorage.getItem("token");
  if (localStorage.getItem("isAuthenticated") !== "true" || !token) return signedOut;
  return { isAuthenticated: true, token, email: localStorage.getItem("email"), role: readRole(token) };
}

/** Not a check: the server makes that. This only decides what is shown. */
function readRole(token: string): Role | null {
  try {
    const payload = (token.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/");
    const claims = SessionClaims.safeParse(JSON.parse(atob(payload)));
    return claims.success && claims.data.exp * 1000 > Date.now() ? claims.data.role : null;
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

function announce(): Session {
  current = restore();
  for (const listener of listeners) listener();
  return current;
}
