import { deductedPaise } from "../../contract/totals.ts";
import type { Deducts } from "../../contract/transfers.ts";
import type { TaxDeducted, TaxSplit } from "../database/schema/index.ts";
import { Failure } from "../failures/failure.ts";

type Taxable = Pick<TaxSplit, "taxablePaise">;

/** The tax that is deducted: of the taxable value, without GST, in whole rupees as it is paid to the government. */
export function deductedOf({ taxablePaise }: Taxable, { section, percent }: Deducts): TaxDeducted {
  const basisPoints = Math.round(percent * 100);
  return { section, basisPoints, amountPaise: deductedPaise(taxablePaise, basisPoints) };
}

/** The same as a buyer says it. @throws Failure conflict where it rounds to nothing: there would be no certificate of it */
export function saidToDeduct(taxable: Taxable, deducts: Deducts): TaxDeducted {
  const said = deductedOf(taxable, deducts);
  if (said.amountPaise > 0) return said;
  const sentence = `Tax is deducted in whole rupees, and ${deducts.percent}% comes to nothing here. Please check the rate.`;
  throw new Failure("conflict", sentence, { fields: { percent: "Comes to nothing" } });
}
