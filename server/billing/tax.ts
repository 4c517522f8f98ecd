import type { BuyerKind, Undertaking } from "../../contract/billing.ts";
import { writtenDay } from "../../contract/india-time.ts";
import type { SellerUndertaking } from "../../contract/seller.ts";
import { partOf } from "../../contract/totals.ts";
import type { Tax, TaxSplit, Treatment } from "../database/schema/index.ts";
import { paperDay } from "../outside/documents/paper.ts";
import { outsideIndia, ownTaxIsUnionTerritorys, ruleFor } from "./tax-rules.ts";

/** The seller's facts that decide tax. */
export interface TaxedSeller {
  /** GST state code. */
  stateCode: string;
  undertaking: SellerUndertaking | null;
  roundToRupee: boolean;
}

/** The buyer's facts that decide tax; without any, the buyer counts as unregistered and of no known state. */
export interface TaxedBuyer {
  kind?: BuyerKind | null;
  stateCode?: string | null;
  undertaking?: Undertaking | null;
}

/** A sum without tax, its rate of GST, and the instant whose rules apply. */
export interface Taxed {
  taxablePaise: number;
  gstBasisPoints: number;
  at: Date;
}

/**
 * The tax on a sum: the only place that decides it. Each tax is rounded half up to the paisa on its own, so that CGST
 * and SGST are equal; the total is what was quoted, and a difference of a paisa is the round-off (decision 64).
 */
export function taxOf(seller: TaxedSeller, buyer: TaxedBuyer, { taxablePaise, gstBasisPoints, at }: Taxed): TaxSplit {
  const day = writtenDay(at);
  const placeOfSupply = placeOf(seller, buyer);
  const treatment = treatmentOf(seller, buyer, placeOfSupply, day);
  const rule = ruleFor(treatment, day);
  const parts = rule.taxes.length;
  const taxes = rule.taxes.map((name): Tax => ({
    name: nameIn(placeOfSupply, name),
    basisPoints: gstBasisPoints / parts,
    amountPaise: partOf(taxablePaise, gstBasisPoints, parts),
  }));
  const exactPaise = taxablePaise + taxes.reduce((sum, { amountPaise }) => sum + amountPaise, 0);
  const totalPaise = quotedTotal(seller, taxablePaise, parts > 0 ? gstBasisPoints : 0);
  return {
    treatment,
    placeOfSupply,
    taxablePaise,
    taxes,
    roundOffPaise: totalPaise - exactPaise,
    totalPaise,
    sentences: [...rule.sentences, ...rule.cites.flatMap((whose) => cited(whose, seller, buyer))],
  };
}

/** The total quoted for a sum, with GST rounded once: two equal halves may add up to a paisa more or less. */
export function quotedTotal({ roundToRupee }: TaxedSeller, taxablePaise: number, gstBasisPoints: number): number {
  const paise = taxablePaise + partOf(taxablePaise, gstBasisPoints);
  return roundToRupee ? Math.floor((paise + 50) / 100) * 100 : paise;
}

/** The place of supply: the buyer's state, or the seller's where none is on record (IGST Act section 12(2)). */
function placeOf({ stateCode }: TaxedSeller, buyer: TaxedBuyer): string {
  return buyer.kind === "abroad" ? outsideIndia : (buyer.stateCode ?? stateCode);
}

function treatmentOf(seller: TaxedSeller, buyer: TaxedBuyer, placeOfSupply: string, day: string): Treatment {
  const sellerMay = holds(seller.undertaking?.validFrom, seller.undertaking?.validTo, day);
  if (buyer.kind === "abroad") return sellerMay ? "export under undertaking" : "export with tax";
  if (buyer.kind === "sez") {
    const buyerMay = holds(buyer.undertaking?.date, buyer.undertaking?.validTo, day);
    return sellerMay && buyerMay ? "SEZ under undertaking" : "SEZ with tax";
  }
  return placeOfSupply === seller.stateCode ? "within the state" : "to another state";
}

const holds = (from: string | undefined, to: string | undefined, day: string) =>
  from !== undefined && to !== undefined && from <= day && day <= to;

const nameIn = (stateCode: string, name: Tax["name"]): Tax["name"] =>
  name === "SGST" && ownTaxIsUnionTerritorys.has(stateCode) ? "UTGST" : name;

function cited(whose: "seller" | "buyer", { undertaking: ours }: TaxedSeller, { undertaking: theirs }: TaxedBuyer) {
  if (whose === "seller")
    return ours
      ? [`Letter of undertaking ${ours.number}, valid from ${paperDay(ours.validFrom)} to ${paperDay(ours.validTo)}.`]
      : [];
  return theirs
    ? [
        `Recipient's letter of undertaking ${theirs.number} of ${paperDay(theirs.date)}, valid to ${paperDay(theirs.validTo)}.`,
      ]
    : [];
}
