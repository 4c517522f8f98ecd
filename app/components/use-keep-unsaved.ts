import { useEffect, useEffectEvent, useRef } from "react";
import { useBlocker } from "react-router";

/** The question when a panel is closed with unsaved input. */
export const leaveUnsaved = "What you typed is not saved. Leave without it?";

/**
 * Asks before the user leaves with unsaved input; `what` says where it is, such as "on the rate card". A function is
 * evaluated at that moment, so it knows what was saved or discarded just before. `onLeave` forgets the kept input.
 */
export function useKeepUnsaved(isDirty: boolean | (() => boolean), what: string, onLeave = () => {}): void {
  const blocker = useBlocker(isDirty);
  const forget = useEffectEvent(onLeave);
  // Once the user has agreed to leave, a page load must not ask again.
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
