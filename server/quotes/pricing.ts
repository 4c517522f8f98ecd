import { limits } from "../../contract/limits.ts";
import { customService } from "../../contract/devices.ts";
import type { SelectedDevice } from "../../contract/quotes.ts";
import type { QuoteLine, Rate, VolumeTier } from "../database/schema/index.ts";

export interface RateCard {
  id: string;
  rates: Rate[];
  tiers: VolumeTier[];
  isSample: boolean;
}

/** A priced selection; all amounts are integer paise for one year. */
export interface PricedSelection {
  lines: QuoteLine[];
  subtotalPaise: number;
  discountBasisPoints: number;
  discountPaise: number;
  gstPaise: number;
  totalPaise: number;
}

/**
 * Prices a selection: lines − volume discount + GST, each step rounded half up to the paisa.
 * A device typed in by hand takes the card's default rate and is subject to confirmation.
 * @throws Error when the card has no rate for a device of the catalogue
 */
export function priceDevices(
  card: Pick<RateCard, "rates" | "tiers">,
  devices: readonly SelectedDevice[],
): PricedSelection {
  const lines = devices.map((device) => priceLine(card.rates, device));
  const subtotalPaise = sum(lines.map((line) => line.amountPaise));
  const discountBasisPoints = discountFor(card.tiers, sum(devices.map((device) => device.number)));
  const discountPaise = partOf(subtotalPaise, discountBasisPoints);
  const gstPaise = partOf(subtotalPaise - discountPaise, limits.gstBasisPoints);
  const totalPaise = subtotalPaise - discountPaise + gstPaise;
  return { lines, subtotalPaise, discountBasisPoints, discountPaise, gstPaise, totalPaise };
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

/** Basis points of an amount, rounded half up. BigInt, because the product may pass 2^53. */
export function partOf(paise: number, basisPoints: number): number {
  return Number((BigInt(paise) * BigInt(basisPoints) * 2n + 10_000n) / 20_000n);
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
