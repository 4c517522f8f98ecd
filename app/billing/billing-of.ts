import { queryOptions } from "@tanstack/react-query";
import type { Billing } from "../../contract/billing.ts";
import type { Sent } from "../../contract/operations.ts";
import { call } from "../api.ts";

/** Whose billing details, and who reads them: the organisation itself, or a customer's partner or administrator. */
export type BillingOf = { reader: "user" } | { reader: "partner" | "admin"; email: string };

/** The name under which unsaved input is kept. */
export const billingKeptAs = (of: BillingOf) => `billing ${of.reader === "user" ? "" : of.email}`;

export const billingQuery = (of: BillingOf) =>
  queryOptions({
    queryKey: of.reader === "user" ? ["user/billing"] : [`${of.reader}/billing`, { email: of.email }],
    queryFn: ({ signal }) => fetchBilling(of, signal),
  });

function fetchBilling(of: BillingOf, signal: AbortSignal): Promise<Billing> {
  if (of.reader === "user") return call("user/billing", {}, signal);
  return call(`${of.reader}/billing`, { email: of.email }, signal);
}

/** @throws ApiError */
export function callSave(of: BillingOf, details: Sent<"user/billing/save">): Promise<Billing> {
  if (of.reader === "user") return call("user/billing/save", details);
  return call(`${of.reader}/billing/save`, { ...details, email: of.email });
}
