import { customService } from "../../contract/devices.ts";
import type { SelectedDevice } from "../../contract/quotes.ts";
import { type Totals, totalsOf } from "../../contract/totals.ts";
import type { CardContent, QuoteLine, Rate, VolumeTier } from "../database/schema/index.ts";
import { type Failure, invalidField } from "../failures/failure.ts";

/** A priced selection; all amounts are integer paise for one year. */
export interface PricedSelection extends Totals {
  lines: QuoteLine[];
}

export type Pricing = Pick<CardContent, "rates" | "tiers" | "gstBasisPoints">;

/**
 * Prices a selection by a card; its lines use the card's names. A custom device gets the card's default rate and is
 * subject to confirmation.
 * @throws Failure invalid for a device type that the card lacks or has retired
 */
export function priceDevices(card: Pricing, devices: readonly SelectedDevice[]): PricedSelection {
  return withTotals(
    card,
    devices.map((device, index) => priceDevice(card, device, `selectedDevices.${index}.deviceType`)),
  );
}

/** Prices one device by a card; `field` is its field in the form. @throws Failure invalid as priceDevices */
export function priceDevice({ rates }: Pick<Pricing, "rates">, device: SelectedDevice, field: string): QuoteLine {
  const rate = rateOf(rates, device);
  if (!rate || rate.retired) throw notOffered(field, rate?.name ?? device.deviceType, Boolean(rate));
  return priceLine(rate, device);
}

/** Prices earlier lines by another card, retired types at their last price; leaves out types that it never had. */
export function priceAnew(card: Pricing, before: readonly QuoteLine[]): PricedSelection {
  const lines = before.flatMap((line) => {
    const device = { ...(line.key ?? line), number: line.number };
    const rate = rateOf(card.rates, device);
    return rate ? [priceLine(rate, device)] : [];
  });
  return withTotals(card, lines);
}

const withTotals = ({ tiers, gstBasisPoints }: Pricing, lines: QuoteLine[]) => {
  const count = lines.reduce((total, { number }) => total + number, 0);
  return { lines, ...totalsOf(lines, { discountBasisPoints: discountFor(tiers, count), gstBasisPoints }) };
};

const rateOf = (rates: Rate[], { service, deviceType }: Pick<SelectedDevice, "service" | "deviceType">) =>
  rates.find((rate) => rate.service === service && rate.deviceType === (service === customService ? "*" : deviceType));

function priceLine(rate: Rate, { service, deviceType, number }: SelectedDevice): QuoteLine {
  const custom = service === customService;
  const sameNames = rate.group === service && rate.name === deviceType;
  return {
    ...(!custom && !sameNames && { key: { service, deviceType } }),
    service: custom ? service : rate.group,
    deviceType: custom ? deviceType : rate.name,
    number,
    unit: rate.unit,
    ratePaise: rate.yearlyPaise,
    amountPaise: rate.yearlyPaise * number,
    subjectToConfirmation: custom,
  };
}

function notOffered(field: string, name: string, wasOffered: boolean): Failure {
  const sentence = wasOffered
    ? `“${name}” is no longer offered. Please remove it, or add it under Custom Devices.`
    : `“${name}” is not in the estimator. Please choose another device type, or add it under Custom Devices.`;
  return invalidField(field, sentence);
}

/** The discount for a number of devices, in basis points. */
export function discountFor(tiers: VolumeTier[], devices: number): number {
  return Math.max(0, ...tiers.filter((tier) => devices >= tier.fromDevices).map((tier) => tier.discountBasisPoints));
}
