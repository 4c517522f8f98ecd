import { useState } from "react";

/** State that belongs to a record: it starts over with another record or none, however that came about. */
export function useStateOf<Value>(record: string | null, initial: Value): [Value, (next: Value) => void] {
  const [kept, setKept] = useState({ record, value: initial });
  const isOfThis = kept.record === record;
  if (!isOfThis) setKept({ record, value: initial });
  return [isOfThis ? kept.value : initial, (value) => setKept({ record, value })];
}
