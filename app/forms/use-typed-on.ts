import type { UseFormReturnType } from "@mantine/form";
import { useEffect, useState } from "react";

/**
 * The version that a form changes. It follows what is fetched until something is typed; from then on both stay, and
 * whoever typed decides about what somebody else saved meanwhile. A version with the values that were typed on is not
 * somebody else's: it is one's own, or of another part of the record.
 */
export function useTypedOn<Typed extends object>(
  form: UseFormReturnType<Typed>,
  saved: Typed,
  savedVersion: number,
  /** What was said about sending it counts no more. */
  forget: () => void,
) {
  const [version, setVersion] = useState(savedVersion);
  const isBehind = version !== savedVersion;
  const isSame = JSON.stringify(saved) === JSON.stringify(form.getInitialValues());
  const follow = () => setVersion(savedVersion);
  const onKeep = () => {
    forget();
    form.setInitialValues(saved);
    follow();
  };
  const onTake = () => {
    onKeep();
    form.reset();
  };
  const overtaken = isBehind && form.isDirty() && !isSame && { onKeep, onTake };
  useEffect(() => {
    if (!isBehind || overtaken) return;
    if (form.isDirty()) follow();
    else onTake();
  });
  return [version, overtaken] as const;
}
