import { useQuery } from "@tanstack/react-query";
import { deviceCatalogue } from "../../contract/devices.ts";
import type { Price } from "../../contract/quotes.ts";
import { call } from "../api.ts";
import { showRupees } from "../components/display.ts";

const oneOfEach = deviceCatalogue.flatMap(({ service, deviceTypes }) =>
  deviceTypes.map((deviceType) => ({ service, deviceType, number: 1 })),
);

export interface Rates {
  /** "₹14,400 a year per device", by service and device type. */
  shown: ReadonlyMap<string, string>;
  sample: boolean;
}

/** What each device type costs, before discount and GST; nothing until the server has said so. */
export function useRates(): Rates | undefined {
  const { data } = useQuery({
    queryKey: ["estimator/price", "one of each"],
    queryFn: ({ signal }) => call("estimator/price", { selectedDevices: oneOfEach }, signal),
    staleTime: Infinity,
    select: ratesOf,
  });
  return data;
}

export const rateKey = (service: string, deviceType: string) => `${service}|${deviceType}`;

const ratesOf = ({ lines, sampleRates }: Price): Rates => ({
  shown: new Map(
    lines.map(({ service, deviceType, rate, unit }) => [
      rateKey(service, deviceType),
      `${showRupees(rate).replace(/\.00$/, "")} a year per ${unit}`,
    ]),
  ),
  sample: sampleRates,
});
