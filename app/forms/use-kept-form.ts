import { useForm, type UseFormInput } from "@mantine/form";
import { useEffect, useRef, useState } from "react";
import { keepTyped, keptTyped } from "./kept-typed.ts";
import { useSentId } from "./use-sent-id.ts";
import { isSame, withTyped } from "./with-typed.ts";

/** Whether the calling component is still mounted. */
function useIsHere(): () => boolean {
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  return () => isHere.current;
}

interface Kept<Typed> {
  typed: Typed;
  /** The values that editing started from, and the record's version then. */
  base: Typed;
  version: number;
  /** The values that were sent last, and their id: they may have arrived. */
  tried: readonly [typed: Typed, id: string] | null;
}

const partOf = <Typed extends object>(typed: Typed, names: readonly (keyof Typed)[]) =>
  Object.fromEntries(names.map((name) => [name, typed[name]]));

/**
 * A dialog's form whose input is kept under a name: it is restored after Escape, a reload, or the end of a session.
 * `leave`, called once it is sent or cancelled, forgets it. It is sent with the version that editing started from; if a
 * newer one was saved since, `overtaken` lets the user decide. For a record without versions, fields that were not
 * edited take the values saved now. `unkept` names fields that are not kept: passwords and codes, which nobody else may
 * read, and files.
 */
export function useKeptForm<Typed extends object>(
  keptAs: string,
  first: Typed,
  onClose: () => void,
  validate: NonNullable<UseFormInput<Typed>["validate"]> = {},
  /** The saved version, 0 before the first save; "none" for a record without versions and without an id per form. */
  seen: number | "none" = 0,
  unkept: readonly (keyof Typed)[] = [],
) {
  const savedVersion = seen === "none" ? 0 : seen;
  const [name] = useState(keptAs);
  const [kept] = useState(() => {
    const before = keptTyped(name) as Kept<Typed> | null;
    if (!before || seen !== "none") return before;
    return { ...before, typed: withTyped(before.base, before.typed, first), base: first };
  });
  // The record as of opening, whatever is fetched meanwhile, unless the caller passes a newer version.
  const [now, setNow] = useState({ typed: first, version: savedVersion });
  if (savedVersion > now.version) setNow({ typed: first, version: savedVersion });
  const saved = now.typed;
  const [base, setBase] = useState({ typed: kept?.base ?? saved, version: kept?.version ?? savedVersion });
  const tried = useRef(kept?.tried ?? null);
  const sent = useSentId(kept?.tried);
  const keepOver = ({ typed: over, version }: typeof base, all: Typed) => {
    const typed = { ...all, ...partOf(over, unkept) };
    keepTyped(name, isSame(typed, over) ? null : { typed, base: over, version, tried: tried.current });
  };
  const keep = (typed: Typed) => keepOver(base, typed);
  const form = useForm<Typed>({ initialValues: { ...saved, ...kept?.typed }, onValuesChange: keep, validate });
  const goOn = (typed: Typed) => {
    setBase(now);
    form.setValues(typed);
    keepOver(now, typed);
  };
  const isHere = useIsHere();
  // An earlier attempt may have arrived even if its answer was lost.
  const isSaved = isSame(form.values, saved);
  return {
    form,
    version: isSaved ? now.version : base.version,
    isDirty: !isSaved && !isSame(form.values, base.typed),
    overtaken: base.version !== now.version &&
      !isSaved && {
        merges: true,
        children: "Somebody else has saved this since you typed. What you typed is still here.",
        /** Fields that were not edited here take their values. */
        onKeep: () => goOn(withTyped(base.typed, form.values, saved)),
        onTake: () => goOn(saved),
      },
    /** The same content has the same id when it is sent again after a lost answer. */
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
      // If the dialog was closed meanwhile, the answer must not close another one.
      if (isHere()) onClose();
    },
  };
}
