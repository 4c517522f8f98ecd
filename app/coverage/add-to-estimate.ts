import { limits } from "../../contract/limits.ts";

interface Added {
  service: string;
  deviceType: string;
  devices: number;
}

/** The address of an estimator that starts with these devices. */
export function addToEstimate(estimator: string, devices: readonly Added[]): string {
  const address = new URLSearchParams();
  for (const { service, deviceType, devices: number } of devices)
    address.append("add", [Math.min(number, limits.deviceCountMax), service, deviceType].join("|"));
  return `${estimator}?${address.toString()}`;
}
