import { useEffect, useEffectEvent } from "react";

/** The close functions of open layers, the topmost last. */
const open: (() => void)[] = [];

function closeTopmost(event: KeyboardEvent): void {
  if (event.key !== "Escape" || event.isComposing) return;
  // An expanded select within a dialog handles the key itself; Mantine marks it so.
  if (event.target instanceof Element && event.target.getAttribute("data-mantine-stop-propagation") === "true") return;
  open.at(-1)?.();
}

/** Escape closes only the layer that was opened last: those below may hold unsaved input. */
export function useEscape(isOpen: boolean, onClose: () => void): void {
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (!isOpen) return undefined;
    const closeThis = () => close();
    open.push(closeThis);
    // One listener for all, registered once: with one each, the next layer would be topmost once the one above closed.
    addEventListener("keydown", closeTopmost, { capture: true });
    return () => {
      open.splice(open.indexOf(closeThis), 1);
    };
  }, [isOpen]);
}
