import { useEffect, useEffectEvent, useRef } from "react";
import { useLocation, useNavigationType } from "react-router";

/**
 * Moves the focus to the new screen's heading after a navigation whose link is gone, such as a row of a list, or whose
 * form is, such as the sign-in; after going back, to the link that led away, as the screen is scrolled to it. Follows
 * them when loading replaces them, until the next key or pointer press.
 */
export function useScreenFocus(): void {
  const { pathname } = useLocation();
  const kind: string = useNavigationType();
  // A page that was loaded begins at its top, as everywhere.
  const shown = useRef(kind === "POP" ? pathname : null);
  const goneBackFrom = useEffectEvent(() => (kind === "POP" ? shown.current : null));
  useEffect(() => {
    if (shown.current === pathname) return undefined;
    const left = goneBackFrom();
    shown.current = pathname;
    const goOn = () => goToStart(left);
    goOn();
    const watch = new MutationObserver(goOn);
    watch.observe(document.body, { childList: true, subtree: true });
    const stop = () => watch.disconnect();
    for (const event of ["keydown", "pointerdown"]) addEventListener(event, stop, { capture: true, once: true });
    return stop;
  }, [pathname]);
}

/** @param left the address of the screen that was left by going back */
function goToStart(left: string | null): void {
  const at = document.activeElement;
  const heading = document.querySelector<HTMLElement>("main h1");
  if (!heading || (at !== document.body && at !== heading && at?.checkVisibility({ visibilityProperty: true }))) return;
  const links = left === null ? [] : document.querySelectorAll<HTMLElement>(`main a[href="${CSS.escape(left)}"]`);
  const link = [...links].find((each) => each.checkVisibility({ visibilityProperty: true }));
  if (link) return link.focus();
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}
