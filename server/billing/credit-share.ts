import { isDeepStrictEqual } from "node:util";
import type { CreditNoteContent, Tax, TaxSplit, Treatment } from "../database/schema/index.ts";

export type Sums = Pick<CreditNoteContent, "taxablePaise" | "taxes" | "roundOffPaise" | "totalPaise">;

/** An advance as it was taxed, and the parts of it that were given back. */
export interface TaxedAdvance {
  treatment: Treatment | undefined;
  sums: Sums;
  back: readonly Sums[];
}

/**
 * Taxable value, taxes and round-off in a part of an invoice's total. Each is its share of everything credited so far
 * including this part, rounded half up, less what was credited before: whatever the parts, the last one leaves nothing
 * over. Where rounding would make the taxes exceed the part, it has no tax and the next part makes up for it: no
 * document has a negative value.
 */
export function shareOf(whole: Sums, before: readonly Sums[], amountPaise: number): Sums {
  const creditedPaise = totalOf(before) + amountPaise;
  const share = (paise: number, takenPaise: number) => portion(paise, creditedPaise, whole.totalPaise) - takenPaise;
  const due = whole.taxes.map((tax) => ({
    ...tax,
    amountPaise: share(
      tax.amountPaise,
      before.reduce((sum, each) => sum + (each.taxes.find(({ name }) => name === tax.name)?.amountPaise ?? 0), 0),
    ),
  }));
  const roundOffPaise = share(
    whole.roundOffPaise,
    before.reduce((sum, each) => sum + each.roundOffPaise, 0),
  );
  const duePaise = due.reduce((sum, tax) => sum + tax.amountPaise, 0);
  const fits = duePaise + roundOffPaise <= amountPaise;
  const taxes = fits ? due : due.map((tax) => ({ ...tax, amountPaise: 0 }));
  const taxPaise = fits ? duePaise : 0;
  return { taxes, roundOffPaise, taxablePaise: amountPaise - taxPaise - roundOffPaise, totalPaise: amountPaise };
}

/** What is left of a sum after these parts. */
export const restOf = (whole: Sums, taken: readonly Sums[]): Sums =>
  shareOf(whole, taken, whole.totalPaise - totalOf(taken));

/**
 * What counts of an order's advances: each without what was given back. An advance taxed differently from the order as
 * it is now can't reduce its taxes and is left out: it was given back before the order could change. So these and later
 * payments add up to the order, to the paisa.
 */
export const standingOf = (
  order: Pick<TaxSplit, "taxes"> & Pick<TaxedAdvance, "treatment">,
  advances: readonly TaxedAdvance[],
): Sums[] =>
  advances
    .filter(({ treatment, sums }) => treatment === order.treatment && isTaxedAlike(sums, order))
    .map(({ sums, back }) => restOf(sums, back));

const isTaxedAlike = (one: Pick<Sums, "taxes">, other: Pick<Sums, "taxes">): boolean =>
  isDeepStrictEqual(one.taxes.map(rateOf), other.taxes.map(rateOf));

const rateOf = ({ name, basisPoints }: Tax) => ({ name, basisPoints });

const totalOf = (parts: readonly Sums[]): number => parts.reduce((sum, { totalPaise }) => sum + totalPaise, 0);

/**
 * The total, tax included, for a part of an invoice's taxable value: the sum that `shareOf` splits into exactly this
 * taxable value. As taxes are rounded one by one, it may differ from the proportion by a paisa or two.
 */
export function grossOf(whole: Sums, before: readonly Sums[], partPaise: number): number {
  const taken = before.reduce((sum, each) => sum + each.taxablePaise, 0) + partPaise;
  const given = totalOf(before);
  const about = portion(whole.totalPaise, taken, whole.taxablePaise) - given;
  const near = [0, 1, -1, 2, -2].map((paise) => about + paise);
  return near.find((paise) => shareOf(whole, before, paise).taxablePaise === partPaise) ?? about;
}

/** paise × part ÷ whole, rounded half away from zero. BigInt, because the product exceeds 2^53. */
function portion(paise: number, part: number, whole: number): number {
  const sign = paise < 0 ? -1 : 1;
  const [amount, over, under] = [BigInt(Math.abs(paise)), BigInt(part), BigInt(whole)];
  return sign * Number((amount * over * 2n + under) / (under * 2n));
}
