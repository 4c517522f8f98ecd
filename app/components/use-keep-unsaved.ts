import { useEffect, useEffectEvent, useRef } from "react";
import { useBlocker } from "react-router";

/** What is asked where a panel is closed with something typed in it. */
export const leaveUnsaved = "What you typed is not saved. Leave without it?";

/**
 * Whoever leaves with something typed and not saved is asked; `what` says where, such as "on the rate card". A function
 * is asked at that moment: it knows of what was saved or given up just before. `onLeave` forgets what was kept of it.
 */
export function useKeepUnsaved(isDirty: boolean | (() => boolean), what: string, onLeave = () => {}): void {
  const blocker = useBlocker(isDirty);
  const forget = useEffectEvent(onLeave);
  // Whoever has said so is on their way, which may be a page that is loaded anew.
  const isLeaving = useRef(false);
  useEffect(() => {
    if (blocker.state === "unblocked") isLeaving.current = false;
    if (blocker.state !== "blocked") return;
    if (!window.confirm(`What you typed ${what} is not saved. Leave without it?`)) return blocker.reset();
    forget();
    isLeaving.current = true;
    blocker.proceed();
  }, [blocker, what]);
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (!isLeaving.current && (typeof isDirty === "function" ? isDirty() : isDirty)) event.preventDefault();
    };
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, [isDirty]);
}
