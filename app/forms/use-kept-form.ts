import { useForm, type UseFormInput } from "@mantine/form";
import { useRef, useState } from "react";
import { keepTyped, keptTyped } from "./kept-typed.ts";
import { useSentId } from "./use-sent-id.ts";

interface Kept<Typed> {
  typed: Typed;
  /** What was sent last, and under which id: it may have arrived. */
  tried: readonly [typed: Typed, id: string] | null;
}

/**
 * The form of a dialog in which what is typed is kept under a name: it is there again where the dialog was closed by
 * Escape, the page loaded anew, or the session ended meanwhile. `leave`, once it is sent or cancelled, forgets it.
 */
export function useKeptForm<Typed extends object>(
  keptAs: string,
  first: Typed,
  onClose: () => void,
  validate: NonNullable<UseFormInput<Typed>["validate"]> = {},
) {
  const [name] = useState(keptAs);
  const [kept] = useState(() => keptTyped(name) as Kept<Typed> | null);
  const [blank] = useState(first);
  const tried = useRef(kept?.tried ?? null);
  const sent = useSentId(kept?.tried);
  const keep = (typed: Typed) =>
    keepTyped(name, JSON.stringify(typed) === JSON.stringify(blank) ? null : { typed, tried: tried.current });
  const form = useForm<Typed>({ initialValues: { ...blank, ...kept?.typed }, onValuesChange: keep, validate });
  return {
    form,
    /** The same content, sent again after an answer that was lost, has the same. */
    idOf(typed: Typed): string {
      const id = sent.idOf(typed);
      tried.current = [typed, id];
      keep(typed);
      return id;
    },
    leave() {
      sent.forget();
      tried.current = null;
      keepTyped(name, null);
      onClose();
    },
  };
}
