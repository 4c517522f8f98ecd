import type { Billing, BuyerKind } from "../../contract/billing.ts";
import { india } from "../../contract/countries.ts";

/** Billing details as form values; a missing one is an empty string. */
export interface TypedBilling extends Record<string, unknown> {
  /** Empty until it is chosen: a buyer who overlooked a default would lose their input tax credit. */
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

/** The details to send: fields hidden for the chosen kind are left out, whatever was typed into them before. */
export function sentFrom({ hasUndertaking, ...typed }: TypedBilling) {
  const isAbroad = typed.kind === "abroad";
  const hasGstin = typed.kind === "registered" || typed.kind === "sez";
  return {
    // If none is chosen, the schema refuses the empty string like any other missing field.
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
