import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { Piscina } from "piscina";
import { brand } from "../../contract/brand.ts";
import { Failure } from "../failures/failure.ts";
import { demoPassword } from "./demo-password.ts";
import type { HashTask, VerifyTask } from "./hash-thread.ts";
import type { JudgeTask } from "./judge-thread.ts";

// OWASP's floor for argon2id: 19 MiB, two passes, one lane.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
// A hash fills a core. On Linux its thread steps back behind everybody else, so that it may use every core; elsewhere one
// core stays free.
const hashesAtOnce = Math.max(1, availableParallelism() - (process.platform === "linux" ? 0 : 1));
// In threads of their own, each with the next task at hand: it does not idle until the event loop gets round to it.
const threads = new Piscina<HashTask | VerifyTask, string | boolean>({
  filename: fileURLToPath(new URL("hash-thread.ts", import.meta.url)),
  // The first starts with the first password, which it costs a tenth of a second, and no start waits for it.
  minThreads: 0,
  maxThreads: hashesAtOnce,
  concurrentTasksPerWorker: 2,
  idleTimeout: 120_000,
  // The work is done outside V8's heap: it needs little of what the process gives each thread.
  resourceLimits: { maxYoungGenerationSizeMb: 4 },
});

// Its lists take time to load and 20 MB: they are there while people choose passwords, and are no part of a start.
const judge = new Piscina<JudgeTask, boolean>({
  filename: fileURLToPath(new URL("judge-thread.ts", import.meta.url)),
  minThreads: 0,
  maxThreads: 1,
  idleTimeout: 120_000,
  maxQueue: 100,
});

/** argon2id in PHC form. */
export async function hashPassword(password: string): Promise<string> {
  return String(await threads.run({ password: asTyped(password), cost }, { name: "hash" }));
}

/** Whether the password fits. Takes as long without a hash (nobody with this e-mail, no password yet) as with one. */
export async function passwordFits(password: string, passwordHash: string | null | undefined): Promise<boolean> {
  // Whoever is the first waits until it is made, known or not: the time tells nothing.
  const ofNobody = await nobodysHash();
  const task = { password: asTyped(password), passwordHash: passwordHash ?? ofNobody };
  const fits = await threads.run(task, { name: "verify" });
  return fits === true && typeof passwordHash === "string";
}

/**
 * `personal` is what is known of the person: e-mail, names, organisation.
 * @throws Failure invalid on `field` when the password is common, a pattern, or made of what is known; overloaded
 */
export async function refuseGuessable(password: string, field: string, personal: string[]): Promise<void> {
  const own = [...personal, brand.name, brand.legalName, demoPassword].map(asTyped);
  const known = own.flatMap((text) => [text, text.replace(/[\s@.]+/g, ""), ...text.split(/[\s@.]+/)]);
  const task = { password: asTyped(password), known: [...new Set(known)].filter((text) => text.length > 2) };
  if (judge.queueSize >= judge.options.maxQueue)
    throw new Failure("overloaded", "Many people are choosing passwords. Please try again in a few seconds.", {
      retryAfterSeconds: 5,
    });
  if (!(await judge.run(task, { name: "isGuessable" }))) return;
  const sentence = "This password is among the first that are guessed. Please use a longer or less common one.";
  throw new Failure("invalid", sentence, { fields: { [field]: sentence } });
}

/** What a guesser knows of a person. */
export const knownOf = (person: Record<"email" | "firstName" | "lastName" | "organisationName", string>) => [
  person.email,
  person.firstName,
  person.lastName,
  person.organisationName,
];

/** The same letters come composed from one keyboard and decomposed from another (NIST SP 800-63B, 3.1.1.2). */
const asTyped = (password: string) => password.normalize("NFKC");

let madeForNobody: Promise<string> | null = null;
function nobodysHash(): Promise<string> {
  madeForNobody ??= hashPassword("nobody has this password").catch((error: unknown) => {
    madeForNobody = null;
    throw error;
  });
  return madeForNobody;
}
