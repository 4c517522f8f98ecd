/** The totals of a priced selection; all amounts are integer paise for one year. */
export interface Totals {
  subtotalPaise: number;
  discountBasisPoints: number;
  discountPaise: number;
  gstBasisPoints: number;
  gstPaise: number;
  totalPaise: number;
}

/** Lines − volume discount + GST, each step rounded half up to the paisa. */
export function totalsOf(
  lines: readonly { amountPaise: number }[],
  { discountBasisPoints, gstBasisPoints }: Pick<Totals, "discountBasisPoints" | "gstBasisPoints">,
): Totals {
  const subtotalPaise = lines.reduce((total, { amountPaise }) => total + amountPaise, 0);
  const discountPaise = partOf(subtotalPaise, discountBasisPoints);
  const gstPaise = partOf(subtotalPaise - discountPaise, gstBasisPoints);
  const totalPaise = subtotalPaise - discountPaise + gstPaise;
  return { subtotalPaise, discountBasisPoints, discountPaise, gstBasisPoints, gstPaise, totalPaise };
}

/** The tax deducted from a value without GST: in whole rupees, as it is paid to the government. */
export const deductedPaise = (taxablePaise: number, basisPoints: number): number =>
  Math.round(partOf(taxablePaise, basisPoints) / 100) * 100;

/** Below this, dividing two integers can't round up to the next integer. */
const exactBelow = 2 ** 50;

/**
 * A share of an amount in basis points, or an equal part of that share (`parts` 2 for half), rounded half up. BigInt
 * where doubles do not divide exactly.
 */
export function partOf(paise: number, basisPoints: number, parts = 1): number {
  const doubled = paise * basisPoints * 2 + 10_000 * parts;
  if (doubled >= 0 && doubled < exactBelow) return Math.floor(doubled / (20_000 * parts));
  const whole = 10_000n * BigInt(parts);
  return Number((BigInt(paise) * BigInt(basisPoints) * 2n + whole) / (2n * whole));
}
