/** Ways along which fingers and minds run. */
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

// Shorter ones stand in ordinary words.
const walkedMin = 4;
const repeatedMin = 3;
const knownMin = 3;

/**
 * What is left of a text to guess: words that are known anyway are out, of repeats and of runs along the keyboard or
 * the alphabet the beginning stays. Takes time by the square of the length.
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
    // The first step stays, and whatever follows it along one track goes.
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

/** Leaves out as many characters at each place as `skipped` says. */
function skipping(characters: string[], skipped: (at: number) => number): string[] {
  const kept: string[] = [];
  for (let at = 0; at < characters.length;) {
    const count = skipped(at);
    if (count === 0) kept.push(characters[at] ?? "");
    at += Math.max(1, count);
  }
  return kept;
}

/** How many characters from `at` on are those of `other` from `from` on; none when that is nowhere. */
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

/** Without case, accents and the usual digits for letters. */
function asMeant(character: string): string {
  const plain = character
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase();
  return lookalikes[plain] ?? plain;
}
