/**
 * Returns the focus to a control that lost it by being disabled, as a loading button does, once the control is enabled
 * again, unless the user or the screen has moved the focus meanwhile.
 */
export function keepFocus(): void {
  let last: EventTarget | null = null;
  addEventListener("focusin", ({ target }) => (last = target));
  // A user leaves a control only while it is enabled.
  addEventListener("focusout", ({ target }) => {
    if (!(target as Element).matches(":disabled")) last = null;
  });
  new MutationObserver((changes) => {
    if (document.activeElement === document.body && changes.some(({ target }) => target === last))
      (last as HTMLElement).focus({ preventScroll: true });
  }).observe(document, { subtree: true, attributeFilter: ["disabled"] });
  // If the script can't be loaded, the browser's default applies.
  const bring = () => {
    const byKeyboard = document.activeElement?.matches(":focus-visible") ?? false;
    void import("./pass-focus-on.ts").then(
      (part) => part.passFocusOn(byKeyboard),
      () => undefined,
    );
  };
  addEventListener("focusin", bring, { once: true });
}
