import { useForm, type UseFormInput } from "@mantine/form";
import { useEffect, useRef, useState } from "react";
import { keepTyped, keptTyped } from "./kept-typed.ts";
import { useSentId } from "./use-sent-id.ts";
import { isSame, withTyped } from "./with-typed.ts";

/** Whether what asks is still on the screen. */
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
  /** What it was typed over, and which version of the record that was. */
  base: Typed;
  version: number;
  /** What was sent last, and under which id: it may have arrived. */
  tried: readonly [typed: Typed, id: string] | null;
}

const partOf = <Typed extends object>(typed: Typed, names: readonly (keyof Typed)[]) =>
  Object.fromEntries(names.map((name) => [name, typed[name]]));

/**
 * The form of a dialog in which what is typed is kept under a name: it is there again where the dialog was closed by
 * Escape, the page loaded anew, or the session ended meanwhile. `leave`, once it is sent or cancelled, forgets it. It is
 * sent over the version that it was typed over; where a newer one was saved since, `overtaken` lets whoever typed decide. What
 * was not touched of a record without versions is as it is saved now. `unkept` names what is not kept: passwords and codes, which
 * nobody else may read, and files.
 */
export function useKeptForm<Typed extends object>(
  keptAs: string,
  first: Typed,
  onClose: () => void,
  validate: NonNullable<UseFormInput<Typed>["validate"]> = {},
  /** 0 of what is not saved yet; "none" of a record that has no versions, and no id that is made for each form. */
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
  // As it was when this form was opened, whatever is fetched meanwhile, unless whoever opened it looked anew.
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
  // What was sent may have arrived, though its answer did not.
  const isSaved = isSame(form.values, saved);
  return {
    form,
    version: isSaved ? now.version : base.version,
    isDirty: !isSaved && !isSame(form.values, base.typed),
    overtaken: base.version !== now.version &&
      !isSaved && {
        merges: true,
        children: "Somebody else has saved this since you typed. What you typed is still here.",
        /** What was not touched here becomes theirs. */
        onKeep: () => goOn(withTyped(base.typed, form.values, saved)),
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
      // The answer to what was sent from a dialog that is closed by now closes no other one.
      if (isHere()) onClose();
    },
  };
}
