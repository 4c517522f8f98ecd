import { useEffect, useRef } from "react";
import { useLocation, useNavigationType } from "react-router";

/**
 * Moves the focus to the new screen's heading after a navigation whose link is gone, such as a row of a list, or whose
 * form is, such as the sign-in. Follows the heading when loading replaces it, until the next key or pointer press.
 */
export function useScreenFocus(): void {
  const { pathname } = useLocation();
  const kind: string = useNavigationType();
  // A page that was loaded begins at its top, as everywhere.
  const shown = useRef(kind === "POP" ? pathname : null);
  useEffect(() => {
    if (shown.current === pathname) return undefined;
    shown.current = pathname;
    goToHeading();
    const watch = new MutationObserver(goToHeading);
    watch.observe(document.body, { childList: true, subtree: true });
    const stop = () => watch.disconnect();
    for (const event of ["keydown", "pointerdown"]) addEventListener(event, stop, { capture: true, once: true });
    return stop;
  }, [pathname]);
}

function goToHeading(): void {
  const at = document.activeElement;
  const heading = document.querySelector<HTMLElement>("main h1");
  if (!heading || (at !== document.body && at?.checkVisibility({ visibilityProperty: true }))) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}
