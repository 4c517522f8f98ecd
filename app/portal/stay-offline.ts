import type { MouseEvent } from "react";
import { toast } from "../toast.ts";

const isOffline =
  "You are offline, so no other screen can be opened. This one stays as it is; please try again once you are connected.";

/** Whether there is no network; if so, tells it: a link would replace this screen with the browser's error page. */
export function mustStay(): boolean {
  if (navigator.onLine) return false;
  toast.error(isOffline, { id: isOffline });
  return true;
}

/** Prevents following a link to another screen while there is no network. */
export function stayOffline(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link?.protocol.startsWith("http") || link.target || link.origin !== location.origin) return;
  if (link.pathname !== location.pathname && mustStay()) event.preventDefault();
}
