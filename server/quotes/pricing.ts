import { customService } from "../../contract/devices.ts";
import type { SelectedDevice } from "../../contract/quotes.ts";
import { type Totals, totalsOf } from "../../contract/totals.ts";
import type { QuoteLine, Rate, VolumeTier } from "../database/schema/index.ts";

export interface CardInForce {
  id: string;
  rates: Rate[];
  tiers: VolumeTier[];
  isSample: boolean;
}

/** A priced selection; all amounts are integer paise for one year. */
export interface PricedSelection extends Totals {
  lines: QuoteLine[];
}

/**
 * Prices a selection.
 * A device typed in by hand takes the card's default rate and is subject to confirmation.
 * @throws Error when the card has no rate for a device of the catalogue
 */
export function priceDevices(
  card: Pick<CardInForce, "rates" | "tiers">,
  devices: readonly SelectedDevice[],
): PricedSelection {
  const lines = devices.map((device) => priceLine(card.rates, device));
  const count = devices.reduce((total, { number }) => total + number, 0);
  return { lines, ...totalsOf(lines, discountFor(card.tiers, count)) };
}

function priceLine(rates: Rate[], { service, deviceType, number }: SelectedDevice): QuoteLine {
  const custom = service === customService;
  const rate = rates.find((entry) => entry.service === service && entry.deviceType === (custom ? "*" : deviceType));
  if (!rate) throw new Error(`The rate card has no rate for ${service}, ${deviceType}`);
  return {
    service,
    deviceType,
    number,
    unit: rate.unit,
    ratePaise: rate.yearlyPaise,
    amountPaise: rate.yearlyPaise * number,
    subjectToConfirmation: custom,
  };
}

function discountFor(tiers: VolumeTier[], devices: number): number {
  return Math.max(0, ...tiers.filter((tier) => devices >= tier.fromDevices).map((tier) => tier.discountBasisPoints));
}
