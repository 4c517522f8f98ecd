import { desc } from "drizzle-orm";
import { rupees } from "../../contract/money.ts";
import { quoteNumber } from "../../contract/numbers.ts";
import type { EstimateAtRates, RateCardContent, Total } from "../../contract/rates.ts";
import type { Totals } from "../../contract/totals.ts";
import type { Scope } from "../access/scope.ts";
import { quotes } from "../database/schema/index.ts";
import type { Services } from "../services.ts";
import { changesBetween } from "./card-changes.ts";
import { readContent } from "./card-on-the-wire.ts";
import { priceAnew } from "./pricing.ts";
import { currentRateCard, latestRateCard } from "./rate-card.ts";

/** What a card would change from the latest one, and what three estimates would cost. @throws Failure invalid */
export async function compareCard(services: Services, _scope: Scope<"any">, content: RateCardContent) {
  const [inForce, latest] = await Promise.all([currentRateCard(services), latestRateCard(services.database)]);
  const card = readContent(content, latest);
  const estimates = (await threeEstimates(services)).map(
    ({ number, organizationName, lines, devices }): EstimateAtRates => ({
      number,
      organization_name: organizationName,
      devices,
      before: presentTotal(priceAnew(inForce, lines)),
      after: presentTotal(priceAnew(card, lines)),
    }),
  );
  return { changes: changesBetween(latest, card), estimates };
}

/**
 * Of the latest hundred estimates, the ones with the fewest, the median and the most devices, because each discount
 * tier may matter.
 */
async function threeEstimates({ database }: Services) {
  const latest = await database
    .select({ serial: quotes.serial, organizationName: quotes.organizationName, lines: quotes.lines })
    .from(quotes)
    .orderBy(desc(quotes.id))
    .limit(100);
  const bySize = latest
    .filter(({ lines }) => lines.length > 0)
    .map(({ serial, ...quote }) => ({
      ...quote,
      number: quoteNumber(serial),
      devices: quote.lines.reduce((count, { number }) => count + number, 0),
    }))
    .toSorted((one, other) => one.devices - other.devices);
  const places = new Set([0, Math.floor((bySize.length - 1) / 2), bySize.length - 1]);
  return bySize.filter((_quote, place) => places.has(place));
}

const presentTotal = (totals: Totals): Total => ({
  subtotal: rupees(totals.subtotalPaise),
  discountPercent: totals.discountBasisPoints / 100,
  discount: rupees(totals.discountPaise),
  gstPercent: totals.gstBasisPoints / 100,
  gst: rupees(totals.gstPaise),
  total: rupees(totals.totalPaise),
});
