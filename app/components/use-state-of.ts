import { useState } from "react";

/** State that belongs to a record: with another one, or with none, it begins anew, however somebody came there. */
export function useStateOf<Value>(record: string | null, initial: Value): [Value, (next: Value) => void] {
  const [kept, setKept] = useState({ record, value: initial });
  const isOfThis = kept.record === record;
  if (!isOfThis) setKept({ record, value: initial });
  return [isOfThis ? kept.value : initial, (value) => setKept({ record, value })];
}
