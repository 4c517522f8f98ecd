import { useEffect, useMemo } from "react";
import { useSearchParams } from "react-router";
import type { SelectedDevice } from "../../contract/quotes.ts";
import { clampNumber, emptyForm, isDevice, placeOfDraft, restoreDraft, saveDraft, setDevice } from "./selection.ts";

/**
 * Puts the devices that an address asks for into the draft, and takes them out of the address: loaded again, it would undo
 * what was changed since. Answers whether the estimator may take up the draft.
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

/** Each `add` is a number, the service and the type, with | between. */
function addedBy(address: URLSearchParams): SelectedDevice[] {
  return address.getAll("add").flatMap((added) => {
    const [number = "", service = "", deviceType = ""] = added.split("|");
    const device = { service, deviceType, number: clampNumber(number) };
    return isDevice(device) ? [device] : [];
  });
}
