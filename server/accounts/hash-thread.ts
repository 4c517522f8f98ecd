import { hashSync, type Options, verifySync } from "@node-rs/argon2";

/** What a thread of `passwords.ts` does, one task after the other. */

export interface HashTask {
  password: string;
  cost: Options;
}
export interface VerifyTask {
  password: string;
  passwordHash: string;
}

export const hash = ({ password, cost }: HashTask) => hashSync(password, cost);

export const verify = ({ password, passwordHash }: VerifyTask) => verifySync(passwordHash, password);
