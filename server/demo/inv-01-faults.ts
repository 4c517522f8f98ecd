import { z } from "zod";
import { isValidGstin, states } from "../../contract/gstin.ts";
import { writtenDay } from "../../contract/india-time.ts";

/*
 * The published schema INV-01, version 1.1, and its rules, written down independently, so that what the product builds
 * is checked against the publication and not against itself.
 * https://einv-apisandbox.nic.in/version1.03/generate-irn.html
 */

const text = (min: number, max: number) =>
  z
    .string()
    .min(min)
    .max(max)
    .regex(/^[^"\\]*$/);
const gstin = z.string().regex(/^\d{2}[0-9A-Z]{13}$/);
const stateCode = z.string().regex(/^\d{1,2}$/);
const pin = z.number().int().min(100000).max(999999);
const day = z.string().regex(/^[0-3]\d\/[01]\d\/20[1-9]\d$/);
const amount = z
  .number()
  .min(0)
  .max(999999999999.99)
  .refine((value) => Math.abs(value * 100 - Math.round(value * 100)) < 1e-4, "more than two decimals");
const party = { LglNm: text(3, 100), Addr1: text(1, 100), Addr2: text(3, 100).optional(), Pin: pin, Stcd: stateCode };

const Item = z.strictObject({
  SlNo: z.string().regex(/^\d{1,6}$/),
  PrdDesc: text(3, 300).optional(),
  IsServc: z.enum(["Y", "N"]),
  HsnCd: z.string().regex(/^(?!0+$)(\d{4}|\d{6}|\d{8})$/),
  Qty: z.number().min(0).optional(),
  Unit: text(3, 8).optional(),
  UnitPrice: z.number().min(0),
  TotAmt: amount,
  Discount: amount.optional(),
  AssAmt: amount,
  GstRt: z.number().min(0).max(999.999),
  IgstAmt: amount.default(0),
  CgstAmt: amount.default(0),
  SgstAmt: amount.default(0),
  TotItemVal: amount,
});

const Document = z.strictObject({
  Version: z.literal("1.1"),
  TranDtls: z.strictObject({
    TaxSch: z.literal("GST"),
    SupTyp: z.enum(["B2B", "SEZWP", "SEZWOP", "EXPWP", "EXPWOP", "DEXP"]),
    RegRev: z.enum(["Y", "N"]).optional(),
    IgstOnIntra: z.enum(["Y", "N"]).optional(),
  }),
  DocDtls: z.strictObject({
    Typ: z.enum(["INV", "CRN", "DBN"]),
    No: z.string().regex(/^[a-zA-Z1-9][a-zA-Z0-9/-]{0,15}$/),
    Dt: day,
  }),
  SellerDtls: z.strictObject({ Gstin: gstin, ...party, Loc: text(3, 50) }),
  BuyerDtls: z.strictObject({
    Gstin: z.union([gstin, z.literal("URP")]),
    ...party,
    Loc: text(3, 100),
    Pos: stateCode,
  }),
  ItemList: z.array(Item).min(1).max(1000),
  ValDtls: z.strictObject({
    AssVal: amount,
    CgstVal: amount.default(0),
    SgstVal: amount.default(0),
    IgstVal: amount.default(0),
    CesVal: amount.default(0),
    StCesVal: amount.default(0),
    Discount: amount.default(0),
    OthChrg: amount.default(0),
    RndOffAmt: z.number().min(-99.99).max(99.99).default(0),
    TotInvVal: amount,
  }),
  RefDtls: z
    .strictObject({
      DocPerdDtls: z.strictObject({ InvStDt: day, InvEndDt: day }).optional(),
      PrecDocDtls: z.array(z.strictObject({ InvNo: text(1, 16), InvDt: day })).optional(),
    })
    .optional(),
  ExpDtls: z.strictObject({ CntCode: z.string().length(2).optional() }).optional(),
});
export type SandboxDocument = z.infer<typeof Document>;

export interface Fault {
  code: string;
  text: string;
}

/** The errors with which the portal would answer; empty if it would register the document. */
export function findFaults(given: unknown, now: Date): Fault[] {
  const { data, error } = Document.safeParse(given);
  if (error)
    return error.issues.map(({ path, message }) => ({ code: "2140", text: `${path.join(".") || "JSON"}: ${message}` }));
  return [...faultsOfParties(data), ...faultsOfDay(data, now), ...faultsOfItems(data), ...faultsOfSums(data)];
}

type Check = [isRight: boolean, code: string, text: string];
const failed = (checks: Check[]): Fault[] =>
  checks.filter(([isRight]) => !isRight).map(([, code, said]) => ({ code, text: said }));

const isExport = ({ TranDtls }: SandboxDocument) => TranDtls.SupTyp.startsWith("EXP");

function faultsOfParties(document: SandboxDocument): Fault[] {
  const { SellerDtls: seller, BuyerDtls: buyer } = document;
  const abroad = isExport(document);
  const isAbroad = buyer.Gstin === "URP" && buyer.Stcd === "96" && buyer.Pin === 999999 && buyer.Pos === "96";
  return failed([
    [seller.Gstin.slice(0, 2) === seller.Stcd, "2258", "Supplier GSTIN state code does not match its state"],
    [isValidGstin(seller.Gstin), "3028", `GSTIN ${seller.Gstin} is invalid`],
    [!abroad || isAbroad, "2265", "Of an export, the recipient is URP in state 96 with PIN 999999"],
    [abroad || buyer.Gstin.slice(0, 2) === buyer.Stcd, "2265", "Recipient GSTIN state code does not match its state"],
    [abroad || isValidGstin(buyer.Gstin), "3028", `GSTIN ${buyer.Gstin} is invalid`],
    [abroad || (buyer.Stcd in states && buyer.Pos in states), "2243", "The place of supply is not valid"],
    [abroad || firstOfPin(buyer.Stcd, buyer.Pin), "3039", "The pincode of the buyer does not match its state"],
    [firstOfPin(seller.Stcd, seller.Pin), "3038", "The pincode of the supplier does not match its state"],
  ]);
}

/** The first digits of a PIN code give the region; only these states are checked here. */
const regions: Record<string, RegExp> = { "27": /^4/, "29": /^5[6-9]/, "32": /^6[789]/, "33": /^6[0-6]/, "07": /^11/ };
const firstOfPin = (state: string, code: number) => regions[state]?.test(String(code)) ?? true;

function faultsOfDay({ DocDtls }: SandboxDocument, now: Date): Fault[] {
  const written = DocDtls.Dt.split("/").toReversed().join("-");
  return failed([[written <= writtenDay(now), "2163", "The document date can't be in the future"]]);
}

/** A sum may differ from the calculated one by a rupee or so. */
const isNear = (given: number, calculated: number) =>
  given >= Math.trunc(calculated) - 1 && given <= Math.ceil(calculated) + 1;

function faultsOfItems(document: SandboxDocument): Fault[] {
  const { ItemList, TranDtls, SellerDtls, BuyerDtls, DocDtls } = document;
  const isWithinState = TranDtls.SupTyp === "B2B" && SellerDtls.Stcd === BuyerDtls.Pos;
  const isCharged = !TranDtls.SupTyp.endsWith("WOP");
  return ItemList.flatMap((item, index) => {
    const { AssAmt, GstRt, IgstAmt, CgstAmt, SgstAmt } = item;
    const tax = isCharged && DocDtls.Typ === "INV" ? (AssAmt * GstRt) / 100 : null;
    const own = failed([
      [item.SlNo === String(index + 1), "2175", "The serial numbers of the items are not unique"],
      [(item.IsServc === "Y") === item.HsnCd.startsWith("99"), "2176", "HSN code and service do not fit"],
      [isNear(item.TotAmt, (item.Qty ?? 1) * item.UnitPrice), "2186", "TotAmt is not quantity × price"],
      [isNear(AssAmt, item.TotAmt - (item.Discount ?? 0)), "2187", "AssAmt is not TotAmt less Discount"],
      [!isWithinState || IgstAmt === 0, "2172", "For intra-state transaction, IGST amounts are not applicable"],
      [isWithinState || CgstAmt + SgstAmt === 0, "2174", "For inter-state, CGST and SGST are not applicable"],
      [CgstAmt === SgstAmt, "2227", "SGST and CGST amounts should be equal"],
      [tax === null || isNear(IgstAmt + CgstAmt + SgstAmt, tax), "2189", "The tax is not AssAmt × rate"],
      [isNear(item.TotItemVal, AssAmt + IgstAmt + CgstAmt + SgstAmt), "2194", "TotItemVal is not its sum"],
      [[0, 5, 12, 18, 28, 40].includes(GstRt), "2240", "The GST rate is not valid"],
    ]);
    return own.map((fault) => ({ ...fault, text: `${fault.text} (item ${item.SlNo})` }));
  });
}

function faultsOfSums({ ItemList, ValDtls }: SandboxDocument): Fault[] {
  const sum = (of: (item: SandboxDocument["ItemList"][number]) => number) =>
    ItemList.reduce((total, item) => total + of(item), 0);
  const total = sum(({ TotItemVal }) => TotItemVal) - ValDtls.Discount + ValDtls.OthChrg + ValDtls.RndOffAmt;
  return failed([
    [
      isNear(
        ValDtls.AssVal,
        sum(({ AssAmt }) => AssAmt),
      ),
      "2182",
      "AssVal is not the sum of the items",
    ],
    [
      isNear(
        ValDtls.CgstVal,
        sum(({ CgstAmt }) => CgstAmt),
      ),
      "2183",
      "CgstVal is not the sum of the items",
    ],
    [
      isNear(
        ValDtls.SgstVal,
        sum(({ SgstAmt }) => SgstAmt),
      ),
      "2184",
      "SgstVal is not the sum of the items",
    ],
    [
      isNear(
        ValDtls.IgstVal,
        sum(({ IgstAmt }) => IgstAmt),
      ),
      "2185",
      "IgstVal is not the sum of the items",
    ],
    [isNear(ValDtls.TotInvVal, total), "2188", "TotInvVal is not the sum of the document"],
  ]);
}
