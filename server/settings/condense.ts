/** Sequences that people type or remember: alphabet, digits and keyboard rows and columns, each in both directions. */
const tracks = [
  "abcdefghijklmnopqrstuvwxyz",
  "01234567890",
  "!@#$%^&*()_+",
  "qwertyuiop[]\\",
  "asdfghjkl;'",
  "zxcvbnm,./",
  "1qaz",
  "2wsx",
  "3edc",
  "4rfv",
  "5tgb",
  "6yhn",
  "7ujm",
  "8ik,",
  "9ol.",
  "0p;/",
].flatMap((track) => [track, track.split("").toReversed().join("")]);

// Shorter runs occur in ordinary words.
const walkedMin = 4;
const repeatedMin = 3;
const knownMin = 3;

/**
 * What is left to guess of a text: known words are removed, and of repeats and runs along the keyboard or the alphabet
 * only the beginning stays. Takes time quadratic in the length.
 */
export function condense(text: string, known: readonly string[] = []): string {
  let left = withoutKnown(Array.from(text), known);
  for (let before = Number.POSITIVE_INFINITY; left.length < before;) {
    before = left.length;
    left = withoutRepeats(withoutWalks(left));
  }
  return left.join("");
}

function withoutKnown(characters: string[], known: readonly string[]): string[] {
  const spelt = characters.map(asMeant);
  const words = known
    .map((word) => Array.from(word, asMeant))
    .filter(({ length }) => length >= knownMin)
    .toSorted((one, other) => other.length - one.length);
  return skipping(characters, (at) => words.find((word) => startsWith(spelt, at, word))?.length ?? 0);
}

function withoutWalks(characters: string[]): string[] {
  const spelt = characters.map((character) => character.toLowerCase());
  return skipping(characters, (at) => {
    // The first character of a run stays; whatever follows it along one track is skipped.
    const [from, first = ""] = [at - 1, spelt[at - 1]];
    const walked = Math.max(...tracks.map((track) => sharedLength(spelt, from, track, track.indexOf(first))));
    return walked >= walkedMin ? walked - 1 : 0;
  });
}

function withoutRepeats(characters: string[]): string[] {
  const spelt = characters.map((character) => character.toLowerCase());
  return skipping(characters, (at) => {
    const longest = Math.max(0, ...spelt.slice(0, at).map((_, earlier) => sharedLength(spelt, at, spelt, earlier)));
    if (longest >= repeatedMin) return longest;
    return spelt[at] === spelt[at - 1] ? 1 : 0;
  });
}

/** Skips at each place as many characters as `skipped` says. */
function skipping(characters: string[], skipped: (at: number) => number): string[] {
  const kept: string[] = [];
  for (let at = 0; at < characters.length;) {
    const count = skipped(at);
    if (count === 0) kept.push(characters[at] ?? "");
    at += Math.max(1, count);
  }
  return kept;
}

/** How many characters from `at` on equal those of `other` from `from` on; 0 if `from` is negative. */
function sharedLength(characters: string[], at: number, other: string | string[], from: number): number {
  if (from < 0) return 0;
  let length = 0;
  while (from + length < other.length && characters[at + length] === other[from + length]) length++;
  return length;
}

const startsWith = (characters: string[], at: number, word: string[]) =>
  sharedLength(characters, at, word, 0) === word.length;

const lookalikes: Record<string, string> = {
  "0": "o",
  "1": "i",
  "!": "i",
  "|": "i",
  l: "i",
  "3": "e",
  "4": "a",
  "@": "a",
  "5": "s",
  $: "s",
  "7": "t",
};

/** Without case and accents, and with look-alike digits and signs as letters. */
function asMeant(character: string): string {
  const plain = character
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase();
  return lookalikes[plain] ?? plain;
}
