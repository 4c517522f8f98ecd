import { useQuery } from "@tanstack/react-query";
import { limits } from "../../contract/limits.ts";
import type { Price } from "../../contract/quotes.ts";
import type { Catalogue } from "../../contract/rates.ts";
import { call } from "../api.ts";
import { showRupees } from "../components/display.ts";

export interface Rates {
  /** "₹14,400 a year per device", by service and device type. */
  shown: ReadonlyMap<string, string>;
  sample: boolean;
}

/** What each device type of the catalogue in force costs, before discount and GST; nothing until the server has said so. */
export function useRates(catalogue: Catalogue, isLive: boolean): Rates | undefined {
  const oneOfEach = catalogue.groups.flatMap(({ types }) =>
    types.map(({ service, deviceType }) => ({ service, deviceType, number: 1 })),
  );
  const { data } = useQuery({
    queryKey: ["estimator/price", "one of each", oneOfEach],
    queryFn: ({ signal }) =>
      Promise.all(
        inParts(oneOfEach, limits.deviceTypesMax).map((selectedDevices) =>
          call("estimator/price", { selectedDevices }, signal),
        ),
      ),
    enabled: isLive && oneOfEach.length > 0,
    select: ratesOf,
  });
  return data;
}

/** One estimate takes fewer types than a catalogue may hold. */
const inParts = <Entry>(entries: readonly Entry[], size: number): Entry[][] =>
  Array.from({ length: Math.ceil(entries.length / size) }, (_, part) => entries.slice(part * size, (part + 1) * size));

export const rateKey = (service: string, deviceType: string) => `${service}|${deviceType}`;

const ratesOf = (prices: Price[]): Rates => ({
  shown: new Map(
    prices
      .flatMap(({ lines }) => lines)
      .map(({ service, deviceType, rate, unit }) => [
        rateKey(service, deviceType),
        `${showRupees(rate).replace(/\.00$/, "")} a year per ${unit}`,
      ]),
  ),
  sample: prices.some(({ sampleRates }) => sampleRates),
});
