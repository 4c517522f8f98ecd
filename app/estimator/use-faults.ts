import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { QuoteFormValues, Selection } from "./selection.ts";

type Faults = Record<string, string>;

/**
 * What is wrong with the form, by the contract's schema, which arrives when the first field is typed in. A field's fault
 * shows once the field has been left, and goes as soon as it is right; one that the server has found goes with the next
 * change of its field. Those of `fixed` come from the profile: nobody can change them here, so they hold nothing up.
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
    // Where the schema can't be had, the server is the judge.
    isRight: isFilled && (check.isError || (check.isSuccess && Object.keys(found).length === 0)),
    leave: (name: string) => setLeft((before) => new Set(before).add(name)),
    /** What is being typed is not judged before it is left; a fault that is shown stays until it is mended. */
    type: (name: string) => {
      if (!(name in shown)) setLeft((before) => new Set([...before].filter((other) => other !== name)));
    },
    /** What the server says about the fields as they are now. */
    refuse: (faults: Faults) => setRefused({ faults, of: filled }),
  };
}

const without = (faults: Faults, fixed: readonly string[]) =>
  Object.fromEntries(Object.entries(faults).filter(([name]) => !fixed.includes(name)));
