/**
 * When this control goes from the page, and the focus with it, the focus goes to the next of its kind, to the one before, or
 * to the heading above: not to the page's beginning. To be called before it goes; the next key or press ends it.
 */
export function passFocusOn(control: HTMLElement, kind = "[data-takes-away]"): void {
  const place = control.closest<HTMLElement>("section, main");
  const peers = () => [...(place?.querySelectorAll<HTMLElement>(kind) ?? [])].filter((peer) => peer.checkVisibility());
  const at = peers().indexOf(control);
  const watched = new AbortController();
  const watch = new MutationObserver(() => {
    if (control.isConnected) return;
    watched.abort();
    // Somebody has moved on meanwhile.
    if (document.activeElement !== document.body) return;
    const left = peers();
    goTo(left[at] ?? left.at(-1) ?? headingOf(place));
  });
  watched.signal.addEventListener("abort", () => watch.disconnect());
  watch.observe(document.body, { childList: true, subtree: true });
  // What stays, or goes only after whoever is there went on, is watched no longer.
  for (const event of ["keydown", "pointerdown"])
    addEventListener(event, () => watched.abort(), { capture: true, signal: watched.signal });
}

function headingOf(place: HTMLElement | null): HTMLElement | null {
  return (
    (place?.isConnected && place.querySelector<HTMLElement>("h1, h2, h3")) ||
    document.querySelector<HTMLElement>("main h1")
  );
}

/** Also to what the keyboard stops at only this once, as a heading or a row. */
function goTo(part: HTMLElement | null): void {
  if (!part) return;
  if (part.tabIndex < 0) part.tabIndex = -1;
  part.focus();
}

/** Loads more of a list, and takes whoever pressed its button to the first row of that where the button is gone then. */
export function goOnFrom(button: HTMLElement, load: () => void): void {
  passFocusOn(button, "tr, li, button");
  load();
}
