import { RateCardContent } from "../../../contract/rates.ts";
import { fieldErrors } from "../../forms/form-errors.ts";
import { contentOf, shownGroups, type TypedCard } from "./typed-card.ts";

const checkContent = fieldErrors(RateCardContent);

/**
 * The problems of a typed card, by the field's path; a missing number says so. Loaded when something is typed or saved:
 * the screen itself needs no schemas.
 */
export function problemsOf(card: TypedCard): Record<string, string> {
  const problems = checkContent(contentOf(card));
  const empty = "Please enter a number";
  for (const [groupIndex, { types }] of shownGroups(card).entries())
    for (const [index, { yearly }] of types.entries())
      if (yearly === "") problems[`groups.${groupIndex}.types.${index}.yearly`] = empty;
  if (card.custom.yearly === "") problems["custom.yearly"] = empty;
  for (const name of ["gstPercent", "quoteValidDays"] as const) if (card[name] === "") problems[name] = empty;
  for (const [index, tier] of card.tiers.entries())
    for (const name of ["fromDevices", "discountPercent"] as const)
      if (tier[name] === "") problems[`tiers.${index}.${name}`] = empty;
  return problems;
}
