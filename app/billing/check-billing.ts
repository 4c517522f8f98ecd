import { BillingDetails } from "../../contract/billing.ts";
import { fieldErrors } from "../forms/form-errors.ts";
import { sentFrom, type TypedBilling } from "./typed-billing.ts";

const checkDetails = fieldErrors(BillingDetails);

/** The schema's errors, and one of our own: an address in India needs its PIN code. */
export function checkBilling(typed: TypedBilling): Record<string, string> {
  const needsPin = typed.kind !== "abroad" && typed.pinCode.trim() === "";
  return { ...(needsPin && { pinCode: "Please enter the PIN code" }), ...checkDetails(sentFrom(typed)) };
}
