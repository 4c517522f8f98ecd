import { states } from "../../contract/gstin.ts";
import { startOfWrittenDay, writtenDay } from "../../contract/india-time.ts";
import type { Brand } from "../../contract/brand.ts";
import type { SellerEInvoices } from "../../contract/seller.ts";
import type { BillTo, Tax, Treatment } from "../database/schema/index.ts";
import type { DocumentType, Inv01, SupplyType } from "../outside/e-invoices/inv-01.ts";

/** The parts of an invoice or credit note that its registration needs. */
export interface NumberedDocument {
  type: DocumentType;
  number: string;
  issuedAt: Date;
  supplier: Brand;
  billTo: BillTo;
  placeOfSupply: string;
  treatment: Treatment;
  lines: { description: string; sac: string; quantity: number; ratePaise: number; amountPaise: number }[];
  discountPaise: number;
  taxes: Tax[];
  roundOffPaise: number;
  totalPaise: number;
  /** For an invoice; days as 2026-11-22. */
  period?: { from: string; to: string };
  /** For a credit note. */
  credits?: { number: string; day: string };
}

/** What the portal requires and the document lacks, as sentences that say where to fill it in. */
export type Faults = string[];

const supplyTypes: Record<Treatment, SupplyType> = {
  "within the state": "B2B",
  "to another state": "B2B",
  "SEZ with tax": "SEZWP",
  "SEZ under undertaking": "SEZWOP",
  "export with tax": "EXPWP",
  "export under undertaking": "EXPWOP",
};

/** The portal's values for a buyer outside India. */
const abroad = { gstin: "URP", state: "96", pin: 999999 };

/** Converts a document to the portal's form, or returns what it lacks. */
export function inv01Of(document: NumberedDocument, seller: SellerEInvoices): { inv01: Inv01 } | { faults: Faults } {
  const { billTo, supplier, treatment } = document;
  const faults = faultsOf(document);
  if (faults.length > 0) return { faults };
  const isExport = treatment.startsWith("export");
  const items = itemsOf(document);
  const sum = (of: (item: (typeof items)[number]) => number) => items.reduce((total, item) => total + of(item), 0);
  const state = isExport ? abroad.state : (billTo.state ?? billTo.gstin?.slice(0, 2) ?? "");
  const inv01: Inv01 = {
    Version: "1.1",
    TranDtls: { TaxSch: "GST", SupTyp: supplyTypes[treatment], RegRev: "N", IgstOnIntra: "N" },
    DocDtls: { Typ: document.type, No: document.number, Dt: portalDay(writtenDay(document.issuedAt)) },
    SellerDtls: {
      Gstin: supplier.gstin,
      LglNm: fitting(supplier.legalName, 100),
      ...addressOf(supplier.address),
      Loc: fitting(seller.place, 50),
      Pin: Number(seller.pinCode),
      Stcd: supplier.gstin.slice(0, 2),
    },
    BuyerDtls: {
      Gstin: isExport ? abroad.gstin : (billTo.gstin ?? ""),
      LglNm: fitting(billTo.organizationName, 100),
      Pos: document.placeOfSupply,
      ...addressOf(billTo.address ?? ""),
      Loc: placeIn(billTo.address ?? "", state),
      Pin: isExport ? abroad.pin : Number(billTo.pinCode),
      Stcd: state,
    },
    ItemList: items.map((item, index) => ({ SlNo: String(index + 1), ...inRupees(item) })),
    ValDtls: {
      AssVal: rupees(sum(({ taxablePaise }) => taxablePaise)),
      CgstVal: rupees(sum(({ cgstPaise }) => cgstPaise)),
      SgstVal: rupees(sum(({ sgstPaise }) => sgstPaise)),
      IgstVal: rupees(sum(({ igstPaise }) => igstPaise)),
      CesVal: 0,
      StCesVal: 0,
      Discount: 0,
      OthChrg: 0,
      RndOffAmt: rupees(document.roundOffPaise),
      TotInvVal: rupees(document.totalPaise),
    },
    ...referencesOf(document),
    ...(isExport && billTo.country && { ExpDtls: { CntCode: billTo.country } }),
  };
  return { inv01 };
}

const billingPage = "the billing details of the customer";

function faultsOf({ billTo, treatment }: NumberedDocument): Faults {
  const isExport = treatment.startsWith("export");
  return [
    ...(clean(billTo.address ?? "") ? [] : [`The buyer's address is missing: fill it in in ${billingPage}.`]),
    ...(isExport || /^[1-9]\d{5}$/.test(billTo.pinCode ?? "")
      ? []
      : [`The buyer's PIN code is missing: fill it in in ${billingPage}.`]),
    ...(clean(billTo.organizationName).length >= 3 ? [] : ["The buyer's legal name has less than three characters."]),
  ];
}

/** An item's amounts in paise: its shares of the document's discount and taxes add up to the document's. */
interface ItemPaise {
  line: NumberedDocument["lines"][number];
  basisPoints: number;
  discountPaise: number;
  taxablePaise: number;
  igstPaise: number;
  cgstPaise: number;
  sgstPaise: number;
}

function itemsOf({ lines, discountPaise, taxes }: NumberedDocument): ItemPaise[] {
  const discounts = sharesOf(
    discountPaise,
    lines.map(({ amountPaise }) => amountPaise),
  );
  const taxable = lines.map(({ amountPaise }, index) => amountPaise - (discounts[index] ?? 0));
  const sharesOfTax = (...names: Tax["name"][]) => {
    const whole = taxes.filter(({ name }) => names.includes(name));
    return sharesOf(
      whole.reduce((sum, { amountPaise }) => sum + amountPaise, 0),
      taxable,
    );
  };
  const [igst, cgst, sgst] = [sharesOfTax("IGST"), sharesOfTax("CGST"), sharesOfTax("SGST", "UTGST")];
  return lines.map((line, index) => ({
    line,
    basisPoints: taxes.reduce((sum, tax) => sum + tax.basisPoints, 0),
    discountPaise: discounts[index] ?? 0,
    taxablePaise: taxable[index] ?? 0,
    igstPaise: igst[index] ?? 0,
    cgstPaise: cgst[index] ?? 0,
    sgstPaise: sgst[index] ?? 0,
  }));
}

/** Splits a sum in paise by weights, in whole paise that add up to the sum. */
export function sharesOf(paise: number, weights: readonly number[]): number[] {
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  let weighed = 0;
  let given = 0;
  return weights.map((weight) => {
    weighed += weight;
    const upToHere = whole === 0 ? 0 : Math.round(paise * (weighed / whole));
    const own = upToHere - given;
    given = upToHere;
    return own;
  });
}

function inRupees(item: ItemPaise): Omit<Inv01["ItemList"][number], "SlNo"> {
  const { line, basisPoints, discountPaise, taxablePaise, igstPaise, cgstPaise, sgstPaise } = item;
  return {
    ...countedAs(line),
    IsServc: "Y",
    HsnCd: line.sac,
    TotAmt: rupees(line.amountPaise),
    Discount: rupees(discountPaise),
    AssAmt: rupees(taxablePaise),
    GstRt: basisPoints / 100,
    IgstAmt: rupees(igstPaise),
    CgstAmt: rupees(cgstPaise),
    SgstAmt: rupees(sgstPaise),
    TotItemVal: rupees(taxablePaise + igstPaise + cgstPaise + sgstPaise),
  };
}

/**
 * The portal checks quantity × price: a line billed for part of a year is sent as quantity 1, with the count in its
 * description.
 */
const countedAs = ({ description, quantity, ratePaise, amountPaise }: ItemPaise["line"]) =>
  ratePaise * quantity === amountPaise
    ? { PrdDesc: fitting(description, 300), Qty: quantity, UnitPrice: rupees(ratePaise) }
    : { PrdDesc: fitting(`${quantity} × ${description}`, 300), Qty: 1, UnitPrice: rupees(amountPaise) };

function referencesOf({ period, credits }: NumberedDocument): Pick<Inv01, "RefDtls"> {
  if (credits) return { RefDtls: { PrecDocDtls: [{ InvNo: credits.number, InvDt: portalDay(credits.day) }] } };
  return period
    ? { RefDtls: { DocPerdDtls: { InvStDt: portalDay(period.from), InvEndDt: portalDay(period.to) } } }
    : {};
}

const rupees = (paise: number) => paise / 100;

/** 2026-11-22 → 22/11/2026. */
const portalDay = (day: string) => writtenDay(startOfWrittenDay(day)).split("-").toReversed().join("/");

/** The portal rejects double quotes and backslashes. */
const clean = (text: string) => text.replace(/["\\]/g, " ").replace(/\s+/g, " ").trim();

const fitting = (text: string, lengthMax: number) => clean(text).slice(0, lengthMax).trim();

const lineLengthMax = 100;

/** On one line, or on two if it is longer than 100 characters; the rest is cut. */
function addressOf(address: string): { Addr1: string; Addr2?: string } {
  const text = clean(address);
  if (text.length <= lineLengthMax) return { Addr1: text };
  const at = text.lastIndexOf(" ", lineLengthMax);
  const cut = at > 0 ? at : lineLengthMax;
  const rest = text.slice(cut).trim().slice(0, lineLengthMax).trim();
  return { Addr1: text.slice(0, cut).replace(/,$/, ""), ...(rest.length >= 3 && { Addr2: rest }) };
}

/** The last part of the address that looks like a place; else the state. */
function placeIn(address: string, state: string): string {
  const parts = clean(address)
    .split(",")
    .map((part) => part.trim())
    .filter((part) => /\p{L}.*\p{L}.*\p{L}/u.test(part));
  return (parts.at(-1) ?? states[state] ?? "Outside India").slice(0, 100);
}
