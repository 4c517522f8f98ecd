import { useForm, type UseFormInput } from "@mantine/form";
import { useRef, useState } from "react";
import { keepTyped, keptTyped } from "./kept-typed.ts";
import { useSentId } from "./use-sent-id.ts";

interface Kept<Typed> {
  typed: Typed;
  /** What it was typed over, and which version of the record that was. */
  base: Typed;
  version: number;
  /** What was sent last, and under which id: it may have arrived. */
  tried: readonly [typed: Typed, id: string] | null;
}

/**
 * The form of a dialog in which what is typed is kept under a name: it is there again where the dialog was closed by
 * Escape, the page loaded anew, or the session ended meanwhile. `leave`, once it is sent or cancelled, forgets it. It is
 * sent over the version that it was typed over; where a newer one was saved since, `overtaken` lets whoever typed decide.
 */
export function useKeptForm<Typed extends object>(
  keptAs: string,
  first: Typed,
  onClose: () => void,
  validate: NonNullable<UseFormInput<Typed>["validate"]> = {},
  savedVersion = 0,
) {
  const [name] = useState(keptAs);
  const [kept] = useState(() => keptTyped(name) as Kept<Typed> | null);
  // As it was when this form was opened, whatever is fetched meanwhile.
  const [now] = useState({ typed: first, version: savedVersion });
  const saved = now.typed;
  const [base, setBase] = useState({ typed: kept?.base ?? saved, version: kept?.version ?? savedVersion });
  const tried = useRef(kept?.tried ?? null);
  const sent = useSentId(kept?.tried);
  const isSame = (one: unknown, another: unknown) => JSON.stringify(one) === JSON.stringify(another);
  const keepOver = ({ typed: over, version }: typeof base, typed: Typed) =>
    keepTyped(name, isSame(typed, over) ? null : { typed, base: over, version, tried: tried.current });
  const keep = (typed: Typed) => keepOver(base, typed);
  const form = useForm<Typed>({ initialValues: { ...saved, ...kept?.typed }, onValuesChange: keep, validate });
  const goOn = (typed: Typed) => {
    setBase(now);
    form.setValues(typed);
    keepOver(now, typed);
  };
  const names = Object.keys(saved) as (keyof Typed)[];
  return {
    form,
    version: base.version,
    isDirty: !isSame(form.values, base.typed),
    overtaken: base.version !== now.version && {
      merges: true,
      children: "Somebody else has saved this since you typed. What you typed is still here.",
      /** What was not touched here becomes theirs. */
      onKeep: () =>
        goOn(
          Object.fromEntries(
            names.map((each) => [each, (isSame(form.values[each], base.typed[each]) ? saved : form.values)[each]]),
          ) as Typed,
        ),
      onTake: () => goOn(saved),
    },
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
