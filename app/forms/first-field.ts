/**
 * The ref of a form that a dialog shows once its data is there: starts in what has `data-autofocus`, which the dialog
 * looked for in vain when it opened. While it opens it looks itself, and first notes where the focus is to return to.
 */
export function startInFirstField(form: HTMLElement | null): void {
  const at = document.activeElement;
  if (!form || (at !== document.body && !form.closest("[role=dialog]")?.contains(at))) return;
  const first = "[data-autofocus]";
  const start = form.matches(first) ? form : form.querySelector<HTMLElement>(first);
  start?.focus();
  // A form that starts as a whole is read from its top; the step before it may have been left at its end.
  if (start === form) form.closest("[role=dialog]")?.scrollTo(0, 0);
}
