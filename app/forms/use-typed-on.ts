import type { UseFormReturnType } from "@mantine/form";
import { useEffect, useState } from "react";

/**
 * The version that a form changes. It follows what is fetched until something is typed; from then on both stay, and
 * whoever typed decides about what somebody else saved meanwhile.
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
  const onKeep = () => {
    forget();
    setVersion(savedVersion);
  };
  const onTake = () => {
    form.setInitialValues(saved);
    form.reset();
    onKeep();
  };
  const overtaken = isBehind && form.isDirty() && { onKeep, onTake };
  useEffect(() => {
    if (isBehind && !overtaken) onTake();
  });
  return [version, overtaken] as const;
}
