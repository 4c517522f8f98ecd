import { limits } from "./limits.ts";

/** How the numbers of a country are written. */
export interface NumberPlan {
  callingCode: string;
  /** How many digits a fixed or mobile number has after the calling code, at least and at most. */
  digitsMin: number;
  digitsMax: number;
  /** Dialled before a number within the country, such as 0; empty where nothing is. */
  trunkPrefix: string;
}

const india: NumberPlan = { callingCode: "91", digitsMin: 10, digitsMax: 10, trunkPrefix: "0" };
// Indian and North American numbers have ten digits; other countries' may have fewer, such as the Emirates' nine.
const tenDigitPlans = [india, { ...india, callingCode: "1", trunkPrefix: "1" }];

/** The plan for digits that begin with the calling code of a country whose numbers all have ten digits. */
export const tenDigitPlan = (digits: string): NumberPlan | undefined =>
  tenDigitPlans.find(({ callingCode }) => digits.startsWith(callingCode));

/** The digits of a typed number. The zero in "+44 (0)20" is not dialled from abroad, so it is dropped. */
export const digitsOf = (typed: string): string => typed.replace("(0)", "").replace(/\D/g, "");

/** The national number as dialled after the calling code: drops a calling code or trunk prefix typed before it. */
export function nationalOf({ callingCode, digitsMin, digitsMax, trunkPrefix }: NumberPlan, digits: string): string {
  const isWhole = ({ length }: string) => digitsMin <= length && length <= digitsMax;
  // No number begins with a trunk prefix of 0; with one of 1 or 8 it may.
  if (isWhole(digits) && !(trunkPrefix.startsWith("0") && digits.startsWith(trunkPrefix))) return digits;
  const prefixes = [trunkPrefix, callingCode, `${callingCode}${trunkPrefix}`, `00${callingCode}`];
  const typed = prefixes.find((prefix) => digits.startsWith(prefix) && isWhole(digits.slice(prefix.length)));
  return digits.slice(typed?.length ?? 0);
}

/** A typed number in E.164. Without "+" it is taken as Indian if that leaves ten digits. */
export function internationalOf(typed: string): string {
  const digits = digitsOf(typed);
  const atHome = nationalOf(india, digits);
  if (!typed.startsWith("+") && atHome.length === india.digitsMax) return `+${india.callingCode}${atHome}`;
  const plan = tenDigitPlan(digits);
  return plan ? `+${plan.callingCode}${nationalOf(plan, digits.slice(plan.callingCode.length))}` : `+${digits}`;
}

/** The digits of an E.164 number after the calling code if its country has ten-digit numbers, otherwise all digits. */
export const countDigits = (number: string): number =>
  number.length - 1 - (tenDigitPlan(number.slice(1))?.callingCode.length ?? 0);

/** Whether an E.164 number has more digits than its country allows. */
export const isTooLong = (number: string): boolean =>
  countDigits(number) > (tenDigitPlan(number.slice(1))?.digitsMax ?? limits.phoneDigitsMax);
