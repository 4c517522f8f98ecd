/**
 * The ref of a form that a dialog shows once its data is there: starts in the field with `data-autofocus`, which the
 * dialog looked for in vain when it opened.
 */
export const startInFirstField = (form: HTMLElement | null): void =>
  form?.querySelector<HTMLElement>("[data-autofocus]")?.focus();
