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
// India's and North America's numbers have ten digits; elsewhere they may have fewer, as the nine of the Emirates.
const tenDigitPlans = [india, { ...india, callingCode: "1", trunkPrefix: "1" }];

/** Of digits that begin with a calling code: how they go on, where all of its numbers have ten. */
export const tenDigitPlan = (digits: string): NumberPlan | undefined =>
  tenDigitPlans.find(({ callingCode }) => digits.startsWith(callingCode));

/** "+44 (0)20" is dialled without that zero from abroad. */
export const digitsOf = (typed: string): string => typed.replace("(0)", "").replace(/\D/g, "");

/** A number as it is dialled after the calling code: a code or trunk prefix that was typed before it is left out. */
export function nationalOf({ callingCode, digitsMin, digitsMax, trunkPrefix }: NumberPlan, digits: string): string {
  const isWhole = ({ length }: string) => digitsMin <= length && length <= digitsMax;
  // No number begins with a trunk prefix of 0; with one of 1 or 8 it may.
  if (isWhole(digits) && !(trunkPrefix.startsWith("0") && digits.startsWith(trunkPrefix))) return digits;
  const prefixes = [trunkPrefix, callingCode, `${callingCode}${trunkPrefix}`, `00${callingCode}`];
  const typed = prefixes.find((prefix) => digits.startsWith(prefix) && isWhole(digits.slice(prefix.length)));
  return digits.slice(typed?.length ?? 0);
}

/** What was typed, in E.164: without "+" it is taken as Indian where it then has ten digits. */
export function internationalOf(typed: string): string {
  const digits = digitsOf(typed);
  const atHome = nationalOf(india, digits);
  if (!typed.startsWith("+") && atHome.length === india.digitsMax) return `+${india.callingCode}${atHome}`;
  const plan = tenDigitPlan(digits);
  return plan ? `+${plan.callingCode}${nationalOf(plan, digits.slice(plan.callingCode.length))}` : `+${digits}`;
}

/** Of a number in E.164: how many digits it has after the calling code where all have ten, otherwise all of them. */
export const countDigits = (number: string): number =>
  number.length - 1 - (tenDigitPlan(number.slice(1))?.callingCode.length ?? 0);

/** Whether a number in E.164 has more digits than its country's have. */
export const isTooLong = (number: string): boolean =>
  countDigits(number) > (tenDigitPlan(number.slice(1))?.digitsMax ?? limits.phoneDigitsMax);
