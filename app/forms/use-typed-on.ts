import type { UseFormReturnType } from "@mantine/form";
import { useEffect, useRef, useState } from "react";
import { keepTyped, keptTyped } from "./kept-typed.ts";
import { isSame, withTyped } from "./with-typed.ts";

interface Kept<Typed> {
  typed: Typed;
  /** What it was typed over, and which version of the record that was. */
  base: Typed;
  version: number;
}

/**
 * The version that a form changes, in which what is typed is kept under a name until it is saved or given up. It follows
 * what is fetched until something is typed; from then on both stay, and whoever typed decides about what somebody else saved
 * meanwhile. A version with the values that were typed on is not somebody else's: it is of another part of the record. Nor is
 * the one that `noteSent` names: it is what was sent, as the server writes it, and what was typed since stays to be sent.
 */
export function useTypedOn<Typed extends object>(
  keptAs: string,
  form: UseFormReturnType<Typed>,
  saved: Typed,
  savedVersion: number,
  /** What was said about sending it counts no more. */
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
    // oxlint-disable-next-line react/exhaustive-deps -- not anew where it was just given up
  }, [keptAs, isDirty, typed, version]);
  useEffect(() => {
    if (isBack.current || !kept) return;
    isBack.current = true;
    form.setInitialValues(kept.base);
    form.setValues(kept.typed);
    // oxlint-disable-next-line react/exhaustive-deps -- what was kept comes back once
  }, []);
  const noteSent = (sent: Typed, asVersion: number) => {
    if (asVersion === version) form.resetDirty(sent);
    else setOwn({ sent, version: asVersion });
  };
  return [version, overtaken, noteSent] as const;
}
