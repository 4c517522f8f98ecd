import { useEffect, useRef } from "react";
import { useLocation } from "react-router";

/**
 * Whoever goes to another screen by what is gone then, such as a row of a list, is at its heading: also where the heading
 * changes once the screen is loaded, until the next key or press.
 */
export function useScreenFocus(): void {
  const { pathname } = useLocation();
  const shown = useRef(pathname);
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
