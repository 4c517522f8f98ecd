import { brand } from "../../contract/brand.ts";
import { Failure, invalidField } from "../failures/failure.ts";
import { threads } from "../process/threads.ts";
import { demoPassword } from "./demo-password.ts";
import type { HashTask, VerifyTask } from "./hash-thread.ts";
import type { JudgeTask } from "./judge-thread.ts";

// OWASP's minimum for argon2id: 19 MiB, two passes, one lane.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const hashing = new URL("hash-thread.ts", import.meta.url);
const judging = new URL("judge-thread.ts", import.meta.url);
/** How many new passwords may wait to be judged. */
const waitingMax = 100;

/** Hashes a password as argon2id in PHC form. */
export async function hashPassword(password: string): Promise<string> {
  const input: HashTask = { password: asTyped(password), cost };
  return threads.run<string>("passwords", { module: hashing, function: "hash", input });
}

/** Whether the password fits. Takes as long without a hash (unknown e-mail, no password yet) as with one. */
export async function passwordFits(password: string, passwordHash: string | null | undefined): Promise<boolean> {
  // The first caller waits for this hash to be made whether or not the e-mail is known, so the time tells nothing.
  const ofNobody = await nobodysHash();
  const input: VerifyTask = { password: asTyped(password), passwordHash: passwordHash ?? ofNobody };
  const fits = await threads.run<boolean>("passwords", { module: hashing, function: "verify", input });
  return fits && typeof passwordHash === "string";
}

/**
 * `personal` is what is known of the person: e-mail, names, organisation.
 * @throws Failure invalid on `field` when the password is common, a pattern, or made of what is known; overloaded
 */
export async function refuseGuessable(password: string, field: string, personal: string[]): Promise<void> {
  const own = [...personal, brand.name, brand.legalName, demoPassword].map(asTyped);
  const known = own.flatMap((text) => [text, text.replace(/[\s@.]+/g, ""), ...text.split(/[\s@.]+/)]);
  const input: JudgeTask = {
    password: asTyped(password),
    known: [...new Set(known)].filter((text) => text.length > 2),
  };
  if (threads.waiting("guesses") >= waitingMax)
    throw new Failure("overloaded", "Many people are choosing passwords. Please try again in a few seconds.", {
      retryAfterSeconds: 5,
    });
  if (!(await threads.run<boolean>("guesses", { module: judging, function: "isGuessable", input }))) return;
  throw invalidField(
    field,
    "This password is among the first that are guessed. Please use a longer or less common one.",
  );
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
