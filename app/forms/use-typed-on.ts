import type { UseFormReturnType } from "@mantine/form";
import { useEffect, useRef, useState } from "react";
import { keepTyped, keptTyped } from "./kept-typed.ts";
import { isSame, withTyped } from "./with-typed.ts";

interface Kept<Typed> {
  typed: Typed;
  /** The values that editing started from, and the record's version then. */
  base: Typed;
  version: number;
}

/**
 * The version that a form changes, with its input kept under a name until it is saved or discarded. Until something is
 * typed, the form follows what is fetched; from then on both are kept, and the user decides about what somebody else
 * saved meanwhile. A newer version does not count as somebody else's if its values equal those that editing started
 * from, as another part of the record changed. Nor does the one that `noteSent` names: that is what was sent, as the
 * server wrote it, and what was typed since stays to be sent.
 */
export function useTypedOn<Typed extends object>(
  keptAs: string,
  form: UseFormReturnType<Typed>,
  saved: Typed,
  savedVersion: number,
  /** Clears the outcome of the last sending, which no longer applies. */
  forget: () => void,
) {
  const [kept] = useState(() => keptTyped(keptAs) as Kept<Typed> | null);
  const isBack = useRef(kept === null);
  const [version, setVersion] = useState(kept?.version ?? savedVersion);
  const isBehind = version !== savedVersion;
  const [own, setOwn] = useState<{ sent: Typed; version: number } | null>(null);
  const isOwn = own?.version === savedVersion;
  const isUnchanged = isSame(saved, form.getInitialValues());
  const follow = () => setVersion(savedVersion);
  const followOwn = (sent: Typed) => {
    setOwn(null);
    const values = withTyped(sent, form.getValues(), saved);
    form.setInitialValues(saved);
    form.setValues(values);
    follow();
  };
  const onKeep = () => {
    forget();
    form.setInitialValues(saved);
    follow();
  };
  const onTake = () => {
    onKeep();
    form.reset();
  };
  const isDirty = form.isDirty();
  const { values: typed } = form;
  const overtaken = isBehind && isDirty && !isUnchanged && !isOwn && { onKeep, onTake };
  useEffect(() => {
    if (!isBack.current || !isBehind || overtaken) return;
    if (isOwn) followOwn(own.sent);
    else if (isDirty) follow();
    else onTake();
  });
  useEffect(() => {
    if (!isBack.current) return;
    keepTyped(keptAs, isDirty ? { typed, base: form.getInitialValues(), version } : null);
    // oxlint-disable-next-line react/exhaustive-deps -- must not run again when the input was just discarded
  }, [keptAs, isDirty, typed, version]);
  useEffect(() => {
    if (isBack.current || !kept) return;
    isBack.current = true;
    form.setInitialValues(kept.base);
    form.setValues(kept.typed);
    // oxlint-disable-next-line react/exhaustive-deps -- what was kept is restored once
  }, []);
  const noteSent = (sent: Typed, asVersion: number) => {
    if (asVersion === version) form.resetDirty(sent);
    else setOwn({ sent, version: asVersion });
  };
  return [version, overtaken, noteSent] as const;
}
