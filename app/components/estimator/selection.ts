import { z } from "zod";
import { customService } from "../../../contract/devices.ts";
import { limits } from "../../../contract/limits.ts";
import { SelectedDevice } from "../../../contract/quotes.ts";

export type Selection = readonly SelectedDevice[];

/** A number of devices as typed or slid: whole, from 0 to 500; what is no number counts as 0. */
export function clampNumber(typed: number | string): number {
  const number = Math.round(Number(typed));
  return Number.isFinite(number) ? Math.min(Math.max(number, 0), limits.deviceCountMax) : 0;
}

/** Sets the number of a device: 0 removes it, anything else takes the place of an earlier entry. */
export function setDevice(selection: Selection, device: SelectedDevice): Selection {
  const place = selection.findIndex((entry) => isSame(entry, device));
  if (device.number === 0) return place < 0 ? selection : selection.toSpliced(place, 1);
  return place < 0 ? [...selection, device] : selection.with(place, device);
}

/** Custom devices are told apart without regard to case, as the server does. */
function isSame(one: SelectedDevice, other: SelectedDevice): boolean {
  if (one.service !== other.service) return false;
  const fold = one.service === customService ? (text: string) => text.toLowerCase() : (text: string) => text;
  return fold(one.deviceType) === fold(other.deviceType);
}

export function numberOf(selection: Selection, service: string, deviceType: string): number {
  return selection.find((entry) => entry.service === service && entry.deviceType === deviceType)?.number ?? 0;
}

export function countDevices(selection: Selection): number {
  return selection.reduce((sum, { number }) => sum + number, 0);
}

export const emptyForm = {
  userName: "",
  userEmail: "",
  organizationName: "",
  phoneNumber: "",
  numberOfUsers: "",
  message: "",
};
export type QuoteFormValues = typeof emptyForm;

/** What someone entered so far; it outlives a reload and a sign-in. */
export interface Draft {
  selection: Selection;
  form: QuoteFormValues;
}

const storageKey = "estimate-draft";
const StoredDraft = z.object({
  version: z.literal(1),
  selection: z.array(z.unknown()),
  form: z.record(z.string(), z.string()),
});

export function saveDraft({ selection, form }: Draft): void {
  try {
    localStorage.setItem(storageKey, JSON.stringify({ version: 1, selection, form }));
  } catch {
    // A full or forbidden storage costs the draft, not the estimate.
  }
}

/** The kept draft, or null; entries that no longer make sense are left out. */
export function restoreDraft(): Draft | null {
  try {
    const { selection, form } = StoredDraft.parse(JSON.parse(localStorage.getItem(storageKey) ?? ""));
    const devices = selection.flatMap((entry) => {
      const device = SelectedDevice.safeParse(entry);
      return device.success ? [device.data] : [];
    });
    const fields = Object.keys(emptyForm).map((name) => [name, form[name] ?? ""]);
    return { selection: devices, form: Object.fromEntries(fields) as QuoteFormValues };
  } catch {
    return null;
  }
}
