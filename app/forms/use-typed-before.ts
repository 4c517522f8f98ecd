import { type RefObject, useLayoutEffect, useRef } from "react";

type Field = HTMLInputElement | HTMLTextAreaElement;

/**
 * Adopts what was typed, or filled in by the browser, before the page's script came: React would wipe it with its next
 * change. A form that was sent by then is sent now (`app/hydrate-later.ts` marks it). Fields say what they are by `data-field`: with a `name`, a form sent that early would show them in the address.
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
    // Once what was typed is adopted.
    setTimeout(() => form.current?.requestSubmit());
  }, []);
  return form;
}

/** A form that is sent before its script is there stays as it is until then: without a dialog around it, this method does nothing. */
export const waitsForScript = { method: "dialog", noValidate: true } as const;
