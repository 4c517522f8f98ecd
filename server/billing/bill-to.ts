import { eq, sql } from "drizzle-orm";
import { brand } from "../../contract/brand.ts";
import { rupees } from "../../contract/money.ts";
import type { TaxShown } from "../../contract/billing.ts";
import { type SellerTexts, shippedSeller } from "../../contract/seller.ts";
import { partOf } from "../../contract/totals.ts";
import { organisationOf, type Scope } from "../access/scope.ts";
import type { Database, Transaction } from "../database/database.ts";
import { type BillTo, organisations, type quotes, type TaxSplit, type Treatment } from "../database/schema/index.ts";
import type { Services } from "../services.ts";
import { readSeller } from "../site-texts/site-texts.ts";
import type { Organisation } from "./details.ts";
import { quotedTotal, type Taxed, taxOf, type TaxedBuyer, type TaxedSeller } from "./tax.ts";

type QuoteSums = Pick<typeof quotes.$inferSelect, "subtotalPaise" | "discountPaise" | "gstBasisPoints">;

/** The bill-to details of an order: only what the organisation has given. */
export function billToOf(
  organisation: Organisation,
  fallbackName: string,
  contact: Pick<BillTo, "name" | "email" | "phone" | "purchaseOrder" | "serviceStart">,
): BillTo {
  const { purchaseOrder, serviceStart, ...person } = contact;
  const order = withoutEmpty({ purchaseOrder: purchaseOrder ?? organisation.purchaseOrder, serviceStart });
  if (organisation.billingKind === null) return { organizationName: fallbackName, ...person, ...order };
  return {
    organizationName: organisation.legalName ?? fallbackName,
    ...person,
    ...order,
    ...withoutEmpty({
      kind: organisation.billingKind,
      gstin: organisation.gstin,
      pan: organisation.pan,
      address: organisation.billingAddress,
      pinCode: organisation.pinCode,
      state: organisation.billingState,
      country: organisation.billingKind === "abroad" ? organisation.billingCountry : null,
      undertaking: organisation.undertaking,
    }),
  };
}

type Given<Fields> = { [Name in keyof Fields]?: NonNullable<Fields[Name]> };

const withoutEmpty = <Fields extends object>(fields: Fields): Given<Fields> =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  ) as Given<Fields>;

/** The organisation that buys. @throws Error if it is gone */
export async function findBuyer(transaction: Transaction, scope: Scope<"organisation">): Promise<Organisation> {
  const [found] = await transaction
    .select()
    .from(organisations)
    .where(eq(organisations.id, organisationOf(scope)));
  if (!found) throw new Error("Whoever buys has no organization");
  return found;
}

/** The seller's tax terms as they are now. */
export const findTaxedSeller = async (database: Database | Transaction): Promise<TaxedSeller> =>
  termsOfSeller(await readSeller(database));

/** The seller's terms that decide tax; null stands for the shipped texts. */
export const termsOfSeller = (texts: SellerTerms | null): TaxedSeller => {
  const { undertaking, roundToRupee } = texts ?? shippedSeller;
  return { stateCode: brand.stateCode, undertaking, roundToRupee };
};
type SellerTerms = Pick<SellerTexts, "undertaking" | "roundToRupee">;

/** The same terms as a column of a list, read once per statement; null while no seller texts are saved. */
export const sellerTermsColumn = sql<SellerTerms | null>`(
  select case when content is not null then
    jsonb_build_object('undertaking', content->'undertaking', 'roundToRupee', content->'roundToRupee') end
  from site_texts where section = 'seller' order by version desc limit 1)`;

/** Buyer and seller in one statement. */
async function findBothSides(database: Database | Transaction, organisationId: string) {
  const [found] = await database
    .select({ organisation: organisations, seller: sellerTermsColumn })
    .from(organisations)
    .where(eq(organisations.id, organisationId));
  return found;
}

/** The buyer's facts that decide tax, from a row of `organisations`; empty without a row or billing details. */
export const buyerFrom = (organisation: Organisation | null | undefined): TaxedBuyer =>
  organisation?.billingKind
    ? {
        kind: organisation.billingKind,
        stateCode: organisation.billingState,
        undertaking: organisation.undertaking,
      }
    : {};

/** A quote's sums as `taxOf` takes them. */
export const taxedOf = ({ subtotalPaise, discountPaise, gstBasisPoints }: QuoteSums, at: Date): Taxed => ({
  taxablePaise: subtotalPaise - discountPaise,
  gstBasisPoints,
  at,
});

export type TaxFor = (sums: QuoteSums) => TaxShown;

/**
 * Taxes sums for one buyer, who is read once; null stands for a visitor. `whose` names the billing details in the note
 * to the reader.
 */
export async function openTaxFor(
  { database, now }: Pick<Services, "now"> & { database: Database | Transaction },
  organisationId: string | null,
  whose?: string,
): Promise<TaxFor> {
  const found = organisationId === null ? undefined : await findBothSides(database, organisationId);
  const seller = found ? termsOfSeller(found.seller) : await findTaxedSeller(database);
  const buyer = buyerFrom(found?.organisation);
  return (sums) => shownTax(seller, buyer, sums, now(), whose);
}

/** A sum's taxes as people see them; while the buyer has given no details, the full rate and what decides the split. */
export const shownTax = (seller: TaxedSeller, buyer: TaxedBuyer, sums: QuoteSums, at: Date, whose?: string): TaxShown =>
  buyer.kind ? presentTax(taxOf(seller, buyer, taxedOf(sums, at))) : undecidedTax(sums, seller, whose);

/** A sum's taxes as people see them, with a note on what they depend on. */
export function presentTax(split: TaxSplit): TaxShown {
  return {
    taxes: split.taxes.map(({ name, basisPoints, amountPaise }) => ({
      name,
      percent: basisPoints / 100,
      amount: rupees(amountPaise),
    })),
    notes: [noteOn(split)],
    roundOff: split.roundOffPaise === 0 ? null : rupees(split.roundOffPaise),
    total: rupees(split.totalPaise),
  };
}

const noteOn = ({ treatment }: TaxSplit): string => notes[treatment];

const notes: Record<Treatment, string> = {
  "within the state": "CGST and SGST: you and we are in the same state.",
  "to another state": "IGST: you are in another state than we are.",
  "SEZ with tax":
    "IGST: a unit in a special economic zone is charged none only while your letter of undertaking and ours are both valid.",
  "SEZ under undertaking": "No GST: a supply to a special economic zone under letters of undertaking.",
  "export with tax": "IGST: a supply outside India is charged none only while we hold a valid letter of undertaking.",
  "export under undertaking": "No GST: a supply outside India under our letter of undertaking.",
};

/** The sum at the full rate, while nothing is known of the buyer, and what decides how it splits. */
export function undecidedTax(
  { subtotalPaise, discountPaise, gstBasisPoints }: QuoteSums,
  seller: TaxedSeller = sellerWithoutTerms(),
  whose = "Your",
): TaxShown {
  const taxablePaise = subtotalPaise - discountPaise;
  const totalPaise = quotedTotal(seller, taxablePaise, gstBasisPoints);
  const gstPaise = partOf(taxablePaise, gstBasisPoints);
  const roundOffPaise = totalPaise - taxablePaise - gstPaise;
  return {
    taxes: [{ name: "GST", percent: gstBasisPoints / 100, amount: rupees(gstPaise) }],
    notes: [undecidedNote(whose)],
    roundOff: roundOffPaise === 0 ? null : rupees(roundOffPaise),
    total: rupees(totalPaise),
  };
}

const sellerWithoutTerms = (): TaxedSeller => ({
  stateCode: brand.stateCode,
  undertaking: null,
  roundToRupee: false,
});

/** The note for a buyer who has given no state. */
const undecidedNote = (whose: string) =>
  `${whose} billing details decide how GST splits: CGST and SGST in our state, IGST in another. Units in special economic zones and companies outside India may be charged none.`;
