import { hashSync, type Options, verifySync } from "@node-rs/argon2";
import { existsSync, readlinkSync } from "node:fs";
import { constants, getPriority, setPriority } from "node:os";
import { basename } from "node:path";

/** What a thread of `passwords.ts` does, one task after the other. */

export interface HashTask {
  password: string;
  cost: Options;
}
export interface VerifyTask {
  password: string;
  passwordHash: string;
}

/** How much further than its process a thread steps back, on the scale of `nice`. */
const stepsBack = 3;

// A hash fills a core for long; who only looks something up must not wait for it. On Linux a thread has a priority of its own.
if (existsSync("/proc/thread-self")) {
  const thread = Number(basename(readlinkSync("/proc/thread-self")));
  try {
    setPriority(thread, Math.min(constants.priority.PRIORITY_LOW, getPriority(thread) + stepsBack));
  } catch {
    // Where the system forbids it, hashes are as important as all the rest.
  }
}

export const hash = ({ password, cost }: HashTask) => hashSync(password, cost);

export const verify = ({ password, passwordHash }: VerifyTask) => verifySync(passwordHash, password);
