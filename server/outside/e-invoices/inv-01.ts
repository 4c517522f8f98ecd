/**
 * A document in the form GST INV-01, schema version 1.1: the parts that a seller of services fills in. Amounts are in
 * rupees. The schema's own names: https://einv-apisandbox.nic.in/version1.03/generate-irn.html
 */
export interface Inv01 {
  Version: "1.1";
  TranDtls: { TaxSch: "GST"; SupTyp: SupplyType; RegRev: "N"; IgstOnIntra: "N" };
  /** The day as 22/11/2026. */
  DocDtls: { Typ: DocumentType; No: string; Dt: string };
  SellerDtls: Party & { Pin: number };
  /** A buyer outside India has GSTIN "URP", PIN 999999 and state "96". */
  BuyerDtls: Party & { Pin: number; Pos: string };
  ItemList: Item[];
  ValDtls: {
    AssVal: number;
    CgstVal: number;
    SgstVal: number;
    IgstVal: number;
    CesVal: 0;
    StCesVal: 0;
    Discount: 0;
    OthChrg: 0;
    RndOffAmt: number;
    TotInvVal: number;
  };
  /** The service's first and last day; for a credit note, the invoice that it credits. */
  RefDtls?: {
    DocPerdDtls?: { InvStDt: string; InvEndDt: string };
    PrecDocDtls?: { InvNo: string; InvDt: string }[];
  };
  /** Country as two letters (ISO 3166), for exports only. */
  ExpDtls?: { CntCode: string };
}

export type SupplyType = "B2B" | "SEZWP" | "SEZWOP" | "EXPWP" | "EXPWOP";
export type DocumentType = "INV" | "CRN";

interface Party {
  Gstin: string;
  LglNm: string;
  Addr1: string;
  Addr2?: string;
  Loc: string;
  /** GST state code. */
  Stcd: string;
}

interface Item {
  SlNo: string;
  PrdDesc: string;
  IsServc: "Y";
  HsnCd: string;
  Qty: number;
  UnitPrice: number;
  TotAmt: number;
  Discount: number;
  AssAmt: number;
  /** The rate of all taxes together. */
  GstRt: number;
  IgstAmt: number;
  CgstAmt: number;
  SgstAmt: number;
  TotItemVal: number;
}
