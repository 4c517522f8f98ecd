import { customService, deviceCatalogue } from "../../../contract/devices.ts";
import { limits } from "../../../contract/limits.ts";
import type { SelectedDevice } from "../../../contract/quotes.ts";

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

export function hasDevice(selection: Selection, device: Pick<SelectedDevice, "service" | "deviceType">): boolean {
  return selection.some((entry) => isSame(entry, device));
}

/** Custom devices are told apart without regard to case, as the server does. */
function isSame(one: Pick<SelectedDevice, "service" | "deviceType">, other: typeof one): boolean {
  if (one.service !== other.service) return false;
  const fold = (text: string) => (one.service === customService ? text.toLowerCase() : text);
  return fold(one.deviceType) === fold(other.deviceType);
}

export function numberOf(selection: Selection, service: string, deviceType: string): number {
  return selection.find((entry) => entry.service === service && entry.deviceType === deviceType)?.number ?? 0;
}

/** All devices together, or those of one service. */
export function countDevices(selection: Selection, service?: string): number {
  const counted = service === undefined ? selection : selection.filter((entry) => entry.service === service);
  return counted.reduce((sum, { number }) => sum + number, 0);
}

export interface ServiceGroup {
  service: string;
  devices: SelectedDevice[];
}

/** The selection by service, in the estimator's order and not in that of entry, so that nothing jumps when a number changes. */
export function groupByService(selection: Selection): ServiceGroup[] {
  const groups = deviceCatalogue.map(({ service, deviceTypes }) => ({
    service,
    devices: deviceTypes.flatMap((type) =>
      selection.filter((entry) => entry.service === service && entry.deviceType === type),
    ),
  }));
  const custom = { service: customService, devices: selection.filter((entry) => entry.service === customService) };
  return [...groups, custom].filter(({ devices }) => devices.length > 0);
}
