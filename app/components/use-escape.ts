import { useEffect, useEffectEvent } from "react";

/** What Escape closes, the topmost last. */
const open: (() => void)[] = [];

function closeTopmost(event: KeyboardEvent): void {
  if (event.key !== "Escape" || event.isComposing) return;
  // A choice that is unfolded within a dialog takes the key for itself; so Mantine marks it.
  if (event.target instanceof Element && event.target.getAttribute("data-mantine-stop-propagation") === "true") return;
  open.at(-1)?.();
}

/** Escape closes what was opened last and nothing below it: what lies below may hold something that was typed. */
export function useEscape(isOpen: boolean, onClose: () => void): void {
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (!isOpen) return undefined;
    const closeThis = () => close();
    open.push(closeThis);
    // One for all, which the browser keeps once: each one's own would find itself topmost as soon as the one above is closed.
    addEventListener("keydown", closeTopmost, { capture: true });
    return () => {
      open.splice(open.indexOf(closeThis), 1);
    };
  }, [isOpen]);
}
