import type { Profile } from "../../contract/accounts.ts";
import { customService, keyOf } from "../../contract/devices.ts";
import { limits } from "../../contract/limits.ts";
import type { ListedPerson } from "../../contract/people.ts";
import type { SelectedDevice } from "../../contract/quotes.ts";
import type { Catalogue } from "../../contract/rates.ts";

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

/** What a signed-in customer's profile says of the form. */
export const fromProfile = (profile: Profile): KnownValues => ({
  userName: `${profile.firstName} ${profile.lastName}`,
  userEmail: profile.email,
  organizationName: profile.organizationName,
  phoneNumber: profile.phoneNo,
});

/** What a partner's list says of its customer. */
export const fromCustomer = (customer: ListedPerson): KnownValues => ({
  userName: `${customer.first_name} ${customer.last_name}`,
  userEmail: customer.email,
  organizationName: customer.organization_name,
  phoneNumber: customer.phone_no,
});

/** What someone entered so far; it outlives a reload and a sign-in. */
export interface Draft {
  selection: Selection;
  form: QuoteFormValues;
}

const version = 1;

/** One's own draft outlives the tab; what a partner drafts for a customer does not, and is not mixed with others. */
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
    // A full or forbidden storage costs the draft, not the estimate.
  }
}

/** The kept draft, or null; entries that make no sense are left out. What is not offered any more stays, to be told. */
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

/** Whether it makes sense, wherever it was kept. */
export function isDevice(kept: unknown): kept is SelectedDevice {
  if (!isRecord(kept)) return false;
  const { service, deviceType, number } = kept;
  if (typeof number !== "number" || number === 0 || clampNumber(number) !== number) return false;
  return typeof service === "string" && typeof deviceType === "string" && deviceType.trim() !== "";
}

/** A selected device as people call it now, with its place. */
export interface NamedDevice extends SelectedDevice {
  group: string;
  name: string;
}

/**
 * Parts a selection, which names devices by their keys, into what the catalogue offers, under its present names, and what
 * it does not offer any more.
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
