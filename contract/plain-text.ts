/** The text that people may type: no characters that are invisible, reorder the text or have no shape. */

// These scripts need characters that invisibly join or separate their neighbours.
const joined = "Arab Syrc Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr"
  .split(" ")
  .map((script) => `\\p{sc=${script}}`)
  .join("");
// Unicode reserves code points for future pictographs, which have no shape yet.
const pictograph = String.raw`(?!\p{Cn})\p{ExtPict}(?:[\u{FE0E}\u{FE0F}]|\p{EMod})?`;
const tagged = (letters: string) => letters.replace(/./g, (letter) => `\\u{E00${letter.charCodeAt(0).toString(16)}}`);

/** Where characters without a shape of their own are legitimate. */
const wellPlaced = [
  String.raw`[${joined}][\u{200C}\u{200D}](?=[${joined}])`,
  // Persian endings of foreign words.
  String.raw`[\p{L}\p{N}]\u{200C}(?=\p{sc=Arab})`,
  // A Malayalam consonant without a vowel, as older keyboards write it.
  String.raw`\u{D4D}\u{200D}`,
  // The flags of England, Scotland and Wales, before the black flag alone.
  String.raw`\u{1F3F4}(?:${["gbeng", "gbsct", "gbwls"].map(tagged).join("|")})\u{E007F}`,
  String.raw`${pictograph}(?:\u{200D}${pictograph})*`,
  String.raw`[#*\d]\u{FE0F}\u{20E3}`,
  // The form of a Han character that a Japanese surname has.
  String.raw`\p{sc=Han}[\u{E0100}-\u{E01EF}]`,
].join("|");

const reordering = String.raw`[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]`;
// Unicode counts some visible signs of Arabic and Syriac among these, but not the empty Braille pattern.
const invisible = String.raw`(?![\u0600-\u0605\u06DD\u070F\u08E2])[\p{DI}\p{Cf}\u2800]`;
const shapeless = String.raw`[\p{Cs}\p{Co}\p{Cn}]`;
const marksMax = 4;
// Marks that belong to a script may be more: Hebrew, Tibetan and Burmese stack them.
const swamping = String.raw`(?:(?=\p{M})\p{sc=Zinh}){${marksMax + 1},}|\p{M}{${2 * marksMax + 1},}`;

const faults: [pattern: string, say: (where: string) => string][] = [
  [reordering, (where) => `Please delete the invisible character ${where}: it changes the direction of writing`],
  [invisible, (where) => `Please delete the invisible character ${where}`],
  [shapeless, (where) => `Please delete the character ${where}: it has no shape that could be printed`],
  [swamping, (where) => `Please use fewer marks ${where}: at most ${marksMax} on one letter`],
];
const anyWellPlaced = new RegExp(wellPlaced, "gu");
const anyFault = new RegExp(
  `${wellPlaced}|(?<hidden>${reordering}|${invisible}|${swamping})|(?<shapeless>${shapeless})`,
  "gu",
);

/** What has to be changed in a text before others may read it, and where; null when it is fine. */
export function faultOf(text: string): string | null {
  const rest = text.replace(anyWellPlaced, (placed) => "x".repeat(placed.length));
  for (const [pattern, say] of faults) {
    const at = rest.search(new RegExp(pattern, "u"));
    if (at >= 0) return say(placeOf(text, at));
  }
  return null;
}

/** Names a position by what can be seen: after “Kaveri”. */
function placeOf(text: string, at: number): string {
  const before = withoutFaults(text.slice(0, at)).trim().split(/\s/).at(-1);
  return before ? `after “${Array.from(before).slice(-20).join("")}”` : "at the start";
}

/**
 * The text without what `faultOf` objects to, for text stored before that check existed; a character without a shape
 * becomes �.
 */
export function withoutFaults(text: string): string {
  return text.replace(anyFault, (found: string, hidden?: string, shapeless?: string) => {
    if (shapeless !== undefined) return "\uFFFD";
    return hidden === undefined ? found : "";
  });
}

/** One spelling for what looks alike (NFC), single spaces between words and none around them. */
export function normalLine(text: string): string {
  return text
    .normalize("NFC")
    .replace(/\p{Zs}+/gu, " ")
    .trim();
}

/** One spelling (NFC), one kind of line break, and at most one empty line between two others. */
export function normalLines(text: string): string {
  return text
    .normalize("NFC")
    .replace(/\r\n?|[\p{Zl}\p{Zp}]/gu, "\n")
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}
