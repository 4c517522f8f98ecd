import { deductedPaise } from "../../contract/totals.ts";
import type { Deducts } from "../../contract/transfers.ts";
import type { TaxDeducted, TaxSplit } from "../database/schema/index.ts";
import { Failure } from "../failures/failure.ts";

type Taxable = Pick<TaxSplit, "taxablePaise">;

/** The deducted tax: a percentage of the taxable value without GST, in whole rupees, as paid to the government. */
export function deductedOf({ taxablePaise }: Taxable, { section, percent }: Deducts): TaxDeducted {
  const basisPoints = Math.round(percent * 100);
  return { section, basisPoints, amountPaise: deductedPaise(taxablePaise, basisPoints) };
}

/**
 * The deduction as a buyer declares it.
 * @throws Failure conflict if it rounds to nothing, because no certificate would exist for it
 */
export function saidToDeduct(taxable: Taxable, deducts: Deducts): TaxDeducted {
  const said = deductedOf(taxable, deducts);
  if (said.amountPaise > 0) return said;
  const sentence = `Tax is deducted in whole rupees, and ${deducts.percent}% comes to nothing here. Please check the rate.`;
  throw new Failure("conflict", sentence, { fields: { percent: "Comes to nothing" } });
}
