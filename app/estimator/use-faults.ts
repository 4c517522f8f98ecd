import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { QuoteFormValues, Selection } from "./selection.ts";

type Faults = Record<string, string>;

/**
 * The form's faults by the contract's schema, which is loaded when the first field is typed in. A field's fault shows
 * once the field has lost focus, and goes as soon as it is corrected; a fault that the server found goes with the
 * field's next change. Fields in `fixed` come from the profile and can't be changed here, so their faults do not hold
 * up sending.
 */
export function useFaults(filled: QuoteFormValues, selection: Selection, fixed: readonly string[]) {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [refused, setRefused] = useState<{ faults: Faults; of: QuoteFormValues } | null>(null);
  const isTouched = Object.entries(filled).some(([name, value]) => value && !fixed.includes(name));
  const check = useQuery({
    queryKey: ["checks of the quote form"],
    queryFn: async () => ({ quoteErrors: (await import("./checks.ts")).quoteErrors }),
    enabled: isTouched,
    staleTime: Infinity,
  });
  const found = without(check.data?.quoteErrors({ ...filled, selectedDevices: [...selection] }) ?? {}, fixed);
  const isFilled = selection.length > 0 && Object.values(filled).every((value) => value.trim() !== "");
  const shown = Object.fromEntries(Object.entries(found).filter(([name]) => left.has(name)));
  for (const [name, fault] of Object.entries(refused?.faults ?? {}))
    if (refused?.of[name as keyof QuoteFormValues] === filled[name as keyof QuoteFormValues]) shown[name] ??= fault;
  return {
    shown,
    // If the schema can't be loaded, the server decides.
    isRight: isFilled && (check.isError || (check.isSuccess && Object.keys(found).length === 0)),
    leave: (name: string) => setLeft((before) => new Set(before).add(name)),
    /** A field is not judged while it is being typed in; a fault already shown stays until it is corrected. */
    type: (name: string) => {
      if (!(name in shown)) setLeft((before) => new Set([...before].filter((other) => other !== name)));
    },
    /** Records the server's faults for the current values. */
    refuse: (faults: Faults) => setRefused({ faults, of: filled }),
  };
}

const without = (faults: Faults, fixed: readonly string[]) =>
  Object.fromEntries(Object.entries(faults).filter(([name]) => !fixed.includes(name)));
