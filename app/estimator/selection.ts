import type { Profile } from "../../contract/accounts.ts";
import { customService, keyOf } from "../../contract/devices.ts";
import { limits } from "../../contract/limits.ts";
import type { ListedPerson } from "../../contract/people.ts";
import type { SelectedDevice } from "../../contract/quotes.ts";
import type { Catalogue } from "../../contract/rates.ts";

export type Selection = readonly SelectedDevice[];

/** A typed or slid number of devices as an integer from 0 to 500; text that is no number counts as 0. */
export function clampNumber(typed: number | string): number {
  const number = Math.round(Number(typed));
  return Number.isFinite(number) ? Math.min(Math.max(number, 0), limits.deviceCountMax) : 0;
}

/** Sets a device's number: 0 removes it, any other replaces an earlier entry. */
export function setDevice(selection: Selection, device: SelectedDevice): Selection {
  const place = selection.findIndex((entry) => isSame(entry, device));
  if (device.number === 0) return place < 0 ? selection : selection.toSpliced(place, 1);
  return place < 0 ? [...selection, device] : selection.with(place, device);
}

/** Custom devices compare without regard to case, as on the server. */
function isSame(one: SelectedDevice, other: SelectedDevice): boolean {
  if (one.service !== other.service) return false;
  const fold = one.service === customService ? (text: string) => text.toLowerCase() : (text: string) => text;
  return fold(one.deviceType) === fold(other.deviceType);
}

export function numberOf(selection: Selection, service: string, deviceType: string): number {
  return selection.find((entry) => isSame(entry, { service, deviceType, number: 0 }))?.number ?? 0;
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

type KnownValues = Pick<QuoteFormValues, "userName" | "userEmail" | "organizationName" | "phoneNumber">;

/** Form values from a signed-in customer's profile. */
export const fromProfile = (profile: Profile): KnownValues => ({
  userName: `${profile.firstName} ${profile.lastName}`,
  userEmail: profile.email,
  organizationName: profile.organizationName,
  phoneNumber: profile.phoneNo,
});

/** Form values from a partner's list row for its customer. */
export const fromCustomer = (customer: ListedPerson): KnownValues => ({
  userName: `${customer.first_name} ${customer.last_name}`,
  userEmail: customer.email,
  organizationName: customer.organization_name,
  phoneNumber: customer.phone_no,
});

/** What was entered so far; it survives a reload and a sign-in. */
export interface Draft {
  selection: Selection;
  form: QuoteFormValues;
}

const version = 1;

/** Where a draft is kept. The user's own outlives the tab; a partner's for a customer does not, and is kept apart. */
export interface DraftPlace {
  lasts: boolean;
  key: string;
}

export const placeOfDraft = (customerId: string | null): DraftPlace =>
  customerId === null
    ? { lasts: true, key: "estimate-draft" }
    : { lasts: false, key: `estimate-draft of ${customerId}` };

const storageOf = ({ lasts }: DraftPlace) => (lasts ? localStorage : sessionStorage);

export function saveDraft(place: DraftPlace, { selection, form }: Draft): void {
  try {
    storageOf(place).setItem(place.key, JSON.stringify({ version, selection, form }));
  } catch {
    // A full or forbidden storage loses the draft, not the estimate.
  }
}

/** The kept draft, or null; invalid entries are left out. Types no longer offered stay, so that the user is told. */
export function restoreDraft(place: DraftPlace): Draft | null {
  try {
    const kept: unknown = JSON.parse(storageOf(place).getItem(place.key) ?? "");
    if (!isRecord(kept) || kept["version"] !== version || !Array.isArray(kept["selection"]) || !isRecord(kept["form"]))
      return null;
    const { form } = kept;
    const fields = Object.keys(emptyForm).map((name) => [name, typeof form[name] === "string" ? form[name] : ""]);
    return {
      selection: kept["selection"].filter(isDevice),
      form: Object.fromEntries(fields) as QuoteFormValues,
    };
  } catch {
    return null;
  }
}

/** Whether a kept entry is valid. */
export function isDevice(kept: unknown): kept is SelectedDevice {
  if (!isRecord(kept)) return false;
  const { service, deviceType, number } = kept;
  if (typeof number !== "number" || number === 0 || clampNumber(number) !== number) return false;
  return typeof service === "string" && typeof deviceType === "string" && deviceType.trim() !== "";
}

/** A selected device with its current name and group. */
export interface NamedDevice extends SelectedDevice {
  group: string;
  name: string;
}

/**
 * Splits a selection, which names devices by key, into what the catalogue offers, with current names, and what it no
 * longer offers.
 */
export function partSelection(catalogue: Catalogue, selection: Selection): { offered: NamedDevice[]; gone: Selection } {
  const names = new Map(
    catalogue.groups.flatMap(({ name: group, types }) =>
      types.map((type) => [keyOf(type), { group, name: type.name }] as const),
    ),
  );
  const offered = selection.flatMap((device) => {
    if (device.service === customService) return [{ ...device, group: customService, name: device.deviceType }];
    const named = names.get(keyOf(device));
    return named ? [{ ...device, ...named }] : [];
  });
  const kept = new Set(offered.map(keyOf));
  return { offered, gone: selection.filter((device) => !kept.has(keyOf(device))) };
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
