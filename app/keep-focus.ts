/**
 * A control that is disabled loses the focus, as a button does while it loads: it gets it back once it is enabled again, where
 * neither the reader nor the screen has moved on.
 */
export function keepFocus(): void {
  let last: EventTarget | null = null;
  addEventListener("focusin", ({ target }) => (last = target));
  // Whoever leaves a control themselves does so while it is enabled.
  addEventListener("focusout", ({ target }) => {
    if (!(target as Element).matches(":disabled")) last = null;
  });
  new MutationObserver((changes) => {
    if (document.activeElement === document.body && changes.some(({ target }) => target === last))
      (last as HTMLElement).focus({ preventScroll: true });
  }).observe(document, { subtree: true, attributeFilter: ["disabled"] });
  // Without it the browser's own way holds.
  const bring = () =>
    void import("./pass-focus-on.ts").then(
      (part) => part.passFocusOn(),
      () => undefined,
    );
  addEventListener("focusin", bring, { once: true });
}
