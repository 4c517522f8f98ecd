import { ZxcvbnFactory } from "@zxcvbn-ts/core";
import { adjacencyGraphs, dictionary } from "@zxcvbn-ts/language-common";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { Piscina } from "piscina";
import { brand } from "../../contract/brand.ts";
import { Failure } from "../errors.ts";
import type { HashTask, VerifyTask } from "./hash-thread.ts";

// OWASP's floor for argon2id: 19 MiB, two passes, one lane.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
// A hash fills a core: one stays free, so that nobody else waits for those who sign in. Exported for the benchmark.
export const hashesAtOnce = Math.max(1, availableParallelism() - 1);
// In threads of their own, each with the next task at hand: it does not idle until the event loop gets round to it.
const threads = new Piscina<HashTask | VerifyTask, string | boolean>({
  filename: fileURLToPath(new URL("hash-thread.ts", import.meta.url)),
  minThreads: 1,
  maxThreads: hashesAtOnce,
  concurrentTasksPerWorker: 2,
  idleTimeout: Infinity,
});

// What a billion guesses, tried in the order that crackers try them, would find.
const guessableLog10 = 9;
// Lists of what people choose hardly go beyond this length, and judging takes time by its square, from everybody.
const judgedLengthMax = 40;
const guessing = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: judgedLengthMax });

/** argon2id in PHC form. */
export async function hashPassword(password: string): Promise<string> {
  return String(await threads.run({ password: asTyped(password), cost }, { name: "hash" }));
}

/** Whether the password fits. Takes as long without a hash (nobody with this e-mail, no password yet) as with one. */
export async function passwordFits(password: string, passwordHash: string | null | undefined): Promise<boolean> {
  const task = { password: asTyped(password), passwordHash: passwordHash ?? (await nobodysHash) };
  const fits = await threads.run(task, { name: "verify" });
  return fits === true && typeof passwordHash === "string";
}

/** @throws Failure invalid on `field` when the password is common, a pattern, or made of what is known of the person. */
export function refuseGuessable(password: string, field: string, personal: string[]): void {
  const own = personal.flatMap((text) => [text, text.replace(/[\s@.]+/g, ""), ...text.split(/[\s@.]+/)]);
  const known = [brand.name, ...own.filter((text) => text.length > 2)];
  const typed = asTyped(password);
  if (typed.length > judgedLengthMax) return;
  // Parting the words of a guess makes it hardly harder: both ways of writing it are judged.
  const writings = new Set([typed, typed.replace(/[\s._-]+/g, "")]);
  if ([...writings].every((writing) => guessing.check(writing, known).guessesLog10 >= guessableLog10)) return;
  const sentence = "This password is among the first that are guessed. Please use a longer or less common one.";
  throw new Failure("invalid", sentence, { fields: { [field]: sentence } });
}

/** The same letters come composed from one keyboard and decomposed from another (NIST SP 800-63B, 3.1.1.2). */
const asTyped = (password: string) => password.normalize("NFKC");

const nobodysHash = hashPassword("nobody has this password");
