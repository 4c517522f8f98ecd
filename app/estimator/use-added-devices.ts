import { useEffect, useMemo } from "react";
import { useSearchParams } from "react-router";
import type { SelectedDevice } from "../../contract/quotes.ts";
import { clampNumber, emptyForm, isDevice, placeOfDraft, restoreDraft, saveDraft, setDevice } from "./selection.ts";

/**
 * Adds the devices named in the address to the draft, then removes them from the address: a reload would otherwise undo
 * later changes. Returns whether the estimator may restore the draft.
 */
export function useAddedDevices(customerId: string | null): boolean {
  const [address, setAddress] = useSearchParams();
  const added = useMemo(() => addedBy(address), [address]);
  useEffect(() => {
    if (added.length === 0) return;
    const place = placeOfDraft(customerId);
    const draft = restoreDraft(place) ?? { selection: [], form: emptyForm };
    saveDraft(place, { ...draft, selection: added.reduce(setDevice, draft.selection) });
    setAddress({}, { replace: true });
  }, [added, customerId, setAddress]);
  return added.length === 0;
}

/** Parses the `add` parameters: number, service and type, separated by |. */
function addedBy(address: URLSearchParams): SelectedDevice[] {
  return address.getAll("add").flatMap((added) => {
    const [number = "", service = "", deviceType = ""] = added.split("|");
    const device = { service, deviceType, number: clampNumber(number) };
    return isDevice(device) ? [device] : [];
  });
}
