/**
 * The bank's reference of a payment that came in: that of its own cell as it stands there or, where a bank leaves that
 * empty or writes zeros, words or the number of a cheque into it, the only one in the narration. Null if there is none.
 */
export function referenceIn(cell: string, narration: string): string | null {
  const own = cell.toUpperCase().replace(/\s/g, "");
  if (/^[A-Z0-9/-]{6,40}$/.test(own) && /[1-9]/.test(own) && !isOfCheque(own)) return own;
  const text = narration.toUpperCase();
  // Of all looks: the payer types a part of the narration, and must not choose under which reference its money stands.
  const found = new Set(
    references.flatMap(({ within = "", looks }) => (text.search(within) < 0 ? [] : (text.match(looks) ?? []))),
  );
  return found.size === 1 ? ([...found][0] ?? null) : null;
}

/**
 * Cheques have six digits, filled up with zeros, and each of our customers may have one of the same number. The
 * shortest number that banks give to one transfer only, that of UPI and IMPS, has twelve.
 */
const isOfCheque = (cell: string) => /^0*\d{1,11}$/.test(cell);

/** How references look: RTGS has 22 characters, NEFT 16, UPI and IMPS 12 digits, as account numbers may have. */
const references: readonly { within?: RegExp; looks: RegExp }[] = [
  { looks: /\b[A-Z]{4}R[A-Z0-9]\d{16}\b/g },
  { looks: /\b(?:[A-Z]{4}[A-Z0-9]\d{11}|N\d{15})\b/g },
  { within: /\b(?:UPI|IMPS|MMT)\b/, looks: /\b\d{12}\b/g },
];

const upi = /^0*(\d{12})$/;
/** How long some banks make a number of UPI or IMPS by zeros before it. */
const filledLengths = [13, 14, 15, 16];

/** The number of UPI or IMPS without the zeros that some banks write before its 12 digits; any other reference as it is. */
export const unfilled = (utr: string): string => upi.exec(utr)?.[1] ?? utr;

/** What a reference may stand as: the same payment has zeros on a bank's statement and none on its payer's phone. */
export function spellingsOf(utr: string): string[] {
  const own = unfilled(utr);
  return upi.test(own) ? [...new Set([utr, own, ...filledLengths.map((length) => own.padStart(length, "0"))])] : [utr];
}
