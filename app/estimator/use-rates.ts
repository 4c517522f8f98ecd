import { useQuery } from "@tanstack/react-query";
import { keyOf } from "../../contract/devices.ts";
import { limits } from "../../contract/limits.ts";
import type { Price } from "../../contract/quotes.ts";
import type { Catalogue } from "../../contract/rates.ts";
import { call } from "../api.ts";
import { showRupees } from "../components/display.ts";

export interface Rates {
  /** Prices such as "₹14,400 a year per device", by `keyOf`. */
  shown: ReadonlyMap<string, string>;
  sample: boolean;
}

/** Prices of the device types in force, before discount and GST; undefined until the server has answered. */
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

/** One estimate takes fewer types than a catalogue may hold, hence the parts. */
const inParts = <Entry>(entries: readonly Entry[], size: number): Entry[][] =>
  Array.from({ length: Math.ceil(entries.length / size) }, (_, part) => entries.slice(part * size, (part + 1) * size));

const ratesOf = (prices: Price[]): Rates => ({
  shown: new Map(
    prices
      .flatMap(({ lines }) => lines)
      .map((line) => [keyOf(line), `${showRupees(line.rate).replace(/\.00$/, "")} a year per ${line.unit}`]),
  ),
  sample: prices.some(({ sampleRates }) => sampleRates),
});
