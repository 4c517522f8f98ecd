import type { Billing, BuyerKind } from "../../contract/billing.ts";
import { india } from "../../contract/countries.ts";

/** Billing details as a form has them: what is not given stands as empty text. */
export interface TypedBilling extends Record<string, unknown> {
  /** Empty until it is chosen: whoever overlooks it would go without their input tax credit. */
  kind: BuyerKind | "";
  legalName: string;
  gstin: string;
  address: string;
  pinCode: string;
  stateCode: string;
  country: string;
  pan: string;
  purchaseOrder: string;
  hasUndertaking: boolean;
  undertaking: { number: string; date: string; validTo: string };
}

const noUndertaking = { number: "", date: "", validTo: "" };

export function typedFrom(kept: Billing): TypedBilling {
  return {
    kind: kept.kind ?? (kept.gstin ? "registered" : kept.given ? "unregistered" : ""),
    legalName: kept.legalName,
    gstin: kept.gstin ?? "",
    address: kept.address,
    pinCode: kept.pinCode ?? "",
    stateCode: kept.stateCode ?? "",
    country: kept.country === india ? "" : (kept.country ?? ""),
    pan: kept.pan ?? "",
    purchaseOrder: kept.purchaseOrder ?? "",
    hasUndertaking: kept.undertaking !== null,
    undertaking: kept.undertaking ?? noUndertaking,
  };
}

/** What of it is sent: fields that its kind does not show are left out, whatever was typed into them before. */
export function sentFrom({ hasUndertaking, ...typed }: TypedBilling) {
  const isAbroad = typed.kind === "abroad";
  const hasGstin = typed.kind === "registered" || typed.kind === "sez";
  return {
    // One that is not chosen is refused, as anything else that is not filled in.
    kind: typed.kind as BuyerKind,
    legalName: typed.legalName,
    address: typed.address,
    pinCode: typed.pinCode,
    purchaseOrder: typed.purchaseOrder,
    ...(isAbroad ? { country: typed.country } : { stateCode: typed.stateCode }),
    ...(hasGstin && { gstin: typed.gstin }),
    ...(typed.kind === "unregistered" && { pan: typed.pan }),
    ...(typed.kind === "sez" && hasUndertaking && { undertaking: typed.undertaking }),
  };
}
