import { hashSync, type Options, verifySync } from "@node-rs/argon2";
import { existsSync, readlinkSync } from "node:fs";
import { constants, getPriority, setPriority } from "node:os";
import { basename } from "node:path";

/** Tasks of the hashing threads of `passwords.ts`, each thread doing one at a time. */

export interface HashTask {
  password: string;
  cost: Options;
}
export interface VerifyTask {
  password: string;
  passwordHash: string;
}

/** How much lower a thread's priority is than its process's, on the scale of `nice`. */
const stepsBack = 3;

// A hash occupies a core for long; requests that only look something up must not wait for it. On Linux a thread has a
// priority of its own.
if (existsSync("/proc/thread-self")) {
  const thread = Number(basename(readlinkSync("/proc/thread-self")));
  try {
    setPriority(thread, Math.min(constants.priority.PRIORITY_LOW, getPriority(thread) + stepsBack));
  } catch {
    // Where the system forbids it, hashing keeps the normal priority.
  }
}

export const hash = ({ password, cost }: HashTask) => hashSync(password, cost);

export const verify = ({ password, passwordHash }: VerifyTask) => verifySync(passwordHash, password);
