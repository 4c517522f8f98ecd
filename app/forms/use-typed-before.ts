import { type RefObject, useLayoutEffect, useRef } from "react";

type Field = HTMLInputElement | HTMLTextAreaElement;

/**
 * Adopts what was typed, or filled in by the browser, before the page's script had loaded: React would otherwise
 * discard it on its next render. A form submitted before that is submitted now (`app/hydrate-later.ts` marks it).
 * Fields are named by `data-field`: with a `name`, an early submission would show their values in the address.
 */
export function useTypedBefore(adopt: (typed: Record<string, string>) => void): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  const first = useRef(adopt);
  useLayoutEffect(() => {
    const fields = form.current?.querySelectorAll<Field>("[data-field]") ?? [];
    const typed = [...fields].filter((field) => field.value !== field.defaultValue);
    if (typed.length > 0)
      first.current(Object.fromEntries(typed.map((field) => [field.dataset["field"] ?? "", field.value])));
    if (form.current?.dataset["early"] === undefined) return;
    delete form.current.dataset["early"];
    // After the typed values have been adopted.
    setTimeout(() => form.current?.requestSubmit());
  }, []);
  return form;
}

/** Holds a form that is submitted before the script has loaded: outside a dialog, this method does nothing. */
export const waitsForScript = { method: "dialog", noValidate: true } as const;
