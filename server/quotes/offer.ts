import { customService, keyOf } from "../../contract/devices.ts";
import { paiseFrom } from "../../contract/money.ts";
import type { OfferedDevice, OfferPrice, Terms } from "../../contract/staff-quotes.ts";
import { type Totals, totalsOf } from "../../contract/totals.ts";
import type { Scope } from "../access/scope.ts";
import { openTaxFor } from "../billing/bill-to.ts";
import type { QuoteLine, quotes } from "../database/schema/index.ts";
import { discountFor, priceDevice } from "../rates/pricing.ts";
import { currentRateCard, type RateCardRow } from "../rates/rate-card.ts";
import type { Services } from "../services.ts";
import { presentLines, presentPrice } from "./quotes.ts";

type Quote = typeof quotes.$inferSelect;

/** A priced offer of an administrator; options are not part of the total. */
export interface Offer extends Totals {
  lines: QuoteLine[];
  options: QuoteLine[];
  ownDiscount: boolean;
  sampleRates: boolean;
  rateCardId: string;
  validDays: number;
}

/** Prices an offer that is being typed, as a new quote or as the next revision of one. */
export async function priceOffer(
  services: Services,
  _scope: Scope<"any">,
  terms: Terms,
  before: Quote | null,
): Promise<OfferPrice> {
  const offer = offerAt(await currentRateCard(services), terms, before);
  const taxFor = await openTaxFor(services, before?.organisationId ?? null);
  return { ...presentPrice(offer, offer.sampleRates, taxFor), options: presentLines(offer.options) };
}

/**
 * Prices an offer by the card in force. Lines that the previous revision has keep their rate, and the quote keeps its
 * GST. The discount is the card's for this number of devices, unless another one is agreed.
 * @throws Failure invalid for a device type that the card lacks or has retired
 */
export function offerAt(card: RateCardRow, { devices, discountPercent }: Terms, before: Quote | null): Offer {
  const kept = new Map(
    [...(before?.lines ?? []), ...(before?.options ?? [])].map((line) => [keyOf(line.key ?? line), line]),
  );
  const priced = devices.map((device, index) => ({
    option: device.option,
    line: lineOf(card, device, kept.get(keyOf(device)), `devices.${index}.deviceType`),
  }));
  const lines = priced.flatMap(({ option, line }) => (option ? [] : [line]));
  const count = lines.reduce((total, { number }) => total + number, 0);
  const discountBasisPoints =
    discountPercent === null ? discountFor(card.tiers, count) : Math.round(discountPercent * 100);
  const gstBasisPoints = before?.gstBasisPoints ?? card.gstBasisPoints;
  return {
    ...totalsOf(lines, { discountBasisPoints, gstBasisPoints }),
    lines,
    options: priced.flatMap(({ option, line }) => (option ? [line] : [])),
    ownDiscount: discountPercent !== null,
    sampleRates: card.isSample || (before?.sampleRates ?? false),
    rateCardId: card.id,
    validDays: card.quoteValidDays,
  };
}

function lineOf(card: RateCardRow, device: OfferedDevice, kept: QuoteLine | undefined, place: string): QuoteLine {
  const { service, deviceType, number, yearly } = device;
  const line = kept ? { ...kept, number } : priceDevice(card, { service, deviceType, number }, place);
  const own = service === customService && yearly !== null;
  const ratePaise = own ? paiseFrom(yearly) : line.ratePaise;
  return {
    ...line,
    ratePaise,
    amountPaise: ratePaise * number,
    subjectToConfirmation: own ? false : line.subjectToConfirmation,
  };
}
